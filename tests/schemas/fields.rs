//! Methods of std on fields of own types, and methods of own types by the same names, without any loop.

use super::oracle::value;
use retrograde::{Differentiable, Record, gradient};

#[derive(Clone, Debug, Differentiable, Record)]
struct Parts {
    v: Vec<f64>,
    o: Option<f64>,
    a: [f64; 3],
    t: (f64, f64),
    w: Vec<Vec<f64>>,
    p: Vec<Point>,
    op: Option<Point>,
}

#[derive(Clone, Copy, Debug, Differentiable, Record)]
struct Point {
    x: f64,
    y: f64,
}

/// Its methods have names of std's, and do something else.
#[derive(Clone, Debug, Differentiable, Record)]
struct Own {
    v: Vec<f64>,
    k: f64,
}

#[gradient]
impl Own {
    fn get(&self, i: usize) -> Option<f64> {
        if i < 2 {
            Some(self.k * self.v[i])
        } else {
            None
        }
    }
    fn first(&self) -> f64 {
        self.k * self.k
    }
    fn last(&self) -> Option<f64> {
        self.v.last().copied()
    }
    fn map(&self, f: f64) -> f64 {
        f * self.k
    }
    fn swap(&mut self, i: usize, j: usize) {
        let t = self.v[i];
        self.v[i] = 2.0 * self.v[j];
        self.v[j] = t;
    }
    fn take(&mut self) -> f64 {
        let k = self.k;
        self.k = 1.0;
        k
    }
    fn fill(&mut self, v: f64) {
        self.k = v;
    }
}

#[derive(Clone, Debug, Differentiable, Record)]
struct Holder {
    own: Own,
}

fn numbers(shift: f64) -> Vec<f64> {
    let number = |i| shift + 1.1 + 0.13 * f64::from(i) - 0.2 * f64::from(i % 3);
    (0..15).map(number).collect()
}

impl Parts {
    fn at(shift: f64) -> Self {
        let x = numbers(shift);
        Parts {
            v: vec![x[0], x[1]],
            o: Some(x[2]),
            a: [x[3], x[4], x[5]],
            t: (x[6], x[7]),
            w: vec![vec![x[8]], vec![x[9], x[10]]],
            p: vec![Point { x: x[11], y: x[12] }],
            op: Some(Point { x: x[13], y: x[14] }),
        }
    }
}

impl Holder {
    fn at(shift: f64) -> Self {
        let x = numbers(shift);
        Holder {
            own: Own {
                v: x[..2].to_vec(),
                k: x[2],
            },
        }
    }
}

#[gradient]
fn first(s: &Parts) -> f64 {
    if let Some(&a) = s.v.first() {
        a * a
    } else {
        0.0
    }
}

#[gradient]
fn get_in_match(s: &Parts) -> f64 {
    match s.v.get(1) {
        Some(&a) if a > 0.0 => a * a,
        _ => 1.0,
    }
}

#[gradient]
fn last_or_return(s: &Parts) -> f64 {
    let Some(&a) = s.v.last() else { return 0.0 };
    a * a
}

#[gradient]
fn as_ref_in_match(s: &Parts) -> f64 {
    match s.o.as_ref() {
        Some(&a) => a * a,
        None => 0.0,
    }
}

#[gradient]
fn map_of_option(s: &Parts) -> f64 {
    s.o.map(|v| v * v).unwrap_or(1.0)
}

#[gradient]
fn map_or(s: &Parts) -> f64 {
    s.o.map_or(1.0, |v| v * s.a[0]) + s.o.unwrap_or_default()
}

#[gradient]
fn first_and_last(s: &Parts) -> f64 {
    s.v.first().copied().unwrap_or(0.5) * s.v.last().unwrap()
}

#[gradient]
fn of_array(s: &Parts) -> f64 {
    s.a.first().unwrap() * s.a[2] + s.w.last().unwrap()[0]
}

#[gradient]
fn last_struct(s: &Parts) -> f64 {
    if let Some(p) = s.p.last() {
        p.x * p.y
    } else {
        2.0
    }
}

#[gradient]
fn first_struct(s: &Parts) -> f64 {
    if let Some(p) = s.p.first() {
        p.x * p.y
    } else {
        0.0
    }
}

#[gradient]
fn reverse_and_swap(s: &Parts) -> f64 {
    let mut s = s.clone();
    reverse_and_swap_of(&mut s)
}

#[gradient]
fn reverse_and_swap_of(s: &mut Parts) -> f64 {
    s.v.reverse();
    s.v.swap(0, 1);
    s.v[0] * s.v[1] * s.v[1]
}

#[gradient]
fn fill(s: &Parts) -> f64 {
    let mut s = s.clone();
    fill_of(&mut s)
}

#[gradient]
fn fill_of(s: &mut Parts) -> f64 {
    s.a.fill(s.t.0);
    s.a[1] * s.a[2] * s.v[0]
}

#[gradient]
fn last_mut(s: &Parts) -> f64 {
    let mut s = s.clone();
    last_mut_of(&mut s)
}

#[gradient]
fn last_mut_of(s: &mut Parts) -> f64 {
    if let Some(l) = s.v.last_mut() {
        *l *= 2.0;
    }
    s.v[0] * s.v[1]
}

#[gradient]
fn take(s: &Parts) -> f64 {
    let mut s = s.clone();
    take_of(&mut s)
}

#[gradient]
fn take_of(s: &mut Parts) -> f64 {
    let old = s.o.take();
    old.unwrap_or(1.0) * 3.0 + s.o.map_or(s.t.1, |v| v)
}

#[gradient]
fn replace(s: &Parts) -> f64 {
    let mut s = s.clone();
    replace_of(&mut s)
}

#[gradient]
fn replace_of(s: &mut Parts) -> f64 {
    let old = s.o.replace(s.t.0 * s.t.1);
    old.unwrap() * s.o.unwrap()
}

#[gradient]
fn sort(s: &Parts) -> f64 {
    let mut s = s.clone();
    sort_of(&mut s)
}

#[gradient]
fn sort_of(s: &mut Parts) -> f64 {
    s.v.sort_by(|a, b| b.total_cmp(a));
    s.v[0] * s.v[0] + s.v[1]
}

#[gradient]
fn as_ref_of_struct(s: &Parts) -> f64 {
    s.op.as_ref().map_or(0.0, |p| p.x * p.y)
}

#[gradient]
fn map_of_array(s: &Parts) -> f64 {
    s.a.map(|v| v * v)[1]
}

#[gradient]
fn split_at(s: &Parts) -> f64 {
    let (l, r) = s.v.split_at(1);
    l[0] * r[0]
}

#[gradient]
fn extend_and_insert(s: &Parts) -> f64 {
    let mut s = s.clone();
    extend_and_insert_of(&mut s)
}

#[gradient]
fn extend_and_insert_of(s: &mut Parts) -> f64 {
    s.v.extend_from_slice(&s.a);
    s.v.insert(0, s.t.0);
    s.v[0] * s.v[1] * s.v[4]
}

#[gradient]
fn resize(s: &Parts) -> f64 {
    let mut s = s.clone();
    resize_of(&mut s)
}

#[gradient]
fn resize_of(s: &mut Parts) -> f64 {
    s.v.resize(5, s.t.1);
    s.v[4] * s.v[3] + s.v[0]
}

#[gradient]
fn to_vec_and_filter(s: &Parts) -> f64 {
    let mut w = s.v.to_vec();
    w[0] *= 2.0;
    w[0] * w[1] + s.o.filter(|v| *v > 1.0).unwrap_or(s.t.0)
}

#[gradient]
fn zip_and_or(s: &Parts) -> f64 {
    s.o.zip(Some(s.t.0)).map(|(a, b)| a * b).unwrap() + s.o.or(Some(1.0)).unwrap()
}

#[gradient]
fn get_or_return(s: &Parts) -> f64 {
    get_or_return_of(s).unwrap()
}

#[gradient]
fn get_or_return_of(s: &Parts) -> Option<f64> {
    let a = s.v.get(0)?;
    let b = s.v.get(1)?;
    Some(a * b)
}

#[gradient]
fn windows(s: &Parts) -> f64 {
    s.v.windows(2).map(|w| w[0] * w[1]).sum()
}

#[gradient]
fn rotate_and_copy(s: &Parts) -> f64 {
    let mut s = s.clone();
    rotate_and_copy_of(&mut s)
}

#[gradient]
fn rotate_and_copy_of(s: &mut Parts) -> f64 {
    s.a.rotate_left(1);
    s.a[1..].copy_from_slice(&[s.t.0, s.t.1]);
    s.a[0] * s.a[1] * s.a[2]
}

#[gradient]
fn concat(s: &Parts) -> f64 {
    s.o.is_some_and(|v| v > 0.0) as u8 as f64 * s.t.0 + s.w.concat()[1] * s.t.1
}

#[gradient]
fn own_first(h: &Holder) -> f64 {
    let mut t = h.own.first();
    if let Some(v) = h.own.get(1) {
        t *= v;
    }
    t + h.own.map(2.0)
}

#[gradient]
fn own_swap_take_fill(h: &Holder) -> f64 {
    let mut h = h.clone();
    own_swap_take_fill_of(&mut h)
}

#[gradient]
fn own_swap_take_fill_of(h: &mut Holder) -> f64 {
    h.own.swap(0, 1);
    let k = h.own.take();
    h.own.fill(k * h.own.v[0]);
    h.own.k * h.own.v[1]
}

#[gradient]
fn own_get(h: &Holder) -> f64 {
    own_get_of(h).unwrap()
}

#[gradient]
fn own_get_of(h: &Holder) -> Option<f64> {
    let a = h.own.get(0)?;
    let b = h.own.last()?;
    Some(a * b)
}

#[gradient]
fn copied(s: &Parts) -> f64 {
    let last = s.p.last().copied();
    let first = s.op.or(s.p.first().copied()).unwrap();
    last.map_or(0.0, |l| l.x * first.y)
}

#[gradient]
fn cloned(s: &Parts) -> f64 {
    let row = s.w.get(1).cloned();
    let none = s.w.get(7).cloned();
    row.unwrap()[1] * s.t.0 + none.map_or(s.t.1, |r| r[0])
}

#[gradient]
fn mapped(s: &Parts) -> f64 {
    s.p.last().map(|p| p.x * p.y).unwrap_or(2.0)
        + s.p.get(1).map(|p| p.x).unwrap_or(s.t.0) * s.w.first().map(|w| w[0]).unwrap()
}

macro_rules! check {
    ($type:ident: $($name:ident $gradient:ident)*) => { $({
        value(stringify!($name), &[0.0, 0.35, -4.0].map($type::at), $name, $gradient);
    })* };
}

#[test]
fn methods_of_std_are_found_by_the_types_of_fields() {
    check! { Parts:
       first first_grad
       get_in_match get_in_match_grad
       last_or_return last_or_return_grad
       as_ref_in_match as_ref_in_match_grad
       map_of_option map_of_option_grad
       map_or map_or_grad
       first_and_last first_and_last_grad
       of_array of_array_grad
       last_struct last_struct_grad
       first_struct first_struct_grad
       reverse_and_swap reverse_and_swap_grad
       fill fill_grad
       last_mut last_mut_grad
       take take_grad
       replace replace_grad
       sort sort_grad
       as_ref_of_struct as_ref_of_struct_grad
       map_of_array map_of_array_grad
       split_at split_at_grad
       extend_and_insert extend_and_insert_grad
       resize resize_grad
       to_vec_and_filter to_vec_and_filter_grad
       zip_and_or zip_and_or_grad
       get_or_return get_or_return_grad
       windows windows_grad
       rotate_and_copy rotate_and_copy_grad
       concat concat_grad
       copied copied_grad
       cloned cloned_grad
       mapped mapped_grad
    }
}

#[test]
fn own_methods_are_found_by_the_types_of_fields() {
    check! { Holder:
       own_first own_first_grad
       own_swap_take_fill own_swap_take_fill_grad
       own_get own_get_grad
    }
}
