//! Several iterations side by side: each uses windows and numbers that are there for it, and rows that panels have.

use proc_macro2::Span;

use super::versions::{Live, State};
use crate::ir::display::expr_text;
use crate::ir::lanes::{Lanes, Panel, PerLane, Rows};
use crate::ir::versions::{Function, KernelCall, Output};
use crate::ir::{Expr, ExprKind, VarId};

impl State<'_> {
    /// How many lanes there are, as text.
    pub(super) fn lanes(&self, lanes: Lanes) -> String {
        match lanes {
            Lanes::Count(n) => expr_text(self.func, &Expr::usize_literal(n, Span::mixed_site())),
            Lanes::Panel => Function::Panel.name().to_owned(),
        }
    }

    /// Whether an index stays below a number, or below one that is as large at most.
    pub(super) fn is_below(&self, at: &Expr, len: &str) -> bool {
        let ExprKind::Read(read) = &at.kind else {
            return false;
        };
        let below = self.below.get(&read.root).filter(|_| read.is_var());
        below.is_some_and(|below| below == len || self.most.get(below).is_some_and(|n| n == len))
    }

    /// What a variable is declared to be: a bound of how many iterations run side by side, or numbers of a panel.
    pub(super) fn in_lanes(&mut self, var: VarId, value: &Expr) -> Result<(), String> {
        let ExprKind::Function(function, args) = &value.kind else {
            return Ok(());
        };
        match function {
            Function::PanelHeight(rows) => {
                let most = self.lanes(Lanes::Count(*rows));
                self.most.insert(self.name(var), most);
            }
            Function::Min => {
                let mut known = args
                    .iter()
                    .filter_map(|e| self.most.get(&expr_text(self.func, e)));
                if let Some(most) = known.next().cloned() {
                    self.most.insert(self.name(var), most);
                }
            }
            Function::LoadPanel => {
                let columns = self.lanes(Lanes::Panel);
                self.numbers.insert(var, columns);
            }
            Function::Row => {
                let [
                    Expr {
                        kind: ExprKind::Read(panel),
                        ..
                    },
                    row,
                ] = args.as_slice()
                else {
                    return Err("no row of a panel".to_owned());
                };
                self.has_row(panel.root, row)?;
                if let Some([_, width]) = self.panels.get(&panel.root).cloned() {
                    self.numbers.insert(var, width);
                }
            }
            Function::Checked
            | Function::Known
            | Function::Number
            | Function::Trips
            | Function::Difference
            | Function::Partial
            | Function::Total
            | Function::SumRow
            | Function::MaxBlock
            | Function::Ahead
            | Function::Select
            | Function::OneIf
            | Function::Panel
            | Function::Four
            | Function::Load4
            | Function::Splat4 => {}
        }
        Ok(())
    }

    pub(super) fn set_row(&self, call: &KernelCall) -> Result<(), String> {
        match (call.outputs.as_slice(), call.inputs.first()) {
            ([Output::Place(panel)], Some(row)) => self.has_row(panel.root, row),
            _ => Err("no row of a panel".to_owned()),
        }
    }

    fn has_row(&self, panel: VarId, row: &Expr) -> Result<(), String> {
        let panel_of = self.panels.get(&panel);
        if panel_of.is_some_and(|[rows, _]| self.is_below(row, rows)) {
            return Ok(());
        }
        let (name, row) = (self.name(panel), expr_text(self.func, row));
        Err(format!("the panel `{name}` may have no row `{row}`"))
    }

    pub(super) fn per_lane(&mut self, windows: &PerLane) -> Result<(), String> {
        let root = windows.window.of.root;
        self.apart(root, windows.written)?;
        let live = Live {
            of: root,
            written: windows.written,
            lanes: Some(self.lanes(Lanes::Count(windows.lanes))),
            len: Some(expr_text(self.func, &windows.len)),
        };
        self.windows.insert(windows.window.var, live);
        Ok(())
    }

    pub(super) fn rows(&mut self, rows: &Rows) -> Result<(), String> {
        let root = rows.of.root;
        self.apart(root, rows.written)?;
        self.add(rows.var, root, rows.written, None);
        Ok(())
    }

    pub(super) fn panel(&mut self, panel: &Panel) -> Result<(), String> {
        let all = self.windows.get(&panel.of);
        if all.is_none_or(|all| panel.written && !all.written) {
            return Err(format!("`{}` has no rows for a panel", self.name(panel.of)));
        }
        self.apart(panel.of, panel.written)?;
        let rows = expr_text(self.func, &panel.rows);
        self.add(panel.var, panel.of, panel.written, None);
        self.panels
            .insert(panel.var, [rows, self.lanes(panel.width)]);
        Ok(())
    }
}
