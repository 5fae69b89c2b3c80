//! Loops that look for the largest or the smallest element.

use super::{Gradient, Primal, SIZES};
use crate::twins::{agree, numbers};

/// What the loop does where `$when` holds, and all that it leaves behind in the value.
macro_rules! searches {
    (($x:ident $y:ident $c:ident $n:ident $i:ident $m:ident $at:ident $w:ident $k:ident) {$($when:tt)*}
        {$($found:tt)*}) => {
        pair! { ($x $y $c $n) super::super::same, {
            let mut $m = 0.1;
            let mut $at = 0;
            let mut $w = 0.25;
            let mut $k = 1;
            for $i in 0..$n {
                if $($when)* { $($found)* }
            }
            if $n == 0 {
                return $m + $w;
            }
            $x[$at.min($n - 1)] * $m + $y[$k.min($n - 1)] * $w
        } }
    };
}

fn same(primal: Primal, on: Gradient, off: Gradient) {
    super::same(primal, on, off, |n| n);
    // Few different numbers, most of them equal to others; both zeros, and what is no number.
    let values = [0.5, -0.0, 0.0, f64::NAN, 2.0, -1.0, f64::INFINITY, 0.1];
    for n in SIZES {
        for (kinds, step) in [(1, 1), (3, 2), (5, 3), (8, 5), (8, 7)] {
            let c: Vec<f64> = (0..n).map(|i| values[(i * step + n) % kinds]).collect();
            let (x, y) = (numbers(n, 4), numbers(n, 5));
            agree(
                || primal(&x, &y, &c, n),
                || on(&x, &y, &c, n),
                || off(&x, &y, &c, n),
            );
        }
    }
}

cross! { searches (x y c n i m at w k)
    [
        greater { c[i] > m }
        greater_or_equal { c[i] >= m }
        less { c[i] < m }
        less_or_equal { c[i] <= m }
        the_other_way { m < c[i] }
        of_what_is_active { x[i] > m }
        and_another_place { c[i] > m && i != at }
        with_the_best { c[i] > m + w * 0.5 }
        named { { let better = c[i] > m; better } }
    ]
    [
        one_write { m = c[i]; at = i; }
        a_second_write { m = c[i]; at = i; m = 0.5; }
        another_write_first { m = 0.5; m = c[i]; at = i; }
        the_same_twice { m = c[i]; m = c[i]; at = i; }
        added_to { m = c[i]; at = i; m += 0.125; }
        scaled { m = c[i]; m *= 0.5; at = i; }
        the_old_best { w = m; m = c[i]; at = i; }
        the_new_best { m = c[i]; w = m; at = i; }
        exchanged { let old = m; m = c[i]; w = old; at = i; }
        two_places { m = c[i]; at = i; k = at; }
        two_places_and_the_old { k = at; at = i; m = c[i]; }
        place_first { at = i; m = c[i]; }
        next_place { m = c[i]; at = i + 1; }
        counted { m = c[i]; at = i; k += 1; }
        summed { m = c[i]; w += 0.5; at = i; }
        written_again_if { m = c[i]; if i % 2 == 0 { m = 0.3; } at = i; }
        written_if { if c[i] < 0.9 { m = c[i]; at = i; } }
        first_element { m = c[i]; w = c[0]; at = i; }
        next_element { m = c[i]; w = c[(i + 1).min(n - 1)]; at = i; }
        another_array { m = x[i]; at = i; }
        place_twice { m = c[i]; at = i; at = 2; }
        as_a_product { m = c[i] * 1.0; at = i; }
        place_as_a_number { m = c[i]; at = i; w = i as f64; }
        another_element { m = c[i]; w = y[i]; at = i; }
        more_of_it { m = c[i]; w = y[i] * y[i] + x[i]; at = i; }
        larger_of_both { m = c[i].max(m); at = i; }
        shadowed { let m = c[i]; w = m; at = i; }
        left { m = c[i]; at = i; if i > 20 { break; } }
    ]
}

/// What the condition says, read where it holds.
mod flagged {
    mod inside {
        pair! { (x y c n) super::super::same, {
            let mut m = 0.1;
            let mut at = 0;
            for i in 0..n {
                let better = c[i] > m;
                if better {
                    m = c[i];
                    at = i * usize::from(better) + better as usize;
                }
            }
            if n == 0 {
                return m;
            }
            x[at.min(n - 1)] * m + y[0]
        } }
    }
    mod as_a_number {
        pair! { (x y c n) super::super::same, {
            let mut m = 0.1;
            let mut w = 0;
            for i in 0..n {
                let better = c[i] > m;
                if better {
                    m = c[i];
                    w = better as usize;
                }
            }
            if n == 0 {
                return m;
            }
            x[w.min(n - 1)] * m + y[0]
        } }
    }
    mod behind {
        pair! { (x y c n) super::super::same, {
            let mut m = 0.1;
            let mut found = false;
            for i in 0..n {
                let better = c[i] > m;
                if better {
                    m = c[i];
                    found = better;
                }
            }
            if n == 0 || !found {
                return m;
            }
            x[0] * m + y[0]
        } }
    }
}
