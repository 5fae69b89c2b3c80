//! Who won is one byte per cell. The reverse sweep gathers: a cell asks itself and its neighbours in the row
//! below whether they came from it, without a branch.

use super::FAR;
use crate::kernel::refill;

#[derive(Default)]
pub(super) struct Best {
    winners: Vec<u8>,
    above: Vec<f64>,
    here: Vec<f64>,
}

impl Best {
    pub(super) fn run(&mut self, w: &[f64], rows: usize, cols: usize, dw: &mut [f64]) -> f64 {
        let (w, dw) = (&w[..rows * cols], &mut dw[..rows * cols]);
        let wide = cols + 2;
        let Self {
            winners,
            above,
            here,
        } = self;
        for row in [&mut *above, &mut *here] {
            row.resize(wide, FAR);
            row[0] = FAR;
            row[wide - 1] = FAR;
        }
        winners.resize(rows * wide, 0);
        above[1..=cols].copy_from_slice(&w[..cols]);
        for i in 1..rows {
            let winners = &mut winners[i * wide + 1..][..cols];
            descend(
                above,
                &w[i * cols..][..cols],
                &mut here[1..][..cols],
                winners,
            );
            std::mem::swap(above, here);
        }
        let mut f = 0.0;
        for cost in &above[1..][..cols] {
            f += cost;
        }

        // From here on the two rows hold adjoints.
        refill(here, wide, 0.0);
        refill(above, wide, 0.0);
        above[1..=cols].fill(1.0);
        for i in (1..rows).rev() {
            std::mem::swap(above, here);
            dw[i * cols..][..cols].copy_from_slice(&here[1..][..cols]);
            gather(here, &winners[i * wide..][..wide], &mut above[1..][..cols]);
        }
        dw[..cols].copy_from_slice(&above[1..][..cols]);
        f
    }
}

/// A row of costs from the one above, and 0, 1 or 2 where the way comes from above, the left or the right.
fn descend(above: &[f64], w: &[f64], here: &mut [f64], winners: &mut [u8]) {
    let n = here.len();
    let (left, middle, right) = (&above[..n], &above[1..][..n], &above[2..][..n]);
    let (w, winners) = (&w[..n], &mut winners[..n]);
    for j in 0..n {
        let (mut least, mut winner) = (middle[j], 0);
        if left[j] < least {
            (least, winner) = (left[j], 1);
        }
        if right[j] < least {
            (least, winner) = (right[j], 2);
        }
        here[j] = w[j] + least;
        winners[j] = winner;
    }
}

/// The adjoints of the row above. On each side both rows below have one cell more, with adjoint zero.
fn gather(below: &[f64], winners: &[u8], out: &mut [f64]) {
    let n = out.len();
    let (left, middle, right) = (&below[..n], &below[1..][..n], &below[2..][..n]);
    let (wleft, wmiddle, wright) = (&winners[..n], &winners[1..][..n], &winners[2..][..n]);
    for j in 0..n {
        let own = if wmiddle[j] == 0 { middle[j] } else { 0.0 };
        let from_right = if wright[j] == 1 { right[j] } else { 0.0 };
        let from_left = if wleft[j] == 2 { left[j] } else { 0.0 };
        out[j] = own + from_right + from_left;
    }
}
