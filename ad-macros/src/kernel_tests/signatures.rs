//! The functions of a file of the runtime, and what their types let them change.

use std::collections::BTreeSet;

use syn::visit::{self, Visit};

/// The functions of a file, with the type that they belong to.
#[derive(Default)]
pub(super) struct Signatures {
    of: Option<String>,
    pub(super) found: Vec<(String, syn::Signature)>,
}

impl Signatures {
    pub(super) fn add(&mut self, signature: &syn::Signature) {
        let name = match &self.of {
            Some(of) => format!("{of}::{}", signature.ident),
            None => signature.ident.to_string(),
        };
        self.found.push((name, signature.clone()));
    }
}

impl<'ast> Visit<'ast> for Signatures {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.add(&item.sig);
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        if let syn::Type::Path(path) = &*item.self_ty {
            let last = path.path.segments.last().expect("a name");
            self.of = Some(last.ident.to_string());
            visit::visit_item_impl(self, item);
            self.of = None;
        }
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.add(&item.sig);
    }

    fn visit_item_trait(&mut self, item: &'ast syn::ItemTrait) {
        self.of = Some(item.ident.to_string());
        visit::visit_item_trait(self, item);
        self.of = None;
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        self.add(&item.sig);
    }

    fn visit_item_mod(&mut self, _: &'ast syn::ItemMod) {}
}

/// The names that a pattern declares.
pub(super) struct Declared<'a>(pub(super) &'a mut BTreeSet<String>);

impl<'ast> Visit<'ast> for Declared<'_> {
    fn visit_pat_ident(&mut self, pattern: &'ast syn::PatIdent) {
        self.0.insert(pattern.ident.to_string());
    }
}

/// Whether something can be changed through a value of the type, which is mentioned in a signature.
#[derive(Default)]
pub(super) struct Changes {
    pub(super) exclusive: bool,
    pub(super) cells: bool,
}

impl<'ast> Visit<'ast> for Changes {
    fn visit_type_reference(&mut self, reference: &'ast syn::TypeReference) {
        self.exclusive |= reference.mutability.is_some();
        visit::visit_type_reference(self, reference);
    }

    fn visit_path_segment(&mut self, segment: &'ast syn::PathSegment) {
        self.cells |= segment.ident == "Cell";
        visit::visit_path_segment(self, segment);
    }

    // What a closure may do is said of the closure.
    fn visit_type_impl_trait(&mut self, _: &'ast syn::TypeImplTrait) {}
}
