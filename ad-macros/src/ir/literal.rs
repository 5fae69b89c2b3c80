//! Numbers that the compiler writes itself, and the types of those that it moves.
//!
//! A literal takes its type from what stands around it, and elsewhere nothing may stand around it that says one: `n - 1` with `n` known to be 3
//! is no `usize` any more where it is cast, and `n.pow(2)` is an error. So every literal of the IR has its type in its node, and gets it as a suffix
//! wherever its surroundings do not repeat it. No other file makes numbers by hand; a test reads the sources.

use proc_macro2::{Literal, Span};
use syn::{Lit, LitFloat, LitInt};

use super::{Expr, ExprKind, Ty, UnOp};

impl Expr {
    /// An integer of a type; a negative one is the negative of a literal.
    pub(crate) fn integer(n: i128, ty: &Ty, span: Span) -> Expr {
        let lit = Lit::Int(LitInt::new(&n.unsigned_abs().to_string(), span));
        let magnitude = Expr::new(ExprKind::Lit(lit), ty.clone(), span);
        if n < 0 {
            Expr::new(
                ExprKind::Unary(UnOp::Neg, Box::new(magnitude)),
                ty.clone(),
                span,
            )
        } else {
            magnitude
        }
    }

    /// A length or an index; `None` if it is negative, or larger than lengths are anywhere.
    pub(crate) fn word(n: i128, span: Span) -> Option<Expr> {
        u64::try_from(n).ok()?;
        Some(Expr::integer(n, &Ty::USIZE, span))
    }

    /// A length or an index that is known to be one.
    pub(crate) fn usize_literal(n: usize, span: Span) -> Expr {
        let n = i128::try_from(n).unwrap_or(i128::MAX);
        Expr::integer(n, &Ty::USIZE, span)
    }

    /// A finite float that is not negative, of a type.
    pub(crate) fn float(value: f64, ty: &Ty, span: Span) -> Expr {
        let lit = Lit::Float(LitFloat::new(&format!("{value:?}"), span));
        Expr::new(ExprKind::Lit(lit), ty.clone(), span)
    }
}

/// The literal with its type, if that is known.
pub(crate) fn suffixed(lit: &Lit, ty: &Ty) -> Lit {
    let (text, suffix, span) = match lit {
        Lit::Int(number) => (number.to_string(), number.suffix(), number.span()),
        Lit::Float(number) => (number.to_string(), number.suffix(), number.span()),
        _ => return lit.clone(),
    };
    if !suffix.is_empty() {
        return lit.clone();
    }
    match (lit, ty) {
        (Lit::Int(_), Ty::Int(Some(ty))) => {
            Lit::Int(LitInt::new(&format!("{text}{}", ty.name()), span))
        }
        (Lit::Float(_), Ty::F32 | Ty::F64) => {
            let name = if *ty == Ty::F32 { "f32" } else { "f64" };
            // `1.f64` would be a field.
            let digit = if text.ends_with('.') { "0" } else { "" };
            Lit::Float(LitFloat::new(&format!("{text}{digit}{name}"), span))
        }
        _ => lit.clone(),
    }
}

/// The length of an array, in its type.
pub(crate) fn length(n: impl std::fmt::Display, span: Span) -> syn::Expr {
    let lit = LitInt::new(&n.to_string(), span);
    syn::parse_quote!(#lit)
}

/// A number where the grammar or a signature says that it is a `usize`: an argument of a generic, of a function, a length.
pub(crate) fn count(n: usize) -> Literal {
    Literal::usize_unsuffixed(n)
}

/// As [`count`], of a `u32`.
pub(crate) fn count32(n: u32) -> Literal {
    Literal::u32_unsuffixed(n)
}

/// The number of an arm: `match selector { 0 => …` where the type of the selector may be any integer.
pub(crate) fn arm(n: usize) -> Literal {
    Literal::usize_unsuffixed(n)
}

/// A number in code, of a type.
pub(crate) fn in_code(n: usize, ty: &str, span: Span) -> LitInt {
    LitInt::new(&format!("{n}{ty}"), span)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::ir::IntTy;

    fn text(lit: &str, ty: &Ty) -> String {
        let lit = syn::parse_str(lit).expect("a literal");
        quote::ToTokens::to_token_stream(&suffixed(&lit, ty)).to_string()
    }

    #[test]
    fn numbers_get_their_type_once() {
        let int = |name| Ty::Int(IntTy::from_name(name));
        assert_eq!(text("3", &int("usize")), "3usize");
        assert_eq!(text("1_000", &int("i32")), "1_000i32");
        assert_eq!(text("0xff", &int("u8")), "0xffu8");
        assert_eq!(text("0b11", &int("u128")), "0b11u128");
        assert_eq!(text("7u8", &int("u8")), "7u8");
        assert_eq!(text("3", &Ty::Int(None)), "3");
        assert_eq!(text("3", &Ty::Unknown), "3");
        assert_eq!(text("1.", &Ty::F64), "1.0f64");
        assert_eq!(text("1e3", &Ty::F32), "1e3f32");
        assert_eq!(text("2.5", &Ty::Float), "2.5");
        assert_eq!(text("2f32", &Ty::F32), "2f32");
    }

    /// Both ends of all integers are made of literals that rustc reads.
    #[test]
    fn negative_numbers_are_negatives_of_literals() {
        let ty = Ty::Int(Some(IntTy::I64));
        let least = Expr::integer(i64::MIN.into(), &ty, Span::call_site());
        let ExprKind::Unary(UnOp::Neg, magnitude) = least.kind else {
            unreachable!("negative");
        };
        assert_eq!(magnitude.int_literal(), Some(1 << 63));
        assert!(Expr::word(-1, Span::call_site()).is_none());
        assert!(Expr::word(1 << 64, Span::call_site()).is_none());
    }

    #[test]
    fn no_other_file_makes_numbers_by_hand() {
        let mut found = Vec::new();
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        look(&sources, &mut found);
        assert!(found.is_empty(), "use `ir::literal`:\n{}", found.join("\n"));
    }

    fn look(folder: &Path, found: &mut Vec<String>) {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("readable").path();
            if path.is_dir() {
                look(&path, found);
                continue;
            }
            if path.ends_with("ir/literal.rs") {
                continue;
            }
            let source = std::fs::read_to_string(&path).expect("text");
            let by_hand = |line: &&str| {
                ["LitInt::new", "LitFloat::new", "Literal::"]
                    .iter()
                    .any(|made| line.contains(made))
            };
            let lines = source.lines().filter(by_hand);
            found.extend(lines.map(|line| format!("{}: {}", path.display(), line.trim())));
        }
    }
}
