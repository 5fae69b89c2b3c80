//! Which variables of a function are of a type of the user's, as far as its text shows.

use proc_macro2::{Ident, Span};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::visit::{self, Visit};

use super::name_of;
use crate::ir::hash::{HashMap, HashSet};
use crate::ir::parameter_names;
use crate::lower::{collect, type_argument};
use crate::surroundings::{function_of_module, function_of_type, struct_of_module};

/// The variables, by their names.
pub(super) struct Variables {
    /// None where one of the declarations of the name does not say it, or says something else.
    types: HashMap<String, Option<syn::Type>>,
    /// Those of which a call says it, as far as the text shows what is called: rustc checks that it is so.
    called: HashSet<String>,
    /// Names that mean something else than in the module: parameters, and what items in the body say.
    others: HashSet<String>,
    own: Option<syn::Type>,
    at: Span,
}

impl Variables {
    pub(super) fn of(
        sig: &syn::Signature,
        body: &syn::Block,
        own: Option<(&syn::Type, &syn::Generics)>,
        at: Span,
    ) -> Self {
        let of_block = own.map(|(_, generics)| generics);
        let generics = of_block.into_iter().chain([&sig.generics]);
        let others = generics.flat_map(parameter_names);
        let others = others.map(|name| name.unraw().to_string());
        // Operators are those of references, too.
        let own = own.map(|(ty, _)| behind(ty));
        let mut variables = Variables {
            types: HashMap::default(),
            called: HashSet::default(),
            others: others.collect(),
            own: own.cloned(),
            at,
        };
        for input in &sig.inputs {
            match input {
                syn::FnArg::Receiver(_) => {
                    variables.types.insert("self".to_owned(), own.cloned());
                }
                syn::FnArg::Typed(input) => match &*input.pat {
                    syn::Pat::Ident(pat) => {
                        let ty = variables.named(&input.ty);
                        variables.declare(&pat.ident, ty);
                    }
                    other => variables.visit_pat(other),
                },
            }
        }
        variables.visit_block(body);
        variables
    }

    pub(super) fn is_empty(&self) -> bool {
        self.types.values().all(Option::is_none)
    }

    pub(super) fn type_of(&self, name: &Ident) -> Option<&syn::Type> {
        self.types.get(&name.unraw().to_string())?.as_ref()
    }

    /// The type of a variable or of a part of one: of structs of the module, and of the elements of containers.
    pub(super) fn of_place(&self, e: &syn::Expr) -> Option<syn::Type> {
        match e {
            syn::Expr::Path(path) => self.type_of(path.path.get_ident()?).cloned(),
            syn::Expr::Paren(e) => self.of_place(&e.expr),
            syn::Expr::Group(e) => self.of_place(&e.expr),
            syn::Expr::Unary(e) if matches!(e.op, syn::UnOp::Deref(_)) => self.of_place(&e.expr),
            syn::Expr::Field(_) => self.named(&self.of_field(e)?),
            syn::Expr::Index(index) => self.named(element(&self.of_place(&index.expr)?)?),
            _ => None,
        }
    }

    /// The type of a field of a struct of the module, as it is written there.
    pub(super) fn of_field(&self, e: &syn::Expr) -> Option<syn::Type> {
        let syn::Expr::Field(field) = e else {
            return None;
        };
        let of = self.of_place(&field.base)?;
        let found = struct_of_module(self.at, name_of(&of)?)?;
        let mut fields = found.fields.iter().zip(found.fields.members());
        let (field, _) = fields.find(|(_, member)| *member == field.member)?;
        let configured = |a: &syn::Attribute| a.path().is_ident("cfg");
        let certain = !found.attrs.iter().chain(&field.attrs).any(configured);
        certain.then(|| field.ty.clone())
    }

    /// The type that is to stand in the declaration.
    pub(super) fn to_write(&self, name: &Ident) -> Option<&syn::Type> {
        let is_called = self.called.contains(&name.unraw().to_string());
        self.type_of(name).filter(|_| is_called)
    }

    /// Whether the name may mean something else in the function than in its module.
    pub(super) fn declares(&self, name: &str) -> bool {
        self.types.contains_key(name) || self.others.contains(name)
    }

    /// Whether a parameter or an item of the function has the name.
    pub(super) fn declares_item(&self, name: &str) -> bool {
        self.others.contains(name)
    }

    fn declare(&mut self, name: &Ident, ty: Option<syn::Type>) {
        let known = self.types.entry(name.unraw().to_string());
        let declared = known.or_insert_with(|| ty.clone());
        if *declared != ty {
            *declared = None;
        }
    }

    /// A type that is one name, behind references, or a container.
    fn named(&self, ty: &syn::Type) -> Option<syn::Type> {
        match ty {
            syn::Type::Slice(_) | syn::Type::Array(_) => Some(ty.clone()),
            syn::Type::Reference(to) => self.named(&to.elem),
            syn::Type::Paren(paren) => self.named(&paren.elem),
            syn::Type::Group(group) => self.named(&group.elem),
            ty => {
                let name = name_of(ty)?;
                if name == "Self" {
                    return self.own.clone();
                }
                let other = self.others.contains(&name.unraw().to_string());
                (!other).then(|| ty.clone())
            }
        }
    }

    /// The type of a value, and whether a call says it.
    fn of_value(&self, e: &syn::Expr) -> Option<(syn::Type, bool)> {
        match e {
            syn::Expr::Paren(paren) => self.of_value(&paren.expr),
            syn::Expr::Group(group) => self.of_value(&group.expr),
            syn::Expr::Reference(reference) => {
                self.of_value(&reference.expr).filter(|(_, called)| !called)
            }
            syn::Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Deref(_)) => {
                self.of_value(&unary.expr)
            }
            syn::Expr::Path(path) => {
                let name = path.path.get_ident()?;
                Some((self.type_of(name)?.clone(), false))
            }
            syn::Expr::Field(_) | syn::Expr::Index(_) => Some((self.of_place(e)?, false)),
            syn::Expr::Struct(literal) => {
                let ty = syn::Type::Path(syn::TypePath {
                    qself: None,
                    path: literal.path.clone(),
                });
                Some((self.named(&ty)?, false))
            }
            syn::Expr::MethodCall(call) => {
                let (ty, called) = self.of_value(&call.receiver)?;
                if called {
                    return None;
                }
                if call.method == "clone" && call.args.is_empty() {
                    return Some((ty, true));
                }
                let found = function_of_type(self.at, name_of(&ty)?, &call.method)?;
                self.returned(&found.sig, Some(&ty))
            }
            syn::Expr::Call(call) => {
                let syn::Expr::Path(path) = &*call.func else {
                    return None;
                };
                if path.qself.is_some() {
                    return None;
                }
                let names: Vec<&Ident> = path.path.segments.iter().map(|s| &s.ident).collect();
                match names.as_slice() {
                    [name] => {
                        let found = function_of_module(self.at, name)?;
                        self.returned(&found.sig, None)
                    }
                    [ty, name] => {
                        let ty: syn::Type = if *ty == "Self" {
                            self.own.clone()?
                        } else {
                            let path = &path.path.segments[0];
                            syn::parse_quote!(#path)
                        };
                        let found = function_of_type(self.at, name_of(&ty)?, name)?;
                        self.returned(&found.sig, Some(&ty))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// What a function returns. `of`: the type that it is a function of.
    fn returned(&self, sig: &syn::Signature, of: Option<&syn::Type>) -> Option<(syn::Type, bool)> {
        let syn::ReturnType::Type(_, ty) = &sig.output else {
            return None;
        };
        let name = name_of(ty)?;
        let is_own = of.is_some_and(|of| name == "Self" || **ty == *of);
        if is_own {
            return Some((of?.clone(), true));
        }
        // What its arguments are, only the function's own block says.
        let plain: syn::Type = syn::parse_quote!(#name);
        (name != "Self" && **ty == plain).then_some((plain, true))
    }
}

/// A type without references around it.
pub(super) fn behind(ty: &syn::Type) -> &syn::Type {
    match ty {
        syn::Type::Reference(to) => behind(&to.elem),
        syn::Type::Paren(paren) => behind(&paren.elem),
        syn::Type::Group(group) => behind(&group.elem),
        ty => ty,
    }
}

/// The type of the elements of a slice, an array or a `Vec`.
fn element(ty: &syn::Type) -> Option<&syn::Type> {
    match ty {
        syn::Type::Slice(slice) => Some(&slice.elem),
        syn::Type::Array(array) => Some(&array.elem),
        syn::Type::Path(path) if name_of(ty).is_some_and(|name| name == "Vec") => {
            type_argument(path.path.segments.last()?)
        }
        _ => None,
    }
}

impl<'ast> Visit<'ast> for Variables {
    fn visit_local(&mut self, local: &'ast syn::Local) {
        let (pat, written) = match &local.pat {
            syn::Pat::Type(pat) => (&*pat.pat, Some(&*pat.ty)),
            pat => (pat, None),
        };
        if let Some(init) = &local.init {
            self.visit_expr(&init.expr);
            if let Some((_, diverge)) = &init.diverge {
                self.visit_expr(diverge);
            }
        }
        let syn::Pat::Ident(pat) = pat else {
            return self.visit_pat(pat);
        };
        if let Some(ty) = written {
            let ty = self.named(ty);
            return self.declare(&pat.ident, ty);
        }
        let init = local.init.as_ref();
        let found = init.and_then(|init| self.of_value(&init.expr));
        if found.as_ref().is_some_and(|(_, called)| *called) {
            self.called.insert(pat.ident.unraw().to_string());
        }
        self.declare(&pat.ident, found.map(|(ty, _)| ty));
    }

    fn visit_pat_ident(&mut self, pat: &'ast syn::PatIdent) {
        self.declare(&pat.ident, None);
        visit::visit_pat_ident(self, pat);
    }

    /// There are other variables. Whatever else an item declares, it has a name of its own.
    fn visit_item(&mut self, item: &'ast syn::Item) {
        let declared = match item {
            syn::Item::Fn(item) => &item.sig.ident,
            syn::Item::Const(item) => &item.ident,
            syn::Item::Static(item) => &item.ident,
            syn::Item::Type(item) => &item.ident,
            other => return collect(other.to_token_stream(), &mut self.others),
        };
        self.others.insert(declared.unraw().to_string());
    }
}
