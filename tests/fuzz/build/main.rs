//! What the soak needs of its library besides the library itself.
//!
//! The functions in `src/soak/library` are ordinary code under `#[gradient]`. This script reads them and writes, for
//! each file, the same functions once more without any transformation (`off`) and over dual numbers (`dual`), and for
//! each public function the calls of everything that `#[gradient]` generates for it (a `Subject`).

#![allow(clippy::print_stdout, reason = "how a build script talks to cargo")]

mod dual;
mod glue;

use std::path::{Path, PathBuf};
use std::{env, fs};

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::visit_mut::VisitMut;

fn main() {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    let library = root.join("src/soak/library");
    println!("cargo::rerun-if-changed=build");
    println!("cargo::rerun-if-changed=src/soak/library");
    println!("cargo::rerun-if-changed=emitted/number.rs");
    let mut files: Vec<PathBuf> = fs::read_dir(&library)
        .expect("the library is there")
        .map(|entry| entry.expect("readable").path())
        .filter(|path| path.file_name().is_some_and(|name| name != "mod.rs"))
        .collect();
    files.sort();
    // Lines, so that what rustc says about them can be read.
    let text = generated(&files).to_string().replace(" ; ", " ;\n");
    fs::write(out.join("soak.rs"), text).expect("written");

    // The same dual numbers for `f32`: values round as those of `f32` do.
    let number = fs::read_to_string(root.join("emitted/number.rs")).expect("readable");
    let number = number
        .lines()
        .filter(|line| !line.starts_with("//!"))
        .map(|line| line.replace("pub type R = f64;", "pub type R = f32;") + "\n")
        .collect::<String>();
    fs::write(out.join("number32.rs"), number).expect("written");
}

fn generated(files: &[PathBuf]) -> TokenStream {
    let (mut off, mut duals, mut calls, mut names) = (vec![], vec![], vec![], vec![]);
    for path in files {
        let module = format_ident!("{}", stem(path));
        let text = fs::read_to_string(path).expect("readable");
        let mut file = syn::parse_file(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        file.attrs.clear();
        for item in &file.items {
            if let Some(subject) = glue::subject(&module, item) {
                calls.push(subject.code);
                names.push(subject.name);
            }
        }
        let mut plain = file.clone();
        dual::WithoutTransformations.visit_file_mut(&mut plain);
        let plain = plain.items;
        off.push(quote!(pub(crate) mod #module { #(#plain)* }));
        let single = text.contains("f32");
        assert!(
            !single || !text.contains("f64"),
            "{}: one float type per file",
            path.display()
        );
        let numbers = if single {
            format_ident!("number32")
        } else {
            format_ident!("number")
        };
        let over_duals = dual::over_duals(file);
        duals.push(quote! {
            pub(crate) mod #module {
                use crate::soak::#numbers::{D, R, num};
                #(#over_duals)*
            }
        });
    }
    quote! {
        pub(crate) mod off { #(#off)* }
        pub(crate) mod dual { #(#duals)* }
        pub(crate) mod calls {
            use retrograde::{Tape, TapeError};
            use crate::soak::argument::{Argument, Seeder};
            use crate::soak::subject::{Entry, Input, Outcome};
            #(#calls)*
        }
        /// All functions of the library.
        pub(crate) const SUBJECTS: &[Subject] = &[#(calls::#names::SUBJECT),*];
    }
}

fn stem(path: &Path) -> String {
    path.file_stem()
        .expect("a name")
        .to_string_lossy()
        .into_owned()
}
