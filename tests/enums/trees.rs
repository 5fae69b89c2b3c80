//! Boxed enums: expression trees, lists, walked by recursive functions.

use retrograde::{Differentiable, Flat, Record, gradient};

use crate::types::check;

#[derive(Clone, Debug, PartialEq, Differentiable, Record)]
enum Expr {
    Const(f64),
    Var(usize),
    Add(Box<Expr>, Box<Expr>),
    Mul(Box<Expr>, Box<Expr>),
    Sin(Box<Expr>),
    Neg { inner: Box<Expr> },
}

use Expr::{Add, Const, Mul, Var};

#[gradient]
fn eval(e: &Expr, x: &[f64]) -> f64 {
    match e {
        Expr::Const(c) => *c,
        Expr::Var(i) => x[*i],
        Expr::Add(a, b) => eval(a, x) + eval(b, x),
        Expr::Mul(a, b) => eval(a, x) * eval(b, x),
        Expr::Sin(a) => eval(a, x).sin(),
        Expr::Neg { inner } => -eval(inner, x),
    }
}

#[gradient]
fn eval_explicitly(e: &Expr, x: &[f64]) -> f64 {
    match e {
        Expr::Const(c) => *c,
        Expr::Var(i) => x[*i],
        Expr::Add(a, b) => {
            let left = eval_explicitly(&**a, x);
            left + eval_explicitly(&*b, x)
        }
        Expr::Mul(a, b) => eval_explicitly(a, x) * eval_explicitly(&(**b), x),
        Expr::Sin(a) => match &**a {
            Expr::Const(c) => c.sin(),
            Expr::Neg { inner } => -eval_explicitly(inner, x).sin(),
            other => eval_explicitly(other, x).sin(),
        },
        Expr::Neg { inner } => -eval_explicitly(inner, x),
    }
}

#[gradient]
impl Expr {
    fn value(&self, x: &[f64]) -> f64 {
        match self {
            Self::Const(c) => *c,
            Self::Var(i) => x[*i],
            Self::Add(a, b) => a.value(x) + b.value(x),
            Self::Mul(a, b) => a.value(x) * b.value(x),
            Self::Sin(a) => a.value(x).sin(),
            Self::Neg { inner } => -inner.value(x),
        }
    }

    fn scale(&mut self, factor: f64) {
        match self {
            Self::Const(c) => *c *= factor,
            Self::Add(a, b) => {
                a.scale(factor);
                b.scale(factor);
            }
            Self::Mul(a, _) => a.scale(factor),
            Self::Neg { inner } => inner.scale(factor),
            Self::Var(_) | Self::Sin(_) => {}
        }
    }
}

fn tree(c: &[f64]) -> Expr {
    let b = Box::new;
    let product = Mul(b(Const(c[0])), b(Add(b(Var(0)), b(Const(c[1])))));
    let sine = Expr::Sin(b(Mul(b(Var(1)), b(product.clone()))));
    let nested = Expr::Sin(b(Expr::Neg {
        inner: b(Const(c[2])),
    }));
    Add(
        b(product),
        b(Expr::Neg {
            inner: b(Mul(b(sine), b(nested))),
        }),
    )
}

const POINTS: [[f64; 5]; 2] = [[0.7, 1.3, 0.4, 0.9, -0.3], [-0.2, 0.5, 1.1, 2.0, 0.1]];

fn constants(slope: &ExprTangent) -> Vec<f64> {
    let mut all = slope.to_flat();
    // `product` stands in the tree twice.
    let mut c = vec![0.0; 3];
    c[0] = all[0] + all[2];
    c[1] = all[1] + all[3];
    c[2] = all[4];
    c
}

macro_rules! check_tree {
    ($($f:ident $gradient:ident),*) => { $(
        check(
            |p| $f(&tree(&p[..3]), &p[3..]),
            |p| {
                let (value, (slope, dx)) = $gradient(&tree(&p[..3]), &p[3..]);
                (value, [constants(&slope), dx].concat())
            },
            &POINTS,
        );
    )* };
}

#[test]
fn trees_are_evaluated_by_recursion() {
    check_tree!(eval eval_grad, eval_explicitly eval_explicitly_grad);
    check(
        |p| tree(&p[..3]).value(&p[3..]),
        |p| {
            let (value, (slope, dx)) = tree(&p[..3]).value_grad(&p[3..]);
            (value, [constants(&slope), dx].concat())
        },
        &POINTS,
    );
    let (value, (slope, dx)) = eval_grad(&Mul(Box::new(Const(3.0)), Box::new(Var(1))), &[5.0, 7.0]);
    assert_eq!((value, dx), (21.0, vec![0.0, 3.0]));
    assert_eq!(
        slope,
        ExprTangent::Mul(
            Box::new(ExprTangent::Const(7.0)),
            Box::new(ExprTangent::Var(()))
        )
    );
}

#[gradient]
fn scaled(e: &Expr, x: &[f64]) -> f64 {
    let mut e = e.clone();
    e.scale(x[0]);
    e.scale(x[1]);
    eval(&e, x)
}

#[test]
fn trees_are_changed_in_place() {
    check_tree!(scaled scaled_grad);
}

#[gradient]
fn built(x: &[f64]) -> f64 {
    let c = Expr::Const(x[0] * x[1]);
    let sum = Expr::Add(Box::new(c.clone()), Box::new(Expr::Var(1)));
    let mut product = Expr::Mul(Box::new(sum), Box::new(Expr::Neg { inner: Box::new(c) }));
    for _ in 0..2 {
        product = Expr::Sin(Box::new(product));
    }
    eval(&product, x)
}

#[gradient]
fn derivative(e: &Expr, i: usize) -> Expr {
    match e {
        Expr::Const(_) => Expr::Const(0.0),
        Expr::Var(k) => Expr::Const(if *k == i { 1.0 } else { 0.0 }),
        Expr::Add(a, b) => Expr::Add(Box::new(derivative(a, i)), Box::new(derivative(b, i))),
        Expr::Mul(a, b) => Expr::Add(
            Box::new(Expr::Mul(Box::new(derivative(a, i)), b.clone())),
            Box::new(Expr::Mul(a.clone(), Box::new(derivative(b, i)))),
        ),
        Expr::Sin(a) => {
            let shifted = Expr::Add(
                a.clone(),
                Box::new(Expr::Const(std::f64::consts::FRAC_PI_2)),
            );
            Expr::Mul(
                Box::new(Expr::Sin(Box::new(shifted))),
                Box::new(derivative(a, i)),
            )
        }
        Expr::Neg { inner } => Expr::Neg {
            inner: Box::new(derivative(inner, i)),
        },
    }
}

#[gradient]
fn slope(e: &Expr, x: &[f64]) -> f64 {
    eval(&derivative(e, 0), x)
}

#[test]
fn trees_are_built() {
    check(|x| built(x), |x| built_grad(x), &[[0.7, 0.3], [-0.4, 1.2]]);
    check_tree!(slope slope_grad);
}

#[derive(Clone, Debug, Differentiable, Record)]
enum List {
    Cons(f64, Box<List>),
    Nil,
}

#[gradient]
fn sum(list: &List) -> f64 {
    match list {
        List::Cons(head, tail) => head * head + 0.5 * sum(tail),
        List::Nil => 0.0,
    }
}

#[gradient]
fn list_of(x: &[f64]) -> List {
    let mut list = List::Nil;
    for v in x {
        list = List::Cons(*v, Box::new(list));
    }
    list
}

#[gradient]
fn sum_of(x: &[f64]) -> f64 {
    sum(&list_of(x))
}

#[derive(Clone, Debug, Differentiable, Record)]
struct Node {
    value: f64,
    next: Option<Box<Node>>,
}

#[gradient]
fn length(node: &Node) -> f64 {
    match &node.next {
        Some(next) => node.value * node.value + length(next),
        None => node.value,
    }
}

#[gradient]
impl Node {
    fn total(&self) -> f64 {
        let mut sum = self.value;
        if let Some(next) = &self.next {
            sum *= next.total();
        }
        sum
    }
}

#[gradient]
fn simplified(e: Expr) -> Expr {
    match e {
        Expr::Add(a, b) => match (simplified(*a), simplified(*b)) {
            (Expr::Const(u), Expr::Const(v)) => Expr::Const(u + v),
            (u, v) => Expr::Add(Box::new(u), Box::new(v)),
        },
        Expr::Mul(a, b) => {
            let (u, v) = (simplified(*a), simplified(*b));
            if let (Const(u), Const(v)) = (&u, &v) {
                return Const(u * v);
            }
            Expr::Mul(Box::new(u), Box::new(v))
        }
        Expr::Neg { inner } => match *inner {
            Expr::Neg { inner } => simplified(*inner),
            Expr::Const(c) => Expr::Const(-c),
            other => Expr::Neg {
                inner: Box::new(simplified(other)),
            },
        },
        Expr::Sin(a) => Expr::Sin(Box::new(simplified(*a))),
        other => other,
    }
}

#[gradient]
fn of_simplified(e: &Expr, x: &[f64]) -> f64 {
    eval(&simplified(e.clone()), x)
}

#[gradient]
fn unboxed(x: f64, y: f64) -> f64 {
    let mut held = Box::new(x * y);
    *held *= x;
    let mut sum = *held * y;
    let inner = &mut *held;
    *inner += sum;
    sum += *held;
    for k in 0..2 {
        held = Box::new(*held * 0.5 + k as f64 * x);
        sum *= *held;
    }
    sum
}

#[test]
fn trees_by_value_and_boxed_numbers() {
    check_tree!(of_simplified of_simplified_grad);
    check(
        |x| unboxed(x[0], x[1]),
        |x| {
            let (value, (dx, dy)) = unboxed_grad(x[0], x[1]);
            (value, vec![dx, dy])
        },
        &[[0.7, 0.3], [-0.4, 1.2]],
    );
    let folded = Mul(
        Box::new(Const(2.0)),
        Box::new(Add(Box::new(Const(3.0)), Box::new(Const(4.0)))),
    );
    let (value, (slope, _)) = of_simplified_grad(&folded, &[]);
    assert_eq!((value, slope.to_flat()), (14.0, vec![7.0, 2.0, 2.0]));
}

#[test]
fn lists() {
    check(
        |x| sum_of(x),
        |x| sum_of_grad(x),
        &[[0.7, 0.3, 1.1], [-0.4, 1.2, 0.0]],
    );
    assert_eq!(sum_of_grad(&[]), (0.0, vec![]));
    let list = Node {
        value: 2.0,
        next: Some(Box::new(Node {
            value: 3.0,
            next: None,
        })),
    };
    let (value, slope) = length_grad(&list);
    assert_eq!(
        (value, slope.value, slope.next.unwrap().value),
        (7.0, 4.0, 1.0)
    );
    let (value, slope) = list.total_grad();
    assert_eq!(
        (value, slope.value, slope.next.unwrap().value),
        (6.0, 3.0, 2.0)
    );
}

/// Dereferences to another value each time.
#[derive(Clone)]
struct Turns {
    calls: std::cell::Cell<usize>,
    values: [f64; 2],
}

impl std::ops::Deref for Turns {
    type Target = f64;

    fn deref(&self) -> &f64 {
        let n = self.calls.replace(self.calls.get() + 1);
        &self.values[n % 2]
    }
}

fn turns() -> Turns {
    Turns {
        calls: std::cell::Cell::new(0),
        values: [3.0, 100.0],
    }
}

fn shared() -> std::rc::Rc<f64> {
    std::rc::Rc::new(7.0)
}

#[gradient]
fn passive_pointers(x: f64) -> f64 {
    let turns = turns();
    let first = x * x * *turns;
    let shared = shared();
    let mut sum = first * *shared;
    for k in 0..2 {
        sum += k as f64 * x * *turns + *shared;
    }
    sum
}

#[test]
fn pointers_without_derivative_are_asked_once() {
    // x² · 3 · 7, then 0 x · 100 + 7 and x · 3 + 7.
    assert_eq!(passive_pointers(2.0), 84.0 + 7.0 + 13.0);
    assert_eq!(passive_pointers_grad(2.0), (104.0, 84.0 + 3.0));
}
