//! Queues: their methods at the front, and queues that are made of other containers. `VecDeque::from(v)`, and a
//! `collect` whose `let` says that it makes one, are written as `collect::<VecDeque<_>>()`.

use proc_macro2::Span;
use syn::visit_mut::{self, VisitMut};

use super::Lowerer;
use super::operator::strip;
use super::rearrange::Elements;
use super::types::{PathType, path_type};
use super::value::Value;

/// Methods of queues alone, among those of containers.
pub(super) fn only_of_queues(name: &str, args: usize) -> bool {
    matches!(
        (name, args),
        ("pop_front" | "pop_back", 0) | ("push_front" | "push_back", 1)
    )
}

impl Lowerer<'_> {
    /// `push_front` and `pop_front` of a queue: all other elements move.
    pub(super) fn at_front(
        &mut self,
        receiver: Value,
        call: &syn::ExprMethodCall,
        span: Span,
    ) -> Value {
        let ty = self.type_of(&receiver);
        let Some(element) = self.types.element(&ty) else {
            return Value::Error;
        };
        let Some((place, _)) = self.place_of(receiver, span) else {
            return Value::Error;
        };
        let place = self.freeze_place(place);
        let queue = Elements {
            place,
            element,
            span,
        };
        let zero: syn::Expr = syn::parse_quote!(0_usize);
        if let Some(value) = call.args.first() {
            let mut call = call.clone();
            call.args = [zero, value.clone()].into_iter().collect();
            return self.insert(queue, &call);
        }
        self.remove(queue, &zero, false)
    }
}

/// The function with queues made so, if there are any.
pub(super) fn written_out(item: &syn::ItemFn) -> Option<syn::ItemFn> {
    let mut item = item.clone();
    let mut made = Made(false);
    made.visit_block_mut(&mut item.block);
    made.0.then_some(item)
}

/// Whether there were any.
struct Made(bool);

impl VisitMut for Made {
    fn visit_local_mut(&mut self, local: &mut syn::Local) {
        if let (syn::Pat::Type(typed), Some(init)) = (&local.pat, &mut local.init)
            && is_queue(&typed.ty)
            && let syn::Expr::MethodCall(call) = &mut *init.expr
            && call.args.is_empty()
            && call.turbofish.is_none()
        {
            let queue = &typed.ty;
            if call.method == "collect" {
                call.turbofish = Some(syn::parse_quote!(::<#queue>));
                self.0 = true;
            } else if call.method == "into" {
                let values = &call.receiver;
                *init.expr = syn::parse_quote!(#values.into_iter().collect::<#queue>());
                self.0 = true;
            }
        }
        visit_mut::visit_local_mut(self, local);
    }

    fn visit_expr_mut(&mut self, e: &mut syn::Expr) {
        visit_mut::visit_expr_mut(self, e);
        if let syn::Expr::Call(call) = strip(e)
            && call.args.len() == 1
            && let Some(queue) = type_that_is_made(&call.func)
        {
            let values = &call.args[0];
            *e = syn::parse_quote!(#values.into_iter().collect::<#queue>());
            self.0 = true;
        }
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

fn is_queue(ty: &syn::Type) -> bool {
    matches!(ty, syn::Type::Path(path) if matches!(path_type(path), PathType::Queue(_)))
}

/// The queue that `VecDeque::from` makes.
fn type_that_is_made(func: &syn::Expr) -> Option<syn::Type> {
    let syn::Expr::Path(path) = func else {
        return None;
    };
    let mut path = path.path.clone();
    let last = path.segments.pop()?;
    path.segments.pop_punct();
    let queue = path.segments.last_mut()?;
    if last.value().ident != "from" || queue.ident != "VecDeque" {
        return None;
    }
    let spanned = queue.ident.span();
    if let syn::PathArguments::AngleBracketed(arguments) = &mut queue.arguments {
        arguments.colon2_token = None;
    } else {
        let any: syn::AngleBracketedGenericArguments = syn::parse_quote_spanned!(spanned=> <_>);
        queue.arguments = syn::PathArguments::AngleBracketed(any);
    }
    Some(syn::Type::Path(syn::TypePath { qself: None, path }))
}
