//! Lists of rows that loops push, rectangular and ragged, and what is read of them.

use super::Gen;
use super::lists::List;
use crate::text::{Item, line, literal, nest};

impl Gen<'_> {
    /// Rows that are pushed, and what is read of them.
    pub(super) fn rows(&mut self, list: &List<'_>, body: &mut Vec<Item>) {
        let (n, x, s, seed) = (list.n, &list.x, &list.sum, list.seed);
        let rows = &list.name;
        let (i, j, row) = (self.name("i"), self.name("j"), self.name("row"));
        let m = self.rng.within(1, 5);
        let (half, quarter, zero) = (literal("0.5"), literal("0.25"), literal("0.0"));
        let begun = self.rng.percent(35);
        let ragged = !begun && self.maybe(25, "rows-ragged");
        let made = match self.rng.below(3) {
            _ if begun => format!("vec![vec![{seed}; {m}]]"),
            0 => format!("Vec::with_capacity({n})"),
            _ => "Vec::new()".to_owned(),
        };
        body.push(line(format!("let mut {rows}: Vec<Vec<ƒ>> = {made};")));
        let width = if ragged {
            format!("{i} % 4 + 1")
        } else {
            m.to_string()
        };
        let value = match self.rng.below(5) {
            0 if begun => format!("{rows}[{i}][{j}] * {half} + {x}[{i} + {j}] * {quarter}"),
            1 if begun => format!("{rows}[{rows}.len() - 1][{m} - 1 - {j}] * {x}[{j}]"),
            2 if !ragged => format!(
                "if {i} > 0 {{ {rows}[{i} - 1][{j}] * {half} + {seed} }} else {{ {x}[{j}] }}"
            ),
            3 => format!("({x}[{i}] * {x}[{j}]).sin()"),
            _ => format!("{x}[{i} + {j}] * {seed} + {x}[{j}] * {half}"),
        };
        let mut inside = Vec::new();
        if self.rng.percent(70) {
            let made = match self.rng.below(3) {
                0 => "vec![]".to_owned(),
                1 => format!("Vec::with_capacity({width})"),
                _ => "Vec::new()".to_owned(),
            };
            inside.push(line(format!("let mut {row}: Vec<ƒ> = {made};")));
            let mut deep = vec![line(format!("{row}.push({value});"))];
            if self.rng.percent(25) {
                deep = vec![
                    line(format!("let mut late: ƒ = {value};")),
                    line(format!("if {j} > 0 {{ late += {row}[{j} - 1] * {half}; }}")),
                    line(format!("{row}.push(late);")),
                ];
            }
            inside.push(nest(format!("for {j} in 0..{width}"), deep));
        } else {
            inside.push(line(format!(
                "let mut {row}: Vec<ƒ> = vec![{zero}; {width}];"
            )));
            let deep = vec![line(format!("{row}[{j}] = {value};"))];
            inside.push(nest(format!("for {j} in 0..{width}"), deep));
        }
        inside.push(line(format!("{rows}.push({row});")));
        if self.maybe(15, "rows-until") {
            let jump = if self.rng.percent(50) {
                "break"
            } else {
                "continue"
            };
            // Whoever reads the last row finds one for each iteration.
            inside.push(line(format!("if {x}[{i}] > {half} {{ {jump}; }}")));
        }
        body.push(nest(format!("for {i} in 0..{n}"), inside));
        for _ in 0..self.rng.within(1, 3) {
            let item = self.use_rows(list, rows, s);
            body.push(item);
        }
    }

    fn use_rows(&mut self, list: &List<'_>, rows: &str, s: &str) -> Item {
        let (i, j, v) = (self.name("i"), self.name("j"), self.name("v"));
        let (half, tenth) = (literal("0.5"), literal("0.1"));
        let x = &list.x;
        let over = |head: String, deep: Vec<Item>| {
            let inner = nest(format!("for {j} in 0..{rows}[{i}].len()"), deep);
            nest(head, vec![inner])
        };
        let all = format!("for {i} in 0..{rows}.len()");
        match self.rng.below(7) {
            0 => over(
                all,
                vec![line(format!(
                    "{s} += {rows}[{i}][{j}] * {x}[{j}] * {tenth};"
                ))],
            ),
            1 => over(
                all,
                vec![line(format!(
                    "{rows}[{i}][{j}] = {rows}[{i}][{j}] * {half};"
                ))],
            ),
            2 => nest(
                format!("for {v} in &{rows}"),
                vec![nest(
                    format!("for {j} in {v}"),
                    vec![line(format!("{s} += *{j} * *{j} * {tenth};"))],
                )],
            ),
            3 => over(
                format!("for {i} in 1..{rows}.len()"),
                vec![line(format!(
                    "{s} += {rows}[{i}][{j}] * {rows}[{i} - 1][0] * {tenth};"
                ))],
            ),
            4 => line(format!(
                "{s} += {rows}.iter().map(|{v}| {v}.iter().sum::<ƒ>()).sum::<ƒ>() * {tenth};"
            )),
            5 => line(format!("let {i} = {rows}.len() / 2;\n{rows}.swap(0, {i});")),
            _ => line(format!(
                "{s} += {rows}[{rows}.len() - 1][0] * {rows}[0][0];"
            )),
        }
    }
}
