//! What the verifier asks of a primal and of sweeps.

use crate::right;

right! {
    declaration_lost declared_twice result_undeclared immutable_written index_reads_memory jump_left recorded_undeclared
    neither_cleared_nor_begun begun_twice window_overrun windows_meet versions_differ fast_computes_other
    buffer_unfilled
    adjoint_into_value value_mul_added effect_in_expression procedure_result_lost
    lane_overrun registers_leave_rest skipped_not_zero near_out_of_order panel_row_missing products_lost
    products_elsewhere
}

mod declaration_lost {
    #[retrograde::gradient(name = f)]
    pub(super) fn declaration_lost(x: &[f64], y: &[f64], n: usize) -> f64 {
        let t = x[0] * y[0];
        t * t
    }
}

mod declared_twice {
    #[retrograde::gradient(name = f)]
    pub(super) fn declared_twice(x: &[f64], y: &[f64], n: usize) -> f64 {
        let t = x[0] * y[0];
        t * t
    }
}

mod result_undeclared {
    #[retrograde::gradient(name = f)]
    pub(super) fn result_undeclared(x: &[f64], y: &[f64], n: usize) -> f64 {
        x[0] * y[0]
    }
}

mod immutable_written {
    #[retrograde::gradient(name = f)]
    pub(super) fn immutable_written(x: &[f64], y: &[f64], n: usize) -> f64 {
        let t = x[0] * y[0];
        t * t
    }
}

mod index_reads_memory {
    #[retrograde::gradient(name = f)]
    pub(super) fn index_reads_memory(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut z = x.to_vec();
        z[n] = y[n] * y[n];
        z[n] * z[0]
    }
}

mod jump_left {
    #[retrograde::gradient(name = f)]
    pub(super) fn jump_left(x: &[f64], y: &[f64], n: usize) -> f64 {
        x[0] * y[0]
    }
}

mod recorded_undeclared {
    #[retrograde::gradient(name = f)]
    pub(super) fn recorded_undeclared(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut p = 1.0;
        for i in 0..n {
            p = (p * x[i]).sin() * y[i] + p.cos();
        }
        p
    }
}

mod neither_cleared_nor_begun {
    #[retrograde::gradient(name = f)]
    pub(super) fn neither_cleared_nor_begun(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut s = 0.0;
        for i in 0..n {
            s += (x[i] * y[i]).sin();
        }
        s
    }
}

mod begun_twice {
    #[retrograde::gradient(name = f)]
    pub(super) fn begun_twice(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut s = 0.0;
        for i in 0..n {
            s += (x[i] * y[i]).sin();
        }
        s
    }
}

mod window_overrun {
    #[retrograde::gradient(name = f)]
    pub(super) fn window_overrun(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut z = x.to_vec();
        for i in 0..n {
            z[i] = x[i] * y[i];
        }
        z[0] * z[n]
    }
}

mod windows_meet {
    #[retrograde::gradient(name = f)]
    pub(super) fn windows_meet(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut z = x.to_vec();
        for i in 0..n {
            z[i] = x[i] * y[i];
            z[n + i] = x[i] + y[i];
        }
        z[0] * z[n]
    }
}

mod versions_differ {
    #[retrograde::gradient(name = f)]
    pub(super) fn versions_differ(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut z = x.to_vec();
        for i in 0..n {
            z[i] = x[i] * y[i];
        }
        z[0] * z[n]
    }
}

mod fast_computes_other {
    #[retrograde::gradient(name = f)]
    pub(super) fn fast_computes_other(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut z = x.to_vec();
        for i in 0..n {
            z[i] = x[i] * y[i];
        }
        z[0] * z[n]
    }
}

mod buffer_unfilled {
    /// The adjoint of `c` is a sum of numbers.
    #[retrograde::gradient(name = f)]
    pub(super) fn buffer_unfilled(x: &[f64], y: &[f64], n: usize) -> f64 {
        let c = x[0] * y[0];
        let mut z = x.to_vec();
        for i in 0..n {
            z[i] = c * y[i];
        }
        z[0] * z[n]
    }
}

mod adjoint_into_value {
    #[retrograde::gradient(name = f)]
    pub(super) fn adjoint_into_value(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut t = x[0] * y[0];
        for i in 0..n {
            t = (t * t * 0.5).sin() + x[i];
        }
        t
    }
}

mod procedure_result_lost {
    /// The region in two others runs as a procedure.
    #[retrograde::gradient(name = f)]
    pub(super) fn procedure_result_lost(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut t = x[0];
        #[checkpoint]
        for i in 0..n {
            #[checkpoint]
            {
                t *= y[i];
                #[checkpoint]
                for k in 0..2 {
                    for j in 0..n {
                        t = (t + x[i + j]).sin();
                    }
                    t += 0.1 * y[k];
                }
            }
        }
        t * t
    }
}

mod value_mul_added {
    /// The region runs again in the reverse sweep, on groups of elements.
    #[retrograde::gradient(name = f)]
    pub(super) fn value_mul_added(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut z = x.to_vec();
        #[checkpoint]
        {
            for i in 0..n {
                z[3 * i] += y[3 * i] * y[0];
                z[3 * i + 1] += y[3 * i + 1] * y[0];
                z[3 * i + 2] += y[3 * i + 2] * y[0];
            }
            for i in 0..n {
                z[3 * i] *= z[3 * i + 1] * z[3 * i + 2];
            }
        }
        z[0] * z[n]
    }
}

mod effect_in_expression {
    #[retrograde::gradient(name = f)]
    pub(super) fn effect_in_expression(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut t = x[0];
        t = t * y[0];
        t
    }
}

mod lane_overrun {
    /// The sums of several rows grow side by side.
    #[retrograde::gradient(name = f)]
    pub(super) fn lane_overrun(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut total = 0.0;
        for i in 0..n {
            let mut s = 0.5;
            for j in 0..40 {
                s += x[i + j] * y[j];
            }
            total += s * s;
        }
        total * 0.01
    }
}

mod registers_leave_rest {
    /// The reverse adds to two elements, for several iterations at once.
    #[retrograde::gradient(name = f, no(gather))]
    pub(super) fn registers_leave_rest(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut s = 0.5;
        for i in 1..n {
            s += x[i - 1] * x[i];
        }
        s * y[0] * 0.01
    }
}

mod skipped_not_zero {
    /// The reverse of the inner loop clears the adjoints of what the loop set.
    #[retrograde::gradient(name = f)]
    pub(super) fn skipped_not_zero(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut a = vec![0.5; n];
        let mut s = 0.1;
        for i in 0..n {
            let t = x[i] * x[i];
            let mut sum = 0.0;
            for k in 0..n {
                sum += t * y[(i + 3 * k) % (n + 1)];
                a[k] = t * y[(i + 2 * k) % (n + 1)];
            }
            s += a[(5 * i) % n] * sum;
        }
        s * 0.01
    }
}

mod near_out_of_order {
    /// The reverse adds to three neighbours, and to all of `y`.
    #[retrograde::gradient(name = f)]
    pub(super) fn near_out_of_order(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut s = 0.5;
        for i in 1..n {
            s += y[0] * x[i - 1] * x[i] + y[1] * x[i + 1] * x[i] + y[2];
        }
        s * 0.01
    }
}

mod panel_row_missing {
    /// The reverse goes over panels of rows of the matrix.
    #[retrograde::gradient(name = f)]
    pub(super) fn panel_row_missing(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut w = vec![0.0; n * 40];
        for k in 0..n * 40 {
            w[k] = 0.1 * x[k % 48];
        }
        let mut total = 0.0;
        for i in 0..n {
            let mut s = 0.5;
            for j in 0..40 {
                s += w[i * 40 + j] * y[j];
            }
            total += s * s;
        }
        total * 0.01
    }
}

mod products_lost {
    /// Each step adds an outer product to the adjoint of the matrix.
    #[retrograde::gradient(name = f)]
    pub(super) fn products_lost(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut w = vec![0.0; n * 40];
        for k in 0..n * 40 {
            w[k] = 0.1 * x[k % 48];
        }
        let mut total = 0.0;
        for t in 0..6 {
            for i in 0..n {
                let mut s = 0.5;
                for j in 0..40 {
                    s += w[i * 40 + j] * y[j + t];
                }
                total += s * s;
            }
        }
        total * 0.01
    }
}

mod products_elsewhere {
    /// Each step adds an outer product to the adjoint of the matrix.
    #[retrograde::gradient(name = f)]
    pub(super) fn products_elsewhere(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut w = vec![0.0; n * 40];
        for k in 0..n * 40 {
            w[k] = 0.1 * x[k % 48];
        }
        let mut total = 0.0;
        for t in 0..6 {
            for i in 0..n {
                let mut s = 0.5;
                for j in 0..40 {
                    s += w[i * 40 + j] * y[j + t];
                }
                total += s * s;
            }
        }
        total * 0.01
    }
}
