//! Windows over the rows of an image: three loops, of which two may change places.

use super::{Gradient, Primal};

/// `$one` is what is done at each place of a row, for each element of the window; then what is done in front of the
/// row, beside it, and behind.
macro_rules! windows {
    (($x:ident $y:ident $c:ident $n:ident $m:ident $a:ident $b:ident $i:ident $z:ident $w:ident $s:ident) {$($one:tt)*}
        {{$($before:tt)*} {$($inside:tt)*} {$($behind:tt)*}}) => {
        pair! { ($x $y $c $n) super::super::same, {
            let $m = $n + 4;
            let mut $z = vec![0.5; $n];
            let mut $w = $x.to_vec();
            let mut $s = 0.0;
            for $a in 0..5 {
                for $b in 0..5 {
                    $($before)*
                    for $i in 0..$n {
                        $($one)*
                        $($inside)*
                    }
                    $($behind)*
                }
            }
            for k in 0..$n {
                $s += $z[k] * $z[k];
            }
            for k in 0..$w.len() {
                $s += $w[k] * 0.1;
            }
            $s
        } }
    };
}

fn same(primal: Primal, on: Gradient, off: Gradient) {
    super::same(primal, on, off, |n| 5 * (n + 4));
}

cross! { windows (x y c n m a b i z w s)
    [
        of_the_argument { z[i] += y[a * 5 + b] * x[a * m + b + i]; }
        of_a_copy { z[i] += y[a * 5 + b] * w[a * m + b + i]; }
        of_squares { let v = x[a * m + b + i]; z[i] += y[a * 5 + b] * v * v; }
        into_the_image { w[a * m + b + i] += y[a * 5 + b] * x[i]; }
    ]
    [
        nothing { {} {} {} }
        added_again { {} { z[i] += x[i]; } {} }
        scaled { {} { z[i] *= 0.9; } {} }
        set { {} { if a == 1 { z[i] = x[i]; } } {} }
        summed { {} { s += z[i] * 0.1; } {} }
        summed_behind { {} {} { s += y[a] * y[b]; } }
        image_changed { {} { w[a * m + b + i] *= 0.9; } {} }
        image_changed_in_front { { w[a] += 0.1; } {} {} }
        image_changed_behind { {} {} { w[b] = y[a]; } }
        factor { { let f = y[a] * y[b]; s += f; } {} {} }
        conditional { {} { if c[i] > 0.0 { z[i] += x[i + b]; } } {} }
        left { {} {} { if a == 1 { break; } } }
        row_set { {} {} { for k in 0..n { z[k] *= 0.5; } } }
        next { {} { if i > 0 { z[i - 1] += x[i]; } } {} }
    ]
}
