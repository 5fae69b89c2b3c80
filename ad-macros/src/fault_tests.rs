//! Each fault changes what is generated for a function of `tests/faults`; some, the verifier refuses.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use proc_macro2::TokenStream;
use syn::visit::Visit;

use crate::expansion_tests::{Functions, sources};
use crate::ir::faults::{Catch, Fault, ON};
use crate::surroundings::give_text;

/// A file, and functions in it under `#[gradient]`, with the arguments of the attribute.
type Module = (String, Vec<(TokenStream, TokenStream)>);

/// The functions of each module.
fn modules(folder: &Path) -> BTreeMap<String, Module> {
    let mut files: Vec<PathBuf> = Vec::new();
    sources(folder, &mut files);
    let mut modules = BTreeMap::new();
    for file in files {
        let source = std::fs::read_to_string(file).expect("a readable file");
        for item in syn::parse_file(&source).expect("it parses").items {
            let syn::Item::Mod(module) = item else {
                continue;
            };
            let mut functions = Functions::default();
            functions.visit_item_mod(&module);
            let found = functions.found.into_iter().map(|f| (f.arguments, f.item));
            let found = (source.clone(), found.collect());
            modules.insert(module.ident.to_string(), found);
        }
    }
    modules
}

/// What is generated for the functions of a module, without the documentation.
fn generated((source, module): &Module, fault: Option<Fault>) -> String {
    give_text(source);
    ON.set(fault);
    let expand = |(arguments, item): &(TokenStream, TokenStream)| {
        crate::pipeline::expand(arguments.clone(), item.clone())
    };
    let all: TokenStream = module.iter().map(expand).collect();
    ON.set(None);
    let text = prettyplease::unparse(&syn::parse2(all).expect("the expansion parses"));
    let code = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("///"));
    code.collect::<Vec<_>>().join("\n")
}

#[test]
fn each_fault_changes_its_function() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/faults");
    if !folder.exists() {
        return;
    }
    let modules = modules(&folder);
    let mut wrong = Vec::new();
    for fault in Fault::ALL {
        let name = fault.name();
        let Some(module) = modules.get(name) else {
            wrong.push(format!("{name}: no module in tests/faults"));
            continue;
        };
        let (right, faulty) = (generated(module, None), generated(module, Some(*fault)));
        if right.contains("compile_error") {
            wrong.push(format!("{name}: refused without the fault"));
        }
        if right == faulty {
            wrong.push(format!("{name}: changes nothing"));
        }
        let verifier = faulty.contains("retrograde made a mistake");
        if verifier != (fault.caught() == Catch::Verifier) {
            wrong.push(format!("{name}: refused by the verifier: {verifier}"));
        }
    }
    let known = |name: &&String| Fault::ALL.iter().all(|fault| fault.name() != name.as_str());
    let others = modules
        .iter()
        .filter(|(_, (_, functions))| !functions.is_empty());
    for name in others.map(|(name, _)| name).filter(known) {
        wrong.push(format!("{name}: no fault"));
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}
