//! Elements that are taken in groups of three, and written again.

use super::{Gradient, Primal};

macro_rules! groups {
    (($x:ident $y:ident $c:ident $n:ident $i:ident $z:ident $w:ident) {$($one:tt)*} {$($more:tt)*}) => {
        pair! { ($x $y $c $n) super::super::same, {
            let mut $z = vec![0.5; 3 * $n];
            let mut $w = $x.to_vec();
            for $i in 0..$n {
                $($one)*
                $($more)*
            }
            let mut s = 0.0;
            for k in 0..3 * $n {
                s += $z[k] * $z[k] * (1.0 + $y[k]) + $w[k] * $w[k];
            }
            s
        } }
    };
}

fn same(primal: Primal, on: Gradient, off: Gradient) {
    super::same(primal, on, off, |n| 3 * n);
}

cross! { groups (x y c n i z w)
    [
        set { z[3 * i] = x[3 * i] * y[3 * i + 1]; z[3 * i + 1] = x[3 * i + 2]; z[3 * i + 2] = y[3 * i]; }
        added { z[3 * i] += x[3 * i] * y[3 * i + 1]; z[3 * i + 1] -= x[3 * i + 2] * x[3 * i]; }
        under_a_name { let k = 3 * i; z[k] = x[k] * y[k + 2]; z[k + 2] = (1.0 + x[k] * x[k]).sqrt(); }
    ]
    [
        nothing {  }
        set_again { z[3 * i] = y[3 * i + 2]; }
        added_to { z[3 * i] += y[3 * i + 2]; }
        added_the_same { z[3 * i] += x[3 * i] * y[3 * i + 1]; }
        halved { z[3 * i + 1] *= 0.5; }
        squared { z[3 * i] = z[3 * i] * z[3 * i]; }
        read { w[3 * i] = z[3 * i + 1]; }
        copy_written { w[3 * i + 1] = w[3 * i] * 0.5; }
        next_group { if i + 1 < n { z[3 * i + 3] = y[3 * i]; } }
        group_before { if i > 0 { z[3 * i - 1] += y[3 * i]; } }
        in_twos { z[2 * i] += y[3 * i]; }
        one_by_one { z[i] += y[3 * i]; }
        first { z[0] += x[3 * i] * 0.1; }
        exchanged { z.swap(3 * i, 3 * i + 2); }
        arrays_exchanged { std::mem::swap(&mut z, &mut w); }
        cleared_if { if c[i] > 0.3 { z[3 * i] = 0.0; } }
        of_a_part { let part = &mut z[3 * i..3 * i + 3]; part[1] = part[0] * part[2]; }
        left { if c[i] > 0.97 { break; } }
    ]
}
