//! The mechanical adjoint: every entry of a layer is saved before it is overwritten, and a record per spring.

use super::{ACTUATION, DAMPING, DT, GOAL, GRAVITY, Inputs, STIFFNESS, WAVES};
use crate::kernel::{copy, refill};
use std::f64::consts::PI;

/// What is kept of a spring.
#[derive(Clone, Copy, Default)]
struct Spring {
    dx: f64,
    dy: f64,
    length: f64,
    w: f64,
}

/// The state of the sweep that is running.
#[derive(Default)]
struct State {
    x: Vec<f64>,
    v: Vec<f64>,
    f: Vec<f64>,
    input: Vec<f64>,
    h: Vec<f64>,
    act: Vec<f64>,
}

#[derive(Default)]
pub(super) struct Simple {
    saved: Vec<f64>,
    springs: Vec<Spring>,
    now: State,
    adjoints: State,
}

/// Overwrites an entry and keeps what it was.
fn set(at: &mut f64, value: f64, saved: &mut Vec<f64>) {
    saved.push(*at);
    *at = value;
}

/// Puts an entry back; the adjoint that it had, which then is zero.
fn unset(at: &mut f64, adjoint: &mut f64, saved: &mut Vec<f64>) -> f64 {
    *at = saved.pop().unwrap_or(f64::NAN);
    std::mem::take(adjoint)
}

impl Simple {
    pub(super) fn run(&mut self, inputs: &Inputs, gradient: [&mut [f64]; 4]) -> f64 {
        let (n, springs) = (inputs.p0.len() / 2, inputs.rest.len());
        let hidden = inputs.weights[1].len();
        for state in [&mut self.now, &mut self.adjoints] {
            refill(&mut state.x, 2 * n, 0.0);
            refill(&mut state.v, 2 * n, 0.0);
            refill(&mut state.f, 2 * n, 0.0);
            refill(&mut state.input, WAVES + 4 * n + 2, 0.0);
            refill(&mut state.h, hidden, 0.0);
            refill(&mut state.act, springs, 0.0);
        }
        copy(&mut self.now.x, &inputs.p0);
        self.saved.clear();
        self.springs.clear();
        for t in 0..inputs.steps {
            self.control(inputs, t);
            self.advance(inputs);
        }
        let value = -self.now.x[0];
        self.adjoints.x[0] -= 1.0;
        let [dw1, db1, dw2, db2] = gradient;
        for _ in 0..inputs.steps {
            self.advance_adjoint(inputs);
            self.control_adjoint(inputs, dw1, db1, dw2, db2);
        }
        value
    }

    /// From the state to what the network wants of the springs.
    fn control(&mut self, inputs: &Inputs, t: usize) {
        let [w1, b1, w2, b2] = &inputs.weights;
        let (now, saved) = (&mut self.now, &mut self.saved);
        let (x, v, input) = (&now.x[..], &now.v[..], &mut now.input[..]);
        let (h, act) = (&mut now.h[..], &mut now.act[..]);
        let (n, wide) = (x.len() / 2, input.len());
        let (mut cx, mut cy) = (0.0, 0.0);
        for i in 0..n {
            cx += x[2 * i];
            cy += x[2 * i + 1];
        }
        cx /= n as f64;
        cy /= n as f64;
        for j in 0..WAVES {
            let wave = (10.0 * t as f64 * DT + 2.0 * PI / WAVES as f64 * j as f64).sin();
            set(&mut input[j], wave, saved);
        }
        for i in 0..n {
            let at = WAVES + 4 * i;
            set(&mut input[at], 0.05 * (x[2 * i] - cx), saved);
            set(&mut input[at + 1], 0.05 * (x[2 * i + 1] - cy), saved);
            set(&mut input[at + 2], 0.05 * v[2 * i], saved);
            set(&mut input[at + 3], 0.05 * v[2 * i + 1], saved);
        }
        set(&mut input[WAVES + 4 * n], GOAL.0 - cx, saved);
        set(&mut input[WAVES + 4 * n + 1], GOAL.1 - cy, saved);
        let hidden = b1.len();
        for k in 0..hidden {
            let mut s = b1[k];
            for i in 0..wide {
                s += w1[k * wide + i] * input[i];
            }
            set(&mut h[k], s.tanh(), saved);
        }
        for c in 0..b2.len() {
            let mut s = b2[c];
            for k in 0..hidden {
                s += w2[c * hidden + k] * h[k];
            }
            set(&mut act[c], s.tanh(), saved);
        }
    }

    /// The springs pull, the objects move.
    fn advance(&mut self, inputs: &Inputs) {
        let decay = (-DT * DAMPING).exp();
        let State { x, v, f, act, .. } = &mut self.now;
        f.fill(0.0);
        for c in 0..inputs.rest.len() {
            let (a, b) = (inputs.from[c], inputs.to[c]);
            let dx = x[2 * a] - x[2 * b];
            let dy = x[2 * a + 1] - x[2 * b + 1];
            let length = (dx * dx + dy * dy + 1e-8).sqrt();
            let w = STIFFNESS * (length - inputs.rest[c] * (1.0 + ACTUATION * act[c])) / length;
            self.springs.push(Spring { dx, dy, length, w });
            f[2 * a] -= w * dx;
            f[2 * a + 1] -= w * dy;
            f[2 * b] += w * dx;
            f[2 * b + 1] += w * dy;
        }
        for i in 0..x.len() / 2 {
            v[2 * i] = decay * (v[2 * i] + DT * f[2 * i]);
            v[2 * i + 1] = decay * (v[2 * i + 1] + DT * (f[2 * i + 1] + GRAVITY));
        }
        for i in 0..x.len() {
            x[i] += DT * v[i];
        }
    }

    fn advance_adjoint(&mut self, inputs: &Inputs) {
        let decay = (-DT * DAMPING).exp();
        let State {
            x: dx,
            v: dv,
            f: df,
            act: dact,
            ..
        } = &mut self.adjoints;
        for i in (0..dx.len()).rev() {
            dv[i] += DT * dx[i];
        }
        for i in (0..dx.len()).rev() {
            let d = decay * dv[i];
            dv[i] = d;
            df[i] += DT * d;
        }
        for c in (0..inputs.rest.len()).rev() {
            let (a, b) = (inputs.from[c], inputs.to[c]);
            let spring = self.springs.pop().unwrap_or_default();
            let ex = df[2 * b] - df[2 * a];
            let ey = df[2 * b + 1] - df[2 * a + 1];
            let dw = ex * spring.dx + ey * spring.dy;
            let dpull = dw / spring.length * STIFFNESS;
            let dlength = dpull - dw * spring.w / spring.length;
            dact[c] -= dpull * inputs.rest[c] * ACTUATION;
            let dsquare = dlength * 0.5 / spring.length;
            let ddx = spring.w * ex + 2.0 * dsquare * spring.dx;
            let ddy = spring.w * ey + 2.0 * dsquare * spring.dy;
            dx[2 * a] += ddx;
            dx[2 * b] -= ddx;
            dx[2 * a + 1] += ddy;
            dx[2 * b + 1] -= ddy;
        }
        df.fill(0.0);
    }

    fn control_adjoint(
        &mut self,
        inputs: &Inputs,
        dw1: &mut [f64],
        db1: &mut [f64],
        dw2: &mut [f64],
        db2: &mut [f64],
    ) {
        let [w1, b1, w2, b2] = &inputs.weights;
        let (now, adjoints, saved) = (&mut self.now, &mut self.adjoints, &mut self.saved);
        let (hidden, wide, n) = (b1.len(), now.input.len(), now.x.len() / 2);
        let (h, input, act) = (&mut now.h[..], &mut now.input[..], &mut now.act[..]);
        let (dh, dinput) = (&mut adjoints.h[..], &mut adjoints.input[..]);
        for c in (0..b2.len()).rev() {
            let slope = 1.0 - act[c] * act[c];
            let ds = slope * unset(&mut act[c], &mut adjoints.act[c], saved);
            for k in (0..hidden).rev() {
                dw2[c * hidden + k] += ds * h[k];
                dh[k] += ds * w2[c * hidden + k];
            }
            db2[c] += ds;
        }
        for k in (0..hidden).rev() {
            let slope = 1.0 - h[k] * h[k];
            let ds = slope * unset(&mut h[k], &mut dh[k], saved);
            for i in (0..wide).rev() {
                dw1[k * wide + i] += ds * input[i];
                dinput[i] += ds * w1[k * wide + i];
            }
            db1[k] += ds;
        }
        let (dx, dv) = (&mut adjoints.x[..], &mut adjoints.v[..]);
        let mut unset = |i: usize| unset(&mut input[i], &mut dinput[i], saved);
        let mut dcy = -unset(WAVES + 4 * n + 1);
        let mut dcx = -unset(WAVES + 4 * n);
        for i in (0..n).rev() {
            dv[2 * i + 1] += 0.05 * unset(WAVES + 4 * i + 3);
            dv[2 * i] += 0.05 * unset(WAVES + 4 * i + 2);
            let d = 0.05 * unset(WAVES + 4 * i + 1);
            dx[2 * i + 1] += d;
            dcy -= d;
            let d = 0.05 * unset(WAVES + 4 * i);
            dx[2 * i] += d;
            dcx -= d;
        }
        for j in (0..WAVES).rev() {
            unset(j);
        }
        dcx /= n as f64;
        dcy /= n as f64;
        for i in (0..n).rev() {
            dx[2 * i] += dcx;
            dx[2 * i + 1] += dcy;
        }
    }
}
