//! What a function stands in, by the text of its file.
//!
//! An attribute sees its function alone. Where neither `self` nor `Self` says that it stands in an `impl`, where no
//! companion type can be declared, the text in front of it does: the innermost brace that is open there either follows
//! an `impl` or does not. Where there is no text (the compiler is not rustc), the answer is no, and rustc has the word.

mod beside;
mod constants;
mod functions;
mod indices;
mod lifetimes;
mod macros;
mod same_name;
mod signatures;
#[cfg(test)]
mod tests;
mod traits;

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::PathBuf;
use std::rc::Rc;

use proc_macro2::{Ident, Span};
use syn::ext::IdentExt;

use beside::declarations;
#[cfg(test)]
pub(crate) use beside::give_text;
pub(crate) use beside::{function_beside, function_of_module, is_fieldless, trait_beside};
pub(crate) use functions::{function_of_block, function_of_type};
pub(crate) use indices::indices;
pub(crate) use lifetimes::lifetimes_of;
pub(crate) use macros::macro_at;
use macros::{Attributes, Macros};
pub(crate) use same_name::sweeps_of_same_name;
pub(crate) use signatures::{may_declare_function, methods_named, signatures};
pub(crate) use traits::{has_gradient, is_of_plain_trait};

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
        let before = blocks.open.partition_point(|(from, _)| *from <= brace);
        let begin = before.checked_sub(1).map_or(0, |last| blocks.open[last].0);
        let head = blocks.text.get(begin..brace)?;
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
            file,
            fresh: false,
            text,
        }
    }

    /// At this line, counted from one, and column, counted in characters.
    fn open_at(&self, line: usize, column: usize) -> Option<Open> {
        let at = self.place(line, column)?;
        let before = self.open.partition_point(|(from, _)| *from <= at);
        let open = self.open[..before].last().map(|(_, open)| open.clone());
        Some(open.unwrap_or_default())
    }

    /// Where this line and column are in the text.
    fn place(&self, line: usize, column: usize) -> Option<usize> {
        let begin = *self.lines.get(line.checked_sub(1)?)?;
        let (column, _) = self.text.get(begin..)?.char_indices().nth(column)?;
        Some(begin + column)
    }
}

/// Which braces are open, from each place on where that changes.
type Changes = Vec<(usize, Open)>;

/// What a walk over the text finds.
struct Found {
    /// Where open braces change.
    changes: Changes,
    aliases: Vec<(Open, Alias)>,
    modules: Vec<(Open, String)>,
    macros: Macros,
}

fn braces(text: &str) -> Found {
    let (mut found, mut aliases, mut modules) = (Vec::new(), Vec::new(), Vec::new());
    let mut macros = Macros::default();
    let mut open = Open::new();
    let mut head = Head::default();
    let (mut rest, mut last) = (text, ' ');
    while let Some(c) = rest.chars().next() {
        if let Some(skipped) = skip_text(rest) {
            let (begin, end) = (text.len() - rest.len(), text.len() - skipped.len());
            macros.skipped.push((begin, end));
            rest = skipped;
            continue;
        }
        let mut len = c.len_utf8();
        if matches!(c, '(' | '[' | '{') && last == '!' {
            macros.called(text, text.len() - rest.len());
        }
        match c {
            '{' if head.is_block() && (head.angles > 0 || head.depth > 0 || last == '=') => {
                open.push((Surroundings::Length, text.len() - rest.len()));
            }
            '{' => {
                let item = head.item.unwrap_or(Surroundings::Other);
                open.push((item, text.len() - rest.len()));
                head = Head::default();
            }
            '}' if open
                .pop()
                .is_some_and(|(open, _)| open == Surroundings::Length) => {}
            '}' => head = Head::default(),
            ';' if head.depth == 0 => head = Head::default(),
            '(' | '[' => head.depth += 1,
            ')' | ']' => head.depth = head.depth.saturating_sub(1),
            '<' => head.angles += 1,
            '>' if !matches!(last, '-' | '=') => head.angles = head.angles.saturating_sub(1),
            c if is_word(c) => {
                let end = rest.find(|c| !is_word(c));
                len = end.unwrap_or(rest.len());
                let bound = rest[len..].trim_start().starts_with('<');
                if head.begins_with(&rest[..len], "type") {
                    aliases.extend(alias(&rest[len..], head.attributed).map(|a| (open.clone(), a)));
                }
                if head.begins_with(&rest[..len], "mod") {
                    let name = rest[len..].trim_start();
                    let end = name.find(|c| !is_word(c));
                    let (name, behind) = name.split_at(end.unwrap_or(name.len()));
                    modules.push((open.clone(), name.to_owned()));
                    // One in a file of its own may begin with `#![macro_use]`.
                    let in_file = macros::behind_space(behind).starts_with(';');
                    if head.attributes.uses_macros || in_file {
                        macros.used.push((open.clone(), text.len() - rest.len()));
                    }
                }
                if head.begins_with(&rest[..len], "macro_rules") {
                    macros.defined(&open, text, text.len() - rest.len() + len, head.attributes);
                }
                head.word(&rest[..len], bound);
            }
            '#' if head.depth == 0 => {
                head.attributed = true;
                head.attributes.add(&rest[len..]);
            }
            // Of what stands around.
            '!' if last == '#' => {
                head.attributed = false;
                macros.inside(&open, &rest[len..], text.len() - rest.len());
            }
            _ => {}
        }
        if !c.is_whitespace() {
            last = c;
        }
        rest = &rest[len..];
        if matches!(c, '{' | '}') {
            found.push((text.len() - rest.len(), open.clone()));
        }
    }
    Found {
        changes: found,
        aliases,
        modules,
        macros,
    }
}

/// What follows `type`.
fn alias(text: &str, attributed: bool) -> Option<Alias> {
    let text = text.trim_start();
    let end = text.find(|c| !is_word(c))?;
    let (name, rest) = text.split_at(end);
    let mut depth = 0_usize;
    let end = rest.find(|c: char| {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ';' && depth == 0
    })?;
    let of = rest[..end].trim_start().strip_prefix('=');
    let plain = of.filter(|of| !attributed && !of.contains(['/', '"', '\'', '{']));
    Some((name.to_owned(), plain.map(str::to_owned)))
}

/// The beginning of an item or statement.
#[derive(Default)]
struct Head {
    /// Parentheses and brackets that are open.
    depth: usize,
    /// Angle brackets that are open.
    angles: usize,
    /// What the first word says, attributes and visibility apart.
    item: Option<Surroundings>,
    /// Whether there is an attribute.
    attributed: bool,
    attributes: Attributes,
}

impl Head {
    /// Whether it is that of an `impl` or a trait, where braces can stand among the parameters.
    fn is_block(&self) -> bool {
        matches!(self.item, Some(Surroundings::Impl | Surroundings::Trait))
    }

    /// Whether this word, which comes next, is the first one, and which one it is.
    fn begins_with(&self, word: &str, keyword: &str) -> bool {
        self.depth == 0 && self.item.is_none() && word == keyword
    }

    /// `bound`: angle brackets follow.
    fn word(&mut self, word: &str, bound: bool) {
        if self.depth > 0 {
            return;
        }
        match (self.item, word) {
            (None, "pub" | "unsafe" | "default" | "auto") => {}
            (None, "impl") => self.item = Some(Surroundings::Impl),
            (None, "trait") => self.item = Some(Surroundings::Trait),
            (None, "mod") => self.item = Some(Surroundings::Module),
            (None, _) => self.item = Some(Surroundings::Other),
            (Some(Surroundings::Impl), "for") if !bound => self.item = Some(Surroundings::Trait),
            (Some(_), _) => {}
        }
    }
}

/// What follows a comment, a string or a character at the beginning of the text.
fn skip_text(text: &str) -> Option<&str> {
    if text.starts_with("//") {
        return Some(text.find('\n').map_or("", |end| &text[end..]));
    }
    if let Some(mut rest) = text.strip_prefix("/*") {
        let mut depth = 1;
        while depth > 0 {
            let end = rest.find("*/")?;
            match rest.find("/*").filter(|begin| *begin < end) {
                Some(begin) => {
                    depth += 1;
                    rest = &rest[begin + 2..];
                }
                None => {
                    depth -= 1;
                    rest = &rest[end + 2..];
                }
            }
        }
        return Some(rest);
    }
    let prefix = text.len() - text.trim_start_matches(['b', 'c']).len();
    let literal = if prefix <= 1 { &text[prefix..] } else { text };
    if let Some(raw) = literal.strip_prefix('r') {
        let hashes = raw.len() - raw.trim_start_matches('#').len();
        if let Some(rest) = raw[hashes..].strip_prefix('"') {
            let end = format!("\"{}", "#".repeat(hashes));
            return rest.find(&end).map(|at| &rest[at + end.len()..]);
        }
    }
    if let Some(rest) = literal.strip_prefix('"') {
        return skip_escaped(rest, '"');
    }
    let rest = literal.strip_prefix('\'')?;
    let mut chars = rest.chars();
    match (chars.next()?, chars.next()) {
        ('\\', _) => skip_escaped(rest, '\''),
        // A lifetime has no second quote.
        (first, Some('\'')) => Some(&rest[first.len_utf8() + 1..]),
        _ => None,
    }
}

fn skip_escaped(text: &str, end: char) -> Option<&str> {
    let mut escaped = false;
    let found = text.char_indices().find(|(_, c)| {
        let found = *c == end && !escaped;
        escaped = *c == '\\' && !escaped;
        found
    });
    found.map(|(at, c)| &text[at + c.len_utf8()..])
}
