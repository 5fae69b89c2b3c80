//! Integers without a written type that closures capture which are given to others.
//!
//! Such a closure becomes a function, whose parameters need types. What the body of the closure shows of an integer
//! counts as what the function around it does, and the type is written at the end, when all of it has been seen.

use proc_macro2::Span;

use super::Lowerer;
use super::infer::Kind;
use super::lifted::{Capture, spelled};
use super::scope::{key, plain_ident};
use super::types::primitive;
use super::value::Value;
use crate::ir::{IntTy, Ty, spells};
use crate::surroundings::{function_of_module, function_of_type};

/// A parameter of a closure that has no type yet.
pub(super) struct OpenInteger {
    closure: usize,
    parameter: usize,
    ty: Ty,
}

impl Lowerer<'_> {
    /// A parameter of a closure is an integer that it captures, of a type that is to be found out.
    pub(super) fn captured_integer(&mut self, at: usize, input: &syn::PatType, ty: &Ty) {
        if at < self.owner.captures
            && let syn::Pat::Ident(name) = &*input.pat
            && self.owner.integers.contains(&key(&name.ident))
        {
            let integer = self.types.fresh(Kind::Int);
            self.types.unify(ty, &integer);
        }
    }

    /// Remembers what the closure captures that is written next.
    pub(super) fn note_open(&mut self, captures: &[Capture]) {
        for (parameter, capture) in captures.iter().enumerate() {
            if capture.open {
                let Some(ty) = type_of_number(&capture.value) else {
                    continue;
                };
                self.open_integers.push(OpenInteger {
                    closure: self.func.closures.len(),
                    parameter,
                    ty,
                });
            }
        }
    }

    /// The name of the user's function, if names of functions mean in its body what they mean beside it.
    pub(super) fn outermost(&self) -> Option<Span> {
        let declares = ["use", "fn", "macro_rules"];
        if declares
            .iter()
            .any(|word| spells(self.source.clone(), word))
        {
            return None;
        }
        match self.owner.captures {
            0 => Some(self.func.name.span()),
            _ => self.owner.around,
        }
    }

    /// Writes the types that are known now; an integer of which nothing is known is an `i32`.
    pub(super) fn write_integers(&mut self) {
        for open in std::mem::take(&mut self.open_integers) {
            let int = Ty::Int(IntTy::from_name("i32"));
            self.types.unify(&open.ty, &int);
            let ty = self.types.deep(&open.ty);
            let written = spelled(&ty, &self.func.written);
            let inputs = &mut self.func.closures[open.closure].function.sig.inputs;
            if let (Some(syn::FnArg::Typed(input)), Some(written)) =
                (inputs.iter_mut().nth(open.parameter), written)
            {
                *input.ty = written;
            }
        }
    }

    /// An integer without a type that is given to a function of the module, or of a type in it, has the type of its
    /// parameter. Asked only where a closure needs it.
    pub(super) fn given_integers(&mut self, callee: &syn::ExprPath, values: &[Value]) {
        if self.owner.integers.is_empty() && self.open_integers.is_empty() {
            return;
        }
        let types: Vec<Option<Ty>> = values.iter().map(type_of_number).collect();
        let open = |l: &Self, ty: &Option<Ty>| ty.as_ref().is_some_and(|ty| l.is_open_integer(ty));
        if !types.iter().any(|ty| open(self, ty)) {
            return;
        }
        let sig = self.outermost().and_then(|at| signature(at, callee));
        for (ty, input) in types.iter().zip(sig.into_iter().flat_map(|sig| sig.inputs)) {
            if let (syn::FnArg::Typed(input), Some(ty)) = (input, ty)
                && let syn::Type::Path(path) = &*input.ty
                && let Some(known @ Ty::Int(_)) = path
                    .path
                    .get_ident()
                    .and_then(|name| primitive(&name.to_string()))
                && self.is_open_integer(ty)
            {
                self.types.unify(ty, &known);
            }
        }
    }
}

/// The signature of what is called: `f(x)`, `S::f(x)`.
fn signature(at: Span, callee: &syn::ExprPath) -> Option<syn::Signature> {
    if callee.qself.is_none()
        && let [ty, name] = callee.path.segments.iter().collect::<Vec<_>>()[..]
    {
        return Some(function_of_type(at, &ty.ident, &name.ident)?.sig);
    }
    Some(function_of_module(at, plain_ident(callee)?)?.sig)
}

pub(super) fn type_of_number(value: &Value) -> Option<Ty> {
    match value {
        Value::Place(_, ty) => Some(ty.clone()),
        Value::Expr(e) => Some(e.ty.clone()),
        _ => None,
    }
}
