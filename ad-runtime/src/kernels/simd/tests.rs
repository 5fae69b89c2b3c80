use super::*;
use crate::rules as plain_rules;

/// Each operation, beside that of the numbers one by one.
macro_rules! of_each_type {
    ($test:ident $simd:ty: $number:ident) => {
        #[test]
        fn $test() {
            const N: usize = <$simd>::LANES;
            let special: [$number; 16] = [
                $number::INFINITY,
                -0.0,
                0.0,
                $number::MIN_POSITIVE / 4.0,
                $number::MAX,
                0.1,
                -3.0,
                $number::NAN,
                2.0,
                7.5e-3,
                -1.0,
                $number::NEG_INFINITY,
                1e-30,
                0.0,
                5.0,
                -0.0,
            ];
            let one_by_one = |wide: $simd, what: &str, f: &dyn Fn(usize) -> $number| {
                let mut found: [$number; N] = [9.0; N];
                wide.store(&mut found);
                for (k, found) in found.into_iter().enumerate() {
                    let same = found.to_bits() == f(k).to_bits();
                    assert!(
                        same || found.is_nan() && f(k).is_nan(),
                        "{what}: {found} for {}",
                        f(k)
                    );
                }
            };
            for (i, j) in (0..=16 - N).flat_map(|i| (0..=16 - N).map(move |j| (i, j))) {
                let (x, y, z) = (&special[i..], &special[j..], &special[(i + j) % (17 - N)..]);
                let (a, b, c) = (
                    load::<$simd>(&special, i),
                    <$simd>::load(y),
                    <$simd>::load(z),
                );
                one_by_one(a + b, "+", &|k| x[k] + y[k]);
                one_by_one(a - b, "-", &|k| x[k] - y[k]);
                one_by_one(a * b, "*", &|k| x[k] * y[k]);
                one_by_one(a / b, "/", &|k| x[k] / y[k]);
                one_by_one(-a, "neg", &|k| -x[k]);
                one_by_one(a.root(), "root", &|k| x[k].sqrt());
                one_by_one(a.magnitude(), "abs", &|k| x[k].abs());
                one_by_one(<$simd>::splat(x[0]), "splat", &|_| x[0]);
                one_by_one(mul_add(a, b, c), "mul_add", &|k| {
                    crate::float::mul_add(x[k], y[k], z[k])
                });
                one_by_one(number(a), "number", &|k| x[k]);
                one_by_one(div_lhs(a, b), "div_lhs", &|k| {
                    plain_rules::div_lhs(x[k], y[k])
                });
                one_by_one(div_rhs(a, b, c), "div_rhs", &|k| {
                    plain_rules::div_rhs(x[k], y[k], z[k])
                });
                one_by_one(inverse(a), "inverse", &|k| plain_rules::inverse(x[k]));
                one_by_one(div_lhs_by(a, b), "div_lhs_by", &|k| {
                    plain_rules::div_lhs_by(x[k], y[k])
                });
                one_by_one(div_rhs_by(a, b, c), "div_rhs_by", &|k| {
                    plain_rules::div_rhs_by(x[k], y[k], z[k])
                });
                one_by_one(recip(a, b), "recip", &|k| plain_rules::recip(x[k], y[k]));
                one_by_one(sqrt(a, b), "sqrt", &|k| plain_rules::sqrt(x[k], y[k]));
                one_by_one(sqrt_by(a, b), "sqrt_by", &|k| {
                    plain_rules::sqrt_by(x[k], y[k])
                });
                one_by_one(sqrt_times(a, b), "sqrt_times", &|k| {
                    plain_rules::sqrt_times(x[k], y[k])
                });
            }
            for by in 0..=N {
                let (before, here) = (
                    load::<$simd>(&special, 0),
                    <$simd>::load(&special[16 - N..]),
                );
                one_by_one(here.behind(before, by), "behind", &|k| {
                    if k < by {
                        special[N - by + k]
                    } else {
                        special[16 - N + k - by]
                    }
                });
            }
            let numbers: [$number; 20] = std::array::from_fn(|k| k as $number);
            assert_eq!(
                load::<$simd>(&numbers, 3).total(),
                numbers[3..3 + N].iter().sum()
            );
            for at in 0..=20 - N {
                let (mut sum, mut difference, mut stored) = (numbers, numbers, numbers);
                add(cells(&mut sum), at, load::<$simd>(&numbers, 0));
                sub(cells(&mut difference), at, load::<$simd>(&numbers, 0));
                store(&mut stored, at, <$simd>::splat(-1.0));
                for k in 0..20 {
                    let inside = (at..at + N).contains(&k);
                    let value = if inside { (k - at) as $number } else { 0.0 };
                    assert_eq!(sum[k], numbers[k] + value);
                    assert_eq!(difference[k], numbers[k] - value);
                    assert_eq!(stored[k], if inside { -1.0 } else { numbers[k] });
                }
            }
        }
    };
}

of_each_type!(longest_doubles <f64 as Element>::Longest: f64);
of_each_type!(longest_singles <f32 as Element>::Longest: f32);
of_each_type!(half_as_many_doubles <f64 as Element>::Half: f64);
of_each_type!(half_as_many_singles <f32 as Element>::Half: f32);
of_each_type!(one_double f64: f64);
of_each_type!(one_single f32: f32);
of_each_type!(doubles_in_arrays plain::F64x2: f64);
of_each_type!(singles_in_arrays plain::F32x4: f32);

#[test]
#[should_panic(expected = "out of range")]
fn nothing_is_read_behind_the_end() {
    let _ = load::<<f64 as Element>::Longest>(&[0.0; 5], 4);
}

#[test]
#[should_panic(expected = "out of range")]
fn nothing_is_written_behind_the_end() {
    store(&mut [0.0; 5], 4, <f64 as Element>::Longest::splat(1.0));
}

#[test]
#[should_panic(expected = "out of range")]
fn nothing_is_added_to_behind_the_end() {
    add(
        cells(&mut [0.0; 5]),
        4,
        <f64 as Element>::Longest::splat(1.0),
    );
}

#[test]
fn a_block_goes_on_while_there_are_iterations() {
    type Longest = <f64 as Element>::Longest;
    for n in 0..20 {
        for done in 0..=n {
            assert_eq!(goes_on::<Longest>(done, n), done + Longest::LANES <= n);
        }
    }
}

#[test]
#[should_panic(expected = "iterations that a loop has")]
fn no_more_is_done_than_there_is() {
    let _ = goes_on::<f64>(3, 2);
}
