use retrograde::{gradient, Differentiable, Record};
#[derive(Clone, Debug, Differentiable, Record)]
pub struct S { v: Vec<f64>, o: Option<f64>, a: [f64; 3], t: (f64, f64), w: Vec<Vec<f64>>, b: Option<Box<f64>>, p: Vec<P>, op: Option<P> }
#[derive(Clone, Copy, Debug, Differentiable, Record)]
pub struct P { x: f64, y: f64 }
#[derive(Clone, Debug, Differentiable, Record)]
pub struct Own { v: Vec<f64>, k: f64 }
#[gradient]
impl Own { pub fn get(&self, i: usize) -> Option<f64> { if i < 2 { Some(self.k * self.v[i]) } else { None } } pub fn first(&self) -> f64 { self.k * self.k } pub fn last(&self) -> Option<f64> { self.v.last().copied() } pub fn map(&self, f: f64) -> f64 { f * self.k } pub fn swap(&mut self, i: usize, j: usize) { let t = self.v[i]; self.v[i] = 2.0 * self.v[j]; self.v[j] = t; } pub fn take(&mut self) -> f64 { let k = self.k; self.k = 1.0; k } pub fn fill(&mut self, v: f64) { self.k = v; } }
#[derive(Clone, Debug, Differentiable, Record)]
pub struct Holder { own: Own }
macro_rules! all { ($($name:ident($s:ident) $body:block)*) => { $(#[gradient] pub fn $name(s: S) -> f64 $body)* } }
#[gradient] pub fn a1(s: &S) -> f64 { if let Some(&a) = s.v.first() { a * a } else { 0.0 } }
#[gradient] pub fn a2(s: &S) -> f64 { match s.v.get(1) { Some(&a) if a > 0.0 => a * a, _ => 1.0 } }
#[gradient] pub fn a3(s: &S) -> f64 { let Some(&a) = s.v.last() else { return 0.0 }; a * a }
#[gradient] pub fn a4(s: &S) -> f64 { match s.o.as_ref() { Some(&a) => a * a, None => 0.0 } }
#[gradient] pub fn a5(s: &S) -> f64 { s.o.map(|v| v * v).unwrap_or(1.0) }
#[gradient] pub fn a6(s: &S) -> f64 { s.o.map_or(1.0, |v| v * s.a[0]) + s.o.unwrap_or_default() }
#[gradient] pub fn a7(s: &S) -> f64 { s.v.first().copied().unwrap_or(0.5) * s.v.last().unwrap() }
#[gradient] pub fn a8(s: &S) -> f64 { s.a.first().unwrap() * s.a[2] + s.w.last().unwrap()[0] }
#[gradient] pub fn a9(s: &S) -> f64 { if let Some(p) = s.p.last() { p.x * p.y } else { 2.0 } }
#[gradient] pub fn b1(s: &S) -> f64 { if let Some(p) = s.p.first() { p.x * p.y } else { 0.0 } }
#[gradient] pub fn b2(s: &mut S) -> f64 { s.v.reverse(); s.v.swap(0, 1); s.v[0] * s.v[1] * s.v[1] }
#[gradient] pub fn b3(s: &mut S) -> f64 { s.a.fill(s.t.0); s.a[1] * s.a[2] * s.v[0] }
#[gradient] pub fn b4(s: &mut S) -> f64 { if let Some(l) = s.v.last_mut() { *l *= 2.0; } s.v[0] * s.v[1] }
#[gradient] pub fn b5(s: &mut S) -> f64 { let old = s.o.take(); old.unwrap_or(1.0) * 3.0 + s.o.map_or(s.t.1, |v| v) }
#[gradient] pub fn b6(s: &mut S) -> f64 { let old = s.o.replace(s.t.0 * s.t.1); old.unwrap() * s.o.unwrap() }
#[gradient] pub fn b7(s: &mut S) -> f64 { s.v.sort_by(|a, b| b.total_cmp(a)); s.v[0] * s.v[0] + s.v[1] }
#[gradient] pub fn b8(s: &S) -> f64 { s.op.as_ref().map_or(0.0, |p| p.x * p.y) }
#[gradient] pub fn b9(s: &S) -> f64 { s.a.map(|v| v * v)[1] }
#[gradient] pub fn c1(s: &S) -> f64 { let (l, r) = s.v.split_at(1); l[0] * r[0] }
#[gradient] pub fn c2(s: &mut S) -> f64 { s.v.extend_from_slice(&s.a); s.v.insert(0, s.t.0); s.v[0] * s.v[1] * s.v[4] }
#[gradient] pub fn c3(s: &mut S) -> f64 { s.v.resize(5, s.t.1); s.v[4] * s.v[3] + s.v[0] }
#[gradient] pub fn c4(s: &S) -> f64 { let mut w = s.v.to_vec(); w[0] *= 2.0; w[0] * w[1] + s.o.filter(|v| *v > 1.0).unwrap_or(s.t.0) }
#[gradient] pub fn c5(s: &S) -> f64 { s.o.zip(Some(s.t.0)).map(|(a, b)| a * b).unwrap() + s.o.or(Some(1.0)).unwrap() }
#[gradient] pub fn c6(s: &S) -> Option<f64> { let a = s.v.get(0)?; let b = s.v.get(1)?; Some(a * b) }
#[gradient] pub fn c7(s: &S) -> f64 { s.v.windows(2).map(|w| w[0] * w[1]).sum() }
#[gradient] pub fn c8(s: &mut S) -> f64 { s.a.rotate_left(1); s.a[1..].copy_from_slice(&[s.t.0, s.t.1]); s.a[0] * s.a[1] * s.a[2] }
#[gradient] pub fn c9(s: &S) -> f64 { s.o.is_some_and(|v| v > 0.0) as u8 as f64 * s.t.0 + s.w.concat()[1] * s.t.1 }
#[gradient] pub fn d1(h: &Holder) -> f64 { let mut t = h.own.first(); if let Some(v) = h.own.get(1) { t *= v; } t + h.own.last().unwrap() + h.own.map(2.0) + h.own.get(0).unwrap() }
#[gradient] pub fn d2(h: &mut Holder) -> f64 { h.own.swap(0, 1); let k = h.own.take(); h.own.fill(k * h.own.v[0]); h.own.k * h.own.v[1] }
#[gradient] pub fn d3(h: &Holder) -> Option<f64> { let a = h.own.get(0)?; let b = h.own.last()?; Some(a * b) }
fn of(x: &[f64]) -> S { S { v: vec![x[0], x[1]], o: Some(x[2]), a: [x[3], x[4], x[5]], t: (x[6], x[7]), w: vec![vec![x[8]], vec![x[9], x[10]]], b: None, p: vec![P { x: x[11], y: x[12] }], op: Some(P { x: x[13], y: x[14] }) } }
fn own(x: &[f64]) -> Holder { Holder { own: Own { v: vec![x[0], x[1], x[3]], k: x[2] } } }
fn flat(t: &impl Fl) -> Vec<f64> { t.fl() } trait Fl { fn fl(&self) -> Vec<f64>; } impl Fl for STangent { fn fl(&self) -> Vec<f64> { let mut r = self.v.clone(); if let Some(o) = self.o { r.push(o) } else { r.push(0.0) } r.extend(self.a); r.push(self.t.0); r.push(self.t.1); r.extend(self.w.concat()); for p in &self.p { r.push(p.x); r.push(p.y); } if let Some(p) = &self.op { r.push(p.x); r.push(p.y); } r } } impl Fl for HolderTangent { fn fl(&self) -> Vec<f64> { vec![self.own.v[0], self.own.v[1], self.own.k, self.own.v[2]] } }
trait R { fn f(self) -> f64; } impl R for f64 { fn f(self) -> f64 { self } } impl R for Option<f64> { fn f(self) -> f64 { self.unwrap() } }
#[gradient] pub fn w_a1(s: &S) -> f64 { let mut s = s.clone(); a1(&s) }
#[gradient] pub fn w_a2(s: &S) -> f64 { let mut s = s.clone(); a2(&s) }
#[gradient] pub fn w_a3(s: &S) -> f64 { let mut s = s.clone(); a3(&s) }
#[gradient] pub fn w_a4(s: &S) -> f64 { let mut s = s.clone(); a4(&s) }
#[gradient] pub fn w_a5(s: &S) -> f64 { let mut s = s.clone(); a5(&s) }
#[gradient] pub fn w_a6(s: &S) -> f64 { let mut s = s.clone(); a6(&s) }
#[gradient] pub fn w_a7(s: &S) -> f64 { let mut s = s.clone(); a7(&s) }
#[gradient] pub fn w_a8(s: &S) -> f64 { let mut s = s.clone(); a8(&s) }
#[gradient] pub fn w_a9(s: &S) -> f64 { let mut s = s.clone(); a9(&s) }
#[gradient] pub fn w_b1(s: &S) -> f64 { let mut s = s.clone(); b1(&s) }
#[gradient] pub fn w_b2(s: &S) -> f64 { let mut s = s.clone(); b2(&mut s) }
#[gradient] pub fn w_b3(s: &S) -> f64 { let mut s = s.clone(); b3(&mut s) }
#[gradient] pub fn w_b4(s: &S) -> f64 { let mut s = s.clone(); b4(&mut s) }
#[gradient] pub fn w_b5(s: &S) -> f64 { let mut s = s.clone(); b5(&mut s) }
#[gradient] pub fn w_b6(s: &S) -> f64 { let mut s = s.clone(); b6(&mut s) }
#[gradient] pub fn w_b7(s: &S) -> f64 { let mut s = s.clone(); b7(&mut s) }
#[gradient] pub fn w_b8(s: &S) -> f64 { let mut s = s.clone(); b8(&s) }
#[gradient] pub fn w_b9(s: &S) -> f64 { let mut s = s.clone(); b9(&s) }
#[gradient] pub fn w_c1(s: &S) -> f64 { let mut s = s.clone(); c1(&s) }
#[gradient] pub fn w_c2(s: &S) -> f64 { let mut s = s.clone(); c2(&mut s) }
#[gradient] pub fn w_c3(s: &S) -> f64 { let mut s = s.clone(); c3(&mut s) }
#[gradient] pub fn w_c4(s: &S) -> f64 { let mut s = s.clone(); c4(&s) }
#[gradient] pub fn w_c5(s: &S) -> f64 { let mut s = s.clone(); c5(&s) }
#[gradient] pub fn w_c6(s: &S) -> f64 { let mut s = s.clone(); c6(&s).unwrap() }
#[gradient] pub fn w_c7(s: &S) -> f64 { let mut s = s.clone(); c7(&s) }
#[gradient] pub fn w_c8(s: &S) -> f64 { let mut s = s.clone(); c8(&mut s) }
#[gradient] pub fn w_c9(s: &S) -> f64 { let mut s = s.clone(); c9(&s) }
#[gradient] pub fn w_d1(s: &Holder) -> f64 { let mut s = s.clone(); d1(&s) }
#[gradient] pub fn w_d2(s: &Holder) -> f64 { let mut s = s.clone(); d2(&mut s) }
#[gradient] pub fn w_d3(s: &Holder) -> f64 { let mut s = s.clone(); d3(&s).unwrap() }
#[test] fn fields() { let x: Vec<f64> = (0..15).map(|i| 1.1 + 0.13 * i as f64 - (i % 3) as f64 * 0.2).collect(); let mut bad = 0; let mut cmp = |name: &str, v: f64, w: f64, g: Vec<f64>, e: Vec<Option<f64>>| { let e: Vec<f64> = e.into_iter().map(Option::unwrap).collect(); let ok = v == w && g.len() <= e.len() && g.iter().zip(&e).all(|(a, b)| (a - b).abs() < 1e-6) && g.iter().any(|g| *g != 0.0); if !ok { bad += 1; println!("WRONG {name} {v} {w} {g:?} {e:?}"); } };
{ let s = of(&x); let (v, g) = w_a1_grad(&s); let f = w_a1(&s); cmp("a1", f, v, g.fl(), crate::differences(&|x| w_a1(&of(x)), &x)); }
{ let s = of(&x); let (v, g) = w_a2_grad(&s); let f = w_a2(&s); cmp("a2", f, v, g.fl(), crate::differences(&|x| w_a2(&of(x)), &x)); }
{ let s = of(&x); let (v, g) = w_a3_grad(&s); let f = w_a3(&s); cmp("a3", f, v, g.fl(), crate::differences(&|x| w_a3(&of(x)), &x)); }
{ let s = of(&x); let (v, g) = w_a4_grad(&s); let f = w_a4(&s); cmp("a4", f, v, g.fl(), crate::differences(&|x| w_a4(&of(x)), &x)); }
{ let s = of(&x); let (v, g) = w_a5_grad(&s); let f = w_a5(&s); cmp("a5", f, v, g.fl(), crate::differences(&|x| w_a5(&of(x)), &x)); }
{ let s = of(&x); let (v, g) = w_a6_grad(&s); let f = w_a6(&s); cmp("a6", f, v, g.fl(), crate::differences(&|x| w_a6(&of(x)), &x)); }
{ let s = of(&x); let (v, g) = w_a7_grad(&s); let f = w_a7(&s); cmp("a7", f, v, g.fl(), crate::differences(&|x| w_a7(&of(x)), &x)); }
{ let s = of(&x); let (v, g) = w_a8_grad(&s); let f = w_a8(&s); cmp("a8", f, v, g.fl(), crate::differences(&|x| w_a8(&of(x)), &x)); }
{ let s = of(&x); let (v, g) = w_a9_grad(&s); let f = w_a9(&s); cmp("a9", f, v, g.fl(), crate::differences(&|x| w_a9(&of(x)), &x)); }
{ let s = of(&x); let (v, g) = w_b1_grad(&s); let f = w_b1(&s); cmp("b1", f, v, g.fl(), crate::differences(&|x| w_b1(&of(x)), &x)); }
{ let s = of(&x); let (v, g) = w_b2_grad(&s); let f = w_b2(&s); cmp("b2", f, v, g.fl(), crate::differences(&|x| w_b2(&of(x)), &x)); }
{ let s = of(&x); let (v, g) = w_b3_grad(&s); let f = w_b3(&s); cmp("b3", f, v, g.fl(), crate::differences(&|x| w_b3(&of(x)), &x)); }
{ let s = of(&x); let (v, g) = w_b4_grad(&s); let f = w_b4(&s); cmp("b4", f, v, g.fl(), crate::differences(&|x| w_b4(&of(x)), &x)); }
{ let s = of(&x); let (v, g) = w_b5_grad(&s); let f = w_b5(&s); cmp("b5", f, v, g.fl(), crate::differences(&|x| w_b5(&of(x)), &x)); }
{ let s = of(&x); let (v, g) = w_b6_grad(&s); let f = w_b6(&s); cmp("b6", f, v, g.fl(), crate::differences(&|x| w_b6(&of(x)), &x)); }
{ let s = of(&x); let (v, g) = w_b7_grad(&s); let f = w_b7(&s); cmp("b7", f, v, g.fl(), crate::differences(&|x| w_b7(&of(x)), &x)); }
{ let s = of(&x); let (v, g) = w_b8_grad(&s); let f = w_b8(&s); cmp("b8", f, v, g.fl(), crate::differences(&|x| w_b8(&of(x)), &x)); }
{ let s = of(&x); let (v, g) = w_b9_grad(&s); let f = w_b9(&s); cmp("b9", f, v, g.fl(), crate::differences(&|x| w_b9(&of(x)), &x)); }
{ let s = of(&x); let (v, g) = w_c1_grad(&s); let f = w_c1(&s); cmp("c1", f, v, g.fl(), crate::differences(&|x| w_c1(&of(x)), &x)); }
{ let s = of(&x); let (v, g) = w_c2_grad(&s); let f = w_c2(&s); cmp("c2", f, v, g.fl(), crate::differences(&|x| w_c2(&of(x)), &x)); }
{ let s = of(&x); let (v, g) = w_c3_grad(&s); let f = w_c3(&s); cmp("c3", f, v, g.fl(), crate::differences(&|x| w_c3(&of(x)), &x)); }
{ let s = of(&x); let (v, g) = w_c4_grad(&s); let f = w_c4(&s); cmp("c4", f, v, g.fl(), crate::differences(&|x| w_c4(&of(x)), &x)); }
{ let s = of(&x); let (v, g) = w_c5_grad(&s); let f = w_c5(&s); cmp("c5", f, v, g.fl(), crate::differences(&|x| w_c5(&of(x)), &x)); }
{ let s = of(&x); let (v, g) = w_c6_grad(&s); let f = w_c6(&s); cmp("c6", f, v, g.fl(), crate::differences(&|x| w_c6(&of(x)), &x)); }
{ let s = of(&x); let (v, g) = w_c7_grad(&s); let f = w_c7(&s); cmp("c7", f, v, g.fl(), crate::differences(&|x| w_c7(&of(x)), &x)); }
{ let s = of(&x); let (v, g) = w_c8_grad(&s); let f = w_c8(&s); cmp("c8", f, v, g.fl(), crate::differences(&|x| w_c8(&of(x)), &x)); }
{ let s = of(&x); let (v, g) = w_c9_grad(&s); let f = w_c9(&s); cmp("c9", f, v, g.fl(), crate::differences(&|x| w_c9(&of(x)), &x)); }
{ let s = own(&x); let (v, g) = w_d1_grad(&s); let f = w_d1(&s); cmp("d1", f, v, g.fl(), crate::differences(&|x| w_d1(&own(x)), &x)); }
{ let s = own(&x); let (v, g) = w_d2_grad(&s); let f = w_d2(&s); cmp("d2", f, v, g.fl(), crate::differences(&|x| w_d2(&own(x)), &x)); }
{ let s = own(&x); let (v, g) = w_d3_grad(&s); let f = w_d3(&s); cmp("d3", f, v, g.fl(), crate::differences(&|x| w_d3(&own(x)), &x)); }assert_eq!(bad, 0); }
