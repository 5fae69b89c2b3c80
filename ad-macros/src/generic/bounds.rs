//! What the bounds of a type parameter say of it.

use proc_macro2::Ident;

use super::operands::is_operand;
use super::{into, rewrite};
use crate::surroundings;

/// Traits whose bound says that a type parameter stands for a float or, at least, a number.
const NUMERIC: [&str; 28] = [
    "Float",
    "FloatConst",
    "FloatCore",
    "Real",
    "RealField",
    "ComplexField",
    "Num",
    "NumAssign",
    "NumOps",
    "NumAssignOps",
    "NumCast",
    "NumRef",
    "Signed",
    "Zero",
    "One",
    "FromPrimitive",
    "ToPrimitive",
    "AsPrimitive",
    "Add",
    "Sub",
    "Mul",
    "Div",
    "Neg",
    "Rem",
    "AddAssign",
    "SubAssign",
    "MulAssign",
    "DivAssign",
];

/// Those of them that numbers alone have.
const FOR_NUMBERS_ALONE: [&str; 13] = [
    "Float",
    "FloatConst",
    "FloatCore",
    "Real",
    "RealField",
    "Num",
    "NumAssign",
    "NumAssignOps",
    "NumOps",
    "NumCast",
    "NumRef",
    "FromPrimitive",
    "ToPrimitive",
];

/// How the names of traits begin that people write for floats: `FloatExt`, `RealFieldCopy`.
const BEGINNINGS: [&str; 2] = ["Float", "RealField"];

/// How others end: `Scalar`, `GeoFloat`, `RealNumber`.
const ENDINGS: [&str; 4] = ["Float", "Real", "Scalar", "Number"];

/// Traits of std and of ours, whose methods have no derivatives.
const OF_STD: [&str; 31] = [
    "Fn",
    "FnMut",
    "FnOnce",
    "Iterator",
    "IntoIterator",
    "DoubleEndedIterator",
    "ExactSizeIterator",
    "Into",
    "From",
    "AsRef",
    "AsMut",
    "Borrow",
    "Deref",
    "DerefMut",
    "Index",
    "IndexMut",
    "Clone",
    "Copy",
    "Debug",
    "Display",
    "Default",
    "PartialEq",
    "PartialOrd",
    "Send",
    "Sync",
    "Sum",
    "Differentiable",
    "FixedShape",
    "Flat",
    "Record",
    "Tangent",
];

/// A type parameter that stands for a float.
#[derive(Clone, Copy)]
pub(crate) struct FloatParam<'a> {
    pub(super) ident: &'a Ident,
    pub(super) of: &'a syn::Generics,
}

impl<'a> FloatParam<'a> {
    /// The traits that it is bound by.
    pub(super) fn bounds(self) -> Vec<&'a syn::Path> {
        let mut parameters = self.of.type_params();
        let parameter = parameters.find(|t| t.ident == *self.ident);
        parameter.map_or_else(Vec::new, |t| bounds_of(self.of, t).collect())
    }
}

/// The parameters that stand for floats: bound by a trait of numbers, or by another one if the `result` names them.
pub(crate) fn floats<'a>(
    generics: &'a syn::Generics,
    result: &syn::ReturnType,
) -> Vec<FloatParam<'a>> {
    let returned = |name: &Ident| match result {
        syn::ReturnType::Type(_, ty) => rewrite::names(ty, name),
        syn::ReturnType::Default => false,
    };
    let number = |t: &&syn::TypeParam| {
        let numeric = bounds_of(generics, t).any(is_numeric)
            || (generics.type_params().count() == 1
                && returned(&t.ident)
                && bounds_of(generics, t).next().is_some());
        numeric && !bounds_of(generics, t).any(is_of_integers) && !is_operand(generics, t)
    };
    let numbers: Vec<&syn::TypeParam> = generics.type_params().filter(number).collect();
    // `T: Mul<U, Output = V>` says of `U` that it is a number where it says so of `T`.
    let operand = |t: &&syn::TypeParam| {
        let plain = |path: &syn::Path| path.segments.last().is_some_and(|s| is_comparing(&s.ident));
        let names = |path: &syn::Path| operand_of(path).is_some_and(|ident| *ident == t.ident);
        bounds_of(generics, t).all(plain)
            && numbers.iter().any(|of| bounds_of(generics, of).any(names))
    };
    let taken = |t: &&syn::TypeParam| numbers.iter().any(|of| of.ident == t.ident) || operand(t);
    let numbers: Vec<&syn::TypeParam> = generics.type_params().filter(taken).collect();
    // Several that are converted need not be of one type.
    let alone = numbers.len() == 1;
    let converted = |t: &&syn::TypeParam| {
        into::target(generics, t).is_some() && (!alone || crate::ir::is_of_impl(&t.ident))
    };
    let parameters = numbers.into_iter().filter(|t| !converted(t));
    let of = |t: &'a syn::TypeParam| FloatParam {
        ident: &t.ident,
        of: generics,
    };
    parameters.map(of).collect()
}

pub(super) fn is_numeric(path: &syn::Path) -> bool {
    path.segments.last().is_some_and(|last| {
        if last.ident == "Into" {
            return is_of_float(&last.arguments);
        }
        let name = last.ident.to_string();
        is_number(path)
            || BEGINNINGS.iter().any(|begin| name.starts_with(begin))
            || ENDINGS.iter().any(|ending| name.ends_with(ending))
            || asks_for_numbers(&last.ident)
    })
}

/// Traits of traits: as deep as one looks.
const DEPTH: usize = 3;

/// Whether the trait of this name is one of the package's for numbers alone: `trait BaseNum: Copy + Num`. What types of
/// all kinds have, such as operators, does not say so.
pub(super) fn asks_for_numbers(name: &Ident) -> bool {
    asks_within(name, DEPTH)
}

fn asks_within(name: &Ident, depth: usize) -> bool {
    if depth == 0 || is_of_std(name) {
        return false;
    }
    let says_so = |of: &Ident| {
        FOR_NUMBERS_ALONE.iter().any(|known| of == known) || asks_within(of, depth - 1)
    };
    let declared = surroundings::supertraits(name);
    !declared.is_empty() && declared.iter().all(|asked| asked.iter().any(says_so))
}

/// Traits of numbers that no float has.
fn is_of_integers(path: &syn::Path) -> bool {
    let mut known = ["Integer", "PrimInt", "Unsigned"].iter();
    path.segments
        .last()
        .is_some_and(|last| known.any(|name| last.ident == name))
}

fn is_comparing(name: &Ident) -> bool {
    COMPARING.iter().any(|known| name == known)
}

/// `U` of `Mul<U, Output = V>`.
fn operand_of(path: &syn::Path) -> Option<&Ident> {
    let last = path.segments.last()?;
    let operator = ["Add", "Sub", "Mul", "Div", "Rem"]
        .iter()
        .any(|name| last.ident == name);
    let syn::PathArguments::AngleBracketed(arguments) = &last.arguments else {
        return None;
    };
    match arguments.args.first() {
        Some(syn::GenericArgument::Type(syn::Type::Path(ty))) if operator && ty.qself.is_none() => {
            ty.path.get_ident()
        }
        _ => None,
    }
}

/// Whether a trait of numbers says that the parameter stands for a float.
pub(super) fn is_bound_by_numbers(generics: &syn::Generics, parameter: &syn::TypeParam) -> bool {
    bounds_of(generics, parameter).any(is_numeric)
}

/// Whether the trait is one of those for numbers by a name that is known.
pub(super) fn is_number(path: &syn::Path) -> bool {
    path.segments
        .last()
        .is_some_and(|last| NUMERIC.iter().any(|name| last.ident == name))
}

/// `X` of `Into<X>`, but of what becomes a vector, which the sweeps take as one.
pub(crate) fn into_target(path: &syn::Path) -> Option<&syn::Type> {
    let is_vec = |ty: &syn::Type| {
        let syn::Type::Path(of) = ty else {
            return false;
        };
        of.path
            .segments
            .last()
            .is_some_and(|last| last.ident == "Vec")
    };
    into(path).filter(|ty| !is_vec(ty))
}

/// `X` of `Into<X>`.
fn into(path: &syn::Path) -> Option<&syn::Type> {
    let last = path.segments.last().filter(|last| last.ident == "Into")?;
    let syn::PathArguments::AngleBracketed(arguments) = &last.arguments else {
        return None;
    };
    match arguments.args.first()? {
        syn::GenericArgument::Type(ty) => Some(ty),
        _ => None,
    }
}

/// `<f64>`
pub(super) fn is_of_float(arguments: &syn::PathArguments) -> bool {
    let syn::PathArguments::AngleBracketed(arguments) = arguments else {
        return false;
    };
    arguments.args.iter().all(|argument| match argument {
        syn::GenericArgument::Type(syn::Type::Path(p)) => {
            p.path.is_ident("f64") || p.path.is_ident("f32")
        }
        _ => false,
    })
}

/// Traits that take nothing out of a value but what is compared or shown, and copies of it.
pub(super) const COMPARING: [&str; 17] = [
    "Clone",
    "Copy",
    "Debug",
    "Default",
    "Differentiable",
    "Display",
    "Duplicate",
    "Eq",
    "FixedShape",
    "Hash",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "Record",
    "Send",
    "Sized",
    "Sync",
];

/// Whether a function can have a type parameter that stands for no float. What its traits do, rustc finds for those
/// with methods; of others, values are moved, copied and compared. Or none of them carries a derivative.
pub(crate) fn is_supported(sig: &syn::Signature, parameter: &syn::TypeParam) -> bool {
    let name = &parameter.ident;
    let of_value = |input: &syn::FnArg| match input {
        syn::FnArg::Receiver(_) => false,
        syn::FnArg::Typed(t) => {
            let constant = t.attrs.iter().any(|a| a.path().is_ident("constant"));
            !constant && rewrite::names(&t.ty, name)
        }
    };
    let returned = match &sig.output {
        syn::ReturnType::Type(_, ty) => rewrite::names(ty, name),
        syn::ReturnType::Default => false,
    };
    let compares = |path: &syn::Path| {
        let last = path.segments.last();
        last.is_some_and(|last| COMPARING.iter().any(|known| last.ident == known))
    };
    has_methods(&sig.generics, parameter)
        || is_operand(&sig.generics, parameter)
        || into::target(&sig.generics, parameter).is_some()
        || !(returned || sig.inputs.iter().any(of_value))
        || bounds_of(&sig.generics, parameter).all(compares)
}

/// Whether a type parameter is bound by a trait that may have methods with derivatives: by another one than those of
/// std and of numbers.
pub(super) fn has_methods(generics: &syn::Generics, parameter: &syn::TypeParam) -> bool {
    own_bounds(generics, parameter).next().is_some()
}

/// The names of such traits.
pub(super) fn own_bounds<'a>(
    generics: &'a syn::Generics,
    parameter: &'a syn::TypeParam,
) -> impl Iterator<Item = &'a Ident> {
    let names = bounds_of(generics, parameter).filter_map(|path| path.segments.last());
    names
        .map(|last| &last.ident)
        .filter(|name| !is_of_std(name))
}

/// The trait of std, or of numbers, that is first in a list of bounds.
pub(crate) fn of_std<'b>(
    bounds: impl IntoIterator<Item = &'b syn::TypeParamBound>,
) -> Option<&'b Ident> {
    let mut bounds = bounds.into_iter();
    let last = bounds.find_map(|bound| {
        if let syn::TypeParamBound::Trait(bound) = bound {
            bound.path.segments.last()
        } else {
            None
        }
    })?;
    is_of_std(&last.ident).then_some(&last.ident)
}

/// Whether a trait of this name is one of std, or of numbers.
pub(crate) fn is_of_std(name: &Ident) -> bool {
    let mut known = OF_STD.iter().chain(&NUMERIC);
    known.any(|known| name == known)
}

/// The traits that a type parameter is bound by, in the list and in the `where` clause.
pub(crate) fn bounds_of<'a>(
    generics: &'a syn::Generics,
    parameter: &'a syn::TypeParam,
) -> impl Iterator<Item = &'a syn::Path> {
    let clauses = generics.where_clause.iter().flat_map(|w| &w.predicates);
    let in_clauses = clauses.filter_map(|predicate| {
        if let syn::WherePredicate::Type(bound) = predicate {
            if let syn::Type::Path(ty) = &bound.bounded_ty
                && ty.path.is_ident(&parameter.ident)
            {
                Some(&bound.bounds)
            } else {
                None
            }
        } else {
            None
        }
    });
    let bounds = std::iter::once(&parameter.bounds).chain(in_clauses);
    bounds.flatten().filter_map(|bound| {
        if let syn::TypeParamBound::Trait(bound) = bound
            && matches!(bound.modifier, syn::TraitBoundModifier::None)
        {
            Some(&bound.path)
        } else {
            None
        }
    })
}
