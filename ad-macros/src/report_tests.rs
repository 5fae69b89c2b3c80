//! What the tests of the workspace say of transformations is true.
//!
//! Functions in `tests` quote, in their documentation, what the report says of them: a whole line of it, as in "not
//! applied `jam`: forward: it computes with integers", or only which transformations change the function, and which
//! do not: "applied `jam`, `terms`", "not applied `defer`".
//!
//! A function in `twins!` runs with and without transformations. If those that it is about did not apply, its test
//! would compare equal code. So each such function with a loop in it has a quote. Those of `switched!` have the names
//! of the transformations that change them.

use std::path::{Path, PathBuf};

use proc_macro2::TokenStream;
use quote::quote;
use syn::visit::Visit;

use crate::diag::Diagnostics;
use crate::expansion_tests::{Found, Functions, sources};
use crate::explain::Explain;
use crate::ir::{Sweeps, Transform};
use crate::lower::Owner;
use crate::options::Options;
use crate::surroundings::give_text;
use crate::{inlining, pipeline};

/// Both sweeps of a function, and their report.
struct Compiled {
    sweeps: Sweeps,
    explain: Explain,
}

impl Compiled {
    fn text(&self) -> String {
        self.sweeps.text()
    }
}

/// A function under `#[gradient(arguments)]`.
fn sweeps_of(arguments: TokenStream, function: &syn::ItemFn) -> Compiled {
    let (options, _mistakes) = Options::parse(arguments).expect("arguments of the attribute");
    let mut diags = Diagnostics::new();
    let transforms = options.transforms;
    let mut owner = Owner::default();
    if transforms.has(Transform::Inline) {
        owner.beside = inlining::of(function, &owner);
    }
    let primal = pipeline::structured_in(function, &owner, &mut diags);
    let primal = primal.unwrap_or_else(|_| panic!("`{}` has no IR", function.sig.ident));
    let primal = pipeline::unrolled(primal, transforms, &mut diags).expect("an unrolled IR");
    let (sweeps, explain) = pipeline::sweeps(primal, transforms, &mut diags).expect("sweeps");
    Compiled { sweeps, explain }
}

/// The sweeps without one transformation.
fn without(one: Transform, arguments: &TokenStream, function: &syn::ItemFn) -> Compiled {
    let name = quote::format_ident!("{}", one.name());
    let separator = (!arguments.is_empty()).then(|| quote!(,));
    sweeps_of(quote!(#arguments #separator no(#name)), function)
}

/// Whether a transformation has changed the sweeps. It says so in the report, or the sweeps are others without it.
fn applies(
    one: Transform,
    sweeps: &Compiled,
    arguments: &TokenStream,
    function: &syn::ItemFn,
) -> bool {
    let report = sweeps.explain.text();
    match one {
        Transform::Recompute => report
            .lines()
            .any(|l| l.trim_start().starts_with("recomputes ")),
        // They change single expressions, or remove the loop that the report would be about.
        Transform::Factors | Transform::MulAdd | Transform::Unroll => {
            sweeps.text() != without(one, arguments, function).text()
        }
        Transform::Reslice
        | Transform::Lanes
        | Transform::Wide
        | Transform::Gather
        | Transform::Combine
        | Transform::Jam
        | Transform::Induction
        | Transform::Inline
        | Transform::Motion
        | Transform::Preallocate
        | Transform::Scalars
        | Transform::Rename
        | Transform::Speculate
        | Transform::Replay
        | Transform::Ahead
        | Transform::Sink
        | Transform::Hoist
        | Transform::Terms
        | Transform::Defer
        | Transform::Assign
        | Transform::Cut
        | Transform::Last
        | Transform::Outputs
        | Transform::Bulk
        | Transform::Fuse
        | Transform::Forward
        | Transform::Interchange
        | Transform::Strips
        | Transform::Tiles
        | Transform::Recycle => {
            let line = format!("applied `{}`: ", one.name());
            report.lines().any(|l| l.trim_start().starts_with(&line))
        }
    }
}

/// The functions of a file that are under `#[gradient]` or arguments of a macro.
fn functions(path: &Path) -> Vec<Found> {
    let source = std::fs::read_to_string(path).expect("a readable file");
    give_text(&source);
    let mut functions = Functions::default();
    functions.visit_file(&syn::parse_file(&source).expect("it parses"));
    functions.found
}

/// The folder of the workspace's tests. There is none where the crate is alone.
fn tests() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests");
    folder.exists().then_some(folder)
}

/// "applied …" and "not applied …" of its documentation.
fn quotes(item: &syn::ItemFn) -> Vec<String> {
    let line = |attr: &syn::Attribute| {
        if let syn::Meta::NameValue(doc) = &attr.meta
            && doc.path.is_ident("doc")
        {
            if let syn::Expr::Lit(syn::ExprLit {
                lit: syn::Lit::Str(text),
                ..
            }) = &doc.value
            {
                Some(text.value().trim().to_owned())
            } else {
                None
            }
        } else {
            None
        }
    };
    let mut quotes: Vec<String> = Vec::new();
    let mut goes_on = false;
    for line in item.attrs.iter().filter_map(line) {
        if line.starts_with("applied ") || line.starts_with("not applied ") {
            // A whole line of the report may take several of the documentation.
            goes_on = line.contains("`: ");
            quotes.push(line);
        } else if let Some(quote) = quotes.last_mut().filter(|_| goes_on && !line.is_empty()) {
            *quote += " ";
            *quote += &line;
        } else {
            goes_on = false;
        }
    }
    quotes
}

/// Whether a quote is true of a function.
fn holds(quote: &str, sweeps: &Compiled, arguments: &TokenStream, function: &syn::ItemFn) -> bool {
    if quote.contains("`: ") {
        let report = sweeps.explain.text();
        return report.lines().any(|line| line.trim() == quote);
    }
    let is_applied = quote.starts_with("applied");
    let names = quote.split('`').skip(1).step_by(2);
    names.into_iter().all(|name| {
        let one = Transform::ALL.iter().find(|one| one.name() == name);
        let one = one.unwrap_or_else(|| panic!("`{name}` is no transformation"));
        applies(*one, sweeps, arguments, function) == is_applied
    })
}

#[test]
fn quotes_of_the_report_are_true() {
    let Some(folder) = tests() else { return };
    let mut files = Vec::new();
    sources(&folder, &mut files);
    let (mut compared, mut wrong) = (0, Vec::new());
    for file in files
        .iter()
        // The grammar of another edition.
        .filter(|file| !file.starts_with(folder.join("crates/edition-2015")))
        .filter(|file| !file.starts_with(folder.join("ui")))
    {
        for found in functions(file) {
            let Ok(function) = syn::parse2::<syn::ItemFn>(found.item) else {
                continue; // a method
            };
            let quotes = quotes(&function);
            let is_twin = found.within.as_deref() == Some("twins");
            if quotes.is_empty() && !is_twin {
                continue;
            }
            let at = format!("{}, `{}`", file.display(), found.name);
            let sweeps = sweeps_of(found.arguments.clone(), &function);
            let report = sweeps.explain.text();
            if quotes.is_empty() && report.contains("loop") {
                wrong.push(format!("{at} does not say what applies:\n{report}"));
            }
            for quote in quotes {
                compared += 1;
                if !holds(&quote, &sweeps, &found.arguments, &function) {
                    wrong.push(format!("{at}: {quote}\n{report}"));
                }
            }
        }
    }
    assert!(compared > 100, "{compared} quotes");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// `tests/transforms/switches.rs` shows that value and gradient are right with and without each transformation.
/// Here is shown that the list there is complete, and that each function there is one that its transformation
/// changes.
#[test]
fn each_transformation_is_switched_off_where_it_applies() {
    let Some(folder) = tests() else { return };
    let mut functions = functions(&folder.join("transforms/switches.rs"));
    functions.retain(|found| found.within.as_deref() == Some("switched"));
    let names: Vec<&str> = functions.iter().map(|found| found.name.as_str()).collect();
    // What a macro is given is no function of its module: `tests/transforms/inline.rs` has that.
    let all = || {
        Transform::ALL
            .iter()
            .filter(|one| **one != Transform::Inline)
    };
    let listed: Vec<&str> = all().map(|one| one.name()).collect();
    assert_eq!(
        names, listed,
        "one function for each transformation, in their order"
    );
    for (one, found) in all().zip(functions) {
        let function: syn::ItemFn = syn::parse2(found.item).expect("a function");
        let sweeps = sweeps_of(TokenStream::new(), &function);
        let nothing = TokenStream::new();
        let report = sweeps.explain.text();
        assert!(
            applies(*one, &sweeps, &nothing, &function),
            "`{}` does not apply to its function:\n{report}",
            found.name
        );
        assert!(!report.contains("switched off"), "{report}");
        let off = without(*one, &nothing, &function).explain.text();
        let line = format!("switched off: {}", one.name());
        assert!(off.lines().any(|l| l == line), "{off}");
        let applied = format!("applied `{}`", one.name());
        let named = off.lines().any(|l| l.trim_start().starts_with(&applied));
        assert!(!named, "`{}` applies, switched off:\n{off}", found.name);
    }
}
