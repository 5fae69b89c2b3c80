//! The artificial viscosity and the equation of state of an element.

use retrograde::gradient;

const TINY: f64 = 1e-36;
const LEAST_ENERGY: f64 = -1e15;
const CUT: f64 = 1e-7;
const LEAST_VOLUME: f64 = 1e-9;
const MOST_VOLUME: f64 = 1e9;

/// The ratio of the neighbours' velocity gradients to one's own, limited to be monotonic.
#[gradient]
pub(super) fn limiter(own: f64, before: f64, after: f64) -> f64 {
    let norm = 1.0 / (own + TINY);
    let left = before * norm;
    let right = after * norm;
    let mut phi = 0.5 * (left + right);
    if 2.0 * left < phi {
        phi = 2.0 * left;
    }
    if 2.0 * right < phi {
        phi = 2.0 * right;
    }
    if phi < 0.0 {
        phi = 0.0;
    }
    if phi > 1.0 {
        phi = 1.0;
    }
    phi
}

/// Slope and value of the pressure over the energy: `2/3 (compression + 1)`.
#[gradient]
fn pressure(energy: f64, stiffness: f64, volume: f64) -> f64 {
    let mut pressure = stiffness * energy;
    if pressure.abs() < CUT {
        pressure = 0.0;
    }
    if volume >= MOST_VOLUME {
        pressure = 0.0;
    }
    if pressure < 0.0 {
        pressure = 0.0;
    }
    pressure
}

/// The speed of sound.
#[gradient]
fn sound(energy: f64, volume: f64, stiffness: f64, pressure: f64) -> f64 {
    let square = 2.0 / 3.0 * energy + volume * volume * stiffness * pressure;
    if square <= 0.111_111_1e-36 {
        0.333_333_3e-18
    } else {
        square.sqrt()
    }
}

/// No energy below the cut.
#[gradient]
fn cut(energy: f64) -> f64 {
    let mut energy = energy;
    if energy.abs() < CUT {
        energy = 0.0;
    }
    if energy < LEAST_ENERGY {
        energy = LEAST_ENERGY;
    }
    energy
}

/// Energy, pressure, viscosity and speed of sound after a step in which the relative volume became `new` by a change of
/// `change`; `linear` and `quadratic` are the terms of the viscosity.
#[gradient]
pub(super) fn state(
    energy: f64,
    pressed: f64,
    viscosity: f64,
    new: f64,
    change: f64,
    linear: f64,
    quadratic: f64,
) -> [f64; 4] {
    let volume = new.clamp(LEAST_VOLUME, MOST_VOLUME);
    let compression = 1.0 / volume - 1.0;
    let half = 1.0 / (volume - 0.5 * change) - 1.0;
    let expands = change > 0.0;

    let mut e = energy - 0.5 * change * (pressed + viscosity);
    if e < LEAST_ENERGY {
        e = LEAST_ENERGY;
    }
    let mut stiffness = 2.0 / 3.0 * (half + 1.0);
    let p_half = pressure(e, stiffness, volume);
    let middle = 1.0 / (1.0 + half);
    let mut q = 0.0;
    if !expands {
        q = sound(e, middle, stiffness, p_half) * linear + quadratic;
    }
    e += 0.5 * change * (3.0 * (pressed + viscosity) - 4.0 * (p_half + q));
    e = cut(e);

    stiffness = 2.0 / 3.0 * (compression + 1.0);
    let mut p = pressure(e, stiffness, volume);
    let mut q_there = 0.0;
    if !expands {
        q_there = sound(e, volume, stiffness, p) * linear + quadratic;
    }
    let all = 7.0 * (pressed + viscosity) - 8.0 * (p_half + q) + (p + q_there);
    e = cut(e - all * change / 6.0);

    p = pressure(e, stiffness, volume);
    let speed = sound(e, volume, stiffness, p);
    if !expands {
        q = speed * linear + quadratic;
        if q.abs() < CUT {
            q = 0.0;
        }
    }
    [e, p, q, speed]
}
