//! Whether an index may be of another type than the `impl` that was found is for.
//!
//! A type may have an `Index` for another type of index in another file, of which the text says nothing. Where an
//! element leaves open of which type its index is, generated code asks rustc for all that the type has: it compiles
//! only if there is no other one that may be meant.
//!
//! | the index | what is asked |
//! |---|---|
//! | is of the type, as its declaration says | nothing |
//! | is an integer of a type that nothing says | that rustc takes a number for one of this type |
//! | is used as that of an array | the same, as no other type is such an index |
//! | is anything else | that there is no other `Index` |

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::visit::{self, Visit};

use super::bodies::Body;
use super::variables::Variables;
use crate::interface;
use crate::ir::hash::{HashMap, HashSet};
use crate::ir::{IntTy, spells};
use crate::own_macros::placed;

/// What the text says of the type of an index.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Said {
    Type(String),
    /// An integer, whose type rustc infers.
    Integer,
    Nothing,
}

impl Said {
    /// Of an operation of numbers.
    fn with(self, other: Said) -> Said {
        let is_one = |said: &Said| match said {
            Said::Type(ty) => is_integer(ty),
            Said::Integer => true,
            Said::Nothing => false,
        };
        match (is_one(&self), is_one(&other)) {
            (true, true) if self == Said::Integer => other,
            (true, true) => self,
            _ => Said::Nothing,
        }
    }
}

/// What the declarations of the names in a function say.
#[derive(Default)]
pub(super) struct Declarations(HashMap<String, Said>);

impl Declarations {
    pub(super) fn of(
        sig: &syn::Signature,
        body: &syn::Block,
        own: Option<&syn::Generics>,
        variables: &Variables,
    ) -> Self {
        let mut found = Declarations::default();
        let generics = own.into_iter().chain([&sig.generics]);
        for parameter in generics.flat_map(syn::Generics::const_params) {
            let ty = parameter.ty.to_token_stream().to_string();
            found.declare(&parameter.ident, &Said::Type(ty));
        }
        let mut reading = Reading { found, variables };
        for input in &sig.inputs {
            if let syn::FnArg::Typed(input) = input {
                reading.typed(&input.pat, &input.ty);
            }
        }
        reading.visit_block(body);
        reading.found
    }

    fn declare(&mut self, name: &Ident, said: &Said) {
        let known = self.0.entry(name.unraw().to_string());
        let known = known.or_insert_with(|| said.clone());
        if known != said {
            // Both are integers, if one is open.
            let open = *known == Said::Integer || *said == Said::Integer;
            let both = known.clone().with(said.clone());
            *known = match both {
                Said::Type(_) | Said::Integer if open => Said::Integer,
                _ => Said::Nothing,
            };
        }
    }

    /// What the form of an expression says.
    fn said(&self, e: &syn::Expr, variables: &Variables) -> Said {
        match e {
            syn::Expr::Lit(lit) => match &lit.lit {
                syn::Lit::Int(number) if number.suffix().is_empty() => Said::Integer,
                syn::Lit::Int(number) => Said::Type(number.suffix().to_owned()),
                syn::Lit::Bool(_) => Said::Type("bool".to_owned()),
                _ => Said::Nothing,
            },
            syn::Expr::Paren(e) => self.said(&e.expr, variables),
            syn::Expr::Group(e) => self.said(&e.expr, variables),
            syn::Expr::Cast(e) => Said::Type(e.ty.to_token_stream().to_string()),
            syn::Expr::Path(path) => {
                let name = path.path.get_ident().map(|name| name.unraw().to_string());
                let said = name.and_then(|name| self.0.get(&name));
                said.cloned().unwrap_or(Said::Nothing)
            }
            syn::Expr::Field(_) => {
                let ty = variables.of_field(e);
                ty.map_or(Said::Nothing, |ty| {
                    Said::Type(ty.to_token_stream().to_string())
                })
            }
            // Whatever has it says a number of elements.
            syn::Expr::MethodCall(call) if call.method == "len" && call.args.is_empty() => {
                Said::Integer
            }
            syn::Expr::Binary(e) => match e.op {
                syn::BinOp::Shl(_) | syn::BinOp::Shr(_) => {
                    self.said(&e.left, variables).with(Said::Integer)
                }
                syn::BinOp::Add(_)
                | syn::BinOp::Sub(_)
                | syn::BinOp::Mul(_)
                | syn::BinOp::Div(_)
                | syn::BinOp::Rem(_)
                | syn::BinOp::BitAnd(_)
                | syn::BinOp::BitOr(_)
                | syn::BinOp::BitXor(_) => self
                    .said(&e.left, variables)
                    .with(self.said(&e.right, variables)),
                syn::BinOp::Lt(_)
                | syn::BinOp::Le(_)
                | syn::BinOp::Gt(_)
                | syn::BinOp::Ge(_)
                | syn::BinOp::Eq(_)
                | syn::BinOp::Ne(_)
                | syn::BinOp::And(_)
                | syn::BinOp::Or(_) => Said::Type("bool".to_owned()),
                _ => Said::Nothing,
            },
            _ => Said::Nothing,
        }
    }

    /// Of what a loop over a range counts with.
    fn counted(&self, e: &syn::Expr, variables: &Variables) -> Said {
        match e {
            syn::Expr::Paren(e) => self.counted(&e.expr, variables),
            syn::Expr::MethodCall(call)
                if matches!(call.method.to_string().as_str(), "rev" | "step_by") =>
            {
                self.counted(&call.receiver, variables)
            }
            // What ranges go over are integers, but for `char` and types of nobody's own.
            syn::Expr::Range(range) => {
                let bounds = [&range.start, &range.end]
                    .map(|e| e.as_deref().map(|e| self.said(e, variables)));
                let known = bounds
                    .into_iter()
                    .flatten()
                    .find(|said| matches!(said, Said::Type(_)));
                known.unwrap_or(Said::Integer)
            }
            _ => Said::Nothing,
        }
    }
}

/// Reads them.
struct Reading<'v> {
    found: Declarations,
    variables: &'v Variables,
}

impl Reading<'_> {
    fn typed(&mut self, pat: &syn::Pat, ty: &syn::Type) {
        match (pat, ty) {
            (syn::Pat::Ident(pat), ty) if pat.subpat.is_none() => {
                self.found
                    .declare(&pat.ident, &Said::Type(ty.to_token_stream().to_string()));
            }
            (syn::Pat::Tuple(pats), syn::Type::Tuple(types))
                if pats.elems.len() == types.elems.len() =>
            {
                for (pat, ty) in pats.elems.iter().zip(&types.elems) {
                    self.typed(pat, ty);
                }
            }
            (pat, _) => self.visit_pat(pat),
        }
    }
}

impl<'ast> Visit<'ast> for Reading<'_> {
    fn visit_local(&mut self, local: &'ast syn::Local) {
        if let Some(init) = &local.init {
            visit::visit_local_init(self, init);
        }
        match (&local.pat, &local.init) {
            (syn::Pat::Type(of), _) => self.typed(&of.pat, &of.ty),
            (syn::Pat::Ident(pat), Some(init)) if pat.subpat.is_none() && pat.by_ref.is_none() => {
                let said = self.found.said(&init.expr, self.variables);
                self.found.declare(&pat.ident, &said);
            }
            (pat, _) => self.visit_pat(pat),
        }
    }

    fn visit_expr_for_loop(&mut self, of: &'ast syn::ExprForLoop) {
        self.visit_expr(&of.expr);
        match &*of.pat {
            syn::Pat::Ident(pat) => {
                let said = self.found.counted(&of.expr, self.variables);
                self.found.declare(&pat.ident, &said);
            }
            pat => self.visit_pat(pat),
        }
        self.visit_block(&of.body);
    }

    fn visit_pat_type(&mut self, of: &'ast syn::PatType) {
        self.typed(&of.pat, &of.ty);
    }

    fn visit_pat_ident(&mut self, pat: &'ast syn::PatIdent) {
        self.found.declare(&pat.ident, &Said::Nothing);
        visit::visit_pat_ident(self, pat);
    }
}

/// What is asked.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Asked {
    Nothing,
    /// Of numbers alone.
    OfNumbers,
    OfAll,
}

/// The questions of a function.
#[derive(Default)]
pub(super) struct Questions {
    asked: HashSet<String>,
    questions: Vec<TokenStream>,
}

impl Questions {
    /// What is to be asked where an element of this `impl` stands.
    pub(super) fn ask(
        &mut self,
        body: &Body,
        index: &syn::Expr,
        said: (&Declarations, &Variables),
    ) {
        let used_by_arrays = body.is_index_of_arrays();
        let asked = asked(&body.index, index, said, used_by_arrays);
        let zero = zero(&body.index);
        // Those of the file that are of another form cannot be left out of what is asked.
        let of_many = body.is_one_of_many && matches!(body.index, syn::Type::Path(_));
        let asked = match (asked, &zero) {
            (Asked::OfNumbers, None) => Asked::OfAll,
            // Which a number is where several integers are indices.
            (Asked::OfNumbers, Some(_)) if names_i32(&body.index) && !of_many => Asked::OfAll,
            (Asked::OfAll, Some(_)) if of_many => Asked::OfNumbers,
            (asked, _) => asked,
        };
        if asked == Asked::OfAll && of_many {
            return;
        }
        let key = format!(
            "{} {} {}",
            body.of.to_token_stream(),
            body.index.to_token_stream(),
            asked as u8
        );
        if asked == Asked::Nothing || !self.asked.insert(key) {
            return;
        }
        let span = syn::spanned::Spanned::span(index);
        let [ty, of] = [&body.of, &body.index].map(|ty| placed(ty.to_token_stream(), span));
        let (generics, _, clause) = body.generics.split_for_impl();
        let [generics, clause] =
            [generics.to_token_stream(), clause.to_token_stream()].map(|t| placed(t, span));
        self.questions.push(match (asked, zero) {
            (Asked::OfNumbers, Some(zero)) => quote_spanned! {span=>
                fn question #generics (value: &#ty) #clause { rt::index_by::<#of, _, _>(value, #zero); }
            },
            _ => {
                let form = form(&body.index);
                quote_spanned! {span=>
                    fn question #generics () #clause { let _ = <#ty as ::core::ops::Index<#form>>::index; }
                }
            }
        });
    }

    /// The items that ask; `of`: the function, if items can stand beside it in a function alone.
    pub(super) fn items(self, of: Option<&Ident>, krate: &syn::Path) -> TokenStream {
        if self.questions.is_empty() {
            return TokenStream::new();
        }
        let questions = self.questions.iter().map(|question| quote!({ #question }));
        let items = quote! {
            #[allow(unused_imports)]
            use #krate::__rt as rt;
            #(#questions)*
        };
        let allow = interface::allowed();
        match of {
            None => quote!(#allow const _: () = { #items };),
            Some(name) => {
                let name = quote::format_ident!(
                    "__elements_of_{}",
                    name.unraw(),
                    span = Span::call_site()
                );
                quote!(#allow #[doc(hidden)] fn #name() { #items })
            }
        }
    }
}

fn asked(
    ty: &syn::Type,
    index: &syn::Expr,
    said: (&Declarations, &Variables),
    used_by_arrays: bool,
) -> Asked {
    if let (syn::Type::Tuple(types), syn::Expr::Tuple(values)) = (ty, index) {
        let parts = types.elems.iter().zip(&values.elems);
        let parts = parts.map(|(ty, e)| asked(ty, e, said, used_by_arrays));
        return parts.max().unwrap_or(Asked::Nothing);
    }
    if let (syn::Type::Array(array), syn::Expr::Array(values)) = (ty, index) {
        let parts = values
            .elems
            .iter()
            .map(|e| asked(&array.elem, e, said, used_by_arrays));
        return parts.max().unwrap_or(Asked::Nothing);
    }
    match said.0.said(index, said.1) {
        Said::Type(of) if of == ty.to_token_stream().to_string() => Asked::Nothing,
        Said::Integer => Asked::OfNumbers,
        Said::Nothing if used_by_arrays => Asked::OfNumbers,
        Said::Type(_) | Said::Nothing => Asked::OfAll,
    }
}

fn is_integer(name: &str) -> bool {
    IntTy::from_name(name).is_some()
}

fn names_i32(ty: &syn::Type) -> bool {
    spells(ty.to_token_stream(), "i32")
}

/// All types that look like this one.
fn form(ty: &syn::Type) -> TokenStream {
    match ty {
        syn::Type::Tuple(tuple) => {
            let parts = tuple.elems.iter().map(|_| quote!(_));
            quote!((#(#parts,)*))
        }
        syn::Type::Array(array) => {
            let len = &array.len;
            quote!([_; #len])
        }
        _ => quote!(_),
    }
}

/// An index of this type, if it is made of integers, of which nothing says the types.
fn zero(ty: &syn::Type) -> Option<TokenStream> {
    match ty {
        syn::Type::Path(_) => is_integer(&ty.to_token_stream().to_string()).then(|| quote!(0)),
        syn::Type::Tuple(tuple) if tuple.elems.len() <= 4 => {
            let parts = tuple.elems.iter().map(zero).collect::<Option<Vec<_>>>()?;
            Some(quote!((#(#parts,)*)))
        }
        syn::Type::Array(array) => {
            let (zero, len) = (zero(&array.elem)?, &array.len);
            Some(quote!([#zero; #len]))
        }
        _ => None,
    }
}
