//! Lets rustc check that places with an adjoint are parts of what they stand in.
//!
//! `d.x` and `d[i]` of a type that the macro cannot see may go through a `Deref` or an `Index` of the user's, which
//! leads anywhere. The adjoint is found by the same words in the tangent, where they may lead elsewhere.

use std::collections::HashSet;

use proc_macro2::TokenStream;
use quote::quote_spanned;

use crate::ir::{Place, Proj, Stmt, Sweeps, Touch, VarId, place_ty, shallow_touches};

use super::Emitter;
use super::expr::Use;

/// A variable and the kinds of steps from it, up to one that is checked.
pub(crate) type Way = (VarId, String);

impl Emitter<'_> {
    /// In front of a statement: checks of the places that it touches, each way once. They are closures that nothing
    /// calls.
    pub(super) fn ways(&self, stmt: &Stmt) -> TokenStream {
        let mut checks = TokenStream::new();
        shallow_touches(stmt, &mut |place, touch| {
            if touch != Touch::Declare {
                checks.extend(self.checks(place));
            }
        });
        checks
    }

    fn checks(&self, place: &Place) -> TokenStream {
        let rt = self.rt_at(place.span);
        let steps = place.proj.iter().enumerate();
        let checks = steps.filter_map(|(k, step)| {
            let base = Place {
                proj: place.proj[..k].into(),
                ..place.clone()
            };
            let way = way(place.root, &place.proj[..=k]);
            if !place_ty(self.func, &base).is_unseen() || !self.reached.contains(&way) {
                return None;
            }
            let check = match step {
                Proj::Index(_) | Proj::Range { .. } => quote_spanned!(place.span=> elements_of),
                Proj::Field(_) | Proj::Deref => quote_spanned!(place.span=> parts_of),
                // Of an `Option`, an enum or a `Box`, or rustc says so.
                Proj::Payload | Proj::Variant(_) | Proj::Unbox => return None,
            };
            let new = self.ways.borrow_mut().insert(way);
            let base = self.place(&base, Use::Read);
            new.then(|| quote_spanned!(place.span=> let _ = || #rt::#check!(#base);))
        });
        checks.collect()
    }
}

/// The parts of variables whose adjoints the sweeps name.
pub(crate) fn reached(sweeps: &Sweeps) -> HashSet<Way> {
    let mut reached = HashSet::new();
    let joint = sweeps.joint.iter().flat_map(|joint| &joint.stmts);
    for stmt in sweeps.forward.iter().chain(&sweeps.reverse).chain(joint) {
        reach(stmt, sweeps, &mut reached);
    }
    reached
}

fn reach(stmt: &Stmt, sweeps: &Sweeps, reached: &mut HashSet<Way>) {
    shallow_touches(stmt, &mut |place, _| {
        if let Some(of) = sweeps.bars.get(&place.root) {
            let ends = 1..=place.proj.len();
            reached.extend(ends.map(|end| way(*of, &place.proj[..end])));
        }
    });
    let inner = stmt
        .kind
        .blocks()
        .into_iter()
        .flat_map(|block| &block.stmts);
    inner.for_each(|stmt| reach(stmt, sweeps, reached));
}

fn way(root: VarId, steps: &[Proj]) -> Way {
    (root, steps.iter().map(kind).collect())
}

/// What matters of a step for types. A parameter may be a reference where its adjoint is none.
fn kind(step: &Proj) -> String {
    match step {
        Proj::Deref => String::new(),
        Proj::Index(_) => "[]".to_owned(),
        Proj::Range { .. } => "[..]".to_owned(),
        Proj::Field(field) => format!(".{}", field.tokens()),
        Proj::Payload => "?".to_owned(),
        Proj::Variant(part) => format!("|{}.{}", part.name(), part.field.tokens()),
        Proj::Unbox => "*".to_owned(),
    }
}

/// The ways that are checked already.
pub(crate) type Ways = std::cell::RefCell<HashSet<Way>>;
