//! Macros that another file of the package defines: `macro_rules!` in front of `mod name;`, or in a module under
//! `#[macro_use]`.
//!
//! Where a definition holds depends on the order of modules, which lies in other files. But a name that one definition
//! of the whole package has, and that nothing else can bring, means that definition wherever it means something.
//! Beside definitions, names of macros come by imports that name them, by imports with a star of what another crate
//! has, by `#[macro_use] extern crate`, and from files that are not read: where there is one of these, nothing is said.
//! An import with a star counts only if one around the call can lead to it.

use proc_macro2::Span;

use super::package::for_each_other;
use super::{Blocks, Open, is_word};

/// What the only definition of this name in the package says, which stands in another file than the call.
pub(super) fn only_definition(
    call: Span,
    (here, open): (&Blocks, &Open),
    name: &str,
) -> Option<String> {
    if OF_STD.contains(&name) {
        return None;
    }
    let mut package = Package::new(name);
    package.look(here);
    package.reached = stars_around(here, open);
    for_each_other(call, |blocks| package.look(blocks)).then(|| package.definition())?
}

/// Macros that Rust finds where no other one is in scope, and that are not understood by their names.
const OF_STD: [&str; 22] = [
    "asm",
    "cfg_select",
    "column",
    "compile_error",
    "concat_bytes",
    "env",
    "file",
    "format_args",
    "global_asm",
    "include",
    "include_bytes",
    "include_str",
    "is_x86_feature_detected",
    "line",
    "module_path",
    "naked_asm",
    "option_env",
    "stringify",
    "thread_local",
    "try",
    "write",
    "writeln",
];

/// What paths begin with that lead to the crate itself, or to std, whose macros of other names are known.
const OWN: [&str; 6] = ["crate", "self", "super", "std", "core", "alloc"];

struct Package<'n> {
    name: &'n str,
    /// The definitions, with what each says, if that is all there is to say.
    found: Vec<Option<String>>,
    /// Nothing else brings the name, as far as one file alone says it.
    plain: bool,
    /// What imports with a star begin with.
    stars: Vec<String>,
    /// Whether one around the call may lead to them.
    reached: bool,
    /// The names of the crate's modules.
    modules: Vec<String>,
}

impl<'n> Package<'n> {
    fn new(name: &'n str) -> Self {
        Package {
            name,
            found: Vec::new(),
            plain: true,
            stars: Vec::new(),
            reached: true,
            modules: Vec::new(),
        }
    }

    /// What the name means, once all files were looked at.
    fn definition(self) -> Option<String> {
        let known = |first: &String| OWN.contains(&first.as_str()) || self.modules.contains(first);
        match self.found.as_slice() {
            [rules] if self.plain && (!self.reached || self.stars.iter().all(known)) => {
                rules.clone()
            }
            _ => None,
        }
    }

    fn look(&mut self, blocks: &Blocks) {
        let text = blocks.text.as_str();
        self.plain &= !["#[path", "include!", "macro_rules! $", "macro_rules!$"]
            .iter()
            .any(|sign| text.contains(sign));
        self.plain &= !brings_macros(text);
        let modules = blocks.modules.iter().map(|(_, name)| name.clone());
        self.modules.extend(modules);
        for (_, statement) in imports(blocks) {
            self.import(statement);
        }
        if !blocks.text.contains(self.name) {
            return;
        }
        // Also one in a comment, or in what another macro writes.
        let times = definitions(text, self.name);
        if times == 1 {
            let rules = blocks.macros.only(self.name);
            let rules = rules.and_then(|(begin, end)| text.get(begin..end));
            self.found.push(rules.map(str::to_owned));
        } else {
            self.found.extend(vec![None; times]);
        }
    }

    /// What stands between `use` and its semicolon.
    fn import(&mut self, statement: &str) {
        let first = first_of(statement);
        let own = OWN[..3].contains(&first) || first == self.name;
        let names_it = || {
            let mut words = statement.split(|c| !is_word(c));
            words.any(|word| word == self.name)
        };
        self.plain &= own && !statement.contains(" as ") || !names_it();
        if statement.contains('*') {
            self.stars.push(first.to_owned());
        }
    }
}

fn first_of(statement: &str) -> &str {
    let path = statement.trim_start();
    let path = path.strip_prefix("::").unwrap_or(path);
    path.split(|c| !is_word(c)).next().unwrap_or_default()
}

/// Whether an import with a star in one of these braces, or in none, brings more than what std has.
fn stars_around(blocks: &Blocks, open: &Open) -> bool {
    let mut all = imports(blocks);
    all.any(|(at, statement)| {
        let of_std = OWN[3..].contains(&first_of(statement));
        statement.contains('*') && !of_std && open.starts_with(&blocks.open_before(at))
    })
}

/// How often a macro of this name is defined, wherever that is.
fn definitions(text: &str, name: &str) -> usize {
    let behind = text.split("macro_rules").skip(1);
    let named = behind.filter(|behind| {
        let rest = behind.trim_start().trim_start_matches('!').trim_start();
        let rest = rest.strip_prefix("r#").unwrap_or(rest);
        let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        rest[..end] == *name
    });
    named.count()
}

/// Whether a crate brings all its macros.
fn brings_macros(text: &str) -> bool {
    let mut behind = text.split("macro_use").skip(1);
    behind.any(|behind| {
        let end = behind.find([';', '{']).unwrap_or(behind.len());
        behind[..end].contains("extern")
    })
}

/// The statements that begin with `use`, without it, and where they begin.
fn imports(blocks: &Blocks) -> impl Iterator<Item = (usize, &str)> {
    let text = blocks.text.as_str();
    text.match_indices("use ").filter_map(move |(at, word)| {
        let before = text[..at].chars().next_back();
        let whole = !before.is_some_and(is_word) && !blocks.macros.skips(at);
        let rest = &text[at + word.len()..];
        whole.then(|| (at, rest.split(';').next().unwrap_or_default()))
    })
}

#[cfg(test)]
mod tests {
    use super::super::Blocks;
    use super::{Package, brings_macros, definitions};

    /// What is concluded of files with these texts, of which the first calls the macro `m`.
    fn of(texts: &[&str]) -> Option<String> {
        let mut package = Package::new("m");
        for text in texts {
            package.look(&Blocks::of("given.rs".into(), (*text).to_owned()));
        }
        package.definition()
    }

    const CALL: &str = "fn f(x: f64) -> f64 { m!(x) }";
    const DEFINED: &str = "macro_rules! m { ($x:expr) => { $x * $x } } mod a;";

    #[test]
    fn the_only_definition_is_meant() {
        let rules = Some(" ($x:expr) => { $x * $x } ".to_owned());
        assert_eq!(of(&[CALL, DEFINED]), rules);
        let before = "use crate::b::{self, m}; use std::f64::consts::*; use b::*; use super::*; ";
        assert_eq!(of(&[&(before.to_owned() + CALL), DEFINED, "mod b;"]), rules);
        let again = DEFINED.to_owned() + " pub(crate) use m; mod b { fn g() { m!(1) } }";
        assert_eq!(of(&[CALL, &again]), rules);
        assert_eq!(
            of(&[CALL, &format!("#[macro_use] mod a {{ {DEFINED} }}")]),
            rules
        );
    }

    #[test]
    fn what_may_be_another_one_is_not_looked_into() {
        let beside = |text: &str| of(&[CALL, &(DEFINED.to_owned() + text)]);
        assert_eq!(beside(" macro_rules! m { ($x:expr) => { $x } }"), None);
        assert_eq!(beside(" // macro_rules! m"), None);
        assert_eq!(beside(" make! { macro_rules! m { () => {} } }"), None);
        assert_eq!(
            beside(" macro_rules! make { ($n:ident) => { macro_rules! $n { () => {} } } }"),
            None
        );
        assert_eq!(beside(" #[macro_use] extern crate other;"), None);
        assert_eq!(beside(" use other::m;"), None);
        assert_eq!(beside(" use {crate::x, other::m};"), None);
        assert_eq!(beside(" use other::n as m;"), None);
        assert_eq!(beside(" use crate::n as m;"), None);
        assert_eq!(beside(" use other::*;"), None);
        assert_eq!(beside(" use ::other::*;"), None);
        assert_eq!(beside(" #[path = \"x.rs\"] mod b;"), None);
        assert_eq!(beside(" include!(\"x.rs\");"), None);
        assert_eq!(of(&[CALL, "#[cfg(a)] macro_rules! m { () => {} }"]), None);
        assert_eq!(of(&[CALL, "fn f() { macro_rules! m { () => {} } }"]), None);
        assert_eq!(of(&[CALL, DEFINED, DEFINED]), None);
        assert_eq!(of(&[CALL]), None);
    }

    #[test]
    fn stars_count_where_they_are_around_the_call() {
        let around = |text: &str| {
            let blocks = Blocks::of("given.rs".into(), text.to_owned());
            let call = text.find("m!").expect("a call");
            super::stars_around(&blocks, &blocks.open_before(call))
        };
        assert!(around("use other::*; fn f() { m!() }"));
        assert!(around("use super::*; mod a { fn f() { m!() } }"));
        assert!(around("fn f() { use other::{a::*, b}; m!() }"));
        assert!(!around("fn f() { m!() } mod tests { use super::*; }"));
        assert!(!around("fn g() { use other::*; } fn f() { m!() }"));
        assert!(!around(
            "use std::f64::consts::*; /// We use a * b;\nfn f() { m!() }"
        ));
    }

    #[test]
    fn definitions_and_crates_that_bring_macros() {
        assert_eq!(
            definitions(
                "macro_rules! m {} macro_rules!m() macro_rules ! r#m; macro_rules! mm",
                "m"
            ),
            3
        );
        assert!(brings_macros("#[macro_use]\nextern crate log;"));
        assert!(!brings_macros("#[macro_use] mod a; extern crate log;"));
    }
}
