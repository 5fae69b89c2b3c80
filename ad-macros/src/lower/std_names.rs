//! Methods of containers and options that are understood by their names, noted for generated code to check.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens as _;
use syn::visit::{self, Visit};

use super::Lowerer;
use super::finish::place_type;
use super::value::Value;
use crate::ir::hash::HashSet;
use crate::ir::{
    ExprKind, Opaque, OpaqueArg, OpaqueKind, Place, STD_NAME, Standing, StdMethod, Stmt, StmtKind,
    Ty, VarKind, is_of_chains, is_of_std_by_name, std_method,
};
use crate::surroundings::with_text;

impl Lowerer<'_> {
    /// A method of this name is taken for std's, if the receiver turns out to be a container or an option.
    pub(super) fn note_std_method(&mut self, receiver: &Value, method: &Ident) {
        if !is_of_std_by_name(&method.to_string()) {
            return;
        }
        let standing = match receiver {
            Value::Ref(view) if view.mutable && view.depth == 0 => Standing::Exclusive,
            Value::Ref(_) => Standing::Shared,
            Value::Place(..) | Value::Expr(_) => Standing::Itself,
            Value::Opaque(..) | Value::Tuple(..) | Value::Unit | Value::Error | Value::Never => {
                return;
            }
        };
        let ty = self.type_of(receiver);
        // `num_traits::Signed` and its like have what std has for integers, and take shared references. There the
        // receiver is kept as it is, so that Rust finds what the text means.
        if standing == Standing::Shared
            && matches!(self.types.shallow(&ty), Ty::Int(_))
            && imports_number_traits(method)
        {
            return;
        }
        let place = match receiver {
            Value::Place(place, _) => Some(place),
            Value::Ref(view) => Some(&view.place),
            Value::Expr(e) => match &e.kind {
                ExprKind::Read(place) => Some(place),
                _ => None,
            },
            _ => None,
        };
        if let Some(place) = place
            && self.is_unseen(place)
        {
            self.check_name(&place.clone(), standing, method);
        }
        let whole = place.filter(|place| {
            self.func.var(place.root).kind == VarKind::Param
                && place
                    .proj
                    .iter()
                    .all(|step| matches!(step, crate::ir::Proj::Deref))
        });
        let called = StdMethod {
            method: method.clone(),
            receiver: standing,
            ty,
            whole: whole.map(|place| place.root),
        };
        self.func.std_methods.push(called);
    }

    /// Lets rustc check that no trait in scope has a method of this name for what the place may hold.
    fn check_name(&mut self, place: &Place, standing: Standing, method: &Ident) {
        if std_method(&Ty::Vec(Box::new(Ty::Unknown)), &method.to_string()).is_none() {
            return;
        }
        let mut check = Opaque::check(STD_NAME, place);
        let receiver = &check.code;
        check.code = match standing {
            Standing::Itself => syn::parse_quote!(#receiver.#method()),
            Standing::Shared => syn::parse_quote!((&#receiver).#method()),
            Standing::Exclusive => syn::parse_quote!((&mut #receiver).#method()),
        };
        self.emit(StmtKind::Opaque(Box::new(check)), method.span());
    }

    /// Whether the check of a name asks for a type that the text has shown in the end, so that its method is checked
    /// like others.
    pub(super) fn is_needless_name(&self, stmt: &Stmt) -> bool {
        let StmtKind::Opaque(opaque) = &stmt.kind else {
            return false;
        };
        match (&opaque.kind, opaque.args.as_slice()) {
            (OpaqueKind::Other(STD_NAME), [(_, OpaqueArg::Ref(place))]) => !self.is_unseen(place),
            _ => false,
        }
    }

    fn is_unseen(&self, place: &Place) -> bool {
        let ty = place_type(&self.func, place, &|ty| self.types.finish(ty));
        ty.is_unseen() || matches!(ty, Ty::Infer(_))
    }
}

/// Methods of the body that are understood by their names if what they are called on is an iterator that they take by
/// reference, each name once.
pub(super) fn of_chains(item: &syn::ItemFn) -> Vec<Ident> {
    let mut called = Called::default();
    called.visit_block(&item.block);
    called.0
}

#[derive(Default)]
struct Called(Vec<Ident>);

impl Called {
    fn found(&mut self, method: &Ident) {
        if !self.0.contains(method) {
            self.0.push(method.clone());
        }
    }

    /// Calls in the arguments of a macro, however many arguments they have.
    fn tokens(&mut self, tokens: TokenStream) {
        let mut behind_dot = false;
        for tree in tokens {
            match &tree {
                TokenTree::Ident(name)
                    if behind_dot && (0..3).any(|n| is_of_chains(&name.to_string(), n)) =>
                {
                    self.found(name);
                }
                TokenTree::Group(group) => self.tokens(group.stream()),
                TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
            behind_dot = matches!(&tree, TokenTree::Punct(punct) if punct.as_char() == '.');
        }
    }
}

impl Visit<'_> for Called {
    fn visit_expr_method_call(&mut self, call: &syn::ExprMethodCall) {
        if is_of_chains(&call.method.to_string(), call.args.len()) {
            self.found(&call.method);
        }
        visit::visit_expr_method_call(self, call);
    }

    fn visit_macro(&mut self, of: &syn::Macro) {
        self.tokens(of.tokens.clone());
    }
}

/// The words of the body, and `..` if it has a range.
pub(super) fn words(item: &syn::ItemFn) -> HashSet<String> {
    let mut words = HashSet::default();
    collect(item.block.to_token_stream(), &mut words);
    words
}

fn collect(tokens: TokenStream, words: &mut HashSet<String>) {
    let mut behind_dot = false;
    for tree in tokens {
        let is_dot = matches!(&tree, TokenTree::Punct(punct) if punct.as_char() == '.');
        if behind_dot && is_dot {
            words.insert("..".to_owned());
        }
        behind_dot = is_dot;
        match tree {
            TokenTree::Ident(name) => _ = words.insert(name.to_string()),
            TokenTree::Group(group) => collect(group.stream(), words),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

/// Whether the file names a crate whose traits give integers the methods that std gives them.
pub(super) fn imports_number_traits(at: &Ident) -> bool {
    const CRATES: [&str; 3] = ["num_traits::", "num_integer::", "num::"];
    let named = with_text(at.span(), |text| {
        CRATES.iter().any(|name| text.contains(name))
    });
    named.unwrap_or(false)
}
