//! What the best adjoints have in common: blocks of lanes in local arrays, several rows of a matrix at once.

/// `a * b + c`, rounded once where the machine does that in one instruction. For adjoints only: in a value it
/// would change the bits.
#[inline(always)]
pub fn fma(a: f64, b: f64, c: f64) -> f64 {
    if cfg!(target_feature = "fma") {
        a.mul_add(b, c)
    } else {
        a * b + c
    }
}

/// `L` neighbours as an array: what follows works on registers and cannot overlap anything.
#[inline(always)]
pub fn load<const L: usize>(from: &[f64], at: usize) -> [f64; L] {
    from[at..at + L].try_into().expect("L entries")
}

/// Writes `L` neighbours.
#[inline(always)]
pub fn store<const L: usize>(to: &mut [f64], at: usize, lanes: &[f64; L]) {
    to[at..at + L].copy_from_slice(lanes);
}

/// `R` rows of length `n` that follow one another.
#[inline(always)]
fn rows<const R: usize>(w: &[f64], n: usize) -> [&[f64]; R] {
    std::array::from_fn(|r| &w[r * n..(r + 1) * n])
}

/// `start[r] + w[r] · x` for `R` rows at once. Each sum keeps its order, so its bits are those of a plain loop;
/// four columns at a time let the products of a row be one vector.
#[inline(always)]
pub fn dots<const R: usize>(w: &[f64], x: &[f64], start: [f64; R]) -> [f64; R] {
    const C: usize = 4;
    let n = x.len();
    let rows = rows::<R>(w, n);
    let mut sums = start;
    let blocked = n / C * C;
    for j in (0..blocked).step_by(C) {
        let here: [f64; C] = load(x, j);
        let mut products = [[0.0; C]; R];
        for r in 0..R {
            let row: [f64; C] = load(rows[r], j);
            for c in 0..C {
                products[r][c] = row[c] * here[c];
            }
        }
        for c in 0..C {
            for r in 0..R {
                sums[r] += products[r][c];
            }
        }
    }
    for j in blocked..n {
        for r in 0..R {
            sums[r] += rows[r][j] * x[j];
        }
    }
    sums
}

/// `out = b + w · x`, to the bit what a loop over the rows gives.
#[inline(always)]
pub fn matvec(w: &[f64], x: &[f64], b: &[f64], out: &mut [f64]) {
    let (n, m) = (x.len(), b.len());
    let mut r = 0;
    while r + 8 <= m {
        let sums = dots::<8>(&w[r * n..(r + 8) * n], x, load(b, r));
        store(out, r, &sums);
        r += 8;
    }
    while r + 2 <= m {
        let sums = dots::<2>(&w[r * n..(r + 2) * n], x, load(b, r));
        store(out, r, &sums);
        r += 2;
    }
    if r < m {
        out[r] = dots::<1>(&w[r * n..(r + 1) * n], x, [b[r]])[0];
    }
}

/// Adds `R` rows of `w`, each times its factor.
#[inline(always)]
pub fn add_rows<const R: usize>(to: &mut [f64], w: &[f64], factors: [f64; R]) {
    let n = to.len();
    let rows = rows::<R>(w, n);
    for j in 0..n {
        let mut sum = to[j];
        for r in 0..R {
            sum = fma(factors[r], rows[r][j], sum);
        }
        to[j] = sum;
    }
}

/// `dx += wᵀ · d`, eight rows at once, so that `dx` is read and written once for all of them.
#[inline(always)]
pub fn matvec_adjoint(w: &[f64], d: &[f64], dx: &mut [f64]) {
    let (n, m) = (dx.len(), d.len());
    let mut r = 0;
    while r + 8 <= m {
        add_rows::<8>(dx, &w[r * n..(r + 8) * n], load(d, r));
        r += 8;
    }
    while r < m {
        add_rows::<1>(dx, &w[r * n..(r + 1) * n], [d[r]]);
        r += 1;
    }
}

/// `dw = d · xᵀ`. Every entry is written once, so nothing needs to be cleared before.
#[inline(always)]
pub fn outer(d: &[f64], x: &[f64], dw: &mut [f64]) {
    if x.is_empty() {
        return;
    }
    for (row, d) in dw.chunks_exact_mut(x.len()).zip(d) {
        for (dw, x) in row.iter_mut().zip(x) {
            *dw = d * x;
        }
    }
}

/// The sum of all lanes, as a tree.
#[inline(always)]
pub fn sum<const L: usize>(lanes: &[f64; L]) -> f64 {
    let mut four = [0.0; 4];
    let blocked = L / 4 * 4;
    for i in (0..blocked).step_by(4) {
        for l in 0..4 {
            four[l] += lanes[i + l];
        }
    }
    let mut sum = (four[0] + four[2]) + (four[1] + four[3]);
    for lane in &lanes[blocked..] {
        sum += lane;
    }
    sum
}
