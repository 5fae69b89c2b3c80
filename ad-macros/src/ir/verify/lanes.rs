//! Several iterations side by side: each uses windows and numbers that are there for it, and rows that panels have;
//! products that wait are added in the end.

use proc_macro2::Span;

use super::versions::{Live, State};
use crate::ir::display::expr_text;
use crate::ir::lanes::{Lanes, OfProducts, Panel, PerLane, Rows};
use crate::ir::versions::{BufferKind, Function, Kernel, KernelCall, Output};
use crate::ir::{Expr, ExprKind, Stmt, StmtKind, VarId};

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
            | Function::Count
            | Function::CountInclusive
            | Function::Difference
            | Function::Partial
            | Function::Total
            | Function::SumRow
            | Function::Max
            | Function::MaxBlock
            | Function::Ahead
            | Function::Select
            | Function::OneIf
            | Function::Panel
            | Function::Four
            | Function::Load4
            | Function::Splat4
            | Function::Moved
            | Function::Zeros => {}
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
        let root = rows.matrix.of.root;
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

    /// Where a store begins: behind it in its block, all products are added.
    pub(super) fn products_end(&mut self, stmt: &Stmt, behind: &[Stmt]) -> Result<(), String> {
        let StmtKind::Buffer(buffer) = &stmt.kind else {
            return Ok(());
        };
        if !matches!(buffer.kind, BufferKind::Products { .. }) {
            return Ok(());
        }
        let adds = behind.iter().rev().find_map(|stmt| {
            if let StmtKind::Kernel(call) = &stmt.kind
                && let Kernel::Products { store, what } = &call.kernel
                && *store == buffer.var
                && matches!(what, OfProducts::Add)
            {
                output(call)
            } else {
                None
            }
        });
        let Some(to) = adds else {
            let name = self.name(buffer.var);
            return Err(format!("the products of `{name}` are not added"));
        };
        self.stores.insert(buffer.var, to);
        Ok(())
    }

    /// Products go where their store is emptied.
    pub(super) fn of_products(
        &mut self,
        store: VarId,
        what: &OfProducts,
        call: &KernelCall,
    ) -> Result<(), String> {
        let to = match what {
            OfProducts::Want { matrix, .. } => Some(matrix.of.root),
            OfProducts::Begin { columns } => {
                let columns = expr_text(self.func, columns);
                let params = call.bodies.iter().flat_map(|body| &body.params);
                self.below.extend(params.map(|var| (*var, columns.clone())));
                output(call)
            }
            OfProducts::Add => output(call),
            OfProducts::Rows => return Ok(()),
        };
        if to.is_some() && self.stores.get(&store).copied() == to {
            return Ok(());
        }
        let name = self.name(store);
        Err(format!("products of `{name}` go elsewhere"))
    }
}

/// The variable that a kernel changes, if it is one.
fn output(call: &KernelCall) -> Option<VarId> {
    match call.outputs.as_slice() {
        [Output::Place(to)] => Some(to.root),
        _ => None,
    }
}
