//! Every workload at small and crooked sizes: generated code and adjoint by hand agree to 1e-12, and the values are the
//! function's own, to the bit.

use retrograde_workloads::{
    SMALL, alignment, ba, convolution, det, filter, forces, gmm, kalman, kmeans, llsq, lse, lstm,
    lu, ode, power, recurrence, smoother, spline, tridiagonal, upwind,
};

/// Around the widths of blocks of lanes, and primes.
const SIZES: [usize; 9] = [1, 2, 3, 5, 7, 17, 31, 33, 101];

#[test]
fn all_workloads_at_their_small_sizes() {
    for (name, make) in SMALL {
        let mut kernel = make();
        assert!(!kernel.buffers(0.0).is_empty(), "{name} has a gradient");
        kernel.check();
    }
}

#[test]
fn lse_at_every_size() {
    for n in SIZES {
        lse::compared(n).check();
        lse::by_max(n).check();
        lse::folded(n).check();
    }
}

#[test]
fn llsq_at_every_size() {
    for n in SIZES {
        llsq::kernel(n, 2).check();
        llsq::kernel(3, n + 1).check();
    }
    llsq::kernel(3, 0).check();
}

#[test]
fn gmm_at_every_size() {
    for n in SIZES {
        gmm::kernel([2, 3, n]).check();
        gmm::kernel([3, n, 2]).check();
        gmm::kernel([n.min(33), 2, 3]).check();
    }
    gmm::kernel([3, 2, 0]).check();
}

#[test]
fn kmeans_at_every_size() {
    for n in SIZES {
        for make in [kmeans::by_min, kmeans::compared, kmeans::rows] {
            make([n, 5, 2]).check();
            make([3, n, 2]).check();
            make([3, 5, n]).check();
        }
    }
    kmeans::by_min([3, 0, 2]).check();
}

#[test]
fn ba_at_every_size() {
    for n in SIZES {
        ba::kernel([1, 2, n]).check();
    }
}

#[test]
fn lstm_at_every_size() {
    for n in SIZES {
        lstm::kernel([1, n + 1, 3]).check();
        lstm::kernel([2, 4, n]).check();
        lstm::kernel([n.min(7), 3, 2]).check();
    }
}

#[test]
fn ode_at_every_size() {
    for n in SIZES {
        ode::kernel(n.min(33), 17).check();
        ode::kernel(3, n).check();
    }
}

#[test]
fn det_at_every_size() {
    for n in 1..=6 {
        det::kernel(n).check();
    }
}

#[test]
fn power_at_every_size() {
    for n in SIZES {
        power::kernel(n, 3).check();
        power::kernel(5, n).check();
    }
    power::kernel(5, 0).check();
}

#[test]
fn convolution_at_every_size() {
    for n in SIZES {
        convolution::kernel([n.min(33) + 4, 9, 2]).check();
        convolution::kernel([8, n.min(33) + 4, 3]).check();
    }
    convolution::kernel([9, 8, 0]).check();
}

#[test]
fn forces_at_every_size() {
    for side in 1..=5 {
        forces::kernel(side).check();
    }
}

#[test]
fn upwind_at_every_size() {
    for n in SIZES {
        upwind::kernel(n.max(2), 5).check();
        upwind::kernel(11, n).check();
    }
    upwind::kernel(11, 0).check();
}

#[test]
fn recurrence_at_every_size() {
    for n in SIZES.into_iter().chain([0]) {
        recurrence::kernel(n).check();
    }
}

#[test]
fn smoother_at_every_size() {
    for n in SIZES {
        smoother::kernel(n, 3).check();
        smoother::kernel(7, n).check();
    }
    smoother::kernel(7, 0).check();
}

#[test]
fn spline_at_every_size() {
    for n in SIZES {
        spline::kernel(n + 3, 19).check();
        spline::kernel(7, n).check();
    }
}

#[test]
fn alignment_at_every_size() {
    for n in SIZES {
        alignment::kernel(n, 4).check();
        alignment::kernel(3, n).check();
    }
}

#[test]
fn kalman_at_every_size() {
    for n in SIZES.into_iter().chain([0]) {
        kalman::kernel(n).check();
    }
}

#[test]
fn filter_at_every_size() {
    for n in SIZES {
        filter::kernel(n, 3).check();
        filter::kernel(17, n.min(7)).check();
    }
}

#[test]
fn tridiagonal_at_every_size() {
    for n in SIZES {
        tridiagonal::kernel(n).check();
    }
}

#[test]
fn lu_at_every_size() {
    for n in SIZES {
        lu::kernel(n).check();
    }
}
