//! What is saved, restored, recorded and computed again.

use crate::right;

right! {
    overwrite_not_saved sibling_forgotten fields_apart swap_not_saved loop_seen_once arm_needs_forgotten
    saved_index_forgotten argument_not_returned impure_call_repeated overwritten_argument_repeated
    region_state_lost overwritten_operand_recomputed overwritten_element_read_back bulk_of_what_is_read last_of_a_sum
    part_overwritten overwritten_though_read undone_value_lost loser_reversed no_number_taken
    read_behind_overwrite direction_forgotten needed_in_front_forgotten elements_taken_apart
    end_left_out condition_turned resized_keeps_length open_type_forgotten
    output_left output_unsaid output_read_unsaid output_undone
}

mod overwrite_not_saved {
    #[retrograde::gradient(name = f, no(rename))]
    pub(super) fn overwrite_not_saved(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut t = x[0] * y[0];
        let mut s = t * t;
        t = x[1] + y[1];
        s += t * t * t;
        s
    }
}

mod inner_write_renamed {
    #[retrograde::gradient(name = f)]
    pub(super) fn inner_write_renamed(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut s = 0.0;
        for i in 0..n {
            let mut t = x[i] * y[i];
            if t > 0.5 {
                t = t * t * t;
            }
            t *= x[i] + t;
            s += t * t;
        }
        s
    }
}

mod open_type_forgotten {
    fn single(a: f32) -> f64 {
        f64::from(a)
    }

    #[retrograde::gradient(name = f)]
    pub(super) fn open_type_forgotten(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut s = 0.0;
        for i in 0..n {
            let a = 0.1;
            s += x[i] * retrograde::no_gradient(single(a));
            s += y[i] * (((a / 3.0) as f64) - 0.1 / 3.0) * 1e9;
        }
        // The adjoint is not known in front of the loop, so that it runs twice.
        0.5 * s * s
    }
}

mod resized_keeps_length {
    #[retrograde::gradient(name = f)]
    pub(super) fn resized_keeps_length(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut s = 0.0;
        for i in 0..n {
            let mut list = vec![x[i]; n];
            list.push(y[i]);
            s += list.iter().sum::<f64>() * (i as f64 + 0.5);
        }
        s
    }
}

mod sibling_forgotten {
    #[retrograde::gradient(name = f)]
    pub(super) fn sibling_forgotten(x: &[f64], y: &[f64], n: usize) -> f64 {
        // What holds a list is not taken apart.
        let mut t = (x[0] + 0.5, y[0], vec![x[1]; n]);
        let mut s = t.0 * t.0 * t.1;
        t.0 = x[1] * y[1];
        t.1 = x[2] + y[2];
        s += t.0 * t.1;
        s
    }
}

mod fields_apart {
    use std::ops::{Deref, DerefMut};

    #[derive(Clone, retrograde::Record)]
    pub(super) struct Inner {
        k: usize,
    }

    #[derive(Clone, retrograde::Record)]
    pub(super) struct Outer {
        inner: Inner,
    }

    impl Deref for Outer {
        type Target = Inner;

        fn deref(&self) -> &Inner {
            &self.inner
        }
    }

    impl DerefMut for Outer {
        fn deref_mut(&mut self) -> &mut Inner {
            &mut self.inner
        }
    }

    fn first() -> Outer {
        Outer {
            inner: Inner { k: 0 },
        }
    }

    /// `at.k` lies in `at.inner`.
    #[retrograde::gradient(name = f)]
    pub(super) fn fields_apart(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut at = first();
        let s = x[at.k] * y[at.k];
        at.inner.k = 1;
        s * x[at.k]
    }
}

mod swap_not_saved {
    #[retrograde::gradient(name = f)]
    pub(super) fn swap_not_saved(x: &[f64], y: &[f64], n: usize) -> f64 {
        let (mut a, mut b) = (x.to_vec(), y.to_vec());
        let mut s = a[0] * a[0] * b[0];
        std::mem::swap(&mut a, &mut b);
        s += a[1] * a[1];
        s
    }
}

mod loop_seen_once {
    /// An iteration overwrites what the one before needs.
    #[retrograde::gradient(name = f)]
    pub(super) fn loop_seen_once(x: &[f64], y: &[f64], n: usize) -> f64 {
        let (mut t, mut s) = (0.5, 0.0);
        for i in 0..n {
            t = t * 0.5 + x[i];
            s += t * t * y[i];
        }
        s
    }
}

mod arm_needs_forgotten {
    #[retrograde::gradient(name = f, no(rename))]
    pub(super) fn arm_needs_forgotten(x: &[f64], y: &[f64], n: usize) -> f64 {
        let (mut t, mut s) = (x[0] * y[0], 0.0);
        if n > 2 {
            s += t * t;
        }
        t = x[1] + y[1];
        s + t
    }
}

mod saved_index_forgotten {
    /// The elements have no adjoints, but the reverse sweep reads them.
    #[retrograde::gradient(name = f)]
    pub(super) fn saved_index_forgotten(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut b = vec![1.0, 2.0];
        let mut k = 0;
        let mut s = 0.0;
        for i in 0..n {
            s += x[i] * y[i] * b[0];
            b[k] = b[k] * 0.5 + 0.25;
            k = (k + 1) % 2;
        }
        s
    }
}

mod argument_not_returned {
    #[retrograde::gradient]
    pub(super) fn argument_not_returned_by(v: &mut [f64]) {
        for i in 0..v.len() {
            v[i] = v[i] * 0.5 + 1.0;
        }
    }

    /// The callee undoes what it has done, though its own reverse does not need that.
    #[retrograde::gradient(name = f)]
    pub(super) fn argument_not_returned(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut v = x.to_vec();
        let s = v[0] * v[0] * y[0];
        argument_not_returned_by(&mut v);
        s + v[1] * v[1]
    }
}

mod output_left {
    #[retrograde::gradient]
    pub(super) fn output_left_by(v: &mut [f64], x: f64) {
        for i in 0..v.len() {
            v[i] = v[i] * 0.5 + x;
        }
    }

    /// What the callee overwrites is read in front of the call.
    #[retrograde::gradient(name = f)]
    pub(super) fn output_left(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut v = x.to_vec();
        let s = v[0] * v[0] * y[0];
        output_left_by(&mut v, y[1]);
        s + v[1] * v[1]
    }
}

mod output_unsaid {
    #[retrograde::gradient]
    pub(super) fn output_unsaid_by(v: &mut [f64], w: &mut [f64], x: f64) {
        v[0] = x;
        w[0] = 2.0 * x;
    }

    /// What the callee overwrites of the one array is read in front of the call, of the other one nothing is.
    #[retrograde::gradient(name = f)]
    pub(super) fn output_unsaid(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut v = x.to_vec();
        let mut w = y.to_vec();
        let s = v[0] * v[0] * y[0];
        output_unsaid_by(&mut v, &mut w, y[1]);
        s + v[0] + w[0]
    }
}

mod output_read_unsaid {
    #[retrograde::gradient]
    pub(super) fn output_read_unsaid_step(v: &mut [f64], x: f64) {
        v[1] = v[0] * x;
    }

    #[retrograde::gradient]
    pub(super) fn output_read_unsaid_reset(v: &mut [f64], x: f64) {
        v[0] = 2.0 * x;
    }

    /// The reverse of the first call reads what the second one overwrites.
    #[retrograde::gradient(name = f)]
    pub(super) fn output_read_unsaid(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut v = [x[0], 0.0];
        output_read_unsaid_step(&mut v, y[0]);
        let s = v[1];
        output_read_unsaid_reset(&mut v, y[1]);
        s + v[0]
    }
}

mod output_undone {
    #[retrograde::gradient]
    pub(super) fn output_undone_by(x: f64, k: &mut usize, s: &mut f64) {
        *s += 2.0 * x;
        *k = 0;
    }

    /// One more than nothing, and back again, in each iteration.
    #[retrograde::gradient(name = f)]
    pub(super) fn output_undone(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut k = 3;
        let mut s = 0.0;
        for i in 0..n {
            output_undone_by(x[i], &mut k, &mut s);
            k += 1;
            s *= y[i];
        }
        s
    }
}

mod region_state_lost {
    #[retrograde::gradient(name = f)]
    pub(super) fn region_state_lost(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut t = x[0];
        #[checkpoint]
        for i in 0..n {
            t = (t * y[i]).sin() + x[i];
        }
        t
    }
}

mod overwritten_operand_recomputed {
    /// The operand changes between the value and its last use.
    #[retrograde::gradient(name = f, no(cut))]
    pub(super) fn overwritten_operand_recomputed(x: &[f64], y: &[f64], n: usize) -> f64 {
        let (mut t, mut s) = (0.5, 0.0);
        for i in 0..n {
            let d = t - x[i];
            t = y[i] * 0.5;
            s += d * d * d;
        }
        s + t
    }
}

mod read_behind_overwrite {
    /// What an iteration overwrites, another one may have read: the distance is not in the text.
    #[retrograde::gradient(name = f)]
    pub(super) fn read_behind_overwrite(x: &[f64], y: &[f64], n: usize) -> f64 {
        let k = n % 2;
        let mut c = x.to_vec();
        for i in 0..n {
            c[i + k] = c[i + 1] * c[i + 1] * y[i];
        }
        c[n / 2] * c[0]
    }
}

mod direction_forgotten {
    /// Each element is read before it is overwritten.
    #[retrograde::gradient(name = f)]
    pub(super) fn direction_forgotten(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut c = x.to_vec();
        for i in 0..n {
            c[i] = c[i + 1] * c[i + 1] * y[i];
        }
        c[n / 2] * c[0]
    }
}

mod end_left_out {
    /// The last element that an iteration reads is the one that it overwrites.
    #[retrograde::gradient(name = f)]
    pub(super) fn end_left_out(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut c = x.to_vec();
        for i in 0..n {
            let mut t = 0.0;
            for j in 0..=i {
                t += c[j] * c[j] * y[j];
            }
            c[i] = 0.3 * t.sin();
        }
        c[n / 2] + c[0]
    }
}

mod condition_turned {
    /// Of all elements so far, the one is read that is overwritten.
    #[retrograde::gradient(name = f)]
    pub(super) fn condition_turned(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut c = x.to_vec();
        for i in 0..n {
            let mut t = 0.0;
            for j in 0..=i {
                if j == i {
                    t += c[j] * c[j] * y[j];
                }
            }
            c[i] = 0.3 * t.sin();
        }
        c[n / 2] + c[0]
    }
}

mod needed_in_front_forgotten {
    #[retrograde::gradient(name = f)]
    pub(super) fn needed_in_front_forgotten(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut c = x.to_vec();
        let s = c[1] * c[1] * c[1];
        for i in 1..n {
            c[i] = c[i - 1] * c[i - 1] * y[i];
        }
        s + c[n / 2]
    }
}

mod elements_taken_apart {
    /// The element is overwritten between the value and its last use.
    #[retrograde::gradient(name = f, no(cut))]
    pub(super) fn elements_taken_apart(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut u = x.to_vec();
        let mut s = 0.0;
        for i in 0..n {
            let d = u[i] - y[i];
            u[i] = y[i] * 0.5;
            s += d * d * d;
        }
        s + u[n / 2]
    }
}

mod overwritten_element_read_back {
    #[retrograde::gradient(name = f)]
    pub(super) fn overwritten_element_read_back(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut h = vec![0.0; n];
        let mut s = 0.0;
        for i in 0..n {
            let v = (x[i] * y[i]).tanh();
            h[i] = v;
            h[i] = h[i] * 0.5 + 0.25;
            s += v * v * v;
        }
        for i in 0..n {
            s += h[i];
        }
        s
    }
}

mod bulk_of_what_is_read {
    #[retrograde::gradient(name = f)]
    pub(super) fn bulk_of_what_is_read(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut z = y.to_vec();
        for i in 0..n {
            z[i] = z[i] * z[i] * x[i];
        }
        for i in 0..n {
            z[i] = z[i] * z[i] * x[i];
        }
        let mut s = 0.0;
        for i in 0..n {
            s += z[i];
        }
        s
    }
}

mod last_of_a_sum {
    /// The write is the last that counts, what is added beside it is not.
    #[retrograde::gradient(name = f)]
    pub(super) fn last_of_a_sum(x: &[f64], y: &[f64], n: usize) -> f64 {
        let (mut most, mut s) = (0.0, 0.0);
        for i in 0..n {
            if x[i] > most {
                s += y[i];
                most = x[i];
            }
        }
        most + s
    }
}

mod loser_reversed {
    /// The root of the largest is kept with its index.
    #[retrograde::gradient(name = f)]
    pub(super) fn loser_reversed(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut most = 0.0;
        for i in 0..n {
            most = f64::max(most, x[i].exp() + y[i].exp());
        }
        most
    }
}

mod no_number_taken {
    /// The root of a negative number is none: `max` returns the other operand.
    #[retrograde::gradient(name = f)]
    pub(super) fn no_number_taken(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut most = x[0] * y[0];
        for i in 0..n {
            most = f64::max(most, (x[i] - 1.0).sqrt());
        }
        most
    }
}

mod impure_call_repeated {
    use std::cell::Cell;

    thread_local! {
        static CALLS: Cell<usize> = const { Cell::new(0) };
    }

    fn count(to: usize) -> usize {
        CALLS.set(if to > 0 { 0 } else { CALLS.get() + 1 });
        CALLS.get()
    }

    /// The fault is one of the callee.
    mod callee {
        /// Gives another result each time.
        #[retrograde::gradient]
        pub(super) fn impure_call_repeated(x: f64) -> f64 {
            let factor = super::count(0) as f64;
            x * factor
        }
    }

    /// Where an iteration runs forward and in reverse at once, the result is there.
    #[retrograde::gradient(name = f, no(fuse))]
    pub(super) fn impure_call_repeated(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut s = count(1) as f64;
        for i in 0..n {
            let c = callee::impure_call_repeated(x[i]);
            s += c * c * y[i];
        }
        s
    }
}

mod overwritten_argument_repeated {
    #[retrograde::gradient]
    fn product(x: &[f64; 2]) -> f64 {
        x[0] * x[1]
    }

    /// The argument changes between the call and the last use of the result.
    #[retrograde::gradient(name = f, no(inline))]
    pub(super) fn overwritten_argument_repeated(x: &[f64], y: &[f64], n: usize) -> f64 {
        let (mut t, mut s) = ([0.5, 1.5], 0.0);
        for i in 0..n {
            let d = product(&t);
            t = [x[i], y[i]];
            s += d * d * d;
        }
        s + t[0]
    }
}

mod part_overwritten {
    /// The last element is carried from step to step.
    #[retrograde::gradient(name = f)]
    pub(super) fn part_overwritten(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut t = vec![0.5; n + 1];
        let mut s = 0.0;
        for p in 0..5 {
            for i in 0..n {
                t[i] = x[i + p];
            }
            for i in 0..n + 1 {
                t[i] += y[i + p] * x[p];
            }
            for i in 0..n + 1 {
                s += t[i] * t[i];
            }
        }
        s
    }
}

mod overwritten_though_read {
    #[retrograde::gradient(name = f)]
    pub(super) fn overwritten_though_read(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut t = vec![0.5; n];
        let mut s = 0.0;
        for p in 0..5 {
            for i in 0..n {
                t[i] = x[i + p];
                s += t[i] * t[i];
            }
            for i in 0..n {
                t[i] += y[i + p] * x[p];
            }
            for i in 0..n {
                s += t[i] * y[i];
            }
        }
        s
    }
}

mod undone_value_lost {
    #[retrograde::gradient(name = f)]
    pub(super) fn undone_value_lost(x: &[f64], y: &[f64], n: usize) -> f64 {
        let (mut s, mut sign) = (0.0, 1.0);
        for i in 0..n {
            s += sign * x[i] * y[i];
            sign = -sign;
            if x[i] > y[i] {
                sign = 2.0 + i as f64;
            }
        }
        s
    }
}
