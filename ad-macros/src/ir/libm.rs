//! Functions of the crate `libm`, whose sweeps the runtime has.

use proc_macro2::Ident;

/// A number that a function takes or yields.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Number {
    Float,
    /// An `i32`.
    Integer,
}

/// What a function takes and yields.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Signature {
    pub(crate) takes: &'static [Number],
    /// More than one in a tuple.
    pub(crate) yields: &'static [Number],
    /// Whether its floats are `f32`.
    pub(crate) narrow: bool,
}

const ONE: &[Number] = &[Number::Float];
const TWO: &[Number] = &[Number::Float; 2];
const THREE: &[Number] = &[Number::Float; 3];
const AND_INTEGER: &[Number] = &[Number::Float, Number::Integer];

/// What it takes and yields, for `f64`. That for `f32` has an `f` behind its name.
const FUNCTIONS: [(&str, &[Number], &[Number]); 50] = [
    ("acos", ONE, ONE),
    ("acosh", ONE, ONE),
    ("asin", ONE, ONE),
    ("asinh", ONE, ONE),
    ("atan", ONE, ONE),
    ("atan2", TWO, ONE),
    ("atanh", ONE, ONE),
    ("cbrt", ONE, ONE),
    ("ceil", ONE, ONE),
    ("copysign", TWO, ONE),
    ("cos", ONE, ONE),
    ("cosh", ONE, ONE),
    ("erf", ONE, ONE),
    ("erfc", ONE, ONE),
    ("exp", ONE, ONE),
    ("exp10", ONE, ONE),
    ("exp2", ONE, ONE),
    ("expm1", ONE, ONE),
    ("fabs", ONE, ONE),
    ("fdim", TWO, ONE),
    ("floor", ONE, ONE),
    ("fma", THREE, ONE),
    ("fmax", TWO, ONE),
    ("fmin", TWO, ONE),
    ("fmod", TWO, ONE),
    ("frexp", ONE, AND_INTEGER),
    ("hypot", TWO, ONE),
    ("ldexp", AND_INTEGER, ONE),
    ("lgamma", ONE, ONE),
    ("lgamma_r", ONE, AND_INTEGER),
    ("log", ONE, ONE),
    ("log10", ONE, ONE),
    ("log1p", ONE, ONE),
    ("log2", ONE, ONE),
    ("modf", ONE, TWO),
    ("pow", TWO, ONE),
    ("remainder", TWO, ONE),
    ("remquo", TWO, AND_INTEGER),
    ("rint", ONE, ONE),
    ("round", ONE, ONE),
    ("roundeven", ONE, ONE),
    ("scalbn", AND_INTEGER, ONE),
    ("sin", ONE, ONE),
    ("sincos", ONE, TWO),
    ("sinh", ONE, ONE),
    ("sqrt", ONE, ONE),
    ("tan", ONE, ONE),
    ("tanh", ONE, ONE),
    ("tgamma", ONE, ONE),
    ("trunc", ONE, ONE),
];

/// What a function of this name takes and yields.
pub(crate) fn function_of_libm(name: &str) -> Option<Signature> {
    let known = |name: &str, narrow| {
        let (_, takes, yields) = FUNCTIONS.iter().find(|(known, ..)| *known == name)?;
        Some(Signature {
            takes,
            yields,
            narrow,
        })
    };
    known(name, false).or_else(|| match name {
        "lgammaf_r" => known("lgamma_r", true),
        _ => known(name.strip_suffix('f')?, true),
    })
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
