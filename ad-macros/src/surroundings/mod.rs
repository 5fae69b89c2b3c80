//! What a function stands in, by the text of its file.
//!
//! An attribute sees its function alone. Where neither `self` nor `Self` says that it stands in an `impl`, where no
//! companion type can be declared, the text in front of it does: the innermost brace that is open there either follows
//! an `impl` or does not. Where there is no text (the compiler is not rustc), the answer is no, and rustc has the word.

mod beside;
mod braces;
mod configured;
mod constants;
mod functions;
mod imported;
mod indices;
mod lifetimes;
mod macros;
mod macros_of_package;
mod package;
mod plain;
mod resolved;
mod same_name;
mod signatures;
mod sums;
#[cfg(test)]
mod tests;
mod traits;

use crate::ir::hash::{HashMap, HashSet};
use std::cell::{OnceCell, RefCell};
use std::path::PathBuf;
use std::rc::Rc;

use proc_macro2::{Ident, Span};
use syn::ext::IdentExt;

use beside::declarations;
#[cfg(test)]
pub(crate) use beside::give_text;
pub(crate) use beside::{
    function_beside, function_of_module, is_fieldless, struct_of_module, trait_beside,
};
use braces::{Changes, Found, braces};
pub(crate) use configured::configured_alias;
pub(crate) use functions::{function_of_block, function_of_type, function_of_type_always};
use imported::is_module as is_module_of_package;
pub(crate) use imported::{chosen_alias, imported_alias, is_of_other_crate, is_of_package};
pub(crate) use indices::indices;
pub(crate) use lifetimes::lifetimes_of;
use macros::Macros;
pub(crate) use macros::macro_at;
pub(crate) use package::{
    Declared, Lasting, block_around, block_with, declared, declares_some, is_constant_of_own,
    lasting, may_declare_function, method_of, methods_of,
};
pub(crate) use plain::{Elsewhere, elsewhere, is_plain_method, is_plain_trait};
use same_name::{Leaf, leaves_of};
pub(crate) use same_name::{brings_operator, hidden_place, sweeps_of_same_name};
pub(crate) use signatures::{methods_named, signatures, signatures_elsewhere};
pub(crate) use sums::{SumOf, sums};
pub(crate) use traits::{has_gradient, is_of_plain_trait, supertraits};

/// What a function stands in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Surroundings {
    /// An `impl` block of a type.
    Impl,
    /// A trait, or an `impl` of one.
    Trait,
    /// A module.
    Module,
    /// Anything else, or nobody knows.
    Other,
    /// Not a block of items: a length among the parameters of an `impl`.
    Length,
}

/// What the token at this place stands in.
pub(crate) fn surroundings(at: Span) -> Surroundings {
    innermost(&open_at(at).unwrap_or_default())
}

/// The file, and where the modules in it begin.
pub(crate) type Place = (PathBuf, Vec<usize>);

/// The module in which the token at this place stands, and in nothing else. An example in a document stands in a
/// function that the text does not show.
pub(crate) fn module_at(at: Span) -> Option<Place> {
    let is_code = is_code(at);
    let in_comment = with_blocks(at, |blocks| {
        // Columns of an example do not count what is in front of its lines.
        let line = *blocks.lines.get(at.start().line.checked_sub(1)?)?;
        let text = blocks.text.get(line..)?;
        let place = line + text.len() - text.trim_start().len();
        Some(blocks.macros.skips(place))
    })??;
    if !is_code || in_comment {
        return None;
    }
    let open = open_at(at)?;
    let modules = open.iter().all(|(open, _)| *open == Surroundings::Module);
    let begins = open.iter().map(|(_, at)| *at).collect();
    modules.then_some((at.local_file()?, begins))
}

/// What one of the names that `type` declares stands for, by the text; `None` where that is not all there is to say:
/// it has parameters, or an attribute, which may be a `cfg`.
pub(crate) type Alias = (String, Option<String>);

/// The aliases that are declared in the module in which the token at this place stands, and in nothing else.
pub(crate) fn aliases_at(at: Span) -> Vec<Alias> {
    look(at, |blocks, open| {
        let here = open.iter().all(|(open, _)| *open == Surroundings::Module);
        let own = blocks.aliases.iter().filter(|(of, _)| here && *of == open);
        own.map(|(_, alias)| alias.clone()).collect()
    })
    .unwrap_or_default()
}

/// The braces that are open somewhere, the innermost one last: what begins with each, and where.
type Open = Vec<(Surroundings, usize)>;

/// What carries the sweeps of a function of this name, where a module of the name is declared beside it: a type of the
/// function's own name would collide with that.
pub(crate) fn beside_module(function: &Ident) -> Option<Ident> {
    let name = function.unraw().to_string();
    let declared = look(function.span(), |blocks, mut open| {
        // Modules are in scope in what stands beside them: in the innermost one around, and in all blocks in that.
        let inner = open
            .iter()
            .rposition(|(open, _)| *open == Surroundings::Module);
        let begin = inner.map_or(0, |at| at + 1);
        loop {
            if blocks
                .modules
                .iter()
                .any(|(of, module)| *of == open && *module == name)
            {
                return true;
            }
            if open.len() == begin {
                return false;
            }
            open.pop();
        }
    });
    declared
        .unwrap_or(false)
        .then(|| same_name::sweeps_name(function))
}

/// What the hidden type of a function is to be called that stands beside a module of its name, or in one.
pub(crate) fn companion_of(function: &Ident) -> Option<Ident> {
    let inside = same_name::is_in_module(&function.unraw().to_string(), function.span());
    match inside {
        true => Some(same_name::sweeps_name(function)),
        false => beside_module(function),
    }
}

/// Whether the file of the token at this place has a field of one of these names under `#[constant]`, by its text.
pub(crate) fn has_constant_field(at: Span, mut named: impl FnMut(&str) -> bool) -> bool {
    with_blocks(at, |blocks| blocks.constants.iter().any(|name| named(name))).unwrap_or(false)
}

thread_local! {
    /// The file that was looked at last. Attributes come file by file, and there may be one on each of its functions.
    static LAST: RefCell<Option<Blocks>> = const { RefCell::new(None) };
}

fn open_at(at: Span) -> Option<Open> {
    look(at, |_, open| open)
}

/// What stands between the last brace in front of the `impl` of a type and its body, if the token at this place stands
/// in one: its head, behind items that have no body.
pub(crate) fn head_of_block(at: Span) -> Option<String> {
    look(at, |blocks, open| {
        let (innermost, brace) = *open.last()?;
        let head = blocks.in_front_of(brace)?;
        (innermost == Surroundings::Impl).then(|| head.to_owned())
    })?
}

/// Asks what the file of the token at this place says.
fn look<T>(at: Span, ask: impl FnOnce(&Blocks, Open) -> T) -> Option<T> {
    let start = at.start();
    with_blocks(at, |blocks| {
        let open = blocks.open_at(start.line, start.column)?;
        Some(ask(blocks, open))
    })?
}

/// Asks the text of the file in which this token stands.
pub(crate) fn with_text<T>(at: Span, ask: impl FnOnce(&str) -> T) -> Option<T> {
    with_blocks(at, |blocks| ask(&blocks.text))
}

/// Whether a function of the file seems to lend a part of what it is given.
pub(crate) fn may_lend(at: Span) -> bool {
    let lends = |text: &str| text.contains("-> &") || text.contains("Option<&");
    with_blocks(at, |blocks| {
        *blocks.lends.get_or_init(|| lends(&blocks.text))
    })
    .unwrap_or(false)
}

/// Whether a character may stand in a name.
fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Whether the text of the file shows that a type derives `Differentiable`: one that is declared there alone.
pub(crate) fn derives(at: Span, name: &Ident) -> bool {
    is_code(at) && with_text(at, |text| is_derived(text, &name.to_string())).unwrap_or(false)
}

fn is_derived(text: &str, name: &str) -> bool {
    let declared = ["struct", "enum"]
        .into_iter()
        .flat_map(|keyword| declarations(text, keyword, name));
    let mut declared = declared.map(|(begin, _)| {
        let attributes = text[..begin]
            .rsplit(['}', ';', '{'])
            .next()
            .unwrap_or_default();
        attributes.lines().any(|line| {
            let code = line.split("//").next().unwrap_or_default();
            code.contains("Differentiable")
        })
    });
    declared.next() == Some(true) && declared.next().is_none()
}

/// Whether a text declares a function of this name.
pub(crate) fn declares_function(text: &str, name: &str) -> bool {
    text.contains(&format!("fn {name}(")) || text.contains(&format!("fn {name}<"))
}

/// Whether a token stands in a file of code, and not in a document.
fn is_code(at: Span) -> bool {
    at.local_file()
        .is_some_and(|file| file.extension().is_some_and(|e| e == "rs"))
}

/// Whether both stand in the text of a file of code.
fn are_written(at: Span, name: &Ident) -> bool {
    is_code(at) && is_written(at) && is_written(name.span())
}

/// Whether a token stands in the text of its file: what another macro wrote stands elsewhere.
fn is_written(span: Span) -> bool {
    format!("{span:?}").starts_with("#0 ")
}

fn with_blocks<T>(at: Span, ask: impl FnOnce(&Blocks) -> T) -> Option<T> {
    let file = at.local_file()?;
    LAST.with_borrow_mut(|last| {
        if let Some(known) = last.as_ref().filter(|of| of.fresh && of.file == file) {
            return Some(ask(known));
        }
        let text = std::fs::read_to_string(&file).ok()?;
        let known = last.take().filter(|of| of.file == file && of.text == text);
        let blocks = last.insert(known.unwrap_or_else(|| Blocks::of(file, text)));
        blocks.fresh = true;
        Some(ask(blocks))
    })
}

/// Has files read again: another macro is expanded, and they may have changed, as what expands macros need not be a
/// process for each build.
pub(crate) fn refresh() {
    LAST.with_borrow_mut(|last| {
        if let Some(last) = last {
            last.fresh = false;
        }
    });
}

fn innermost(open: &Open) -> Surroundings {
    match open.last().map(|(open, _)| *open) {
        None | Some(Surroundings::Module) => Surroundings::Other,
        Some(innermost) => innermost,
    }
}

/// The braces of a file.
struct Blocks {
    file: PathBuf,
    /// Whether the file was read for the macro that is expanded now.
    fresh: bool,
    text: String,
    /// Where each line begins.
    lines: Vec<usize>,
    /// Which braces are open, from this place of the text on.
    open: Changes,
    /// The aliases, each with the braces that are open around it.
    aliases: Vec<(Open, Alias)>,
    /// The names of modules, each with the braces that are open around it.
    modules: Vec<(Open, String)>,
    macros: Macros,
    /// The names of fields and parameters under `#[constant]`.
    constants: Vec<String>,
    /// The modules that were asked for, by their braces.
    modules_read: RefCell<HashMap<Option<usize>, Rc<same_name::Module>>>,
    /// The names of all functions, once they are asked for.
    functions: OnceCell<HashSet<String>>,
    /// What the file imports, once that is asked for.
    imports: OnceCell<Vec<Vec<Leaf>>>,
    /// The beginnings of paths that were asked for: whether they are of the package, alone and in front of others.
    of_package: RefCell<HashMap<(String, bool), bool>>,
    /// Whether a function lends parts of what it is given, once that is asked for.
    lends: OnceCell<bool>,
}

impl Blocks {
    fn of(file: PathBuf, text: String) -> Self {
        let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let lines = std::iter::once(0).chain(ends.map(|(at, _)| at + 1));
        let Found {
            changes,
            aliases,
            modules,
            macros,
        } = braces(&text);
        Blocks {
            lines: lines.collect(),
            open: changes,
            aliases,
            modules,
            macros,
            constants: constants::names(&text),
            modules_read: RefCell::default(),
            functions: OnceCell::new(),
            imports: OnceCell::new(),
            of_package: RefCell::default(),
            lends: OnceCell::new(),
            file,
            fresh: false,
            text,
        }
    }

    /// The leaves of what the file imports, in no comment.
    fn imports(&self) -> &[Vec<Leaf>] {
        self.imports.get_or_init(|| leaves_of(&self.text))
    }

    /// At this line, counted from one, and column, counted in characters.
    fn open_at(&self, line: usize, column: usize) -> Option<Open> {
        Some(self.open_before(self.place(line, column)?))
    }

    /// The text between a brace and the one in front of it.
    fn in_front_of(&self, brace: usize) -> Option<&str> {
        let before = self.open.partition_point(|(from, _)| *from <= brace);
        let begin = before.checked_sub(1).map_or(0, |last| self.open[last].0);
        self.text.get(begin..brace)
    }

    /// At this place of the text.
    fn open_before(&self, at: usize) -> Open {
        let before = self.open.partition_point(|(from, _)| *from <= at);
        let open = self.open[..before].last().map(|(_, open)| open.clone());
        open.unwrap_or_default()
    }

    /// Where this line and column are in the text.
    fn place(&self, line: usize, column: usize) -> Option<usize> {
        let begin = *self.lines.get(line.checked_sub(1)?)?;
        let (column, _) = self.text.get(begin..)?.char_indices().nth(column)?;
        Some(begin + column)
    }
}
