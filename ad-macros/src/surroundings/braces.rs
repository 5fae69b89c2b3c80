//! One walk over the text of a file: which braces are open where, and the aliases, modules and macros in them.

use super::macros::{Attributes, Macros, behind_space};
use super::{Alias, Open, Surroundings, is_word};

/// Which braces are open, from each place on where that changes.
pub(super) type Changes = Vec<(usize, Open)>;

/// What a walk over the text finds.
pub(super) struct Found {
    /// Where open braces change.
    pub(super) changes: Changes,
    pub(super) aliases: Vec<(Open, Alias)>,
    pub(super) modules: Vec<(Open, String)>,
    pub(super) macros: Macros,
}

pub(super) fn braces(text: &str) -> Found {
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
                    let in_file = behind_space(behind).starts_with(';');
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
pub(super) fn skip_text(text: &str) -> Option<&str> {
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
