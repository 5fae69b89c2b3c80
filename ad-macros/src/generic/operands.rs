//! Type parameters whose values are added and scaled: `V: Copy + Add<Output = V> + Mul<f64, Output = V>`.
//!
//! Such a parameter stands for a vector as well as for a number. What its operators do, the sweeps ask of the rules of
//! the type that it turns out to be, by bounds that they have beside those of the user.

use proc_macro2::Ident;
use quote::quote;

use super::bounds::{COMPARING, bounds_of};

/// The operators that may be bounds.
const OPERATORS: [&str; 5] = ["Add", "Sub", "Mul", "Div", "Rem"];

/// Those that assign.
const ASSIGNING: [&str; 5] = [
    "AddAssign",
    "SubAssign",
    "MulAssign",
    "DivAssign",
    "RemAssign",
];

/// An operator that a parameter is bound by.
struct Operator<'a> {
    name: &'a Ident,
    /// The right operand, where it is written.
    right: Option<&'a syn::Type>,
    output: Option<&'a syn::Type>,
}

impl<'a> Operator<'a> {
    fn of(path: &'a syn::Path) -> Option<Self> {
        let last = path.segments.last()?;
        let known = || OPERATORS.iter().chain(&ASSIGNING).chain(&["Neg"]);
        if !known().any(|known| last.ident == known) {
            return None;
        }
        let mut operator = Operator {
            name: &last.ident,
            right: None,
            output: None,
        };
        if let syn::PathArguments::AngleBracketed(arguments) = &last.arguments {
            for argument in &arguments.args {
                match argument {
                    syn::GenericArgument::Type(ty) => operator.right = Some(ty),
                    syn::GenericArgument::AssocType(of) if of.ident == "Output" => {
                        operator.output = Some(&of.ty);
                    }
                    _ => {}
                }
            }
        }
        Some(operator)
    }

    fn assigns(&self) -> bool {
        ASSIGNING.iter().any(|known| self.name == known)
    }

    /// Whether it takes the parameter to itself by a value of another type.
    fn scales(&self, parameter: &Ident) -> bool {
        let other = self
            .right
            .is_some_and(|right| !is_parameter(right, parameter));
        let same = self
            .output
            .is_some_and(|output| is_parameter(output, parameter));
        other && (same || self.assigns())
    }
}

fn is_parameter(ty: &syn::Type, parameter: &Ident) -> bool {
    matches!(ty, syn::Type::Path(path) if path.path.is_ident(parameter))
}

/// Whether a type parameter is bound by nothing but operators and comparisons, and one of the operators says that it
/// need not be a number.
pub(super) fn is_operand(generics: &syn::Generics, parameter: &syn::TypeParam) -> bool {
    let mut scaled = false;
    for path in bounds_of(generics, parameter) {
        let last = path.segments.last().map(|last| last.ident.to_string());
        match Operator::of(path) {
            Some(operator) => scaled |= operator.scales(&parameter.ident),
            None if is_asked(path)
                || last.is_some_and(|last| COMPARING.contains(&last.as_str())) => {}
            None => return false,
        }
    }
    scaled
}

/// Whether the trait is an operator by its name.
pub(super) fn is_operator(path: &syn::Path) -> bool {
    Operator::of(path).is_some()
}

/// Whether it is a bound that stands here already.
fn is_asked(path: &syn::Path) -> bool {
    path.segments.iter().any(|segment| segment.ident == "__rt")
}

/// Whether there is such a parameter.
pub(super) fn has_operands(generics: &syn::Generics) -> bool {
    generics.type_params().any(|t| is_operand(generics, t))
}

/// The block, with what its sweeps ask of such parameters, and of those whose values are held.
pub(crate) fn with_operands(block: &syn::ItemImpl, krate: &syn::Path) -> syn::ItemImpl {
    let mut block = block.clone();
    ask(&mut block.generics, krate);
    super::held::ask(&mut block, krate);
    block
}

/// Adds what sweeps ask of such parameters: the rules of the operators that they are bound by.
pub(super) fn ask(generics: &mut syn::Generics, krate: &syn::Path) {
    let rt = quote!(#krate::__rt);
    let tangent = |ty: &dyn quote::ToTokens| quote!(<#ty as #rt::Differentiable>::Tangent);
    let mut asked: Vec<syn::WherePredicate> = Vec::new();
    for parameter in generics.type_params().filter(|t| is_operand(generics, t)) {
        let name = &parameter.ident;
        let own = tangent(name);
        asked.push(syn::parse_quote!(#name: #rt::Differentiable + #rt::Record));
        for operator in bounds_of(generics, parameter).filter_map(Operator::of) {
            let op = operator.name;
            let output = operator
                .output
                .map_or_else(|| own.clone(), |ty| tangent(ty));
            if op == "Neg" {
                asked.push(syn::parse_quote! {
                    #name: #rt::operators::UnaryOperator<
                        #rt::operators::#op, Operand = #own, Seed = #output
                    >
                });
                continue;
            }
            let right = operator
                .right
                .map_or_else(|| quote!(#name), |ty| quote!(#ty));
            let of_right = tangent(&right);
            let seed = if operator.assigns() { &own } else { &output };
            asked.push(syn::parse_quote! {
                #name: #rt::operators::Operator<
                    #rt::operators::#op, #right, Left = #own, Right = #of_right, Seed = #seed
                >
            });
        }
    }
    if !asked.is_empty() {
        generics.make_where_clause().predicates.extend(asked);
    }
}
