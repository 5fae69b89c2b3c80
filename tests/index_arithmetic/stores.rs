//! A value is stored in an array where later iterations may store another, and read at once.

triplets! {
    saturating_add_minus(x, w, n, m, p, base) {
        let mut h = x.to_vec();
        let mut s = w;
        for i in 0..n {
            let k = i.saturating_add(p) - base;
            let v = (x[i + m] * w).sin();
            h[k] = v;
            s += v * v * h[i];
        }
        s * h[1]
    }
    saturating_add_literals(x, w, n, m, p, base) {
        let mut h = x.to_vec();
        let mut s = w;
        for i in 0..n {
            let k = i.saturating_add(usize::MAX - 3) - (usize::MAX - 10);
            let v = (x[i + m] * w).sin();
            h[k] = v;
            s += v * v * h[i];
        }
        s * h[1]
    }
    saturating_add_masked(x, w, n, m, p, base) {
        let mut h = x.to_vec();
        let mut s = w;
        for i in 0..n {
            let k = i.saturating_add(p) % 16;
            let v = (x[i + m] * w).sin();
            h[k] = v;
            s += v * v * h[i];
        }
        s * h[1]
    }
    saturating_sub(x, w, n, m, p, base) {
        let mut h = x.to_vec();
        let mut s = w;
        for i in 0..n {
            let k = (i + 3).saturating_sub(p);
            let v = (x[i + m] * w).sin();
            h[k] = v;
            s += v * v * h[i];
        }
        s * h[1]
    }
    saturating_mul(x, w, n, m, p, base) {
        let mut h = x.to_vec();
        let mut s = w;
        for i in 0..n {
            let k = i.saturating_mul(p) % 11;
            let v = (x[i + m] * w).sin();
            h[k] = v;
            s += v * v * h[i];
        }
        s * h[1]
    }
    wrapping_add(x, w, n, m, p, base) {
        let mut h = x.to_vec();
        let mut s = w;
        for i in 0..n {
            let k = i.wrapping_add(p).wrapping_sub(base);
            let v = (x[i + m] * w).sin();
            h[k] = v;
            s += v * v * h[i];
        }
        s * h[1]
    }
    wrapping_mul(x, w, n, m, p, base) {
        let mut h = x.to_vec();
        let mut s = w;
        for i in 0..n {
            let k = i.wrapping_mul(p) & 7;
            let v = (x[i + m] * w).sin();
            h[k] = v;
            s += v * v * h[i];
        }
        s * h[1]
    }
    wrapping_neg(x, w, n, m, p, base) {
        let mut h = x.to_vec();
        let mut s = w;
        for i in 0..n {
            let k = i.wrapping_neg().wrapping_add(base);
            let v = (x[i + m] * w).sin();
            h[k] = v;
            s += v * v * h[i];
        }
        s * h[1]
    }
    checked_sub(x, w, n, m, p, base) {
        let mut h = x.to_vec();
        let mut s = w;
        for i in 0..n {
            let k = i.checked_sub(p).unwrap_or(base);
            let v = (x[i + m] * w).sin();
            h[k] = v;
            s += v * v * h[i];
        }
        s * h[1]
    }
    checked_add(x, w, n, m, p, base) {
        let mut h = x.to_vec();
        let mut s = w;
        for i in 0..n {
            let k = i.checked_add(p).unwrap_or(i);
            let v = (x[i + m] * w).sin();
            h[k] = v;
            s += v * v * h[i];
        }
        s * h[1]
    }
    checked_mul(x, w, n, m, p, base) {
        let mut h = x.to_vec();
        let mut s = w;
        for i in 0..n {
            let k = i.checked_mul(p).unwrap_or(1) % 13;
            let v = (x[i + m] * w).sin();
            h[k] = v;
            s += v * v * h[i];
        }
        s * h[1]
    }
    overflowing(x, w, n, m, p, base) {
        let mut h = x.to_vec();
        let mut s = w;
        for i in 0..n {
            let k = i.overflowing_add(p).0.wrapping_add(2);
            let v = (x[i + m] * w).sin();
            h[k] = v;
            s += v * v * h[i];
        }
        s * h[1]
    }
    abs_diff(x, w, n, m, p, base) {
        let mut h = x.to_vec();
        let mut s = w;
        for i in 0..n {
            let k = i.abs_diff(base);
            let v = (x[i + m] * w).sin();
            h[k] = v;
            s += v * v * h[i];
        }
        s * h[1]
    }
    narrow_u8(x, w, n, m, p, base) {
        let mut h = x.to_vec();
        let mut s = w;
        for i in 0..n {
            let k = (i * 96) as u8 as usize % 48;
            let v = (x[i + m] * w).sin();
            h[k] = v;
            s += v * v * h[i];
        }
        s * h[1]
    }
    narrow_u16(x, w, n, m, p, base) {
        let mut h = x.to_vec();
        let mut s = w;
        for i in 0..n {
            let k = ((i * p) as u16 as usize) % 48;
            let v = (x[i + m] * w).sin();
            h[k] = v;
            s += v * v * h[i];
        }
        s * h[1]
    }
    narrow_u32(x, w, n, m, p, base) {
        let mut h = x.to_vec();
        let mut s = w;
        for i in 0..n {
            let k = (i + p) as u32 as usize;
            let v = (x[i + m] * w).sin();
            h[k] = v;
            s += v * v * h[i];
        }
        s * h[1]
    }
    narrow_and_wrap(x, w, n, m, p, base) {
        let mut h = x.to_vec();
        let mut s = w;
        for i in 0..n {
            let k = (i as u8).wrapping_mul(64) as usize / 8;
            let v = (x[i + m] * w).sin();
            h[k] = v;
            s += v * v * h[i];
        }
        s * h[1]
    }
    signed(x, w, n, m, p, base) {
        let mut h = x.to_vec();
        let mut s = w;
        for i in 0..n {
            let k = (i as isize - 3).unsigned_abs();
            let v = (x[i + m] * w).sin();
            h[k] = v;
            s += v * v * h[i];
        }
        s * h[1]
    }
    signed_remainder(x, w, n, m, p, base) {
        let mut h = x.to_vec();
        let mut s = w;
        for i in 0..n {
            let k = (i as i32 - 3).rem_euclid(4) as usize;
            let v = (x[i + m] * w).sin();
            h[k] = v;
            s += v * v * h[i];
        }
        s * h[1]
    }
    signed_narrow(x, w, n, m, p, base) {
        let mut h = x.to_vec();
        let mut s = w;
        for i in 0..n {
            let k = ((i as isize - base as isize) as i8).unsigned_abs() as usize % 48;
            let v = (x[i + m] * w).sin();
            h[k] = v;
            s += v * v * h[i];
        }
        s * h[1]
    }
    signed_back(x, w, n, m, p, base) {
        let mut h = x.to_vec();
        let mut s = w;
        for i in 0..n {
            let k = (i as i64 + base as i64) as usize;
            let v = (x[i + m] * w).sin();
            h[k] = v;
            s += v * v * h[i];
        }
        s * h[1]
    }
    plain_sum(x, w, n, m, p, base) {
        let mut h = x.to_vec();
        let mut s = w;
        for i in 0..n {
            let k = i + p - base;
            let v = (x[i + m] * w).sin();
            h[k] = v;
            s += v * v * h[i];
        }
        s * h[1]
    }
    plain_sum_other_order(x, w, n, m, p, base) {
        let mut h = x.to_vec();
        let mut s = w;
        for i in 0..n {
            let k = base + i - p;
            let v = (x[i + m] * w).sin();
            h[k] = v;
            s += v * v * h[i];
        }
        s * h[1]
    }
    plain_multiple(x, w, n, m, p, base) {
        let mut h = x.to_vec();
        let mut s = w;
        for i in 0..n {
            let k = p * i + base;
            let v = (x[i + m] * w).sin();
            h[k] = v;
            s += v * v * h[i];
        }
        s * h[1]
    }
    plain_multiple_minus(x, w, n, m, p, base) {
        let mut h = x.to_vec();
        let mut s = w;
        for i in 0..n {
            let k = p * i - base;
            let v = (x[i + m] * w).sin();
            h[k] = v;
            s += v * v * h[i];
        }
        s * h[1]
    }
    plain_square(x, w, n, m, p, base) {
        let mut h = x.to_vec();
        let mut s = w;
        for i in 0..n {
            let k = (i * i) % 17;
            let v = (x[i + m] * w).sin();
            h[k] = v;
            s += v * v * h[i];
        }
        s * h[1]
    }
    plain_backwards(x, w, n, m, p, base) {
        let mut h = x.to_vec();
        let mut s = w;
        for i in 0..n {
            let k = base - i;
            let v = (x[i + m] * w).sin();
            h[k] = v;
            s += v * v * h[i];
        }
        s * h[1]
    }
    twice(x, w, n, m, p, base) {
        let mut h = x.to_vec();
        let mut s = w;
        for i in 0..n {
            let k = 2 * i + p;
            let v = (x[i + m] * w).sin();
            h[k] = v;
            s += v * v * h[i];
        }
        s * h[1]
    }
    half(x, w, n, m, p, base) {
        let mut h = x.to_vec();
        let mut s = w;
        for i in 0..n {
            let k = i / 2 + base;
            let v = (x[i + m] * w).sin();
            h[k] = v;
            s += v * v * h[i];
        }
        s * h[1]
    }
    bits(x, w, n, m, p, base) {
        let mut h = x.to_vec();
        let mut s = w;
        for i in 0..n {
            let k = i ^ p;
            let v = (x[i + m] * w).sin();
            h[k] = v;
            s += v * v * h[i];
        }
        s * h[1]
    }
    shifts(x, w, n, m, p, base) {
        let mut h = x.to_vec();
        let mut s = w;
        for i in 0..n {
            let k = (i << 62) >> 61;
            let v = (x[i + m] * w).sin();
            h[k] = v;
            s += v * v * h[i];
        }
        s * h[1]
    }
    min_max(x, w, n, m, p, base) {
        let mut h = x.to_vec();
        let mut s = w;
        for i in 0..n {
            let k = i.min(base).max(1);
            let v = (x[i + m] * w).sin();
            h[k] = v;
            s += v * v * h[i];
        }
        s * h[1]
    }
    power(x, w, n, m, p, base) {
        let mut h = x.to_vec();
        let mut s = w;
        for i in 0..n {
            let k = i.wrapping_pow(2) % 9;
            let v = (x[i + m] * w).sin();
            h[k] = v;
            s += v * v * h[i];
        }
        s * h[1]
    }
    large_literal(x, w, n, m, p, base) {
        let mut h = x.to_vec();
        let mut s = w;
        for i in 0..n {
            let k = i + 18446744073709551615;
            let v = (x[i + m] * w).sin();
            h[k] = v;
            s += v * v * h[i];
        }
        s * h[1]
    }
    large_multiple(x, w, n, m, p, base) {
        let mut h = x.to_vec();
        let mut s = w;
        for i in 0..n {
            let k = 18446744073709551615usize * i + p;
            let v = (x[i + m] * w).sin();
            h[k] = v;
            s += v * v * h[i];
        }
        s * h[1]
    }
}
