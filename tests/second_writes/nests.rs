//! Loops over the rows and columns of a matrix.

use super::{Gradient, Primal};

/// What is done in front of the inner loop, in it and behind it, beside `$one`, in a matrix of `$rows` and `$columns`.
macro_rules! nest {
    (($($rows:tt)*) ($($columns:tt)*) ($x:ident $y:ident $c:ident $n:ident $r:ident $k:ident $i:ident $j:ident $s:ident
        $z:ident $w:ident $h:ident) {$($one:tt)*} {{$($before:tt)*} {$($inside:tt)*} {$($behind:tt)*}}) => {
        pair! { ($x $y $c $n) super::super::super::same, {
            let ($r, $k) = ($($rows)*, $($columns)*);
            let mut $z = vec![0.5; $r.max($k)];
            let mut $w = vec![0.25; $r * $k];
            let mut $h = $y[..$r.max($k).min($y.len())].to_vec();
            for $i in 0..$r {
                let mut $s = 0.125;
                $($before)*
                for $j in 0..$k {
                    $($one)*
                    $($inside)*
                }
                $($behind)*
                $z[$i] += $s * 0.5;
            }
            let mut total = 0.0;
            for m in 0..$z.len() {
                total += $z[m] * $z[m];
            }
            for m in 0..$w.len() {
                total += $w[m] * $w[m] * (0.5 + $x[m]);
            }
            for m in 0..$h.len() {
                total += $h[m];
            }
            total
        } }
    };
}

macro_rules! nests {
    (($n:ident $($names:ident)*) $one:tt $parts:tt) => {
        mod high { nest! { ($n) (6) ($($names)*) $one $parts } }
        mod wide { nest! { (6) ($n) ($($names)*) $one $parts } }
    };
}

fn same(primal: Primal, on: Gradient, off: Gradient) {
    super::same(primal, on, off, |n| 6 * n.max(1));
}

cross! { nests (n x y c n r k i j s z w h)
    [
        of_rows { s += x[i * k + j] * h[j]; }
        of_columns { z[j] += x[i * k + j] * h[i]; }
        outer_product { w[i * k + j] += h[i] * h[j]; }
        of_differences { let d = x[i * k + j] - h[j]; s += d * d; }
    ]
    [
        nothing { {} {} {} }
        sum_again { {} { s += h[j]; } {} }
        sum_scaled { {} { s *= 0.99; } {} }
        sum_read { {} { z[i] += s * 0.01; } {} }
        sum_behind { {} {} { s *= 2.0; } }
        element_again { {} {} { z[i] *= s; } }
        element_inside { {} { z[i] += h[j]; } {} }
        column_again { {} { z[j] *= 0.9; } {} }
        matrix_set { {} { w[i * k + j] = s; } {} }
        matrix_again { {} { w[i * k + j] *= h[i]; } {} }
        vector_inside { {} { h[j] += 0.01; } {} }
        counter { {} { s += j as f64 * 0.01 * h[j]; } {} }
        conditional { {} { if c[j] > 0.3 { s += h[j]; } } {} }
        inner_left { {} { if c[j] > 0.9 { break; } } {} }
        outer_left { {} {} { if c[i] > 0.9 { break; } } }
        continued { {} { if c[j] > 0.5 { continue; } s += h[j]; } {} }
        shadowed { {} { let s = h[j]; z[i] += s; } {} }
        second_sum { {} {} { for j in 0..k { s += w[i * k + j] * h[j]; } } }
        sum_exchanged { {} {} { std::mem::swap(&mut s, &mut z[i]); } }
    ]
}
