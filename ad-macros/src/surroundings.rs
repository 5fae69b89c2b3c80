//! What a function stands in, by the text of its file.
//!
//! An attribute sees its function alone. Where neither `self` nor `Self` says that it stands in an `impl`, where no
//! companion type can be declared, the text in front of it does: the innermost brace that is open there either follows
//! an `impl` or does not. Where there is no text (the compiler is not rustc), the answer is no, and rustc has the word.

use proc_macro2::Span;

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
    text_before(at).map_or(Surroundings::Other, |text| innermost(&text))
}

/// The file, and where the modules in it begin.
pub(crate) type Place = (std::path::PathBuf, Vec<usize>);

/// The module in which the token at this place stands, and in nothing else.
pub(crate) fn module_at(at: Span) -> Option<Place> {
    let open = open_at_end(&text_before(at)?);
    let modules = open.iter().all(|(open, _)| *open == Surroundings::Module);
    let begins = open.iter().map(|(_, at)| *at).collect();
    modules.then_some((at.local_file()?, begins))
}

/// The text of the file up to this place.
fn text_before(at: Span) -> Option<String> {
    let (file, start) = (at.local_file()?, at.start());
    let mut text = std::fs::read_to_string(file).ok()?;
    let lines = text.split_inclusive('\n');
    let before: usize = lines.take(start.line.checked_sub(1)?).map(str::len).sum();
    let (column, _) = text.get(before..)?.char_indices().nth(start.column)?;
    text.truncate(before + column);
    Some(text)
}

/// What begins with the innermost brace that is open at the end of the text.
fn innermost(text: &str) -> Surroundings {
    match open_at_end(text).last().map(|(open, _)| open) {
        None | Some(Surroundings::Module) => Surroundings::Other,
        Some(innermost) => *innermost,
    }
}

/// What begins with each of the braces that are open at the end of the text.
fn open_at_end(text: &str) -> Vec<(Surroundings, usize)> {
    let mut open: Vec<(Surroundings, usize)> = Vec::new();
    let mut head = Head::default();
    let (mut rest, mut last) = (text, ' ');
    while let Some(c) = rest.chars().next() {
        if let Some(skipped) = skip_text(rest) {
            rest = skipped;
            continue;
        }
        let mut len = c.len_utf8();
        match c {
            '{' if head.is_block() && matches!(last, '<' | ',' | '=') => {
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
            c if c.is_alphanumeric() || c == '_' => {
                let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
                len = end.unwrap_or(rest.len());
                let bound = rest[len..].trim_start().starts_with('<');
                head.word(&rest[..len], bound);
            }
            _ => {}
        }
        if !c.is_whitespace() {
            last = c;
        }
        rest = &rest[len..];
    }
    open
}

/// The beginning of an item or statement.
#[derive(Default)]
struct Head {
    /// Parentheses and brackets that are open.
    depth: usize,
    /// What the first word says, attributes and visibility apart.
    item: Option<Surroundings>,
}

impl Head {
    /// Whether it is that of an `impl` or a trait, where braces can stand among the parameters.
    fn is_block(&self) -> bool {
        matches!(self.item, Some(Surroundings::Impl | Surroundings::Trait))
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

#[cfg(test)]
mod tests {
    use super::{Surroundings, innermost};

    #[test]
    fn the_innermost_open_brace_says_it() {
        for text in [
            "impl S { ",
            "mod m { impl S<'a, { N + 1 }> { fn f() {} ",
            "fn f() { impl S { const A: [f64; 2] = [0.0; 2]; #[x] ",
            "unsafe impl<F> S<F> where F: for<'a> Fn(&'a f64) { fn g() -> usize { if a { 1 } else { 2 } } pub ",
            "/* } { /* } */ */ impl<'a> S<'a> { const C: char = '}'; // }\n const D: &str = r#\"}\"#; ",
            "#[allow(impl_x)] pub(crate) mod m { #[cfg(test)] impl S { const B: &[u8] = b\"}\\\"}\"; ",
        ] {
            assert_eq!(innermost(text), Surroundings::Impl, "{text}");
        }
        for text in [
            "trait T { ",
            "pub unsafe trait T: Sized { fn f(); ",
            "impl<T> Add<T> for S { ",
        ] {
            assert_eq!(innermost(text), Surroundings::Trait, "{text}");
        }
        for text in [
            "",
            "impl S {} ",
            "impl S { fn f() { ",
            "impl S { fn f() { struct A; } } mod m { ",
            "fn f(x: impl Fn()) { ",
            "const C: char = '{'; // impl {\n",
            "static S: &str = \"impl S {\"; ",
            "const _: () = { ",
        ] {
            assert_eq!(innermost(text), Surroundings::Other, "{text}");
        }
    }
}
