//! A value is stored in an array where later iterations may store another, and read at once.

macro_rules! stores {
    (($x:ident $w:ident $n:ident $m:ident $p:ident $base:ident $i:ident) $($name:ident { $($index:tt)* })*) => {
        triplets! { $(
            $name($x, $w, $n, $m, $p, $base) {
                let mut h = $x.to_vec();
                let mut s = $w;
                for $i in 0..$n {
                    let k = $($index)*;
                    let v = ($x[$i + $m] * $w).sin();
                    h[k] = v;
                    s += v * v * h[$i];
                }
                s * h[1]
            }
        )* }
    };
}

indices! { stores }
