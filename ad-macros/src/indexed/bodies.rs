//! What an `Index` leads to, and how it is written where an element stands.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::visit_mut::VisitMut;

use super::filled::{Filled, fresh, is_pure, with_names};
use super::forms::{
    Bound, ByPath, Looked, OfArrays, each_end, leaf, shared, without_fields, without_variables,
};
use super::name_of;
use super::variables::Variables;
use crate::ir::hash::{HashMap, HashSet};
use crate::ir::{is_float_type, parameter_names};
use crate::lower::{collect, names_in_formats};
use crate::own_macros::placed;

/// What is written to an element: an operator, if one is applied, and a value.
pub(super) type Write<'w> = (Option<syn::BinOp>, &'w syn::Expr);

/// The body of the `impl` of `Index` for one type of index.
#[derive(Clone)]
pub(super) struct Body {
    pub(super) generics: syn::Generics,
    pub(super) of: syn::Type,
    /// The type of the index.
    pub(super) index: syn::Type,
    /// The file has one for another type of index, too.
    pub(super) is_one_of_many: bool,
    /// Its pattern.
    pat: syn::Pat,
    block: syn::Block,
    /// The elements are numbers.
    pub(super) of_numbers: bool,
    /// The type to write for a value that is assigned.
    output: Option<syn::Type>,
    /// It names parameters of the block.
    is_generic: bool,
    names_own_type: bool,
    /// The names in it that are neither its own variables, nor parameters of the block, nor fields.
    free: HashSet<String>,
}

impl Body {
    /// Those of the blocks that lead to a place. Where `IndexMut` leads to another one than `Index`, there is none.
    pub(super) fn all(blocks: &[syn::ItemImpl]) -> Vec<Body> {
        let found: Vec<(bool, Body)> = blocks.iter().filter_map(Body::of).collect();
        let differs = |body: &Body| {
            let mut same_index = found.iter().filter(|(_, other)| other.index == body.index);
            same_index.any(|(_, other)| !body.leads_where(other))
        };
        // One that is not understood may be of any type.
        if found.len() < blocks.len() {
            return Vec::new();
        }
        let is_one_of_many = found.iter().any(|(_, body)| body.index != found[0].1.index);
        let shared = found.iter().filter(|(exclusive, _)| !exclusive);
        let shared = shared.map(|(_, body)| body).filter(|body| !differs(body));
        let shared = shared.cloned().map(|body| Body {
            is_one_of_many,
            ..body
        });
        shared.collect()
    }

    /// What a block says, and whether it is one of `IndexMut`.
    fn of(block: &syn::ItemImpl) -> Option<(bool, Body)> {
        let (_, path, _) = block.trait_.as_ref()?;
        let last = path.segments.last()?;
        let exclusive = last.ident == "IndexMut";
        let syn::PathArguments::AngleBracketed(arguments) = &last.arguments else {
            return None;
        };
        let Some(syn::GenericArgument::Type(index)) = arguments.args.first() else {
            return None;
        };
        let method = block.items.iter().find_map(|item| match item {
            syn::ImplItem::Fn(method) => Some(method),
            _ => None,
        })?;
        let syn::FnArg::Typed(input) = method.sig.inputs.iter().nth(1)? else {
            return None;
        };
        let mut body = without_variables(shared(&method.block, exclusive));
        let mut by_path = ByPath {
            of: name_of(&block.self_ty)?,
            found: false,
        };
        by_path.visit_block_mut(&mut body);
        // With `&mut self`, another method may come first.
        if exclusive && by_path.found {
            return None;
        }
        let mut looked = Looked::default();
        looked.visit_block(&body);
        if looked.failed || !names_in_formats(&body.to_token_stream()).is_empty() {
            return None;
        }
        each_end(&mut body.clone(), &mut |place| Some(place.clone()))?;
        let output = output_of(block, &method.sig)?;
        let mut names = HashSet::default();
        collect(body.to_token_stream(), &mut names);
        collect(index.to_token_stream(), &mut names);
        let parameters = parameter_names(&block.generics).map(Ident::to_string);
        let parameters: Vec<String> = parameters.collect();
        let of_parameter = name_of(&output).is_some_and(|n| parameters.contains(&n.to_string()));
        let mut bound = Bound::default();
        bound.visit_pat(&input.pat);
        bound.visit_block(&body);
        let mut free = HashSet::default();
        without_fields(body.to_token_stream(), &mut free);
        free.retain(|name| !bound.names.contains(name) && !parameters.contains(name));
        free.remove("self");
        let body = Body {
            free,
            generics: block.generics.clone(),
            of: (*block.self_ty).clone(),
            index: index.clone(),
            is_one_of_many: false,
            pat: (*input.pat).clone(),
            is_generic: parameters.iter().any(|name| names.contains(name)),
            names_own_type: names.contains("Self"),
            block: body,
            of_numbers: is_float_type(&output) || of_parameter,
            // In an `impl IndexMut`, the type stands in the other one.
            output: is_float_type(&output).then_some(output),
        };
        Some((exclusive, body))
    }

    /// Whether the body is an element of arrays whose index it gives each part of its own, as it is.
    pub(super) fn is_index_of_arrays(&self) -> bool {
        let [syn::Stmt::Expr(end, None)] = self.block.stmts.as_slice() else {
            return false;
        };
        let mut bound = Bound::default();
        bound.visit_pat(&self.pat);
        let mut used = OfArrays {
            names: bound.names.clone(),
            used: HashSet::default(),
            otherwise: false,
        };
        used.visit_expr(end);
        !used.otherwise && used.used == bound.names
    }

    fn leads_where(&self, other: &Body) -> bool {
        let text = |body: &Body| {
            let (pat, block) = (&body.pat, &body.block);
            quote!(#pat #block).to_string()
        };
        text(self) == text(other)
    }

    /// Whether an index may be of this type, by its form.
    pub(super) fn takes(&self, index: &syn::Expr) -> bool {
        match (index, &self.index) {
            (syn::Expr::Tuple(values), syn::Type::Tuple(ty)) => {
                values.elems.len() == ty.elems.len()
            }
            (syn::Expr::Array(_), ty) => matches!(ty, syn::Type::Array(_)),
            (syn::Expr::Tuple(_) | syn::Expr::Range(_) | syn::Expr::Reference(_), _) => false,
            (syn::Expr::Lit(_) | syn::Expr::Binary(_) | syn::Expr::Cast(_), ty) => {
                matches!(ty, syn::Type::Path(_))
            }
            _ => true,
        }
    }

    /// Whether what the body names is meant where a variable of this type stands, in a function of a block of `own`.
    pub(super) fn holds_for(&self, ty: &syn::Type, own: Option<&syn::Type>) -> bool {
        (!self.is_generic || *ty == self.of)
            && (!self.names_own_type || own.is_some_and(|own| *own == self.of))
    }

    /// Whether the names in the body mean in the function what they mean in the module.
    pub(super) fn means_the_same(&self, variables: &Variables) -> bool {
        !self.free.iter().any(|name| variables.declares(name))
    }

    /// The place of an element, if the index stands in it as it is.
    pub(super) fn place(&self, base: &syn::Expr, index: &syn::Expr) -> Option<syn::Expr> {
        let [syn::Stmt::Expr(end, None)] = self.block.stmts.as_slice() else {
            return None;
        };
        let mut place = match end {
            syn::Expr::Match(by) => self.arm_of(by, index)?.clone(),
            end => end.clone(),
        };
        let typed = self.typed(index)?;
        let index = &typed;
        let place = leaf(&mut place)?;
        let mut parts: HashMap<String, syn::Expr> = HashMap::default();
        let mut whole = None;
        match (&self.pat, index) {
            (syn::Pat::Ident(pat), index) => whole = Some((pat.ident.unraw().to_string(), index)),
            (syn::Pat::Tuple(pat), syn::Expr::Tuple(index)) => {
                for (pat, value) in pat.elems.iter().zip(&index.elems) {
                    let syn::Pat::Ident(pat) = pat else {
                        return None;
                    };
                    parts.insert(pat.ident.unraw().to_string(), value.clone());
                }
            }
            _ => return None,
        }
        let mut filled = Filled {
            base,
            parts,
            whole,
            used: Vec::new(),
            failed: false,
        };
        let mut place = at(place, index);
        filled.visit_expr_mut(&mut place);
        let pure = match index {
            syn::Expr::Tuple(index) => index.elems.iter().all(is_pure),
            index => is_pure(index),
        };
        // What has effects stands there once, and in its order.
        (!filled.failed && (pure || filled.is_in_order(index))).then_some(place)
    }

    /// An index of which each number is of the type that it has in the body. Where that follows from what the body does
    /// with it, it is the index as it is: without the parameter's type, `k` in `let k = 3; a[k]` may be of another one.
    fn typed(&self, index: &syn::Expr) -> Option<syn::Expr> {
        if self.is_index_of_arrays() || is_usize(&self.index) && !converts(&self.block) {
            return Some(index.clone());
        }
        match (&self.index, index) {
            (syn::Type::Tuple(types), syn::Expr::Tuple(values)) => {
                let mut typed = values.clone();
                for (value, ty) in typed.elems.iter_mut().zip(&types.elems) {
                    *value = of_type(value, ty)?;
                }
                Some(syn::Expr::Tuple(typed))
            }
            (ty, index) => of_type(index, ty),
        }
    }

    /// The arm for an index that is a literal, of a `match` of the index.
    fn arm_of<'m>(&self, by: &'m syn::ExprMatch, index: &syn::Expr) -> Option<&'m syn::Expr> {
        let (syn::Pat::Ident(pat), syn::Expr::Lit(index)) = (&self.pat, index) else {
            return None;
        };
        if !matches!(&*by.expr, syn::Expr::Path(path) if path.path.is_ident(&pat.ident)) {
            return None;
        }
        let number = |lit: &syn::Lit| match lit {
            syn::Lit::Int(number) => number.base10_parse::<u128>().ok(),
            _ => None,
        };
        let sought = number(&index.lit)?;
        for arm in &by.arms {
            let fits = match &arm.pat {
                syn::Pat::Lit(pat) => number(&pat.lit)? == sought,
                // What no arm before this one takes.
                syn::Pat::Wild(_) => true,
                _ => return None,
            };
            if fits {
                return arm.guard.is_none().then_some(&*arm.body);
            }
        }
        None
    }

    /// The value of an element, whatever the body does.
    pub(super) fn value(
        &self,
        base: &syn::Expr,
        index: &syn::Expr,
        names: &HashSet<String>,
    ) -> Option<syn::Expr> {
        let inside = self.inside(base, index, names, &mut |place| Some(place.clone()))?;
        Some(syn::parse_quote!(({ #inside })))
    }

    /// What writes to an element.
    pub(super) fn written(
        &self,
        base: &syn::Expr,
        index: &syn::Expr,
        (op, value): Write<'_>,
        names: &HashSet<String>,
    ) -> Option<syn::Expr> {
        let written = fresh("written", names, index.span());
        let name = &written;
        let inside = self.inside(base, index, names, &mut |place| {
            syn::parse2(match op {
                None => quote!(#place = #name),
                Some(op) => quote!(#place #op #name),
            })
            .ok()
        })?;
        let ty = self.output.as_ref().map(|ty| quote!(: #ty));
        Some(syn::parse_quote!({ let #written #ty = #value; #inside; }))
    }

    /// The statements of the body, with its own names, behind the index.
    fn inside(
        &self,
        base: &syn::Expr,
        index: &syn::Expr,
        names: &HashSet<String>,
        end: &mut dyn FnMut(&syn::Expr) -> Option<syn::Expr>,
    ) -> Option<TokenStream> {
        if !self.of_numbers || self.is_generic && !is_closed(&self.index) {
            return None;
        }
        let mut block = self.block.clone();
        each_end(&mut block, end)?;
        let mut bound = Bound::default();
        bound.visit_pat(&self.pat);
        bound.visit_block(&block);
        let own = bound.names.into_iter();
        let renamed = own.map(|name| {
            (
                name.clone(),
                fresh(&format!("index_{name}"), names, index.span()),
            )
        });
        let renamed: HashMap<String, Ident> = renamed.collect();
        let span = index.span();
        let (pat, statements) = (&self.pat, &block.stmts);
        let pat = placed(with_names(pat.to_token_stream(), base, &renamed), span);
        let statements = quote!(#(#statements)*);
        let statements = placed(with_names(statements, base, &renamed), span);
        let ty = placed(self.index.to_token_stream(), span);
        Some(quote!(let #pat: #ty = #index; #statements))
    }
}

/// The type of the elements.
fn output_of(block: &syn::ItemImpl, sig: &syn::Signature) -> Option<syn::Type> {
    let syn::ReturnType::Type(_, ty) = &sig.output else {
        return None;
    };
    let syn::Type::Reference(to) = &**ty else {
        return None;
    };
    let of_block = block.items.iter().find_map(|item| match item {
        syn::ImplItem::Type(item) => Some(&item.ty),
        _ => None,
    });
    let named = to.elem.to_token_stream().to_string() == "Self :: Output";
    Some(of_block.filter(|_| named).unwrap_or(&to.elem).clone())
}

/// A number or a tuple of them that index arrays.
fn is_usize(ty: &syn::Type) -> bool {
    match ty {
        syn::Type::Tuple(types) => types.elems.iter().all(is_usize),
        ty => name_of(ty).is_some_and(|name| name == "usize"),
    }
}

/// Whether the type of a value in the code may be another one than that of what is computed from it.
fn converts(block: &syn::Block) -> bool {
    struct Conversions(bool);
    impl Visit<'_> for Conversions {
        fn visit_expr(&mut self, e: &syn::Expr) {
            // What these are given indexes a slice.
            const OF_SLICES: [&str; 5] = ["get", "get_mut", "unwrap", "expect", "len"];
            self.0 |= match e {
                syn::Expr::Cast(_) | syn::Expr::Call(_) => true,
                syn::Expr::MethodCall(call) => OF_SLICES.iter().all(|name| call.method != name),
                _ => false,
            };
            syn::visit::visit_expr(self, e);
        }
    }
    let mut conversions = Conversions(false);
    conversions.visit_block(block);
    conversions.0
}

/// An index that shows that it is of the type, if it does: a literal with its type, a conversion to it, or what is no
/// integer.
fn of_type(index: &syn::Expr, ty: &syn::Type) -> Option<syn::Expr> {
    match index {
        syn::Expr::Paren(inner) => of_type(&inner.expr, ty),
        syn::Expr::Lit(literal) if matches!(literal.lit, syn::Lit::Int(_)) => {
            Some(syn::parse_quote!((#literal as #ty)))
        }
        syn::Expr::Cast(cast) if *cast.ty == *ty => Some(index.clone()),
        // A variant of an enum, or a constant.
        syn::Expr::Path(path) if path.path.segments.len() > 1 => Some(index.clone()),
        _ => None,
    }
}

/// Whether the type means the same everywhere.
fn is_closed(ty: &syn::Type) -> bool {
    match ty {
        syn::Type::Tuple(tuple) => tuple.elems.iter().all(is_closed),
        syn::Type::Array(array) => is_closed(&array.elem) && matches!(array.len, syn::Expr::Lit(_)),
        ty => name_of(ty).is_some_and(|name| crate::lower::is_primitive(&name.to_string())),
    }
}

/// The expression, where the index stands.
fn at(e: syn::Expr, index: &syn::Expr) -> syn::Expr {
    syn::parse2(placed(e.to_token_stream(), index.span())).unwrap_or(e)
}
