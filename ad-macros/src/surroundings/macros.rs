//! The macros that a file defines: which definition a name means at a place of the text.
//!
//! A definition by `macro_rules!` holds from its end to the end of the block around it, also in the blocks inside, and
//! comes before what has the name by a `use`. So it is the last one in front of the place whose block is open there.

use proc_macro2::Span;

use super::braces::skip_text;
use super::{Open, Surroundings, is_written, with_blocks};

/// The definitions in a file, in the order of the text.
#[derive(Default)]
pub(super) struct Macros {
    definitions: Vec<Definition>,
    /// Modules whose definitions hold behind them, too, or may do so.
    pub(super) used: Vec<(Open, usize)>,
    /// Comments and strings, from where to where: examples in them are compiled on their own.
    pub(super) skipped: Vec<(usize, usize)>,
    /// What stands in calls and in definitions of macros: where it ends up, and behind which definitions, is theirs to
    /// say.
    given: Vec<(usize, usize)>,
}

struct Definition {
    open: Open,
    name: String,
    /// Where the name ends.
    at: usize,
    /// What stands between the delimiters, if the definition is all there is to say.
    rules: Option<(usize, usize)>,
}

/// The attributes of an item, as far as they matter here.
#[derive(Clone, Copy, Default)]
pub(super) struct Attributes {
    /// One that may take the item away.
    hides: bool,
    /// `#[macro_use]`, or one that may stand for it.
    pub(super) uses_macros: bool,
}

impl Attributes {
    /// What follows `#`.
    pub(super) fn add(&mut self, text: &str) {
        let Some(inner) = behind_space(text).strip_prefix('[') else {
            return;
        };
        let inner = behind_space(inner);
        let end = inner.find(|c: char| !c.is_alphanumeric() && c != '_' && c != ':');
        let name = &inner[..end.unwrap_or(inner.len())];
        let known = [
            "allow",
            "deny",
            "doc",
            "expect",
            "macro_export",
            "rustfmt::skip",
            "warn",
        ];
        self.hides |= !known.contains(&name);
        self.uses_macros |= matches!(name, "macro_use" | "macro_escape" | "cfg_attr");
    }
}

impl Macros {
    /// `macro_rules` ends at this place.
    pub(super) fn defined(&mut self, open: &Open, text: &str, at: usize, attributes: Attributes) {
        let Some(rest) = behind_space(&text[at..]).strip_prefix('!') else {
            return;
        };
        if self.is_given(at) {
            return;
        }
        let rest = behind_space(rest);
        let rest = rest.strip_prefix("r#").unwrap_or(rest);
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
        let (name, rest) = rest.split_at(end.unwrap_or(rest.len()));
        let at = text.len() - rest.len();
        let group = behind_space(rest);
        let begin = text.len() - group.len() + 1;
        let rules = length(group).map(|len| (begin, begin + len));
        self.given.extend(rules);
        self.definitions.push(Definition {
            open: open.clone(),
            name: name.to_owned(),
            at,
            rules: rules.filter(|_| !attributes.hides),
        });
    }

    /// A delimiter at this place opens what a macro is given.
    pub(super) fn called(&mut self, text: &str, at: usize) {
        if !self.is_given(at) {
            let begin = at + 1;
            let end = length(&text[at..]).map_or(text.len(), |len| begin + len);
            self.given.push((begin, end));
        }
    }

    /// What follows the `#` of an inner attribute, in these braces.
    pub(super) fn inside(&mut self, open: &Open, text: &str, at: usize) {
        let mut attributes = Attributes::default();
        attributes.add(text);
        if let Some((_, outer)) = open.split_last()
            && attributes.uses_macros
        {
            self.used.push((outer.to_vec(), at));
        }
    }

    /// Whether this place stands in what a macro is given. They are found in the order of the text.
    pub(super) fn is_given(&self, at: usize) -> bool {
        let before = self.given.partition_point(|(begin, _)| *begin <= at);
        let last = self.given[..before].last();
        last.is_some_and(|(_, end)| at < *end)
    }

    /// Whether a place is in a comment or a literal.
    pub(super) fn skips(&self, at: usize) -> bool {
        let before = self.skipped.partition_point(|(begin, _)| *begin <= at);
        let last = self.skipped[..before].last();
        last.is_some_and(|(_, end)| at < *end)
    }

    /// Whether there is a definition of this name, wherever it holds.
    pub(super) fn defines(&self, name: &str) -> bool {
        self.definitions.iter().any(|d| d.name == name)
    }

    /// What the definition of this name says, if there is one, which stands in modules alone.
    pub(super) fn only(&self, name: &str) -> Option<(usize, usize)> {
        let mut all = self.definitions.iter().filter(|d| d.name == name);
        let (found, None) = (all.next()?, all.next()) else {
            return None;
        };
        let modules = found.open.iter().all(|(of, _)| *of == Surroundings::Module);
        found.rules.filter(|_| modules)
    }

    /// What the definition says that a name means at a place, if it stands in modules alone.
    pub(super) fn meant(&self, name: &str, at: usize, open: &Open) -> Option<(usize, usize)> {
        let around = |of: &Open, begin: usize| begin < at && open.starts_with(of);
        let mut last_first = self.definitions.iter().rev();
        let found = last_first.find(|d| d.name == name && around(&d.open, d.at))?;
        if self.skips(at) {
            return None;
        }
        let modules = found.open.iter().all(|(of, _)| *of == Surroundings::Module);
        let mut between = self.used.iter().filter(|(of, begin)| around(of, *begin));
        let hidden = between.any(|(_, begin)| *begin > found.at);
        found.rules.filter(|_| modules && !hidden)
    }
}

/// The rules of the macro that a name means where this token stands, in a function whose `fn` is given, if the text of
/// its file shows them.
pub(crate) fn macro_at(function: Span, call: Span, name: &str) -> Option<String> {
    if !is_written(call) || !is_written(function) {
        return None;
    }
    // Others, as those of documentation, are no Rust.
    let file = call.local_file()?;
    if file.extension().is_none_or(|extension| extension != "rs") || function.local_file()? != file
    {
        return None;
    }
    with_blocks(call, |blocks| {
        let place = |span: Span| blocks.place(span.start().line, span.start().column);
        if blocks.macros.is_given(place(function)?) {
            return None;
        }
        let at = place(call)?;
        let open = blocks.open_at(call.start().line, call.start().column)?;
        if !blocks.macros.defines(name) {
            return super::macros_of_package::only_definition(call, (blocks, &open), name);
        }
        let (begin, end) = blocks.macros.meant(name, at, &open)?;
        blocks.text.get(begin..end).map(str::to_owned)
    })?
}

/// What follows white space and comments.
pub(super) fn behind_space(text: &str) -> &str {
    let mut rest = text.trim_start();
    while rest.starts_with("//") || rest.starts_with("/*") {
        let Some(behind) = skip_text(rest) else { break };
        rest = behind.trim_start();
    }
    rest
}

/// How long it is what a group at the beginning of a text holds.
fn length(text: &str) -> Option<usize> {
    let mut rest = text.strip_prefix(['(', '[', '{'])?;
    let inner = rest;
    let mut depth = 0_usize;
    while let Some(c) = rest.chars().next() {
        if let Some(skipped) = skip_text(rest) {
            rest = skipped;
            continue;
        }
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' if depth == 0 => return Some(inner.len() - rest.len()),
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
        rest = &rest[c.len_utf8()..];
    }
    None
}
