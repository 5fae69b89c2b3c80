//! Rows and columns: indices made of the counters of two loops.

macro_rules! nests {
    (($x:ident $w:ident $n:ident $m:ident $p:ident $base:ident $i:ident $j:ident) $($name:ident [$($outer:tt)*] {
        $($first:tt)* } [$($inner:tt)*] { $($then:tt)* } { $($index:tt)* })*) => {
        triplets! { $(
            $name($x, $w, $n, $m, $p, $base) {
                let mut a = $x.to_vec();
                for $i in $($outer)* {
                    $($first)*
                    for $j in $($inner)* {
                        $($then)*
                        let k = $($index)*;
                        let t = a[k];
                        a[k] = t * $w + $x[$i % 7 + $j % 5];
                    }
                }
                let mut s = $w;
                for v in 0..a.len() {
                    s += a[v] * $x[v];
                }
                s
            }
        )* }
    };
}

mod all {
    nests! { (x w n m p base i j)
        rows [0..n] {  } [0..m] {  } { m * i + j }
        rows_of_p [0..n] {  } [0..m] {  } { p * i + j }
        rows_minus [0..n] {  } [0..m] {  } { p * i + j - base }
        rows_plus [0..n] {  } [0..m] {  } { base + p * i + j }
        rows_back [0..n] {  } [0..m] {  } { base + 18446744073709551615usize * i + j }
        rows_saturating [0..n] {  } [0..m] {  } { p.saturating_mul(i) % 24 + j }
        rows_wrapping [0..n] {  } [0..m] {  } { p.wrapping_mul(i) % 24 + j }
        rows_narrow [0..n] {  } [0..m] {  } { (p * i) as u8 as usize % 24 + j }
        rows_signed [0..n] {  } [0..m] {  } { ((m * i) as isize + j as isize - base as isize).unsigned_abs() % 48 }
        columns [0..n] {  } [0..m] {  } { n * j + i }
        columns_of_p [0..n] {  } [0..m] {  } { p * j + i }
        mixed [0..n] {  } [0..m] {  } { m * i + j * p }
        product [0..n] {  } [0..m] {  } { p * i * m + j }
        saturating_add [0..n] {  } [0..m] {  } { (m * i).saturating_add(j).saturating_add(p) - base }
    }
}

mod under_a_condition {
    nests! { (x w n m p base i j)
        rows [0..n] { if i == 1 { continue; } } [0..m] {  } { m * i + j }
        rows_of_p [0..n] { if i == 1 { continue; } } [0..m] {  } { p * i + j }
        rows_minus [0..n] { if i == 1 { continue; } } [0..m] {  } { p * i + j - base }
        rows_plus [0..n] { if i == 1 { continue; } } [0..m] {  } { base + p * i + j }
        rows_back [0..n] { if i == 1 { continue; } } [0..m] {  } { base + 18446744073709551615usize * i + j }
        columns [0..n] { if i == 1 { continue; } } [0..m] {  } { n * j + i }
        product [0..n] { if i == 1 { continue; } } [0..m] {  } { p * i * m + j }
    }
}

mod every_other {
    nests! { (x w n m p base i j)
        rows [(0..n).step_by(2)] {  } [0..m] {  } { m * i + j }
        rows_of_p [(0..n).step_by(2)] {  } [0..m] {  } { p * i + j }
        rows_minus [(0..n).step_by(2)] {  } [0..m] {  } { p * i + j - base }
        rows_plus [(0..n).step_by(2)] {  } [0..m] {  } { base + p * i + j }
        rows_back [(0..n).step_by(2)] {  } [0..m] {  } { base + 18446744073709551615usize * i + j }
        columns [(0..n).step_by(2)] {  } [0..m] {  } { n * j + i }
        product [(0..n).step_by(2)] {  } [0..m] {  } { p * i * m + j }
    }
}

mod of_products {
    nests! { (x w n m p base i j)
        rows [0..n] { let i = i * (base | 1); } [0..m] {  } { m * i + j }
        rows_of_p [0..n] { let i = i * (base | 1); } [0..m] {  } { p * i + j }
        rows_minus [0..n] { let i = i * (base | 1); } [0..m] {  } { p * i + j - base }
        rows_plus [0..n] { let i = i * (base | 1); } [0..m] {  } { base + p * i + j }
        rows_back [0..n] { let i = i * (base | 1); } [0..m] {  } { base + 18446744073709551615usize * i + j }
        columns [0..n] { let i = i * (base | 1); } [0..m] {  } { n * j + i }
        product [0..n] { let i = i * (base | 1); } [0..m] {  } { p * i * m + j }
    }
}

mod by_a_stride {
    nests! { (x w n m p base i j)
        rows [(0..p.saturating_mul(3)).step_by(p.max(1))] {  } [0..m] {  } { m * i + j }
        rows_of_p [(0..p.saturating_mul(3)).step_by(p.max(1))] {  } [0..m] {  } { p * i + j }
        rows_minus [(0..p.saturating_mul(3)).step_by(p.max(1))] {  } [0..m] {  } { p * i + j - base }
        columns [(0..p.saturating_mul(3)).step_by(p.max(1))] {  } [0..m] {  } { n * j + i }
    }
}

mod as_far_as_p {
    nests! { (x w n m p base i j)
        rows_of_p [0..n] {  } [0..p.min(m)] {  } { p * i + j }
        rows_minus [0..n] {  } [0..p.min(m)] {  } { p * i + j - base }
        rows_plus [0..n] {  } [0..p.min(m)] {  } { base + p * i + j }
    }
}

mod from_near_p {
    nests! { (x w n m p base i j)
        rows_of_p [0..n] {  } [p.saturating_sub(2)..p] {  } { p * i + j }
        rows_minus [0..n] {  } [p.saturating_sub(2)..p] {  } { p * i + j - base }
        rows_plus [0..n] {  } [p.saturating_sub(2)..p] {  } { base + p * i + j }
    }
}

mod left_early {
    nests! { (x w n m p base i j)
        rows_of_p [0..n] {  } [0..p] { if j >= m { break; } } { p * i + j }
        rows_minus [0..n] {  } [0..p] { if j >= m { break; } } { p * i + j - base }
        rows_plus [0..n] {  } [0..p] { if j >= m { break; } } { base + p * i + j }
    }
}

mod triangles {
    nests! { (x w n m p base i j)
        upper_triangle [0..n] { } [i..n] { } { n * i + j }
        strict_upper_triangle [1..n] { } [i + 1..n] { } { n * i + j }
        far_upper_triangle [p..n] { } [i..n] { } { n * i + j - base }
        triangle_of_p [0..n] { } [i..p.min(6)] { } { p * i + j }
        lower_triangle [0..n] { } [0..i] { } { n * i + j }
    }
}
