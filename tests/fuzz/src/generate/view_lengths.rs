//! Lengths of views as receivers of methods, and windows of windows.

use super::Gen;
use super::second_writes::literals;
use crate::text::{Item, line, nest};

/// Places in the view `{v}` that its length says. They are below it, whatever it is.
const PLACES: &[&str] = &[
    "{v}.len().saturating_sub(1)",
    "{v}.len().saturating_sub(1)",
    "{v}.len().checked_sub(1).unwrap_or(0)",
    "{v}.len().wrapping_sub(1)",
    "{v}.len().abs_diff(1)",
    "{v}.len().pow(2) % {v}.len()",
    "{v}.len().min(2) - 1",
    "{v}.len().max(1) - 1",
    "{v}.len() / 2",
    "({v}.len() - 1).pow(2) % {v}.len()",
    "{v}.len().saturating_add(usize::MAX) % {v}.len()",
    "{v}.len().wrapping_mul(3) % {v}.len()",
    "({v}.len() as isize - 1).unsigned_abs()",
    "({v}.len() as u8 + 255) as usize % {v}.len()",
];

/// Numbers made of a length.
const WEIGHTS: &[&str] = &[
    "{v}.len().pow(2)",
    "{v}.len().saturating_sub(1)",
    "{v}.len().checked_sub(2).unwrap_or(1)",
    "{v}.len().min(3)",
    "{v}.len().wrapping_neg().wrapping_add(9)",
    "({v}.len() - 1)",
];

/// The views of `{x}`: what is in front of the loop, and its head. `{x}` has more than 20 elements.
const VIEWS: &[(&str, &str, &str)] = &[
    ("view-windows", "", "for {v} in {x}.windows(3)"),
    ("view-windows", "", "for {v} in {x}.windows(2)"),
    ("view-windows", "", "for {v} in {x}[2..14].windows(4)"),
    (
        "view-windows",
        "",
        "for {v} in {x}[{n}..{n} + 5].windows(3)",
    ),
    (
        "view-windows",
        "",
        "for ({r}, {v}) in {x}.windows(3).enumerate()",
    ),
    ("view-chunks", "", "for {v} in {x}.chunks(4)"),
    ("view-chunks", "", "for {v} in {x}.chunks(3)"),
    ("view-chunks", "", "for {v} in {x}.chunks_exact(4)"),
    ("view-chunks", "", "for {v} in {x}[1..].chunks(5)"),
    (
        "view-chunks",
        "",
        "for ({r}, {v}) in {x}.chunks(4).enumerate()",
    ),
    (
        "view-range",
        "let {v} = &{x}[{i} * 4..{i} * 4 + 4];",
        "for {i} in 0..5",
    ),
    (
        "view-range",
        "let {v} = &{x}[{i}..{i} + 3];",
        "for {i} in 0..{n}",
    ),
    ("view-range", "let {v} = &{x}[{i}..];", "for {i} in 0..{n}"),
];

/// Views of the view `{v}`, which has at least two elements but for the last of chunks.
const INSIDE: &[&str] = &[
    "for {u} in {v}.windows(2)",
    "for {u} in {v}.windows(2)",
    "for {u} in {v}.chunks(2)",
    "for {u} in {v}[..{v}.len() - 1].chunks(1)",
    "for {u} in {v}.windows({v}.len().saturating_sub(1).max(1))",
];

impl Gen<'_> {
    /// A loop over views, and a float of all that it has done.
    pub(super) fn view_lengths(&mut self) -> Option<Vec<Item>> {
        let (seed, n) = (self.name("x"), self.name("n"));
        let e = self.purely(|g| g.receiver(1));
        let size = self.size(0);
        let mut items = vec![
            line(format!("let {seed}: ƒ = ({e}).sin();")),
            line(format!("let {n}: usize = 2 + ({size}) % 5;")),
        ];
        let len = self.rng.pick(&["22", "25", "31"]).to_string();
        let x = self.filled("a", &seed, &len, &mut items);
        let names = [
            ("{x}", x),
            ("{n}", n),
            ("{v}", self.name("v")),
            ("{u}", self.name("u")),
            ("{r}", self.name("r")),
            ("{i}", self.name("i")),
            ("{s}", self.name("s")),
        ];
        let fill = |text: &str| {
            let filled = names
                .iter()
                .fold(text.to_string(), |t, (mark, name)| t.replace(mark, name));
            literals(&filled)
        };
        items.push(line(fill("let mut {s}: ƒ = «0.1»;")));
        let kind = self.choose(&[
            (30, "view-windows"),
            (25, "view-chunks"),
            (20, "view-range"),
        ]);
        let views: Vec<_> = VIEWS.iter().filter(|(k, ..)| *k == kind).collect();
        let (_, before, head) = *views.get(self.rng.below(views.len().max(1)))?;
        let mut body = Vec::new();
        if !before.is_empty() {
            body.push(line(fill(before)));
        }
        if head.contains("{r}") {
            body.push(line(fill("let {i}: usize = {r};")));
        }
        let inside = self.maybe(45, "view-nested");
        let weighed = if self.maybe(35, "view-length-weight") {
            self.weight("{v}")
        } else {
            "«0.5»".into()
        };
        let (first, last) = if inside && self.rng.percent(70) {
            ("{u}", self.place("{u}"))
        } else {
            ("{v}", self.place("{v}"))
        };
        let term = match self.rng.below(3) {
            0 => format!("{{s}} += {first}[0] * {first}[{last}] * {weighed};"),
            1 => format!("{{s}} += {first}[{last}] * {weighed};"),
            _ => format!("{{s}} = {{s}} * «0.9» + {first}[0] * {first}[{last}];"),
        };
        if inside {
            let head = INSIDE[self.rng.below(INSIDE.len())];
            body.push(nest(fill(head), vec![line(fill(&term))]));
            if self.rng.percent(40) {
                let also = format!("{{s}} += {{v}}[{}];", self.place("{v}"));
                body.push(line(fill(&also)));
            }
        } else {
            body.push(line(fill(&term)));
        }
        items.push(nest(fill(head), body));
        let total = fill("{s} * «0.3»");
        self.float_of(&total, &mut items);
        Some(items)
    }

    fn place(&mut self, view: &str) -> String {
        PLACES[self.rng.below(PLACES.len())].replace("{v}", view)
    }

    fn weight(&mut self, view: &str) -> String {
        let number = WEIGHTS[self.rng.below(WEIGHTS.len())].replace("{v}", view);
        crate::text::to_float(&number)
    }
}
