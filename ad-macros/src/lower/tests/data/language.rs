//! One language feature each: functions that lower. Formatted by nobody: dense on purpose.

const TABLE: [f64; 4] = [1.0, -2.0, 0.5, 4.0];
static GLOBAL: f64 = 7.0;
const N: usize = 3;
#[derive(Clone, Copy, PartialEq, retrograde::Differentiable)]
enum Op { Add, Sub, Mul }

fn operand_copied(x: f64, y: f64) -> f64 { let mut y = y; y * { y = 5.0; y } + x * y }
fn assign_order(x: f64, y: f64) -> f64 { let mut a = [x, y, 1.0]; let mut i = 0; a[i] = { i = 2; x * y }; a[0] + 2.0 * a[1] + 3.0 * a[2] }
fn compound_order(x: f64, y: f64) -> f64 { let mut a = [x, y, 1.0]; let mut i = 0; a[i] += { i = 2; x * y }; a[i] *= { i = 1; y }; a[0] + 2.0 * a[1] + 3.0 * a[2] }
fn shadow(x: f64, y: f64) -> f64 { let x = x * y; let x = x + 1.0; { let x = x * 2.0; let y = x; let _ = y; } let y = x * y; x * y }
fn tuple(x: f64, y: f64) -> f64 { let t = (x * y, [x, y], 2); let (a, [b, c], k) = t; a * b + c * k as f64 + t.0 * t.1[1] }
fn destructure_assign(x: f64, y: f64) -> f64 { let (mut a, mut b) = (x, y); (a, b) = (b, a * b); [a, b] = [b, a + 1.0]; (a, _) = (a * b, 1); a * 2.0 + b }
fn deferred(x: f64, y: f64) -> f64 { let z; if x > y { z = x * y; } else { z = y - x; } let mut w; w = z * z; w += x; w * z }
fn deferred_mut(x: f64, y: f64) -> f64 { let mut w; if x > 1.0 { w = x; } else { w = y * y; w *= x; } w = w * w; w }
fn if_value_nested(x: f64, y: f64) -> f64 { let a = if x > 0.0 { let q = x * x; if q > 2.0 { q } else { q * y } } else { match 3 { 1 => x, _ => { let z = y * x; z + 1.0 } } }; a * x }
fn block_value(x: f64, y: f64) -> f64 { let a = { let mut b = x; b *= y; b }; let c = { a }; a * c }
fn match_int(x: f64, y: f64) -> f64 { let mut s = 0.0; for i in -2i32..6 { s += match i { i32::MIN..=-1 => x, 0 => y, 1 | 2 => x * y, n if n % 2 == 0 => x * n as f64, n => y * n as f64 }; } s }
fn match_guard(x: f64, y: f64) -> f64 { match (x, y) { (a, _) if a < 0.0 => a * a, (a, b) if a > b => a * a * b, (a, b) => a * b * b } }
fn match_bind_mut(x: f64, y: f64) -> f64 { match (x * y, x) { (mut a, b) if b > 0.5 => { a *= b; a } (a, mut b) => { b += a; b * b } } }
fn match_ref(x: f64, y: f64) -> f64 { let mut a = [x, y]; match &mut a { [p, q] => { *p *= *q; *q += *p; } } a[0] * a[1] }
fn ref_mut(x: f64, y: f64) -> f64 { let mut t = (x, y); { let (ref mut p, ref q) = t; *p = *p * *q; } t.0 * t.1 }
fn option(x: f64, y: f64) -> f64 { let o = if x > 1.0 { Some(x * y) } else { None }; let mut s = y; if let Some(v) = o { s += v * v; } match o { Some(v) if v > 0.5 => s * v, Some(_) => s, None => s * y * y } }
fn option_methods(x: f64, y: f64) -> f64 { let o = Some(x * y); let n: Option<f64> = if x > 0.0 { None } else { Some(y) }; let mut s = o.unwrap() * n.unwrap_or(x * x); if o.is_some() && n.is_none() { s *= x; } s }
fn let_else(x: f64, y: f64) -> f64 { let o = if x > 1.0 { Some(x) } else { None }; let Some(v) = o else { return y * y; }; v * y }
fn if_chain(x: f64, y: f64) -> f64 { let o = if x > 0.0 { Some(x * y) } else { None }; if let Some(v) = o && v > 0.5 && let Some(w) = Some(v * x) { v * w } else { y * x } }
fn while_let_pop(x: f64, y: f64) -> f64 { let mut v = vec![x, y, x * y]; let mut s = 1.0; while let Some(e) = v.pop() { s = s * e + x; if v.len() == 1 { v.push(y); v.push(s); v.truncate(2); let _ = v.pop(); break; } } s + v[0] }
fn pop_forms(x: f64, y: f64) -> f64 { let mut v = vec![x, y, x * y, x + y]; let a = v.pop().unwrap(); let b = v.pop(); let c = if let Some(c) = v.pop() { c } else { 1.0 }; let d = match v.pop() { Some(d) => d, None => 2.0 }; let e = v.pop(); a * b.unwrap() + c * d * a + e.unwrap_or(y) }
fn loop_value(x: f64, y: f64) -> f64 { let mut k = 0; let a = loop { k += 1; if k == 3 { break x * y; } if k > 5 { break y; } }; let b = 'l: { if x > 1.0 { break 'l x * x; } if y > 1.0 { break 'l y; } x + y }; a * b }
fn while_side(x: f64, y: f64) -> f64 { let mut s = x; let mut k = 0; while { s *= y; k += 1; k < 4 } { s += x; } s }
fn short_circuit(x: f64, y: f64) -> f64 { let mut s = x; if x > 0.0 && { s = s * y; s > 0.0 } { s += 1.0; } if y > 5.0 || { s *= x; s < 1.0 } { s * y } else { s } }
fn ranges(x: f64, y: f64) -> f64 { let mut s = 0.0; for i in (0..=3).rev() { s = s * x + i as f64; } for i in (1..10).step_by(3) { s += y * i as f64; } for i in (0..7usize).step_by(2).rev() { s *= 1.0 + 0.1 * i as f64 * y; } for _ in 5..2 { s = 0.0; } for i in 250..=255u8 { s += x * i as f64; } s }
fn bounds_change(x: f64, y: f64) -> f64 { let mut n = 3; let mut s = 1.0; for i in 0..n { n += 1; s *= x + i as f64; } s * y + n as f64 }
fn for_mut(x: f64, y: f64) -> f64 { let mut s = 1.0; for mut i in 0..4 { i *= 2; s += x * i as f64; s *= y; } s }
fn iter_forms(x: f64, y: f64) -> f64 { let a = [x, y, x * y]; let v = vec![y, x]; let mut s = 0.0; for e in a { s += e * e; } for e in &a { s += *e * 2.0; } for &e in a.iter() { s *= e; } for (i, e) in v.iter().enumerate() { s += e * i as f64; } for (p, q) in a.iter().zip(&v) { s += p * q; } for (i, (p, &q)) in a.iter().zip(v.iter()).enumerate().rev() { s += p * q * i as f64; } for e in v { s -= e; } s }
fn iter_mut(x: f64, y: f64) -> f64 { let mut a = [x, y, x * y, 1.0]; for (i, e) in a.iter_mut().enumerate() { *e *= x + i as f64; } for e in &mut a { *e += y; } for (p, q) in a.iter_mut().zip([y, x]) { *p -= q * *p; } a[0] * a[1] + a[2] * a[3] }
fn iter_adapters(x: f64, y: f64) -> f64 { let a = [x, y, x * y, x + y, x - y]; let mut s = 0.0; for e in a.iter().skip(1).take(3) { s = s * x + e; } for e in a.iter().step_by(2) { s += e * y; } for e in a.iter().rev().skip(1).step_by(2) { s = s * 0.5 + e * e; } for w in a.windows(2) { s += w[0] * w[1]; } for c in a.chunks(2) { s *= 1.0 + c[0] * c[c.len() - 1]; } for c in a.chunks_exact(2) { s += c[0] - c[1]; } for (i, c) in a.windows(3).rev().enumerate() { s += c[2] * i as f64; } s }
fn chunks_mut(x: f64, y: f64) -> f64 { let mut a = [x, y, x * y, x + y, x - y]; for c in a.chunks_mut(2) { c[0] *= x; if c.len() > 1 { c[1] += c[0]; } } a[0] + a[1] * a[2] + a[3] * a[4] }
fn sums(x: f64, y: f64) -> f64 { let a = [x, y, x * y]; let s: f64 = a.iter().sum(); let p = a.iter().product::<f64>(); let q: f64 = a.iter().map(|v| v * v + x).sum(); let r: f64 = (0..3).map(|i| a[i] * i as f64).sum(); let t = a.iter().zip(a.iter().rev()).map(|(p, q)| p * q).sum::<f64>(); s * p + q * r + t }
fn folds(x: f64, y: f64) -> f64 { let a = [x, y, x * y]; let m = a.iter().copied().fold(f64::NEG_INFINITY, f64::max); let n = a.iter().fold(0.0, |acc, v| acc * x + v); let (p, q) = a.iter().enumerate().fold((0.0, 1.0), |(s, t), (i, v)| (s + v * i as f64, t * v)); let k = a.iter().map(|v| v.sin()).fold(0.0, |s: f64, v| s.max(v)); m + n * p + q * k }
fn for_each(x: f64, y: f64) -> f64 { let mut a = [x, y, 2.0]; let mut s = 0.0; a.iter_mut().for_each(|v| *v *= y); a.iter().for_each(|v| { s += v * x; }); s * a[0] }
fn views(x: f64, y: f64) -> f64 { let m = [x, y, x * y, x + y, 2.0, y * y]; let mut s = 0.0; for i in 0..2 { let row = &m[i * 3..(i + 1) * 3]; let sub = &row[1..]; s += row[0] * sub[0] + sub[1]; } let mut i = 1; let e = &m[i]; i = 4; s * *e + m[i] }
fn mut_views(x: f64, y: f64) -> f64 { let mut m = [[x, y], [x * y, 1.0]]; { let row = &mut m[1]; row[0] += 2.0 * row[1]; let e = &mut row[1]; *e *= x; *e += 1.0; } let (p, q) = (&m[0], &m[1]); p[0] * q[0] + p[1] * q[1] }
fn ref_swap(x: f64, y: f64) -> f64 { let mut a = [x, y]; let mut b = [y, 1.0]; let (mut p, mut q) = (&mut a, &mut b); for _ in 0..3 { q[0] = p[0] * p[1] + x; q[1] += p[0]; std::mem::swap(&mut p, &mut q); } p[0] * q[1] + q[0] }
fn ref_walk(x: f64, y: f64) -> f64 { let v = [x, y, x * y, 3.0]; let mut s = 0.0; let mut r: &[f64] = &v; while !r.is_empty() { s = s * x + r[0]; r = &r[1..]; } s }
fn ref_choice(x: f64, y: f64) -> f64 { let (mut a, mut b, mut c) = (x, y, x * y); for i in 0..5 { let t = match i % 3 { 0 => &mut a, 1 => &mut b, _ => &mut c }; *t = *t * x + i as f64; } *(if x > y { &mut a } else { &mut b }) *= y; a * b + c }
fn ref_deferred(x: f64, y: f64) -> f64 { let v = [x, y, x * y]; let r; if x > y { r = &v[0..2]; } else { r = &v[1..3]; } r[0] * r[1] + r.iter().sum::<f64>() }
fn ref_elem_choice(x: f64, y: f64) -> f64 { let mut v = [x, y, x * y]; let mut w = [y, y, x]; let mut best = &v[0]; for i in 1..3 { if v[i] > *best { best = &v[i]; } if w[i] > *best { best = &w[i]; } } *best * x }
fn swaps(x: f64, y: f64) -> f64 { let mut v = vec![x, y, x * y]; let mut w = vec![1.0, y]; v.swap(0, 2); std::mem::swap(&mut v[1], &mut w[0]); std::mem::swap(&mut v, &mut w); let old = std::mem::replace(&mut v[0], x * x); let t = std::mem::take(&mut w); v[0] * v[1] + old * t[0] + t[1] * t[2] + w.len() as f64 }
fn vec_ops(x: f64, y: f64) -> f64 { let mut v = Vec::with_capacity(4); v.push(x); v.push(v[0] * y); v.push(v.len() as f64 * x); let w = v.clone(); v.fill(y); v[1] = w[2]; let mut u = vec![0.0; 3]; u.copy_from_slice(&w); u[0] *= v[1]; let t = u[1..].to_vec(); v.clear(); v.push(t[1]); t[0] * u[0] + v[0] * w[1] }
fn math(x: f64, y: f64) -> f64 { let (s, c) = x.sin_cos(); s * y.cosh() + c * f64::exp(x * 0.3) + x.abs().sqrt() + (x * x + 1.0).ln() + f64::hypot(x, y) + x.atan2(y) + (x.powi(3) - y.powi(2)).tanh() + f64::max(x, y) * x.min(y) + x.mul_add(y, 2.0) + (x * x).powf(1.5) + x.clamp(-1.0, 2.0) + (x * 0.2).asin() }
fn no_gradient(x: f64, y: f64) -> f64 { let k = no_gradient({ let t = 3.0; t * 2.0 }); let b = no_gradient(5.0_f64.to_bits() as f64) * 1e-18; x * k + y * b + x * y }
fn int_work(x: f64, y: f64) -> f64 { let mut idx: Vec<usize> = vec![2, 0, 1]; idx.sort(); idx.reverse(); let n = idx.iter().filter(|&&k| k > 0).count(); let m = idx.iter().max().unwrap(); let a = [x, y, x * y]; let mut s = 0.0; for (i, &k) in idx.iter().enumerate() { s += a[k] * (i as f64 + 1.0); } for k in &idx { s *= a[*k]; } s + n.pow(2) as f64 * x + a[*m] * y + idx.len().min(2) as f64 }
fn asserts(x: f64, y: f64) -> f64 { let n = 3; let w = 8; assert!(n < 10, "n = {n}, x = {x:w$.2} {}", y); assert_eq!(n + 1, 4); debug_assert!(x.is_finite() && y > -100.0); let z = x * y; if z > 1e9 { panic!("too large: {z:?}"); } let v = vec![z]; assert!(v.iter().all(|e| e.is_finite()), "{v:?}"); v[0] * x }
fn matches(x: f64, y: f64) -> f64 { let op = if x > 1.0 { Op::Add } else if y > 1.0 { Op::Sub } else { Op::Mul }; let mut s = if matches!(op, Op::Add | Op::Sub) { x } else { y }; if op == Op::Mul { s *= x; } match op { Op::Add => s + y, Op::Sub => s - y * x, Op::Mul => s * y } }
fn consts(x: f64, y: f64) -> f64 { const K: f64 = 2.5; let mut s = GLOBAL * x; for k in 0..4 { s += TABLE[k] * y * (k as f64 + x); } s * K + std::f64::consts::PI * x + f64::EPSILON + N as f64 * y }
fn nested_fn(x: f64, y: f64) -> f64 { #[gradient] fn sq(a: f64) -> f64 { a * a } #[gradient] fn scale(v: &mut [f64], k: f64) -> f64 { let mut s = 0.0; for e in v.iter_mut() { *e *= k; s += *e; } s } let mut v = [x, y, x * y]; let t = scale(&mut v[1..], sq(y)); let u = scale(&mut v, t) + sq(v[0]) * v[2]; u }
fn early(x: f64, y: f64) -> f64 { let mut s = x; for i in 0..4 { if s > 8.0 { return s * y; } for j in 0..3 { if s < -5.0 { return s - y; } s = s * 1.2 + y * j as f64; } s += i as f64; } s * x }
fn labels(x: f64, y: f64) -> f64 { let mut s = x; 'a: for i in 0..5 { let mut j = 0; 'b: loop { j += 1; s += y * j as f64; if j == 3 { continue 'a; } if s > 20.0 { break 'a; } if i == 2 { break 'b; } while true { s *= 1.1; if s > 1.0 { continue 'b; } break; } } s *= x; } s }
fn vec_of_vec(x: f64, y: f64) -> f64 { let mut m = vec![vec![x; 2]; 3]; for i in 0..3 { for j in 0..2 { m[i][j] *= y + (i * j) as f64; } m[i].push(x * i as f64); } let mut s = 0.0; for row in &m { for (j, v) in row.iter().enumerate() { s += v * v * j as f64; } } s + m[1][2] }
fn index_data(x: f64, y: f64) -> f64 { let p = [2usize, 0, 1]; let mut a = [x, y, x * y]; for i in 0..3 { a[p[i]] += a[p[p[i]]] * x; a[p[i]] *= 0.5; } a[0] * a[1] * a[2] }
fn neg_lit(x: f64, y: f64) -> f64 { let a = -2.0 * x; let b = -x.powi(2); let c = (-x).abs(); a * b - -c * -(y - -1.0) }
fn cast(x: f64, y: f64) -> f64 { let k = (x * y) as i32; let f = x as f32; let g = f as f64; let h = f64::from(3i32) * f64::from(2.0f32); k as f64 * y + (g - g) + x * h }
fn unit_block(x: f64, y: f64) -> f64 { let mut a = x; { a *= y; } let () = { a += 1.0; }; if a > 0.0 {} else { a = -a; } a * x }
fn copy_array(x: f64, y: f64) -> f64 { let mut a = [x, y]; let b = a; a[0] = 5.0; let mut s = 0.0; for e in a { a[1] = 7.0; s += e * x; } b[0] * b[1] + a[1] * s }
fn slice_pattern(x: f64, y: f64) -> f64 { let a = [x, y, x * y, 4.0]; let [p, q, ..] = a; let [first, mid @ .., last] = &a; let s: &[f64] = &a; let r = match s { [a, b] => a * b, [a, .., z] => *a * *z, _ => 0.0 }; p * q + first * last + mid[0] * mid[1] + r }
fn struct_like(x: f64, y: f64) -> f64 { let t = ((x, y), [x * y]); let ((a, b), [c]) = t; let u = &t; let (q, r) = u; q.0 * q.1 + r[0] * a * b * c }
fn f32(x: f64, y: f64) -> f64 { let a = 2.0f32; let b = a * 3.0; let n = 7u8 as f32; (b + n) as f64 * x + y }
fn checkpoint(x: f64, y: f64) -> f64 { let mut s = x; #[checkpoint] for i in 0..3 { s = s * y + (i as f64) * s.sin(); } let z = #[checkpoint] { let t = s * x; t.exp() * 0.01 }; #[checkpoint] { s += z * z; } s * z }
fn first_last(x: f64, y: f64) -> f64 { let mut v = vec![x, y, x * y]; *v.last_mut().unwrap() *= x; let f = v.first().unwrap(); let l = v.last().unwrap(); *f * l + f.sin() }
fn expr_stmts(x: f64, y: f64) -> f64 { let mut a = x; a * y; (a, y); if a > 0.0 { a } else { y }; match 1 { _ => a }; a += y; a }
fn range_types(x: f64, y: f64) -> f64 { let n: i64 = 3; let mut s = 0.0; for i in -n..=n { s += x * (i as f64) * (i as f64); } for (i, k) in (0..4usize).zip(1..) { s += y * (i * k) as f64; } s }
fn and_mut(x: f64, y: f64) -> f64 { let mut b = true; let mut s = x; b &= s > 0.0; b = b && y > 0.0 || !b; if b { s *= y } else { s += y } let mut k = 5u32; k <<= 1; k %= 7; k ^= 1; s * k as f64 }
fn guard_mut(x: f64, y: f64) -> f64 { let mut acc = x; let v = [3, 1, 2]; for k in v { acc = match k { 1 if acc > y => acc * y, 1 | 2 => acc + y, _ if acc < 0.0 => acc - 1.0, _ => acc * acc }; } acc }

fn h_sq(e: &mut f64) -> f64 { *e = *e * *e; *e }
fn h_pair(x: f64, y: f64) -> (f64, f64) { (x / (2.0 + y * y), x * y) }
fn h_arr(x: f64) -> [f64; 3] { [x, x * x, 1.0] }
fn h_vec(x: f64, n: usize) -> Vec<f64> { let mut v = vec![1.0; n]; for i in 1..n { v[i] = v[i - 1] * x; } v }
fn h_rec(a: &[f64], n: usize, v: &mut [f64]) -> f64 { if n <= 1 { return a[0] * v[0]; } let mut res = 0.0; for i in 0..n { v[0] += a[i] * 0.1; res += h_rec(a, n - 1, v); } res }
fn h_even(n: u32, x: f64) -> f64 { if n == 0 { x } else { x * h_odd(n - 1, x) } }
fn h_odd(n: u32, x: f64) -> f64 { if n == 0 { 1.0 } else { h_even(n - 1, x) + x } }
fn h_dot(a: &[f64], b: &[f64]) -> f64 { a.iter().zip(b).map(|(p, q)| p * q).sum() }
fn h_axpy<const M: usize>(k: f64, a: &[f64; M], b: &mut [f64; M]) { for i in 0..M { b[i] += k * a[i]; } }
fn h_opt(o: Option<f64>, d: &f64) -> f64 { match o { Some(v) => v * *d, None => d * d } }
fn h_unit(v: &mut Vec<f64>, x: f64) { v.push(x); if v.len() > 3 { v.clear(); return; } v[0] *= x; }
fn h_mutparam(mut x: f64, mut v: Vec<f64>) -> f64 { v[0] *= x; x += v[0]; v.push(x); v.iter().sum::<f64>() * x }
fn h_tuple_param((a, b): (f64, f64), [c, d]: [f64; 2], &e: &f64) -> f64 { a * c + b * d * e }
fn h_walk(mut a: &[f64], k: f64) -> f64 { let mut s = 0.0; while let [first, rest @ ..] = a { s = s * k + first; a = rest; } s }
fn h_walk2<'a>(mut a: &'a [f64], mut b: &'a [f64]) -> f64 { let mut s = 0.0; for _ in 0..2 { std::mem::swap(&mut a, &mut b); s += a[0] * b[1]; b = &b[1..]; s *= b[0]; } s }
fn h_mutslice(mut a: &mut [f64], k: f64) { let n = a.len(); for i in 0..n { a[i] *= k; } if n > 2 { a = &mut a[1..]; a[0] += k * a[1]; } a[0] -= 1.0; }
fn h_const(#[constant] w: &[f64], x: f64) -> f64 { let mut s = 0.0; for (i, k) in w.iter().enumerate() { s += k * x.powi(i as i32); } s }
fn h_mat(a: &[[f64; 2]; 2], v: &[Vec<f64>]) -> f64 { let mut s = 0.0; for (row, w) in a.iter().zip(v.iter()) { for (p, q) in row.iter().zip(w) { s += p * q * q; } } s }
fn h_refarg(a: &f64, b: &f64) -> f64 { a * b + *a }

fn mutating_callee(x: f64, y: f64) -> f64 { let mut v = [x, y, x * y]; let mut r = 0.0; for i in 0..v.len() { r += h_sq(&mut v[i]) * y; } let mut a = x; let t = a * h_sq(&mut a) + a; let u = h_sq(&mut a) - a * t; r + v[0] * v[1] + u }
fn tuple_result(x: f64, y: f64) -> f64 { let (q, r) = h_pair(x, y); let p = h_pair(q, r); let (ref s, mut t) = p; t *= *s; let (a, b); (a, b) = h_pair(t, x); q * r + p.0 * p.1 + t + a * b + h_pair(x, y).1 }
fn array_result(x: f64, y: f64) -> f64 { let a = h_arr(x); let [b, c, d] = h_arr(y); let mut e = h_arr(x * y); e[1] *= a[1]; let mut s = 0.0; for k in 0..3 { s += a[k] * e[k]; } s + b * c + d + h_arr(s * 0.01)[1] }
fn vec_result(x: f64, y: f64) -> f64 { let v = h_vec(x, 4); let w: Vec<f64> = h_vec(y, 3); h_dot(&v, &w) + h_dot(&v[1..], &v) + h_dot(&h_vec(y, 2), &[x, y]) }
fn recursion(x: f64, y: f64) -> f64 { let mut v = [y]; let a = [x, 2.0, y]; h_rec(&a, a.len(), &mut v) + h_even(5, x) * h_odd(4, y) + v[0] }
fn const_generic(x: f64, y: f64) -> f64 { let a = [x, y]; let mut b = [1.0, x]; h_axpy(y, &a, &mut b); h_axpy::<2>(x, &a, &mut b); let a2 = b; h_axpy(2.0, &a2, &mut b); b[0] * b[1] }
fn option_arg(x: f64, y: f64) -> f64 { let o = if x > y { Some(x * y) } else { None }; h_opt(o, &x) + h_opt(Some(y), &(x * y)) }
fn vec_param(x: f64, y: f64) -> f64 { let mut v = vec![x]; h_unit(&mut v, y); h_unit(&mut v, x * y); let s: f64 = v.iter().sum(); h_unit(&mut v, s); v.push(x); v.len() as f64 * x + v[0] + s * s + h_mutparam(x, vec![y, x]) }
fn patterns_param(x: f64, y: f64) -> f64 { h_tuple_param((x, y), [y, x * y], &x) }
fn walks(x: f64, y: f64) -> f64 { let v = [x, y, x * y]; let w = [y, 2.0, x, 1.0]; let mut m = vec![x, y, 2.0, x]; h_mutslice(&mut m, y); h_mutslice(&mut m[2..], x); h_walk(&v, x) + h_walk2(&v, &w) + m[0] * m[1] + m[2] - m[3] }
fn constants(x: f64, y: f64) -> f64 { h_const(&[1.0, 2.0, 0.5], x) * y }
fn matrix(x: f64, y: f64) -> f64 { let v = vec![vec![x, y], vec![y]]; h_mat(&[[x, 1.0], [y, x]], &v) + h_refarg(&x, &x) * h_refarg(&v[0][1], &(x + 1.0)) }
fn call_order(x: f64, y: f64) -> f64 { let mut a = x; let r = h_pair(a, { a = y * a; a }).1 + h_refarg(&a.clone(), &{ a *= 2.0; a }.sin()) * a; r }
fn call_in_cond(x: f64, y: f64) -> f64 { let mut a = x; let mut s = 0.0; while h_sq(&mut a).abs() < 30.0 && s < 10.0 { s += a * y; a += 0.7; if h_refarg(&a, &y) > 3.0 { s *= 1.1; } } if h_pair(x, y).0 > 0.1 && h_sq(&mut s) > 1.0 { s += a; } s }
fn same_array_twice(x: f64, y: f64) -> f64 { let v = [x, y]; let w = &v; h_dot(&v, &v) * h_dot(w, &w[..]) + h_dot(&v[..1], &v[1..]) }
fn sum_types(x: f64, y: f64) -> f64 { let idx = [2usize, 0, 1]; let n: usize = idx.iter().sum(); let m = idx.iter().map(|k| k * 2).sum::<usize>(); let p: usize = (1..4).product(); let c = (0..10).filter(|k| k % 3 == 0).count(); x * n as f64 + y * (m + p + c) as f64 }
fn closure_block(x: f64, y: f64) -> f64 { let a = [x, y, x + y]; let s: f64 = a.iter().enumerate().map(|(i, v)| { let w = v * y; if i == 1 { w * w } else { w + x } }).sum(); let m = a.iter().map(|v: &f64| -> f64 { v.exp() * 0.1 }).sum::<f64>(); let k = a.iter().fold(f64::INFINITY, |m, &v| m.min(v)); s * m + k }
fn neg_zero(x: f64, y: f64) -> f64 { let e: [f64; 0] = []; let s: f64 = e.iter().sum(); let p: f64 = e.iter().product(); x * p + y + if s.is_sign_negative() { x } else { y } }
fn dead_code(x: f64, y: f64) -> f64 { let d = (-x / y * 9.0).acos(); let _ = d; let _unused = x.ln(); if false { return d; } x * y }
fn divergence(x: f64, y: f64) -> f64 { let a = if x > 100.0 { panic!("no") } else if x > 1.0 { x } else { return y * x }; let b = match 2 { 1 => unreachable!(), 2 => a * y, _ => todo!() }; let c = loop { if b > 1e6 { return b; } break b * a; }; c }
fn diverge_mid(x: f64, y: f64) -> f64 { if x > 1.0 { return { let z = x * x; z * y }; } let s = x * { if y > 3.0 { return y; } y }; s + { if x < 0.0 { return s * s; } 1.0 } }
fn string_passive(x: f64, y: f64) -> f64 { let name = "abc"; let n = name.len(); let label = format!("n = {n}"); let k = label.len(); let c = 'z'; let b = c.is_alphabetic(); x * k as f64 + if b { y } else { x } }
fn tables(x: f64, y: f64) -> f64 { const W: [[f64; 2]; 2] = [[1.0, 2.0], [3.0, 4.0]]; const IDX: [usize; 3] = [2, 0, 1]; let mut s = 0.0; for i in 0..2 { for j in 0..2 { s += W[i][j] * x * (i + j) as f64; } } let a = [x, y, 1.0]; for k in IDX { s += a[k] * y; } for w in W.iter() { s *= 1.0 + w[0] * 0.1; } for (i, w) in TABLE.iter().enumerate() { s += w * x * i as f64; } s + TABLE.iter().sum::<f64>() * y + TABLE[IDX[1]] * x }
fn view_of_view(x: f64, y: f64) -> f64 { let mut m = [[[x, y], [1.0, x * y]], [[y, 2.0], [x, x]]]; { let a = &mut m[1]; let b = &mut a[0]; let c = &mut b[1]; *c *= x; b[0] += *(&b[1]); } let r = &m; let q = &r[1]; let p = &&q[0]; p[0] * p[1] + r[0][1][1] }
fn nested_tuple_refs(x: f64, y: f64) -> f64 { let (a, b) = (x * y, [x, y]); let t = (&a, &b, 3.0); let (p, q, r) = t; let u = (t.1)[1]; *p * q[0] * r + u * *t.0 }
fn tuple_ref_choice(x: f64, y: f64) -> f64 { let (mut a, mut b) = (x, y); let (t, u) = if x > y { (&mut a, &mut b) } else { (&mut b, &mut a) }; *t *= *u; *u += *t * 2.0; a * b }
fn labelled_value(x: f64, y: f64) -> f64 { let r = 'o: loop { let mut k = 0; loop { k += 1; if x * k as f64 > 2.0 { break 'o x * y; } if k > 3 { break 'o y * y * k as f64; } } }; r * x }
fn assign_in_args(x: f64, y: f64) -> f64 { let mut a = [x, y, 1.0]; let mut i = 0; let v = a[{ i += 1; i }] * a[i] + a[i - 1]; a[{ i += 1; i }] = { a[0] *= 2.0; a[i] } + v; a[0] * a[2] }
fn range_inclusive_slice(x: f64, y: f64) -> f64 { let v = vec![x, y, x * y, x + y]; let n = v.len(); let a = &v[1..=2]; let b = &v[..n - 1]; let c = &v[..]; let d = &b[1..][..1]; a[0] * a[1] + b[2] * c[3] + d[0] }
fn copy_semantics(x: f64, y: f64) -> f64 { let mut a = vec![x, y]; let mut b = a.clone(); b[0] *= 2.0; let c = (a[0], b[0]); a = b; a[1] = c.0 * c.1; let mut d = [a[0]; 3]; d[1] = y; let e = [d, [x; 3]]; e[0][1] * e[1][2] + a[1] * d[0] }
fn while_complex(x: f64, y: f64) -> f64 { let mut v = vec![x]; while v.len() < 5 && { let n = v.len(); v[n - 1] < 50.0 } { let k = v.len() - 1; v.push(v[k] * 1.5 + y * y); } v.iter().sum::<f64>() }
fn bool_select(x: f64, y: f64) -> f64 { let pos = x > 0.0; let big = !pos || y * y > 1.0; let s = (pos as i32 + big as i32) as f64; let k = pos == big; if k ^ pos { x * s } else { y * s + x } }
fn match_tuple_mixed(x: f64, y: f64) -> f64 { let mut s = 0.0; for i in 0..4usize { s += match (i, x > y, [x, y]) { (0, _, [a, _]) => a, (1, true, [a, b]) | (2, false, [b, a]) => a * b * b, (n @ 1..=2, _, arr) => arr[n - 1] * n as f64, (_, flag, _) if flag => s * 0.5, _ => s }; } s }
fn if_let_ref(x: f64, y: f64) -> f64 { let mut o = Some(x); if let Some(v) = &mut o { *v *= y; } if let Some(ref mut v) = o { *v += 1.0; } if let Some(v) = o.as_mut() { *v *= 2.0; } match &o { Some(v) if *v > 0.0 => v * y, Some(v) => *v, None => 0.0 } }
fn shadow_loop(x: f64, y: f64) -> f64 { let mut s = 0.0; for x in [x, y] { let y = x * x; s += y; for x in 0..2 { let y = y * x as f64; s += y; } } s * x }
fn item_names(x: f64, y: f64) -> f64 { let h_sq = x * y; fn helper(k: usize) -> f64 { k as f64 * 0.5 } let w = helper(3); { let helper_ = 1; } h_sq * w }
fn math_paths(x: f64, y: f64) -> f64 { let a = f64::powf(x.abs(), 1.3); let b = <f64>::atan2(y, x); let c = core::primitive::f64::sqrt(y * y + 1.0); let d = f64::mul_add(x, y, c); let (s, t) = f64::sin_cos(d); let e = std::cmp::max(3, 2) as f64; let f = usize::min(4, 2) as f64; let g = f64::from(2u8); a * b + s * t + e * f * g + f64::MAX.min(x) }

fn h_two(a: &mut f64, b: &mut [f64]) -> f64 { *a += b[0]; b[1] *= *a; *a * b[1] }
fn h_pick<'a>(a: &'a [f64], b: &'a [f64], k: usize) -> f64 { let t = if k % 2 == 0 { a } else { b }; let u = &t[k % 2..]; u[0] * t[t.len() - 1] }
fn h_f32(x: f32, n: i32) -> f32 { let mut s = 0.5; for i in 0..n { s += x.sin() * i as f32; s *= 0.9; } let v: Vec<f32> = vec![x, s]; v.iter().map(|e| e * e).sum::<f32>() }
fn h_inout_ref(v: &mut Vec<f64>, k: f64) -> usize { let n = v.len(); for e in v.iter_mut() { *e = *e * k + 1.0; } v.push(k); n }
fn h_bool(x: f64, y: f64) -> bool { x > y }
fn h_nothing(x: f64) { let _ = x; }
fn h_zip3(a: &[f64], b: &[f64], c: &mut [f64]) { for ((p, q), r) in a.iter().zip(b.iter()).zip(c.iter_mut()) { *r += p * q; } }
fn h_matmul<const A: usize, const B: usize>(m: &[[f64; B]; A], v: &[f64; B]) -> [f64; A] { let mut r = [0.0; A]; for (i, row) in m.iter().enumerate() { r[i] = row.iter().zip(v.iter()).map(|(p, q)| p * q).sum(); } r }
fn h_stack(x: f64, ops: &[u8]) -> f64 { let mut st: Vec<f64> = Vec::new(); for op in ops { match *op { b'x' => st.push(x), b'2' => st.push(2.0), b'*' => { let b = st.pop().unwrap(); let a = st.pop().unwrap(); st.push(a * b); } b'+' => { let (b, a) = (st.pop().unwrap(), st.pop().unwrap()); st.push(a + b); } _ => return st[0] } } st.pop().unwrap_or(0.0) }
fn h_newton(a: f64) -> f64 { let mut x = a; let mut n = 0; while (x * x - a).abs() > 1e-12 && n < 50 { x = 0.5 * (x + a / x); n += 1; } x }
fn h_gcd(x: f64, mut a: u64, mut b: u64) -> f64 { while b != 0 { (a, b) = (b, a % b); } x * a as f64 }
fn h_bisect(v: &[f64], t: f64) -> f64 { let (mut lo, mut hi) = (0, v.len() - 1); while hi - lo > 1 { let mid = (lo + hi) / 2; if v[mid] <= t { lo = mid } else { hi = mid } } let w = (t - v[lo]) / (v[hi] - v[lo]); v[lo] * (1.0 - w) + v[hi] * w * w }
fn h_grid(g: &mut [Vec<f64>], k: f64) { for row in g.iter_mut() { for c in row.iter_mut() { *c *= k; } row.swap(0, 1); } let n = g.len(); for i in 1..n { for j in 0..g[i].len() { g[i][j] += g[i - 1][j] * k; } } }

fn refs(x: f64, y: f64) -> f64 { let v = [x, y, x * y]; let w = [y, x, 1.0]; let mut s = 0.0; for k in 0..3 { s += h_pick(&v, &w, k); } let mut a = x; let mut b = [y, x, 2.0]; s += h_two(&mut a, &mut b[1..]); s += h_two(&mut b[0].clone(), &mut [a, s]); s + a * b[2] }
fn f32(x: f64, y: f64) -> f64 { let a = 1.5f32; let b = h_f32(a, 3); x * y + 2.0 * x }
fn grid(x: f64, y: f64) -> f64 { let mut g = vec![vec![x, y], vec![y, 1.0], vec![2.0, x]]; h_grid(&mut g, y); let n: usize = h_inout_ref(&mut g[1], x); g[1][2] * g[2][0] + g[1][0] * n as f64 + g[0][1] }
fn matmul(x: f64, y: f64) -> f64 { let r = h_matmul(&[[x, y], [1.0, x], [y, y]], &[y, x * x]); let mut c = [0.0; 2]; h_zip3(&r, &[x, 1.0], &mut c); h_zip3(&r[1..], &r, &mut c); c[0] * c[1] + r[2] }
fn stack(x: f64, y: f64) -> f64 { h_stack(x, b"x2*x+") * h_stack(y, b"xx*?") + h_stack(x, &[b'2', b'x', b'+', b'x', b'*']) }
fn newton(x: f64, y: f64) -> f64 { h_newton(x * x + 1.0) * h_gcd(y, 12, 18) + h_bisect(&[0.0, 1.0, x.abs() + 1.0, 9.0], 2.0 + 0.1 * y) }
fn ref_to_ref(x: f64, y: f64) -> f64 { let a = x * y; let r = &a; let s = &r; let t = **s * *r; let u: &&f64 = &&a; t + **u }
fn ref_loop_choice(x: f64, y: f64) -> f64 { let mut a = vec![x, 1.0, y]; let mut b = vec![y, x, 2.0]; for i in 0..4 { let (src, dst) = if i % 2 == 0 { (&a, &mut b) } else { (&b, &mut a) }; for k in 0..3 { dst[k] += src[(k + i) % 3] * 0.3; } dst[0] *= src.len() as f64 * x * 0.3; } a[0] * b[1] + a[2] }
fn ref_push(x: f64, y: f64) -> f64 { let mut a = vec![x]; let mut b = vec![y, 2.0]; for i in 0..3 { let t = if i == 1 { &mut a } else { &mut b }; let n = t.len(); t.push(x * i as f64); t[0] *= t[n] + y; let k = t.pop().unwrap(); t.push(k * k); } a.iter().sum::<f64>() * b[b.len() - 1] + b[0] }
fn ref_calls(x: f64, y: f64) -> f64 { let (mut a, mut b) = ([x, y], [y, 2.0]); let mut s = 0.0; for i in 0..3 { let t = if i == 1 { &mut a } else { &mut b }; s += h_two(&mut x.clone(), t); s += h_two(&mut t[0], &mut [x, y]) * t[1]; } s + a[0] * b[1] }
fn ref_reassign_nested(x: f64, y: f64) -> f64 { let m = [[x, y], [y, 1.0], [x * y, x]]; let mut r = &m[0]; let mut e = &r[0]; for i in 1..3 { if r[0] < m[i][0] { r = &m[i]; e = &r[i - 1]; } } r[1] * *e + r[0] }
fn linked_indices(x: f64, y: f64) -> f64 { let next = [2usize, 0, 3, 3]; let val = [x, y, x * y, 1.0]; let mut i = 1; let mut s = 1.0; while next[i] != i { s = s * val[i] + 1.0; i = next[i]; } s * val[i] }
fn hygiene_like(x: f64, y: f64) -> f64 { let result = x; let value = y; let k = 2; let mut acc = result * value; for _ in 0..k { acc += result; } let index = 1; let a = [acc, value]; let len = a.len(); let sum: f64 = a.iter().sum(); sum * a[index] + len as f64 }
fn block_scopes(x: f64, y: f64) -> f64 { let a = x; let b = { let a = a * y; let c = { let a = a + 1.0; a * x }; a * c }; let a = a + b; { let b = 3.0; let _ = b; } a * b }
fn if_else_chain(x: f64, y: f64) -> f64 { let k = if x < 0.0 { 0 } else if x < 1.0 { 1 } else if x < 2.0 { 2 } else { 3 }; let s = match k { 0 => { let t = -x; t * t } 1 => x, 2 if y > 0.0 => x * y, 2 => return x - y, _ => y * y }; s * s + x }
fn loop_carried_array(x: f64, y: f64) -> f64 { let mut a = [x; 4]; for i in 0..4 { a[i] *= y + i as f64; } for _ in 0..2 { for i in 1..3 { a[i] = (a[i - 1] + a[i + 1]) * 0.5 * x; } a[0] = a[3]; let t = a[1]; a[1] = a[2]; a[2] = t; a.swap(0, 3); } a[0] + a[1] * a[2] - a[3] }
fn copy_within_body(x: f64, y: f64) -> f64 { let mut a = [x, y, 1.0]; let b = [a, a]; let mut c = b; c[1][0] = a[1] * 2.0; a = c[1]; let [p, .., q] = a; let t = (a, p); t.0[0] * q + t.1 * c[0][1] + b[1][0] }
fn passive_bookkeeping(x: f64, y: f64) -> f64 { let mut seen = [false; 4]; let mut order = Vec::new(); let mut i = 2usize; while !seen[i] { seen[i] = true; order.push(i); i = (i * 3 + 1) % 4; } let n = order.len(); let last = order[n - 1]; let a = [x, y, x * y, 2.0]; let mut s = 0.0; for &k in &order { s = s * 0.5 + a[k]; } let best = order.iter().copied().max().unwrap(); let pos = order.iter().position(|&k| k == best); if let Some(p) = pos { s *= a[p]; } s + a[last] * n as f64 }
fn swap_fields(x: f64, y: f64) -> f64 { let mut t = (x, y, [1.0, x]); std::mem::swap(&mut t.0, &mut t.1); std::mem::swap(&mut t.2[0], &mut t.0); t.2.swap(0, 1); t.0 *= t.1; t.0 + t.2[0] * t.2[1] }
fn nested_opts(x: f64, y: f64) -> f64 { let o: Option<(f64, f64)> = if x > 0.5 { Some((x, y)) } else { None }; let mut best: Option<f64> = None; for v in [x, y, x * y] { best = match best { None => Some(v), Some(b) if v > b => Some(v), other => other }; } let s = if let Some((a, b)) = o { a * b } else { y }; s * best.unwrap() + best.expect("some") }
fn early_in_nested(x: f64, y: f64) -> f64 { let v = [x, y, 2.0]; for (i, a) in v.iter().enumerate() { for b in v.iter().skip(i + 1) { match (a > b, i) { (true, 0) => return a * b, (true, _) => continue, (false, 1) => break, _ => {} } let t = a * b; if t > 5.0 { return t * x; } } } x + y }
fn bool_passive(x: f64, y: f64) -> f64 { let c = h_bool(x, y); let d = c && h_bool(y, 0.0); h_nothing(x); if d { x * y } else if c { x } else { y * y } }
fn const_fn_like(x: f64, y: f64) -> f64 { use std::f64::consts::{PI, E}; const fn half(n: usize) -> usize { n / 2 } const M: usize = half(7); let mut a = [0.0; M]; for k in 0..M { a[k] = (x * k as f64 * PI).cos() + E * y; } a.iter().rev().fold(0.0, |s, v| s * x + v) }
fn mul_ints(x: f64, y: f64) -> f64 { let mut k = 1u64; let mut s = 0.0; for n in 1..=6u64 { k *= n; s += x.powi(n as i32) / k as f64; } let m = -7i32; s * y + (m.rem_euclid(3) + m / 2 + (m >> 1) + (m & 3)) as f64 * x + (!m) as f64 }
fn tuple_assign_ops(x: f64, y: f64) -> f64 { let mut t = (x, [y, x], 3); t.0 += t.1[0]; t.1[1] -= t.0 * 2.0; t.2 += 1; t.1[0] /= t.2 as f64; t.1[0] %= 1.7; (t.0, t.1[1]) = (t.1[1], t.0); t.0 * t.1[0] + t.1[1] }
fn while_labelled(x: f64, y: f64) -> f64 { let mut s = x; let mut n = 0; 'w: while n < 10 { n += 1; for k in 0..n { if k == 3 { continue 'w; } s += y * 0.1; if s > 30.0 { break 'w; } } s *= 1.1; } s * n as f64 }
fn closure_views(x: f64, y: f64) -> f64 { let m = [[x, y], [y, 1.0]]; let t: f64 = m.iter().map(|row| row.iter().map(|v| v * x).sum::<f64>() * row[0]).sum(); let u: f64 = (0..2).map(|i| (0..2).map(|j| m[i][j] * m[j][i]).sum::<f64>()).product(); let w = m.iter().zip(&[x, y]).fold([0.0; 2], |mut acc, (row, k)| { acc[0] += row[0] * k; acc[1] = acc[0] * row[1]; acc }); t + u + w[0] * w[1] }
fn slices_from_tuple(x: f64, y: f64) -> f64 { let data = vec![x, y, x * y, 1.0, 2.0, x]; let (a, b) = (&data[..3], &data[3..]); let mut out = vec![0.0; 3]; for ((o, p), q) in out.iter_mut().zip(a).zip(b) { *o = p * q + *o; } let o = &mut out[1..]; o[0] *= 2.0; let q = o[1]; o.fill(x * q); out[0] * out[1] + out[2] }
fn shadow_param_ref(x: f64, y: f64) -> f64 { fn g(v: &[usize]) -> usize { v.len() } let v = [x, y]; let v = &v; let n = g(&[1, 2, 3]); let v = &v[1..]; v[0] * n as f64 + x }
fn min_of_calls(x: f64, y: f64) -> f64 { let a = h_newton(x * x + 0.5).min(h_newton(y * y + 0.5)); let b = h_newton(2.0).max(a).abs(); let c = -h_newton(a); a * b + c * h_newton(3.0) + (h_newton(a) + h_newton(b)).sqrt() }
fn assign_if(x: f64, y: f64) -> f64 { let mut s = x; s = if s > 1.0 { s * y } else { s - y }; s += if y > 0.0 { s } else { 1.0 }; let a = [x, y]; s *= a[if x > y { 0 } else { 1 }]; s = { let t = s; s = 3.0; t * s }; s }
