//! Elements of the program's own structs, by an `Index` and an `IndexMut` of theirs.

use super::Gen;
use super::own::{Field, Own};
use super::scope::{Ty, Var};
use crate::text::{Item, line, nest};

impl Gen<'_> {
    /// Implements both for a struct, if it can have elements: those of an array in it, or the floats of a vector.
    pub(super) fn elements(&mut self, own: &mut Own, items: &mut Vec<Item>) {
        let fields = own.fields().unwrap_or_default();
        let array = fields.iter().find_map(|(name, ty)| match ty {
            Ty::Array(n) if own.args.is_empty() => Some((name.clone(), *n)),
            _ => None,
        });
        if !own.vector && array.is_none() || !self.maybe(70, "own-elements") {
            return;
        }
        let backwards = self.rng.percent(40);
        let body = |mark: &str| match &array {
            Some((name, n)) if backwards => {
                vec![line(format!("{mark}self.{name}[{} - i]", n - 1))]
            }
            Some((name, _)) => vec![line(format!("{mark}self.{name}[i]"))],
            None => arms(fields, mark),
        };
        let name = &own.name;
        let index = vec![
            line("type Output = ƒ;"),
            nest("fn index(&self, i: usize) -> &ƒ", body("&")),
        ];
        let index_mut = vec![nest(
            "fn index_mut(&mut self, i: usize) -> &mut ƒ",
            body("&mut "),
        )];
        items.push(nest(
            format!("impl std::ops::Index<usize> for {name}"),
            index,
        ));
        items.push(nest(
            format!("impl std::ops::IndexMut<usize> for {name}"),
            index_mut,
        ));
        own.elements = array.map_or(fields.len(), |(_, n)| n);
    }

    /// An element of the struct in a variable. They are refused where the text does not show its type, and in another
    /// module than that of the `impl`. What is written to is borrowed when its index is computed.
    pub(super) fn element_place(&mut self, var: &Var, own: &Own, writing: bool) -> Option<String> {
        let seen = var.typed && self.unmarked + self.apart == 0;
        if own.elements == 0 || !seen || !self.maybe(35, "own-element") {
            return None;
        }
        let i = if writing {
            self.rng.below(own.elements).to_string()
        } else {
            self.index(&own.elements.to_string())
        };
        Some(format!("{}[{i}]", var.name))
    }
}

/// `match i { 0 => &self.x, _ => &self.y }`
fn arms(fields: &[Field], mark: &str) -> Vec<Item> {
    let arm = |(k, (name, _)): (usize, &Field)| {
        let pattern = if k + 1 < fields.len() {
            k.to_string()
        } else {
            "_".to_owned()
        };
        line(format!("{pattern} => {mark}self.{name},"))
    };
    let arms = fields.iter().enumerate().map(arm).collect();
    vec![nest("match i", arms)]
}
