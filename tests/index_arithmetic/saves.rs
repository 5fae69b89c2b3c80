//! Elements at a fixed distance from the counter are overwritten: their old values are saved in one copy.

macro_rules! saves {
    (($x:ident $w:ident $n:ident $m:ident $p:ident $base:ident $i:ident) $($name:ident { $($index:tt)* })*) => {
        triplets! { $(
            $name($x, $w, $n, $m, $p, $base) {
                let mut a = $x.to_vec();
                let mut s = $w;
                for v in 0..a.len() {
                    s += a[v] * a[v];
                }
                for $i in $m..$m + $n {
                    a[$($index)*] = $x[$i] * $w;
                }
                for v in 0..a.len() {
                    s += a[v] * a[v] * a[v];
                }
                s
            }
        )* }
    };
}

mod near {
    indices! { saves }
}

mod terms {
    saves! { (x w n m p base i)
        three_terms { i + p - base + m - m }
        minus_first { i - base + p }
    }
}

mod steps {
    triplets! {
       leaps(x, w, n, m, p, base) {
           let mut a = x.to_vec();
           let mut s = w;
           for v in 0..a.len() {
               s += a[v] * a[v];
           }
           for i in (0..usize::MAX).step_by(p.max(crate::LEAP)) {
               a[i + 12] = x[m] * w;
           }
           for v in 0..a.len() {
               s += a[v] * a[v] * a[v];
           }
           s
       }
       leaps_in_place(x, w, n, m, p, base) {
           let mut a = x.to_vec();
           let mut s = w;
           for v in 0..a.len() {
               s += a[v] * a[v];
           }
           for i in (0..usize::MAX).step_by(p.max(crate::LEAP)) {
               let t = a[i + 12];
    a[i + 12] = t * w + x[m];
           }
           for v in 0..a.len() {
               s += a[v] * a[v] * a[v];
           }
           s
       }
       leaps_of_two(x, w, n, m, p, base) {
           let mut a = x.to_vec();
           let mut s = w;
           for v in 0..a.len() {
               s += a[v] * a[v];
           }
           for i in (0..usize::MAX).step_by(p.max(crate::LEAP)) {
               let t = a[2 * i + 3];
    a[2 * i + 3] = t * w + x[m];
           }
           for v in 0..a.len() {
               s += a[v] * a[v] * a[v];
           }
           s
       }
       leaps_of_rows(x, w, n, m, p, base) {
           let mut a = x.to_vec();
           let mut s = w;
           for v in 0..a.len() {
               s += a[v] * a[v];
           }
           for i in (0..usize::MAX).step_by(p.max(crate::LEAP)) {
               for j in 0..m {
    let t = a[n * i + j];
    a[n * i + j] = t * w + x[m];
    }
           }
           for v in 0..a.len() {
               s += a[v] * a[v] * a[v];
           }
           s
       }
       }
}
