//! How long `#[gradient]` takes to expand functions of 50 and 500 lines.
//!
//! A proc-macro crate exports nothing but its macros, so the compiler's modules are compiled in here.

#![allow(dead_code, unused_imports, missing_docs)]

#[path = "../src/accessors.rs"]
mod accessors;
#[path = "../src/aliases/mod.rs"]
mod aliases;
#[path = "../src/analysis/mod.rs"]
mod analysis;
#[path = "../src/block.rs"]
mod block;
#[path = "../src/configurations.rs"]
mod configurations;
#[path = "../src/diag/mod.rs"]
mod diag;
#[path = "../src/dump.rs"]
mod dump;
#[path = "../src/edition.rs"]
mod edition;
#[path = "../src/elided.rs"]
mod elided;
#[path = "../src/emit/mod.rs"]
mod emit;
#[path = "../src/explain/mod.rs"]
mod explain;
#[path = "../src/functions/mod.rs"]
mod functions;
#[path = "../src/generic/mod.rs"]
mod generic;
#[path = "../src/hash.rs"]
mod hash;
#[path = "../src/indexed/mod.rs"]
mod indexed;
#[path = "../src/inlining/mod.rs"]
mod inlining;
#[path = "../src/input.rs"]
mod input;
#[path = "../src/interface/mod.rs"]
mod interface;
#[path = "../src/ir/mod.rs"]
mod ir;
#[path = "../src/iterated.rs"]
mod iterated;
#[path = "../src/known_types.rs"]
mod known_types;
#[path = "../src/leaving.rs"]
mod leaving;
#[path = "../src/lent.rs"]
mod lent;
#[path = "../src/lower/mod.rs"]
mod lower;
#[path = "../src/once_more.rs"]
mod once_more;
#[path = "../src/optimize/mod.rs"]
mod optimize;
#[path = "../src/options.rs"]
mod options;
#[path = "../src/own_macros/mod.rs"]
mod own_macros;
#[path = "../src/pipeline.rs"]
mod pipeline;
#[path = "../src/returned_self.rs"]
mod returned_self;
#[path = "../src/reverse/mod.rs"]
mod reverse;
#[path = "../src/schema/mod.rs"]
mod schema;
#[path = "../src/seeds.rs"]
mod seeds;
#[path = "../src/shown/mod.rs"]
mod shown;
#[path = "../src/stages.rs"]
mod stages;
#[path = "../src/surroundings/mod.rs"]
mod surroundings;
#[path = "../src/traits/mod.rs"]
mod traits;

use std::fmt::Write;
use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};

/// A function of about `lines` lines: blocks of arithmetic, branches, loops and array updates.
fn source(lines: usize) -> String {
    let mut text = String::from(
        "fn f(x: &[f64], y: f64, n: usize) -> f64 {\n    let mut s = y;\n    let mut v = x.to_vec();\n",
    );
    let mut k = 0;
    while text.lines().count() + 12 < lines {
        let _ = write!(
            text,
            "    let a{k} = s * y + x[{k} % n];\n    let b{k} = (a{k} * 0.5).sin() + a{k} / (1.0 + y * y);\n    \
             if a{k} > b{k} {{\n        s += a{k} * b{k};\n    }} else {{\n        s -= b{k}.exp();\n    }}\n    \
             for i in 1..n {{\n        let t = v[i] * v[i - 1] + s;\n        v[i] = t.tanh();\n        s += t * \
                 x[i];\n    }}\n"
        );
        k += 1;
    }
    text.push_str("    s * v[0]\n}\n");
    text
}

/// A function of about `lines` lines without a loop: roots, each of which divides several times.
fn quotients(lines: usize) -> String {
    let mut text = String::from("fn f(x: &[f64], y: f64) -> f64 {\n    let mut s = y;\n");
    for k in 0..(lines - 4) / 4 {
        let _ = write!(
            text,
            "    let l{k} = (x[{k}] * x[{k}] + s * s).sqrt();\n    let a{k} = (l{k} - y) / l{k};\n    \
             let b{k} = x[{k}] / l{k} + a{k} / l{k};\n    s += a{k} * b{k} / l{k};\n"
        );
    }
    text.push_str("    s\n}\n");
    text
}

fn expand(c: &mut Criterion) {
    let mut group = c.benchmark_group("expand");
    for (what, source) in [
        ("", source as fn(usize) -> String),
        (" of roots", quotients),
    ] {
        for lines in [50, 500] {
            let item: proc_macro2::TokenStream = source(lines).parse().expect("the source is Rust");
            group.bench_function(format!("{lines} lines{what}"), |b| {
                b.iter(|| {
                    black_box(pipeline::expand(
                        proc_macro2::TokenStream::new(),
                        item.clone(),
                    ))
                });
            });
        }
    }
    group.finish();
}

criterion_group!(benches, expand);
criterion_main!(benches);
