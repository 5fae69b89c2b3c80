//! Elements at a fixed distance from the counter are overwritten: their old values are saved in one copy.

triplets! {
    saturating_add_minus(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * a[v];
        }
        for i in m..m + n {
            a[i.saturating_add(p) - base] = x[i] * w;
        }
        for v in 0..a.len() {
            s += a[v] * a[v] * a[v];
        }
        s
    }
    saturating_add_literals(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * a[v];
        }
        for i in m..m + n {
            a[i.saturating_add(usize::MAX - 3) - (usize::MAX - 10)] = x[i] * w;
        }
        for v in 0..a.len() {
            s += a[v] * a[v] * a[v];
        }
        s
    }
    saturating_sub(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * a[v];
        }
        for i in m..m + n {
            a[(i + 3).saturating_sub(p)] = x[i] * w;
        }
        for v in 0..a.len() {
            s += a[v] * a[v] * a[v];
        }
        s
    }
    wrapping_add(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * a[v];
        }
        for i in m..m + n {
            a[i.wrapping_add(p).wrapping_sub(base)] = x[i] * w;
        }
        for v in 0..a.len() {
            s += a[v] * a[v] * a[v];
        }
        s
    }
    checked_sub(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * a[v];
        }
        for i in m..m + n {
            a[i.checked_sub(p).unwrap_or(base)] = x[i] * w;
        }
        for v in 0..a.len() {
            s += a[v] * a[v] * a[v];
        }
        s
    }
    abs_diff(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * a[v];
        }
        for i in m..m + n {
            a[i.abs_diff(base)] = x[i] * w;
        }
        for v in 0..a.len() {
            s += a[v] * a[v] * a[v];
        }
        s
    }
    narrow_u32(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * a[v];
        }
        for i in m..m + n {
            a[(i + p) as u32 as usize] = x[i] * w;
        }
        for v in 0..a.len() {
            s += a[v] * a[v] * a[v];
        }
        s
    }
    signed_back(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * a[v];
        }
        for i in m..m + n {
            a[(i as i64 + base as i64) as usize] = x[i] * w;
        }
        for v in 0..a.len() {
            s += a[v] * a[v] * a[v];
        }
        s
    }
    plain_sum(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * a[v];
        }
        for i in m..m + n {
            a[i + p - base] = x[i] * w;
        }
        for v in 0..a.len() {
            s += a[v] * a[v] * a[v];
        }
        s
    }
    plain_sum_other_order(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * a[v];
        }
        for i in m..m + n {
            a[base + i - p] = x[i] * w;
        }
        for v in 0..a.len() {
            s += a[v] * a[v] * a[v];
        }
        s
    }
    plain_multiple(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * a[v];
        }
        for i in m..m + n {
            a[p * i + base] = x[i] * w;
        }
        for v in 0..a.len() {
            s += a[v] * a[v] * a[v];
        }
        s
    }
    plain_backwards(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * a[v];
        }
        for i in m..m + n {
            a[base - i] = x[i] * w;
        }
        for v in 0..a.len() {
            s += a[v] * a[v] * a[v];
        }
        s
    }
    large_literal(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * a[v];
        }
        for i in m..m + n {
            a[i + 18446744073709551615] = x[i] * w;
        }
        for v in 0..a.len() {
            s += a[v] * a[v] * a[v];
        }
        s
    }
    large_multiple(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * a[v];
        }
        for i in m..m + n {
            a[18446744073709551615usize * i + p] = x[i] * w;
        }
        for v in 0..a.len() {
            s += a[v] * a[v] * a[v];
        }
        s
    }
    three_terms(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * a[v];
        }
        for i in m..m + n {
            a[i + p - base + m - m] = x[i] * w;
        }
        for v in 0..a.len() {
            s += a[v] * a[v] * a[v];
        }
        s
    }
    minus_first(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * a[v];
        }
        for i in m..m + n {
            a[i - base + p] = x[i] * w;
        }
        for v in 0..a.len() {
            s += a[v] * a[v] * a[v];
        }
        s
    }
    leaps(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * a[v];
        }
        for i in (0..usize::MAX).step_by(p.max(1 << 40)) {
            a[i + 12] = x[m] * w;
        }
        for v in 0..a.len() {
            s += a[v] * a[v] * a[v];
        }
        s
    }
    leaps_in_place(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * a[v];
        }
        for i in (0..usize::MAX).step_by(p.max(1 << 40)) {
            let t = a[i + 12];
 a[i + 12] = t * w + x[m];
        }
        for v in 0..a.len() {
            s += a[v] * a[v] * a[v];
        }
        s
    }
    leaps_of_two(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * a[v];
        }
        for i in (0..usize::MAX).step_by(p.max(1 << 40)) {
            let t = a[2 * i + 3];
 a[2 * i + 3] = t * w + x[m];
        }
        for v in 0..a.len() {
            s += a[v] * a[v] * a[v];
        }
        s
    }
    leaps_of_rows(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * a[v];
        }
        for i in (0..usize::MAX).step_by(p.max(1 << 40)) {
            for j in 0..m {
 let t = a[n * i + j];
 a[n * i + j] = t * w + x[m];
 }
        }
        for v in 0..a.len() {
            s += a[v] * a[v] * a[v];
        }
        s
    }
}
