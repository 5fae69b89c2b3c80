//! Values that loops carry, that are saved before an overwrite, chosen by conditions, kept for the reverse sweep, and
//! run again in checkpointed regions.

use retrograde::gradient;

use crate::types::{ByHand, Counts, Nested, Odd, Panics, Resets, Swaps, check};

#[gradient]
fn product(n: &Resets) -> f64 {
    n.x * n.x * n.acc
}

#[gradient]
fn carried(x: f64, y: f64) -> f64 {
    let mut s = 0.0;
    let mut n = Resets { x, acc: y };
    for _ in 0..2 {
        s += product(&n);
        n = Resets { x: n.acc, acc: n.x };
    }
    s
}

#[gradient]
fn carried_by_a_parameter(mut n: Resets) -> f64 {
    let mut s = 0.0;
    for _ in 0..2 {
        s += product(&n);
        n = Resets { x: n.acc, acc: n.x };
    }
    s
}

#[test]
fn loops_carry_a_value() {
    check(carried, carried_grad);
    check(
        |x, acc| carried_by_a_parameter(Resets { x, acc }),
        |x, acc| {
            let (value, slope) = carried_by_a_parameter_grad(Resets { x, acc });
            (value, (slope.x, slope.acc))
        },
    );
}

#[gradient]
fn stepped(n: Swaps) -> Swaps {
    Swaps {
        a: n.b * n.a,
        b: n.a.sin() + n.b,
    }
}

#[gradient]
fn passed_on(x: f64, y: f64) -> f64 {
    let mut n = Swaps { a: x, b: y };
    for _ in 0..3 {
        n = stepped(n);
    }
    n.a * n.a * n.b
}

#[gradient]
fn moved_before_an_overwrite(x: f64, y: f64) -> f64 {
    let mut n = Swaps { a: x, b: y };
    let mut s = 0.0;
    for k in 0..3 {
        let old = n;
        n = Swaps {
            a: old.b * x,
            b: old.a,
        };
        s += old.a * old.a * n.b + old.b;
    }
    s
}

#[gradient]
fn chosen(x: f64, y: f64) -> f64 {
    let first = Resets { x, acc: y };
    let second = Resets { x: y * x, acc: 2.0 };
    let n = if x > y { first } else { second };
    let m = match x < 0.0 {
        true => n,
        false => Resets {
            x: n.acc,
            acc: n.x * y,
        },
    };
    m.x * m.x * m.acc
}

#[gradient]
fn left_early(x: f64, y: f64) -> f64 {
    let mut n = Swaps { a: x, b: y };
    let mut k = 0;
    loop {
        let next = Swaps {
            a: n.b + x,
            b: n.a * n.a,
        };
        if k == 2 {
            break next.a * next.b;
        }
        n = next;
        k += 1;
    }
}

#[test]
fn values_are_moved_and_overwritten() {
    check(passed_on, passed_on_grad);
    check(moved_before_an_overwrite, moved_before_an_overwrite_grad);
    check(chosen, chosen_grad);
    check(left_early, left_early_grad);
}

#[gradient]
fn swapped(x: f64, y: f64) -> f64 {
    let mut n = Swaps { a: x, b: y };
    let mut m = Swaps { a: y * y, b: x };
    let old = std::mem::replace(&mut n, Swaps { a: x * y, b: 1.0 });
    std::mem::swap(&mut n, &mut m);
    n.a * old.a * m.a + old.b * n.b * m.b
}

#[gradient]
fn checkpointed(x: f64, y: f64) -> f64 {
    let mut n = Resets { x, acc: y };
    #[checkpoint]
    for _ in 0..4 {
        let t = n.x * n.acc;
        n = Resets {
            x: n.acc + t,
            acc: n.x.sin(),
        };
    }
    n.x * n.acc
}

#[gradient]
fn run_again(x: f64, y: f64) -> f64 {
    let mut n = Swaps { a: x, b: y };
    #[checkpoint]
    {
        n.a *= n.b;
        n = stepped(n);
    }
    n.a * n.a * n.b
}

#[gradient]
fn owning(x: f64, y: f64) -> f64 {
    let mut n = Panics {
        values: vec![x, y],
        scale: y,
    };
    let mut s = 0.0;
    for k in 0..3 {
        let old = n;
        s += old.values[k % 2] * old.scale;
        n = Panics {
            values: vec![old.scale, old.values[0] * x],
            scale: old.values[1],
        };
    }
    s * n.scale
}

#[gradient]
fn nothing_is_cloned(x: f64, y: f64) -> f64 {
    let mut n = Counts { x, n: 1 };
    for k in 0..3 {
        let old = n;
        n = Counts {
            x: old.x * y,
            n: old.n + k,
        };
    }
    n.x * n.n as f64
}

#[gradient]
fn odd(x: f64, y: f64) -> f64 {
    let mut n = Odd { a: x, b: y };
    for _ in 0..3 {
        let old = n;
        n = Odd {
            a: old.b * old.b,
            b: old.a + y,
        };
    }
    n.a * n.b
}

#[gradient]
fn by_hand(x: f64, y: f64) -> f64 {
    let mut n = ByHand { x, y };
    for _ in 0..3 {
        let old = n;
        n = ByHand {
            x: old.y * old.x,
            y: old.x + y,
        };
    }
    n.x * n.x * n.y
}

#[test]
fn values_are_replaced_run_again_and_own_memory() {
    check(swapped, swapped_grad);
    check(checkpointed, checkpointed_grad);
    check(run_again, run_again_grad);
    check(owning, owning_grad);
    check(nothing_is_cloned, nothing_is_cloned_grad);
    check(odd, odd_grad);
    check(by_hand, by_hand_grad);
}
