//! The std macros that are understood; every other macro could hide a jump.

use proc_macro2::{Ident, Span};
use quote::quote;
use syn::Token;
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;

use super::Lowerer;
use super::infer::Kind;
use super::known::{Known, check, known};
use super::opaque::Builder;
use super::value::{Value, Want};
use crate::diag::catalog;
use crate::ir::{Expr, ExprKind, OpaqueKind, StmtKind, Ty};

/// How a macro of the fixed list is used.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Family {
    /// A statement that checks and may panic.
    Assert,
    /// A statement that prints.
    Print,
    /// Never returns.
    Panic,
    /// A value fixed at compile time.
    Literal,
    Vec,
    Matches,
    /// A string.
    Format,
    /// Tells a logger.
    Log,
    /// Tells a subscriber of `tracing`.
    Event,
    /// Compares two numbers.
    Close,
    Dbg,
    Unknown,
}

/// The macro's plain name, if its path is that of a std macro.
fn std_name(path: &syn::Path) -> Option<&Ident> {
    let std = path.segments.len() == 1
        || (path.segments.len() == 2
            && path
                .segments
                .first()
                .is_some_and(|s| s.ident == "std" || s.ident == "core" || s.ident == "alloc"));
    if std {
        path.segments.last().map(|s| &s.ident)
    } else {
        None
    }
}

/// Whether a macro is one of those that are understood by their name.
pub(crate) fn is_listed(path: &syn::Path) -> bool {
    known(path).is_some() || family(path) != Family::Unknown
}

pub(super) fn family(path: &syn::Path) -> Family {
    match known(path) {
        Some((_, Known::Error)) => return Family::Format,
        Some((_, Known::Log)) => return Family::Log,
        Some((_, Known::Event)) => return Family::Event,
        Some((_, Known::Close)) => return Family::Close,
        Some((_, Known::AssertClose)) => return Family::Assert,
        // What hides a jump or a chain has been expanded.
        Some((_, Known::Bail | Known::Ensure | Known::Izip)) => return Family::Unknown,
        None => {}
    }
    let Some(name) = std_name(path) else {
        return Family::Unknown;
    };
    match name.to_string().as_str() {
        "assert" | "assert_eq" | "assert_ne" | "debug_assert" | "debug_assert_eq"
        | "debug_assert_ne" => Family::Assert,
        "println" | "print" | "eprintln" | "eprint" => Family::Print,
        "panic" | "unreachable" | "todo" | "unimplemented" => Family::Panic,
        "cfg" | "env" | "option_env" | "concat" | "stringify" | "line" | "column" | "file"
        | "module_path" | "include_str" => Family::Literal,
        "vec" => Family::Vec,
        "matches" => Family::Matches,
        "format" => Family::Format,
        "dbg" => Family::Dbg,
        _ => Family::Unknown,
    }
}

/// A use of the same macro that does nothing.
fn harmless(mac: &syn::Macro, family: Family) -> Option<syn::Macro> {
    let tokens = match family {
        // `core` has another one of this name, which is as good.
        Family::Panic if mac.path.is_ident("panic") => return None,
        Family::Assert if name_of(&mac.path).ends_with("_eq") => quote!((), ()),
        Family::Assert if name_of(&mac.path).ends_with("_ne") => quote!(true, false),
        Family::Assert => quote!(true),
        Family::Print | Family::Panic | Family::Format => quote!(""),
        Family::Literal => mac.tokens.clone(),
        Family::Vec => quote!(0),
        Family::Matches => quote!((), ()),
        Family::Log | Family::Event | Family::Close | Family::Dbg | Family::Unknown => {
            return None;
        }
    };
    Some(syn::Macro {
        tokens,
        ..mac.clone()
    })
}

pub(super) fn name_of(path: &syn::Path) -> String {
    path.segments
        .last()
        .map(|s| s.ident.to_string())
        .unwrap_or_default()
}

impl Lowerer<'_> {
    /// A macro of the list may be one of the user's by the same name: generated code checks that it is not.
    pub(super) fn note_std_macro(&mut self, mac: &syn::Macro) {
        if let Some((krate, of)) = known(&mac.path) {
            let checks = &mut self.func.known_macros;
            if !checks.iter().any(|check| check.path == mac.path) {
                checks.push(check(&mac.path, krate, of));
            }
            return;
        }
        let known = &self.func.std_macros;
        if mac.path.segments.len() == 1
            && !known.iter().any(|m| m.path == mac.path)
            && let Some(harmless) = harmless(mac, family(&mac.path))
        {
            self.func.std_macros.push(harmless);
        }
    }

    pub(super) fn macro_call(&mut self, mac: &syn::Macro, span: Span) -> Value {
        self.note_std_macro(mac);
        let name = name_of(&mac.path);
        match family(&mac.path) {
            Family::Vec => self.vec_macro(mac, span),
            Family::Matches => self.matches_macro(mac, span),
            Family::Literal => {
                let ty = match name.as_str() {
                    "cfg" => Ty::Bool,
                    "line" | "column" => Ty::U32,
                    _ => Ty::Str,
                };
                let code = syn::Expr::Macro(syn::ExprMacro {
                    attrs: Vec::new(),
                    mac: mac.clone(),
                });
                let opaque = crate::ir::Opaque {
                    code,
                    args: Vec::new(),
                    kind: OpaqueKind::Const,
                };
                Value::Expr(Expr::new(ExprKind::Opaque(Box::new(opaque)), ty, span))
            }
            Family::Close => {
                let mut mac = mac.clone();
                let mut builder = Builder::default();
                self.rename_macro(&mut builder, &mut mac, &mut Vec::new());
                let code = syn::parse_quote!(#mac);
                let kind = OpaqueKind::Other("a comparison");
                Value::Expr(builder.finish(self, code, kind, Ty::Bool, span))
            }
            Family::Assert | Family::Print | Family::Log | Family::Event | Family::Panic => {
                self.macro_statement(mac, &name, span)
            }
            Family::Format => {
                let mut mac = mac.clone();
                let mut builder = Builder::default();
                self.rename_macro(&mut builder, &mut mac, &mut Vec::new());
                let code = syn::Expr::Macro(syn::ExprMacro {
                    attrs: Vec::new(),
                    mac,
                });
                let ty = self.types.fresh(Kind::General);
                builder.value_of(self, code, OpaqueKind::Macro(name), ty, span, false)
            }
            Family::Dbg => self.refuse(&mac.path, catalog::dbg_macro()),
            Family::Unknown if self.lenient > 0 => {
                let code = syn::Expr::Macro(syn::ExprMacro {
                    attrs: Vec::new(),
                    mac: mac.clone(),
                });
                self.keep(&code, OpaqueKind::Macro(name))
            }
            Family::Unknown if name.ends_with("asm") => {
                self.refuse(&mac.path, catalog::inline_assembly())
            }
            Family::Unknown => self.refuse(&mac.path, catalog::unsupported_macro(&name)),
        }
    }

    /// `assert!`, `println!`, `panic!`: a statement kept as written.
    fn macro_statement(&mut self, mac: &syn::Macro, name: &str, span: Span) -> Value {
        let family = family(&mac.path);
        let tells = matches!(family, Family::Print | Family::Log | Family::Event);
        if tells && !self.regions.is_empty() {
            return self.refuse(&mac.path, catalog::checkpoint_effect(&format!("{name}!")));
        }
        if self.lenient == 0
            && family == Family::Assert
            && let Some(branch) = super::asserted::as_branch(mac)
        {
            return self.value(&branch, Want::Discard);
        }
        let mut mac = mac.clone();
        let mut builder = Builder {
            folds: family == Family::Assert,
            ..Builder::default()
        };
        self.rename_macro(&mut builder, &mut mac, &mut Vec::new());
        if family == Family::Panic {
            // Nothing is computed from what its message asks.
            builder.hidden.clear();
        }
        let code = syn::Expr::Macro(syn::ExprMacro {
            attrs: Vec::new(),
            mac,
        });
        let opaque = builder.build(self, code, OpaqueKind::Macro(name.to_owned()));
        self.emit(StmtKind::Opaque(Box::new(opaque)), span);
        if family == Family::Panic {
            self.diverge();
            return Value::Never;
        }
        Value::Unit
    }

    // `vec!`

    fn vec_macro(&mut self, mac: &syn::Macro, span: Span) -> Value {
        if let Ok((value, len)) = parse_repeat.parse2(mac.tokens.clone()) {
            let operands = self.sequence([&value, &len], |l, e| {
                let value = l.value(e, Want::Value);
                Value::Expr(l.stored(value, span))
            });
            let mut operands = operands
                .into_iter()
                .map(|v| self.stored_raw(v, span))
                .collect::<Vec<_>>();
            let (len, value) = (operands.pop(), operands.pop());
            let (Some(len), Some(value)) = (len, value) else {
                return Value::Error;
            };
            self.types.unify(&len.ty, &Ty::USIZE);
            let ty = Ty::Vec(Box::new(value.ty.clone()));
            return Value::Expr(Expr::new(
                ExprKind::VecRepeat(Box::new(value), Box::new(len)),
                ty,
                span,
            ));
        }
        match Punctuated::<syn::Expr, Token![,]>::parse_terminated.parse2(mac.tokens.clone()) {
            Ok(elements) => {
                let parts = self.elements(elements.iter());
                Value::Expr(self.array(parts, span, ExprKind::VecLit, |t, _| Ty::Vec(t)))
            }
            Err(_) => self.refuse(&mac.tokens, catalog::macro_arguments("vec")),
        }
    }

    /// `matches!(e, pat if guard)` is `match e { pat if guard => true, _ => false }`.
    fn matches_macro(&mut self, mac: &syn::Macro, span: Span) -> Value {
        match parse_matches.parse2(mac.tokens.clone()) {
            Ok((scrutinee, pat, guard)) => {
                Value::Expr(self.pattern_test(&scrutinee, &pat, guard.as_ref(), span))
            }
            Err(_) => self.refuse(&mac.tokens, catalog::macro_arguments("matches")),
        }
    }

    // Renaming inside kept macros.
}

pub(super) fn parse_repeat(input: ParseStream<'_>) -> syn::Result<(syn::Expr, syn::Expr)> {
    let value = input.parse()?;
    input.parse::<Token![;]>()?;
    Ok((value, input.parse()?))
}

pub(super) fn parse_matches(
    input: ParseStream<'_>,
) -> syn::Result<(syn::Expr, syn::Pat, Option<syn::Expr>)> {
    let scrutinee = input.parse()?;
    input.parse::<Token![,]>()?;
    let pat = syn::Pat::parse_multi_with_leading_vert(input)?;
    let guard = if input.peek(Token![if]) {
        input.parse::<Token![if]>()?;
        Some(input.parse()?)
    } else {
        None
    };
    input.parse::<Option<Token![,]>>()?;
    Ok((scrutinee, pat, guard))
}
