//! Renaming inside the arguments of macros that are kept as written.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::Token;
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;

use super::Lowerer;
use super::format::captures;
use super::macros::{Family, family, name_of, parse_matches, parse_repeat};
use super::opaque::Builder;
use super::rename::{bind_under, is_bound, rename_under};
use super::scope::plain_ident;
use crate::diag::catalog;
use crate::ir::hash::HashSet;

impl Lowerer<'_> {
    pub(super) fn rename_macro(
        &mut self,
        builder: &mut Builder,
        mac: &mut syn::Macro,
        scopes: &mut Vec<HashSet<String>>,
    ) {
        self.note_std_macro(mac);
        let name = name_of(&mac.path);
        match family(&mac.path) {
            Family::Literal => {}
            Family::Vec => self.rename_vec(builder, mac, scopes),
            Family::Matches => self.rename_matches(builder, mac, scopes),
            Family::Dbg => self.diags.over(&mac.path, catalog::dbg_macro()),
            Family::Assert
            | Family::Print
            | Family::Panic
            | Family::Format
            | Family::Log
            | Family::Event
            | Family::Close => self.rename_format(builder, mac, &name, scopes),
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
        let fields = family(&mac.path) == Family::Event;
        let parse = |input: ParseStream<'_>| parse_args(input, fields);
        let Ok(mut args) = parse.parse2(mac.tokens.clone()) else {
            self.diags.over(&mac.path, catalog::macro_arguments(name));
            return;
        };
        let leading = match name {
            "assert" | "debug_assert" => 1,
            "assert_eq" | "assert_ne" | "debug_assert_eq" | "debug_assert_ne" => 2,
            _ if family(&mac.path) == Family::Assert => 2,
            _ => 0,
        };
        let format = args.iter().skip(leading).find_map(|arg| match arg {
            FormatArg {
                name: None,
                before: None,
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
                before: None,
                value,
            });
        }
        mac.tokens = print_format_args(&args);
    }

    /// A macro that nothing is known of, inside `no_gradient(…)`: its arguments are expressions, or it names no
    /// variable.
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
    /// `target:`, or what makes the value a field: `x = ?`.
    before: Option<TokenStream>,
    value: syn::Expr,
}

fn parse_format_args(input: ParseStream<'_>) -> syn::Result<Vec<FormatArg>> {
    parse_args(input, false)
}

/// `fields`: those of `tracing`, which come before the message.
fn parse_args(input: ParseStream<'_>, fields: bool) -> syn::Result<Vec<FormatArg>> {
    let mut args: Vec<FormatArg> = Vec::new();
    let mut message = false;
    while !input.is_empty() {
        let (mut name, mut before) = (None, None);
        if input.peek(syn::Ident) && input.peek2(Token![:]) && !input.peek2(Token![::]) {
            let key: Ident = input.parse()?;
            input.parse::<Token![:]>()?;
            before = Some(quote!(#key:));
        } else if fields && !message && !input.peek(syn::LitStr) {
            before = Some(field(input)?);
        } else if input.peek(syn::Ident) && input.peek2(Token![=]) && !input.peek2(Token![==]) {
            name = Some(input.parse()?);
            input.parse::<Token![=]>()?;
        }
        let value: syn::Expr = input.parse()?;
        message |= before.is_none() && name.is_none();
        args.push(FormatArg {
            name,
            before,
            value,
        });
        if !input.is_empty() {
            input.parse::<Token![,]>()?;
        }
    }
    Ok(args)
}

/// The name of a field, `=` and a sigil: `?x` and `x` alone name a field after the variable.
fn field(input: ParseStream<'_>) -> syn::Result<TokenStream> {
    let sigil = |input: ParseStream<'_>| -> syn::Result<TokenStream> {
        Ok(if input.peek(Token![?]) {
            let sigil: Token![?] = input.parse()?;
            quote!(#sigil)
        } else if input.peek(Token![%]) {
            let sigil: Token![%] = input.parse()?;
            quote!(#sigil)
        } else {
            TokenStream::new()
        })
    };
    let ahead = input.fork();
    let names = Punctuated::<Ident, Token![.]>::parse_separated_nonempty(&ahead);
    if names.is_ok() && ahead.peek(Token![=]) && !ahead.peek(Token![==]) {
        let names = Punctuated::<Ident, Token![.]>::parse_separated_nonempty(input)?;
        input.parse::<Token![=]>()?;
        let sigil = sigil(input)?;
        return Ok(quote!(#names = #sigil));
    }
    let sigil = sigil(input)?;
    let name: Ident = input.fork().parse()?;
    let alone = input.fork();
    alone.parse::<Ident>()?;
    if !alone.is_empty() && !alone.peek(Token![,]) {
        return Err(alone.error("a field without a name"));
    }
    Ok(quote!(#name = #sigil))
}

fn print_format_args(args: &[FormatArg]) -> TokenStream {
    let args = args.iter().map(
        |FormatArg {
             name,
             before,
             value,
         }| match name {
            // A named argument whose value is the bare name keeps its meaning.
            Some(name)
                if matches!(value, syn::Expr::Path(p)
                if plain_ident(p).is_some_and(|i| i == name)) =>
            {
                quote!(#name = #value)
            }
            Some(name) => quote!(#name = #value),
            None => quote!(#before #value),
        },
    );
    quote!(#(#args),*)
}
