//! The code around a program: how its arguments are made from flat inputs, and how it is called.

use std::fmt::Write as _;

use crate::generate::{Own, Param, Program, Ty, entries};
use crate::own_types::{self, From};
use crate::project::Settings;
use crate::text::{Form, render};

/// What an adjoint holds before the reverse sweep adds to it.
const INITIAL: &str = "0.25";

/// A nested literal of the parameter's owned type; `leaf(k)` is its `k`-th float.
fn build(param: &Param, from: From, leaf: &dyn Fn(usize) -> String) -> String {
    let mut next = 0;
    let mut own = |o: &Own, variant: usize| {
        own_types::literal(o, variant, from, &mut || {
            next += 1;
            leaf(next - 1)
        })
    };
    let list = |from: usize, n: usize| (from..from + n).map(leaf).collect::<Vec<_>>().join(", ");
    match &param.ty {
        Ty::Own(o) | Ty::OwnRef(o) | Ty::OwnMut(o) => own(o, param.shape[0]),
        Ty::OwnVec(o) | Ty::OwnSlice(o) => {
            let all: Vec<String> = (0..param.shape[0]).map(|_| own(o, 0)).collect();
            format!("vec![{}]", all.join(", "))
        }
        Ty::Float | Ty::Ref | Ty::RefMut => leaf(0),
        Ty::Tuple(n) => format!("({})", list(0, *n)),
        Ty::TupleMut => format!("({})", list(0, 2)),
        Ty::Pairs(_) | Ty::Mixed | Ty::VectorMut => unreachable!("not a parameter of `f`"),
        Ty::Points => format!(
            "vec![{}]",
            (0..param.shape[0])
                .map(|i| format!("[{}]", list(2 * i, 2)))
                .collect::<Vec<_>>()
                .join(", ")
        ),
        Ty::Array(n) | Ty::ArrayRef(n) | Ty::ArrayMut(n) => format!("[{}]", list(0, *n)),
        Ty::Matrix(n, m) => format!(
            "[{}]",
            (0..*n)
                .map(|i| format!("[{}]", list(i * m, *m)))
                .collect::<Vec<_>>()
                .join(", ")
        ),
        Ty::MatrixSlice(m) => format!(
            "vec![{}]",
            (0..param.shape[0])
                .map(|i| format!("[{}]", list(i * m, *m)))
                .collect::<Vec<_>>()
                .join(", ")
        ),
        Ty::Vector | Ty::VectorRef | Ty::Slice | Ty::SliceMut => {
            format!("vec![{}]", list(0, param.shape[0]))
        }
        Ty::Rows | Ty::RowsSlice => {
            let mut at = 0;
            let rows: Vec<String> = param
                .shape
                .iter()
                .map(|n| {
                    at += n;
                    format!("vec![{}]", list(at - n, *n))
                })
                .collect();
            format!("vec![{}]", rows.join(", "))
        }
        Ty::Maybe => {
            if param.shape[0] == 1 {
                format!("Some({})", leaf(0))
            } else {
                "None".into()
            }
        }
        Ty::Size | Ty::Int | Ty::Bool | Ty::Unit | Ty::Fallible | Ty::Op | Ty::AnyArrayRef => {
            param.passive.clone()
        }
    }
}

/// How the owned value is passed.
fn passed(ty: &Ty, name: &str) -> String {
    match ty {
        Ty::Ref
        | Ty::ArrayRef(_)
        | Ty::Slice
        | Ty::VectorRef
        | Ty::MatrixSlice(_)
        | Ty::OwnRef(_)
        | Ty::OwnSlice(_)
        | Ty::RowsSlice => format!("&{name}"),
        own if own.in_out() => format!("&mut {name}"),
        _ => name.to_string(),
    }
}

fn differentiable(ty: &Ty) -> bool {
    !matches!(ty, Ty::Size | Ty::Int | Ty::Bool | Ty::Unit)
}

/// The program's text in one form and its own precision.
pub(crate) fn shown(program: &Program, form: Form) -> String {
    let text = render(&program.text(), form);
    if program.single {
        text.replace("f64", "f32")
    } else {
        text
    }
}

/// The files of program `number`: the program under test, and the oracle with what compares the two.
pub(crate) fn files(number: u32, program: &Program, settings: Settings) -> (String, String) {
    let (form, import) = if settings.with_macro {
        (
            Form::Gradient,
            "use retrograde::{gradient, no_gradient};\nuse retrograde::num_traits::Float;",
        )
    } else {
        (
            Form::Plain,
            "use retrograde::num_traits::Float;\nfn no_gradient<T>(x: T) -> T { x }",
        )
    };
    let primal = format!(
        "// Program {number}.\nuse crate::op::Op;\n{import}\n{}{}",
        shown(program, form),
        own_types::listings(&program.types, form, program.single)
    );
    let mut out = format!(
        "// Program {number}.\nuse crate::harness::{{Case, SEEDS, flat, forward, run}};\nuse crate::number::R;\nuse \
         crate::op::Op;\nuse programs::p{number} as primal;\n\n"
    );
    let _ = writeln!(
        out,
        "mod oracle {{\n    use crate::number::{{D, no_gradient, num}};\n    use crate::op::Op;\n{}{}}}\n",
        shown(program, Form::Oracle),
        own_types::listings(&program.types, Form::Oracle, false)
    );
    cases(number, program, settings, &mut out);
    if program.single {
        out = out
            .replace("crate::number", "crate::number32")
            .replace("crate::harness", "crate::harness32");
    }
    (primal, out)
}

/// `let a0 = …;` for each parameter, and the arguments.
fn arguments(program: &Program, source: &str) -> (String, Vec<String>) {
    let (mut lets, mut args, mut at) = (String::new(), Vec::new(), 0);
    let (cast, from) = if source == "p" {
        (" as R", From::Primal)
    } else {
        ("", From::Oracle)
    };
    for (k, param) in program.params.iter().enumerate() {
        let start = at;
        let annotation = if param.ty == Ty::Maybe && source == "q" {
            ": Option<crate::number::D>".to_string()
        } else if param.ty == Ty::Maybe {
            ": Option<R>".to_string()
        } else {
            String::new()
        };
        let _ = writeln!(
            lets,
            "        let mut a{k}{annotation} = {};",
            build(param, from, &|i| format!("{source}[{}]{cast}", start + i))
        );
        args.push(passed(&param.ty, &format!("a{k}")));
        at += entries(&param.ty, &param.shape);
    }
    (lets, args)
}

fn cases(number: u32, program: &Program, settings: Settings, out: &mut String) {
    let outputs: Vec<String> = (0..program.params.len())
        .filter(|&k| program.params[k].ty.in_out())
        .map(|k| format!("a{k}"))
        .collect();
    let (lets, args) = arguments(program, "p");
    let (dual_lets, dual_args) = arguments(program, "q");
    let mut results = vec!["r".to_string()];
    results.extend(outputs.iter().map(|a| format!("&{a}")));
    let values = results
        .iter()
        .map(|r| format!("v.extend(flat({r}));"))
        .collect::<Vec<_>>()
        .join(" ");
    let _ = writeln!(out, "#[allow(unused)]\npub fn case() {{");
    let _ = writeln!(
        out,
        "    let primal = |p: &[f64]| {{\n{lets}        let r = primal::f({});\n        let mut v = \
         Vec::new();\n        {values}\n        v\n    }};",
        args.join(", ")
    );
    let each = results
        .iter()
        .map(|r| format!("crate::harness::Flat::flat(&{r}, each);"))
        .collect::<Vec<_>>()
        .join(" ");
    let _ = writeln!(
        out,
        "    let oracle = |p: &[f64]| forward(p, |q, each| {{\n{dual_lets}        let r = \
         oracle::f({});\n        {each}\n    }});",
        dual_args.join(", ")
    );
    let (mut gradients, mut layouts) = (Vec::new(), Vec::new());
    if settings.with_macro {
        if matches!(program.ret, Ty::Float | Ty::Fallible) && outputs.is_empty() {
            f_grad(program, &lets, &args, out);
            f_grad_into(program, &lets, &args, out);
            gradients.extend([
                "(\"f_grad\", &f_grad as _)",
                "(\"f_grad_into\", &f_grad_into as _)",
            ]);
            layouts.push("f_grad_into");
        }
        f_adjoint(program, &lets, &args, &values, out);
        gradients.push("(\"f_adjoint\", &f_adjoint as _)");
        layouts.push("f_adjoint");
    }
    let layouts = if settings.layouts {
        compared_layouts(&layouts, out)
    } else {
        String::new()
    };
    let inputs: Vec<String> = program.inputs.iter().map(|p| format!("&{p:?}")).collect();
    let _ = writeln!(
        out,
        "    run(&Case {{ number: {number}, inputs: &[{}], primal: &primal, oracle: &oracle, gradients: &[{}], \
         layouts: &[{layouts}], may_panic: cfg!(debug_assertions) }});\n}}",
        inputs.join(", "),
        gradients.join(", ")
    );
}

/// Closures that compare the bits of gradients on several tapes, and the list of them. `f_grad` has a tape of its own,
/// and compares with `f_grad_into` on one of ours.
fn compared_layouts(names: &[&str], out: &mut String) -> String {
    let mut list = Vec::new();
    for name in names {
        let own = if *name == "f_grad_into" {
            "Some(&f_grad)"
        } else {
            "None"
        };
        let _ = writeln!(
            out,
            "    let {name}_layouts = std::cell::RefCell::new(retrograde::layouts::Layouts::new());\n    let \
             {name}_compared = |p: &[f64]| {name}_layouts.borrow_mut().difference(p, &{name}_on, {own});"
        );
        list.push(format!("(\"{name}\", &{name}_compared as _)"));
    }
    list.join(", ")
}

fn f_grad(program: &Program, lets: &str, args: &[String], out: &mut String) {
    if program.ret == Ty::Fallible {
        let _ = writeln!(
            out,
            "    let f_grad = |p: &[f64]| {{\n{lets}        match primal::f_grad({}) {{ Ok((r, g)) => (flat(r), \
             flat(g).iter().map(|g| SEEDS[0] * g).collect()), Err(k) => (vec![k as f64], vec![0.0; p.len()]) }}\n    \
             }};",
            args.join(", ")
        );
        return;
    }
    let _ = writeln!(
        out,
        "    let f_grad = |p: &[f64]| {{\n{lets}        let (r, g) = primal::f_grad({});\n        (flat(r), \
         flat(g).iter().map(|g| SEEDS[0] * g).collect())\n    }};",
        args.join(", ")
    );
}

/// Buffers, with `fill` in each entry.
fn buffers(program: &Program, args: &[String], fill: &str) -> (String, Vec<String>, Vec<String>) {
    let (mut lets, mut with, mut names) = (String::new(), Vec::new(), Vec::new());
    let mut seeds = usize::from(matches!(program.ret, Ty::Float | Ty::Fallible))
        + match &program.ret {
            Ty::Tuple(n) | Ty::Array(n) => *n,
            Ty::Own(o) => o.entries(0),
            _ => 0,
        };
    for (k, param) in program.params.iter().enumerate() {
        with.push(args[k].clone());
        if !differentiable(&param.ty) {
            continue;
        }
        let value = if param.ty == Ty::Op {
            "()".to_string()
        } else if param.ty.in_out() {
            let from = seeds;
            seeds += entries(&param.ty, &param.shape);
            build(param, From::Tangent, &|i| {
                format!("SEEDS[{}] as R", (from + i) % 8)
            })
        } else {
            build(param, From::Tangent, &|_| fill.to_string())
        };
        let annotation = if param.ty == Ty::Maybe {
            ": Option<R>"
        } else {
            ""
        };
        let _ = writeln!(lets, "        let mut b{k}{annotation} = {value};");
        with.push(format!("&mut b{k}"));
        names.push(k.to_string());
    }
    (lets, with, names)
}

fn f_grad_into(program: &Program, lets: &str, args: &[String], out: &mut String) {
    let (buffer_lets, with, names) = buffers(program, args, "99.5");
    let gather = names
        .iter()
        .map(|k| format!("g.extend(flat(&b{k}));"))
        .collect::<Vec<_>>()
        .join(" ");
    let _ = writeln!(
        out,
        "    let f_grad_into_on = |tape: &mut retrograde::Tape, p: &[f64]| {{\n{lets}{buffer_lets}        let r = \
         primal::f_grad_into(tape, {});\n        let mut g = Vec::new();\n        {gather}\n        (flat(r), \
             g.iter().map(|g| SEEDS[0] * g).collect())\n    }};\n    let tape = \
                 std::cell::RefCell::new(retrograde::Tape::new());\n    let f_grad_into = |p: &[f64]| \
                     f_grad_into_on(&mut tape.borrow_mut(), p);",
        with.join(", ")
    );
}

fn f_adjoint(program: &Program, lets: &str, args: &[String], values: &str, out: &mut String) {
    let (buffer_lets, with, names) = buffers(program, args, INITIAL);
    let seed = match &program.ret {
        Ty::Float | Ty::Fallible => "SEEDS[0] as R".to_owned(),
        Ty::Unit => "()".into(),
        Ty::Tuple(_) => "(SEEDS[0] as R, SEEDS[1] as R)".into(),
        Ty::Own(o) => {
            let mut next = 0;
            own_types::literal(o, 0, From::Tangent, &mut || {
                next += 1;
                format!("SEEDS[{}] as R", (next - 1) % 8)
            })
        }
        _ => "[SEEDS[0] as R, SEEDS[1] as R]".into(),
    };
    let gather = names
        .iter()
        .map(|k| {
            let index: usize = k.parse().expect("an index");
            let less = if program.params[index].ty.in_out() {
                "0.0"
            } else {
                INITIAL
            };
            format!("g.extend(flat(&b{k}).iter().map(|g| g - {less}));")
        })
        .collect::<Vec<_>>()
        .join(" ");
    let _ = writeln!(
        out,
        "    let f_adjoint_on = |tape: &mut retrograde::Tape, p: &[f64]| {{\n{lets}{buffer_lets}        let r = \
         primal::f_adjoint(tape, {}, {seed});\n        let mut v = Vec::new();\n        {values}\n        let mut g: \
             Vec<f64> = Vec::new();\n        {gather}\n        (v, g)\n    }};\n    let adjoint_tape = \
                 std::cell::RefCell::new(retrograde::Tape::new());\n    let f_adjoint = |p: &[f64]| f_adjoint_on(&mut \
                     adjoint_tape.borrow_mut(), p);",
        with.join(", ")
    );
}
