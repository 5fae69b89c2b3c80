//! What checks, windows and kernels touch.

use crate::ir::Touch;
use crate::ir::versions::{Check, Output, Part, Window, Windows};

use super::touches::Touches;

impl Touches<'_> {
    pub(super) fn check(&mut self, check: &Check) {
        match check {
            Check::Not(e) | Check::Fits(e) => self.expr(e),
            Check::Part { of, lo, hi } => {
                lo.iter().chain(hi).for_each(|e| self.expr(e));
                self.place(of, Touch::Length);
            }
            Check::Element { of, at } => {
                self.expr(at);
                self.place(of, Touch::Length);
            }
            Check::NoOverflow(indices) => {
                let numbers = indices.below.iter().flat_map(|below| &below.numbers);
                numbers.for_each(|e| self.expr(e));
                for (a, b) in &indices.differences {
                    self.expr(a);
                    self.expr(b);
                }
            }
        }
    }

    /// Who has a window may read or write what it shows.
    pub(super) fn windows(&mut self, windows: &Windows) {
        match windows {
            Windows::Groups(group) => {
                let touch = if group.mutable {
                    Touch::Update
                } else {
                    Touch::Read
                };
                self.place(&group.of, touch);
                self.declare(&[group.var]);
            }
            Windows::Element { var, of, at } => {
                self.expr(at);
                self.read(of);
                self.declare(&[*var]);
            }
            Windows::Read { window, len } => {
                self.expr(len);
                self.window(window, Touch::Read);
            }
            Windows::Write { windows, len } => {
                self.expr(len);
                windows
                    .iter()
                    .for_each(|window| self.window(window, Touch::Update));
            }
            Windows::Extent { window, len } => {
                self.expr(len);
                self.window(window, Touch::Length);
            }
            Windows::Stencil {
                var,
                arrays,
                first,
                last,
                len,
                steps,
                around: _,
            } => {
                [first, last, len, steps]
                    .into_iter()
                    .for_each(|e| self.expr(e));
                arrays.iter().for_each(|of| self.var(*of, Touch::Length));
                self.declare(&[*var]);
            }
            Windows::Part { var, part } => {
                self.part(part);
                self.declare(&[*var]);
            }
            Windows::Narrow {
                vars, from, len, ..
            } => {
                self.expr(from);
                self.expr(len);
                vars.iter().for_each(|v| self.var(*v, Touch::Length));
            }
            Windows::Shift { var, of, from, len }
            | Windows::ShiftRecords { var, of, from, len } => {
                self.expr(from);
                self.expr(len);
                self.var(*of, Touch::Length);
                self.declare(&[*var]);
            }
            Windows::NarrowRecords {
                var,
                strip,
                from,
                len,
                ..
            } => {
                self.expr(from);
                self.expr(len);
                self.var(*strip, Touch::Read);
                self.var(*var, Touch::Read);
            }
            Windows::Records {
                var, strip, len, ..
            } => {
                self.expr(len);
                self.var(*strip, Touch::Read);
                self.declare(&[*var]);
            }
        }
    }

    fn part(&mut self, part: &Part) {
        self.expr(&part.from);
        self.expr(&part.len);
        if let Some((from, len)) = &part.then {
            self.expr(from);
            self.expr(len);
        }
        if let Some(extent) = part.extent {
            self.var(extent, Touch::Read);
        }
        self.update(&part.of);
    }

    pub(super) fn output(&mut self, output: &Output) {
        match output {
            Output::Place(place) => self.update(place),
            Output::Part(part) => self.part(part),
        }
    }

    fn window(&mut self, window: &Window, touch: Touch) {
        self.expr(&window.first);
        self.expr(&window.last);
        self.place(&window.of, touch);
        self.declare(&[window.var]);
    }
}
