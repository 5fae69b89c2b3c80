//! Each iteration overwrites an element that it reads.

macro_rules! updates {
    (($x:ident $w:ident $n:ident $m:ident $p:ident $base:ident $i:ident) $($name:ident { $($index:tt)* })*) => {
        triplets! { $(
            $name($x, $w, $n, $m, $p, $base) {
                let mut a = $x.to_vec();
                for $i in 0..$n {
                    let k = $($index)*;
                    let t = a[k];
                    a[k] = t * $w + $x[$i + $m];
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

indices! { updates }
