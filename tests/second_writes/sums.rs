//! Sums that more is done with than adding to them once.

use super::{Gradient, Primal};

macro_rules! sums {
    (($x:ident $y:ident $c:ident $n:ident $i:ident $s:ident $t:ident) {$($one:tt)*} {$($more:tt)*}) => {
        pair! { ($x $y $c $n) super::super::same, {
            let mut $s = 0.0;
            let mut $t = 1.0;
            for $i in 0..$n {
                $($one)*
                $($more)*
            }
            $s * $s + $t * 0.5
        } }
    };
}

fn same(primal: Primal, on: Gradient, off: Gradient) {
    super::same(primal, on, off, |n| n);
}

cross! { sums (x y c n i s t)
    [
        product { s += x[i] * y[i]; }
        difference { s -= x[i] * c[i]; }
        root { s += (x[i] * x[i] + 1.0).sqrt() / (2.0 + y[i] * y[i]); }
        exponential { s += x[i].exp() * c[i]; }
        of_a_variable { let v = x[i] * y[i]; s += v * v; }
        under_a_condition { if c[i] > 0.2 { s += x[i]; } }
        written_out { s = s + x[i] * y[i]; }
    ]
    [
        nothing {  }
        another { s += y[i]; }
        the_same { s += x[i] * y[i]; }
        minus { s -= 0.5 * y[i]; }
        scaled { s *= 0.99; }
        assigned { s = s * 0.5 + y[i]; }
        overwritten { s = x[i]; }
        cleared { if c[i] > 0.8 { s = 0.0; } }
        read { t += s * 0.01; }
        in_a_condition { if s > 0.5 { t += x[i]; } }
        another_if { if c[i] > 0.0 { s += y[i]; } }
        either { if c[i] > 0.0 { s += y[i]; } else { s -= x[i]; } }
        exchanged { std::mem::swap(&mut s, &mut t); }
        first_element { s += x[0] * 0.1; }
        element_before { if i > 0 { s += x[i - 1]; } }
        carried { t = t * 0.9 + x[i]; }
        sum_of_the_carried { t = t * 0.9 + x[i]; s += t; }
        largest { s = s.max(y[i] * 3.0); }
        shadowed { let s = x[i]; t += s; }
        left_late { if s > 1e9 { break; } }
        left { if c[i] > 0.95 { break; } }
        continued { if c[i] > 0.5 { continue; } s += y[i]; }
        counter { s += i as f64 * y[i] * 0.01; }
        two_sums { t += x[i] * x[i]; s += y[i] * t; }
        sum_of_sums { t += s; }
        negated { s = -s; }
    ]
}

macro_rules! parts {
    (($x:ident $y:ident $c:ident $n:ident $i:ident $k:ident $s:ident $part:ident $flag:ident) {$($first:tt)*}
        {$($second:tt)*}) => {
        pair! { ($x $y $c $n) super::super::same_parts, {
            let mut $s = 0.1;
            let mut $k = 0;
            let mut $flag = false;
            for $i in 0..$n {
                $($first)*
                $($second)*
            }
            $s * $s + $k as f64 * $y[0] + if $flag { $y[1] } else { 0.0 }
        } }
    };
}

fn same_parts(primal: Primal, on: Gradient, off: Gradient) {
    super::same(primal, on, off, |n| n + 4);
}

// What an index, a part or a condition was made of, changed after that.
cross! { parts (x y c n i k s part flag)
    [
        of_a_part { let part = &x[k..k + 2]; }
        of_a_constant_part { let part = &x[i..i + 2]; }
        with_a_flag { let part = &x[i..i + 4]; flag = c[i] > 0.2; }
    ]
    [
        unchanged { s += part[0] * part[1]; }
        moved { k += 1; s += part[0] * part[1]; }
        moved_and_back { k += 1; s += part[0] * part[1]; if c[i] > 0.5 { k -= 1; } }
        moved_between { s += part[0]; k = i; s += part[1] * y[k]; k = i / 2; }
        flag_changed { if flag { s = part[0]; flag = false; } if flag { k = i; } }
        flag_read_again { if flag { k = i; } if flag { s = part[0] * y[i]; } }
        flag_changed_between { if flag { k = i; flag = c[i] > 0.6; } if flag { s = part[1] * 2.0; } }
        flag_of_the_sum { flag = s > 0.5; if flag { s = part[0]; } else { k += 1; k /= 2; } }
        chosen { let a = if flag { 0 } else { 1 }; s += part[a] * y[i]; flag = !flag; }
        length { for j in 0..part.len() { s += part[j] * 0.1; if j == 1 { k = j; } } }
        windows { for w in part.windows(2) { s += w[0] * w[1]; k = w.len(); } }
    ]
}
