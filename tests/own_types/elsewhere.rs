//! Where the derive stands, and what else has the names that it uses.

mod no_std_names {
    #![no_implicit_prelude]

    #[derive(::retrograde::Differentiable)]
    pub(super) struct Plain<T> {
        pub(super) list: ::std::vec::Vec<T>,
        pub(super) number: ::core::primitive::f64,
    }
}

#[allow(non_camel_case_types)]
mod taken {
    use retrograde::Differentiable as _;

    macro_rules! taken {
        ($($name:ident)*) => { $(
            #[derive(retrograde::Differentiable, Clone, Debug, PartialEq)]
            pub(super) struct $name {
                pub(super) number: std::primitive::f64,
            }
        )* };
    }

    taken! { Vec Option Box Tangent Differentiable FixedShape Default PartialEq Result f64 bool }

    #[derive(retrograde::Differentiable)]
    pub(super) struct All {
        pub(super) vec: Vec,
        pub(super) option: Option,
        pub(super) boxed: Box,
        pub(super) tangent: Tangent,
        pub(super) number: f64,
        pub(super) flag: bool,
        pub(super) result: Result,
        pub(super) eq: PartialEq,
    }

    pub(super) fn all() -> AllTangent {
        let number = 1.0;
        let all = All {
            vec: Vec { number },
            option: Option { number },
            boxed: Box { number },
            tangent: Tangent { number },
            number: f64 { number },
            flag: bool { number },
            result: Result { number },
            eq: PartialEq { number },
        };
        all.zero_tangent()
    }
}

mod library {
    use retrograde::Differentiable;

    /// A private type in a field of a public one.
    #[derive(Differentiable, Clone, Debug, PartialEq)]
    struct Hidden {
        number: f64,
        long: [f64; 40],
    }

    #[derive(Differentiable, Clone, Debug, PartialEq)]
    pub(crate) struct Shown {
        pub open: f64,
        pub(crate) within: f64,
        hidden: Hidden,
    }

    impl Shown {
        pub(super) fn new(open: f64) -> Self {
            let hidden = Hidden {
                number: open,
                long: [0.0; 40],
            };
            Shown {
                open,
                within: open,
                hidden,
            }
        }
    }
}

use retrograde::{Differentiable, Tangent};

#[test]
fn names_of_std_are_not_needed() {
    let plain = no_std_names::Plain {
        list: vec![1.0],
        number: 2.0,
    };
    assert_eq!(
        plain.zero_tangent(),
        no_std_names::PlainTangent {
            list: vec![0.0],
            number: 0.0
        }
    );
}

#[test]
fn names_may_be_taken() {
    let all = taken::all();
    assert_eq!(
        (all.vec.number, all.number.number, all.eq.number),
        (0.0, 0.0, 0.0)
    );
    assert_eq!(
        (all.option.number, all.boxed.number, all.tangent.number),
        (0.0, 0.0, 0.0)
    );
    assert_eq!((all.flag.number, all.result.number), (0.0, 0.0));
}

#[test]
fn visibility_is_that_of_the_type() {
    let value = library::Shown::new(1.0);
    let mut tangent = library::ShownTangent::default();
    tangent.open = 1.0;
    tangent.within = 2.0;
    assert_eq!(tangent.norm(), 5.0_f64.sqrt());
    assert!(value.check_shape(&tangent).is_ok());
}

#[test]
fn in_a_function_body() {
    #[derive(Differentiable, Clone)]
    struct Local {
        a: f64,
    }
    #[derive(Differentiable, Clone)]
    pub(crate) struct Open<T> {
        pub local: T,
    }
    let zero = Open {
        local: Local { a: 1.0 },
    }
    .zero_tangent();
    assert_eq!(
        zero,
        OpenTangent {
            local: LocalTangent { a: 0.0 }
        }
    );
}

macro_rules! declare {
    ($vis:vis $name:ident, $($field:ident: $ty:ty),*; $tangent:ident) => {
        #[derive(Differentiable, Clone)]
        #[differentiable(tangent = $tangent)]
        $vis struct $name {
            $($field: $ty,)*
            hygienic: f64,
        }

        impl $name {
            fn new() -> Self {
                $name { $($field: Default::default(),)* hygienic: 1.0 }
            }
        }
    };
}

declare! { pub(crate) Declared, r#type: f64, list: Vec<f64>, pair: (f64, Option<f64>); Slope }

#[test]
fn from_a_macro() {
    let mut value = Declared::new();
    value.step(
        2.0,
        &Slope {
            r#type: 3.0,
            list: vec![],
            pair: (0.0, None),
            hygienic: 1.0,
        },
    );
    assert_eq!((value.r#type, value.hygienic), (6.0, 3.0));
    let mut wrong = value.zero_tangent();
    wrong.pair.1 = Some(1.0);
    assert_eq!(
        value.check_shape(&wrong).unwrap_err().to_string(),
        "a value that is `None` has a tangent that is `Some`, at `.pair.1`"
    );
}

#[derive(Differentiable, Clone)]
#[allow(non_camel_case_types)]
struct r#match {
    r#fn: f64,
    r#struct: Vec<f64>,
}

#[test]
fn raw_identifiers() {
    let value = r#match {
        r#fn: 1.0,
        r#struct: vec![1.0],
    };
    let zero = value.zero_tangent();
    assert_eq!(
        format!("{zero:?}"),
        "matchTangent { fn: 0.0, struct: [0.0] }"
    );
    let short = matchTangent {
        r#struct: vec![],
        ..zero
    };
    assert!(
        value
            .check_shape(&short)
            .unwrap_err()
            .to_string()
            .ends_with("at `.struct`")
    );
}
