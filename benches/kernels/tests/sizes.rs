//! Every kernel at small and crooked sizes: generated code and both adjoints by hand agree, and all values are the
//! function's own, to the bit.

use retrograde_kernels::{
    gravity, heat1d, lenet5, log_sum_exp, mass_spring, matdescent, mttkrp, nn, pathfinder, somier,
    sumexp,
};

/// Around the widths of blocks of lanes, and primes.
const SIZES: [usize; 9] = [1, 2, 3, 5, 7, 17, 31, 33, 101];

#[test]
fn log_sum_exp_at_every_size() {
    for n in SIZES.into_iter().chain([16, 257, 1031]) {
        log_sum_exp::kernel(n).check();
    }
}

#[test]
fn matdescent_at_every_size() {
    for n in SIZES {
        matdescent::kernel(n, n).check();
        matdescent::kernel(n, 3).check();
        matdescent::kernel(3, n).check();
    }
    for (rows, columns) in [(0, 3), (3, 0), (0, 0)] {
        matdescent::kernel(rows, columns).check();
    }
}

#[test]
fn nn_at_every_size() {
    for n in SIZES {
        nn::kernel(n, 5, 3, 2).check();
        nn::kernel(4, n, 3, 0).check();
        nn::kernel(5, 9, n, n / 2).check();
    }
    nn::kernel(0, 3, 2, 1).check();
    nn::kernel(3, 0, 2, 1).check();
}

#[test]
fn gravity_at_every_size() {
    for n in SIZES {
        gravity::kernel(n, 2).check();
    }
    for (bodies, steps) in [(0, 2), (5, 0), (5, 1), (3, 17)] {
        gravity::kernel(bodies, steps).check();
    }
}

#[test]
fn mass_spring_at_every_size() {
    for n in SIZES {
        mass_spring::kernel(n, 3, 2).check();
        mass_spring::kernel(3, n, 2).check();
        mass_spring::kernel(2, 2, n).check();
    }
    mass_spring::kernel(3, 0, 2).check();
    mass_spring::kernel(3, 2, 0).check();
}

#[test]
fn mttkrp_at_every_size() {
    for n in SIZES {
        mttkrp::kernel(n, 3, 2, 5).check();
        mttkrp::kernel(2, n, 3, 4).check();
        mttkrp::kernel(3, 2, n, 9).check();
        mttkrp::kernel(2, 5, 2, n).check();
    }
    for (i, j, k) in [(0, 2, 3), (2, 0, 3), (2, 3, 0)] {
        mttkrp::kernel(i, j, k, 2).check();
    }
}

#[test]
fn somier_at_every_size() {
    for n in [1, 2, 3, 4, 5, 6, 7, 9, 11] {
        somier::kernel(n, 3).check();
    }
    somier::kernel(17, 1).check();
    somier::kernel(4, 0).check();
    somier::kernel(3, 31).check();
}

#[test]
fn lenet5_at_other_sides() {
    lenet5::kernel::<16>(0).check();
    lenet5::kernel::<20>(9).check();
}

#[test]
fn pathfinder_at_every_size() {
    for n in SIZES {
        pathfinder::kernel(n, n).check();
        pathfinder::kernel(n, 1).check();
        pathfinder::kernel(n, 2).check();
        pathfinder::kernel(1, n).check();
        pathfinder::kernel(2, n).check();
    }
    pathfinder::kernel(3, 0).check();
}

#[test]
fn every_form_of_pathfinder_has_the_same_gradient() {
    for (rows, cols) in [(1, 1), (1, 7), (2, 5), (7, 1), (31, 33), (33, 17)] {
        // No two ways cost the same.
        let cost = |i: usize| 10.0 * ((i as f64 + 1.0) * 0.618_033_988_749_895).fract();
        let w: Vec<f64> = (0..rows * cols).map(cost).collect();
        let expected = pathfinder::pathfinder_grad(&w, rows, cols);
        let copies = pathfinder::pathfinder_copies_grad(&w, rows, cols);
        let table = pathfinder::pathfinder_table_grad(&w, rows, cols);
        let parity = pathfinder::pathfinder_parity_grad(&w, rows, cols);
        assert_eq!(copies, expected, "{rows} × {cols}, with copies");
        assert_eq!(table, expected, "{rows} × {cols}, as a table");
        assert_eq!(parity, expected, "{rows} × {cols}, by parity");
    }
}

#[test]
fn heat1d_at_every_size() {
    for n in SIZES {
        heat1d::kernel(n, 3).check();
        heat1d::kernel(n, 41).check();
        heat1d::kernel(9, n).check();
    }
    heat1d::kernel(0, 0).check();
    heat1d::kernel(33, 0).check();
    // More than one tile, and a last tile of a few cells.
    heat1d::kernel(3007, 20).check();
    heat1d::kernel(6101, 33).check();
}

#[test]
fn sumexp_at_every_size() {
    for n in SIZES.into_iter().chain([0]) {
        sumexp::kernel(n).check();
    }
}

#[test]
fn an_empty_vector_panics_where_the_function_does() {
    let function = std::panic::catch_unwind(|| log_sum_exp::log_sum_exp(&[]));
    let gradient = std::panic::catch_unwind(|| log_sum_exp::log_sum_exp_grad(&[]));
    assert!(function.is_err() && gradient.is_err());
}
