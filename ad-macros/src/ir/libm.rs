//! Functions of the crate `libm`, whose sweeps the runtime has.

use proc_macro2::Ident;

/// For `f64`. That for `f32` has an `f` behind its name.
const FUNCTIONS: [(&str, usize); 39] = [
    ("acos", 1),
    ("acosh", 1),
    ("asin", 1),
    ("asinh", 1),
    ("atan", 1),
    ("atan2", 2),
    ("atanh", 1),
    ("cbrt", 1),
    ("ceil", 1),
    ("copysign", 2),
    ("cos", 1),
    ("cosh", 1),
    ("erf", 1),
    ("erfc", 1),
    ("exp", 1),
    ("exp10", 1),
    ("exp2", 1),
    ("expm1", 1),
    ("fabs", 1),
    ("floor", 1),
    ("fma", 3),
    ("fmax", 2),
    ("fmin", 2),
    ("fmod", 2),
    ("hypot", 2),
    ("log", 1),
    ("log10", 1),
    ("log1p", 1),
    ("log2", 1),
    ("pow", 2),
    ("rint", 1),
    ("round", 1),
    ("roundeven", 1),
    ("sin", 1),
    ("sinh", 1),
    ("sqrt", 1),
    ("tan", 1),
    ("tanh", 1),
    ("trunc", 1),
];

/// How many floats a function of this name takes, and whether they are `f32`.
pub(crate) fn function_of_libm(name: &str) -> Option<(usize, bool)> {
    let known = |name: &str| FUNCTIONS.iter().find(|(known, _)| *known == name);
    if let Some((_, arity)) = known(name) {
        return Some((*arity, false));
    }
    let (_, arity) = known(name.strip_suffix('f')?)?;
    Some((*arity, true))
}

/// The name of the function of `libm` that this path is, `::libm::f`: no type can stand there, so its sweeps are the
/// runtime's. Without the colons in front it may be a module.
pub(crate) fn path_of_libm(path: &syn::ExprPath) -> Option<&Ident> {
    let mut segments = path.path.segments.iter();
    let (krate, name) = (segments.next()?, segments.next()?);
    let whole =
        segments.next().is_none() && path.qself.is_none() && path.path.leading_colon.is_some();
    let plain = krate.arguments.is_none() && name.arguments.is_none();
    let known = krate.ident == "libm" && function_of_libm(&name.ident.to_string()).is_some();
    (whole && plain && known).then_some(&name.ident)
}
