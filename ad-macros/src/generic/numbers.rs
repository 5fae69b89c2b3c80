//! Constants and conversions that the traits of floats offer, as those of `f32` and `f64`.

use proc_macro2::Ident;

/// Whether a method of a conversion's `Option` takes what is in it.
pub(super) fn unwraps(method: &Ident) -> bool {
    ["unwrap", "expect", "unwrap_or_else"]
        .iter()
        .any(|name| method == name)
}

/// Whether this is a conversion of `num_traits::FromPrimitive`.
pub(super) fn is_conversion(name: &str) -> bool {
    CONVERSIONS.contains(&name)
}

/// What a function without arguments yields, of `num_traits` and of others who name them so.
pub(super) fn constant(name: &str, float: &Ident) -> Option<syn::Expr> {
    Some(match name {
        "zero" | "default" => syn::parse_quote!(0.0),
        "one" => syn::parse_quote!(1.0),
        "epsilon" | "default_epsilon" => syn::parse_quote!(#float::EPSILON),
        "infinity" => syn::parse_quote!(#float::INFINITY),
        "neg_infinity" => syn::parse_quote!(#float::NEG_INFINITY),
        "nan" => syn::parse_quote!(#float::NAN),
        "max_value" => syn::parse_quote!(#float::MAX),
        "min_value" => syn::parse_quote!(#float::MIN),
        "min_positive_value" => syn::parse_quote!(#float::MIN_POSITIVE),
        "neg_zero" => syn::parse_quote!(-0.0),
        "pi" => syn::parse_quote!(::core::#float::consts::PI),
        "two_pi" => syn::parse_quote!(::core::#float::consts::TAU),
        name if CONSTS.contains(&name) => {
            let name = Ident::new(name, float.span());
            syn::parse_quote!(::core::#float::consts::#name)
        }
        _ => return None,
    })
}

/// Whether [`constant`] knows the name.
pub(super) fn is_constant(name: &str) -> bool {
    constant(name, &Ident::new("f64", proc_macro2::Span::call_site())).is_some()
}

/// Of `num_traits::FloatConst`.
const CONSTS: [&str; 19] = [
    "E",
    "FRAC_1_PI",
    "FRAC_1_SQRT_2",
    "FRAC_2_PI",
    "FRAC_2_SQRT_PI",
    "FRAC_PI_2",
    "FRAC_PI_3",
    "FRAC_PI_4",
    "FRAC_PI_6",
    "FRAC_PI_8",
    "LN_10",
    "LN_2",
    "LOG10_E",
    "LOG2_E",
    "PI",
    "SQRT_2",
    "TAU",
    "LOG10_2",
    "LOG2_10",
];

/// Of `num_traits::FromPrimitive`.
const CONVERSIONS: [&str; 14] = [
    "from_f64",
    "from_f32",
    "from_usize",
    "from_isize",
    "from_u8",
    "from_u16",
    "from_u32",
    "from_u64",
    "from_u128",
    "from_i8",
    "from_i16",
    "from_i32",
    "from_i64",
    "from_i128",
];

/// The conversion as a cast. A literal has the type that it has without one.
pub(super) fn cast(e: &syn::Expr, float: &Ident) -> syn::Expr {
    let of_float = |lit: &syn::Lit| matches!(lit, syn::Lit::Float(l) if l.suffix().is_empty());
    if let syn::Expr::Lit(literal) = e
        && of_float(&literal.lit)
    {
        syn::parse_quote!(((#literal as f64) as #float))
    } else {
        syn::parse_quote!(((#e) as #float))
    }
}
