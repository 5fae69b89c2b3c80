//! Where functions stand, by the text.

use super::{Blocks, Surroundings, innermost};

/// At the end of the text, where a function stands that is followed by more.
fn at_end(text: &str) -> Surroundings {
    let text = format!("{text}fn f() {{}}\n}} impl S {{ trait T {{");
    let name = text.rfind("fn f() {}").expect("the function") + "fn ".len();
    let line = text[..name].matches('\n').count();
    let begin = text[..name].rfind('\n').map_or(0, |end| end + 1);
    let column = text[begin..name].chars().count();
    let blocks = Blocks::of(Default::default(), text);
    let open = blocks.open_at(line + 1, column);
    innermost(&open.expect("a place of the text"))
}

#[test]
fn a_place_that_the_text_does_not_have_is_unknown() {
    let blocks = Blocks::of(
        Default::default(),
        "impl S {\n    fn é() {}\n}\n".to_owned(),
    );
    let found = |line, column| blocks.open_at(line, column).map(|open| innermost(&open));
    assert_eq!(found(2, 7), Some(Surroundings::Impl));
    assert_eq!(found(2, 12), Some(Surroundings::Other));
    assert_eq!(found(3, 1), Some(Surroundings::Other));
    for (line, column) in [(0, 0), (9, 0), (2, 400)] {
        assert_eq!(found(line, column), None, "{line}:{column}");
    }
}

#[test]
fn aliases_are_those_of_a_module() {
    let text = "#![allow(unused)] type A = f64; /* type X = u8; */ pub(crate) type B = [[A; 3]; 2];\n\
                #[cfg(test)] type C = f32; type D<T> = Vec<T>; fn f() { type A = u8; } m! { type A = u8; }\n\
                m!(type A = u8;); use a::{b as c}; type E = /* f32 */ f64; mod m { /// Of m.\ntype A = i8; }";
    let blocks = Blocks::of(Default::default(), text.to_owned());
    let found = |depth: usize| -> Vec<(&str, Option<&str>)> {
        let all = blocks.aliases.iter().filter(|(open, _)| {
            open.len() == depth && open.iter().all(|(open, _)| *open == Surroundings::Module)
        });
        all.map(|(_, (name, of))| (name.as_str(), of.as_deref().map(str::trim)))
            .collect()
    };
    let outer = [
        ("A", Some("f64")),
        ("B", Some("[[A; 3]; 2]")),
        ("C", None),
        ("D", None),
        ("E", None),
    ];
    assert_eq!(found(0), outer);
    assert_eq!(found(1), [("A", Some("i8"))]);
}

#[test]
fn modules_are_found_where_they_are_declared() {
    let text = "mod a; pub(crate) mod b { mod c; } // mod d;\nfn f() { mod e {} } #[cfg(x)] mod g; fn modh() {}";
    let blocks = Blocks::of(Default::default(), text.to_owned());
    let found = |depth: usize| -> Vec<&str> {
        let all = blocks
            .modules
            .iter()
            .filter(|(open, _)| open.len() == depth);
        all.map(|(_, name)| name.as_str()).collect()
    };
    assert_eq!(found(0), ["a", "b", "g"]);
    assert_eq!(found(1), ["c", "e"]);
}

#[test]
fn the_innermost_open_brace_says_it() {
    for text in [
        "impl S { ",
        "mod m { impl S<'a, { N + 1 }> { fn f() {} ",
        "fn f() { impl S { const A: [f64; 2] = [0.0; 2]; #[x] ",
        "impl<T, const N: usize> S<T, { N + 1 }>\nwhere\n    T: Into<f64>,\n    [(); { N }]:,\n{ ",
        "unsafe impl<F> S<F> where F: for<'a> Fn(&'a f64) { fn g() -> usize { if a { 1 } else { 2 } } pub ",
        "/* } { /* } */ */ impl<'a> S<'a> { const C: char = '}'; // }\n const D: &str = r#\"}\"#; ",
        "#[allow(impl_x)] pub(crate) mod m { #[cfg(test)] impl S { const B: &[u8] = b\"}\\\"}\"; ",
    ] {
        assert_eq!(at_end(text), Surroundings::Impl, "{text}");
    }
    for text in [
        "trait T { ",
        "pub unsafe trait T: Sized { fn f(); ",
        "impl<T> Add<T> for S { ",
    ] {
        assert_eq!(at_end(text), Surroundings::Trait, "{text}");
    }
    for text in [
        "",
        "impl S {} ",
        "impl S { fn f() { ",
        "impl S { fn f() { struct A; } } mod m { ",
        "fn f(x: impl Fn()) { ",
        "const C: char = '{'; // impl {\n",
        "static S: &str = \"impl S {\"; ",
        "const _: () = { ",
    ] {
        assert_eq!(at_end(text), Surroundings::Other, "{text}");
    }
}

#[test]
fn a_macro_is_the_last_definition_in_front_whose_block_is_open() {
    let text = "macro_rules! m { () => { 1 } } mod a { macro_rules! m { () => { 2 } } }\n\
                #[cfg(x)] macro_rules! n { () => { 3 } }\n\
                /// Of p. macro_rules! p { () => { 4 } }\n#[allow(unused)] macro_rules! p ( (}) => (5) ; );\n\
                fn f() { m!(); n!(); p!(); q!(); }\n\
                #[macro_use] mod b; fn g() { m!(); } macro_rules! q { () => {} }\n\
                macro_rules! m { () => { 6 } } impl S { fn h() { m!(); } } // m!();\n";
    let text = text.replace("(})", "()");
    let blocks = Blocks::of(Default::default(), text.clone());
    let meant = |place: &str, name: &str| {
        let at = text.find(place)? + place.find('!')?.saturating_sub(1);
        let line = text[..at].matches('\n').count() + 1;
        let begin = text[..at].rfind('\n').map_or(0, |end| end + 1);
        let open = blocks.open_at(line, text[begin..at].chars().count())?;
        let (begin, end) = blocks.macros.meant(name, at, &open)?;
        Some(text[begin..end].trim())
    };
    assert_eq!(meant("fn f() { m!", "m"), Some("() => { 1 }"));
    assert_eq!(meant("m!(); n!", "n"), None, "under a `cfg`");
    assert_eq!(meant("n!(); p!", "p"), Some("() => (5) ;"));
    assert_eq!(meant("p!(); q!", "q"), None, "behind the call");
    assert_eq!(meant("fn g() { m!", "m"), None, "`b` may define one");
    assert_eq!(meant("fn h() { m!", "m"), Some("() => { 6 }"));
    assert_eq!(meant("// m!", "m"), None, "an example");
}

#[test]
fn what_a_macro_is_given_defines_nothing_and_words_may_stand_apart() {
    let text = "macro_rules! m { () => { 1 } } w!({} macro_rules! m { () => { 2 } });\n\
                macro_rules /* a */ ! // b\n n { () => { 3 } } macro_rules! r#n { () => { 4 } }\n\
                fn f() { m!(); n!(); }\n\
                mod a { #![macro_use] macro_rules! m { () => { 5 } } } fn g() { m!(); }\n\
                mod b { #![allow(unused)] macro_rules! n { () => { 6 } } } fn h() { n!(); }\n";
    let blocks = Blocks::of(Default::default(), text.to_owned());
    let meant = |place: &str, name: &str| {
        let at = text.find(place)? + place.find('!')? - 1;
        let (begin, end) = blocks.macros.meant(name, at, &Default::default())?;
        Some(text[begin..end].trim())
    };
    assert_eq!(meant("m!(); n!", "m"), Some("() => { 1 }"));
    assert_eq!(meant("n!(); }\nmod", "n"), Some("() => { 4 }"));
    assert_eq!(meant("m!(); }\nmod b", "m"), None, "`a` has one");
    assert_eq!(
        meant("n!(); }\n", "n"),
        Some("() => { 4 }"),
        "`b` keeps its own"
    );
}

#[test]
fn a_module_of_another_file_may_define_macros() {
    let text = "macro_rules! m { () => { 1 } }\nfn f() { m!(); }\nmod a /* b */ ;\nfn g() { m!(); }\n\
                mod b { fn h() { m!(); } }\nmacro_rules! m { () => { 2 } }\nfn i() { m!(); }\n";
    let blocks = Blocks::of(Default::default(), text.to_owned());
    let meant = |function: &str| {
        let at = text.find(&format!("fn {function}()"))? + 9;
        let (begin, end) = blocks.macros.meant("m", at, &Default::default())?;
        Some(text[begin..end].trim())
    };
    assert_eq!(meant("f"), Some("() => { 1 }"));
    assert_eq!((meant("g"), meant("h")), (None, None));
    assert_eq!(meant("i"), Some("() => { 2 }"));
}

#[test]
fn a_trait_of_the_file_has_the_attribute_or_not() {
    use super::traits::declared_with_gradient as declared;
    let text = "/// trait Other\n#[gradient]\n/// It.\n#[allow(unused)]\npub trait Lerp: Copy {}\nfn f() {}\n\
                #[::retrograde::gradient] pub(crate) trait Mix {}\n#[gradient(dyn)]\nfn g() {}\ntrait Plain<T> {}";
    assert_eq!(declared(text, "Lerp"), Some(true));
    assert_eq!(declared(text, "Mix"), Some(true));
    assert_eq!(declared(text, "Plain"), Some(false));
    assert_eq!(declared(text, "Lerpable"), None);
    assert_eq!(
        declared("/// A trait of it.\ntrait of {}", "of"),
        Some(false)
    );
    assert_eq!(declared("trait A {} mod m { trait A {} }", "A"), None);
}
