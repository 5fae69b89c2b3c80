//! Both modes from one table: what forward mode makes of a tangent and reverse mode of a seed has the same product, ⟨ȳ,
//! ẏ⟩ = ⟨x̄, ẋ⟩, and the tangent is the one that differences give. The tangent of a reverse sweep is a row of second
//! derivatives.

mod forward;
mod interpreter;
mod table;

use crate::analysis::activity::activity;
use crate::diag::Diagnostics;
use crate::ir::hash::HashMap;
use crate::ir::{Func, MathFn, Stmt, VarId};
use crate::pipeline;

use crate::reverse::adjoints::Adjoints;
use forward::Tangents;
use interpreter::Values;

/// A function of numbers: its statements, their adjoints, and the variables of both.
struct Program {
    func: Func,
    primal: Vec<Stmt>,
    reverse: Vec<Stmt>,
    inputs: Vec<VarId>,
    input_bars: Vec<VarId>,
    output: VarId,
    output_bar: VarId,
}

impl Program {
    fn of(source: &str) -> Program {
        let item: syn::ItemFn = syn::parse_str(source).expect("a function");
        let mut diags = Diagnostics::new();
        let structured = pipeline::structured(&item, &mut diags);
        let mut func = structured.expect("a function in the IR").func;
        let facts = activity(&func);
        let primal = func.body.stmts.clone();
        let inputs: Vec<VarId> = func.params.iter().map(|p| p.var).collect();
        let output = func.result.expect("a result");
        let lengths = HashMap::default();
        let mut adjoints = Adjoints::new(&mut func, &facts, &lengths);
        let output_bar = adjoints.bar(output);
        let input_bars = inputs.iter().map(|var| adjoints.bar(*var)).collect();
        let backwards = primal.iter().rev();
        let reverse = backwards.flat_map(|stmt| adjoints.of_stmt(stmt)).collect();
        assert!(adjoints.unsupported.is_empty(), "{source}");
        Program {
            func,
            primal,
            reverse,
            inputs,
            input_bars,
            output,
            output_bar,
        }
    }

    fn with(vars: &[VarId], values: &[f64]) -> Values {
        assert_eq!(vars.len(), values.len());
        Values(vars.iter().copied().zip(values.iter().copied()).collect())
    }

    fn value(&self, x: &[f64]) -> f64 {
        let mut values = Self::with(&self.inputs, x);
        values.run(&self.primal);
        values.get(self.output)
    }

    /// The adjoints of the inputs.
    fn pull(&self, x: &[f64], seed: f64) -> Vec<f64> {
        let mut values = Self::with(&self.inputs, x);
        values.0.insert(self.output_bar, seed);
        values.run(&self.primal);
        values.run(&self.reverse);
        self.input_bars.iter().map(|bar| values.get(*bar)).collect()
    }

    /// What some code leaves in the tangents of some variables.
    fn tangents(&self, code: &[Stmt], of: &[VarId], x: &[f64], x_dot: &[f64]) -> Vec<f64> {
        let mut func = self.func.clone();
        let mut tangents = Tangents {
            func: &mut func,
            dots: HashMap::default(),
            out: Vec::new(),
        };
        tangents.run(code);
        let mut values = Self::with(&self.inputs, x);
        values.0.insert(self.output_bar, 1.0);
        for (var, dot) in self.inputs.iter().zip(x_dot) {
            values.0.insert(tangents.dot(*var), *dot);
        }
        values.run(&tangents.out);
        let dots: Vec<VarId> = of.iter().map(|var| tangents.dot(*var)).collect();
        dots.into_iter().map(|dot| values.get(dot)).collect()
    }

    /// The tangent of the output.
    fn push(&self, x: &[f64], x_dot: &[f64]) -> f64 {
        self.tangents(&self.primal, &[self.output], x, x_dot)[0]
    }

    /// The second derivatives in a direction: forward mode over the reverse sweep.
    fn second(&self, x: &[f64], x_dot: &[f64]) -> Vec<f64> {
        let both = [&self.primal[..], &self.reverse].concat();
        self.tangents(&both, &self.input_bars, x, x_dot)
    }
}

/// Numbers in `0..1`, the same in each run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        f64::from(u32::try_from(self.0 >> 32).expect("32 bits")) / 4_294_967_296.0
    }

    fn numbers(&mut self, n: usize, low: f64, high: f64) -> Vec<f64> {
        (0..n).map(|_| low + (high - low) * self.next()).collect()
    }
}

fn close(a: f64, b: f64, tolerance: f64) -> bool {
    (a - b).abs() <= tolerance * (1.0 + a.abs() + b.abs())
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Compares the modes with each other and with differences, at arguments in an interval.
fn check(source: &str, low: f64, high: f64) {
    let program = Program::of(source);
    let mut random = Random(1);
    let n = program.inputs.len();
    for _ in 0..20 {
        let (x, x_dot) = (random.numbers(n, low, high), random.numbers(n, -1.0, 1.0));
        let seed = random.numbers(1, -2.0, 2.0)[0];
        let (y_dot, x_bar) = (program.push(&x, &x_dot), program.pull(&x, seed));
        let (left, right) = (seed * y_dot, dot(&x_bar, &x_dot));
        assert!(
            close(left, right, 1e-13),
            "{source} at {x:?}: {left:e} and {right:e}"
        );
        let step = |h: f64| {
            let moved: Vec<f64> = x.iter().zip(&x_dot).map(|(x, d)| x + h * d).collect();
            program.value(&moved)
        };
        let difference = (step(1e-5) - step(-1e-5)) / 2e-5;
        assert!(
            close(y_dot, difference, 1e-7),
            "{source} at {x:?}: {y_dot:e}, not {difference:e}"
        );
    }
}

#[test]
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "a test that stops at, or skips, what it is not about"
)]
fn forward_and_reverse_agree_for_each_function_and_operator() {
    for &f in MathFn::ALL {
        let name = f.name();
        let (low, high) = match f {
            MathFn::Asin | MathFn::Acos | MathFn::Atanh => (-0.9, 0.9),
            MathFn::Acosh => (1.1, 3.0),
            _ => (0.2, 0.9),
        };
        let source = match (f, f.arity()) {
            (MathFn::Powi, _) => "fn f(x: f64) -> f64 { x.powi(-3) }".to_owned(),
            (MathFn::Clamp, _) => {
                "fn f(x: f64, y: f64, z: f64) -> f64 { x.clamp(y * 0.5, 0.5 + z) }".to_owned()
            }
            (_, 1) => format!("fn f(x: f64) -> f64 {{ x.{name}() }}"),
            (_, 2) => format!("fn f(x: f64, y: f64) -> f64 {{ x.{name}(y) }}"),
            _ => format!("fn f(x: f64, y: f64, z: f64) -> f64 {{ x.{name}(y, z) }}"),
        };
        check(&source, low, high);
    }
    for op in ["+", "-", "*", "/", "%"] {
        check(
            &format!("fn f(x: f64, y: f64) -> f64 {{ x {op} y }}"),
            0.2,
            0.9,
        );
    }
    check("fn f(x: f64) -> f64 { -x }", -1.0, 1.0);
}

#[test]
fn forward_and_reverse_agree_for_expressions_of_several_operations() {
    for source in [
        "fn f(x: f64, y: f64) -> f64 { let e = (x * y).exp(); e / (1.0 + e) - e * x }",
        "fn f(x: f64, y: f64, z: f64) -> f64 { (x * x + y * y + z * z).sqrt() * (x - y / z) }",
        // The adjoint of this root is that of a product with its square.
        "fn f(x: f64, y: f64) -> f64 { let d = x * y; d * d.sqrt() }",
        "fn f(x: f64, y: f64) -> f64 { x.powf(y) + y.powf(x * 0.5) - (x / y).hypot(y).ln() }",
        "fn f(x: f64, y: f64, z: f64) -> f64 { x.mul_add(y, -z).max(x * z) + (x - 0.5).clamp(-y, z).sin() }",
        "fn f(x: f64, y: f64) -> f64 { let d = x - y; -(d * d) * x.min(y).tanh() + (2.0 - x) % (y * 0.3) }",
    ] {
        check(source, 0.2, 0.9);
    }
}

#[test]
fn ties_go_to_the_receiver_in_both_modes() {
    for (name, at) in [("max", [0.5, 0.5]), ("min", [0.5, 0.5])] {
        let program = Program::of(&format!("fn f(x: f64, y: f64) -> f64 {{ x.{name}(y) }}"));
        assert_eq!(program.push(&at, &[1.0, 10.0]), 1.0, "{name}");
        assert_eq!(program.pull(&at, 1.0), [1.0, 0.0], "{name}");
    }
    let program = Program::of("fn f(x: f64, y: f64, z: f64) -> f64 { x.clamp(y, z) }");
    for at in [[0.0, 0.0, 1.0], [1.0, 0.0, 1.0]] {
        assert_eq!(program.push(&at, &[1.0, 10.0, 100.0]), 1.0);
        assert_eq!(program.pull(&at, 1.0), [1.0, 0.0, 0.0]);
    }
}

/// An adjoint goes back into the type of the operand, a tangent on into that of the result.
#[test]
fn conversions_have_a_direction() {
    let wide = Program::of("fn f(x: f32, y: f64) -> f64 { (x as f64) * y }");
    assert_eq!(wide.push(&[0.5, 0.1], &[1.0, 0.0]), 0.1);
    assert_eq!(wide.pull(&[0.5, 0.1], 1.0), [f64::from(0.1_f32), 0.5]);
    let narrow = Program::of("fn f(x: f64) -> f32 { x as f32 }");
    assert_eq!(narrow.push(&[0.5], &[0.1]), f64::from(0.1_f32));
    assert_eq!(narrow.pull(&[0.5], 0.1), [0.1]);
}

/// Each mode has its own seed to look at: a dead result in reverse mode, an operand that does not change in forward
/// mode.
#[test]
fn a_guard_hides_singular_partials_in_both_modes() {
    let program = Program::of("fn f(x: f64, y: f64) -> f64 { x.sqrt() * y }");
    assert_eq!(program.pull(&[0.0, 0.0], 1.0), [0.0, 0.0]);
    assert_eq!(program.push(&[0.0, 3.0], &[0.0, 1.0]), 0.0);
    // That the root is multiplied by zero is not known where its tangent is taken.
    assert!(program.push(&[0.0, 0.0], &[1.0, 0.0]).is_nan());
}

#[test]
fn guards_are_not_differentiated() {
    let program = Program::of("fn f(x: f64, y: f64) -> f64 { y * x.sqrt() }");
    // The adjoint of the root is y = 0, and its tangent is not.
    assert_eq!(program.second(&[4.0, 0.0], &[0.0, 1.0]), [0.25, 0.0]);
    assert_eq!(program.second(&[4.0, 0.0], &[1.0, 0.0]), [0.0, 0.25]);
    assert_eq!(
        program.second(&[4.0, 3.0], &[1.0, 0.0]),
        [-3.0 / 32.0, 0.25]
    );
    // Value and tangent of the seed are zero: the root at zero is dead.
    assert_eq!(program.second(&[0.0, 0.0], &[1.0, 0.0])[0], 0.0);
    assert_eq!(program.second(&[0.0, 0.0], &[0.0, 1.0])[0], f64::INFINITY);
}

#[test]
fn second_derivatives_come_out_of_the_same_terms() {
    let mut random = Random(2);
    let quotient = Program::of("fn f(x: f64, y: f64) -> f64 { x / y }");
    let exponential = Program::of("fn f(x: f64, y: f64) -> f64 { (x * y).exp() }");
    let power = Program::of("fn f(x: f64, y: f64) -> f64 { y * (x * x.sqrt()) }");
    for _ in 0..20 {
        let x = random.numbers(2, 0.2, 2.0);
        let d = random.numbers(2, -1.0, 1.0);
        let (a, b) = (x[0], x[1]);
        let (e, r) = ((a * b).exp(), a.sqrt());
        for (program, [xx, xy, yy]) in [
            (&quotient, [0.0, -1.0 / (b * b), 2.0 * a / (b * b * b)]),
            (&exponential, [b * b * e, (1.0 + a * b) * e, a * a * e]),
            (&power, [0.75 * b / r, 1.5 * r, 0.0]),
        ] {
            let want = [xx * d[0] + xy * d[1], xy * d[0] + yy * d[1]];
            let found = program.second(&x, &d);
            let fits = found.iter().zip(want).all(|(f, w)| close(*f, w, 1e-13));
            assert!(fits, "{found:?}, not {want:?}, at {x:?}");
        }
    }
}
