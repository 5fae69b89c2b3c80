//! Buffers, adjoints and seeds of another shape than what they belong to: a message that names the argument, the place
//! in it and both shapes, before anything is written.

use crate::support::panic_message;
use retrograde::{Tape, gradient};

#[gradient]
fn maybe(o: Option<f64>) -> f64 {
    if let Some(v) = o { v * v } else { 1.0 }
}

#[gradient]
fn maybe_pair(o: &Option<[f64; 2]>) -> f64 {
    match o {
        Some(v) => v[0] * v[1],
        None => 1.0,
    }
}

#[gradient]
fn maybe_many(o: &Option<Vec<f64>>) -> f64 {
    match o {
        Some(v) => v[0] * v[1],
        None => 1.0,
    }
}

#[gradient]
fn pair(t: &(f64, Vec<f64>)) -> f64 {
    t.0 * t.1[2]
}

#[gradient]
fn pair_of_options(t: (f64, Option<f64>)) -> f64 {
    t.0 * if let Some(v) = t.1 { v } else { 2.0 }
}

#[gradient]
fn options(o: &[Option<f64>]) -> f64 {
    let mut s = 0.0;
    for x in o {
        if let Some(v) = x {
            s += v * v;
        }
    }
    s
}

#[gradient]
fn ragged(first: f64, rows: &[Vec<f64>]) -> f64 {
    let mut s = first;
    for r in rows {
        for x in r {
            s += x * x;
        }
    }
    s
}

#[gradient]
fn cubes(v: &[Vec<Vec<f64>>]) -> f64 {
    v[0][0][0] * v[1][0][1]
}

#[gradient]
fn two(v: [Vec<f64>; 2]) -> f64 {
    v[0][0] * v[1][1]
}

#[gradient]
fn tuples(v: Vec<(f64, Vec<f64>)>) -> f64 {
    v[0].0 * v[1].1[0]
}

#[track_caller]
fn says<R>(f: impl FnOnce() -> R, wanted: &str) {
    let text = panic_message(|| drop(f()));
    assert_eq!(text, format!("retrograde: {wanted}"));
}

#[test]
fn what_is_missing_is_named() {
    let tape = &mut Tape::new();
    let missing = "argument `o` is `Some`, but its adjoint buffer is `None`; they must be alike";
    says(|| maybe_adjoint(tape, Some(2.0), &mut None, 1.0), missing);
    says(
        || maybe_pair_adjoint(tape, &Some([1.0, 2.0]), &mut None, 1.0),
        missing,
    );
    says(
        || maybe_many_adjoint(tape, &Some(vec![1.0]), &mut None, 1.0),
        missing,
    );
    let mut d = Some(7.0);
    says(
        || maybe_adjoint(tape, None, &mut d, 1.0),
        "argument `o` is `None`, but its adjoint buffer is `Some`; they must be alike",
    );
    assert_eq!(d, Some(7.0));
    says(
        || pair_of_options_adjoint(tape, (1.0, Some(1.0)), &mut (0.0, None), 1.0),
        "argument `t` is `Some` at `.1`, but its adjoint buffer is `None` there; they must be alike",
    );
    let mut d = [Some(3.0), None, None];
    says(
        || options_adjoint(tape, &[Some(1.0), None, Some(2.0)], &mut d, 1.0),
        "argument `o` is `Some` at `[2]`, but its adjoint buffer is `None` there; they must be alike",
    );
    assert_eq!(d, [Some(3.0), None, None]);
    says(
        || options_grad_into(tape, &[Some(1.0), None, Some(2.0)], &mut d),
        "argument `o` is `Some` at `[2]`, but its gradient buffer is `None` there; they must be alike",
    );
    assert_eq!(d, [Some(3.0), None, None]);
}

/// The buffers of these are replaced as a whole.
#[test]
fn gradients_of_options_take_the_shape_of_the_argument() {
    let tape = &mut Tape::new();
    for mut d in [None, Some(9.0)] {
        assert_eq!(maybe_grad_into(tape, Some(3.0), &mut d), 9.0);
        assert_eq!(d, Some(6.0));
        assert_eq!(maybe_grad_into(tape, None, &mut d), 1.0);
        assert_eq!(d, None);
    }
    let mut d = Some(vec![1.0; 7]);
    maybe_many_grad_into(tape, &Some(vec![1.0, 2.0]), &mut d);
    assert_eq!(d, Some(vec![2.0, 1.0]));
    let mut d = (5.0, None);
    pair_of_options_grad_into(tape, (2.0, Some(3.0)), &mut d);
    assert_eq!(d, (3.0, Some(2.0)));
}

#[test]
fn the_row_and_its_length_are_named() {
    let tape = &mut Tape::new();
    let rows = [vec![1.0], vec![1.0, 2.0, 3.0], vec![]];
    for (right, wrong) in [(0, 0), (0, 2), (1, 1), (1, 4), (2, 1)] {
        let mut d: Vec<Vec<f64>> = rows.iter().map(|row| vec![5.0; row.len()]).collect();
        d[right] = vec![5.0; wrong];
        let (before, mut first) = (d.clone(), 5.0);
        let text = |kind: &str| {
            format!(
                "argument `rows` has length {} at `[{right}]`, but its {kind} buffer has length {wrong} there; they \
                 must be equal",
                rows[right].len()
            )
        };
        says(
            || ragged_grad_into(tape, 1.0, &mut first, &rows, &mut d),
            &text("gradient"),
        );
        says(
            || ragged_adjoint(tape, 1.0, &mut first, &rows, &mut d, 1.0),
            &text("adjoint"),
        );
        says(
            || ragged_try_grad_into(tape, 1.0, &mut first, &rows, &mut d),
            &text("gradient"),
        );
        assert_eq!((first, &d), (5.0, &before), "nothing is written");
    }
    says(
        || ragged_grad_into(tape, 1.0, &mut 0.0, &rows, &mut vec![vec![]; 2]),
        "argument `rows` has length 3, but its gradient buffer has length 2; they must be equal",
    );
}

#[test]
fn lengths_are_compared_at_every_depth() {
    let tape = &mut Tape::new();
    let at_1 = "argument `t` has length 3 at `.1`, but its gradient buffer has length 2 there; they must be equal";
    let t = (1.0, vec![1.0; 3]);
    says(|| pair_grad_into(tape, &t, &mut (0.0, vec![0.0; 2])), at_1);
    // Too long is no better than too short.
    says(
        || pair_adjoint(tape, &t, &mut (0.0, vec![0.0; 5]), 1.0),
        "argument `t` has length 3 at `.1`, but its adjoint buffer has length 5 there; they must be equal",
    );
    says(
        || maybe_many_adjoint(tape, &Some(vec![1.0; 2]), &mut Some(vec![0.0]), 1.0),
        "argument `o` has length 2, but its adjoint buffer has length 1; they must be equal",
    );
    let v = [vec![vec![1.0]], vec![vec![1.0; 2]]];
    says(
        || cubes_grad_into(tape, &v, &mut [vec![vec![1.0]], vec![vec![1.0; 3]]]),
        "argument `v` has length 2 at `[1][0]`, but its gradient buffer has length 3 there; they must be equal",
    );
    says(
        || cubes_adjoint(tape, &v, &mut [vec![], vec![vec![1.0; 2]]], 1.0),
        "argument `v` has length 1 at `[0]`, but its adjoint buffer has length 0 there; they must be equal",
    );
    says(
        || {
            let mut d = [vec![0.0], vec![0.0]];
            two_grad_into(tape, [vec![1.0], vec![1.0; 2]], &mut d)
        },
        "argument `v` has length 2 at `[1]`, but its gradient buffer has length 1 there; they must be equal",
    );
    says(
        || {
            let mut d = vec![(0.0, vec![]), (0.0, vec![0.0; 2])];
            let v = vec![(1.0, vec![]), (1.0, vec![1.0])];
            tuples_adjoint(tape, v, &mut d, 1.0)
        },
        "argument `v` has length 1 at `[1].1`, but its adjoint buffer has length 2 there; they must be equal",
    );
}

#[gradient]
fn powers(x: f64, n: usize) -> Vec<f64> {
    let mut v = vec![1.0; n];
    for i in 1..n {
        v[i] = v[i - 1] * x;
    }
    v
}

#[gradient]
fn logarithm(x: f64) -> Option<f64> {
    if x > 0.0 { Some(x.ln()) } else { None }
}

#[gradient]
fn several(x: f64) -> (f64, Vec<Vec<f64>>) {
    (x, vec![vec![x * x], vec![x, x]])
}

#[gradient]
fn both(x: f64) -> (Option<f64>, Vec<f64>) {
    let root = if x > 0.0 { Some(x.sqrt()) } else { None };
    (root, vec![x, x * x])
}

#[test]
fn a_seed_has_the_shape_of_the_result() {
    let tape = &mut Tape::new();
    for wrong in [0, 2, 9] {
        let mut dx = 5.0;
        let text = format!(
            "the result of `powers` has length 4, but its seed has length {wrong}; they must be equal"
        );
        says(
            || powers_adjoint(tape, 2.0, &mut dx, 4, vec![1.0; wrong]),
            &text,
        );
        says(
            || powers_try_adjoint(tape, 2.0, &mut dx, 4, vec![1.0; wrong]),
            &text,
        );
        assert_eq!(dx, 5.0);
    }
    let mut dx = 5.0;
    says(
        || logarithm_adjoint(tape, 2.0, &mut dx, None),
        "the result of `logarithm` is `Some`, but its seed is `None`; they must be alike",
    );
    // Nobody knows before whether there is a result.
    assert_eq!(logarithm_adjoint(tape, -2.0, &mut dx, Some(1.0)), None);
    says(
        || both_adjoint(tape, 2.0, &mut dx, (None, vec![1.0; 2])),
        "the result of `both` is `Some` at `.0`, but its seed is `None` there; they must be alike",
    );
    says(
        || both_adjoint(tape, 2.0, &mut dx, (Some(1.0), vec![1.0])),
        "the result of `both` has length 2 at `.1`, but its seed has length 1 there; they must be equal",
    );
    says(
        || several_adjoint(tape, 2.0, &mut dx, (1.0, vec![vec![1.0]; 2])),
        "the result of `several` has length 2 at `.1[1]`, but its seed has length 1 there; they must be equal",
    );
    assert_eq!(dx, 5.0);
    // Right ones, and the tape is as before.
    let value = both_adjoint(tape, -2.0, &mut dx, (Some(7.0), vec![1.0, 10.0]));
    assert_eq!(value, (None, vec![-2.0, 4.0]));
    assert_eq!(dx, 5.0 + 1.0 - 40.0);
    dx = 5.0;
    several_adjoint(tape, 3.0, &mut dx, (1.0, vec![vec![10.0], vec![100.0; 2]]));
    assert_eq!(dx, 5.0 + 1.0 + 60.0 + 200.0);
    assert!(tape.is_empty());
}

#[gradient]
fn append(rows: &mut [Vec<f64>], x: f64) {
    rows[0].push(x * x);
}

#[gradient]
fn append_in_tuple(t: &mut (Vec<f64>, f64)) {
    t.0.push(t.1 * t.1);
}

#[gradient]
fn append_row(rows: &mut Vec<Vec<f64>>, x: f64) {
    rows.push(vec![x, x * x]);
}

#[gradient]
fn set(o: &mut Option<f64>, x: f64) {
    *o = Some(x * x);
}

/// The adjoint of what an in-out argument holds has the shape of the output.
#[test]
fn adjoints_of_in_out_arguments_have_the_shape_of_the_output() {
    let tape = &mut Tape::new();
    // An adjoint of the shape of the input would be read as that of another output.
    let (mut d, mut dx) = (vec![vec![1.0]], 5.0);
    says(
        || append_adjoint(tape, &mut [vec![1.0]], &mut d, 2.0, &mut dx, ()),
        "argument `rows` has length 2 at `[0]`, but its adjoint buffer has length 1 there; they must be equal",
    );
    assert_eq!((&d, dx), (&vec![vec![1.0]], 5.0));
    let mut d = vec![vec![1.0, 3.0]];
    append_adjoint(tape, &mut [vec![1.0]], &mut d, 2.0, &mut dx, ());
    assert_eq!((d, dx), (vec![vec![1.0]], 5.0 + 12.0));
    says(
        || append_adjoint(tape, &mut [vec![1.0]], &mut [], 2.0, &mut dx, ()),
        "argument `rows` has length 1, but its adjoint buffer has length 0; they must be equal",
    );

    let mut d = (vec![1.0], 1.0);
    says(
        || append_in_tuple_adjoint(tape, &mut (vec![1.0], 2.0), &mut d, ()),
        "argument `t` has length 2 at `.0`, but its adjoint buffer has length 1 there; they must be equal",
    );
    assert_eq!(d, (vec![1.0], 1.0));
    let mut d = (vec![1.0, 3.0], 1.0);
    append_in_tuple_adjoint(tape, &mut (vec![1.0], 2.0), &mut d, ());
    assert_eq!(d, (vec![1.0], 13.0));

    let (mut d, mut dx) = (vec![vec![1.0]], 0.0);
    says(
        || append_row_adjoint(tape, &mut vec![], &mut d, 2.0, &mut dx, ()),
        "argument `rows` has length 2 at `[0]`, but its adjoint buffer has length 1 there; they must be equal",
    );
    let mut d = vec![vec![1.0, 3.0]];
    append_row_adjoint(tape, &mut vec![], &mut d, 2.0, &mut dx, ());
    assert_eq!((d, dx), (vec![], 13.0));

    let (mut d, mut dx) = (None, 0.0);
    says(
        || set_adjoint(tape, &mut None, &mut d, 2.0, &mut dx, ()),
        "argument `o` is `Some`, but its adjoint buffer is `None`; they must be alike",
    );
    let mut d = Some(1.0);
    set_adjoint(tape, &mut None, &mut d, 2.0, &mut dx, ());
    assert_eq!((d, dx), (None, 4.0));
    assert!(tape.is_empty());
}

/// The callee is given what the caller's sweeps made: nothing to compare, and nothing is refused.
#[gradient]
fn calls_in_out(x: f64, y: f64) -> f64 {
    let mut rows = vec![vec![y]];
    append_row(&mut rows, x);
    append(&mut rows, y);
    rows[0][1] * rows[1][1]
}

#[test]
fn shapes_may_change_on_the_way() {
    let (value, (dx, dy)) = calls_in_out_grad(3.0, 2.0);
    assert_eq!((value, dx, dy), (36.0, 24.0, 36.0));
}
