//! Loops whose iterations read what others have left outside of the loop, or what is read there later: they must not
//! run forward and in reverse at once.

use crate::{SIZES, check, twins};

twins! {
    /// The adjoint of its terms is known behind them.
    ///
    /// not applied `fuse`
    pub(crate) fn log_sum_exp(x: &[f64]) -> f64 {
        let mut largest = x[0];
        for i in 1..x.len() {
            if x[i] > largest {
                largest = x[i];
            }
        }
        let mut sum = 0.0;
        for i in 0..x.len() {
            sum += (x[i] - largest).exp();
        }
        largest + sum.ln()
    }

    /// By a reference that leads to it.
    ///
    /// not applied `fuse`
    pub(crate) fn by_reference(x: &[f64], y: &[f64]) -> f64 {
        let mut row = [0.3; 3];
        let mut total = 0.0;
        for i in 0..x.len() {
            let r = &mut row;
            r[0] = (x[i] * y[0]).sin();
            r[1] = r[0] * x[i];
            for j in 0..3 {
                total += row[j].exp();
            }
            row[2] = x[i] * 0.2;
        }
        total
    }

    /// The part that is written is shorter than the one that is read.
    ///
    /// not applied `fuse`
    pub(crate) fn parts(x: &[f64], y: &[f64]) -> f64 {
        let mut row = vec![0.3; 6];
        let mut total = 0.0;
        for i in 0..x.len() {
            row[..3].fill(x[i]);
            for v in row[3..].iter_mut() {
                *v = *v * 0.5 + x[i];
            }
            for (v, y) in row[1..5].iter_mut().zip(y) {
                *v = (x[i] * y).sin();
            }
            total += row.iter().map(|v| v.exp()).sum::<f64>();
        }
        total
    }

    /// Another array of the same struct is written.
    ///
    /// not applied `fuse`
    pub(crate) fn fields(x: &[f64], y: &[f64]) -> f64 {
        let mut pair = ([0.3_f64; 4], [0.4_f64; 4]);
        let mut total = 0.0;
        for i in 0..x.len() {
            for j in 0..4 {
                pair.0[j] = (x[i] * y[j]).sin();
            }
            for j in 0..4 {
                total += pair.1[j].exp() * pair.0[j];
                pair.1[j] = pair.1[j] * 0.5 + x[i];
            }
        }
        total
    }

    /// Each iteration adds to what those before have left.
    ///
    /// not applied `fuse`
    pub(crate) fn added_up(x: &[f64], y: &[f64]) -> f64 {
        let mut bins = vec![0.1; 4];
        let mut total = 0.0;
        for i in 0..x.len() {
            for j in 0..4 {
                bins[j] = bins[j] * 0.5 + (x[i] * y[j]).sin();
            }
            for j in 0..4 {
                total += bins[j].exp();
            }
        }
        total
    }

    /// The first element is what the iteration before has left there.
    ///
    /// not applied `fuse`
    pub(crate) fn all_but_the_first(x: &[f64], y: &[f64]) -> f64 {
        let mut row = vec![0.3; 5];
        let mut total = 0.0;
        for i in 0..x.len() {
            for j in 1..5 {
                row[j] = (x[i] * y[j]).sin();
            }
            for j in 0..5 {
                total += row[j].exp();
            }
            row[0] = x[i] * 0.1;
        }
        total
    }

    /// not applied `fuse`
    pub(crate) fn all_but_the_last(x: &[f64], y: &[f64]) -> f64 {
        let n = 5;
        let mut row = vec![0.3; n];
        let mut total = 0.0;
        for i in 0..x.len() {
            for j in 0..n - 1 {
                row[j] = (x[i] * y[j]).sin();
            }
            for j in 0..n {
                total += row[j].exp();
            }
            row[n - 1] = x[i] * 0.1;
        }
        total
    }

    /// not applied `fuse`
    pub(crate) fn every_other(x: &[f64], y: &[f64]) -> f64 {
        let mut row = vec![0.3; 6];
        let mut total = 0.0;
        for i in 0..x.len() {
            for j in (i % 2..6).step_by(2) {
                row[j] = (x[i] * y[j]).sin();
            }
            for j in 0..6 {
                total += row[j].exp();
            }
        }
        total
    }

    /// not applied `fuse`
    pub(crate) fn if_large(x: &[f64], y: &[f64]) -> f64 {
        let mut row = vec![0.3; 4];
        let mut total = 0.0;
        for i in 0..x.len() {
            for j in 0..4 {
                if x[i] * y[j] > 0.4 {
                    row[j] = (x[i] * y[j]).sin();
                }
            }
            for j in 0..4 {
                total += row[j].exp();
            }
        }
        total
    }

    /// Some iterations write nothing.
    ///
    /// not applied `fuse`
    pub(crate) fn none_at_times(x: &[f64], y: &[f64]) -> f64 {
        let mut row = vec![0.3; 4];
        let mut total = 0.0;
        for i in 0..x.len() {
            for j in 0..i % 4 {
                row[j] = (x[i] * y[j]).sin();
            }
            total += row[0].exp() + row[1].exp();
        }
        total
    }

    /// The element that is read is another one than the one that was written.
    ///
    /// not applied `fuse`
    pub(crate) fn another(x: &[f64], y: &[f64]) -> f64 {
        let mut row = vec![0.3; 8];
        let mut total = 0.0;
        for i in 0..x.len() {
            row[i % 8] = (x[i] * y[i % 4]).sin();
            total += row[(i + 1) % 8].exp();
        }
        total
    }

    /// It ends early, and then not all are written.
    ///
    /// not applied `fuse`
    pub(crate) fn left_early(x: &[f64], y: &[f64]) -> f64 {
        let mut row = vec![0.3; 5];
        let mut total = 0.0;
        for i in 0..x.len() {
            for j in 0..5 {
                if x[i] * y[j] > 0.9 {
                    break;
                }
                row[j] = (x[i] * y[j]).sin();
            }
            for j in 0..5 {
                total += row[j].exp();
            }
        }
        total
    }

    /// It is read behind the loop.
    ///
    /// not applied `fuse`
    pub(crate) fn read_behind(x: &[f64], y: &[f64]) -> f64 {
        let mut row = vec![0.3; 4];
        let mut total = 0.0;
        for i in 0..x.len() {
            for j in 0..4 {
                row[j] = (x[i] * y[j]).sin();
            }
            for j in 0..4 {
                total += row[j].exp();
            }
        }
        total + row[1] * row[2]
    }

    /// Only its elements of the last iteration are read behind the loop, in another loop.
    ///
    /// not applied `fuse`
    pub(crate) fn added_behind(x: &[f64], y: &[f64]) -> f64 {
        let mut row = vec![0.3; 4];
        let mut total = 0.0;
        for i in 0..x.len() {
            for j in 0..4 {
                row[j] = x[i] * y[j];
            }
            for j in 0..4 {
                total += row[j] * row[j];
            }
        }
        for j in 0..4 {
            total += row[j];
        }
        total
    }

    /// What the last iteration leaves counts for more.
    ///
    /// not applied `fuse`
    pub(crate) fn last_counts(x: &[f64], y: &[f64]) -> f64 {
        let mut last = 0.5;
        let mut total = 0.0;
        for i in 0..x.len() {
            last = x[i] * y[1];
            total += last + x[i].exp();
        }
        total + 2.0 * last
    }

    /// A number without derivative goes from iteration to iteration.
    ///
    /// not applied `fuse`
    pub(crate) fn counted(x: &[f64], y: &[f64]) -> f64 {
        let mut at = 0;
        let mut total = 0.0;
        for i in 0..x.len() {
            for j in 0..y.len() {
                if x[i] > y[j] {
                    at = (at * 3 + 1) % y.len();
                }
                total += (x[i] * y[at]).exp();
            }
        }
        total
    }

    /// Behind its declaration it becomes longer.
    ///
    /// not applied `fuse`
    pub(crate) fn longer(x: &[f64], y: &[f64]) -> f64 {
        let mut row = vec![0.3; 4];
        row.push(x[0]);
        let mut total = 0.0;
        for i in 0..x.len() {
            for j in 0..4 {
                row[j] = (x[i] * y[j]).sin();
            }
            for j in 0..row.len() {
                row[j] += x[i] * y[0];
            }
            for j in 0..row.len() {
                total += row[j].sin();
            }
        }
        total
    }

    /// The vector has another length in each iteration.
    ///
    /// not applied `fuse`
    pub(crate) fn grows(x: &[f64], y: &[f64]) -> f64 {
        let mut row = Vec::new();
        let mut total = 0.0;
        for i in 0..x.len() {
            row.clear();
            for j in 0..i % 4 + 1 {
                row.push((x[i] * y[j]).sin());
            }
            for j in 0..row.len() {
                total += row[j] * row[row.len() - 1 - j];
            }
        }
        total
    }

    /// Before it is replaced, the inner vector says how long the iteration before has made it.
    ///
    /// not applied `fuse`
    pub(crate) fn as_long_as_left(x: &[f64], y: &[f64]) -> f64 {
        let mut rows = vec![vec![1usize]; 2];
        let mut total = 0.0;
        for i in 0..x.len() {
            let mut t = x[i] * (rows[0].len() as f64 + 1.0) * 0.1;
            rows[0] = vec![i % y.len(); i % 7 + 2];
            for j in 0..rows[0].len() {
                t = (t * y[rows[0][j]]).sin() + t * 0.5;
            }
            total += t;
        }
        total
    }

    /// The same of a field, of which nothing but the length counts.
    ///
    /// not applied `fuse`
    pub(crate) fn field_as_long_as_left(x: &[f64], y: &[f64]) -> f64 {
        let mut pair = (vec![1usize], 2usize);
        let mut total = 0.0;
        for i in 0..x.len() {
            let mut t = x[i] * (pair.0.len() as f64 + 1.0) * 0.1;
            pair.0 = vec![i; i % 7 + 2];
            for j in 0..y.len() {
                t = (t * y[pair.0.len() * j % y.len()]).sin() + t * 0.5;
            }
            total += t;
        }
        total
    }

    /// The adjoint of the sum is known behind the loop only.
    ///
    /// not applied `fuse`
    pub(crate) fn squared(x: &[f64], y: &[f64]) -> f64 {
        let mut row = vec![0.0; 4];
        let mut total = 0.0;
        for i in 0..x.len() {
            for j in 0..4 {
                row[j] = (x[i] * y[j]).sin();
            }
            total += log_sum_exp(&row);
        }
        total * total
    }
}

#[test]
fn what_other_iterations_left_is_found() {
    for n in SIZES {
        check!(added_up, added_up_grad_into, added_up_adjoint, [n, 6]);
        check!(
            all_but_the_first,
            all_but_the_first_grad_into,
            all_but_the_first_adjoint,
            [n, 6]
        );
        check!(
            all_but_the_last,
            all_but_the_last_grad_into,
            all_but_the_last_adjoint,
            [n, 6]
        );
        check!(
            every_other,
            every_other_grad_into,
            every_other_adjoint,
            [n, 6]
        );
        check!(if_large, if_large_grad_into, if_large_adjoint, [n, 6]);
        check!(
            none_at_times,
            none_at_times_grad_into,
            none_at_times_adjoint,
            [n, 6]
        );
        check!(another, another_grad_into, another_adjoint, [n, 6]);
        check!(left_early, left_early_grad_into, left_early_adjoint, [n, 6]);
        check!(
            read_behind,
            read_behind_grad_into,
            read_behind_adjoint,
            [n, 6]
        );
        check!(
            added_behind,
            added_behind_grad_into,
            added_behind_adjoint,
            [n, 6]
        );
        check!(
            last_counts,
            last_counts_grad_into,
            last_counts_adjoint,
            [n, 6]
        );
        check!(counted, counted_grad_into, counted_adjoint, [n, 6]);
        check!(longer, longer_grad_into, longer_adjoint, [n.max(1), 6]);
        check!(grows, grows_grad_into, grows_adjoint, [n, 6]);
        check!(squared, squared_grad_into, squared_adjoint, [n, 6]);
        check!(
            as_long_as_left,
            as_long_as_left_grad_into,
            as_long_as_left_adjoint,
            [n, 6]
        );
        check!(
            field_as_long_as_left,
            field_as_long_as_left_grad_into,
            field_as_long_as_left_adjoint,
            [n, 6]
        );
    }
}
