//! Several iterations side by side, as text.

use super::Printer;
use crate::ir::lanes::{Lanes, Panel, PerLane, Rows};

impl Printer<'_> {
    pub(super) fn per_lane(&self, windows: &PerLane) -> String {
        let (at, number) = (self.name(windows.at.0), self.expr(&windows.at.1));
        format!(
            "windows {}{} of {} for {} of {} at {at} = {number}",
            mutable(windows.written),
            self.window(&windows.window),
            self.expr(&windows.len),
            self.name(windows.lane),
            windows.lanes,
        )
    }

    pub(super) fn rows_of(&self, rows: &Rows) -> String {
        let (starts, ends) = (
            self.list(&rows.corners.starts),
            self.list(&rows.corners.ends),
        );
        format!(
            "rows {}{} = {}[{starts}..={ends}] {} of {}",
            mutable(rows.written),
            self.name(rows.var),
            self.place(&rows.of),
            self.expr(&rows.rows),
            self.expr(&rows.len),
        )
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
