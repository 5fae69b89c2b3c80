//! Which functions are found and taken, by the text.

use proc_macro2::Ident;
use quote::ToTokens;
use syn::visit::{self, Visit};

use super::{definition, of, small::Small};
use crate::lower::Owner;
use crate::surroundings::{function_beside, give_text};

/// Why the function `g` of a text is not inlined in its function `f`; `None` if it is.
fn refusal(text: &str) -> Option<String> {
    give_text(text);
    let mut found = of(&find(text, "f"), &Owner::default());
    found.remove("g").expect("a call").err()
}

/// The function of this name, wherever it stands.
fn find(text: &str, name: &str) -> syn::ItemFn {
    struct Finder<'n>(&'n str, Option<syn::ItemFn>);
    impl<'ast> Visit<'ast> for Finder<'_> {
        fn visit_item_fn(&mut self, f: &'ast syn::ItemFn) {
            if f.sig.ident == self.0 {
                self.1 = Some(f.clone());
            }
            visit::visit_item_fn(self, f);
        }
        fn visit_impl_item_fn(&mut self, f: &'ast syn::ImplItemFn) {
            let f = f.to_token_stream();
            self.visit_item_fn(&syn::parse2(f).expect("a function"));
        }
    }
    let mut finder = Finder(name, None);
    finder.visit_file(&syn::parse_file(text).expect("a text"));
    finder.1.expect("a function of this name")
}

const CALLER: &str = "#[gradient] fn f(x: &[f64]) -> f64 { x.iter().map(|v| g(*v)).sum() }";

#[test]
fn functions_are_taken_by_what_they_consist_of() {
    for taken in [
        "v * v",
        "if v > 0.0 { return v; } let (a, mut b) = (v, 1.0); b += a as f64; b",
        "f64::max(v, 0.0).powi(3) - K * std::f64::consts::PI",
        "{ let w: f64 = -v; w.sin_cos().0 }",
        "g2(v) + 1.0",
    ] {
        let text = format!(
            "#[gradient] fn g(v: f64) -> f64 {{ {taken} }} {CALLER}
            #[gradient] fn g2(w: f64) -> f64 {{ w }}"
        );
        assert_eq!(refusal(&text), None, "{taken}");
    }
    for (left, why) in [
        ("let mut s = v; for _ in 0..3 { s += v; } s", "has a loop"),
        ("match v > 0.0 { true => v, false => 0.0 }", "has a `match`"),
        ("assert!(v > 0.0); v", "calls a macro"),
        ("fn h(v: f64) -> f64 { v } h(v)", "declares items"),
        ("const C: f64 = 2.0; v * C", "declares items"),
        ("v.loud()", "calls a method that is none of a float"),
        ("v.max(1.0, 2.0)", "calls a method that is none of a float"),
        ("m::h(v)", "calls a function by a path"),
        ("let h = v; h(v)", "calls one of its variables"),
        ("*&v", "dereferences something"),
        ("[v, v][0]", "does more than compute with numbers"),
        ("v.iter().sum()", "calls a method that is none of a float"),
        ("let w = &v; v", "does more than compute with numbers"),
        ("let w; w = v; w", "declares a variable without a value"),
        ("#[checkpoint] { v }", "has attributes in it"),
        ("let B = v; B", "has a pattern with a constant"),
        ("<f64 as Loud>::C * v", "names something with its type"),
        ("(|w: f64| w)(v)", "calls what is no name"),
    ] {
        let text = format!("#[gradient] fn g(v: f64) -> f64 {{ {left} }} {CALLER}");
        assert_eq!(refusal(&text), Some(format!("`g` {why}")), "{left}");
    }
    for (head, why) in [
        ("fn g<T>(v: f64) -> f64", "has parameters of types"),
        ("unsafe fn g(v: f64) -> f64", "is no plain function"),
        ("fn g(v: f64)", "returns nothing"),
        (
            "fn g(v: f64) -> Option<f64>",
            "returns something else than numbers",
        ),
        (
            "fn g(#[constant] v: f64) -> f64",
            "has a parameter with an attribute",
        ),
        (
            "fn g(v: &mut [f64]) -> f64",
            "has a parameter that is neither a number nor a reference to an array",
        ),
        (
            "fn g(v: [f64; 2]) -> f64",
            "has a parameter that is neither a number nor a reference to an array",
        ),
        (
            "fn g(v: f64) -> [f64; 2]",
            "returns something else than numbers",
        ),
        (
            "fn g((v, w): (f64, f64)) -> f64",
            "has a parameter that is neither a number nor a reference to an array",
        ),
    ] {
        let text = format!("#[gradient] {head} {{ v }} {CALLER}");
        assert_eq!(refusal(&text), Some(format!("`g` {why}")), "{head}");
    }
}

#[test]
fn functions_are_found_in_their_module() {
    let g = "#[gradient] fn g(v: f64) -> f64 { v }";
    let shown = |text: &str| {
        give_text(text);
        let at = find(text, "f").sig.fn_token.span;
        let name = Ident::new("g", at);
        function_beside(at, &name).map(|g| g.block.to_token_stream().to_string())
    };
    let one = Some("{ v }".to_owned());
    for text in [
        format!("{g} {CALLER}"),
        format!("{CALLER} {g}"),
        format!("mod m {{ {CALLER} {g} }} #[gradient] fn g(v: f64) -> f64 {{ v * 2.0 }}"),
        format!("use a::{{b, c}}; static S: [T; 2] = [T {{ a: 1 }}, T {{ a: 2 }}]; {g} {CALLER}"),
        format!(
            "//! fn g() {{}}\n#![allow(unused)] /* fn g() {{ */ const T: &str = \"fn g() {{\"; {g} {CALLER}"
        ),
        format!(
            "mod m {{ fn g() {{}} }} impl S {{ fn g() {{}} }} fn h() {{ fn g() {{}} }} {CALLER} {g}"
        ),
        format!("{g} mod m {{ }} {CALLER} fn gg() {{}}"),
    ] {
        assert_eq!(shown(&text), one, "{text}");
    }
    for text in [
        format!("mod m {{ {g} }} {CALLER}"),
        format!("{g} mod m {{ {CALLER} }}"),
        format!("fn h() {{ {g} {CALLER} }}"),
        format!("impl S {{ {g} }} {CALLER}"),
        format!("#[cfg(a)] {g} #[cfg(not(a))] {g} {CALLER}"),
        format!("m! {{ struct S {{}} {g} }} {CALLER}"),
        format!("m!( struct S {{}} {g} ); {CALLER}"),
        format!("m![ struct S {{}} {g} ]; {CALLER}"),
        format!("macro_rules! m ( () => {{ struct S {{}} {g} }} ); {CALLER}"),
        format!("macro_rules! m {{ () => {{ {g} }} }} {CALLER}"),
        format!("// {g}\n{CALLER}"),
    ] {
        assert_eq!(shown(&text), None, "{text}");
    }
}

#[test]
fn a_cut_leaves_no_attribute_behind() {
    let text = format!(
        "static S: [T; 1] = [T {{ a: 1 }}];\n#[cfg(a)] /// b; c\n#[gradient] fn g(v: f64) -> f64 {{ v }} {CALLER}"
    );
    let why = refusal(&text).expect("a refusal");
    assert!(why.contains("attributes"), "{why}");
}

#[test]
fn definitions_are_told_apart() {
    let of = |text: &str| definition(&syn::parse_str(text).expect("a function"));
    let one = of("fn g(v: f64) -> f64 { v + v * 2.0 }");
    assert!(one.is_some());
    assert_eq!(
        one,
        of("/// Text.\n#[inline]\npub(crate) fn g(v : f64)->f64{v+v*2.0 /* ! */}")
    );
    for other in [
        "fn g(v: f64) -> f64 { v + v * 2.1 }",
        "fn g(v: f64) -> f64 { v - v * 2.0 }",
        "fn g(v: f64) -> f64 { (v + v) * 2.0 }",
        "fn g(v: f64) -> f64 { v + v * 2.0; v }",
        "fn g(w: f64) -> f64 { v + v * 2.0 }",
        "fn g(v: f32) -> f64 { v + v * 2.0 }",
        "fn h(v: f64) -> f64 { v + v * 2.0 }",
        "fn g(v: f64) -> f64 { v + vv * 2.0 }",
    ] {
        assert!(of(other).is_some() && of(other) != one, "{other}");
    }
    assert_eq!(of("fn g(v: f64) -> f64 { loop {} }"), None);
}

#[test]
fn what_the_math_library_gets_is_known_by_name() {
    let dear = |text: &str| {
        let small = Small::of(&syn::parse_str(text).expect("a function"));
        small.map(|small| small.dear).unwrap_or_default()
    };
    for (body, of) in [
        ("v.exp() * w", [true, false]),
        ("v * w.powi(k)", [false, true]),
        ("let u = v * w; u.exp()", [true, true]),
        ("v.abs().max(w)", [false, false]),
        ("f64::sin(w) + v", [false, true]),
        ("h(w) + v", [false, true]),
    ] {
        let text = format!("fn g(v: f64, w: f64) -> f64 {{ {body} }}");
        assert_eq!(dear(&text), of, "{body}");
    }
}
