//! What the code around a program writes for the types that it declares: values, and how their numbers are listed.

use std::fmt::Write as _;

use crate::generate::{Body, Own, Ty, Variant};
use crate::text::{Form, render};

/// Where the types of a value come from.
#[derive(Clone, Copy)]
pub(crate) enum From {
    Primal,
    Oracle,
    /// The tangents of the program's types.
    Tangent,
}

/// A value of type `own`; `leaf` gives its floats one after the other.
pub(crate) fn literal(
    own: &Own,
    variant: usize,
    from: From,
    leaf: &mut dyn FnMut() -> String,
) -> String {
    let (path, variant) = own.variant(variant);
    let path = match from {
        From::Primal => format!("primal::{path}"),
        From::Oracle => format!("oracle::{path}"),
        From::Tangent => format!("primal::{}", tangent(own, &path)),
    };
    let parts: Vec<String> = variant
        .fields
        .iter()
        .map(|(_, ty)| {
            let mut list = |n: usize| (0..n).map(|_| leaf()).collect::<Vec<_>>().join(", ");
            match ty {
                Ty::Array(n) => format!("[{}]", list(*n)),
                Ty::Tuple(n) => format!("({})", list(*n)),
                Ty::Vector => format!("vec![{}]", list(2)),
                Ty::Own(inner) => literal(inner, 0, from, leaf),
                Ty::Size => match from {
                    From::Tangent => "()".into(),
                    _ => "2".into(),
                },
                _ => leaf(),
            }
        })
        .collect();
    variant.written(&path, &parts)
}

fn tangent(own: &Own, path: &str) -> String {
    path.replacen(&own.name, &format!("{}Tangent", own.name), 1)
}

/// Lists the numbers of the program's types, in that form, and those of their tangents.
pub(crate) fn listings(types: &[std::rc::Rc<Own>], form: Form, single: bool) -> String {
    let mut out = String::new();
    for own in types {
        let args = render(own.args, form);
        let args = if single {
            args.replace("f64", "f32")
        } else {
            args
        };
        listing(own, &own.name, &args, false, &mut out);
        if form == Form::Gradient {
            listing(own, &format!("{}Tangent", own.name), &args, true, &mut out);
        }
    }
    if single {
        out.replace("crate::harness", "crate::harness32")
    } else {
        out
    }
}

fn listing(own: &Own, name: &str, args: &str, tangent: bool, out: &mut String) {
    let arm = |v: &Variant, path: &str| {
        let names: Vec<String> = (0..v.fields.len()).map(|k| format!("a{k}")).collect();
        let calls: Vec<String> = v
            .fields
            .iter()
            .zip(&names)
            .filter(|((_, ty), _)| tangent || *ty != Ty::Size)
            .map(|(_, a)| format!("crate::harness::Flat::flat({a}, each);"))
            .collect();
        format!("{} => {{ {} }}", v.written(path, &names), calls.join(" "))
    };
    let arms = match &own.body {
        Body::Struct(v) => arm(v, name),
        Body::Enum(all) => all
            .iter()
            .map(|v| arm(v, &format!("{name}::{}", v.name)))
            .collect::<Vec<_>>()
            .join(" "),
    };
    let _ = writeln!(
        out,
        "impl crate::harness::Flat for {name}{args} {{ fn flat(&self, each: &mut dyn FnMut(f64, f64)) {{ match self {{ \
         {arms} }} }} }}"
    );
}
