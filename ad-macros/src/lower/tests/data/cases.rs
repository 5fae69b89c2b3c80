fn power_by_counted_loop(x: f64) -> f64 {
    let mut t = 1.0;
    for _ in 0..3 { t *= x; }
    t
}

fn return_from_inside_loop(x: f64) -> f64 {
    let mut t = 1.0;
    for i in 0..3 {
        t *= x;
        if i == 1 { return t; }
    }
    t
}

fn fresh_let_each_iteration(x: f64) -> f64 {
    let mut res = 0.0;
    for i in 0..3 { let n = x + i as f64; res += x * n; }
    res
}

fn nested_do_while(i: f64, j: f64) -> f64 {
    let (mut a, mut k) = (0.0, 3);
    loop {
        let mut m = 3;
        loop {
            a += i * i + j;
            m -= 1;
            loop { a += j; if true { break; } }
            if m == 0 { break; }
        }
        k -= 1;
        if k == 0 { break; }
    }
    a
}

fn overwrite_in_condition_body_and_step(i: f64, j: f64) -> f64 {
    let (mut res, mut k) = (0.0, 0);
    loop {
        res = i * j;            // test
        if !(k < 2) { break; }
        res *= 3.0;             // body
        k += 1; res += 7.0;     // step, later killed by the test
    }
    res
}

fn break_and_continue_mix(i: f64, j: f64) -> f64 {
    let mut res = 0.0;
    for k in 0..5 {
        if k == 4 { res += i * j; break; }
        if k > 2 { res += 2.0 * i; continue; }
        res += i + j;
    }
    res
}

fn break_on_first_iteration(u: f64, _v: f64) -> f64 {
    let mut res = 0.0;
    for i in 1..3 { res += i as f64 * u; if i == 1 { break; } }
    res
}

fn labelled_break_and_continue(x: f64, y: f64) -> f64 {
    let mut r = 0.0;
    'outer: for a in 0..4 {
        for b in 0..4 {
            if b > a { continue 'outer; }
            if a == 3 && b == 2 { break 'outer; }
            r += x * a as f64 + y * y * b as f64;
        }
        r += 1000.0 * x; // never reached for a<3: the inner loop always jumps out first
    }
    r
}

fn iterate_mut_over_local_array(x: f64, y: f64) -> f64 {
    let mut a = [y, x * y, x * x + y];
    let mut r = 0.0;
    for v in a.iter_mut() { *v *= *v; r += *v; }
    r
}

fn divisor_in_loop(a: f64) -> f64 {
    let mut s = 0.0;
    for i in 0..3 { let x = i as f64 + 1.0; s += 1.0 / (x + a * a); }
    s
}

fn independent_iterations(x: f64, y: f64) -> f64 {
    let mut s = 0.0;
    for _ in 0..100 { let t1 = x; let t2 = y / t1; s += t2.powi(2); }
    s
}

fn induction_variable_moved_by_body(x: f64) -> f64 {
    let (mut r, mut i) = (1.0, 0);
    while i < 10 { r *= x; if i % 3 == 0 { i += 2; } i += 1; }
    r
}

fn several_returns(x: f64, y: f64) -> f64 {
    if x > 10.0 { return x; }
    if y > 10.0 { return y * y; }
    x * y
}

fn early_return_after_partial_state(x: f64, y: f64) -> f64 {
    let a = x * y;
    let b = a + x;
    if b > 50.0 { return a * b; }
    b * y
}

fn reference_to_local_after_early_return(x: f64, y: f64) -> f64 {
    if y == 0.0 { return 1.0; }
    let mut a = x * y;
    let r = &mut a;
    *r *= 1.0;
    let c = *r * *r;
    c * c
}

fn nested_if_expression(x: f64, y: f64) -> f64 {
    if x > y { x } else if y > 0.0 { y } else { -y }
}

fn mutable_reference_chosen_by_condition(x: f64, y: f64) -> f64 {
    let (mut a, mut b) = (x, y);
    let t = if x > y { &mut a } else { &mut b };
    *t *= y;
    if x > y { a } else { b }
}

#[derive(Clone, Copy)]
enum Op { Add, Sub, Mul, Div }
fn enum_match(x: f64, y: f64, op: Op) -> f64 {
    match op { Op::Add => x + y, Op::Sub => x - y, Op::Mul => x * y, Op::Div => x / y }
}

fn match_in_loop_with_grouped_arms(u: f64, v: f64) -> f64 {
    let mut res = 0.0;
    for i in 0..5 { match i { 0 | 1 | 2 => res += u, _ => res += v } }
    res
}

enum Piece { Lin(f64), Quad { a: f64, b: f64 }, Zero }
fn classify(x: f64, y: f64) -> Piece {
    match (x, y) {
        (a, _) if a < 0.0 => Piece::Zero,
        (a, b) if a > b => Piece::Quad { a, b },
        (a, b) => Piece::Lin(a * b),
    }
}
fn match_with_active_guards(x: f64, y: f64) -> f64 {
    match classify(x, y) { Piece::Lin(v) => 3.0 * v, Piece::Quad { a, b } => a * a * b, Piece::Zero => 0.0 }
}

fn value_moved_then_source_zeroed(mut x: f64, mut y: f64) -> f64 {
    y = { let _old = y; x };
    x = 0.0;
    y + x
}

fn chained_assignment_through_array(x: f64, mut y: f64) -> f64 {
    let mut t = [1.0, x, y, 1.0];
    t[1] = t[2];
    t[0] = t[1];
    y *= t[0];
    t[3] = y;
    t[3]
}

fn assignment_inside_expression(x: f64, mut y: f64) -> f64 {
    let t = x * { y = x; y };
    t * y
}

fn old_value_times_new_value(mut i: f64) -> f64 {
    let old = i;
    i += 1.0;
    i * old
}

fn minus_sign_pile(x: f64, y: f64) -> f64 { -2.0 * -(-(-x)) * -y - 1.0 * (-y) * (-(-x)) }

fn input_slice_scaled_in_place(a: &mut [f64], b: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..3 { a[i] *= b[i]; s += a[i]; }
    s
}

fn running_product_recurrence_in_place(v: &mut [f64]) -> f64 {
    for i in 1..v.len() { v[i] = v[i] * v[i - 1] + v[i - 1].sin(); }
    v[v.len() - 1]
}

fn zero_padded_local_array(x: &[f64], y: f64) -> f64 {
    let mut prod = 0.0;
    for i in 0..2 {
        let a = [1.0 + i as f64, 0.0, y, 0.0];
        for k in 0..4 { prod += a[k] * x[k]; }
    }
    prod
}

fn sq_in_place(e: &mut f64) -> f64 { *e = *e * *e; *e }
fn squares_by_mutating_callee(v: &mut [f64]) -> f64 {
    let mut r = 0.0;
    for i in 0..v.len() { r += sq_in_place(&mut v[i]); }
    r
}

fn two_slices_swap_roles(a0: &[f64], b0: &[f64]) -> f64 {
    let (mut a, mut b) = (a0, b0);
    let mut s = b[2];
    b = a; a = &a[1..]; b = &b[1..];
    s += a[0] + b[0];
    b = &b[1..]; a = &a[1..];
    s += a[0] + b[0];
    a = &a0[1..]; b = a;
    s += a[0] + b[0];
    s + a0[0] + a0[0]
}

fn relu_in_place_then_sum(t: &mut [f64]) -> f64 {
    for i in 0..t.len() { t[i] = if t[i] > 0.0 { t[i] } else { 0.0 }; }
    let mut s = 0.0;
    for i in 0..t.len() { s += (i as f64 + 1.0) * t[i] * t[i]; }
    s
}

fn update(i: &mut f64, j: &mut f64) { *i += *j; *j += *j; }
fn two_mutable_args_called_twice(mut i: f64, mut j: f64) -> f64 {
    update(&mut i, &mut j);
    update(&mut i, &mut j);
    i
}

fn subtract(n: usize, x: &[f64], mu: &[f64], out: &mut [f64]) { for i in 0..n { out[i] = x[i] - mu[i]; } }
fn callee_overwrites_scratch_each_iteration(mu: &[f64]) -> f64 {
    let xs = [[1.0, 2.0], [3.0, -1.0], [0.5, 0.25]];
    let mut buf = [0.0; 2];
    let mut s = 0.0;
    for k in 0..3 {
        subtract(2, &xs[k], mu, &mut buf);
        s += buf[0] * buf[0] * buf[1];
    }
    s
}

fn larger<'a>(u: &'a mut f64, v: &'a mut f64) -> &'a mut f64 { if *u > *v { u } else { v } }
fn reference_to_larger_returned(mut u: f64, mut v: f64) -> f64 {
    *larger(&mut u, &mut v) *= 3.0;
    *larger(&mut u, &mut v) += 1.0;
    u * v
}

fn rec(a: &[f64], n: usize, v: &mut [f64]) -> f64 {
    if n <= 1 { return a[0] * v[0]; }
    let mut res = 0.0;
    for i in 0..n { v[0] += a[i]; res += rec(a, n - 1, v); }
    res
}
fn recursion_with_array_and_mutation(a: &[f64], v0: f64) -> f64 { let mut v = [v0]; rec(a, a.len(), &mut v) }

fn scaled<const N: usize>(x: f64) -> f64 { let m = if 53 < N { 53 } else { N }; x * m as f64 }
fn apply<F: Fn(f64) -> f64>(f: F, x: f64) -> f64 { f(f(x)) }
fn generic_and_const_generic(x: f64) -> f64 { scaled::<15>(x) + scaled::<99>(x) + apply(|t| t * t + 1.0, x) }

fn closure_that_mutates_capture(x: f64, y: f64) -> f64 {
    let mut acc = x;
    { let mut step = |k: f64| { acc = acc * y + k; }; step(1.0); step(x); step(2.0); }
    acc
}

struct Sf { x: f64, y: f64 }
impl Sf { fn mem(&self, i: f64, j: f64) -> f64 { (self.x + self.y) * i + i * j } }
fn method_on_struct_fields(x: f64, y: f64, i: f64, j: f64) -> f64 { Sf { x, y }.mem(i, j) }

use std::ops::{Add, Mul, Neg};
#[derive(Clone, Copy)]
struct V3 { x: f64, y: f64, z: f64 }
impl Add for V3 { type Output = V3; fn add(self, o: V3) -> V3 { V3 { x: self.x + o.x, y: self.y + o.y, z: self.z + o.z } } }
impl Mul<V3> for f64 { type Output = V3; fn mul(self, v: V3) -> V3 { V3 { x: self * v.x, y: self * v.y, z: self * v.z } } }
impl Neg for V3 { type Output = V3; fn neg(self) -> V3 { -1.0 * self } }
fn overloaded_operators(x: f64, y: f64) -> f64 {
    let v = V3 { x, y: x * y, z: y };
    let w = x * v + -v;
    w.x * w.y + w.z
}

fn divmodish(x: f64, y: f64) -> (f64, f64) { (x / y, x * y) }
struct Obj { val: f64, aux: f64 }
fn obj(x: f64) -> Obj { Obj { val: x * x, aux: -x } }
fn tuple_and_struct_returns(x: f64, y: f64) -> f64 {
    let (q, r) = divmodish(x, y);
    q * r + obj(y).val + obj(x).aux
}

struct Node { value: f64, prev: Option<Box<Node>> }
fn boxed_linked_list(x: f64, y: f64) -> f64 {
    let a = Node { value: x, prev: None };
    let b = Node { value: x * y, prev: Some(Box::new(a)) };
    let c = Node { value: y, prev: Some(Box::new(b)) };
    let (mut s, mut w, mut cur) = (0.0, 1.0, Some(&c));
    while let Some(n) = cur { s += w * n.value * n.value; w += 1.0; cur = n.prev.as_deref(); }
    s
}

fn box_new_and_drop(i: f64, j: f64) -> f64 {
    let (p, q) = (Box::new(i), Box::new(j));
    let r = vec![i + j, i * j].into_boxed_slice();
    let s = *p + *q + r[0] + r[1];
    drop(p); drop(q); drop(r);
    s
}

#[derive(Clone, Copy)]
struct Cx { re: f64, im: f64 }
impl Cx { fn mul(self, o: Cx) -> Cx { Cx { re: self.re * o.re - self.im * o.im, im: self.re * o.im + self.im * o.re } } fn norm(self) -> f64 { (self.re * self.re + self.im * self.im).sqrt() } }
fn complex_arithmetic(a: f64, b: f64) -> f64 {
    let mut z = Cx { re: a, im: b };
    for _ in 0..2 { z = z.mul(z); z.re += a; }
    z.norm()
}

fn norm_with_active_exponent(x: f64, y: f64, z: f64, d: f64) -> f64 {
    (x.powf(d) + y.powf(d) + z.powf(d)).powf(1.0 / d)
}

fn unused_nan_producer(c: f64, a: f64) -> f64 {
    let dead = (-c / a).acos();   // NaN for |c/a|>1, never used
    let _ = dead;
    2.0 * c * c * a
}

fn integer_truncation(u: f64, v: f64) -> f64 {
    let res = (u * v) as i32;
    res as f64 + u
}

static GLOBAL: f64 = 7.0;
const TABLE: [f64; 4] = [1.0, -2.0, 0.5, 4.0];
fn static_and_const_data(i: f64, j: f64) -> f64 {
    let mut s = GLOBAL * i;
    for k in 0..4 { s += TABLE[k] * j * (k as f64 + i); }
    s
}

fn two_locals_in_one_statement(x: f64, y: f64) -> f64 {
    let (mut p, q) = { let p = x * x; (p, y * p) };
    p = p * q;
    p * q
}

fn return_product_from_loop(x: f64, y: f64) -> f64 {
    let mut r = 0.0;
    for a in 0..4 { r += x * a as f64 * y; if a == 2 { return r * x; } }
    r
}

fn mem_swap_locals(x: f64, y: f64) -> f64 {
    let (mut a, mut b) = (x, y);
    std::mem::swap(&mut a, &mut b);
    a *= a;
    std::mem::swap(&mut a, &mut b);
    a * b + b
}

fn two_buffer_time_stepping(u: &[f64]) -> f64 {
    let n = u.len();
    let (mut a, mut b) = (u.to_vec(), u.to_vec());
    for _ in 0..6 {
        for i in 1..n - 1 {
            let (hr, hl) = (0.5 * (a[i] + a[i + 1]), 0.5 * (a[i - 1] + a[i]));
            b[i] = a[i] + 0.1 * (hr * hr * (a[i + 1] - a[i]) - hl * hl * (a[i] - a[i - 1]));
        }
        std::mem::swap(&mut a, &mut b);
    }
    let mut s = 0.0;
    for i in 0..n { s += a[i] * a[i]; }
    s
}

struct P<const N: usize>;
trait Pw { fn pw(x: f64) -> f64; }
impl Pw for P<0> { fn pw(_x: f64) -> f64 { 1.0 } }
impl Pw for P<1> { fn pw(x: f64) -> f64 { x * <P<0> as Pw>::pw(x) } }
impl Pw for P<2> { fn pw(x: f64) -> f64 { x * <P<1> as Pw>::pw(x) } }
impl Pw for P<3> { fn pw(x: f64) -> f64 { x * <P<2> as Pw>::pw(x) } }
fn const_generic_recursion(x: f64, y: f64) -> f64 { <P<3> as Pw>::pw(x) * y }
