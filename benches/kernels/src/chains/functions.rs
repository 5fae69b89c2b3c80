//! The chains and the loops.

use retrograde::gradient;

/// Squares of the positive ones.
#[gradient]
pub fn filter_loop(x: &[f64], y: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        if x[i] > 0.0 {
            sum += x[i] * x[i] * y[i];
        }
    }
    sum
}

/// The same as a chain.
#[gradient]
pub fn filter_chain(x: &[f64], y: &[f64]) -> f64 {
    x.iter()
        .zip(y)
        .filter(|(x, _)| **x > 0.0)
        .map(|(x, y)| x * x * y)
        .sum()
}

/// Roots of the positive ones.
#[gradient]
pub fn filter_map_loop(x: &[f64], y: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        if x[i] > 0.0 {
            sum += x[i].sqrt() * y[i];
        }
    }
    sum
}

/// The same as a chain.
#[gradient]
pub fn filter_map_chain(x: &[f64], y: &[f64]) -> f64 {
    x.iter()
        .zip(y)
        .filter_map(|(x, y)| if *x > 0.0 { Some(x.sqrt() * y) } else { None })
        .sum()
}

/// Products up to the first one that is large.
#[gradient]
pub fn take_while_loop(x: &[f64], y: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        if x[i] > 0.9995 {
            break;
        }
        sum += x[i].sin() * y[i];
    }
    sum
}

/// The same as a chain.
#[gradient]
pub fn take_while_chain(x: &[f64], y: &[f64]) -> f64 {
    x.iter()
        .zip(y)
        .take_while(|(x, _)| **x <= 0.9995)
        .map(|(x, y)| x.sin() * y)
        .sum()
}

/// A decaying state.
#[gradient]
pub fn scan_loop(x: &[f64], y: &[f64]) -> f64 {
    let mut state = 0.0;
    let mut sum = 0.0;
    for i in 0..x.len() {
        state = state * 0.9 + x[i];
        sum += state * y[i];
    }
    sum
}

/// The same as a chain.
#[gradient]
pub fn scan_chain(x: &[f64], y: &[f64]) -> f64 {
    x.iter()
        .zip(y)
        .scan(0.0, |state, (x, y)| {
            *state = *state * 0.9 + x;
            Some(*state * y)
        })
        .sum()
}

/// All pairs of neighbours up to a distance.
#[gradient]
pub fn flat_map_loop(x: &[f64], y: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() - 16 {
        for j in i..i + 16 {
            sum += x[i] * y[j];
        }
    }
    sum
}

/// The same as a chain.
#[gradient]
pub fn flat_map_chain(x: &[f64], y: &[f64]) -> f64 {
    (0..x.len() - 16)
        .flat_map(|i| (i..i + 16).map(move |j| x[i] * y[j]))
        .sum()
}

/// Both slices.
#[gradient]
pub fn chain_loop(x: &[f64], y: &[f64]) -> f64 {
    let mut sum = 0.0;
    for t in x {
        sum += t * t.exp();
    }
    for t in y {
        sum += t * t.exp();
    }
    sum
}

/// The same as a chain.
#[gradient]
pub fn chain_chain(x: &[f64], y: &[f64]) -> f64 {
    x.iter().chain(y).map(|t| t * t.exp()).sum()
}

/// What passes a test, beside the elements from the end.
#[gradient]
pub fn zip_loop(x: &[f64], y: &[f64]) -> f64 {
    let mut sum = 0.0;
    let mut k = 0;
    for i in 0..x.len() {
        if x[i] > -0.5 {
            if k >= y.len() {
                break;
            }
            sum += x[i] * y[k];
            k += 1;
        }
    }
    sum
}

/// The same as a chain.
#[gradient]
pub fn zip_chain(x: &[f64], y: &[f64]) -> f64 {
    x.iter()
        .filter(|x| **x > -0.5)
        .zip(y)
        .map(|(x, y)| x * y)
        .sum()
}

/// A vector of what passes a test.
#[gradient]
pub fn collect_loop(x: &[f64], y: &[f64]) -> f64 {
    let mut kept = Vec::new();
    for i in 0..x.len() {
        if x[i] > 0.0 {
            kept.push(x[i] * y[i]);
        }
    }
    let mut sum = 0.0;
    for t in &kept {
        sum += t * t;
    }
    sum
}

/// The same as a chain.
#[gradient]
pub fn collect_chain(x: &[f64], y: &[f64]) -> f64 {
    let kept: Vec<f64> = x
        .iter()
        .zip(y)
        .filter(|(x, _)| **x > 0.0)
        .map(|(x, y)| x * y)
        .collect();
    kept.iter().map(|t| t * t).sum()
}
