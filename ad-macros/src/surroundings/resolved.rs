//! Functions that have a module of their name beside them, or are re-exported beside one, in another module:
//! `use crate::distributions::cdf;`, where `distributions` has `pub mod cdf;` and `pub fn cdf`, or `pub use cdf::cdf;`.
//!
//! The path is followed by the names of modules. Two modules of one name have to agree; a wrong guess is an error of
//! rustc, as the name of the hidden type is found nowhere else.

use std::path::Path;

use proc_macro2::Span;

use super::package::{for_each_file_where, module_name};
use super::same_name::{Import, braces_of_modules, by_import, innermost, is_root, module_before};
use super::{Blocks, declarations, declares_function, look};

/// Re-exports of re-exports: as many as one looks through.
const DEPTH: usize = 4;

/// The path behind which the hidden type of the function is, where its name is shared there: `module`, a path from
/// the place of the token, is where the function is imported from.
pub(super) fn behind(module: &[String], name: &str, at: Span) -> Option<Vec<String>> {
    followed(module, name, at, DEPTH)
}

fn followed(module: &[String], name: &str, at: Span, depth: usize) -> Option<Vec<String>> {
    let last = module.last().filter(|_| depth > 0)?;
    let mut found: Vec<Says> = Vec::new();
    let mut note = |says: Option<Says>| found.extend(says.filter(|says| !found.contains(says)));
    let target = look(at, |blocks, open| target(module, last, blocks, &open))??;
    match &target {
        Target::Here(brace) => look(at, |blocks, _| note(says(blocks, *brace, name)))?,
        Target::Named(of) => {
            let mut visit = |blocks: &Blocks| {
                for_each_module(blocks, of, &mut |brace| note(says(blocks, brace, name)));
            };
            look(at, |blocks, _| visit(blocks))?;
            let of_name = |file: &Path, text: &str| {
                let is_module = of == "crate" || module_name(file) == *of;
                text.contains(name) && (is_module || text.contains(&format!("mod {of}")))
            };
            for_each_file_where(at, of_name, |_, blocks| visit(blocks));
        }
    }
    let says = found.pop().filter(|_| found.is_empty())?;
    match says {
        Says::Beside => Some(module.to_vec()),
        Says::Imported(path) => {
            let (of, from) = path.split_last()?;
            let next = joined(module, from)?;
            if from.last() == Some(of) {
                return Some(next);
            }
            followed(&next, of, at, depth - 1)
        }
        Says::Alone => None,
    }
}

/// Whether the innermost module of a path is private where the path stands: its own module says so, and does not stand
/// around the place.
pub(crate) fn is_private_here(module: &[String], at: Span) -> bool {
    let Some((name, [.., of])) = module.split_last() else {
        return false;
    };
    if matches!(of.as_str(), "crate" | "self" | "super") {
        return false;
    }
    let around = look(at, |blocks, open| {
        let mut names = modules_of_file(&blocks.file).unwrap_or_default();
        let inside = braces_of_modules(&open);
        names.extend(
            inside.filter_map(|brace| Some(module_before(&blocks.text, brace)?.to_owned())),
        );
        names
    });
    if around.is_none_or(|names| names.contains(of)) {
        return false;
    }
    let (mut private, mut public) = (false, false);
    let mut visit = |blocks: &Blocks| {
        for_each_module(blocks, of, &mut |brace| {
            let module = blocks.module(brace);
            for (begin, _) in declarations(&module.text, "mod", name) {
                let before = module.text[..begin].trim_end();
                public |= before.ends_with("pub") || before.ends_with(')');
                private |= !public;
            }
        });
    };
    let _seen = look(at, |blocks, _| visit(blocks));
    let of_name = |file: &Path, text: &str| {
        text.contains(&format!("mod {name}"))
            && (module_name(file) == *of || text.contains(&format!("mod {of}")))
    };
    for_each_file_where(at, of_name, |_, blocks| visit(blocks));
    private && !public
}

/// Where a path leads.
enum Target {
    /// To the module of this brace in the file, or to that of the file.
    Here(Option<usize>),
    /// To one of this name, or to the root of the crate.
    Named(String),
}

fn target(module: &[String], last: &str, blocks: &Blocks, open: &super::Open) -> Option<Target> {
    let up = match last {
        "super" => module.iter().rev().take_while(|of| *of == "super").count(),
        "self" => 0,
        _ => return Some(Target::Named(last.to_owned())),
    };
    let inside: Vec<usize> = braces_of_modules(open).collect();
    if let Some(at) = inside.len().checked_sub(up) {
        return Some(Target::Here(at.checked_sub(1).map(|at| inside[at])));
    }
    let of_file = modules_of_file(&blocks.file)?;
    let at = of_file.len().checked_sub(up - inside.len())?;
    let name = at.checked_sub(1).map(|at| of_file[at].clone());
    Some(Target::Named(name.unwrap_or_else(|| "crate".to_owned())))
}

/// The names of the modules around what a file has, below the root of the crate.
fn modules_of_file(file: &Path) -> Option<Vec<String>> {
    let stem = file.file_stem()?.to_str()?;
    let is_root = |folder: &Path| {
        ["lib.rs", "main.rs"]
            .iter()
            .any(|root| folder.join(root).exists())
    };
    let mut folder = file.parent()?;
    let mut names: Vec<String> = match stem {
        "lib" | "main" if is_root(folder) => return Some(Vec::new()),
        "mod" => Vec::new(),
        _ => vec![stem.to_owned()],
    };
    while !is_root(folder) {
        names.push(folder.file_name()?.to_str()?.to_owned());
        folder = folder.parent()?;
    }
    names.reverse();
    Some(names)
}

/// What a module says of a function.
#[derive(PartialEq, Eq)]
enum Says {
    /// It declares a module of the name, and the function, or imports all of that.
    Beside,
    /// It imports the function, behind this path.
    Imported(Vec<String>),
    /// It declares the function, whose hidden type has its name.
    Alone,
}

fn says(blocks: &Blocks, brace: Option<usize>, name: &str) -> Option<Says> {
    let module = blocks.module(brace);
    match by_import(&module.imports, name) {
        Import::Path(path) if path.last().is_some_and(|of| of == name) => {
            return Some(Says::Imported(within(blocks, brace, path)));
        }
        // With the function, everything brings its hidden type.
        Import::All => return Some(Says::Beside),
        Import::Path(_) | Import::Renamed(_) => return Some(Says::Alone),
        Import::Not => {}
    }
    if !declares_function(&module.text, name) {
        return None;
    }
    let here = |open: &super::Open| innermost(open) == brace;
    let beside = blocks
        .modules
        .iter()
        .any(|(open, of)| of == name && here(open));
    Some(if beside { Says::Beside } else { Says::Alone })
}

/// The path, which begins with `self` if with a module that is declared here.
fn within(blocks: &Blocks, brace: Option<usize>, mut path: Vec<String>) -> Vec<String> {
    let own = |first: &String| {
        blocks
            .modules
            .iter()
            .any(|(open, of)| of == first && innermost(open) == brace)
    };
    if path.first().is_some_and(own) {
        path.insert(0, "self".to_owned());
    }
    path
}

/// A path as seen from a module behind another path.
fn joined(module: &[String], path: &[String]) -> Option<Vec<String>> {
    let mut path = path;
    let mut of = module.to_vec();
    match path.first()?.as_str() {
        "crate" => return Some(path.to_vec()),
        "self" => path = &path[1..],
        "super" => {}
        // Another crate, or what only rustc knows.
        _ => return None,
    }
    while path.first().is_some_and(|first| first == "super") {
        match of.pop()?.as_str() {
            "crate" => return None,
            "super" => of.extend(["super".to_owned(), "super".to_owned()]),
            "self" => of.push("super".to_owned()),
            _ => {}
        }
        path = &path[1..];
    }
    of.extend(path.iter().cloned());
    Some(of)
}

/// The modules of a name in a file, the file itself among them.
fn for_each_module(blocks: &Blocks, name: &str, visit: &mut dyn FnMut(Option<usize>)) {
    let root = name == "crate";
    let stem = blocks.file.file_stem().and_then(|stem| stem.to_str());
    let is_top = matches!(stem, Some("lib" | "main")) && is_root(blocks);
    let is_file = match root {
        true => is_top,
        false => module_name(&blocks.file) == name,
    };
    if is_file {
        visit(None);
    }
    let mut seen = Vec::new();
    for (_, open) in &blocks.open {
        let brace = innermost(open).filter(|brace| !root && !seen.contains(brace));
        if let Some(brace) = brace {
            seen.push(brace);
            if module_before(&blocks.text, brace) == Some(name) {
                visit(Some(brace));
            }
        }
    }
}
