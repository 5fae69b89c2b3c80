//! What the whole record says of each year's level (the fixed-interval smoother of Rauch, Tung and Striebel), and what
//! it says of years to come.

use crate::model::{Belief, LocalLevel, Year};

/// The level of each year of the record, then of `ahead` more.
///
/// # Panics
///
/// If nothing was measured.
pub(crate) fn levels(model: &LocalLevel, record: &[Year], ahead: usize) -> Vec<Belief> {
    let first = record
        .iter()
        .position(|year| year.flow.is_some())
        .expect("a record without a measurement");
    let mut levels = smoothed(model, &filtered(model, &record[first..]));
    for _ in 0..ahead {
        levels.push(model.predict(levels[levels.len() - 1]));
    }
    // The level drifts backwards as it does forwards.
    for _ in 0..first {
        levels.insert(0, model.predict(levels[0]));
    }
    levels
}

/// What the measurements up to each year say of its level; the first year of the record was measured.
fn filtered(model: &LocalLevel, record: &[Year]) -> Vec<Belief> {
    let mut levels: Vec<Belief> = Vec::with_capacity(record.len());
    for year in record {
        let predicted = levels.last().map(|&level| model.predict(level));
        levels.push(match (predicted, year.flow) {
            (Some(level), Some(flow)) => model.update(level, flow).0,
            (Some(level), None) => level,
            (None, flow) => Belief {
                mean: flow.expect("measured"),
                variance: model.noise(),
            },
        });
    }
    levels
}

/// What all measurements say of each year's level.
fn smoothed(model: &LocalLevel, filtered: &[Belief]) -> Vec<Belief> {
    let mut levels = filtered.to_vec();
    for year in (0..levels.len() - 1).rev() {
        let (now, later) = (filtered[year], levels[year + 1]);
        let predicted = model.predict(now);
        let gain = now.variance / predicted.variance;
        levels[year] = Belief {
            mean: now.mean + gain * (later.mean - predicted.mean),
            variance: now.variance + gain * gain * (later.variance - predicted.variance),
        };
    }
    levels
}
