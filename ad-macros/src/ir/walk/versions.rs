//! What checks, windows and kernels touch.

use crate::ir::Touch;
use crate::ir::lanes::{Matrix, OfProducts, PerLane};
use crate::ir::versions::{Check, Kernel, Output, Part, Window, Windows};

use super::touches::Touches;

impl Touches<'_> {
    pub(super) fn check(&mut self, check: &Check) {
        match check {
            Check::Not(e) | Check::Fits(e) => self.expr(e),
            Check::Less { sides, .. } => sides.iter().for_each(|e| self.expr(e)),
            Check::Outside { at, ends } => {
                self.expr(at);
                ends.iter().for_each(|e| self.expr(e));
            }
            Check::Number { var, index } => {
                self.expr(index);
                self.declare(&[*var]);
            }
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
                self.place(&group.of, touch(group.mutable));
                self.declare(&[group.var]);
            }
            Windows::Element { var, of, at, .. } => {
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
            Windows::PerLane(windows) => self.per_lane(windows),
            Windows::Rows(rows) => {
                self.matrix(&rows.matrix, touch(rows.written));
                self.declare(&[rows.var]);
            }
            Windows::Panel(panel) => {
                let numbers = [&panel.row, &panel.rows, &panel.column];
                numbers.into_iter().for_each(|e| self.expr(e));
                self.var(panel.of, touch(panel.written));
                self.declare(&[panel.var]);
            }
        }
    }

    fn per_lane(&mut self, windows: &PerLane) {
        let Window {
            var,
            of,
            first,
            last,
        } = &windows.window;
        let (at, number) = &windows.at;
        // What the windows declare for themselves is no one else's.
        let own = [windows.lane, *at];
        for e in [number, first, last, &windows.len]
            .into_iter()
            .chain(&windows.row)
        {
            self.expr_without(e, &own);
        }
        self.place(of, touch(windows.written));
        self.declare(&[*var]);
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

    fn matrix(&mut self, matrix: &Matrix, touch: Touch) {
        let numbers = matrix.corners.exprs().chain([&matrix.rows, &matrix.len]);
        numbers.for_each(|e| self.expr(e));
        self.place(&matrix.of, touch);
    }

    /// What a kernel touches beside inputs and outputs.
    pub(super) fn of_kernel(&mut self, kernel: &Kernel) {
        match kernel {
            Kernel::GatherEnds { call, .. } | Kernel::AddContribution { call, .. } => {
                self.var(call.procedure, Touch::Read);
                let given = call.slices.iter().chain(&call.records);
                given.for_each(|v| self.var(*v, Touch::Length));
            }
            Kernel::Products { store, what } => {
                self.var(*store, Touch::Read);
                match what {
                    OfProducts::Want { wanted, matrix, .. } => {
                        self.matrix(matrix, Touch::Update);
                        self.declare(&[*wanted]);
                    }
                    OfProducts::Begin { columns } => self.expr(columns),
                    OfProducts::Rows | OfProducts::Add => {}
                }
            }
            Kernel::Search { .. }
            | Kernel::Begin(_)
            | Kernel::Compute { .. }
            | Kernel::Carry { .. }
            | Kernel::Gather(_)
            | Kernel::GatherAnew(_)
            | Kernel::ForwardTiles(_)
            | Kernel::ReverseTiles(_)
            | Kernel::GatherRest(_)
            | Kernel::AddRow { .. }
            | Kernel::EachOfRow(_)
            | Kernel::ZipRow { .. }
            | Kernel::SetRow
            | Kernel::SetRowEnd
            | Kernel::StorePanel
            | Kernel::StorePanelEnd
            | Kernel::AddTransposed { .. } => {}
        }
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

/// How a window touches what it shows.
fn touch(written: bool) -> Touch {
    if written { Touch::Update } else { Touch::Read }
}
