//! Calls in code that is kept as written.
//!
//! Methods are taken for those of std by their names, which is only sure on receivers whose types are std's: what the
//! compiler has put into the code and knows, what a pattern inside binds (if all of the former is known), and literals.
//! A path in the code, a constant or a static, may be of a type of the user's. What closures yield goes through the
//! methods of a chain, so it has to be known, too, where it is not an answer that std takes from them.

use proc_macro2::{TokenStream, TokenTree};
use syn::punctuated::Punctuated;
use syn::visit::{Visit, visit_expr, visit_pat};

use super::methods::{PRIMITIVES, is_chain_method, is_pure_method, is_result_method};
use crate::ir::hash::HashSet;
use crate::ir::{ANSWER, ORDER, Opaque, OpaqueArg};

/// Whether the code calls anything but pure functions of std. `known`: the type of an operand is one of std's;
/// `yields_known`: that of the whole.
pub(super) fn calls(o: &Opaque, known: &dyn Fn(&OpaqueArg) -> bool, yields_known: bool) -> bool {
    let operands = o.args.iter().filter(|(_, arg)| known(arg));
    let mut names: HashSet<String> = operands.map(|(name, _)| name.to_string()).collect();
    if names.len() == o.args.len() {
        Binders(&mut names).visit_expr(&o.code);
    } else {
        let is_operand = |number: &String| o.args.iter().any(|(name, _)| *name == *number);
        names.extend(
            numbers_declared(&o.code)
                .into_iter()
                .filter(|n| !is_operand(n)),
        );
    }
    let mut calls = Calls {
        names: &names,
        whole: yields_known.then(|| without_answer(&o.code)),
        found: false,
    };
    calls.visit_expr(&o.code);
    calls.found
}

/// The variables that the code declares as numbers: each name is declared once.
fn numbers_declared(code: &syn::Expr) -> Vec<String> {
    #[derive(Default)]
    struct Declared {
        numbers: Vec<String>,
        all: Vec<String>,
    }
    impl<'ast> Visit<'ast> for Declared {
        fn visit_pat_type(&mut self, of: &'ast syn::PatType) {
            let is_number = matches!(&*of.ty, syn::Type::Path(ty)
                if PRIMITIVES.iter().any(|name| ty.path.is_ident(name)));
            if let (syn::Pat::Ident(binding), true) = (&*of.pat, is_number) {
                self.numbers.push(binding.ident.to_string());
            }
            self.visit_pat(&of.pat);
        }

        fn visit_pat(&mut self, pat: &'ast syn::Pat) {
            if let syn::Pat::Ident(binding) = pat {
                self.all.push(binding.ident.to_string());
            }
            visit_pat(self, pat);
        }
    }
    let mut declared = Declared::default();
    declared.visit_expr(code);
    let Declared { mut numbers, all } = declared;
    numbers.retain(|number| all.iter().filter(|name| *name == number).count() == 1);
    numbers
}

/// The code inside of the check of what it yields.
fn without_answer(e: &syn::Expr) -> &syn::Expr {
    if let syn::Expr::Paren(e) = e {
        return without_answer(&e.expr);
    }
    if let syn::Expr::Call(call) = e
        && is_named(&call.func, ANSWER)
        && call.args.len() == 1
    {
        return without_answer(&call.args[0]);
    }
    e
}

fn is_named(func: &syn::Expr, name: &str) -> bool {
    matches!(func, syn::Expr::Path(path) if path.path.is_ident(name))
}

/// Collects what patterns bind, in the arguments of macros too.
struct Binders<'a>(&'a mut HashSet<String>);

impl<'ast> Visit<'ast> for Binders<'_> {
    fn visit_pat(&mut self, pat: &'ast syn::Pat) {
        if let syn::Pat::Ident(binding) = pat {
            self.0.insert(binding.ident.to_string());
        }
        visit_pat(self, pat);
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        for argument in arguments(mac).iter().flatten() {
            self.visit_expr(argument);
        }
    }
}

/// The arguments of a macro, if all of them are expressions.
fn arguments(mac: &syn::Macro) -> Option<Punctuated<syn::Expr, syn::Token![,]>> {
    mac.parse_body_with(Punctuated::parse_terminated).ok()
}

/// Macros whose effect would be there twice.
pub(super) const PRINTING: &[&str] = &["print", "println", "eprint", "eprintln", "dbg"];

struct Calls<'a> {
    /// Names whose values are known.
    names: &'a HashSet<String>,
    /// The expression whose value has a known type, as what uses it shows.
    whole: Option<&'a syn::Expr>,
    found: bool,
}

impl Calls<'_> {
    /// Whether the value is made of known ones.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "the user's syntax has more forms than are asked for"
    )]
    fn is_known(&self, e: &syn::Expr) -> bool {
        match e {
            syn::Expr::Lit(_) => true,
            syn::Expr::Path(p) => {
                let name = p.path.get_ident();
                // That of std: another constant of the name would be one of what else the expression may be.
                name.is_some_and(|name| name == "None" || self.names.contains(&name.to_string()))
                    || is_constant_of_std(&p.path)
            }
            syn::Expr::Paren(e) => self.is_known(&e.expr),
            syn::Expr::Group(e) => self.is_known(&e.expr),
            syn::Expr::Unary(e) => self.is_known(&e.expr),
            syn::Expr::Reference(e) => self.is_known(&e.expr),
            syn::Expr::Cast(_) => true, // only primitives can be cast
            syn::Expr::Field(e) => self.is_known(&e.base),
            syn::Expr::Index(e) => self.is_known(&e.expr),
            syn::Expr::Binary(e) => self.is_known(&e.left) && self.is_known(&e.right),
            syn::Expr::MethodCall(e) => {
                self.is_known(&e.receiver)
                    && e.args.iter().all(|arg| self.gives_known(arg))
                    && (!is_result_method(&e.method.to_string()) || self.names_result(e))
            }
            syn::Expr::Tuple(e) => e.elems.iter().all(|e| self.is_known(e)),
            syn::Expr::Array(e) => e.elems.iter().all(|e| self.is_known(e)),
            syn::Expr::If(e) => {
                let otherwise = e.else_branch.as_ref();
                self.ends_known(&e.then_branch)
                    && otherwise.is_some_and(|(_, otherwise)| self.is_known(otherwise))
            }
            syn::Expr::Range(e) => [&e.start, &e.end]
                .into_iter()
                .flatten()
                .all(|e| self.is_known(e)),
            syn::Expr::Call(e) => match pure_function(&e.func) {
                Some(Yields::Number) => true,
                Some(Yields::Arguments) => e.args.iter().all(|arg| self.is_known(arg)),
                Some(Yields::Any) | None => false,
            },
            syn::Expr::Block(e) => e.label.is_none() && self.ends_known(&e.block),
            _ => false,
        }
    }

    fn ends_known(&self, block: &syn::Block) -> bool {
        match block.stmts.split_last() {
            Some((syn::Stmt::Expr(value, None), before)) => {
                before.iter().all(|s| self.declares(s)) && self.is_known(value)
            }
            _ => false,
        }
    }

    /// Whether an argument, or what a function yields that is one, is known.
    fn gives_known(&self, arg: &syn::Expr) -> bool {
        if let syn::Expr::Closure(closure) = arg {
            return self.is_known(&closure.body);
        }
        let function = pure_function(arg);
        self.is_known(arg) || matches!(function, Some(Yields::Number | Yields::Arguments))
    }

    /// Whether a method reads what it is called on, and calls nothing but closures of the text.
    fn reads_chain(&self, call: &syn::ExprMethodCall) -> bool {
        let name = call.method.to_string();
        is_chain_method(&name)
            && call.args.iter().all(|arg| {
                // Keys are compared.
                let answers = matches!(arg, syn::Expr::Closure(_)) && !name.ends_with("_key");
                answers || self.gives_known(arg)
            })
    }

    /// A sort in code of the compiler's own: what it compares by is known.
    fn orders(&self, call: &syn::ExprCall) -> bool {
        let sorts = |arg: &syn::Expr| {
            matches!(arg, syn::Expr::Closure(closure)
                if matches!(&*closure.body, syn::Expr::Block(body)
                    if matches!(body.block.stmts.last(), Some(syn::Stmt::Expr(_, Some(_))))))
        };
        call.args
            .iter()
            .all(|arg| sorts(arg) || self.gives_known(arg))
    }

    /// Whether the text says that a method, whose result may be of any type, yields one of std's.
    fn names_result(&self, call: &syn::ExprMethodCall) -> bool {
        let is_whole =
            |e: &syn::Expr| matches!(e, syn::Expr::MethodCall(e) if std::ptr::eq(e, call));
        let written = call.turbofish.as_ref().map(|written| &written.args);
        self.whole.is_some_and(is_whole)
            || written.is_some_and(|args| args.iter().all(is_of_numbers))
    }

    /// Whether a statement declares what is made of known values, or changes what has a type already.
    fn declares(&self, stmt: &syn::Stmt) -> bool {
        if let syn::Stmt::Expr(syn::Expr::Assign(_) | syn::Expr::Binary(_), Some(_)) = stmt {
            return true;
        }
        let init = if let syn::Stmt::Local(local) = stmt {
            local.init.as_ref()
        } else {
            None
        };
        init.is_some_and(|init| init.diverge.is_none() && self.is_known(&init.expr))
    }
}

impl<'ast> Visit<'ast> for Calls<'_> {
    /// The arguments, if they are expressions; else whatever looks like a call in them.
    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        let name = mac.path.segments.last().map(|last| last.ident.to_string());
        self.found |= name.is_none_or(|name| PRINTING.contains(&name.as_str()));
        match arguments(mac) {
            Some(arguments) => {
                for argument in &arguments {
                    let mut inner = Calls {
                        whole: None,
                        ..*self
                    };
                    inner.visit_expr(argument);
                    self.found |= inner.found;
                }
            }
            None => self.found |= looks_like_call(mac.tokens.clone()),
        }
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "code that is not named has no effect of its own; its parts are visited"
    )]
    fn visit_expr(&mut self, e: &'ast syn::Expr) {
        self.found |= match e {
            syn::Expr::Call(call) if is_named(&call.func, ORDER) => !self.orders(call),
            syn::Expr::Call(call) => pure_function(&call.func).is_none(),
            syn::Expr::MethodCall(call) => {
                let name = call.method.to_string();
                let pure = is_pure_method(&name) || self.reads_chain(call);
                let named = !is_result_method(&name) || self.names_result(call);
                !pure || !named || !self.is_known(&call.receiver)
            }
            syn::Expr::Macro(m) => return self.visit_macro(&m.mac),
            syn::Expr::Await(_) | syn::Expr::Yield(_) => true,
            _ => false,
        };
        visit_expr(self, e);
    }

    /// The function with which a sort finds the order, the compiler's own. Others are called by their paths.
    fn visit_item(&mut self, _: &'ast syn::Item) {}
}

/// `std::f64::consts::PI`
fn is_constant_of_std(path: &syn::Path) -> bool {
    let names: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    matches!(
        names.as_slice(),
        ["std" | "core", "f32" | "f64", "consts", _]
    )
}

/// What a pure function yields.
enum Yields {
    Number,
    /// A value that holds its arguments.
    Arguments,
    /// A value whose type the user may have written methods for.
    Any,
}

/// `Some`, and the functions of primitive types whose names are known: a trait of the user's may add others.
fn pure_function(func: &syn::Expr) -> Option<Yields> {
    let syn::Expr::Path(path) = func else {
        return None;
    };
    let names: Vec<String> = path
        .path
        .segments
        .iter()
        .map(|s| s.ident.to_string())
        .collect();
    match names
        .iter()
        .map(String::as_str)
        .collect::<Vec<_>>()
        .as_slice()
    {
        ["Some" | "Ok" | "Err" | ANSWER] => Some(Yields::Arguments),
        // Generated code checks that it is retrograde's.
        [.., "no_gradient"] => Some(Yields::Arguments),
        // What generated code looks at an option with.
        ["core", "option", "Option", "as_ref"] if path.path.leading_colon.is_some() => {
            Some(Yields::Arguments)
        }
        // What it makes of a `None` behind the type of an option.
        ["core", "default", "Default", "default"]
            if path.path.leading_colon.is_some() && is_of_option(path.qself.as_ref()) =>
        {
            Some(Yields::Any)
        }
        [primitive, name] if PRIMITIVES.contains(primitive) => {
            (*name == "from" || is_pure_method(name)).then_some(Yields::Number)
        }
        _ => None,
    }
}

/// `<::core::option::Option<T> as …>`
fn is_of_option(qself: Option<&syn::QSelf>) -> bool {
    let Some(syn::Type::Path(of)) = qself.map(|qself| &*qself.ty) else {
        return false;
    };
    let names = of.path.segments.iter().map(|s| s.ident.to_string());
    of.path.leading_colon.is_some() && names.eq(["core", "option", "Option"])
}

/// Whether a type is written as a number, or as a `Vec` of what is to be inferred or of such.
fn is_of_numbers(written: &syn::GenericArgument) -> bool {
    let syn::GenericArgument::Type(syn::Type::Path(path)) = written else {
        return false;
    };
    match path.path.segments.last() {
        Some(last) if path.qself.is_none() => match &last.arguments {
            syn::PathArguments::None => {
                path.path.get_ident().is_some() && PRIMITIVES.iter().any(|name| last.ident == name)
            }
            syn::PathArguments::AngleBracketed(of) => {
                let inferred = |arg: &syn::GenericArgument| {
                    matches!(arg, syn::GenericArgument::Type(syn::Type::Infer(_)))
                };
                last.ident == "Vec"
                    && of
                        .args
                        .iter()
                        .all(|arg| inferred(arg) || is_of_numbers(arg))
            }
            syn::PathArguments::Parenthesized(_) => false,
        },
        _ => false,
    }
}

/// Whether tokens that are not parsed may contain a call: parentheses behind a name, a `>`, or another group.
fn looks_like_call(tokens: TokenStream) -> bool {
    let mut callee = false;
    tokens.into_iter().any(|tree| match tree {
        TokenTree::Group(group) => {
            let call = callee && group.delimiter() == proc_macro2::Delimiter::Parenthesis;
            callee = true;
            call || looks_like_call(group.stream())
        }
        TokenTree::Ident(name) => {
            // `Some(…)` in a pattern is no call.
            callee = !matches!(
                name.to_string().as_str(),
                "Some" | "Ok" | "Err" | "if" | "match" | "in"
            );
            false
        }
        TokenTree::Punct(punct) => {
            callee = punct.as_char() == '>';
            false
        }
        TokenTree::Literal(_) => {
            callee = false;
            false
        }
    })
}
