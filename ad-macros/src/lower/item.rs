//! Items declared inside the body.

use quote::ToTokens;

use super::Lowerer;
use super::value::span_of;
use crate::diag::catalog;

impl Lowerer<'_> {
    /// Collects the items of a block. They are emitted at the top of the sweeps, so an inner block's items must not
    /// change what a name means elsewhere.
    pub(super) fn items(&mut self, block: &syn::Block) {
        for stmt in &block.stmts {
            if let syn::Stmt::Item(item) = stmt {
                self.item_stmt(item, block);
            }
        }
    }

    fn item_stmt(&mut self, item: &syn::Item, block: &syn::Block) {
        self.plain_attributes(match item {
            syn::Item::Const(i) => &i.attrs,
            syn::Item::Static(i) => &i.attrs,
            syn::Item::Use(i) => &i.attrs,
            syn::Item::Type(i) => &i.attrs,
            _ => &[],
        });
        match item {
            syn::Item::Fn(f) => {
                self.note_inner_function(f);
                self.hoist_item(item, block, &[f.sig.ident.to_string()]);
            }
            syn::Item::Const(c) => {
                let ty = self.annotation(&c.ty);
                self.const_tys.insert(c.ident.to_string(), ty);
                self.hoist_item(item, block, &[c.ident.to_string()]);
            }
            syn::Item::Type(t) => self.hoist_item(item, block, &[t.ident.to_string()]),
            syn::Item::Use(u) => {
                let mut names = Vec::new();
                imported(&u.tree, &mut names);
                self.hoist_item(item, block, &names);
            }
            syn::Item::Static(s) if is_plain_static(s) => {
                let ty = self.annotation(&s.ty);
                self.const_tys.insert(s.ident.to_string(), ty);
                self.hoist_item(item, block, &[s.ident.to_string()]);
            }
            syn::Item::Static(s) => self.diags.over(&s.static_token, catalog::static_in_body()),
            syn::Item::Macro(m) if m.ident.is_some() => {
                self.diags.over(&m.mac.path, catalog::macro_definition())
            }
            syn::Item::Macro(m) => {
                let name = m.mac.path.to_token_stream().to_string();
                self.diags
                    .over(&m.mac.path, catalog::unsupported_macro(&name));
            }
            // Each sweep has a type of its own, of which no value goes from one to the other but as a record.
            syn::Item::Struct(i) => self.hoist_item(item, block, &[i.ident.to_string()]),
            syn::Item::Enum(i) => self.hoist_item(item, block, &[i.ident.to_string()]),
            syn::Item::Union(i) => self
                .diags
                .over(&i.union_token, catalog::item_in_body("a union")),
            syn::Item::Impl(i) => self
                .diags
                .over(&i.impl_token, catalog::item_in_body("an `impl`")),
            syn::Item::Trait(i) => self
                .diags
                .over(&i.trait_token, catalog::item_in_body("a trait")),
            syn::Item::Mod(i) => self
                .diags
                .over(&i.mod_token, catalog::item_in_body("a module")),
            other => self.diags.over(other, catalog::item_in_body("this item")),
        }
    }

    fn hoist_item(&mut self, item: &syn::Item, block: &syn::Block, names: &[String]) {
        // The scopes of parameters and of the body itself.
        let nested = self.scopes.len() > 2;
        for name in names {
            self.nonlocal.insert(name.clone());
            // Inside the block the item's name comes first, whatever has it outside.
            let local = syn::parse_str::<syn::Ident>(name)
                .ok()
                .and_then(|mut ident| {
                    ident.set_span(span_of(item));
                    self.lookup(&ident)
                });
            if local.is_some() {
                self.diags.at(span_of(item), catalog::item_in_block(name));
                return;
            }
            if nested && (name == "*" || self.spelled_outside(name, block)) {
                self.diags.at(span_of(item), catalog::item_in_block(name));
                return;
            }
        }
        // The body of a closure is here once for each call.
        let text = item.to_token_stream().to_string();
        let mut items = self.func.items.iter();
        if !items.any(|other| other.to_token_stream().to_string() == text) {
            self.func.items.push(item.clone());
        }
    }

    fn spelled_outside(&self, name: &str, block: &syn::Block) -> bool {
        let count = |tokens: proc_macro2::TokenStream| {
            super::prescan::names_in(&tokens)
                .iter()
                .filter(|i| **i == name)
                .count()
        };
        count(self.source.clone()) != count(block.to_token_stream())
    }
}

fn imported(tree: &syn::UseTree, names: &mut Vec<String>) {
    match tree {
        syn::UseTree::Path(p) => imported(&p.tree, names),
        syn::UseTree::Name(n) => names.push(n.ident.to_string()),
        syn::UseTree::Rename(r) => names.push(r.rename.to_string()),
        syn::UseTree::Glob(_) => names.push("*".to_owned()),
        syn::UseTree::Group(g) => g.items.iter().for_each(|tree| imported(tree, names)),
    }
}

/// Whether a `static` is never written, so that both sweeps can have it: it has no cells in it.
fn is_plain_static(item: &syn::ItemStatic) -> bool {
    fn is_plain(ty: &syn::Type) -> bool {
        match ty {
            syn::Type::Array(t) => is_plain(&t.elem),
            syn::Type::Slice(t) => is_plain(&t.elem),
            syn::Type::Reference(t) => t.mutability.is_none() && is_plain(&t.elem),
            syn::Type::Paren(t) => is_plain(&t.elem),
            syn::Type::Group(t) => is_plain(&t.elem),
            syn::Type::Tuple(t) => t.elems.iter().all(is_plain),
            syn::Type::Path(t) => {
                let name = t.path.get_ident().filter(|_| t.qself.is_none());
                name.is_some_and(|name| super::is_primitive(&name.to_string()))
            }
            _ => false,
        }
    }
    matches!(item.mutability, syn::StaticMutability::None) && is_plain(&item.ty)
}
