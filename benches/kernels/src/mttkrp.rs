//! A tensor times two factor matrices (the step of a CP decomposition): four nested loops of products and sums.

use crate::kernel::{ByHand, Kernel, Reference, cleared, parts, refill};
use crate::lanes::{fma, load, store};
use crate::numbers::Numbers;
use retrograde::gradient;
use std::hint::black_box;
use std::rc::Rc;

/// The squared length of `a[i, r] = sum over j, k of t[i, j, k] b[j, r] c[k, r]`, where `i` runs to `rows`.
#[gradient]
pub fn mttkrp(#[constant] t: &[f64], b: &[f64], c: &[f64], rows: usize, rank: usize) -> f64 {
    let (nj, nk) = (b.len() / rank, c.len() / rank);
    let mut a = vec![0.0; rows * rank];
    for i in 0..rows {
        for j in 0..nj {
            for k in 0..nk {
                let entry = t[(i * nj + j) * nk + k];
                for r in 0..rank {
                    a[i * rank + r] += entry * b[j * rank + r] * c[k * rank + r];
                }
            }
        }
    }
    let mut f = 0.0;
    for i in 0..rows * rank {
        f += a[i] * a[i];
    }
    f
}

struct Inputs {
    t: Vec<f64>,
    b: Vec<f64>,
    c: Vec<f64>,
    rows: usize,
    rank: usize,
}

#[derive(Default)]
struct Simple {
    a: Vec<f64>,
    da: Vec<f64>,
}

impl Simple {
    fn run(&mut self, inputs: &Inputs, [db, dc]: [&mut [f64]; 2]) -> f64 {
        let &Inputs { rows, rank, .. } = inputs;
        let Inputs { t, b, c, .. } = inputs;
        let (nj, nk) = (b.len() / rank, c.len() / rank);
        let Self { a, da } = self;
        refill(a, rows * rank, 0.0);
        refill(da, rows * rank, 0.0);
        for i in 0..rows {
            for j in 0..nj {
                for k in 0..nk {
                    let entry = t[(i * nj + j) * nk + k];
                    for r in 0..rank {
                        a[i * rank + r] += entry * b[j * rank + r] * c[k * rank + r];
                    }
                }
            }
        }
        let mut f = 0.0;
        for i in 0..rows * rank {
            f += a[i] * a[i];
        }
        for i in (0..rows * rank).rev() {
            da[i] += 2.0 * a[i];
        }
        for i in (0..rows).rev() {
            for j in (0..nj).rev() {
                for k in (0..nk).rev() {
                    let entry = t[(i * nj + j) * nk + k];
                    for r in (0..rank).rev() {
                        let d = da[i * rank + r];
                        let product = entry * b[j * rank + r];
                        dc[k * rank + r] += d * product;
                        db[j * rank + r] += d * c[k * rank + r] * entry;
                    }
                }
            }
        }
        f
    }
}

/// Row by row, since the adjoint of a row is known as soon as the row is. Sums stay in registers: a block of the
/// rank forward, a tile of four `j` and a block of the rank in reverse, with the factor that does not depend on
/// `k` taken out of the loop over `k`.
#[derive(Default)]
struct Best {
    row: Vec<f64>,
}

impl Best {
    fn run(&mut self, inputs: &Inputs, [db, dc]: [&mut [f64]; 2]) -> f64 {
        let &Inputs { rows, rank, .. } = inputs;
        let Inputs { t, b, c, .. } = inputs;
        let (nj, nk) = (b.len() / rank, c.len() / rank);
        refill(&mut self.row, rank, 0.0);
        let row = &mut self.row;
        let mut f = 0.0;
        for i in 0..rows {
            let t = &t[i * nj * nk..(i + 1) * nj * nk];
            for (r, width) in blocks([32, 8, 1], rank) {
                match width {
                    32 => forward::<32>(t, b, c, rank, r, row),
                    8 => forward::<8>(t, b, c, rank, r, row),
                    _ => forward::<1>(t, b, c, rank, r, row),
                }
            }
            for a in row.iter_mut() {
                f += *a * *a;
                *a *= 2.0;
            }
            for (r, width) in blocks([8, 8, 1], rank) {
                for (j, height) in blocks([4, 4, 1], nj) {
                    match (height, width) {
                        (4, 8) => reverse::<4, 8>(t, b, c, rank, j, r, row, db, dc),
                        (4, _) => reverse::<4, 1>(t, b, c, rank, j, r, row, db, dc),
                        (_, 8) => reverse::<1, 8>(t, b, c, rank, j, r, row, db, dc),
                        _ => reverse::<1, 1>(t, b, c, rank, j, r, row, db, dc),
                    }
                }
            }
        }
        f
    }
}

/// Start and width of the blocks that cover `0..n`, as wide as fits.
fn blocks(widths: [usize; 3], n: usize) -> impl Iterator<Item = (usize, usize)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let width = widths.into_iter().find(|width| at + width <= n)?;
        at += width;
        Some((at - width, width))
    })
}

/// `L` entries of a row of `a`, summed in the order of the plain loop.
#[inline(always)]
fn forward<const L: usize>(
    t: &[f64],
    b: &[f64],
    c: &[f64],
    rank: usize,
    r: usize,
    row: &mut [f64],
) {
    let nk = c.len() / rank;
    let mut sums = [0.0; L];
    for (j, t) in t.chunks_exact(nk.max(1)).enumerate() {
        let b: [f64; L] = load(b, j * rank + r);
        for (entry, c) in t.iter().zip(c.chunks_exact(rank)) {
            let c: [f64; L] = load(c, r);
            for l in 0..L {
                sums[l] += entry * b[l] * c[l];
            }
        }
    }
    store(row, r, &sums);
}

/// What `J` rows of `b` and all of `c` receive through `L` entries of a row of `a`.
#[inline(always)]
fn reverse<const J: usize, const L: usize>(
    t: &[f64],
    b: &[f64],
    c: &[f64],
    rank: usize,
    j: usize,
    r: usize,
    da: &[f64],
    db: &mut [f64],
    dc: &mut [f64],
) {
    let nk = c.len() / rank;
    let da: [f64; L] = load(da, r);
    let t: [&[f64]; J] = std::array::from_fn(|jj| &t[(j + jj) * nk..(j + jj + 1) * nk]);
    let (mut factors, mut sums) = ([[0.0; L]; J], [[0.0; L]; J]);
    for jj in 0..J {
        let b: [f64; L] = load(b, (j + jj) * rank + r);
        for l in 0..L {
            factors[jj][l] = da[l] * b[l];
        }
    }
    let rows = c.chunks_exact(rank).zip(dc.chunks_exact_mut(rank));
    for (k, (c, dc)) in rows.enumerate().take(nk) {
        let c: [f64; L] = load(c, r);
        let mut d: [f64; L] = load(dc, r);
        for jj in 0..J {
            let entry = t[jj][k];
            for l in 0..L {
                d[l] = fma(entry, factors[jj][l], d[l]);
                sums[jj][l] = fma(entry, c[l], sums[jj][l]);
            }
        }
        store(dc, r, &d);
    }
    for jj in 0..J {
        let at = (j + jj) * rank + r;
        let mut d: [f64; L] = load(db, at);
        for l in 0..L {
            d[l] = fma(da[l], sums[jj][l], d[l]);
        }
        store(db, at, &d);
    }
}

/// A tensor of `ni` × `nj` × `nk` and factors of the given rank, which is at least 1.
pub fn kernel(ni: usize, nj: usize, nk: usize, rank: usize) -> Kernel {
    let mut numbers = Numbers::new();
    let mut draw = |n| numbers.vec(n, -1.0, 1.0);
    let inputs = Rc::new(black_box(Inputs {
        t: draw(ni * nj * nk),
        b: draw(nj * rank),
        c: draw(nk * rank),
        rows: ni,
        rank,
    }));
    let [in1, in2, in3] = [inputs.clone(), inputs.clone(), inputs.clone()];
    let (mut simple, mut best) = (Simple::default(), Best::default());
    Kernel::new(
        "mttkrp",
        &[nj * rank, nk * rank],
        move || mttkrp(&inputs.t, &inputs.b, &inputs.c, inputs.rows, inputs.rank),
        move |tape, gradient| {
            let Inputs {
                t,
                b,
                c,
                rows,
                rank,
            } = &*in1;
            let [db, dc] = parts(gradient);
            mttkrp_grad_into(tape, t, b, db, c, dc, *rows, *rank)
        },
        ByHand::new(0, move |gradient| simple.run(&in2, cleared(gradient))),
        ByHand::new(0, move |gradient| best.run(&in3, cleared(gradient))),
    )
}

/// The size that is timed.
pub fn full() -> Kernel {
    kernel(64, 64, 64, 32).with_reference(Reference {
        loss: 308639.282830491,
        entries: &[
            (0, 0, 664.070331330568),
            (0, 1000, 938.625217421061),
            (1, 0, 577.986914588734),
            (1, 2047, -144.744261096823),
        ],
        directional: 5785.41734793,
        magnitudes: &[1222245.90585, 1230747.73765],
    })
}
