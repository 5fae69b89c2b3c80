//! Numbers that the compiler writes itself, and the types of those that it moves.
//!
//! A literal takes its type from what stands around it, and elsewhere nothing may stand around it that says one: `n -
//! 1` with `n` known to be 3 is no `usize` any more where it is cast, and `n.pow(2)` is an error. So every literal of
//! the IR has its type in its node, and gets it as a suffix wherever its surroundings do not repeat it. No other file
//! makes numbers by hand; a test reads the sources.

use proc_macro2::{Ident, Literal, Span, TokenTree};
use quote::ToTokens;
use syn::LitInt;

use super::{Expr, ExprKind, Len, Ty, UnOp};

/// A literal, with its spelling.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Lit {
    kind: LitKind,
    /// As written, or as the compiler writes it.
    text: Box<str>,
    /// Where in `text` the type begins; its end if there is none.
    suffix: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum LitKind {
    Bool,
    /// Digits alone, also where the suffix is that of a float: `2f32`.
    Int,
    Float,
    /// A character, a byte, a string.
    Text,
}

impl Lit {
    fn new(kind: LitKind, text: String) -> Self {
        let suffix = text.len();
        Lit {
            kind,
            text: text.into(),
            suffix,
        }
    }

    pub(crate) fn bool(value: bool) -> Self {
        Lit::new(LitKind::Bool, value.to_string())
    }

    pub(crate) fn char(value: char) -> Self {
        Lit::new(LitKind::Text, format!("{value:?}"))
    }

    /// The spelling.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn is_int(&self) -> bool {
        self.kind == LitKind::Int
    }

    /// Whether its type depends on what stands around it.
    pub(crate) fn is_number(&self) -> bool {
        matches!(self.kind, LitKind::Int | LitKind::Float)
    }

    /// The value of digits without a point or an exponent.
    pub(crate) fn int(&self) -> Option<i128> {
        if self.kind != LitKind::Int {
            return None;
        }
        let digits = self.digits();
        let radix = |prefix, radix| {
            let digits = digits.strip_prefix(prefix)?;
            Some(i128::from_str_radix(digits, radix).ok())
        };
        radix("0x", 16)
            .or_else(|| radix("0o", 8))
            .or_else(|| radix("0b", 2))
            .unwrap_or_else(|| digits.parse().ok())
    }

    /// The value of a float, to the nearest `f64`.
    pub(crate) fn float(&self) -> Option<f64> {
        let digits = (self.kind == LitKind::Float).then(|| self.digits())?;
        digits.parse().ok()
    }

    fn digits(&self) -> String {
        self.text[..self.suffix].replace('_', "")
    }

    pub(crate) fn token(&self, span: Span) -> TokenTree {
        if self.kind == LitKind::Bool {
            return Ident::new(&self.text, span).into();
        }
        let literal = self.text.parse::<Literal>();
        let mut literal = literal.expect("the spelling of a literal");
        literal.set_span(span);
        literal.into()
    }
}

impl From<&syn::Lit> for Lit {
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "the user's syntax has more forms than are asked for"
    )]
    fn from(lit: &syn::Lit) -> Self {
        let (kind, suffix) = match lit {
            syn::Lit::Int(lit) => (LitKind::Int, lit.suffix()),
            syn::Lit::Float(lit) => (LitKind::Float, lit.suffix()),
            syn::Lit::Bool(_) => (LitKind::Bool, ""),
            _ => (LitKind::Text, ""),
        };
        let text = lit.to_token_stream().to_string();
        Lit {
            kind,
            suffix: text.len() - suffix.len(),
            text: text.into(),
        }
    }
}

impl Expr {
    /// An integer of a type; a negative one is the negative of a literal.
    pub(crate) fn integer(n: i128, ty: &Ty, span: Span) -> Expr {
        let lit = Lit::new(LitKind::Int, n.unsigned_abs().to_string());
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
        let lit = Lit::new(LitKind::Float, format!("{value:?}"));
        Expr::new(ExprKind::Lit(lit), ty.clone(), span)
    }
}

/// The literal with its type, if that is known.
pub(crate) fn suffixed(lit: &Lit, ty: &Ty) -> Lit {
    let name = match (lit.kind, ty) {
        (LitKind::Int, Ty::Int(Some(ty))) => ty.name(),
        (LitKind::Float, Ty::F32) => "f32",
        (LitKind::Float, Ty::F64) => "f64",
        _ => return lit.clone(),
    };
    if lit.suffix < lit.text.len() {
        return lit.clone();
    }
    // `1.f64` would be a field.
    let digit = if lit.text.ends_with('.') { "0" } else { "" };
    Lit {
        kind: lit.kind,
        text: format!("{}{digit}{name}", lit.text).into(),
        suffix: lit.suffix + digit.len(),
    }
}

/// A number as the length of an array.
pub(crate) fn length(n: impl std::fmt::Display, span: Span) -> Box<Len> {
    Box::new(Len::Number(Lit::new(LitKind::Int, n.to_string()), span))
}

/// A number where the grammar or a signature says that it is a `usize`: an argument of a generic, of a function, a
/// length.
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
        let lit: syn::Lit = syn::parse_str(lit).expect("a literal");
        let suffixed = suffixed(&Lit::from(&lit), ty);
        assert_eq!(
            suffixed.token(Span::call_site()).to_string(),
            suffixed.text()
        );
        suffixed.text().to_owned()
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

    #[test]
    fn spellings_have_the_values_that_rust_gives_them() {
        let lit = |text| Lit::from(&syn::parse_str::<syn::Lit>(text).expect("a literal"));
        let int = |text| lit(text).int();
        assert_eq!(int("1_000usize"), Some(1000));
        assert_eq!(int("0xff_u8"), Some(255));
        assert_eq!(int("0x1f32"), Some(0x1f32));
        assert_eq!(int("0o17i64"), Some(15));
        assert_eq!(int("0b1_01"), Some(5));
        assert_eq!(int("007"), Some(7));
        assert_eq!(int("340282366920938463463374607431768211455"), None);
        assert_eq!(int("2f32"), Some(2));
        let float = |text| lit(text).float();
        assert_eq!(float("2.0f32"), Some(2.0));
        assert_eq!(float("1_0.5e-1_f64"), Some(1.05));
        assert_eq!(float("1."), Some(1.0));
        assert_eq!(float("1E3"), Some(1000.0));
        assert_eq!(float("3"), None);
        let kept = [
            "'\\u{41}'",
            "b'\\n'",
            "\"a\\tb\"",
            "r#\"a\"b\"#",
            "true",
            "'\\''",
            "' '",
        ];
        for text in kept {
            let tokens = lit(text).token(Span::call_site());
            assert_eq!(tokens.to_string(), text);
            assert!(!lit(text).is_number());
        }
        assert_eq!(Lit::char(' ').text(), "' '");
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
