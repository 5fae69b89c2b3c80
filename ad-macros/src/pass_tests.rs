//! What a pass breaks is found behind it: above all, a change to what the forward sweep computes.

use crate::diag::Diagnostics;
use crate::ir::edit::blocks_mut;
use crate::ir::verify::PrimalOrder;
use crate::ir::{BinOp, Domain, Joint, Stmt, StmtKind, Sweeps, Transforms};
use crate::optimize::fault::{Fault, injected};
use crate::pipeline;

const LOOPS: &str = "fn f(x: &[f64], a: f64) -> f64 {
    let mut s = 0.0;
    let mut t = 1.0;
    for i in 0..x.len() { let y = (x[i] * a).sin(); s += y * y; t *= 0.5; }
    if s > 1.0 { s -= a; }
    s + t
}";

/// The sweeps of a function, or what the compiler says.
fn compiled(source: &str) -> Result<Sweeps, String> {
    compiled_with(source, Transforms::ON)
}

fn compiled_with(source: &str, transforms: Transforms) -> Result<Sweeps, String> {
    let item: syn::ItemFn = syn::parse_str(source).expect("a function");
    let mut diags = Diagnostics::new();
    let derived = pipeline::structured(&item, &mut diags)
        .and_then(|primal| pipeline::unrolled(primal, transforms, &mut diags))
        .and_then(|primal| pipeline::sweeps(primal, transforms, &mut diags));
    let said = diags.into_tokens().to_string();
    derived.map(|(sweeps, _)| sweeps).map_err(|_| said)
}

/// The sweeps of a function, with the list of both.
fn sweeps(source: &str) -> Sweeps {
    compiled(source).expect("it compiles")
}

/// Calls `f` with each list of statements until one returns `true`.
fn each_list(stmts: &mut Vec<Stmt>, f: &mut dyn FnMut(&mut Vec<Stmt>) -> bool) -> bool {
    if f(stmts) {
        return true;
    }
    let mut blocks = stmts.iter_mut().flat_map(blocks_mut);
    blocks.any(|block| each_list(&mut block.stmts, f))
}

/// Changes a list of statements if it has what is to be changed.
type Change = fn(&mut Vec<Stmt>) -> bool;

#[test]
fn a_change_to_the_primal_is_found_in_either_list() {
    let changes: &[(&str, Change)] = &[
        ("two updates change places", |stmts| {
            let is_update =
                |s: &Stmt| matches!(&s.kind, StmtKind::Update { place, .. } if place.root.0 < 8);
            let at = stmts.windows(2).position(|two| {
                is_update(&two[0])
                    && matches!(
                        two[1].kind,
                        StmtKind::Assign { .. } | StmtKind::Update { .. }
                    )
            });
            at.map(|at| stmts.swap(at, at + 1)).is_some()
        }),
        ("an update subtracts", |stmts| {
            let update = stmts.iter_mut().find_map(|stmt| {
                if let StmtKind::Update { op, .. } = &mut stmt.kind {
                    Some(op)
                } else {
                    None
                }
            });
            update.map(|op| *op = BinOp::Sub).is_some()
        }),
        ("an update is gone", |stmts| {
            let at = stmts
                .iter()
                .position(|s| matches!(s.kind, StmtKind::Update { .. }));
            at.map(|at| stmts.remove(at)).is_some()
        }),
    ];
    for (what, change) in changes {
        let mut broken = sweeps(LOOPS);
        let order = PrimalOrder::of(&broken);
        assert_eq!(order.is_kept(&broken), Ok(()));
        assert!(
            each_list(&mut broken.forward, &mut |list| change(list)),
            "{what}"
        );
        assert!(order.is_kept(&broken).is_err(), "{what}: the forward sweep");

        let mut broken = sweeps(LOOPS);
        let joint = &mut broken.joint.as_mut().expect("both sweeps").stmts;
        assert!(each_list(joint, &mut |list| change(list)), "{what}");
        assert!(order.is_kept(&broken).is_err(), "{what}: both sweeps");
    }
}

#[test]
fn a_definition_may_come_earlier_where_nothing_writes_what_it_reads() {
    let source = "fn f(x: &[f64], w: &[f64]) -> f64 {
        let mut a = w[0];
        let mut f = 0.0;
        for i in 0..x.len() { f += x[i].exp(); }
        let weight = a * 2.0 - 1.0;
        let g = f * weight;
        a *= a;
        g + a
    }";
    let position = |stmts: &[Stmt], name: &str, sweeps: &Sweeps| {
        let declares = |stmt: &Stmt| {
            matches!(&stmt.kind, StmtKind::Let { var, .. }
                if sweeps.func.var(*var).name == name)
        };
        stmts.iter().position(declares).expect("a declaration")
    };
    let mut transforms = Transforms::ON;
    // The definition stays one of a variable that is overwritten.
    assert!(transforms.switch_off("rename"));
    let mut sweeps = compiled_with(source, transforms).expect("it compiles");
    let order = PrimalOrder::of(&sweeps);
    let joint = sweeps.joint.as_ref().expect("both sweeps").stmts.clone();
    let weight = position(&joint, "weight", &sweeps);
    // The adjoint that the loop begins with needs it.
    let holds_blocks = |stmt: &Stmt| !stmt.kind.blocks().is_empty();
    assert!(Some(weight) < joint.iter().position(holds_blocks));
    assert_eq!(order.is_kept(&sweeps), Ok(()));

    let a = joint[position(&joint, "a", &sweeps)].clone();
    let StmtKind::Let { var: a, .. } = a.kind else {
        panic!("a declaration")
    };
    let writes =
        |stmt: &Stmt| matches!(&stmt.kind, StmtKind::Assign { place, .. } if place.root == a);
    let square = joint.iter().position(writes).expect("`a` changes");
    let mut is_kept = |from: usize, to: usize| {
        let mut stmts = joint.clone();
        let moved = stmts.remove(from);
        stmts.insert(to, moved);
        sweeps.joint.as_mut().expect("both sweeps").stmts = stmts;
        order.is_kept(&sweeps)
    };
    // `a` changes between the weight and where the primal has it, or before either.
    assert!(is_kept(square, weight + 1).is_err());
    assert!(is_kept(square, weight).is_err());
    // The weight comes too late.
    assert!(is_kept(weight, square).is_err());
}

/// Removes the first statement of the list, or of one inside, for which `found` says so.
fn remove(stmts: &mut Vec<Stmt>, found: fn(&Stmt) -> bool) {
    let removed = each_list(stmts, &mut |list| {
        let at = list.iter().position(found);
        at.map(|at| list.remove(at)).is_some()
    });
    assert!(removed, "there is nothing to remove");
}

fn is_update(stmt: &Stmt) -> bool {
    matches!(stmt.kind, StmtKind::Update { .. })
}

fn is_declaration(stmt: &Stmt) -> bool {
    matches!(stmt.kind, StmtKind::Let { .. })
}

#[test]
fn strips_that_no_loop_runs_over_are_found() {
    const POWER: &str = "fn f(x: f64, n: usize) -> f64 {
        let mut t = 1.0;
        for _ in 0..n { t *= x; }
        t
    }";
    let fault: Fault = |sweeps| {
        assert!(each_list(&mut sweeps.forward, &mut |stmts| without_strips(
            stmts
        )))
    };
    let said = injected("versions", fault, || compiled(POWER)).expect_err("a strip is left");
    assert!(said.contains("Made does not hold any more"), "{said}");
    assert!(compiled(POWER).is_ok());
}

/// Puts the loop over the iterations of strips in the place of that over the strips: it would be printed without its
/// records.
#[expect(clippy::ptr_arg, reason = "`each_list` gives lists")]
fn without_strips(stmts: &mut Vec<Stmt>) -> bool {
    stmts.iter_mut().any(|stmt| {
        let StmtKind::Strips(strips) = &mut stmt.kind else {
            return false;
        };
        let mut inner = strips.body.stmts.remove(0);
        let StmtKind::Loop(this) = &mut inner.kind else {
            panic!("a loop over the iterations of a strip");
        };
        this.domain = Domain::Range {
            var: strips.counter,
            range: strips.range.clone(),
        };
        *stmt = inner;
        true
    })
}

#[test]
fn a_pass_that_breaks_something_is_named() {
    let faults: &[(&str, Fault, &str)] = &[
        (
            "simplify",
            |sweeps| remove(&mut sweeps.forward, is_update),
            "the forward sweep had `s +=",
        ),
        (
            "order",
            |sweeps| remove(&mut sweeps.reverse, is_declaration),
            "is used before it is declared",
        ),
        (
            "strips",
            |sweeps| {
                let outcome = sweeps.func.result.expect("a result");
                let stmts = sweeps.forward.clone();
                sweeps.joint = Some(Joint { stmts, outcome });
            },
            "OneReverse does not hold any more",
        ),
        (
            "fuse",
            |sweeps| {
                let joint = sweeps.joint.as_mut().expect("both sweeps");
                remove(&mut joint.stmts, is_update);
            },
            "the list of both sweeps lacks `s +=",
        ),
        (
            "tiles",
            |sweeps| {
                remove(&mut sweeps.forward, |stmt| {
                    matches!(stmt.kind, StmtKind::Switch { .. })
                })
            },
            "the forward sweep had `switch",
        ),
    ];
    for (pass, fault, expected) in faults {
        let said = injected(pass, *fault, || compiled(LOOPS)).expect_err(pass);
        let names = said.contains(&format!("`{pass}`: "));
        assert!(names && said.contains(expected), "behind `{pass}`: {said}");
    }
    assert!(compiled(LOOPS).is_ok(), "faults are over");
}
