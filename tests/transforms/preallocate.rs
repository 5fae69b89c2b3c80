//! Lists that loops fill: collected, pushed to, in nests, backwards, with elements that are there before, and with
//! reads of those; and lists that stay as they are.

use crate::support::{assert_close, differences};
use crate::twins::{agree, both, numbers, twins};

twins! {
    /// applied `preallocate`, `reslice`
    pub(super) fn collected(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let squares: Vec<f64> = x.iter().map(|v| v * v + m as f64).collect();
        squares.iter().zip(y).map(|(a, b)| a * b * a).sum::<f64>() + n as f64
    }

    /// applied `preallocate`, `reslice`
    pub(super) fn zipped(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let products = x.iter().zip(&y[m..]).map(|(a, b)| a * b).collect::<Vec<f64>>();
        products.iter().map(|p| p.sin()).sum::<f64>() + products.len() as f64 * n as f64
    }

    /// applied `preallocate`
    pub(super) fn from_elsewhere(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut list = Vec::new();
        for i in m..n {
            list.push(x[i] * y[i]);
        }
        let mut s = list.len() as f64;
        for i in 0..list.len() {
            s += list[i] * list[i] * x[i];
        }
        s
    }

    /// applied `preallocate`
    pub(super) fn with_the_last(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut list = Vec::with_capacity(n + 2);
        for i in 0..=n {
            list.push(x[i].sin());
        }
        for i in m..=n {
            list.push(y[0] * x[i]);
        }
        list.iter().enumerate().map(|(k, v)| v * v * k as f64).sum()
    }

    /// applied `preallocate`
    pub(super) fn downwards(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let list: Vec<f64> = (m..n).rev().map(|i| x[i] * y[0]).collect();
        let other: Vec<f64> = (0..=n).rev().map(|i| x[i] * x[i]).collect();
        list.iter().zip(&other).map(|(a, b)| a * b).sum()
    }

    /// applied `preallocate`
    pub(super) fn in_a_nest(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut list = vec![];
        for i in 0..n {
            let scaled = x[i] * 0.5;
            for j in 1..=m {
                for k in 0..2 {
                    list.push(scaled * y[j] + y[k]);
                }
            }
        }
        let mut s = 0.0;
        for i in 0..list.len() {
            s += list[i] * list[i] * (i as f64 + 1.0);
        }
        s
    }

    /// Where there is no iteration, the inner range ends at the last word.
    ///
    /// applied `preallocate`
    pub(super) fn up_to_the_last(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let last = n.wrapping_sub(1);
        let mut list = vec![y[0]];
        for i in 0..n {
            for j in 0..=last {
                list.push(x[i] * x[j]);
            }
            for j in m..=last {
                list.push(x[i] + x[j]);
            }
        }
        let mut other = vec![y[0]];
        for i in 0..n {
            for j in m..=last {
                other.push(x[i] + x[j]);
            }
        }
        let mut third = vec![];
        for i in 0..n {
            for j in 0..=last {
                third.push(x[i] - 0.5 * x[j]);
            }
        }
        list.iter().chain(&other).chain(&third).enumerate().map(|(k, v)| v * v * k as f64).sum()
    }

    /// applied `preallocate`
    pub(super) fn of_pairs(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let list: Vec<f64> = (0..n).flat_map(|i| (0..m).map(move |j| x[i] * y[j])).collect();
        list.iter().enumerate().map(|(at, v)| v * v * at as f64).sum()
    }

    /// applied `preallocate`
    pub(super) fn trajectory(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut states = vec![y[0], y[1]];
        for i in 0..n {
            let next = states[i + 1] * x[i] + 0.25 * states[i].cos();
            states.push(next);
        }
        states.push(x[m]);
        states.iter().map(|v| v * v).sum::<f64>() * states[n]
    }

    /// applied `preallocate`
    pub(super) fn after_the_last(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut sums = Vec::new();
        sums.push(0.5 * y[0]);
        for i in 0..n {
            let last = *sums.last().unwrap();
            sums.push(last * 0.75 + x[i] * last);
        }
        sums[m.min(n)] * sums[n] + sums[sums.len() - 1]
    }

    /// applied `preallocate`
    pub(super) fn by_its_length(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut sums = vec![y[0].abs()];
        let mut total = 0.0;
        for i in 0..n {
            let at = sums.len() - 1;
            let grown = sums[at] + x[i] * x[i];
            sums.push(grown);
            total += sums[sums.len() - 1] * sums.len() as f64;
        }
        total + sums.iter().map(|s| s.sqrt()).sum::<f64>() * m as f64
    }

    /// applied `preallocate`
    pub(super) fn read_behind_the_push(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut sums = vec![y[0]];
        let mut s = 0.0;
        for i in 0..n {
            sums.push(sums[i] * x[i] + 0.5);
            s += sums[sums.len() - 1] * sums[i];
            for j in 0..m {
                s += sums[i + 1] * y[j];
            }
        }
        s
    }

    /// Each iteration has a list of its own, which is changed behind.
    ///
    /// applied `preallocate`
    pub(super) fn in_a_loop(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut s = 0.0;
        for i in 0..n {
            let mut row: Vec<f64> = y.iter().map(|v| v * x[i]).collect();
            row.truncate(m);
            row.push(s);
            for v in &mut row {
                *v *= *v;
            }
            s = row.iter().sum::<f64>() * 0.125;
        }
        s
    }

    /// applied `preallocate`
    pub(super) fn two_at_once(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let (mut above, mut below) = (Vec::new(), vec![x[0]]);
        for i in m..n {
            above.push(x[i] * y[i]);
            below.push(x[i] - y[i]);
        }
        above.iter().zip(&below).map(|(a, b)| a * b * b).sum()
    }

    /// applied `preallocate`, `reslice`
    pub(super) fn neighbours(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut above = vec![];
        let mut below = vec![];
        let mut both = Vec::with_capacity(4);
        for i in 0..n {
            above.push(x[i] * y[i]);
            below.push(above[i] * y[m]);
            both.push(above[i] + x[i]);
        }
        above.iter().zip(&below).zip(&both).map(|((a, b), c)| a * b * c).sum()
    }

    /// An allocation that fails in the function fails in its gradient.
    ///
    /// not applied `preallocate`
    pub(super) fn absurd_capacity(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut list = Vec::with_capacity(2305843009213693952);
        for i in 0..n {
            list.push(x[i] * y[m]);
        }
        list.iter().sum()
    }

    /// applied `forward_order`
    pub(super) fn returned(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let list = products(&x[..n], y);
        list.iter().map(|v| v * v).sum::<f64>() * m as f64
    }

    /// not applied `preallocate`
    pub(super) fn some(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut list = vec![];
        for i in 0..n {
            if y[i] > 0.0 {
                list.push(x[i]);
            }
        }
        list.iter().map(|v| v * v).sum::<f64>() * m as f64
    }

    /// not applied `preallocate`
    pub(super) fn left_early(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut list = vec![];
        for i in 0..n {
            if y[i] > 0.9 {
                break;
            }
            list.push(x[i]);
        }
        list.iter().map(|v| v * v).sum::<f64>() * list.len() as f64
    }

    /// applied `preallocate`
    pub(super) fn twice(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut list = vec![];
        for i in 0..n {
            list.push(x[i]);
            list.push(y[i]);
        }
        list.iter().enumerate().map(|(k, v)| v * v * k as f64).sum()
    }

    /// applied `preallocate`
    pub(super) fn twice_in_a_nest(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut list = vec![y[0]];
        for i in 0..n {
            for j in 0..m {
                let before = list[list.len() - 1];
                list.push(x[i] * y[j] - 0.5 * before);
                list.push(list[list.len() - 2] + list[list.len() - 1]);
            }
        }
        list.iter().enumerate().map(|(k, v)| v * v * k as f64).sum()
    }

    /// The first elements are a literal, and what follows is pushed.
    ///
    /// not applied `preallocate`
    pub(super) fn chained(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let some = x.iter().copied().filter(|v| *v > 0.0);
        let list: Vec<f64> = [y[0], 2.0 * y[0]].into_iter().chain(some).collect();
        list.iter().enumerate().map(|(k, v)| v * v * (n + m + k) as f64).sum()
    }

    /// not applied `preallocate`
    pub(super) fn ragged_inside(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut list = vec![];
        for i in 0..n {
            let width = i % 3;
            for j in 0..m {
                for k in 0..width {
                    list.push(x[i] * y[j] + y[k]);
                }
            }
        }
        list.iter().enumerate().map(|(k, v)| v * v * k as f64).sum()
    }

    /// Behind one `push` the second element of the iteration is not there yet.
    ///
    /// not applied `preallocate`
    pub(super) fn between_two(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut list = vec![];
        for i in 0..n {
            list.push(x[i]);
            if i < m {
                list.push(list[2 * i + 1] * y[0]);
            }
        }
        list.iter().sum()
    }

    /// not applied `preallocate`
    pub(super) fn too_soon_by_one(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut list = vec![];
        for i in 0..n {
            list.push(x[i]);
            list.push(y[i] + list[2 * i + 1]);
        }
        list.iter().sum::<f64>() * m as f64
    }

    /// not applied `preallocate`
    pub(super) fn triangle(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut list = vec![];
        for i in 0..n {
            for j in 0..i {
                list.push(x[i] * y[j]);
            }
        }
        list.iter().enumerate().map(|(k, v)| v * v * k as f64).sum()
    }

    /// not applied `preallocate`
    pub(super) fn in_strides(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut list = vec![];
        for i in (0..n).step_by(2) {
            list.push(x[i] * x[i]);
        }
        list.iter().enumerate().map(|(k, v)| v * v * k as f64).sum()
    }

    /// What is read is not there yet at first, and then the function panics.
    ///
    /// not applied `preallocate`
    pub(super) fn read_too_soon(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut list = vec![];
        let mut s = 0.0;
        for i in 0..n {
            if i >= m {
                s += list[n - 1 - i] * x[i];
            }
            list.push(y[i]);
        }
        s
    }

    /// not applied `preallocate`
    pub(super) fn summed_meanwhile(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut list = vec![y[0]];
        for i in 0..n {
            let sum: f64 = list.iter().sum();
            list.push(sum * x[i] * 0.5);
        }
        list[n]
    }

    /// not applied `preallocate`
    pub(super) fn asked_in_kept_code(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut list = vec![y[0]];
        for i in 0..n {
            assert!(list.len().count_ones() < 60, "{}", list.len());
            list.push(x[i] * y[0]);
        }
        list[n] * list[m.min(n)]
    }

    /// The allocation that it asks for may be too large, where its elements are not.
    ///
    /// not applied `preallocate`
    pub(super) fn other_capacity(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut list = Vec::with_capacity(m);
        for i in 0..n {
            list.push(x[i] * y[0]);
        }
        list.iter().enumerate().map(|(k, v)| v * v * k as f64).sum()
    }

    /// The capacity is a panic where there are no iterations.
    ///
    /// not applied `preallocate`
    pub(super) fn capacity_below_zero(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut list = Vec::with_capacity(n - 1);
        for i in 1..n {
            list.push(x[i] * y[0]);
        }
        list.iter().enumerate().map(|(k, v)| v * v * k as f64).sum()
    }

    /// not applied `preallocate`
    pub(super) fn emptied_meanwhile(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut list = vec![];
        let mut s = 0.0;
        for i in 0..n {
            list.push(x[i] * y[0]);
            s += list.iter().sum::<f64>() * y[i];
            if i % 3 == m {
                list.clear();
            }
        }
        s
    }
}

#[retrograde::gradient]
fn products(x: &[f64], y: &[f64]) -> Vec<f64> {
    x.iter().zip(y).map(|(a, b)| a * b).collect()
}

macro_rules! compared {
    ($($f:ident $g:ident)*) => { $(
        #[test]
        fn $f() {
            for n in [0, 1, 2, 3, 7, 17, 40, 130] {
                for m in [0, 1, 2, 5] {
                    let (x, y) = (numbers(n + 6, 3), numbers(n + m + 3, 5));
                    both!($f, $g, (&x, &y, n, m));
                    // Too short, so that an index panics.
                    both!($f, $g, (&x[..n / 2], &y, n, m));
                    both!($f, $g, (&x, &y[..m], n, m));
                }
            }
            let (n, m) = (5, 2);
            let mut all = numbers(21, 7);
            all[11] = 3.0;
            let (_, (dx, dy)) = on::$g(&all[..11], &all[11..], n, m);
            let want = differences(|p| on::$f(&p[..11], &p[11..], n, m), &all);
            assert_close(&[dx, dy].concat(), &want, 1e-6, &[]);
        }
    )* };
}

compared! {
    collected collected_grad
    zipped zipped_grad
    from_elsewhere from_elsewhere_grad
    with_the_last with_the_last_grad
    downwards downwards_grad
    in_a_nest in_a_nest_grad
    up_to_the_last up_to_the_last_grad
    of_pairs of_pairs_grad
    trajectory trajectory_grad
    after_the_last after_the_last_grad
    by_its_length by_its_length_grad
    read_behind_the_push read_behind_the_push_grad
    in_a_loop in_a_loop_grad
    two_at_once two_at_once_grad
    neighbours neighbours_grad
    returned returned_grad
    some some_grad
    left_early left_early_grad
    twice twice_grad
    twice_in_a_nest twice_in_a_nest_grad
    triangle triangle_grad
    ragged_inside ragged_inside_grad
    chained chained_grad
    in_strides in_strides_grad
    summed_meanwhile summed_meanwhile_grad
    asked_in_kept_code asked_in_kept_code_grad
    other_capacity other_capacity_grad
    capacity_below_zero capacity_below_zero_grad
    emptied_meanwhile emptied_meanwhile_grad
}

#[test]
fn absurd_capacity() {
    let (x, y) = (numbers(3, 3), numbers(3, 5));
    both!(absurd_capacity, absurd_capacity_grad, (&x, &y, 1, 0));
}

#[test]
fn too_soon_by_one() {
    for n in [0, 1, 3] {
        let (x, y) = (numbers(n, 3), numbers(n, 5));
        both!(between_two, between_two_grad, (&x, &y, n, 0));
        both!(between_two, between_two_grad, (&x, &y, n, 1));
        both!(too_soon_by_one, too_soon_by_one_grad, (&x, &y, n, 1));
    }
}

#[test]
fn read_too_soon() {
    for n in [0, 1, 2, 3, 7, 17] {
        for m in 0..=n {
            let (x, y) = (numbers(n, 3), numbers(n, 5));
            both!(read_too_soon, read_too_soon_grad, (&x, &y, n, m));
        }
    }
}
