//! Elements that an iteration writes, and writes again.

use super::{Gradient, Primal};

macro_rules! elements {
    (($x:ident $y:ident $c:ident $n:ident $i:ident $z:ident $w:ident) {$($one:tt)*} {$($more:tt)*}) => {
        pair! { ($x $y $c $n) super::super::same, {
            let mut $z = vec![0.5; $n + 2];
            let mut $w = $x.to_vec();
            for $i in 0..$n {
                $($one)*
                $($more)*
            }
            let mut s = 0.0;
            for k in 0..$n + 2 {
                s += $z[k] * $z[k] * (1.0 + $y[k]) + $w[k] * $w[k];
            }
            s
        } }
    };
}

fn same(primal: Primal, on: Gradient, off: Gradient) {
    super::same(primal, on, off, |n| n + 2);
}

cross! { elements (x y c n i z w)
    [
        set { z[i] = x[i] * y[i]; }
        added { z[i] += x[i] * y[i]; }
        under_a_condition { if c[i] > 0.0 { z[i] = x[i]; } }
        of_neighbours { z[i] = y[i] * (x[i] - 2.0 * x[i + 1] + x[i + 2]); }
        in_place { w[i] = w[i] * y[i] + 0.1; }
        kept_and_used { let v = (x[i] * y[i]).tanh(); z[i] = v; w[i] += v * v; }
        of_springs { let d = x[i + 1] - x[i]; let l = (d * d + 1.0).sqrt(); z[i] += (l - 1.0) / l * d;
            z[i + 1] -= (l - 1.0) / l * d; }
    ]
    [
        nothing {  }
        set_again { z[i] = x[i] + 0.5; }
        added_to { z[i] += y[i]; }
        added_the_same { z[i] += x[i] * y[i]; }
        minus { z[i] -= 0.5 * x[i]; }
        halved { z[i] *= 0.5; }
        squared { z[i] = z[i] * z[i]; }
        read { w[i] = z[i] * 2.0; }
        next_read { w[i] = z[i + 1] * 2.0; }
        next_set { z[i + 1] = y[i]; }
        next_added_to { z[i + 1] += y[i]; }
        one_before_added_to { if i > 0 { z[i - 1] += y[i]; } }
        one_before_read { if i > 0 { w[i] = z[i - 1]; } }
        first_added_to { z[0] += x[i]; }
        first_in_other_words { z[0] += x[i] * 0.1; z[0x0] += z[0_usize] * 0.01; }
        last_set { z[n] = x[i]; }
        exchanged { z.swap(i, i + 1); }
        arrays_exchanged { std::mem::swap(&mut z, &mut w); }
        filled { if i == 3 { z.fill(0.25); } }
        of_what_was_set { w[i] = x[i]; z[i] += w[i]; }
        cleared { z[i] = 0.0; }
        cleared_if { if c[i] > 0.3 { z[i] = 0.0; } }
        set_if_large { if z[i] > 0.4 { z[i] = y[i]; } }
        summed { w[0] += z[i] * 0.1; }
        from_the_end { z[n - 1 - i] += x[i]; }
        in_halves { z[i / 2] += y[i] * 0.1; }
        left { if c[i] > 0.97 { break; } }
        continued { if c[i] > 0.3 { continue; } z[i] += y[i]; }
        shadowed { let z = x[i]; w[i] += z; }
        copy_read { w[i + 1] = w[i] * 0.5; }
        copy_set_behind { w[i + 2] = z[i]; }
        of_a_part { let part = &z[i..i + 2]; w[i] = part[0] * part[1]; }
        part_written { let part = &mut z[i..i + 2]; part[1] = part[0] * 0.5; }
    ]
}
