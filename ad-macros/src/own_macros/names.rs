//! The walk over a function: which names are in scope where a macro is called, and which ones of a template are
//! declared by it.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::visit_mut::{self, VisitMut};

use super::{Expander, arguments, calls_a_macro};
use crate::ir::hash::HashSet;
use crate::lower::names_in_formats;

/// The identifiers of some tokens.
pub(super) fn collect(tokens: &TokenStream, names: &mut HashSet<String>) {
    for token in tokens.clone() {
        match token {
            TokenTree::Ident(ident) => {
                names.insert(ident.unraw().to_string());
            }
            TokenTree::Group(group) => collect(&group.stream(), names),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

/// Keywords, and `_`.
pub(super) fn is_reserved(ident: &Ident) -> bool {
    let text = ident.to_string();
    !text.starts_with("r#") && syn::parse_str::<Ident>(&text).is_err()
}

/// Whether a pattern that is this name declares a variable.
fn is_variable(ident: &Ident) -> bool {
    let name = ident.unraw().to_string();
    !name.starts_with(char::is_uppercase)
}

/// What keeps its meaning, whatever stands around it.
fn stands_alone(e: &syn::Expr) -> bool {
    matches!(
        e,
        syn::Expr::Block(_)
            | syn::Expr::Paren(_)
            | syn::Expr::Group(_)
            | syn::Expr::Lit(_)
            | syn::Expr::Path(_)
            | syn::Expr::Call(_)
            | syn::Expr::MethodCall(_)
    )
}

impl VisitMut for Expander {
    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        self.macros.push(Default::default());
        self.scoped(|expander| {
            let mut out = Vec::new();
            expander.statements(std::mem::take(&mut block.stmts), &mut out);
            block.stmts = out;
        });
        self.macros.pop();
        // A macro of which no call is left needs no definition.
        let left = &self.left;
        block.stmts.retain(|stmt| match stmt {
            syn::Stmt::Item(syn::Item::Macro(item)) => {
                let name = item.ident.as_ref();
                name.is_none_or(|name| left.contains(&name.unraw().to_string()))
            }
            _ => true,
        });
    }

    fn visit_local_mut(&mut self, local: &mut syn::Local) {
        if let Some(init) = &mut local.init {
            self.visit_expr_mut(&mut init.expr);
            if let Some((_, diverge)) = &mut init.diverge {
                self.visit_expr_mut(diverge);
            }
        }
        local
            .attrs
            .iter_mut()
            .for_each(|a| self.visit_attribute_mut(a));
        self.visit_pat_mut(&mut local.pat);
    }

    fn visit_expr_mut(&mut self, e: &mut syn::Expr) {
        if let syn::Expr::Macro(mac) = e
            && mac.attrs.is_empty()
            && self.definition(&mac.mac.path).is_some()
        {
            let expanded = self.replaced(&mac.mac.clone(), |expander, tokens| {
                let mut e = syn::parse2::<syn::Expr>(tokens).ok()?;
                expander.visit_expr_mut(&mut e);
                Some(e)
            });
            if let Some(expanded) = expanded {
                *e = if stands_alone(&expanded) {
                    expanded
                } else {
                    syn::parse_quote!((#expanded))
                };
                return;
            }
        }
        match e {
            syn::Expr::Path(path) if path.qself.is_none() => {
                let keep = match path.path.get_ident() {
                    Some(ident) => self.is_declared(&ident.clone()),
                    None => false,
                };
                if !keep {
                    visit_mut::visit_expr_path_mut(self, path);
                }
            }
            _ => visit_mut::visit_expr_mut(self, e),
        }
    }

    fn visit_expr_closure_mut(&mut self, closure: &mut syn::ExprClosure) {
        self.scoped(|expander| visit_mut::visit_expr_closure_mut(expander, closure));
    }

    fn visit_expr_if_mut(&mut self, branch: &mut syn::ExprIf) {
        self.scoped(|expander| {
            expander.visit_expr_mut(&mut branch.cond);
            expander.visit_block_mut(&mut branch.then_branch);
        });
        if let Some((_, otherwise)) = &mut branch.else_branch {
            self.visit_expr_mut(otherwise);
        }
    }

    fn visit_expr_while_mut(&mut self, repeated: &mut syn::ExprWhile) {
        self.scoped(|expander| visit_mut::visit_expr_while_mut(expander, repeated));
    }

    fn visit_expr_let_mut(&mut self, e: &mut syn::ExprLet) {
        self.visit_expr_mut(&mut e.expr);
        self.visit_pat_mut(&mut e.pat);
    }

    fn visit_expr_for_loop_mut(&mut self, repeated: &mut syn::ExprForLoop) {
        self.visit_expr_mut(&mut repeated.expr);
        self.scoped(|expander| {
            if let Some(label) = &mut repeated.label {
                expander.visit_label_mut(label);
            }
            expander.visit_pat_mut(&mut repeated.pat);
            expander.visit_block_mut(&mut repeated.body);
        });
    }

    fn visit_arm_mut(&mut self, arm: &mut syn::Arm) {
        self.scoped(|expander| visit_mut::visit_arm_mut(expander, arm));
    }

    fn visit_pat_ident_mut(&mut self, pat: &mut syn::PatIdent) {
        if let Some((_, inner)) = &mut pat.subpat {
            self.visit_pat_mut(inner);
        }
        let marked = self.marks.get(&pat.ident.to_string());
        match marked.map(|mark| &mark.name) {
            // A constant or a variant, which have no hygiene, or a variable in spite of its name.
            Some(name) if !is_variable(name) => {
                self.failed |= name != "None";
                self.unmark(&mut pat.ident);
            }
            _ => self.bind(&pat.ident),
        }
    }

    fn visit_field_value_mut(&mut self, field: &mut syn::FieldValue) {
        self.visit_member_mut(&mut field.member);
        self.visit_expr_mut(&mut field.expr);
        let (member, value) = (&field.member, &field.expr);
        if member.to_token_stream().to_string() != value.to_token_stream().to_string() {
            field.colon_token.get_or_insert_with(Default::default);
        }
    }

    fn visit_field_pat_mut(&mut self, field: &mut syn::FieldPat) {
        self.visit_member_mut(&mut field.member);
        self.visit_pat_mut(&mut field.pat);
        if let syn::Pat::Ident(pat) = &*field.pat
            && field.colon_token.is_none()
            && pat.ident != field.member.to_token_stream().to_string()
        {
            field.colon_token = Some(Default::default());
        }
    }

    fn visit_label_mut(&mut self, label: &mut syn::Label) {
        self.labels.insert(label.name.ident.to_string());
    }

    // A label that its template does not declare is one of the place where the macro is defined.
    fn visit_lifetime_mut(&mut self, lifetime: &mut syn::Lifetime) {
        let name = lifetime.ident.to_string();
        self.failed |= self.marks.contains_key(&name) && !self.labels.contains(&name);
    }

    fn visit_ident_mut(&mut self, ident: &mut Ident) {
        self.unmark(ident);
    }

    fn visit_attribute_mut(&mut self, attr: &mut syn::Attribute) {
        let tokens = attr.meta.to_token_stream();
        if let Ok(meta) = syn::parse2(self.unmarked(tokens)) {
            attr.meta = meta;
        }
    }

    fn visit_macro_mut(&mut self, mac: &mut syn::Macro) {
        self.visit_path_mut(&mut mac.path);
        // What it yields is how its argument is written.
        if mac
            .path
            .segments
            .last()
            .is_some_and(|last| last.ident == "stringify")
        {
            self.failed |= self.depth > 0 && !self.is_name_of_call(&mac.tokens);
            return;
        }
        if self.depth == 0 && !calls_a_macro(&mac.tokens) {
            return;
        }
        self.formats(&mac.tokens);
        match arguments(&mac.tokens) {
            Some((mut list, separator)) => {
                list.iter_mut().for_each(|e| self.visit_expr_mut(e));
                mac.tokens = match separator {
                    ';' => quote!(#(#list);*),
                    _ => quote!(#(#list),*),
                };
            }
            // Names in it cannot be told apart.
            None => {
                self.failed |= self.depth > 0;
                let mut names = HashSet::default();
                collect(&mac.tokens, &mut names);
                self.left.extend(names);
            }
        }
    }

    // What is done there has no derivative, and stays as it is.
    fn visit_expr_call_mut(&mut self, call: &mut syn::ExprCall) {
        let last = match &*call.func {
            syn::Expr::Path(path) => path.path.segments.last(),
            _ => None,
        };
        if self.depth == 0 && last.is_some_and(|last| last.ident == "no_gradient") {
            let mut names = HashSet::default();
            collect(&call.args.to_token_stream(), &mut names);
            self.left.extend(names);
            return;
        }
        visit_mut::visit_expr_call_mut(self, call);
    }

    // What calls a macro from within an item calls it there, and a template with items declares more than variables.
    fn visit_item_mut(&mut self, item: &mut syn::Item) {
        let defines = matches!(item, syn::Item::Macro(item) if item.ident.is_some());
        self.failed |= self.depth > 0;
        if !defines {
            let mut names = HashSet::default();
            collect(&item.to_token_stream(), &mut names);
            self.left.extend(names);
        }
    }
}

impl Expander {
    /// Whether this is one name that no template wrote.
    fn is_name_of_call(&self, tokens: &TokenStream) -> bool {
        let name = syn::parse2::<Ident>(tokens.clone());
        name.is_ok_and(|name| !self.marks.contains_key(&name.to_string()))
    }

    /// Tokens in which no name is a variable.
    fn unmarked(&self, tokens: TokenStream) -> TokenStream {
        let of = |mut tree: TokenTree| {
            match &mut tree {
                TokenTree::Ident(ident) => self.unmark(ident),
                TokenTree::Group(group) => {
                    let inner = self.unmarked(group.stream());
                    let mut made = proc_macro2::Group::new(group.delimiter(), inner);
                    made.set_span(group.span());
                    *group = made;
                }
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
            tree
        };
        tokens.into_iter().map(of).collect()
    }

    /// A format string names variables, and does not say whether it is one of a template.
    fn formats(&mut self, tokens: &TokenStream) {
        let depth = self.depth;
        self.failed |= depth > 0 && !names_in_formats(tokens).is_empty();
    }
}
