//! Several iterations side by side, as text.

use super::Printer;
use crate::ir::VarId;
use crate::ir::lanes::{Corners, Lanes, Matrix, OfProducts, Panel, PerLane, Rows};

impl Printer<'_> {
    pub(super) fn per_lane(&self, windows: &PerLane) -> String {
        let (at, number) = (self.name(windows.at.0), self.expr(&windows.at.1));
        let row = windows.row.as_ref();
        let row = row.map(|row| format!(" in row {}", self.expr(row)));
        format!(
            "windows {}{}{} of {} for {} of {} at {at} = {number}",
            mutable(windows.written),
            self.window(&windows.window),
            row.unwrap_or_default(),
            self.expr(&windows.len),
            self.name(windows.lane),
            windows.lanes,
        )
    }

    pub(super) fn rows_of(&self, rows: &Rows) -> String {
        let (name, matrix) = (self.name(rows.var), self.matrix(&rows.matrix));
        format!("rows {}{name} = {matrix}", mutable(rows.written))
    }

    fn matrix(&self, matrix: &Matrix) -> String {
        let corners = match &matrix.corners {
            Corners::Array { starts, ends } => {
                let (starts, ends) = (self.list(starts), self.list(ends));
                format!("[{starts}..={ends}]")
            }
            Corners::List { rows, columns } => {
                let (rows, [first, last]) = (self.list(rows), columns);
                format!("[{rows}][{}..={}]", self.expr(first), self.expr(last))
            }
        };
        format!(
            "{}{corners} {} of {}",
            self.place(&matrix.of),
            self.expr(&matrix.rows),
            self.expr(&matrix.len),
        )
    }

    pub(super) fn of_products(&self, store: VarId, what: &OfProducts) -> String {
        let store = self.name(store);
        match what {
            OfProducts::Want {
                wanted,
                matrix,
                alone,
            } => {
                let (wanted, matrix) = (self.name(*wanted), self.matrix(matrix));
                let alone = if *alone { " alone" } else { "" };
                format!("{wanted} = {store} wants{alone} {matrix}")
            }
            OfProducts::Begin { columns } => {
                format!("begin product in {store} of {} columns", self.expr(columns))
            }
            OfProducts::Rows => format!("rows of product in {store}"),
            OfProducts::Add => format!("add products of {store}"),
        }
    }

    pub(super) fn panel(&self, panel: &Panel) -> String {
        let [row, rows, column] = [&panel.row, &panel.rows, &panel.column].map(|e| self.expr(e));
        format!(
            "panel {}{} = {rows} rows from {row} of {}, {} columns from {column}",
            mutable(panel.written),
            self.name(panel.var),
            self.name(panel.of),
            lanes_text(panel.width),
        )
    }
}

pub(super) fn lanes_text(lanes: Lanes) -> String {
    match lanes {
        Lanes::Count(n) => n.to_string(),
        Lanes::Panel => "PANEL".to_owned(),
    }
}

fn mutable(written: bool) -> &'static str {
    if written { "mut " } else { "" }
}
