//! Functions without `#[gradient]` that answer with a number or a yes or no: they are called as they are.

use super::Gen;
use crate::text::{Item, line, literal, nest, to_int};

/// What they answer with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Answer {
    Level,
    Predicate,
}

/// Those that the program declares.
#[derive(Default)]
pub(super) struct Plain(Vec<(String, Answer)>);

impl Plain {
    fn of(&self, answer: Answer) -> Vec<String> {
        let those = self.0.iter().filter(|(_, a)| *a == answer);
        those.map(|(name, _)| name.clone()).collect()
    }

    pub(super) fn has_levels(&self) -> bool {
        !self.of(Answer::Level).is_empty()
    }

    pub(super) fn has_predicates(&self) -> bool {
        !self.of(Answer::Predicate).is_empty()
    }
}

impl Gen<'_> {
    /// Declares some, for the functions that are written later, in the same module.
    pub(super) fn plain_functions(&mut self, items: &mut Vec<Item>) {
        if self.maybe(35, "plain-level") {
            let name = self.name("level");
            let scaled = format!("x.abs() * {}", literal("3.0"));
            let n = self.rng.within(2, 5);
            let body = if self.rng.percent(50) {
                vec![line(format!("{} % {n}", to_int(&scaled, "usize")))]
            } else {
                vec![
                    line(format!("let scaled = {scaled};")),
                    line(format!("let level = {};", to_int("scaled", "usize"))),
                    line(format!("if level > {n} {{ {n} }} else {{ level }}")),
                ]
            };
            items.push(nest(format!("fn {name}(x: ƒ) -> usize"), body));
            self.plain.0.push((name, Answer::Level));
        }
        if self.maybe(35, "plain-predicate") {
            let name = self.name("is_small");
            let (half, two) = (literal("0.5"), literal("2.0"));
            let body = match self.rng.below(3) {
                0 => format!("x < {half}"),
                1 => format!("x.abs() > {half} && x < {two}"),
                _ => format!("x.sin() * {two} < {half}"),
            };
            items.push(nest(format!("fn {name}(x: ƒ) -> bool"), vec![line(body)]));
            self.plain.0.push((name, Answer::Predicate));
        }
    }

    /// A call of one that yields an index.
    pub(super) fn plain_level(&mut self) -> String {
        self.plain_call(Answer::Level)
    }

    /// A call of one that yields a `bool`.
    pub(super) fn plain_predicate(&mut self) -> String {
        self.plain_call(Answer::Predicate)
    }

    fn plain_call(&mut self, answer: Answer) -> String {
        let names = self.plain.of(answer);
        let name = &names[self.rng.below(names.len())];
        let x = self.purely(|g| g.bounded(0)).text;
        format!("{name}({x})")
    }
}
