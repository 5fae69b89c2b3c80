//! The generic parameters of what a derive writes: bounds for those that lie in fields, and the parameters that are
//! left where some fields are gone.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::visit::Visit;

use super::is_phantom_path;
use crate::ir::hash::HashSet;

/// Type parameters in types. What is behind `PhantomData` is no value.
pub(super) struct Used {
    names: Vec<Ident>,
    /// Those that stand alone.
    pub(super) alone: Vec<Ident>,
    /// Associated types of them.
    pub(super) projected: Vec<syn::TypePath>,
}

impl Used {
    pub(super) fn of<'a>(
        generics: &syn::Generics,
        fields: impl IntoIterator<Item = &'a syn::Type>,
    ) -> Self {
        let names = generics.type_params().map(|p| p.ident.clone()).collect();
        let mut used = Self::none(names);
        fields.into_iter().for_each(|ty| used.visit_type(ty));
        used
    }

    /// Whether a type parameter stands anywhere in `ty`.
    pub(super) fn any_of(generics: &syn::Generics, ty: &syn::Type) -> bool {
        let mut inside = HashSet::default();
        names(ty.to_token_stream(), &mut inside);
        let mut parameters = generics.type_params();
        parameters.any(|param| inside.contains(&param.ident.to_string()))
    }

    fn none(names: Vec<Ident>) -> Self {
        Used {
            names,
            alone: Vec::new(),
            projected: Vec::new(),
        }
    }

    /// Requires `bound` of each type parameter that lies in a field, and of each associated type of one.
    ///
    /// Types that are written out are not in the where clause: a type that holds its own would satisfy the bound if it
    /// satisfies the bound.
    pub(super) fn bound(&self, generics: &mut syn::Generics, bound: &TokenStream) {
        self.bound_by(generics, |_| bound.clone());
    }

    /// The same with a bound that names the type.
    pub(super) fn bound_by(
        &self,
        generics: &mut syn::Generics,
        bound: impl Fn(&dyn ToTokens) -> TokenStream,
    ) {
        for param in generics.type_params_mut() {
            if self.alone.contains(&param.ident) {
                let bound = bound(&param.ident);
                let bounds: Punctuated<syn::TypeParamBound, syn::Token![+]> =
                    syn::parse_quote!(#bound);
                param.bounds.extend(bounds);
            }
        }
        for ty in &self.projected {
            let bound = bound(ty);
            let clause = generics.make_where_clause();
            clause.predicates.push(syn::parse_quote!(#ty: #bound));
        }
    }

    /// All of them, as types.
    pub(super) fn types(&self) -> impl Iterator<Item = TokenStream> {
        let alone: HashSet<&Ident> = self.alone.iter().collect();
        let alone = self.names.iter().filter(move |name| alone.contains(name));
        let projected = self.projected.iter().map(ToTokens::to_token_stream);
        alone.map(ToTokens::to_token_stream).chain(projected)
    }
}

impl<'ast> Visit<'ast> for Used {
    fn visit_type_path(&mut self, ty: &'ast syn::TypePath) {
        let first = ty.path.segments.first();
        let of_param = |ident: &Ident| ty.qself.is_none() && self.names.contains(ident);
        match first {
            Some(first) if of_param(&first.ident) && ty.path.segments.len() == 1 => {
                self.alone.push(first.ident.clone());
            }
            Some(first) if of_param(&first.ident) => self.projected.push(ty.clone()),
            _ if ty.qself.is_some() => {
                let mut inner = Used::none(self.names.clone());
                syn::visit::visit_type_path(&mut inner, ty);
                if !inner.alone.is_empty() || !inner.projected.is_empty() {
                    self.projected.push(ty.clone());
                }
            }
            _ if is_phantom_path(ty) => {}
            _ => syn::visit::visit_type_path(self, ty),
        }
    }
}

/// The parameters that `types` mention, with what is said of those alone. A parameter that no field mentions is an
/// error of rustc.
pub(super) fn mentioned_in(generics: &syn::Generics, types: &[TokenStream]) -> syn::Generics {
    let mut mentioned = HashSet::default();
    types
        .iter()
        .for_each(|ty| names(ty.clone(), &mut mentioned));
    let mut kept = generics.clone();
    let gone: HashSet<String> = generics
        .params
        .iter()
        .map(name_of)
        .filter(|name| !mentioned.contains(name))
        .collect();
    let stays = |tokens: &dyn ToTokens| {
        let mut inside = HashSet::default();
        names(tokens.to_token_stream(), &mut inside);
        inside.is_disjoint(&gone)
    };
    kept.params = generics
        .params
        .iter()
        .filter(|param| !gone.contains(&name_of(param)))
        .cloned()
        .collect();
    for param in &mut kept.params {
        match param {
            syn::GenericParam::Type(param) => {
                param.bounds = retained(&param.bounds, &stays);
                if param
                    .default
                    .as_ref()
                    .is_some_and(|default| !stays(default))
                {
                    param.default = None;
                }
            }
            syn::GenericParam::Lifetime(param) => param.bounds = retained(&param.bounds, &stays),
            syn::GenericParam::Const(_) => {}
        }
    }
    if let Some(clause) = &mut kept.where_clause {
        clause.predicates = retained(&clause.predicates, &stays);
    }
    kept
}

fn retained<T: ToTokens + Clone, P: Clone + Default>(
    list: &Punctuated<T, P>,
    stays: &dyn Fn(&dyn ToTokens) -> bool,
) -> Punctuated<T, P> {
    list.iter().filter(|item| stays(item)).cloned().collect()
}

fn name_of(param: &syn::GenericParam) -> String {
    match param {
        syn::GenericParam::Type(param) => param.ident.to_string(),
        syn::GenericParam::Const(param) => param.ident.to_string(),
        syn::GenericParam::Lifetime(param) => param.lifetime.to_string(),
    }
}

/// Every name in `tokens`; of lifetimes with the tick.
fn names(tokens: TokenStream, found: &mut HashSet<String>) {
    let mut tick = false;
    for tree in tokens {
        match &tree {
            TokenTree::Group(group) => names(group.stream(), found),
            TokenTree::Ident(ident) if tick => drop(found.insert(format!("'{ident}"))),
            TokenTree::Ident(ident) => drop(found.insert(ident.to_string())),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
        tick = matches!(&tree, TokenTree::Punct(punct) if punct.as_char() == '\'');
    }
}

#[cfg(test)]
mod tests {
    use quote::quote;

    use super::*;

    /// The parameters and the where clause that are left with `types`.
    fn left(item: &str, types: &[&str]) -> String {
        let input: syn::DeriveInput = syn::parse_str(item).expect("a struct");
        let types: Vec<TokenStream> = types.iter().map(|ty| ty.parse().expect("a type")).collect();
        let generics = mentioned_in(&input.generics, &types);
        let clause = &generics.where_clause;
        quote!(#generics #clause).to_string()
    }

    #[test]
    fn what_no_type_mentions_is_gone() {
        let item = "struct S<'a, 'b: 'a, T: 'a + Clone, U: From<T> = f64, const N: usize> where T: Into<U>, U: Copy;";
        assert_eq!(left(item, &["f64"]), "");
        assert_eq!(left(item, &["[f64; N]"]), "< const N : usize >");
        assert_eq!(left(item, &["Vec<T>"]), "< T : Clone >");
        assert_eq!(
            left(item, &["U", "T"]),
            "< T : Clone , U : From < T > = f64 > where T : Into < U > , U : Copy"
        );
        assert_eq!(left(item, &["Vec<U>"]), "< U = f64 > where U : Copy");
        assert_eq!(left(item, &["Slice<'b, T>"]), "< 'b , T : Clone >");
    }

    #[test]
    fn parameters_are_bound_where_they_are_values() {
        let item = "struct S<T, U, V: Trait, W>(Vec<T>, PhantomData<U>, V::Out, Option<<W as Trait>::Out>);";
        let mut input: syn::DeriveInput = syn::parse_str(item).expect("a struct");
        let fields: Vec<syn::Type> = match &input.data {
            syn::Data::Struct(data) => data.fields.iter().map(|f| f.ty.clone()).collect(),
            syn::Data::Enum(_) | syn::Data::Union(_) => Vec::new(),
        };
        let used = Used::of(&input.generics, &fields);
        used.bound(&mut input.generics, &quote!(B));
        let (generics, clause) = (&input.generics, &input.generics.where_clause);
        assert_eq!(
            quote!(#generics #clause).to_string(),
            "< T : B , U , V : Trait , W > where V :: Out : B , < W as Trait > :: Out : B"
        );
    }
}
