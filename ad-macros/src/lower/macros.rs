//! The std macros that are understood; every other macro could hide a jump.

use std::collections::HashSet;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::Token;
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;

use super::Lowerer;
use super::format::captures;
use super::infer::Kind;
use super::opaque::{Builder, bind_under, is_bound, rename_under};
use super::scope::plain_ident;
use super::value::Value;
use crate::diag::catalog;
use crate::ir::{Expr, ExprKind, OpaqueKind, StmtKind, Ty};

/// How a macro of the fixed list is used.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Family {
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

fn family(path: &syn::Path) -> Family {
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

fn name_of(path: &syn::Path) -> String {
    path.segments
        .last()
        .map(|s| s.ident.to_string())
        .unwrap_or_default()
}

impl Lowerer<'_> {
    pub(super) fn macro_call(&mut self, mac: &syn::Macro, span: Span) -> Value {
        let name = name_of(&mac.path);
        match family(&mac.path) {
            Family::Vec => self.vec_macro(mac, span),
            Family::Matches => self.matches_macro(mac, span),
            Family::Literal => {
                let ty = match name.as_str() {
                    "cfg" => Ty::Bool,
                    "line" | "column" => Ty::Int(Some("u32")),
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
            Family::Assert | Family::Print | Family::Panic => {
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
        if family == Family::Print && !self.regions.is_empty() {
            return self.refuse(&mac.path, catalog::checkpoint_effect(&format!("{name}!")));
        }
        let mut mac = mac.clone();
        let mut builder = Builder::default();
        self.rename_macro(&mut builder, &mut mac, &mut Vec::new());
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
                let value = l.value(e, super::value::Want::Value);
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
            self.types.unify(&len.ty, &Ty::Int(Some("usize")));
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

    pub(super) fn rename_macro(
        &mut self,
        builder: &mut Builder,
        mac: &mut syn::Macro,
        scopes: &mut Vec<HashSet<String>>,
    ) {
        let name = name_of(&mac.path);
        match family(&mac.path) {
            Family::Literal => {}
            Family::Vec => self.rename_vec(builder, mac, scopes),
            Family::Matches => self.rename_matches(builder, mac, scopes),
            Family::Dbg => self.diags.over(&mac.path, catalog::dbg_macro()),
            Family::Assert | Family::Print | Family::Panic | Family::Format => {
                self.rename_format(builder, mac, &name, scopes)
            }
            Family::Unknown if self.lenient > 0 && !name.ends_with("asm") => {
                self.rename_unknown(builder, mac, scopes)
            }
            Family::Unknown if name.ends_with("asm") => {
                self.diags.over(&mac.path, catalog::inline_assembly())
            }
            Family::Unknown => self
                .diags
                .over(&mac.path, catalog::unsupported_macro(&name)),
        }
    }

    fn rename_vec(
        &mut self,
        builder: &mut Builder,
        mac: &mut syn::Macro,
        scopes: &mut Vec<HashSet<String>>,
    ) {
        if let Ok((mut value, mut len)) = parse_repeat.parse2(mac.tokens.clone()) {
            rename_under(self, builder, scopes, &mut value);
            rename_under(self, builder, scopes, &mut len);
            mac.tokens = quote!(#value; #len);
        } else {
            self.rename_list(builder, mac, scopes);
        }
    }

    fn rename_list(
        &mut self,
        builder: &mut Builder,
        mac: &mut syn::Macro,
        scopes: &mut Vec<HashSet<String>>,
    ) {
        match Punctuated::<syn::Expr, Token![,]>::parse_terminated.parse2(mac.tokens.clone()) {
            Ok(mut exprs) => {
                exprs
                    .iter_mut()
                    .for_each(|e| rename_under(self, builder, scopes, e));
                mac.tokens = exprs.to_token_stream();
            }
            Err(_) => self
                .diags
                .over(&mac.path, catalog::macro_arguments(&name_of(&mac.path))),
        }
    }

    fn rename_matches(
        &mut self,
        builder: &mut Builder,
        mac: &mut syn::Macro,
        scopes: &mut Vec<HashSet<String>>,
    ) {
        let Ok((mut scrutinee, pat, guard)) = parse_matches.parse2(mac.tokens.clone()) else {
            self.diags
                .over(&mac.path, catalog::macro_arguments("matches"));
            return;
        };
        rename_under(self, builder, scopes, &mut scrutinee);
        let guard = guard.map(|mut guard| {
            bind_under(builder, scopes, &pat);
            rename_under(self, builder, scopes, &mut guard);
            scopes.pop();
            quote!(if #guard)
        });
        mac.tokens = quote!(#scrutinee, #pat #guard);
    }

    /// Macros with a format string: arguments are renamed, and names captured in the string become arguments.
    fn rename_format(
        &mut self,
        builder: &mut Builder,
        mac: &mut syn::Macro,
        name: &str,
        scopes: &mut Vec<HashSet<String>>,
    ) {
        let Ok(mut args) = parse_format_args.parse2(mac.tokens.clone()) else {
            self.diags.over(&mac.path, catalog::macro_arguments(name));
            return;
        };
        let leading = match name {
            "assert" | "debug_assert" => 1,
            "assert_eq" | "assert_ne" | "debug_assert_eq" | "debug_assert_ne" => 2,
            _ => 0,
        };
        let format = args.iter().skip(leading).find_map(|arg| match arg {
            FormatArg {
                name: None,
                value:
                    syn::Expr::Lit(syn::ExprLit {
                        lit: syn::Lit::Str(s),
                        ..
                    }),
            } => Some(s.clone()),
            _ => None,
        });
        let given: HashSet<String> = args
            .iter()
            .filter_map(|arg| arg.name.as_ref().map(Ident::to_string))
            .collect();
        for arg in &mut args {
            rename_under(self, builder, scopes, &mut arg.value);
        }
        for capture in format.iter().flat_map(|s| captures(&s.value())) {
            let Ok(ident) = syn::parse_str::<Ident>(&capture) else {
                continue;
            };
            let ident = Ident::new(
                &ident.to_string(),
                format.as_ref().map_or(Span::call_site(), syn::LitStr::span),
            );
            if given.contains(&capture) || is_bound(scopes, &ident) || self.lookup(&ident).is_none()
            {
                continue;
            }
            if args
                .iter()
                .any(|arg| arg.name.as_ref().is_some_and(|n| *n == capture))
            {
                continue;
            }
            let mut value = syn::parse_quote!(#ident);
            rename_under(self, builder, scopes, &mut value);
            args.push(FormatArg {
                name: Some(ident),
                value,
            });
        }
        mac.tokens = print_format_args(&args);
    }

    /// A macro that nothing is known of, inside `no_gradient(…)`: its arguments are expressions, or it names no variable.
    fn rename_unknown(
        &mut self,
        builder: &mut Builder,
        mac: &mut syn::Macro,
        scopes: &mut Vec<HashSet<String>>,
    ) {
        if let Ok(mut args) = parse_format_args.parse2(mac.tokens.clone()) {
            args.iter_mut()
                .for_each(|arg| rename_under(self, builder, scopes, &mut arg.value));
            mac.tokens = print_format_args(&args);
            return;
        }
        let local = {
            let mut found = false;
            for name in super::prescan::names_in(&mac.tokens) {
                found |= self.lookup(&name).is_some();
            }
            found
        };
        if local {
            self.diags
                .over(&mac.path, catalog::macro_arguments(&name_of(&mac.path)));
        }
    }
}

struct FormatArg {
    name: Option<Ident>,
    value: syn::Expr,
}

fn parse_format_args(input: ParseStream<'_>) -> syn::Result<Vec<FormatArg>> {
    let mut args = Vec::new();
    while !input.is_empty() {
        let name = if input.peek(syn::Ident) && input.peek2(Token![=]) && !input.peek2(Token![==]) {
            let name = input.parse()?;
            input.parse::<Token![=]>()?;
            Some(name)
        } else {
            None
        };
        args.push(FormatArg {
            name,
            value: input.parse()?,
        });
        if !input.is_empty() {
            input.parse::<Token![,]>()?;
        }
    }
    Ok(args)
}

fn print_format_args(args: &[FormatArg]) -> TokenStream {
    let args = args.iter().map(|FormatArg { name, value }| match name {
        // A named argument whose value is the bare name keeps its meaning.
        Some(name) if matches!(value, syn::Expr::Path(p) if plain_ident(p).is_some_and(|i| i == name)) => quote!(#name = #value),
        Some(name) => quote!(#name = #value),
        None => quote!(#value),
    });
    quote!(#(#args),*)
}

fn parse_repeat(input: ParseStream<'_>) -> syn::Result<(syn::Expr, syn::Expr)> {
    let value = input.parse()?;
    input.parse::<Token![;]>()?;
    Ok((value, input.parse()?))
}

fn parse_matches(input: ParseStream<'_>) -> syn::Result<(syn::Expr, syn::Pat, Option<syn::Expr>)> {
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
