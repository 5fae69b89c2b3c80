//! Each iteration overwrites an element that it reads.

triplets! {
    saturating_add_minus(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for i in 0..n {
            let k = i.saturating_add(p) - base;
            let t = a[k];
            a[k] = t * w + x[i + m];
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    saturating_add_literals(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for i in 0..n {
            let k = i.saturating_add(usize::MAX - 3) - (usize::MAX - 10);
            let t = a[k];
            a[k] = t * w + x[i + m];
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    saturating_add_masked(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for i in 0..n {
            let k = i.saturating_add(p) % 16;
            let t = a[k];
            a[k] = t * w + x[i + m];
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    saturating_sub(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for i in 0..n {
            let k = (i + 3).saturating_sub(p);
            let t = a[k];
            a[k] = t * w + x[i + m];
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    saturating_mul(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for i in 0..n {
            let k = i.saturating_mul(p) % 11;
            let t = a[k];
            a[k] = t * w + x[i + m];
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    wrapping_add(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for i in 0..n {
            let k = i.wrapping_add(p).wrapping_sub(base);
            let t = a[k];
            a[k] = t * w + x[i + m];
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    wrapping_mul(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for i in 0..n {
            let k = i.wrapping_mul(p) & 7;
            let t = a[k];
            a[k] = t * w + x[i + m];
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    wrapping_neg(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for i in 0..n {
            let k = i.wrapping_neg().wrapping_add(base);
            let t = a[k];
            a[k] = t * w + x[i + m];
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    checked_sub(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for i in 0..n {
            let k = i.checked_sub(p).unwrap_or(base);
            let t = a[k];
            a[k] = t * w + x[i + m];
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    checked_add(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for i in 0..n {
            let k = i.checked_add(p).unwrap_or(i);
            let t = a[k];
            a[k] = t * w + x[i + m];
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    checked_mul(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for i in 0..n {
            let k = i.checked_mul(p).unwrap_or(1) % 13;
            let t = a[k];
            a[k] = t * w + x[i + m];
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    overflowing(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for i in 0..n {
            let k = i.overflowing_add(p).0.wrapping_add(2);
            let t = a[k];
            a[k] = t * w + x[i + m];
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    abs_diff(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for i in 0..n {
            let k = i.abs_diff(base);
            let t = a[k];
            a[k] = t * w + x[i + m];
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    narrow_u8(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for i in 0..n {
            let k = (i * 96) as u8 as usize % 48;
            let t = a[k];
            a[k] = t * w + x[i + m];
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    narrow_u16(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for i in 0..n {
            let k = ((i * p) as u16 as usize) % 48;
            let t = a[k];
            a[k] = t * w + x[i + m];
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    narrow_u32(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for i in 0..n {
            let k = (i + p) as u32 as usize;
            let t = a[k];
            a[k] = t * w + x[i + m];
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    narrow_and_wrap(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for i in 0..n {
            let k = (i as u8).wrapping_mul(64) as usize / 8;
            let t = a[k];
            a[k] = t * w + x[i + m];
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    signed(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for i in 0..n {
            let k = (i as isize - 3).unsigned_abs();
            let t = a[k];
            a[k] = t * w + x[i + m];
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    signed_remainder(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for i in 0..n {
            let k = (i as i32 - 3).rem_euclid(4) as usize;
            let t = a[k];
            a[k] = t * w + x[i + m];
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    signed_narrow(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for i in 0..n {
            let k = ((i as isize - base as isize) as i8).unsigned_abs() as usize % 48;
            let t = a[k];
            a[k] = t * w + x[i + m];
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    signed_back(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for i in 0..n {
            let k = (i as i64 + base as i64) as usize;
            let t = a[k];
            a[k] = t * w + x[i + m];
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    plain_sum(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for i in 0..n {
            let k = i + p - base;
            let t = a[k];
            a[k] = t * w + x[i + m];
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    plain_sum_other_order(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for i in 0..n {
            let k = base + i - p;
            let t = a[k];
            a[k] = t * w + x[i + m];
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    plain_multiple(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for i in 0..n {
            let k = p * i + base;
            let t = a[k];
            a[k] = t * w + x[i + m];
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    plain_multiple_minus(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for i in 0..n {
            let k = p * i - base;
            let t = a[k];
            a[k] = t * w + x[i + m];
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    plain_square(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for i in 0..n {
            let k = (i * i) % 17;
            let t = a[k];
            a[k] = t * w + x[i + m];
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    plain_backwards(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for i in 0..n {
            let k = base - i;
            let t = a[k];
            a[k] = t * w + x[i + m];
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    twice(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for i in 0..n {
            let k = 2 * i + p;
            let t = a[k];
            a[k] = t * w + x[i + m];
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    half(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for i in 0..n {
            let k = i / 2 + base;
            let t = a[k];
            a[k] = t * w + x[i + m];
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    bits(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for i in 0..n {
            let k = i ^ p;
            let t = a[k];
            a[k] = t * w + x[i + m];
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    shifts(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for i in 0..n {
            let k = (i << 62) >> 61;
            let t = a[k];
            a[k] = t * w + x[i + m];
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    min_max(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for i in 0..n {
            let k = i.min(base).max(1);
            let t = a[k];
            a[k] = t * w + x[i + m];
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    power(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for i in 0..n {
            let k = i.wrapping_pow(2) % 9;
            let t = a[k];
            a[k] = t * w + x[i + m];
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    large_literal(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for i in 0..n {
            let k = i + 18446744073709551615;
            let t = a[k];
            a[k] = t * w + x[i + m];
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    large_multiple(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for i in 0..n {
            let k = 18446744073709551615usize * i + p;
            let t = a[k];
            a[k] = t * w + x[i + m];
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
}
