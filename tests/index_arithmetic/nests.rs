//! Rows and columns: indices made of the counters of two loops.

triplets! {
    rows(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for i in 0..n {
            for j in 0..m {
                let k = m * i + j;
                let t = a[k];
                a[k] = t * w + x[i + j];
            }
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    rows_of_p(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for i in 0..n {
            for j in 0..m {
                let k = p * i + j;
                let t = a[k];
                a[k] = t * w + x[i + j];
            }
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    rows_minus(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for i in 0..n {
            for j in 0..m {
                let k = p * i + j - base;
                let t = a[k];
                a[k] = t * w + x[i + j];
            }
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    rows_plus(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for i in 0..n {
            for j in 0..m {
                let k = base + p * i + j;
                let t = a[k];
                a[k] = t * w + x[i + j];
            }
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    rows_back(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for i in 0..n {
            for j in 0..m {
                let k = base + 18446744073709551615usize * i + j;
                let t = a[k];
                a[k] = t * w + x[i + j];
            }
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    rows_saturating(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for i in 0..n {
            for j in 0..m {
                let k = p.saturating_mul(i) % 24 + j;
                let t = a[k];
                a[k] = t * w + x[i + j];
            }
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    rows_wrapping(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for i in 0..n {
            for j in 0..m {
                let k = p.wrapping_mul(i) % 24 + j;
                let t = a[k];
                a[k] = t * w + x[i + j];
            }
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    rows_narrow(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for i in 0..n {
            for j in 0..m {
                let k = (p * i) as u8 as usize % 24 + j;
                let t = a[k];
                a[k] = t * w + x[i + j];
            }
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    rows_signed(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for i in 0..n {
            for j in 0..m {
                let k = ((m * i) as isize + j as isize - base as isize).unsigned_abs() % 48;
                let t = a[k];
                a[k] = t * w + x[i + j];
            }
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    columns(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for i in 0..n {
            for j in 0..m {
                let k = n * j + i;
                let t = a[k];
                a[k] = t * w + x[i + j];
            }
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    columns_of_p(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for i in 0..n {
            for j in 0..m {
                let k = p * j + i;
                let t = a[k];
                a[k] = t * w + x[i + j];
            }
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    mixed(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for i in 0..n {
            for j in 0..m {
                let k = m * i + j * p;
                let t = a[k];
                a[k] = t * w + x[i + j];
            }
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    product(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for i in 0..n {
            for j in 0..m {
                let k = p * i * m + j;
                let t = a[k];
                a[k] = t * w + x[i + j];
            }
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    saturating_add(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for i in 0..n {
            for j in 0..m {
                let k = (m * i).saturating_add(j).saturating_add(p) - base;
                let t = a[k];
                a[k] = t * w + x[i + j];
            }
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    rows_under_a_condition(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for i in 0..n {
            if i != 1 {
            for j in 0..m {
                let k = m * i + j;
                let t = a[k];
                a[k] = t * w + x[i + j];
            }
            }
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    rows_of_p_under_a_condition(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for i in 0..n {
            if i != 1 {
            for j in 0..m {
                let k = p * i + j;
                let t = a[k];
                a[k] = t * w + x[i + j];
            }
            }
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    rows_minus_under_a_condition(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for i in 0..n {
            if i != 1 {
            for j in 0..m {
                let k = p * i + j - base;
                let t = a[k];
                a[k] = t * w + x[i + j];
            }
            }
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    rows_plus_under_a_condition(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for i in 0..n {
            if i != 1 {
            for j in 0..m {
                let k = base + p * i + j;
                let t = a[k];
                a[k] = t * w + x[i + j];
            }
            }
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    rows_back_under_a_condition(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for i in 0..n {
            if i != 1 {
            for j in 0..m {
                let k = base + 18446744073709551615usize * i + j;
                let t = a[k];
                a[k] = t * w + x[i + j];
            }
            }
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    columns_under_a_condition(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for i in 0..n {
            if i != 1 {
            for j in 0..m {
                let k = n * j + i;
                let t = a[k];
                a[k] = t * w + x[i + j];
            }
            }
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    product_under_a_condition(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for i in 0..n {
            if i != 1 {
            for j in 0..m {
                let k = p * i * m + j;
                let t = a[k];
                a[k] = t * w + x[i + j];
            }
            }
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    rows_every_other(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for i in (0..n).step_by(2) {
            for j in 0..m {
                let k = m * i + j;
                let t = a[k];
                a[k] = t * w + x[i + j];
            }
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    rows_of_p_every_other(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for i in (0..n).step_by(2) {
            for j in 0..m {
                let k = p * i + j;
                let t = a[k];
                a[k] = t * w + x[i + j];
            }
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    rows_minus_every_other(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for i in (0..n).step_by(2) {
            for j in 0..m {
                let k = p * i + j - base;
                let t = a[k];
                a[k] = t * w + x[i + j];
            }
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    rows_plus_every_other(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for i in (0..n).step_by(2) {
            for j in 0..m {
                let k = base + p * i + j;
                let t = a[k];
                a[k] = t * w + x[i + j];
            }
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    rows_back_every_other(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for i in (0..n).step_by(2) {
            for j in 0..m {
                let k = base + 18446744073709551615usize * i + j;
                let t = a[k];
                a[k] = t * w + x[i + j];
            }
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    columns_every_other(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for i in (0..n).step_by(2) {
            for j in 0..m {
                let k = n * j + i;
                let t = a[k];
                a[k] = t * w + x[i + j];
            }
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    product_every_other(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for i in (0..n).step_by(2) {
            for j in 0..m {
                let k = p * i * m + j;
                let t = a[k];
                a[k] = t * w + x[i + j];
            }
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    rows_of_products(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for q in 0..n {
            let i = q * (base | 1);
            for j in 0..m {
                let k = m * i + j;
                let t = a[k];
                a[k] = t * w + x[i + j];
            }
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    rows_of_p_of_products(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for q in 0..n {
            let i = q * (base | 1);
            for j in 0..m {
                let k = p * i + j;
                let t = a[k];
                a[k] = t * w + x[i + j];
            }
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    rows_minus_of_products(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for q in 0..n {
            let i = q * (base | 1);
            for j in 0..m {
                let k = p * i + j - base;
                let t = a[k];
                a[k] = t * w + x[i + j];
            }
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    rows_plus_of_products(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for q in 0..n {
            let i = q * (base | 1);
            for j in 0..m {
                let k = base + p * i + j;
                let t = a[k];
                a[k] = t * w + x[i + j];
            }
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    rows_back_of_products(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for q in 0..n {
            let i = q * (base | 1);
            for j in 0..m {
                let k = base + 18446744073709551615usize * i + j;
                let t = a[k];
                a[k] = t * w + x[i + j];
            }
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    columns_of_products(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for q in 0..n {
            let i = q * (base | 1);
            for j in 0..m {
                let k = n * j + i;
                let t = a[k];
                a[k] = t * w + x[i + j];
            }
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    product_of_products(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for q in 0..n {
            let i = q * (base | 1);
            for j in 0..m {
                let k = p * i * m + j;
                let t = a[k];
                a[k] = t * w + x[i + j];
            }
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    rows_by_a_stride(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for i in (0..p.saturating_mul(3)).step_by(p.max(1)) {
            for j in 0..m {
                let k = m * i + j;
                let t = a[k];
                a[k] = t * w + x[i + j];
            }
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    rows_of_p_by_a_stride(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for i in (0..p.saturating_mul(3)).step_by(p.max(1)) {
            for j in 0..m {
                let k = p * i + j;
                let t = a[k];
                a[k] = t * w + x[i + j];
            }
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    rows_minus_by_a_stride(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for i in (0..p.saturating_mul(3)).step_by(p.max(1)) {
            for j in 0..m {
                let k = p * i + j - base;
                let t = a[k];
                a[k] = t * w + x[i + j];
            }
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    columns_by_a_stride(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for i in (0..p.saturating_mul(3)).step_by(p.max(1)) {
            for j in 0..m {
                let k = n * j + i;
                let t = a[k];
                a[k] = t * w + x[i + j];
            }
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    rows_of_p_as_far_as_p(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for i in 0..n {
            for j in 0..p.min(m) {
                let k = p * i + j;
                let t = a[k];
                a[k] = t * w + x[i + j];
            }
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    rows_minus_as_far_as_p(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for i in 0..n {
            for j in 0..p.min(m) {
                let k = p * i + j - base;
                let t = a[k];
                a[k] = t * w + x[i + j];
            }
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    rows_plus_as_far_as_p(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for i in 0..n {
            for j in 0..p.min(m) {
                let k = base + p * i + j;
                let t = a[k];
                a[k] = t * w + x[i + j];
            }
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    rows_of_p_from_near_p(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for i in 0..n {
            for j in p.saturating_sub(2)..p {
                let k = p * i + j;
                let t = a[k];
                a[k] = t * w + x[i + j];
            }
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    rows_minus_from_near_p(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for i in 0..n {
            for j in p.saturating_sub(2)..p {
                let k = p * i + j - base;
                let t = a[k];
                a[k] = t * w + x[i + j];
            }
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    rows_plus_from_near_p(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for i in 0..n {
            for j in p.saturating_sub(2)..p {
                let k = base + p * i + j;
                let t = a[k];
                a[k] = t * w + x[i + j];
            }
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    rows_of_p_left_early(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for i in 0..n {
            for j in 0..p {
                if j >= m {
                    break;
                }
                let k = p * i + j;
                let t = a[k];
                a[k] = t * w + x[i + j];
            }
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    rows_minus_left_early(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for i in 0..n {
            for j in 0..p {
                if j >= m {
                    break;
                }
                let k = p * i + j - base;
                let t = a[k];
                a[k] = t * w + x[i + j];
            }
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    rows_plus_left_early(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for i in 0..n {
            for j in 0..p {
                if j >= m {
                    break;
                }
                let k = base + p * i + j;
                let t = a[k];
                a[k] = t * w + x[i + j];
            }
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    upper_triangle(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for i in 0..n {
            for j in i..n {
                let k = n * i + j;
                let t = a[k];
                a[k] = t * w + x[i % 7 + j % 5];
            }
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    strict_upper_triangle(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for i in 1..n {
            for j in i + 1..n {
                let k = n * i + j;
                let t = a[k];
                a[k] = t * w + x[i % 7 + j % 5];
            }
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    far_upper_triangle(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for i in p..n {
            for j in i..n {
                let k = n * i + j - base;
                let t = a[k];
                a[k] = t * w + x[i % 7 + j % 5];
            }
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    triangle_of_p(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for i in 0..n {
            for j in i..p.min(6) {
                let k = p * i + j;
                let t = a[k];
                a[k] = t * w + x[i % 7 + j % 5];
            }
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
    lower_triangle(x, w, n, m, p, base) {
        let mut a = x.to_vec();
        for i in 0..n {
            for j in 0..i {
                let k = n * i + j;
                let t = a[k];
                a[k] = t * w + x[i % 7 + j % 5];
            }
        }
        let mut s = w;
        for v in 0..a.len() {
            s += a[v] * x[v];
        }
        s
    }
}
