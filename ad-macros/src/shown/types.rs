//! The types of expressions, as far as the text of the package shows them.

use proc_macro2::{Ident, Span};
use syn::visit_mut::{self, VisitMut};

use super::variables::{Variables, declare_all};
use crate::ir::parameter_names;
use crate::lower::{is_of_std, is_primitive, type_argument};
use crate::surroundings::{Declared, declared, function_of_module, method_of, methods_of};

/// What is asked of the text around a function.
pub(super) struct Types {
    at: Span,
    /// What `Self` is.
    own: Option<syn::Type>,
    /// Type parameters, which hide types of their name.
    parameters: Vec<Ident>,
    pub(super) variables: Variables,
}

impl Types {
    pub(super) fn of(function: &syn::ItemFn, block: Option<syn::ItemImpl>, at: Span) -> Self {
        let generics = block.as_ref().map(|block| &block.generics);
        let generics = generics.into_iter().chain([&function.sig.generics]);
        let mut types = Types {
            at,
            parameters: generics.flat_map(parameter_names).cloned().collect(),
            own: block.map(|block| *block.self_ty),
            variables: Variables::default(),
        };
        declare_all(&mut types, function);
        types
    }

    /// What a block shows, without variables.
    pub(super) fn in_block(block: syn::ItemImpl, at: Span) -> Self {
        Types {
            at,
            parameters: parameter_names(&block.generics).cloned().collect(),
            own: Some(*block.self_ty),
            variables: Variables::default(),
        }
    }

    pub(super) fn own(&self) -> Option<syn::Type> {
        self.own.clone()
    }

    /// A written type with `Self` and aliases of the package replaced.
    pub(super) fn written(&self, ty: &syn::Type) -> syn::Type {
        let mut ty = ty.clone();
        if let Some(own) = &self.own {
            ItIs(own).visit_type_mut(&mut ty);
        }
        // Aliases of aliases, so far.
        for _ in 0..4 {
            match self.declaration(behind(&ty)) {
                Some((Declared::Alias(alias), arguments)) => {
                    let parameters = alias.generics.type_params().map(|p| p.ident.clone());
                    let parameters: Vec<Ident> = parameters.collect();
                    ty = *alias.ty;
                    Arguments(&parameters, &arguments).visit_type_mut(&mut ty);
                }
                _ => break,
            }
        }
        ty
    }

    fn declaration(&self, ty: &syn::Type) -> Option<(Declared, Vec<syn::Type>)> {
        let name = name_of(ty)?;
        let text = name.to_string();
        if is_primitive(&text) || is_of_std(&text) || self.parameters.contains(name) {
            return None;
        }
        Some((declared(self.at, name)?, arguments_of(ty)))
    }

    /// Whether it is a struct or an enum that the package declares.
    pub(super) fn is_own(&self, ty: &syn::Type) -> bool {
        matches!(
            self.declaration(ty),
            Some((Declared::Struct(_) | Declared::Enum(_), _))
        )
    }

    pub(super) fn method(&self, ty: &Ident, name: &Ident) -> Option<syn::Signature> {
        method_of(self.at, ty, name)
    }

    /// The type of a field.
    pub(super) fn field(&self, of: &syn::Type, member: &syn::Member) -> Option<syn::Type> {
        let of = behind(of);
        if let (syn::Type::Tuple(tuple), syn::Member::Unnamed(n)) = (of, member) {
            return tuple.elems.get(n.index as usize).cloned();
        }
        let (Declared::Struct(of), arguments) = self.declaration(of)? else {
            return None;
        };
        let mut fields = of.fields.iter().zip(of.fields.members());
        let (field, _) = fields.find(|(_, known)| known == member)?;
        let mut ty = field.ty.clone();
        let parameters: Vec<Ident> = of.generics.type_params().map(|p| p.ident.clone()).collect();
        Arguments(&parameters, &arguments).visit_type_mut(&mut ty);
        // What is left of them means nothing here.
        Some(self.written(&ty))
    }

    pub(super) fn of_expr(&self, e: &syn::Expr) -> Option<syn::Type> {
        match e {
            syn::Expr::Paren(e) => self.of_expr(&e.expr),
            syn::Expr::Group(e) => self.of_expr(&e.expr),
            syn::Expr::Reference(e) => self.of_expr(&e.expr),
            syn::Expr::Unary(e) => self.of_expr(&e.expr),
            syn::Expr::Cast(e) => Some((*e.ty).clone()),
            syn::Expr::Path(path) if path.qself.is_none() => {
                self.variables.type_of(path.path.get_ident()?)
            }
            syn::Expr::Field(field) => self.field(&self.of_expr(&field.base)?, &field.member),
            syn::Expr::Index(index) => {
                let of = self.of_expr(&index.expr)?;
                match &*index.index {
                    syn::Expr::Range(_) => Some(of),
                    _ => element_of(behind(&of)),
                }
            }
            syn::Expr::Struct(made) => {
                let path = &made.path;
                Some(self.written(&syn::parse_quote!(#path)))
            }
            syn::Expr::Call(call) => self.called(call),
            syn::Expr::MethodCall(call) => self.of_method(call),
            syn::Expr::Binary(binary) => self.of_binary(binary),
            syn::Expr::Block(block) => self.of_block(&block.block),
            syn::Expr::If(branch) => self.of_block(&branch.then_branch),
            syn::Expr::Tuple(tuple) => {
                let parts: Option<Vec<_>> = tuple.elems.iter().map(|e| self.of_expr(e)).collect();
                let parts = parts?;
                Some(syn::parse_quote!((#(#parts,)*)))
            }
            _ => None,
        }
    }

    fn of_block(&self, block: &syn::Block) -> Option<syn::Type> {
        match block.stmts.last()? {
            syn::Stmt::Expr(e, None) => self.of_expr(e),
            _ => None,
        }
    }

    fn called(&self, call: &syn::ExprCall) -> Option<syn::Type> {
        let syn::Expr::Path(path) = &*call.func else {
            return None;
        };
        let segments: Vec<&syn::PathSegment> = path.path.segments.iter().collect();
        match segments.as_slice() {
            [name] if name.ident.to_string().starts_with(char::is_uppercase) => {
                let ty = &path.path;
                let ty = self.written(&syn::parse_quote!(#ty));
                self.is_own(&ty).then_some(ty)
            }
            [name] => {
                let function = function_of_module(self.at, &name.ident)?;
                self.returned(&function.sig, None)
            }
            [.., ty, name] => {
                let ty = self.written(&syn::parse_quote!(#ty));
                match self.method(name_of(&ty)?, &name.ident) {
                    Some(method) => self.returned(&method, Some(&ty)),
                    // Those of std's traits, which may be derived, yield the type.
                    None => (matches!(name.ident.to_string().as_str(), "default" | "from")
                        && self.is_own(&ty))
                    .then_some(ty),
                }
            }
            [] => None,
        }
    }

    /// What a function returns. `of`: what `Self` is there.
    fn returned(&self, sig: &syn::Signature, of: Option<&syn::Type>) -> Option<syn::Type> {
        let syn::ReturnType::Type(_, ty) = &sig.output else {
            return None;
        };
        let mut ty = (**ty).clone();
        if let Some(of) = of {
            ItIs(of).visit_type_mut(&mut ty);
        }
        Some(self.written(&ty))
    }

    pub(super) fn of_method(&self, call: &syn::ExprMethodCall) -> Option<syn::Type> {
        let of = self.of_expr(&call.receiver);
        // A chain yields what it began with.
        if call.method == "fold"
            && call.args.len() == 2
            && !of.as_ref().map(behind).is_some_and(|of| self.is_own(of))
        {
            return self.of_expr(&call.args[0]);
        }
        let of = of.as_ref().map(behind)?;
        if self.is_own(of)
            && let Some(method) = self.method(name_of(of)?, &call.method)
        {
            return self.returned(&method, Some(of));
        }
        let name = call.method.to_string();
        match name.as_str() {
            "clone" | "to_owned" | "as_ref" | "as_mut" | "borrow" | "iter" | "to_vec"
            | "as_slice" | "copied" | "cloned" | "take" | "replace" => Some(of.clone()),
            "unwrap" | "expect" | "unwrap_or" | "unwrap_or_default" | "unwrap_or_else" => {
                payload_of(of)
            }
            "first" | "last" | "get" | "pop" | "first_mut" | "last_mut" | "get_mut" | "back"
            | "front" | "pop_front" | "pop_back" => {
                let element = element_of(of)?;
                Some(syn::parse_quote!(Option<#element>))
            }
            _ => None,
        }
    }

    /// What the operators yield that the text shows of a type, those that take the other operand; `None` for an
    /// `Output` that is written elsewhere.
    fn operators(&self, of: &syn::Type, name: &str, other: &syn::Expr) -> Vec<Option<syn::Type>> {
        let Some(own) = name_of(of) else {
            return Vec::new();
        };
        let mut all = methods_of(self.at, own, name);
        if all.is_empty() {
            all.extend(self.method(own, &Ident::new(name, Span::call_site())));
        }
        let other = self.of_expr(other).or_else(|| literal(other));
        let takes_it = |sig: &&syn::Signature| match (&other, sig.inputs.last()) {
            (Some(other), Some(syn::FnArg::Typed(operand))) => {
                let mut operand = (*operand.ty).clone();
                ItIs(of).visit_type_mut(&mut operand);
                behind(&self.written(&operand)) == behind(other)
            }
            _ => true,
        };
        let mut fitting: Vec<&syn::Signature> = all.iter().filter(takes_it).collect();
        if fitting.is_empty() {
            // A type parameter, say.
            fitting.extend(&all);
        }
        let mut results: Vec<Option<syn::Type>> = Vec::new();
        for sig in fitting {
            let result = match &sig.output {
                // `Self::Output` is written in the block alone.
                syn::ReturnType::Type(_, ty) if name_of(ty).is_some_and(|n| n == "Output") => None,
                _ => self.returned(sig, Some(of)),
            };
            if !results.contains(&result) {
                results.push(result);
            }
        }
        results
    }

    /// An operator of a type of the user's, by the `Output` of its `impl`.
    fn of_binary(&self, binary: &syn::ExprBinary) -> Option<syn::Type> {
        let (of_trait, symmetric) = match binary.op {
            syn::BinOp::Add(_) => ("add", true),
            syn::BinOp::Sub(_) => ("sub", true),
            syn::BinOp::Mul(_) => ("mul", false),
            syn::BinOp::Div(_) => ("div", false),
            _ => return None,
        };
        let left = self.of_expr(&binary.left);
        let left = left.as_ref().map(behind);
        if let Some(left) = left
            && self.is_own(left)
        {
            return match self.operators(left, of_trait, &binary.right).as_slice() {
                [] => symmetric.then(|| left.clone()),
                [one] => one.clone(),
                // It depends on the other operand.
                _ => None,
            };
        }
        let right = self.of_expr(&binary.right)?;
        let right = behind(&right);
        // A scaled value.
        (of_trait == "mul" && self.is_own(right)).then(|| right.clone())
    }
}

/// The type of a number with a point.
fn literal(e: &syn::Expr) -> Option<syn::Type> {
    match e {
        syn::Expr::Lit(lit) => match &lit.lit {
            syn::Lit::Float(number) if number.suffix() == "f32" => Some(syn::parse_quote!(f32)),
            syn::Lit::Float(_) => Some(syn::parse_quote!(f64)),
            _ => None,
        },
        syn::Expr::Unary(e) => literal(&e.expr),
        syn::Expr::Paren(e) => literal(&e.expr),
        syn::Expr::Group(e) => literal(&e.expr),
        _ => None,
    }
}

/// A type without references and boxes around it.
pub(super) fn behind(ty: &syn::Type) -> &syn::Type {
    match ty {
        syn::Type::Reference(to) => behind(&to.elem),
        syn::Type::Paren(to) => behind(&to.elem),
        syn::Type::Group(to) => behind(&to.elem),
        syn::Type::Path(path) => {
            let last = path.path.segments.last();
            let boxed =
                last.filter(|last| matches!(last.ident.to_string().as_str(), "Box" | "Rc" | "Arc"));
            match boxed.and_then(type_argument) {
                Some(inner) => behind(inner),
                None => ty,
            }
        }
        _ => ty,
    }
}

/// The last name of a path.
pub(super) fn name_of(ty: &syn::Type) -> Option<&Ident> {
    match ty {
        syn::Type::Path(path) if path.qself.is_none() => {
            path.path.segments.last().map(|last| &last.ident)
        }
        _ => None,
    }
}

fn arguments_of(ty: &syn::Type) -> Vec<syn::Type> {
    let syn::Type::Path(path) = ty else {
        return Vec::new();
    };
    let last = path.path.segments.last().map(|last| &last.arguments);
    let Some(syn::PathArguments::AngleBracketed(args)) = last else {
        return Vec::new();
    };
    let types = args.args.iter().filter_map(|arg| match arg {
        syn::GenericArgument::Type(ty) => Some(ty.clone()),
        _ => None,
    });
    types.collect()
}

/// The type of the elements.
pub(super) fn element_of(ty: &syn::Type) -> Option<syn::Type> {
    match ty {
        syn::Type::Slice(slice) => Some((*slice.elem).clone()),
        syn::Type::Array(array) => Some((*array.elem).clone()),
        syn::Type::Path(path) => {
            let last = path.path.segments.last()?;
            let holds = matches!(last.ident.to_string().as_str(), "Vec" | "VecDeque");
            holds.then(|| type_argument(last).cloned()).flatten()
        }
        _ => None,
    }
}

/// What an option or a result holds.
pub(super) fn payload_of(ty: &syn::Type) -> Option<syn::Type> {
    let syn::Type::Path(path) = ty else {
        return None;
    };
    let last = path.path.segments.last()?;
    let holds = matches!(last.ident.to_string().as_str(), "Option" | "Result");
    holds.then(|| type_argument(last).cloned()).flatten()
}

/// Writes a type for `Self`.
struct ItIs<'t>(&'t syn::Type);

impl VisitMut for ItIs<'_> {
    fn visit_type_mut(&mut self, ty: &mut syn::Type) {
        if matches!(ty, syn::Type::Path(path) if path.path.is_ident("Self")) {
            *ty = self.0.clone();
        } else {
            visit_mut::visit_type_mut(self, ty);
        }
    }
}

/// Writes arguments for parameters.
struct Arguments<'t>(&'t [Ident], &'t [syn::Type]);

impl VisitMut for Arguments<'_> {
    fn visit_type_mut(&mut self, ty: &mut syn::Type) {
        let name = match &*ty {
            syn::Type::Path(path) if path.qself.is_none() => path.path.get_ident(),
            _ => None,
        };
        let at = name.and_then(|name| self.0.iter().position(|parameter| parameter == name));
        match at {
            // Without an argument it is a type that nobody declares.
            Some(at) => {
                *ty = self
                    .1
                    .get(at)
                    .cloned()
                    .unwrap_or_else(|| syn::parse_quote!(_))
            }
            None => visit_mut::visit_type_mut(self, ty),
        }
    }
}
