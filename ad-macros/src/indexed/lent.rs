//! Parts that methods lend to be written to, or lend if they are there: `*m.at_mut(i) = e`, `if let Some(row) =
//! m.row(i)`.
//!
//! Where the text shows the method, the part stands in place of the call, `&mut m.data[i]`, in what is derived from the
//! function. (A method that lends a part to be read alone is called: its callers have a copy.)
//!
//! **Which method is meant.** That of the type: Rust looks for methods of traits first where they take the receiver in
//! another way. Generated code asks for them (`emit/lent.rs`). The type is that of the module, which has one of the
//! name, and the file has one method of the name for it.

use proc_macro2::{Ident, Span};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::visit_mut::{self, VisitMut};

use super::filled::{Filled, is_pure};
use super::variables::Variables;
use super::{base, name_of};
use crate::generic;
use crate::ir::LentPart;
use crate::ir::hash::{HashMap, HashSet};
use crate::lower::{collect, is_primitive};
use crate::own_macros::placed;
use crate::surroundings::{function_of_type, may_lend, methods_of, struct_of_module, with_text};

/// The function with such parts written out, if there are any, and what lends them.
pub(crate) fn lent_written_out(function: &syn::ItemFn) -> Option<(syn::ItemFn, Vec<LentPart>)> {
    let at = function.sig.ident.span();
    if !may_lend(at) {
        return None;
    }
    let mut names = HashSet::default();
    collect(function.to_token_stream(), &mut names);
    // A `ref mut` makes a place of what looks like a value.
    if names.contains("ref") {
        return None;
    }
    let own = generic::block_at(at);
    let own = own.as_ref().map(|own| (&*own.self_ty, &own.generics));
    let variables = Variables::of(&function.sig, &function.block, own, at);
    if variables.is_empty() {
        return None;
    }
    let mut parts = Parts {
        variables,
        at,
        found: Vec::new(),
    };
    let mut function = function.clone();
    parts.visit_block_mut(&mut function.block);
    (!parts.found.is_empty()).then_some((function, parts.found))
}

struct Parts {
    variables: Variables,
    at: Span,
    found: Vec<LentPart>,
}

impl Parts {
    /// The part that a call lends.
    fn part(&self, call: &syn::ExprMethodCall) -> Option<(syn::Expr, LentPart)> {
        let base = base(&call.receiver)?;
        let ty = self.variables.of_place(base)?;
        let name = name_of(&ty)?;
        let is_plain = matches!(&ty, syn::Type::Path(path) if path.path.get_ident().is_some());
        if !is_plain || call.turbofish.is_some() || !call.args.iter().all(is_pure) {
            return None;
        }
        let method = self.method(name, &call.method)?;
        let exclusive = lends(&method.sig)?;
        let body = Body::of(&method)?;
        let end = body.with(base, call, &self.variables)?;
        let lender = LentPart {
            ty: ty.clone(),
            method: call.method.clone(),
            exclusive,
        };
        Some((end, lender))
    }

    /// The method, if the file has no other one of the name for a type of the name, and the module declares the type.
    fn method(&self, ty: &Ident, name: &Ident) -> Option<syn::ImplItemFn> {
        struct_of_module(self.at, ty)?;
        let declared = format!("struct {ty}");
        let once = |text: &str| {
            let behind = text.match_indices(&declared);
            let behind = behind.map(|(at, found)| text[at + found.len()..].chars().next());
            let whole = behind.filter(|c| c.is_none_or(|c| !c.is_alphanumeric() && c != '_'));
            whole.count() == 1
        };
        let alone = methods_of(self.at, ty, &name.to_string()).len() == 1;
        if !alone || !with_text(self.at, once)? {
            return None;
        }
        function_of_type(self.at, ty, name)
    }

    /// What stands in front of a dot or an index, where the part itself is meant.
    fn referred(&mut self, e: &mut syn::Expr) {
        if let Some(place) = self.part_referred(e) {
            *e = place;
        }
    }

    /// The part that a reference leads to, if the expression has become one.
    fn part_referred(&mut self, e: &mut syn::Expr) -> Option<syn::Expr> {
        let before = self.found.len();
        self.visit_expr_mut(e);
        let changed = self.found.len() > before;
        behind_reference(e).filter(|_| changed)
    }
}

impl VisitMut for Parts {
    fn visit_expr_mut(&mut self, e: &mut syn::Expr) {
        match e {
            syn::Expr::MethodCall(call) => {
                self.referred(&mut call.receiver);
                call.args
                    .iter_mut()
                    .for_each(|arg| self.visit_expr_mut(arg));
                if let Some((part, lender)) = self.part(call) {
                    *e = part;
                    self.found.push(lender);
                }
            }
            syn::Expr::Index(index) => {
                self.referred(&mut index.expr);
                self.visit_expr_mut(&mut index.index);
            }
            syn::Expr::Field(field) => self.referred(&mut field.base),
            syn::Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Deref(_)) => {
                if let Some(place) = self.part_referred(&mut unary.expr) {
                    *e = place;
                }
            }
            _ => visit_mut::visit_expr_mut(self, e),
        }
    }

    /// There `self` and all variables are other ones.
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// The place of `(&mut place)`.
fn behind_reference(e: &syn::Expr) -> Option<syn::Expr> {
    match e {
        syn::Expr::Paren(paren) => match &*paren.expr {
            syn::Expr::Reference(to) => Some((*to.expr).clone()),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a method lends something to be written to, or if it is there; whether it takes `&mut self`.
fn lends(sig: &syn::Signature) -> Option<bool> {
    let receiver = sig.receiver()?;
    receiver.reference.as_ref()?;
    let syn::ReturnType::Type(_, ty) = &sig.output else {
        return None;
    };
    let lends = match &**ty {
        syn::Type::Reference(to) => to.mutability.is_some() && !names_itself(&to.elem),
        syn::Type::Path(path) => {
            let last = path.path.segments.last()?;
            last.ident == "Option"
                && matches!(
                    crate::lower::type_argument(last),
                    Some(syn::Type::Reference(_))
                )
        }
        _ => false,
    };
    let plain = sig.generics.type_params().next().is_none();
    (lends && plain).then_some(receiver.mutability.is_some())
}

/// A method that returns itself lends no part.
fn names_itself(ty: &syn::Type) -> bool {
    matches!(ty, syn::Type::Path(path) if path.path.is_ident("Self"))
}

/// A method that does nothing but lend a part.
struct Body {
    parameters: Vec<Ident>,
    /// What `let`s name, in their order.
    named: Vec<(Ident, syn::Expr)>,
    end: syn::Expr,
}

impl Body {
    fn of(method: &syn::ImplItemFn) -> Option<Body> {
        let documented = |a: &syn::Attribute| {
            ["doc", "inline", "must_use", "allow"]
                .iter()
                .any(|known| a.path().is_ident(known))
        };
        if !method.attrs.iter().all(documented) {
            return None;
        }
        let inputs = method.sig.inputs.iter().skip(1);
        let parameters = inputs.map(|input| match input {
            syn::FnArg::Typed(input) if is_number(&input.ty) => plain_name(&input.pat),
            _ => None,
        });
        let parameters = parameters.collect::<Option<Vec<Ident>>>()?;
        let (end, before) = method.block.stmts.split_last()?;
        let syn::Stmt::Expr(end, None) = end else {
            return None;
        };
        let named = before.iter().map(|statement| match statement {
            syn::Stmt::Local(local) => {
                let init = local.init.as_ref().filter(|init| init.diverge.is_none())?;
                let plain = local.attrs.is_empty() && is_pure(&init.expr);
                plain.then(|| Some((plain_name(&local.pat)?, (*init.expr).clone())))?
            }
            _ => None,
        });
        let named = named.collect::<Option<Vec<_>>>()?;
        is_lent(end).then(|| Body {
            parameters,
            named,
            end: end.clone(),
        })
    }

    /// The part, of what the method is called on, with the arguments of the call.
    fn with(
        &self,
        base: &syn::Expr,
        call: &syn::ExprMethodCall,
        variables: &Variables,
    ) -> Option<syn::Expr> {
        if self.parameters.len() != call.args.len() {
            return None;
        }
        let span = call.method.span();
        let mut parts: HashMap<String, syn::Expr> = HashMap::default();
        for (name, value) in self.parameters.iter().zip(&call.args) {
            parts.insert(name.unraw().to_string(), value.clone());
        }
        for (name, value) in &self.named {
            let value = filled(value, base, &parts, span)?;
            parts.insert(name.unraw().to_string(), value);
        }
        // Whatever else it names may be something else in the function.
        let others = |e: &syn::Expr| {
            let mut free = HashSet::default();
            super::forms::without_fields(e.to_token_stream(), &mut free);
            let known = |name: &str| {
                ["self", "mut", "as"].contains(&name)
                    || parts.contains_key(name)
                    || is_primitive(name) && !variables.declares_item(name)
            };
            !free.iter().all(|name| known(name))
        };
        if others(&self.end) || self.named.iter().any(|(_, value)| others(value)) {
            return None;
        }
        let end = filled(&self.end, base, &parts, span)?;
        match end {
            syn::Expr::MethodCall(_) => Some(end),
            end => Some(syn::parse_quote!((#end))),
        }
    }
}

fn filled(
    e: &syn::Expr,
    base: &syn::Expr,
    parts: &HashMap<String, syn::Expr>,
    span: Span,
) -> Option<syn::Expr> {
    let mut e: syn::Expr = syn::parse2(placed(e.to_token_stream(), span)).ok()?;
    let mut filled = Filled {
        base,
        parts: parts.clone(),
        whole: None,
        used: Vec::new(),
        failed: false,
    };
    filled.visit_expr_mut(&mut e);
    (!filled.failed).then_some(e)
}

fn plain_name(pat: &syn::Pat) -> Option<Ident> {
    match pat {
        syn::Pat::Ident(pat)
            if pat.mutability.is_none() && pat.by_ref.is_none() && pat.subpat.is_none() =>
        {
            Some(pat.ident.clone())
        }
        _ => None,
    }
}

fn is_number(ty: &syn::Type) -> bool {
    name_of(ty).is_some_and(|name| is_primitive(&name.to_string()))
}

/// `&mut self.data[i]`, `self.data.get(i)`
fn is_lent(e: &syn::Expr) -> bool {
    match e {
        syn::Expr::Reference(to) => is_part(&to.expr),
        syn::Expr::MethodCall(call) => {
            (call.method == "get" || call.method == "get_mut")
                && call.turbofish.is_none()
                && call.args.iter().all(is_index)
                && is_part(&call.receiver)
        }
        _ => false,
    }
}

/// `self.a.b`, `self.a[i]`, `self.a[i..j]`
fn is_part(e: &syn::Expr) -> bool {
    match e {
        syn::Expr::Field(field) => {
            is_part(&field.base)
                || matches!(&*field.base, syn::Expr::Path(path) if path.path.is_ident("self"))
        }
        syn::Expr::Index(index) => is_index(&index.index) && is_part(&index.expr),
        syn::Expr::Paren(paren) => is_part(&paren.expr),
        _ => false,
    }
}

fn is_index(e: &syn::Expr) -> bool {
    match e {
        syn::Expr::Range(range) => {
            let ends = [&range.start, &range.end];
            ends.into_iter().flatten().all(|end| is_pure(end))
        }
        e => is_pure(e),
    }
}
