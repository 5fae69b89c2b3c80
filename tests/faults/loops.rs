//! Where loops run in another order, together, or once instead of twice.

use crate::right;

right! {
    carried_overwrite_ignored carried_read_ignored neighbours_apart slopes_apart digits_apart second_index_covered
    gaps_covered fused_dependent fused_unknown_adjoint exposed_read_ignored private_adjoint_kept
    jammed_carried jammed_nest_carried jammed_nest_read jammed_nest_twice interchanged_carried deferred_read_before
    inlined_among_others middle_unchecked mirrored_is_gathered induction_written_twice like_terms_apart
    shared_element_among shared_element_carried preallocated_is_read new_value_overwritten
    induction_under_condition induction_amount_varies induction_update_order moved_though_written
    speculated_though_written
    speculated_index merged_elsewhere merged_zero sunk_not_zero replayed_twice replayed_operand_changed replayed_carried
}

mod carried_overwrite_ignored {
    #[retrograde::gradient(name = f)]
    pub(super) fn carried_overwrite_ignored(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut t = 0.5;
        for i in 0..n {
            t = x[i] * y[i];
        }
        t * t
    }
}

mod carried_read_ignored {
    #[retrograde::gradient(name = f)]
    pub(super) fn carried_read_ignored(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut z = x.to_vec();
        for i in 0..n {
            z[i + 1] += 0.5 * z[i];
        }
        z[n] * y[0]
    }
}

mod neighbours_apart {
    #[retrograde::gradient(name = f)]
    pub(super) fn neighbours_apart(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut z = x.to_vec();
        for i in 0..n {
            z[i + 2] += 0.5 * z[i + 1];
        }
        z[n + 1] * y[0]
    }
}

mod slopes_apart {
    #[retrograde::gradient(name = f)]
    pub(super) fn slopes_apart(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut z = x.to_vec();
        for i in 1..n {
            z[2 * i] += 0.5 * z[i];
        }
        z[2] * y[0] + z[4] + z[8]
    }
}

mod digits_apart {
    /// The last column of a row is the first one of the next.
    #[retrograde::gradient(name = f)]
    pub(super) fn digits_apart(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut z = y.to_vec();
        for i in 0..6 {
            for j in 0..6 {
                z[i * 5 + j] = 0.5 * z[i * 5 + j] + x[i * 6 + j];
            }
        }
        let mut s = 0.0;
        for k in 0..31 {
            s += z[k] * z[k];
        }
        s
    }
}

mod second_index_covered {
    #[retrograde::gradient(name = f)]
    pub(super) fn second_index_covered(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut s = 0.0;
        for i in 0..n {
            s += x[i] * x[i + 1] * y[i];
        }
        s
    }
}

mod gaps_covered {
    #[retrograde::gradient(name = f)]
    pub(super) fn gaps_covered(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut s = 0.0;
        for i in 0..n {
            s += x[2 * i] * y[i];
        }
        s
    }
}

mod fused_dependent {
    #[retrograde::gradient(name = f)]
    pub(super) fn fused_dependent(x: &[f64], y: &[f64], n: usize) -> f64 {
        let (mut t, mut s) = (0.5, 0.0);
        for i in 0..n {
            s += (x[i] * y[i]).exp() * t;
            t = t * 0.5 + 0.5;
        }
        s
    }
}

mod fused_unknown_adjoint {
    #[retrograde::gradient(name = f)]
    pub(super) fn fused_unknown_adjoint(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut s = 0.0;
        for i in 0..n {
            s += (x[i] * y[i]).exp();
        }
        s * s
    }
}

mod exposed_read_ignored {
    /// The first element is what the iteration before has left there.
    #[retrograde::gradient(name = f)]
    pub(super) fn exposed_read_ignored(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut row = vec![0.3; 4];
        let mut s = 0.0;
        for i in 0..n {
            for j in 1..4 {
                row[j] = (x[i] * y[j]).sin();
            }
            for j in 0..4 {
                s += row[j].exp();
            }
            row[0] = x[i] * 0.1;
        }
        s
    }
}

mod private_adjoint_kept {
    /// The adjoint of `t` is not zero behind the loop.
    #[retrograde::gradient(name = f)]
    pub(super) fn private_adjoint_kept(x: &[f64], y: &[f64], n: usize) -> f64 {
        let (mut t, mut s) = (0.5, 0.0);
        for i in 0..n {
            t = x[i] * y[i];
            s += t + x[i].exp();
        }
        s + 2.0 * t
    }
}

mod jammed_carried {
    /// The next row begins with what the one before has left.
    #[retrograde::gradient(name = f)]
    pub(super) fn jammed_carried(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut last = 0.5;
        for i in 0..n {
            let mut s = last;
            for j in 0..40 {
                s += x[i + j] * y[j];
            }
            last = (s * 0.1).sin();
        }
        last
    }
}

mod jammed_nest_carried {
    /// The next column begins with what the one before has left.
    #[retrograde::gradient(name = f)]
    pub(super) fn jammed_nest_carried(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut last = 0.5;
        for c in 0..n {
            for i in 0..2 {
                for j in 0..5 {
                    last = last * 0.9 + x[i + j + c] * y[j];
                }
            }
        }
        last
    }
}

mod jammed_nest_read {
    /// The next column reads what the one before has written.
    #[retrograde::gradient(name = f)]
    pub(super) fn jammed_nest_read(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut z = x.to_vec();
        for c in 0..n {
            let mut s = 0.0;
            for i in 0..2 {
                for j in 0..5 {
                    s += z[i + c] * y[j];
                }
            }
            z[c + 1] = s * 0.1;
        }
        z[n] + z[n / 2]
    }
}

mod jammed_nest_twice {
    /// The last columns are gone through with some that are done.
    #[retrograde::gradient(name = f)]
    pub(super) fn jammed_nest_twice(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut total = 0.5;
        for c in 0..n {
            let mut s = 0.0;
            for i in 0..2 {
                for j in 0..5 {
                    s += x[i + j + c] * y[j];
                }
            }
            total = total * 0.9 + s;
        }
        total
    }
}

mod like_terms_apart {
    /// The adjoint of `p` gets two products with one factor in common, one right behind the other.
    #[retrograde::gradient(name = f)]
    pub(super) fn like_terms_apart(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut s = 0.0;
        for i in 0..n {
            let p = x[i] + 0.5;
            s += p * (p + 0.25) * y[i];
        }
        s
    }
}

mod interchanged_carried {
    #[retrograde::gradient(name = f)]
    pub(super) fn interchanged_carried(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut z = x.to_vec();
        for a in 0..5 {
            for b in 0..5 {
                for i in 0..n {
                    z[a * n + b + i + 1] += 0.1 * z[a * n + b + i];
                }
            }
        }
        let mut s = 0.0;
        for i in 0..n {
            s += z[i + 4] * y[i];
        }
        s
    }
}

mod deferred_read_before {
    /// One element of the matrix changes between the steps.
    #[retrograde::gradient(name = f)]
    pub(super) fn deferred_read_before(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut w = vec![0.0; n * 40 + 8];
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
            if t == 2 {
                w[3] = total * 0.001;
            }
        }
        total * 0.01
    }
}

mod replayed_twice {
    #[retrograde::gradient(name = f)]
    pub(super) fn replayed_twice(x: &[f64], y: &[f64], n: usize) -> f64 {
        let (mut s, mut t) = (y[0], 0.5);
        for i in 0..n {
            s += x[i] * t;
            t *= 0.9;
            t += 0.2;
        }
        s * s
    }
}

mod replayed_operand_changed {
    #[retrograde::gradient(name = f)]
    pub(super) fn replayed_operand_changed(x: &[f64], y: &[f64], n: usize) -> f64 {
        let (mut s, mut t, mut c) = (y[0], 0.5, 0.8);
        for i in 0..n {
            s += x[i] * t;
            t *= c;
            c = 0.5 + 0.3 * c;
        }
        s * s
    }
}

mod replayed_carried {
    #[retrograde::gradient(name = f)]
    pub(super) fn replayed_carried(x: &[f64], y: &[f64], n: usize) -> f64 {
        let (mut s, mut t) = (y[0], 0.5);
        for i in 0..n {
            s = s * t + x[i];
            t = 0.1 + 0.7 * t;
        }
        s * s
    }
}

mod inlined_among_others {
    const RATE: f64 = 0.75;

    #[retrograde::gradient]
    fn rated(v: f64) -> f64 {
        RATE * v * v
    }

    #[retrograde::gradient(name = f)]
    pub(super) fn inlined_among_others(x: &[f64], y: &[f64], n: usize) -> f64 {
        const RATE: f64 = 3.0;
        let mut s = 0.0;
        for i in 0..n {
            s += rated(x[i] * y[i]) * RATE;
        }
        s
    }
}

mod middle_unchecked {
    /// The first and the last element count half.
    #[retrograde::gradient(name = f)]
    pub(super) fn middle_unchecked(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut s = 0.0;
        for i in 0..n {
            let w = if i == 0 || i + 1 == n { 0.5 } else { 1.0 };
            s += w * x[i] * x[i] * y[i];
        }
        s
    }
}

mod shared_element_among {
    #[retrograde::gradient(name = f)]
    pub(super) fn shared_element_among(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut a = x.to_vec();
        for i in 0..n {
            a[i] += 0.1 * a[1] * y[i];
        }
        a.iter().map(|v| v * v).sum()
    }
}

mod shared_element_carried {
    #[retrograde::gradient(name = f)]
    pub(super) fn shared_element_carried(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut a = x.to_vec();
        let (from, to) = (n / (n + 1), n / (n + 2));
        for i in 1..n {
            a[i] *= 0.5;
            a[to] += a[from] * 0.1;
        }
        a.iter().map(|v| v * v).sum::<f64>() * y[0]
    }
}

mod mirrored_is_gathered {
    /// From the end, into three neighbours each.
    #[retrograde::gradient(name = f)]
    pub(super) fn mirrored_is_gathered(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut s = 0.0;
        for i in 2..n {
            let d = x[n - i] + 0.5 * x[n + 1 - i] - 0.25 * x[n + 2 - i];
            s += d * d * y[i];
        }
        s
    }
}

mod induction_written_twice {
    #[retrograde::gradient(name = f)]
    pub(super) fn induction_written_twice(x: &[f64], y: &[f64], n: usize) -> f64 {
        let (mut s, mut at) = (0.0, 0);
        for i in 0..n {
            s += x[at] * y[i];
            at += 1;
            s += x[at] * x[at];
            at += 2;
        }
        s
    }
}

mod preallocated_is_read {
    #[retrograde::gradient]
    fn mean(list: &[f64]) -> f64 {
        list.iter().sum::<f64>() / list.len() as f64
    }

    #[retrograde::gradient(name = f)]
    pub(super) fn preallocated_is_read(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut list = vec![y[0]];
        for i in 0..n {
            let before = mean(&list);
            list.push(before * x[i]);
        }
        list[n]
    }
}

mod new_value_overwritten {
    #[retrograde::gradient(name = f)]
    pub(super) fn new_value_overwritten(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut state = [0.5, 0.25];
        for i in 0..n {
            state = [state[1] * x[i] + 0.5, state[0] - y[i]];
        }
        state[0] * state[1]
    }
}

mod induction_under_condition {
    #[retrograde::gradient(name = f)]
    pub(super) fn induction_under_condition(x: &[f64], y: &[f64], n: usize) -> f64 {
        let (mut s, mut at) = (0.0, 0);
        for i in 0..n {
            s += x[at] * y[i];
            if i % 3 == 0 {
                at += 2;
            }
        }
        s
    }
}

mod induction_amount_varies {
    #[retrograde::gradient(name = f)]
    pub(super) fn induction_amount_varies(x: &[f64], y: &[f64], n: usize) -> f64 {
        let (mut s, mut at, mut by) = (0.0, 0, 1);
        for i in 0..n {
            s += x[at] * y[i];
            at += by;
            by = 3 - by;
        }
        s
    }
}

mod induction_update_order {
    #[retrograde::gradient(name = f)]
    pub(super) fn induction_update_order(x: &[f64], y: &[f64], n: usize) -> f64 {
        let (mut s, mut at) = (0.0, 1);
        for i in 0..n {
            s += x[at] * y[i];
            at += 2;
            s += x[at] * x[i];
        }
        s
    }
}

mod moved_though_written {
    #[retrograde::gradient(name = f)]
    pub(super) fn moved_though_written(x: &[f64], y: &[f64], n: usize) -> f64 {
        let (mut s, mut a) = (0.0, x[0]);
        for i in 0..n {
            s += a.exp() * y[i];
            a = 0.5 * a + x[i];
        }
        s
    }
}

mod speculated_though_written {
    #[retrograde::gradient(name = f)]
    pub(super) fn speculated_though_written(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut s = 0.0;
        for i in 0..n {
            let mut a = x[i];
            if y[i] > 0.5 {
                a += 0.2 * y[i];
                s += if a > 0.7 { a * a } else { y[i] };
            }
        }
        s
    }
}

mod speculated_index {
    #[retrograde::gradient(name = f)]
    pub(super) fn speculated_index(x: &[f64], y: &[f64], n: usize) -> f64 {
        let (x, mut s) = (&x[..n], 0.0);
        for i in 0..n {
            if i + 1 < n {
                s += if x[i + 1] > 0.6 {
                    x[i] * x[i + 1]
                } else {
                    y[i]
                };
            }
        }
        s
    }
}

mod merged_elsewhere {
    #[retrograde::gradient(name = f)]
    pub(super) fn merged_elsewhere(x: &[f64], y: &[f64], n: usize) -> f64 {
        let (mut s, mut t) = (0.0, 1.0);
        for i in 0..n {
            if y[i] > 0.5 {
                s += x[i] * y[i];
            } else {
                t += x[i];
            }
        }
        s * t
    }
}

mod merged_zero {
    #[retrograde::gradient(name = f)]
    pub(super) fn merged_zero(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut s = -0.0;
        for i in 0..n {
            if y[i] > 50.0 {
                s += x[i];
            }
        }
        s
    }
}

mod sunk_not_zero {
    #[retrograde::gradient(name = f)]
    pub(super) fn sunk_not_zero(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut s = 0.0;
        for i in 0..n {
            let j = (7 * i + 3) % (n + 1);
            let d = x[j] - y[i];
            let mut e = 0.5 * d;
            if d > 0.1 {
                e += d * d * d / (1.0 + d * d * d * d);
            }
            s += e;
        }
        s
    }
}
