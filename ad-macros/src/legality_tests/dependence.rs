use super::{derived, loops, primal, var};
use crate::analysis::affine::Definitions;
use crate::analysis::dependence::carried::{Carried, Records, carried};
use crate::analysis::dependence::disjoint::Across;
use crate::analysis::dependence::footprint::Footprint;
use crate::analysis::dependence::reach::{Iterations, Reach};
use crate::analysis::invariant::Varying;
use crate::ir::hash::HashSet;
use crate::ir::{Block, Expr, Func, Stmt, StmtKind, VarId, shallow_touches, visit_stmts};

/// What each statement of a block touches, in order, a line each.
fn touches(func: &Func, block: &Block) -> Vec<String> {
    let mut lines = Vec::new();
    visit_stmts(block, &mut |stmt| {
        let mut line = Vec::new();
        shallow_touches(stmt, &mut |place, touch| {
            line.push(format!("{touch:?} {}", func.var(place.root).name));
        });
        lines.push(line.join(", "));
    });
    lines
}

#[test]
fn a_statement_touches_what_it_reads_then_what_it_changes() {
    let func = primal(
        "fn f(x: &mut [f64], y: &[f64], i: usize, k: usize) {
            x[k] = y[i] + 1.0;
            x[k] += y.len() as f64;
            x.swap(i, k);
            x.fill(2.0);
            let last = y[k];
            let text = format!(\"{}\", i);
        }",
    );
    assert_eq!(
        touches(&func, &func.body),
        [
            "Read i, Read y, Read k, Write x",
            "Length y, Read k, Add x",
            "Read i, Update x, Read k, Update x",
            "Update x",
            "Read k, Read y, Declare last",
            "Read i, Declare value",
            "Read value, Declare text",
        ]
    );
}

/// What each loop of the reverse sweep carries, outer loops first.
fn what_is_carried(source: &str) -> Vec<String> {
    let sweeps = derived(source);
    let func = &sweeps.func;
    let reverse = Block {
        stmts: sweeps.reverse.clone(),
    };
    let name = |var: VarId| match sweeps.bars.get(&var) {
        Some(primal) => format!("the adjoint of {}", func.var(*primal).name),
        None => func.var(var).name.to_string(),
    };
    let all = loops(&reverse).into_iter().map(|l| {
        let across = Across {
            counter: l.counter,
            range: l.range,
        };
        match carried(
            func,
            l.body,
            &l.body.stmts,
            (across, Records::OfTheLoop),
            &[],
        ) {
            None => "nothing".to_owned(),
            Some(Carried::Ordered(why)) => why.to_owned(),
            Some(Carried::Overwritten(var)) => format!("{} is overwritten", name(var)),
            Some(Carried::Read(var)) => format!("{} is read", name(var)),
        }
    });
    all.collect()
}

#[test]
fn sums_in_adjoints_carry_nothing() {
    let found = what_is_carried(
        "fn f(x: &[f64], n: usize) -> f64 {
            let mut s = 0.0;
            for i in 0..n { s += x[i] * x[i + 1]; }
            s
        }",
    );
    assert_eq!(found, ["nothing"]);
}

#[test]
fn elements_of_the_iterations_own_carry_nothing() {
    let found = what_is_carried(
        "fn f(x: &[f64], n: usize) -> f64 {
            let mut y = vec![0.0; 2 * n];
            for i in 0..n { y[2 * i] = x[i] * 2.0; y[2 * i + 1] = x[i] * 3.0; }
            y[0]
        }",
    );
    assert_eq!(found, ["nothing"]);
}

#[test]
fn an_adjoint_that_another_iteration_adds_to_is_carried() {
    let found = what_is_carried(
        "fn f(x: &[f64], n: usize) -> f64 {
            let mut y = vec![0.0; n + 1];
            for i in 0..n { y[i + 1] = y[i] * 2.0 + x[i]; }
            y[n]
        }",
    );
    assert_eq!(found, ["the adjoint of y is overwritten"]);
}

#[test]
fn a_record_makes_the_order_matter() {
    let found = what_is_carried(
        "fn f(x: &[f64], n: usize) -> f64 {
            let mut p = 1.0;
            for i in 0..n { p *= x[i]; }
            p
        }",
    );
    assert_eq!(
        found,
        ["each iteration takes its record off the tape (see `strips`)"]
    );
}

/// Statements of which any two either may change places, or not.
const STATEMENTS: &str = "fn f(a: f64, b: f64) -> f64 {
    let mut s = 0.0;
    let mut t = 0.0;
    let mut u = 0.0;
    s += a;
    s -= b;
    t += a;
    u = s;
    if a < b { let own = t; u = own; }
    s + t + u
}";

/// The variables for which the order of statements `k` and `l` matters, `adjoints` being what is added to in any order.
fn meets(k: usize, l: usize, adjoints: &[&str]) -> Vec<String> {
    let func = primal(STATEMENTS);
    let adjoints: HashSet<VarId> = adjoints.iter().map(|name| var(&func, name)).collect();
    let print = |stmt: &Stmt| Footprint::of(stmt, &adjoints);
    let stmts: Vec<&Stmt> = func.body.stmts.iter().collect();
    let met = print(stmts[k]).meets(&print(stmts[l]));
    let mut met: Vec<String> = met.iter().map(|v| func.var(*v).name.to_string()).collect();
    met.sort();
    met
}

#[test]
fn statements_that_may_change_places() {
    let nobody: [&str; 0] = [];
    // Two additions to an adjoint.
    assert_eq!(meets(3, 4, &["s", "t"]), nobody);
    // Two to a value, which keeps its order.
    assert_eq!(meets(3, 4, &[]), ["s"]);
    // Additions to two variables.
    assert_eq!(meets(3, 5, &[]), nobody);
    // An addition, and a read of what is added to.
    assert_eq!(meets(3, 6, &["s", "t"]), ["s"]);
    // A declaration, and what uses it.
    assert_eq!(meets(0, 3, &["s", "t"]), ["s"]);
    // Two that overwrite.
    assert_eq!(meets(6, 8, &["s", "t"]), ["u"]);
}

/// What is reached by the elements that the only loop assigns.
#[test]
fn what_an_index_reaches_over_all_iterations() {
    let func = primal(
        "fn f(y: &mut [f64], at: &[usize], n: usize, k: usize) {
            for i in 0..n {
                let next = i + 1;
                let there = at[i];
                let mut own = [0.0; 2];
                y[next] = 1.0;
                y[k] = 1.0;
                y[2 * i] = 1.0;
                y[k + i - i] = 1.0;
                y[there] = 1.0;
                y[k - i] = 1.0;
                own[i] = 1.0;
            }
        }",
    );
    let only = loops(&func.body)[0];
    let divided = HashSet::default();
    let iterations = Iterations::of(&func, only.counter, &[], only.body, &divided);
    let mut found = Vec::new();
    visit_stmts(only.body, &mut |stmt| {
        if let StmtKind::Assign { place, .. } = &stmt.kind {
            found.push(match iterations.reach(place) {
                Reach::Variable => "a variable",
                Reach::Along { .. } => "along",
                Reach::Down { .. } => "down",
                Reach::Fixed { .. } => "fixed",
                Reach::Elsewhere(why) => why,
            });
        }
    });
    let not_by_one = "its index does not go up or down by one with the counter";
    assert_eq!(
        found,
        [
            "along",
            "fixed",
            not_by_one,
            "a counter cancels out in its index",
            "its index is not the counter plus something fixed",
            "down",
            "it is an array of the iteration's own",
        ]
    );
}

#[test]
fn whether_two_iterations_meet() {
    let func = primal(
        "fn f(y: &mut [f64], n: usize, k: usize) {
            for i in 0..n {
                let own = i + k;
                let next = i + k + 1;
                let even = 2 * i;
                let odd = 2 * i + 1;
                let behind = 2 * i + 2;
                let all = k;
                for j in 0..n {
                    let square = n * i + j;
                    let triangle = k * i + j;
                    y[square] = triangle as f64;
                }
                y[own] = (next + even + odd + behind + all) as f64;
            }
        }",
    );
    let outer = loops(&func.body)[0];
    let definitions = Definitions::of(&func, outer.body);
    let varying = Varying::in_loop(outer.counter, outer.body);
    let across = Across {
        counter: outer.counter,
        range: outer.range,
    };
    let poly = |name: &str| {
        let var = var(&func, name);
        let span = proc_macro2::Span::call_site();
        let read = Expr::read_var(var, func.var(var).ty.clone(), span);
        definitions.poly(&read).expect("a polynomial")
    };
    let apart = |a: &str, b: &str| definitions.apart(&poly(a), &poly(b), across, &varying);
    assert!(apart("own", "own"));
    assert!(apart("even", "odd"));
    assert!(apart("square", "square"));
    assert!(
        !apart("own", "next"),
        "one iteration's next is another's own"
    );
    assert!(!apart("even", "behind"));
    assert!(!apart("all", "all"));
    assert!(!apart("own", "even"), "their slopes differ");
    assert!(
        !apart("triangle", "triangle"),
        "rows of unknown length may overlap"
    );
}
