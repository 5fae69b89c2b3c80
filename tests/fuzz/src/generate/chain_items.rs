//! The closures of iterator chains: patterns for items, predicates, options.

use super::Gen;
use super::chains::Shape;
use super::scope::Ty;
use crate::text::literal;

impl Gen<'_> {
    /// `|x| if … { Some(…) } else { None }`
    pub(super) fn optional(&mut self, item: &Shape, depth: usize) -> String {
        let (pattern, body) = self.with_item(item, false, |g| {
            let (test, value) = (g.comparison(), g.receiver(depth));
            match g.rng.below(2) {
                0 => format!("if {test} {{ None }} else {{ Some({value}) }}"),
                _ => format!("if {test} {{ Some({value}) }} else {{ None }}"),
            }
        });
        format!("|{pattern}| {body}")
    }

    /// The pattern and the test of a predicate.
    pub(super) fn tested(&mut self, item: &Shape, by_reference: bool) -> (String, String) {
        self.with_item(item, by_reference, Self::comparison)
    }

    /// A condition that is often true of the item.
    pub(super) fn comparison(&mut self) -> String {
        if self.rng.percent(30) {
            return self.condition(1);
        }
        let place = self
            .float_place()
            .unwrap_or_else(|| "⟨0.6_f64│num(0.6)⟩".into());
        let bound = self.rng.pick(&["-0.6", "0.1", "1.1", "-1.5"]).to_string();
        let op = self.rng.pick(&["<", ">", ">="]).to_string();
        format!("({place}) {op} {}", literal(&bound))
    }

    /// The pattern of a closure that takes an item, or a reference to one, and its body.
    pub(super) fn with_item(
        &mut self,
        item: &Shape,
        by_reference: bool,
        body: impl FnOnce(&mut Self) -> String,
    ) -> (String, String) {
        let mark = if by_reference { "&" } else { "" };
        self.closed(|g| {
            let pattern = if by_reference && *item == Shape::Value && g.rng.percent(50) {
                let x = g.name("v");
                g.scope.declare(&x, Ty::Ref, false);
                x
            } else {
                format!("{mark}{}", g.item_pattern(item))
            };
            (pattern, body(g))
        })
    }

    /// A pattern for an item, and its variables.
    pub(super) fn item_pattern(&mut self, item: &Shape) -> String {
        let (base, ty) = match item {
            Shape::Pair(a, b) => {
                return format!("({}, {})", self.item_pattern(a), self.item_pattern(b));
            }
            Shape::Count => {
                let i = self.name("i");
                self.scope.declare_counter(&i, Ty::Size);
                return i;
            }
            Shape::Part => ("w", Ty::Slice),
            Shape::Ref if self.rng.percent(50) => ("v", Ty::Ref),
            _ => ("v", Ty::Float),
        };
        let x = self.name(base);
        let mark = if *item == Shape::Ref && ty == Ty::Float {
            "&"
        } else {
            ""
        };
        self.scope.declare(&x, ty, false);
        format!("{mark}{x}")
    }
}
