use super::*;

const LEFT: usize = 2;
const RIGHT: usize = 1;

fn value(x: &[f64]) -> f64 {
    0.3 * x[0] * x[2] + 0.2 * x[1] + 0.4 * x[3] * x[3]
}

fn step(from: &[f64], first: usize, to: &mut [f64]) {
    for (i, to) in to.iter_mut().enumerate() {
        *to = value(&from[i..]) + 0.01 * ((first + i) % 7) as f64;
    }
}

/// Adds what the cells contribute.
fn contribute(from: &[f64], bars: &[f64], to: &mut [f64]) {
    for (i, bar) in bars.iter().enumerate() {
        to[i] += 0.3 * bar * from[i + 2];
        to[i + 1] += 0.2 * bar;
        to[i + 2] += 0.3 * bar * from[i];
        to[i + 3] += 0.8 * bar * from[i + 3];
    }
}

fn adjoint(from: &[f64], _: usize, bars: &[f64], to: &mut [f64]) {
    to.fill(0.0);
    contribute(from, bars, to);
}

fn numbers(n: usize, seed: usize) -> Vec<f64> {
    (0..n)
        .map(|i| ((i * 37 + seed * 101) % 89) as f64 / 89.0)
        .collect()
}

/// Both arrays after the steps, and their adjoints before them, one step after the other.
fn one_by_one(
    cells: &Stencil,
    states: &mut [Vec<f64>; 2],
    mut bars: [Vec<f64>; 2],
    steps: usize,
) -> [Vec<f64>; 2] {
    let (elements, around) = (cells.elements(), cells.around());
    let mut rows = Vec::new();
    for t in 0..steps {
        let [a, b] = &mut *states;
        let (from, to) = if t % 2 == 0 { (a, b) } else { (b, a) };
        rows.push(from[around.clone()].to_vec());
        step(&from[around.clone()], 0, &mut to[elements.clone()]);
    }
    for (t, row) in rows.iter().enumerate().rev() {
        let [a, b] = &mut bars;
        let (from, to) = if t % 2 == 0 { (a, b) } else { (b, a) };
        contribute(row, &to[elements.clone()], &mut from[around.clone()]);
        to[elements.clone()].fill(0.0);
    }
    bars
}

fn check(n: usize, steps: usize, every: usize, tile: usize) {
    check_cells(&cells(n, every, tile, None), steps);
}

fn cells(n: usize, every: usize, tile: usize, together: Option<usize>) -> Stencil {
    Stencil {
        first: 3,
        n,
        left: LEFT,
        right: RIGHT,
        every,
        tile,
        together,
    }
}

fn check_cells(cells: &Stencil, steps: usize) {
    for before in [false, true] {
        check_on(cells, steps, before);
    }
}

/// `byte`: whether one lies on the tape before, so that numbers do not lie where they do in memory.
fn check_on(cells: &Stencil, steps: usize, byte: bool) {
    let n = cells.n;
    let before = [numbers(n + 6, 1), numbers(n + 5, 2)];
    let seeds = [numbers(n + 6, 3), numbers(n + 5, 4)];
    let mut after = before.clone();
    let want = one_by_one(cells, &mut after, seeds.clone(), steps);
    let (mut tape, mut states, mut bars) = (Tape::new(), before.clone(), seeds);
    let site = Site::new();
    if byte {
        tape.push(Site::new(), 1_u8);
    }
    let [a, b] = &mut states;
    forward_tiles(&mut tape, site, [a, b], cells, steps, step);
    assert_eq!(states, after, "{cells:?} {steps}");
    let ([a, b], [x, y]) = (&mut states, &mut bars);
    reverse_tiles(
        &mut tape,
        site,
        [[a, b], [x, y]],
        cells,
        steps,
        step,
        adjoint,
    );
    assert_eq!(states, before, "{cells:?} {steps}");
    for (bars, want) in bars.iter().flatten().zip(want.iter().flatten()) {
        let near = (bars - want).abs() <= 1e-12 * want.abs().max(1.0);
        assert!(near, "{cells:?} {steps}: {bars} {want}");
    }
    if byte {
        assert_eq!(tape.pop(Site::<u8>::new()), 1);
    }
    assert!(tape.is_empty());
}

#[test]
fn tiles_are_the_steps_one_by_one() {
    for n in [1, 2, 3, 7, 10, 31, 64, 65, 97, 200] {
        for steps in [1, 2, 3, 4, 5, 7, 12] {
            for every in [1, 2, 3, 5] {
                for tile in [2, 3, 7, 16, 1000] {
                    check(n, steps, every, tile);
                }
            }
        }
    }
}

#[test]
fn kept_rows_are_the_steps_one_by_one() {
    for n in [1, 2, 3, 7, 10, 31, 64, 65, 97] {
        for steps in [1, 2, 3, 4, 5, 7, 12] {
            for together in [1, 2, 3, 4, 100] {
                check_cells(&cells(n, EVERY, TILE, Some(together)), steps);
            }
        }
    }
}

#[test]
fn rows_that_do_not_fit_have_no_cells() {
    let n = LARGE / size_of::<f64>() / (EVERY + 1) + 1;
    let of = |lens, n: usize, around, steps| {
        Stencil::of::<f64>(lens, (Ix::of(1), Ix::of(n), n), around, steps)
    };
    let few = of([n + 2; 2], n, (1, 1), EVERY + 1);
    assert!(few.is_some_and(|cells| cells.together.is_none()));
    let all = of([n + 2; 2], n - 1, (1, 1), EVERY + 1);
    assert!(all.is_some_and(|cells| cells.together == Some(1)));
    let all = of([1026; 2], 1022, (1, 1), 3);
    assert!(all.is_some_and(|cells| cells.together == Some(16)));
    // A row that is longer than what may lie side by side, many steps aside, and one that is shorter than what is
    // around it.
    assert!(of([n + 2; 2], n + 2000, (1, 1), EVERY).is_none());
    assert!(of([20; 2], 3, (1, 1), 5).is_some());
    assert!(of([20; 2], 1, (1, 1), 5).is_none());
    assert!(of([n + 2; 2], n, (2, 1), EVERY + 1).is_none());
    assert!(of([n + 2; 2], n, (1, 2), EVERY + 1).is_none());
    assert!(of([n + 2, n + 1], n, (1, 1), EVERY + 1).is_none());
    assert!(of([n + 1, n + 2], n, (1, 1), EVERY + 1).is_none());
}
