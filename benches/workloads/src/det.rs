//! A determinant by expansion into minors. GradBench's `det`.

use crate::workload::Workload;
use retrograde::gradient;
use retrograde_kernels::Kernel;
use retrograde_kernels::numbers::Numbers;

/// The determinant of the rows from `row` on and of the columns whose bits are set.
#[gradient]
pub fn minor(a: &[f64], n: usize, row: usize, columns: usize) -> f64 {
    if row == n {
        return 1.0;
    }
    let mut sum = 0.0;
    let mut sign = 1.0;
    for c in 0..n {
        if columns & (1 << c) != 0 {
            sum += sign * a[row * n + c] * minor(a, n, row + 1, columns & !(1 << c));
            sign = -sign;
        }
    }
    sum
}

/// The determinant of `n` rows.
#[gradient]
pub fn det(a: &[f64], n: usize) -> f64 {
    minor(a, n, 0, (1 << n) - 1)
}

/// The minors are kept in the order in which they are computed, and read back from the end.
#[derive(Default)]
struct Best {
    minors: Vec<f64>,
}

impl Best {
    fn forward(&mut self, a: &[f64], n: usize, row: usize, columns: usize) -> f64 {
        let (mut sum, mut sign, mut left) = (0.0, 1.0, columns);
        while left != 0 {
            let c = left.trailing_zeros() as usize;
            left &= left - 1;
            // Nothing is below the last row.
            let below = match row + 1 == n {
                true => 1.0,
                false => self.forward(a, n, row + 1, columns & !(1 << c)),
            };
            sum += sign * a[row * n + c] * below;
            sign = -sign;
        }
        self.minors.push(sum);
        sum
    }

    fn reverse(
        &mut self,
        a: &[f64],
        n: usize,
        row: usize,
        columns: usize,
        bar: f64,
        da: &mut [f64],
    ) {
        self.minors.pop();
        let mut left = columns;
        let mut sign = if columns.count_ones().is_multiple_of(2) {
            -bar
        } else {
            bar
        };
        while left != 0 {
            let c = left.ilog2() as usize;
            left &= !(1 << c);
            if row + 1 == n {
                da[row * n + c] += sign;
            } else {
                let below = self.minors[self.minors.len() - 1];
                da[row * n + c] += sign * below;
                let bar = sign * a[row * n + c];
                self.reverse(a, n, row + 1, columns & !(1 << c), bar, da);
            }
            sign = -sign;
        }
    }
}

/// The minors of all calls but those without rows.
fn minors(n: usize) -> usize {
    let mut calls = 1;
    let mut all = 0;
    for row in 0..n {
        all += calls;
        calls *= n - row;
    }
    all
}

/// A matrix of `n` rows.
pub fn kernel(n: usize) -> Kernel {
    let a = Numbers::new().vec(n * n, -1.0, 1.0);
    let mut best = Best::default();
    Workload::new(
        "det",
        &[n * n],
        a,
        move |a| det(a, n),
        move |a, tape, buffers| det_grad_into(tape, a, &mut buffers[0], n),
    )
    .by_hand(8 * minors(n), move |a, buffers| {
        let (all, da) = ((1 << n) - 1, &mut buffers[0]);
        da.fill(0.0);
        best.minors.clear();
        let value = best.forward(a, n, 0, all);
        best.reverse(a, n, 0, all, 1.0, da);
        value
    })
    .twin("det", move |a, c| c(&[a], &[], &[n]))
    .kernel()
}
