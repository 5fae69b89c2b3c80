use quote::{ToTokens, quote};

use super::{by_path, known};
use crate::ir::{IntTy, Ty, Written};

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "a test that stops at what it is not about"
)]
fn asked_by(item: &str) -> Vec<String> {
    let item: syn::Item = syn::parse_str(item).expect("an item");
    let paths = match &item {
        syn::Item::Fn(function) => super::ask::of_function(function),
        syn::Item::Impl(block) => super::ask::of_block(block),
        _ => panic!("a function or a block"),
    };
    let text = |path: &syn::Path| path.to_token_stream().to_string().replace(' ', "");
    paths.iter().map(text).collect()
}

#[test]
fn a_function_asks_where_it_has_a_loop_and_reads_a_field() {
    let body = "{ let mut s = 0.0; for i in 0..3 { s += a.x[i]; } s }";
    for (parameters, asked) in [
        ("a: &S", vec!["S"]),
        ("a: &mut crate::m::S<'_, 3>", vec!["crate::m::S"]),
        (
            "a: &[super::S], b: Vec<Option<S>>, c: (S, f64)",
            vec!["super::S", "S"],
        ),
        ("#[constant] a: &S, b: &[f64], c: Option<String>", vec![]),
        ("a: &Self::T, b: &<S as T>::U", vec![]),
        ("a: &HashMap<u8, S>, b: &Box<S>", vec![]),
        ("a: &line, b: &Error, c: &Vec3", vec!["Vec3"]),
    ] {
        assert_eq!(
            asked_by(&format!("fn f({parameters}) -> f64 {body}")),
            asked,
            "{parameters}"
        );
    }
    for quiet in [
        "fn f(a: &S) -> f64 { a.x[0] + a.y }",
        "fn f(a: &S) -> f64 { let mut s = 0.0; for i in 0..3 { s += g(a, i); } s }",
        "fn f<T: Float>(a: &S<T>) -> T { for i in 0..3 { a.x[i]; } }",
        "fn f(a: &S) -> Result<f64, E> { for i in 0..3 { a.x[i]; } }",
        "fn f(a: &S, b: &mut dyn T) -> f64 { for i in 0..3 { a.x[i]; } }",
        "fn f(a: &S, b: &impl T) -> f64 { for i in 0..3 { a.x[i]; } }",
        "fn f(a: &S) -> f64 { use m::S; for i in 0..3 { a.x[i]; } }",
        "fn f(a: &S, #[cfg(c)] b: &T) -> f64 { for i in 0..3 { a.x[i]; } }",
        "fn f(a: &S) -> f64 { for i in 0..3 { #[cfg(c)] g(); a.x[i]; } }",
        "#[cfg(c)] fn f(a: &S) -> f64 { for i in 0..3 { a.x[i]; } }",
        "impl S { #[cfg(c)] fn f(&self) -> f64 { for i in 0..3 { self.x; } } }",
        "impl S { fn f(&self) -> f64 { self.x } }",
    ] {
        assert!(asked_by(quiet).is_empty(), "{quiet}");
    }
    let block = "impl S { fn f(&self, o: &O) -> f64 { while go() { self.x; } } fn g(&self) {} }";
    assert_eq!(asked_by(block), ["S", "O"]);
    let block =
        "impl T<O> for S { type P = V; fn f(&self, p: &Self::P) -> O { loop { self.x; } } }";
    assert_eq!(asked_by(block), ["S", "V"]);
}

#[test]
fn a_schema_shows_the_types_of_fields() {
    let ty = known(
        quote!(2 7 [(false x: Vec<f64>) (true n: usize) (false 2: [f64; 3])
        (false a: [f64; N]) (false t: T) (false o: Option<Inner>) (false s: String) (false r: &'a [f64])]
        [Inner { 2 8 [(false y: f32)] [] [] }] [T]),
        &[],
    );
    let Some(Ty::Struct(of)) = ty else {
        panic!("a struct");
    };
    assert_eq!(of.id, 7);
    let ty = |name: &str| {
        let member: syn::Member = syn::parse_str(name).expect("a field");
        let known = of.field(&(&member).into()).expect("it is there");
        (known.ty.clone(), known.constant)
    };
    assert_eq!(ty("x"), (Ty::Vec(Box::new(Ty::F64)), false));
    assert_eq!(ty("n"), (Ty::Int(Some(IntTy::Usize)), true));
    assert!(matches!(ty("2"), (Ty::Array(t, Some(_)), false) if *t == Ty::F64));
    for unseen in ["a", "t", "s", "r"] {
        assert_eq!(ty(unseen), (Ty::Unknown, false), "{unseen}");
    }
    let (Ty::Option(inner), _) = ty("o") else {
        panic!("an option");
    };
    assert!(matches!(*inner, Ty::Struct(inner) if inner.id == 8));
}

#[test]
fn parameters_that_stand_for_floats_are_known() {
    let schema = quote!(2 7 [(false x: Vec<T>) (false y: (T, U)) (false z: U) (false w: Vec<T::A>)] [] [U N T]);
    let fields = |itself: &str| {
        let itself = syn::parse_str(itself).expect("a type");
        let Some(Ty::Struct(of)) = super::of_itself(&schema, &itself) else {
            panic!("a struct");
        };
        of.fields
            .iter()
            .map(|known| known.ty.clone())
            .collect::<Vec<_>>()
    };
    let vec = |ty| Ty::Vec(Box::new(ty));
    let unseen = vec(Ty::Unknown);
    assert_eq!(
        fields("m::S<'a, V, 3, f32>"),
        [
            vec(Ty::F32),
            Ty::Tuple(vec![Ty::F32, Ty::Unknown]),
            Ty::Unknown,
            unseen.clone()
        ]
    );
    assert_eq!(
        fields("S"),
        [
            unseen.clone(),
            Ty::Tuple(vec![Ty::Unknown, Ty::Unknown]),
            Ty::Unknown,
            unseen
        ]
    );
}

#[test]
fn lengths_are_known_where_they_are_given() {
    let schema = quote!(2 7 [(false x: [[f64; C]; R]) (false y: [f64; LEN]) (false z: [f64; { C + 1 }])] [] [R C]);
    let field = |itself: &str, at: usize| {
        let itself = syn::parse_str(itself).expect("a type");
        let Some(Ty::Struct(of)) = super::of_itself(&schema, &itself) else {
            panic!("a struct");
        };
        of.fields[at].ty.clone()
    };
    let lengths = |itself: &str| {
        let Ty::Array(rows, Some(outer)) = field(itself, 0) else {
            panic!("an array");
        };
        let Ty::Array(_, Some(inner)) = *rows else {
            panic!("rows");
        };
        let written = Written::default();
        [outer, inner].map(|len| written.len_tokens(&len).to_string())
    };
    assert_eq!(lengths("Matrix<'a, N, 3>"), ["N", "3"]);
    assert_eq!(lengths("Matrix<C, R>"), ["C", "R"]);
    // What is not given, or a constant beside the definition, may mean anything here.
    for itself in ["Matrix", "Matrix<{ N + 1 }, m::N>"] {
        let unseen = match field(itself, 0) {
            Ty::Unknown => true,
            Ty::Array(rows, _) => *rows == Ty::Unknown,
            _ => false,
        };
        assert!(unseen, "{itself}");
    }
    for constant in [1, 2] {
        assert_eq!(field("Matrix<R, C>", constant), Ty::Unknown);
    }
}

#[test]
fn types_with_arguments_are_told_apart() {
    let paths = [syn::parse_quote!(Matrix)];
    let written = [
        syn::parse_quote!(Matrix<K, C>),
        syn::parse_quote!(Matrix<R, K>),
    ];
    let schema = quote!({ 2 7 [(false x: [f64; C])] [] [R C] });
    let structs = Written::with_structs(by_path(&paths, &written, schema));
    let len = |path: syn::Path| {
        let Some(Ty::Struct(of)) = structs.type_of(&path) else {
            panic!("a struct");
        };
        match &of.fields[0].ty {
            Ty::Array(_, Some(len)) => Some(structs.len_tokens(len).to_string()),
            _ => None,
        }
    };
    assert_eq!(len(syn::parse_quote!(Matrix<K, C>)).as_deref(), Some("C"));
    assert_eq!(len(syn::parse_quote!(Matrix<R, K>)).as_deref(), Some("K"));
    assert_eq!(len(syn::parse_quote!(Matrix<C, R>)), None);
    assert_eq!(len(syn::parse_quote!(Matrix)), None);
}

#[test]
fn what_is_not_understood_counts_as_none() {
    for other in [
        quote!(),
        quote!(1 7 [(false x: f64)] [] []),
        quote!(2 7 [(false x f64)] [] []),
        quote!(2 7 [(false x: f64)] []),
        quote!(2 7),
    ] {
        assert_eq!(known(other.clone(), &[]), None, "{other}");
    }
    let paths = [syn::parse_quote!(a::S), syn::parse_quote!(T)];
    let answers = by_path(&paths, &[], quote!({} { 2 9 [(false x: f64)] [] [] }));
    assert_eq!(answers.keys().collect::<Vec<_>>(), ["T"]);
}
