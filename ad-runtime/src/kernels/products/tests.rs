use super::*;
use crate::float::sealed::Arithmetic;
use crate::kernels::column_panels::Corners;
use crate::kernels::index::Ix;

/// Rows that begin `stride` elements after one another, from `first` on.
fn rows_of(
    of: &mut [f64],
    (first, stride): (usize, usize),
    n: usize,
    columns: usize,
) -> Option<MatrixMut<'_, f64>> {
    let start = |row: usize| first + row * stride;
    let corners = Corners {
        starts: [start(0), start(usize::from(n > 1)), start(n - 1)].map(Ix::of),
        ends: [start(0) + columns - 1, start(n - 1) + columns - 1].map(Ix::of),
    };
    MatrixMut::of(of, corners, n, columns)
}

fn number(k: usize) -> f64 {
    (k * 7919 % 1009) as f64 / 97.0 - 5.0
}

/// Steps of products, kept and added as they come.
struct Both {
    products: Products<f64, true>,
    kept: Vec<f64>,
    plain: Vec<f64>,
    steps: usize,
}

impl Both {
    fn new(len: usize) -> Self {
        let start: Vec<f64> = (0..len).map(number).collect();
        Both {
            products: Products::new(),
            kept: start.clone(),
            plain: start,
            steps: 0,
        }
    }

    /// A product that goes to such rows; whether it was wanted.
    fn step(&mut self, (first, stride): (usize, usize), n: usize, columns: usize) -> bool {
        self.steps += 1;
        let s: Vec<f64> = (0..n).map(|r| number(self.steps * 31 + r)).collect();
        let x: Vec<f64> = (0..columns).map(|c| number(self.steps * 17 + c)).collect();
        let add = |to: &mut [f64]| {
            for (r, s) in s.iter().enumerate() {
                for (to, x) in to[first + r * stride..].iter_mut().zip(&x) {
                    *to = mul_add(*s, *x, *to);
                }
            }
        };
        add(&mut self.plain);
        let rows = rows_of(&mut self.kept, (first, stride), n, columns);
        let wanted = self.products.wants(rows, true);
        if wanted {
            self.products.begin(&mut self.kept, |c| x[c]);
            let half = s.split_at(n / 2);
            self.products.rows(half.0);
            self.products.rows(half.1);
        } else {
            add(&mut self.kept);
        }
        wanted
    }

    /// The sums are the same, to the bit if no two products met in different rows.
    fn agree(mut self, to_the_bit: bool) {
        self.products.add(&mut self.kept);
        let close = |(a, b): (&f64, &f64)| match to_the_bit {
            true => a.to_bits() == b.to_bits(),
            false => (a - b).abs() <= 1e-12 * b.abs().max(100.0),
        };
        assert!(self.kept.iter().zip(&self.plain).all(close));
    }
}

#[test]
fn products_of_all_sizes_are_added_in_their_order() {
    for n in [16, 17, 31, 64, 65, 66, 67] {
        for columns in [128, 129, 135, 143, 144, 145, 160] {
            for steps in [0, 1, 2, 3, 4, KEPT + 1, KEPT + 2, KEPT + 3, 2 * KEPT + 3] {
                let mut both = Both::new(n * columns);
                for k in 0..steps {
                    assert_eq!(both.step((0, columns), n, columns), k >= FIRST);
                }
                both.agree(true);
            }
        }
    }
}

#[test]
fn rows_may_have_elements_between_them() {
    let mut both = Both::new(3 + 70 * 64);
    for _ in 0..5 {
        both.step((3, 70), 64, 40);
    }
    both.agree(true);
}

#[test]
fn small_matrices_and_first_products_are_not_kept() {
    let mut both = Both::new(128 * 128);
    for k in 0..4 {
        assert_eq!(both.step((0, 128), 128, 128), k >= FIRST);
    }
    for _ in 0..4 {
        assert!(!both.step((0, 16), (WORTH_ALONE - 1) / 16, 16));
        assert!(!both.step((0, PANEL - 1), 2048, PANEL - 1));
    }
    both.agree(false);
}

#[test]
fn products_for_other_rows_are_kept_apart() {
    let mut both = Both::new(2 * 64 * 64 + 8);
    for first in [0, 0, 0, 0, 8, 8, 8, 64 * 64, 64 * 64, 64 * 64, 0, 0, 0] {
        both.step((first, 64), 64, 64);
    }
    both.agree(false);
    let mut both = Both::new(2 * 64 * 64);
    for n in [64, 64, 64, 65, 66, 66, 66, 66, 64, 64, 64] {
        both.step((0, 64), n, 64);
    }
    both.agree(false);
}

#[test]
fn what_is_skipped_stays_as_it_is() {
    let (n, columns) = (300, 2 * PANEL + 1);
    let mut to = vec![1.0; n * columns];
    let mut products = Products::<f64, true>::new();
    for k in 0..=FIRST {
        let rows = rows_of(&mut to, (0, columns), n, columns);
        assert_eq!(products.wants(rows, true), k == FIRST);
    }
    products.begin(&mut to, |c| if c < PANEL { f64::NAN } else { 1.0 });
    products.rows(&vec![2.0; n]);
    products.add(&mut to);
    for row in to.chunks(columns) {
        assert!(row[..PANEL].iter().all(|x| x.is_nan()));
        assert!(row[PANEL..].iter().all(|x| *x == 3.0));
    }
}

#[test]
#[should_panic(expected = "a factor for each row")]
fn a_factor_for_each_row() {
    let mut to = vec![0.0; 64 * 64];
    let mut products = Products::<f64, false>::new();
    for _ in 0..=FIRST {
        let rows = rows_of(&mut to, (0, 64), 64, 64);
        if products.wants(rows, true) {
            products.begin(&mut to, |_| 1.0);
            products.rows(&[1.0; 63]);
        }
    }
    products.add(&mut to);
}

#[test]
#[should_panic(expected = "an array keeps its length")]
fn an_array_keeps_its_length() {
    let mut to = vec![0.0; 64 * 64];
    let mut products = Products::<f64, false>::new();
    for _ in 0..=FIRST {
        let rows = rows_of(&mut to, (0, 64), 64, 64);
        if products.wants(rows, true) {
            products.begin(&mut to, |_| 1.0);
            products.rows(&[1.0; 64]);
        }
    }
    products.add(&mut to[1..]);
}

#[test]
fn without_rows_nothing_is_wanted() {
    let mut products = Products::<f64, false>::new();
    for _ in 0..3 {
        assert!(!products.wants(None, true));
    }
    products.add(&mut [0.0; 4]);
}

/// Buffers that were kept are as good as new ones, and those of large matrices are not kept.
#[test]
fn buffers_are_used_again() {
    let held = || f64::with_spare(|spare| spare.products.clone());
    for _ in 0..2 {
        for (n, columns) in [(64, 64), (100, 33), (64, 64)] {
            let mut both = Both::new(n * columns);
            for _ in 0..4 {
                both.step((0, columns), n, columns);
            }
            both.agree(true);
            assert_eq!(held().len(), 1);
        }
    }
    let (n, columns) = (spare::LARGEST / KEPT + 1, PANEL);
    let mut both = Both::new(n * columns);
    for _ in 0..=FIRST {
        both.step((0, columns), n, columns);
    }
    both.agree(true);
    let small = |buffer: &Vec<f64>| buffer.capacity() <= spare::LARGEST;
    assert!(held().iter().flatten().all(small));
}

/// Nothing of one matrix is left in the buffers that the next one gets, in this thread or another.
#[test]
fn threads_share_the_buffers_of_larger_matrices() {
    let (n, columns) = (1200, 1000);
    let all = std::sync::Barrier::new(3);
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                for _ in 0..2 {
                    let mut both = Both::new(n * columns);
                    let kept = (0..5).filter(|_| both.step((0, columns), n, columns));
                    assert_eq!(kept.count(), 3);
                    all.wait();
                    both.agree(true);
                }
                assert!(f64::with_spare(|spare| spare.products.is_empty()));
            });
        }
    });
    let shared = f64::with_shared(|shared| shared.len());
    assert!((1..=3).contains(&shared), "{shared}");
}
