//! Ranges of numbers, as parameters and fields.

use std::ops::Range;

use retrograde::{Differentiable, Record, gradient};

use crate::support::check;

#[derive(Clone, Copy, Debug, PartialEq, Differentiable, Record)]
struct Line {
    from: f64,
    to: f64,
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Part {
    of: Line,
    within: Range<f64>,
}

#[gradient]
impl Line {
    fn eval(&self, t: f64) -> f64 {
        self.from + (self.to - self.from) * t * t
    }

    fn subsegment(&self, range: Range<f64>) -> Line {
        Line {
            from: self.eval(range.start),
            to: self.eval(range.end),
        }
    }
}

#[gradient]
fn width(line: Line, range: Range<f64>) -> f64 {
    let part = line.subsegment(range);
    part.to * part.from
}

#[gradient]
fn of_part(part: &Part, t: f64) -> f64 {
    let Range { start, end } = part.within;
    part.of.eval(start + (end - start) * t) * part.within.end
}

#[test]
fn both_ends_have_a_derivative() {
    let line = |p: &[f64]| Line {
        from: p[0],
        to: p[1],
    };
    let points: &[&[f64]] = &[&[1.0, 2.0, 0.25, 0.75], &[-1.5, 0.5, 0.1, 2.0]];
    check(
        |p| width(line(p), p[2]..p[3]),
        |p| {
            let (value, (line, range)) = width_grad(line(p), p[2]..p[3]);
            (value, [line.from, line.to, range.start, range.end])
        },
        points,
    );
    check(
        |p| {
            of_part(
                &Part {
                    of: line(p),
                    within: p[2]..p[3],
                },
                0.5,
            )
        },
        |p| {
            let part = Part {
                of: line(p),
                within: p[2]..p[3],
            };
            let (value, (d, _)) = of_part_grad(&part, 0.5);
            (value, [d.of.from, d.of.to, d.within.start, d.within.end])
        },
        points,
    );
}
