//! Time loops: rows that take turns, and states that go through a matrix.

use super::{Gradient, Primal};

/// `$one` is what an element of the next row is; then what is done in front of the rows, beside each element, and
/// behind.
macro_rules! steps {
    (($x:ident $y:ident $c:ident $n:ident $i:ident $t:ident $a:ident $b:ident $s:ident) {$($one:tt)*} {{$($before:tt)*}
        {$($inside:tt)*} {$($behind:tt)*}}) => {
        pair! { ($x $y $c $n) super::super::same, {
            let mut $a = $x.to_vec();
            let mut $b = vec![0.0; $n + 2];
            let mut $s = 0.0;
            for $t in 0..11 {
                $($before)*
                for $i in 0..$n {
                    $b[$i + 1] = $($one)*;
                    $($inside)*
                }
                $($behind)*
            }
            for m in 0..$n + 2 {
                $s += $a[m] * $a[m] + $b[m] * 0.1;
            }
            $s
        } }
    };
}

/// A state that goes through a matrix in each step.
macro_rules! states {
    (($x:ident $y:ident $c:ident $n:ident $i:ident $j:ident $t:ident $h:ident $g:ident $s:ident $v:ident $e:ident)
        {$($one:tt)*} {{$($before:tt)*} {$($inside:tt)*} {$($behind:tt)*}}) => {
        pair! { ($x $y $c $n) super::super::same_states, {
            let mut $h = $y[..$n].to_vec();
            let mut $g = vec![0.0; $n];
            let mut $v = $x.to_vec();
            let mut $s = 0.0;
            for $t in 0..7 {
                for $i in 0..$n {
                    let mut $e = $y[$i] * 0.5;
                    for $j in 0..$n {
                        $e += $v[$i * $n + $j] * $h[$j];
                        $($before)*
                    }
                    $g[$i] = $($one)*;
                    $($inside)*
                }
                $($behind)*
            }
            for m in 0..$n {
                $s += $h[m] * $h[m] + $g[m] * 0.1;
            }
            $s
        } }
    };
}

fn same_states(primal: Primal, on: Gradient, off: Gradient) {
    super::same_at(&[0, 1, 3, 7, 8, 17], primal, on, off, |n| n * n);
}

fn same(primal: Primal, on: Gradient, off: Gradient) {
    super::same(primal, on, off, |n| n + 2);
}

cross! { steps (x y c n i t a b s)
    [
        diffusion { a[i] * 0.25 + a[i + 1] * 0.5 + a[i + 2] * 0.25 }
        reaction { a[i + 1] + 0.1 * a[i] * a[i + 2] }
        with_a_source { a[i + 1] * 0.9 + y[i] * 0.1 }
        damped { a[i + 1] / (1.0 + a[i] * a[i]) }
    ]
    [
        exchanged { {} {} { std::mem::swap(&mut a, &mut b); } }
        copied { {} {} { a.copy_from_slice(&b); } }
        nothing { {} {} {} }
        exchanged_twice { {} {} { std::mem::swap(&mut a, &mut b); std::mem::swap(&mut a, &mut b); } }
        exchanged_if { {} {} { if t % 3 != 1 { std::mem::swap(&mut a, &mut b); } } }
        added_to { {} { b[i + 1] += y[i] * 0.1; } { std::mem::swap(&mut a, &mut b); } }
        scaled { {} { b[i + 1] *= 0.9; } { std::mem::swap(&mut a, &mut b); } }
        set_again { {} { b[i + 1] = b[i + 1] * y[i]; } { std::mem::swap(&mut a, &mut b); } }
        next_set { {} { b[i + 2] = y[i]; } { std::mem::swap(&mut a, &mut b); } }
        one_before_added_to { {} { b[i] += y[i] * 0.1; } { std::mem::swap(&mut a, &mut b); } }
        one_before_read { {} { b[i + 1] += b[i] * 0.1; } { std::mem::swap(&mut a, &mut b); } }
        old_row_written { {} { a[i + 1] *= 0.9; } { std::mem::swap(&mut a, &mut b); } }
        old_row_written_behind { {} { a[i] = y[i]; } { std::mem::swap(&mut a, &mut b); } }
        ends_in_front { { b[0] = a[0]; b[n + 1] = a[n + 1]; } {} { std::mem::swap(&mut a, &mut b); } }
        ends_behind { {} {} { b[0] = a[1]; b[n + 1] = a[n] * 0.5; std::mem::swap(&mut a, &mut b); } }
        ends_of_the_old { { a[0] = y[0]; } {} { std::mem::swap(&mut a, &mut b); } }
        ends_after_it { {} {} { std::mem::swap(&mut a, &mut b); a[0] = b[1]; } }
        ends_added_to { {} {} { b[0] += a[0] * 0.5; std::mem::swap(&mut a, &mut b); } }
        summed_inside { {} { s += b[i + 1] * 0.1; } { std::mem::swap(&mut a, &mut b); } }
        summed_behind { {} {} { s += b[1] * a[1]; std::mem::swap(&mut a, &mut b); } }
        sum_in_the_row { { s += a[0]; b[0] = s * 0.1; } {} { std::mem::swap(&mut a, &mut b); } }
        step_number { {} { b[i + 1] += t as f64 * 0.01 * y[i]; } { std::mem::swap(&mut a, &mut b); } }
        some_elements { {} { if c[i] > 0.0 { b[i + 1] += 0.1; } } { std::mem::swap(&mut a, &mut b); } }
        kept_elements { {} { if c[i] > 0.0 { b[i + 1] = a[i + 1]; } } { std::mem::swap(&mut a, &mut b); } }
        left { {} {} { std::mem::swap(&mut a, &mut b); if t > 5 && a[0] > -9.0 { break; } } }
        another_loop { {} {} { for m in 0..n { b[m + 1] *= 0.95; } std::mem::swap(&mut a, &mut b); } }
        another_row { {} {} { for m in 0..n { a[m + 1] += b[m + 1] * 0.1; } } }
        filled { { b.fill(0.1); } {} { std::mem::swap(&mut a, &mut b); } }
        new_row { { b = vec![0.2; n + 2]; } {} { std::mem::swap(&mut a, &mut b); } }
    ]
}

cross! { states (x y c n i j t h g s v e)
    [
        tanh { e.tanh() }
        linear { e * 0.5 }
        bounded { e / (1.0 + e * e) }
    ]
    [
        copied { {} {} { h.copy_from_slice(&g); } }
        exchanged { {} {} { std::mem::swap(&mut h, &mut g); } }
        one_by_one { {} {} { for m in 0..n { h[m] = g[m]; } } }
        sum_again { { e += h[j] * 0.1; } {} { h.copy_from_slice(&g); } }
        sum_scaled { { e *= 0.98; } {} { h.copy_from_slice(&g); } }
        sum_read { { s += e * 0.01; } {} { h.copy_from_slice(&g); } }
        sum_limited { { if e > 1.0 { e -= 0.5; } } {} { h.copy_from_slice(&g); } }
        state_changed_inside { { h[j] *= 0.99; } {} { h.copy_from_slice(&g); } }
        matrix_changed_inside { { v[i * n + j] *= 0.99; } {} { h.copy_from_slice(&g); } }
        matrix_changed_behind { {} {} { if n > 0 { v[0] += 0.1; } h.copy_from_slice(&g); } }
        matrix_row_changed { {} { v[i * n] = g[i] * 0.1; } { h.copy_from_slice(&g); } }
        output_again { {} { g[i] *= y[i]; } { h.copy_from_slice(&g); } }
        output_added { {} { g[i] += h[i]; } { h.copy_from_slice(&g); } }
        state_in_place { {} { h[i] = g[i]; } {} }
        state_added_in_place { {} { h[i] += g[i] * 0.1; } {} }
        next_output { {} { if i + 1 < n { g[i + 1] = 0.3; } } { h.copy_from_slice(&g); } }
        summed { {} { s += g[i] * y[i]; } { h.copy_from_slice(&g); } }
        summed_behind { {} {} { for m in 0..n { s += g[m] * h[m]; } h.copy_from_slice(&g); } }
        left { {} {} { h.copy_from_slice(&g); if t == 4 { break; } } }
        kept { {} { if c[i] > 0.3 { g[i] = h[i]; } } { h.copy_from_slice(&g); } }
        twice { {} {} { for m in 0..n { h[m] = g[m] * 0.5; h[m] += g[m] * y[m]; } } }
        transposed { {} {} { for m in 0..n { for k in 0..n { h[k] += v[m * n + k] * g[m] * 0.01; } } } }
    ]
}
