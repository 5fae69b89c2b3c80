//! The types of what the user's functions return, by the text of the file that declares them.
//!
//! A call by a name means one of the functions that have this name. Where all of the file have one result, it is taken
//! for that of the call; else only that of a function beside the caller. The type is written into generated code, so
//! rustc rejects it where another function is meant.

use proc_macro2::{Ident, Span};
use quote::ToTokens;

use super::Lowerer;
use super::infer::Kind;
use super::operator::strip;
use super::own_method::Arguments;
use super::scope::{Binding, plain_ident};
use super::types::{PathType, error_of, is_primitive, path_type, result_of};
use crate::aliases;
use crate::ir::{Answer, Arg, ArgMode, Callee, CalleeKind, Len, Ty, VarId, Written};
use crate::lent;
use crate::surroundings::{function_beside, signatures, signatures_elsewhere, with_text};

impl Lowerer<'_> {
    /// The type of what a call yields: of a `Result`, that of its value.
    pub(super) fn shown_result(&mut self, callee: &Callee, args: usize) -> Option<Ty> {
        let output = self.shown_output(callee, args)?;
        let syn::ReturnType::Type(_, written) = &output else {
            return None;
        };
        let mut written = result_of(&output).unwrap_or(written);
        // What a method lends is copied.
        let slice: syn::Type;
        if let (Some(answer), syn::Type::Reference(lent)) =
            (callee.answer, super::signature::ungroup(written))
        {
            written = &lent.elem;
            if let (Answer::LentSlice, syn::Type::Slice(of)) = (answer, &*lent.elem) {
                let element = &of.elem;
                slice = syn::parse_quote!(Vec<#element>);
                written = &slice;
            }
        }
        let mut before = callee.path.path.segments.iter().rev().skip(1);
        let of = before.next().map(|segment| &segment.ident);
        self.shown_type(written, of)
    }

    /// The same of the value of an option, or of a `Result`.
    pub(super) fn shown_payload(&mut self, callee: &Callee, args: usize) -> Option<Ty> {
        let output = self.shown_output(callee, args)?;
        if result_of(&output).is_some() {
            return self.shown_result(callee, args);
        }
        match self.shown_result(callee, args)? {
            Ty::Option(payload) => Some(*payload),
            _ => None,
        }
    }

    /// The variable for the error of a call. Its type is known where the text shows that it is a number.
    pub(super) fn error_called(&mut self, callee: &Callee, args: usize, span: Span) -> VarId {
        let error = self.new_error(span);
        let shown = self.shown_output(callee, args);
        if let Some(ty @ Ty::Int(_)) = shown.as_ref().and_then(error_of) {
            self.func.var_mut(error).ty = Ty::Option(Box::new(ty));
        }
        error
    }

    /// Whether the text shows that a call yields a `Result`.
    pub(super) fn shows_a_result(&self, e: &syn::Expr) -> bool {
        let (kind, name, args) = match strip(e) {
            syn::Expr::Call(call) => match strip(&call.func) {
                syn::Expr::Path(path) => {
                    let callee = super::callee::callee(path);
                    let last = path.path.segments.last();
                    (callee.kind, last.map(|s| s.ident.clone()), call.args.len())
                }
                _ => return false,
            },
            syn::Expr::MethodCall(call) => (
                CalleeKind::Method,
                Some(call.method.clone()),
                call.args.len() + 1,
            ),
            _ => return false,
        };
        let output = name.and_then(|name| self.output_of(kind, &name, args, true));
        output.is_some_and(|output| result_of(&output).is_some())
    }

    /// Notes that a method or function lends a part, and says whether it does, by its text: the caller has a copy.
    pub(super) fn note_lent(&self, callee: &mut Callee, args: &mut [Arg], fallible: bool) -> bool {
        if !fallible && callee.answer.is_none() {
            callee.answer = self.lends(callee, args.len());
        }
        let lent = matches!(callee.answer, Some(Answer::LentValue | Answer::LentSlice));
        // It takes `&self`, which the call says where it is emitted.
        if lent
            && callee.kind == CalleeKind::Method
            && let Some(receiver) = args.first_mut()
            && let ArgMode::InOut(place) = &receiver.mode
        {
            receiver.mode = ArgMode::Shared(place.clone());
        }
        lent
    }

    fn lends(&self, callee: &Callee, args: usize) -> Option<Answer> {
        if !matches!(callee.kind, CalleeKind::Method | CalleeKind::Function) {
            return None;
        }
        match self.shown_output(callee, args)? {
            syn::ReturnType::Type(_, ty) => match super::signature::ungroup(&ty) {
                syn::Type::Reference(to) => lent::what(to, self.func.name.span()),
                _ => None,
            },
            syn::ReturnType::Default => None,
        }
    }

    fn shown_output(&self, callee: &Callee, args: usize) -> Option<syn::ReturnType> {
        let name = &callee.path.path.segments.last()?.ident;
        // Of a trait for numbers, the file may show the function of another type alone.
        let mut before = callee.path.path.segments.iter().rev().skip(1);
        let of = before.next().map(|segment| segment.ident.to_string());
        if of.is_some_and(|of| is_primitive(&of)) {
            return None;
        }
        let alone = plain_ident(&callee.path).is_some();
        self.output_of(callee.kind, name, args, alone)
            .or_else(|| self.output_elsewhere(callee, name, args))
    }

    /// The same of functions that other files of the package declare, where this one has none of the name.
    fn output_elsewhere(
        &self,
        callee: &Callee,
        name: &Ident,
        args: usize,
    ) -> Option<syn::ReturnType> {
        let at = self.func.name.span();
        let is_free = matches!(callee.kind, CalleeKind::Function);
        if !is_free || callee.path.qself.is_some() || !signatures(at, name).is_empty() {
            return None;
        }
        let mut before = callee.path.path.segments.iter().rev().skip(1);
        let module = before.next().map(|segment| &segment.ident);
        let elsewhere = signatures_elsewhere(at, name, module).into_iter();
        let mut found = elsewhere.filter(|sig| sig.inputs.len() == args);
        let mut first = found.next()?.output;
        let shown = first.to_token_stream().to_string();
        let all = found.all(|other| other.output.to_token_stream().to_string() == shown);
        aliases::result_in_output(&mut first, at);
        all.then_some(first)
    }

    /// What is written behind the functions of this name that may be called so.
    fn output_of(
        &self,
        kind: CalleeKind,
        name: &Ident,
        args: usize,
        alone: bool,
    ) -> Option<syn::ReturnType> {
        let output = |sig: &syn::Signature| sig.output.to_token_stream().to_string();
        let mut sig = self.signature_called(kind, name, args, alone, output)?;
        aliases::result_in_output(&mut sig.output, self.func.name.span());
        Some(sig.output)
    }

    /// The signature of the functions of this name that may be called so, if they agree in what `shown` gives of it.
    /// `alone`: called by the name, without a path.
    fn signature_called(
        &self,
        kind: CalleeKind,
        name: &Ident,
        args: usize,
        alone: bool,
        shown: impl Fn(&syn::Signature) -> String,
    ) -> Option<syn::Signature> {
        let may_be = |sig: &syn::Signature| {
            let takes_self = sig.receiver().is_some();
            let fits = match kind {
                CalleeKind::Method => takes_self,
                CalleeKind::Function => !takes_self,
                CalleeKind::Associated => true,
                _ => false,
            };
            fits && sig.inputs.len() == args
        };
        let at = self.func.name.span();
        let mut found = signatures(at, name).into_iter().filter(may_be);
        let first = found.next()?;
        if found.all(|other| shown(&other) == shown(&first)) {
            return Some(first);
        }
        let beside = (alone && kind == CalleeKind::Function).then(|| function_beside(at, name));
        beside.flatten().map(|function| function.sig)
    }

    /// The arguments with conversions by `into` written out where the text shows that a number is taken:
    /// `f64::from(n)`. `None`: there are none.
    pub(super) fn with_conversions(
        &self,
        kind: CalleeKind,
        name: &Ident,
        alone: bool,
        args: &Arguments,
    ) -> Option<Arguments> {
        let is_into = |arg: &syn::Expr| match strip(arg) {
            syn::Expr::MethodCall(call) => call.method == "into" && call.args.is_empty(),
            _ => false,
        };
        let converts = args.iter().any(is_into);
        if self.lenient > 0 || !converts && !self.may_take_vectors(args) {
            return None;
        }
        let before = usize::from(kind == CalleeKind::Method);
        let inputs = |sig: &syn::Signature| sig.inputs.to_token_stream().to_string();
        let sig = self.signature_called(kind, name, args.len() + before, alone, inputs)?;
        let mut args = args.clone();
        for (arg, input) in args.iter_mut().zip(sig.inputs.iter().skip(before)) {
            let syn::FnArg::Typed(input) = input else {
                continue;
            };
            if let Some(written) = super::conversions::written_out(arg, &input.ty) {
                *arg = written;
            } else if crate::iterated::becomes_vector(&input.ty, &sig.generics)
                && let Some(vector) = self.as_vector(arg)
            {
                *arg = vector;
            }
        }
        Some(args)
    }

    /// Whether one of the arguments may be no vector where one is taken: the text has to show the function.
    fn may_take_vectors(&self, args: &Arguments) -> bool {
        let may_be = |arg: &syn::Expr| {
            let arg = strip(arg);
            matches!(
                arg,
                syn::Expr::Array(_) | syn::Expr::Reference(_) | syn::Expr::Path(_)
            )
        };
        let taken = |text: &str| text.contains("Into<Vec<");
        args.iter().any(may_be) && with_text(self.func.name.span(), taken).unwrap_or(false)
    }

    /// What `into` makes a vector of, as the vector: an array, or a reference to numbers.
    fn as_vector(&self, arg: &syn::Expr) -> Option<syn::Expr> {
        let arg = strip(arg);
        match arg {
            syn::Expr::Array(array) => {
                let elements = &array.elems;
                Some(syn::parse_quote!(vec![#elements]))
            }
            syn::Expr::Reference(of) => {
                let of = strip(&of.expr);
                Some(syn::parse_quote!((#of).to_vec()))
            }
            syn::Expr::Path(_) => {
                let ty = match self.lookup(super::scope::name_of(arg)?)? {
                    Binding::Var(var) => self.func.var(var).ty.clone(),
                    Binding::View { view, .. } => Ty::Ref(false, Box::new(view.ty)),
                    _ => return None,
                };
                let is_vec = matches!(self.types.shallow(&ty), Ty::Vec(_));
                let copied = !is_vec && self.types.element(&ty).is_some();
                copied.then(|| syn::parse_quote!((#arg).to_vec()))
            }
            _ => None,
        }
    }

    /// A type that is written elsewhere in the file; `None` if it may hold references. What its names mean is not known
    /// here, but for those of structs. `of`: the type whose function it is, if it is called by its path.
    fn shown_type(&mut self, written: &syn::Type, of: Option<&Ident>) -> Option<Ty> {
        Some(match super::signature::ungroup(written) {
            syn::Type::Tuple(t) if t.elems.is_empty() => Ty::Unit,
            syn::Type::Tuple(t) => {
                let parts = t.elems.iter().map(|t| self.shown_type(t, of));
                Ty::Tuple(parts.collect::<Option<_>>()?)
            }
            syn::Type::Array(t) => {
                let element = self.shown_type(&t.elem, of)?;
                match Written::default().len(&t.len) {
                    len @ Len::Number(..) => Ty::Array(Box::new(element), Some(Box::new(len))),
                    Len::Named(_) | Len::Written(_) => self.hidden_result(),
                }
            }
            syn::Type::Reference(t) if t.mutability.is_none() && is_text(&t.elem) => Ty::Str,
            syn::Type::Path(t) => match path_type(t) {
                PathType::Primitive(ty) => ty,
                PathType::Vec(Some(t)) => Ty::Vec(Box::new(self.shown_type(t, of)?)),
                PathType::Queue(Some(t)) => Ty::Queue(Box::new(self.shown_type(t, of)?)),
                PathType::Option(Some(t)) => Ty::Option(Box::new(self.shown_type(t, of)?)),
                PathType::Other if holds_no_type(t) => {
                    let of_self = t.path.is_ident("Self");
                    let known = self.func.written.type_of(&t.path).filter(|_| !of_self);
                    let name = if of_self { of } else { t.path.get_ident() };
                    match known {
                        Some(known) => known,
                        None if name.is_some_and(|name| self.declares_struct(name)) => {
                            self.types.fresh(Kind::Struct)
                        }
                        None => self.hidden_result(),
                    }
                }
                _ => return None,
            },
            _ => return None,
        })
    }

    /// Whether the text of the file declares a struct or an enum of this name.
    pub(super) fn declares_struct(&self, name: &Ident) -> bool {
        let name = name.to_string();
        let declares = |text: &str| {
            ["struct", "enum"].iter().any(|keyword| {
                let declared = format!("{keyword} {name}");
                let mut found = text.match_indices(&declared);
                found.any(|(at, _)| {
                    let behind = text[at + declared.len()..].chars().next();
                    behind.is_some_and(|c| !c.is_alphanumeric() && c != '_')
                })
            })
        };
        with_text(self.func.name.span(), declares).unwrap_or(false)
    }

    fn hidden_result(&mut self) -> Ty {
        let ty = self.types.fresh(Kind::General);
        self.types.set_result(&ty);
        ty
    }
}

fn is_text(ty: &syn::Type) -> bool {
    matches!(ty, syn::Type::Path(path) if path.path.is_ident("str"))
}

/// Whether a type is written without arguments, which could be references.
fn holds_no_type(ty: &syn::TypePath) -> bool {
    ty.qself.is_none() && ty.path.segments.iter().all(|s| s.arguments.is_none())
}
