use super::{loops, primal, those, var};
use crate::analysis::affine::Definitions;
use crate::analysis::invariant::{Constants, Varying};
use crate::ir::visit_stmts;

/// Values of an iteration.
const BODY: &str = "fn f(x: &mut [f64], a: f64, n: usize, k: usize) -> f64 {
    let mut sum = 0.0;
    let mut steps = 0usize;
    for i in 0..n {
        let product = a * 2.0;
        let length = x.len();
        let at = k + 1;
        let element = x[k];
        let own = product + 1.0;
        let next = i + 1;
        let total = sum * a;
        let far = steps + k;
        x[i] = element + own + total;
        sum += x[next] * (at as f64) * (length as f64);
        steps += far;
    }
    sum
}";

#[test]
fn the_counter_and_what_an_iteration_declares_or_writes_vary() {
    let func = primal(BODY);
    let only = loops(&func.body)[0];
    let varying = Varying::in_loop(only.counter, only.body);
    // `x.len()` counts as a read of `x`, which is written; `product`, `element` and others are the iteration's own.
    assert_eq!(
        those(&func, &|e| varying.is_invariant(e)),
        "sum steps product at"
    );
}

#[test]
fn what_does_not_vary_after_all_is_the_same() {
    let func = primal(BODY);
    let only = loops(&func.body)[0];
    let mut varying = Varying::in_loop(only.counter, only.body);
    varying.settle(var(&func, "product"));
    assert_eq!(
        those(&func, &|e| varying.is_invariant(e)),
        "sum steps product at own"
    );
}

#[test]
fn a_polynomial_varies_with_what_an_iteration_has_for_itself() {
    let func = primal(BODY);
    let only = loops(&func.body)[0];
    let definitions = Definitions::of(&func, only.body);
    let varying = Varying::of([only.counter]);
    let same = |e: &_| {
        let poly = definitions.poly(e);
        poly.is_some_and(|poly| varying.is_invariant_poly(&poly))
    };
    // `next` is `i + 1`; `far` reads a variable that changes, so it has no polynomial.
    assert_eq!(those(&func, &same), "steps at");
}

#[test]
fn a_constant_is_made_of_nothing_but_numbers_and_constants() {
    let func = primal(
        "fn f(a: f64, n: usize) -> f64 {
            let one = 1usize;
            let limit = LIMIT;
            let same = limit;
            let mut changed = 2usize;
            let copied = changed;
            let size = n;
            let more = one + one;
            changed += more;
            a * ((same + copied + size + changed) as f64)
        }",
    );
    let mut constants = Constants::default();
    visit_stmts(&func.body, &mut |stmt| _ = constants.note(&func, stmt));
    let noted = |name: &&str| {
        let span = proc_macro2::Span::call_site();
        let var = var(&func, name);
        constants.holds(&crate::ir::Expr::read_var(
            var,
            func.var(var).ty.clone(),
            span,
        ))
    };
    let names = ["one", "limit", "same", "changed", "copied", "size", "more"];
    let held: Vec<_> = names.into_iter().filter(noted).collect();
    assert_eq!(held, ["one", "limit", "same"]);
}
