//! Rows are kept every few steps only. Between two of them, tiles that fit the cache are run again with all their
//! steps, and reversed while they are there; each tile begins wide enough that what it lacks at its ends never
//! reaches the cells that it answers for. The adjoint of a step is gathered, which makes it a stencil as well.

use super::DT;
use crate::lanes::fma;

/// Steps between two rows that are kept.
pub(super) const EVERY: usize = 20;
/// Cells that a tile answers for.
const TILE: usize = 3000;

#[derive(Default)]
pub(super) struct Best {
    rows: Vec<f64>,
    tile: Vec<f64>,
    adjoints: [Vec<f64>; 2],
    now: Vec<f64>,
    before: Vec<f64>,
}

/// A tile: the cells that it answers for, and those that it computes with.
struct Cells {
    from: usize,
    to: usize,
    low: usize,
    high: usize,
}

/// The tiles of `n` cells with `margin` more on each side.
fn tiles(n: usize, margin: usize) -> impl Iterator<Item = Cells> {
    (0..n).step_by(TILE).map(move |from| {
        let to = (from + TILE).min(n);
        Cells {
            from,
            to,
            low: from.saturating_sub(margin),
            high: (to + margin).min(n),
        }
    })
}

impl Best {
    pub(super) fn run(&mut self, u0: &[f64], steps: usize, du: &mut [f64]) -> f64 {
        let n = u0.len();
        let spans = steps.div_ceil(EVERY);
        let length = |span: usize| EVERY.min(steps - span * EVERY);
        let width = n.min(TILE + 4 * EVERY);
        self.rows.resize(n * (spans + 1), 0.0);
        self.tile.resize(width * (EVERY + 1), 0.0);
        for buffer in &mut self.adjoints {
            buffer.resize(width, 0.0);
        }
        self.now.resize(n, 0.0);
        self.before.resize(n, 0.0);

        self.rows[..n].copy_from_slice(u0);
        for span in 0..spans {
            let (from, to) = self.rows.split_at_mut((span + 1) * n);
            let from = &from[span * n..];
            let k = length(span);
            for cells in tiles(n, k) {
                run_again(from, &cells, k, &mut self.tile, width);
                let last = &self.tile[k * width..];
                to[cells.from..cells.to]
                    .copy_from_slice(&last[cells.from - cells.low..cells.to - cells.low]);
            }
        }
        let last = &self.rows[spans * n..][..n];
        let mut f = 0.0;
        for (d, u) in self.now.iter_mut().zip(last) {
            f += u * u;
            *d = 2.0 * u;
        }
        // The ends never change: what they receive is theirs at once, and in the rows of adjoints they are zero.
        let mut ends = [0.0; 2];
        if n > 0 {
            ends = [self.now[0], self.now[n - 1]];
            self.now[0] = 0.0;
            self.now[n - 1] = 0.0;
        }
        for span in (0..spans).rev() {
            let k = length(span);
            for cells in tiles(n, 2 * k) {
                self.reverse(span, &cells, k, width, &mut ends);
            }
            std::mem::swap(&mut self.now, &mut self.before);
        }
        du.copy_from_slice(&self.now);
        if n > 0 {
            du[n - 1] = ends[1];
            du[0] = ends[0];
        }
        f
    }

    /// `k` steps of a tile in reverse: from `now` to `before`.
    fn reverse(&mut self, span: usize, cells: &Cells, k: usize, width: usize, ends: &mut [f64; 2]) {
        let &Cells {
            from,
            to,
            low,
            high,
        } = cells;
        let n = self.now.len();
        let row = &self.rows[span * n..][..n];
        run_again(row, cells, k - 1, &mut self.tile, width);
        let m = high - low;
        let [after, before] = &mut self.adjoints;
        let (mut after, mut before) = (&mut after[..m], &mut before[..m]);
        after.copy_from_slice(&self.now[low..high]);
        before[0] = 0.0;
        before[m - 1] = 0.0;
        for step in (0..k).rev() {
            let u = &self.tile[step * width..][..m];
            if from == 0 && n > 1 {
                ends[0] -= DT * after[1] * by_left(u[0], u[1]);
            }
            if to == n && n > 1 {
                ends[1] += DT * after[m - 2] * by_right(u[m - 2], u[m - 1]);
            }
            // What is right shrinks by one cell for each step run again and each step reversed.
            let lost = k + (k - step);
            let start = if low == 0 { 1 } else { lost.min(from - low) };
            let end = if high == n {
                m - 1
            } else {
                (m - lost).max(to - low)
            };
            if start < end {
                step_adjoint(
                    &u[start - 1..=end],
                    &after[start - 1..=end],
                    &mut before[start..end],
                );
            }
            std::mem::swap(&mut after, &mut before);
        }
        let out = &mut self.before[from..to];
        out.copy_from_slice(&after[from - low..to - low]);
        if from == 0 {
            out[0] = 0.0;
        }
        if to == n {
            out[to - from - 1] = 0.0;
        }
    }
}

/// `k` steps of a tile from row `from`; row `s` of the tile is the state after `s` steps.
fn run_again(from: &[f64], cells: &Cells, k: usize, tile: &mut [f64], width: usize) {
    let &Cells { low, high, .. } = cells;
    let m = high - low;
    tile[..m].copy_from_slice(&from[low..high]);
    for s in 1..=k {
        let (a, b) = tile.split_at_mut(s * width);
        let (a, b) = (&a[(s - 1) * width..][..m], &mut b[..m]);
        let (mut start, mut end) = (s, m.saturating_sub(s));
        if low == 0 {
            b[0] = a[0];
            start = 1;
        }
        if high == from.len() {
            b[m - 1] = a[m - 1];
            end = m - 1;
        }
        if start < end {
            step(&a[start - 1..=end], &mut b[start..end]);
        }
    }
}

/// A step of the cells of `b`; `a` has one more on each side.
fn step(a: &[f64], b: &mut [f64]) {
    let n = b.len();
    let (left, here, right) = (&a[..n], &a[1..][..n], &a[2..][..n]);
    for i in 0..n {
        let hr = 0.5 * (here[i] + right[i]);
        let hl = 0.5 * (left[i] + here[i]);
        b[i] = here[i] + DT * (hr * hr * (right[i] - here[i]) - hl * hl * (here[i] - left[i]));
    }
}

/// The adjoints before a step at state `u`; `u` and `after` have one cell more on each side.
fn step_adjoint(u: &[f64], after: &[f64], before: &mut [f64]) {
    let n = before.len();
    let (left, here, right) = (&u[..n], &u[1..][..n], &u[2..][..n]);
    let (dleft, dhere, dright) = (&after[..n], &after[1..][..n], &after[2..][..n]);
    for i in 0..n {
        let from_right = DT * (dhere[i] - dright[i]);
        let from_left = DT * (dleft[i] - dhere[i]);
        let sum = fma(from_right, by_left(here[i], right[i]), dhere[i]);
        before[i] = fma(from_left, by_right(left[i], here[i]), sum);
    }
}

/// The derivative of the flux `((l + r) / 2)² (r - l)` by `l`.
#[inline(always)]
fn by_left(l: f64, r: f64) -> f64 {
    let h = 0.5 * (l + r);
    h * ((r - l) - h)
}

/// And by `r`.
#[inline(always)]
fn by_right(l: f64, r: f64) -> f64 {
    let h = 0.5 * (l + r);
    h * ((r - l) + h)
}
