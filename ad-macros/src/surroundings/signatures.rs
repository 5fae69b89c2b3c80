//! The signatures of the functions that have one name in a file, wherever in it they stand.
//!
//! What they say is believed only where a wrong answer ends as an error of rustc: generated code has the type that is
//! found here written out.

use proc_macro2::{Ident, Span};
use syn::ext::IdentExt;

use super::beside::declarations;
use super::package::{for_each_file_with, module_name};
use super::{Blocks, Surroundings, are_written, is_word, with_blocks, with_text};

/// The signatures of all functions of this name in the file of the token at this place; none if a macro may make one.
pub(crate) fn signatures(at: Span, name: &Ident) -> Vec<syn::Signature> {
    each_function(at, name, signature)
}

/// The signatures of the functions of modules that other files of the package declare under this name, where the file
/// of the token shows that one of them is meant: `module` is what stands in front of the name, or the name is imported
/// from the package. None if a macro may make one.
pub(crate) fn signatures_elsewhere(
    at: Span,
    name: &Ident,
    module: Option<&Ident>,
) -> Vec<syn::Signature> {
    if !are_written(at, name) {
        return Vec::new();
    }
    let name = name.unraw().to_string();
    let module = module.map(|module| module.unraw().to_string());
    let imported = with_text(at, |text| imports_of_own(text, &name)).unwrap_or_default();
    if module.is_none() && !imported {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut is_seen = true;
    for_each_file_with(at, &format!("fn {name}"), |file, blocks| {
        if module
            .as_ref()
            .is_some_and(|module| *module != module_name(file))
        {
            return;
        }
        match blocks.each_function_of_modules(&name, signature) {
            Some(signatures) => found.extend(signatures),
            None => is_seen = false,
        }
    });
    found.retain(|_| is_seen);
    found
}

/// Whether a text imports this name from its own package, by the name or by a star.
fn imports_of_own(text: &str, name: &str) -> bool {
    let imports = text.split_inclusive(';').filter_map(|statement| {
        let begin = statement.find("use ")?;
        let before = statement[..begin].chars().next_back();
        (!before.is_some_and(is_word)).then(|| statement[begin + "use ".len()..].trim_start())
    });
    let has = |import: &str, word: &str| import.split(|c| !is_word(c)).any(|found| found == word);
    let is_own = |import: &&str| {
        let first = import.split(|c| !is_word(c)).next();
        matches!(first, Some("crate" | "super" | "self"))
    };
    let (named, others): (Vec<&str>, Vec<&str>) = imports.partition(|import| has(import, name));
    match named.is_empty() {
        true => others
            .iter()
            .filter(|import| is_own(import))
            .any(|import| import.contains('*')),
        false => named.iter().all(is_own),
    }
}

/// All functions of this name, with their bodies. Empty if one of them has none, or is not seen.
pub(crate) fn methods_named(at: Span, name: &Ident) -> Vec<syn::ImplItemFn> {
    each_function(at, name, |text| {
        let head = end_of_head(text)?;
        // The body ends with the first brace up to which it can be read.
        let mut ends = text[head..].match_indices('}').take(64);
        ends.find_map(|(end, _)| syn::parse_str(&text[..head + end + 1]).ok())
    })
}

/// The signature that a text begins with.
pub(super) fn signature(text: &str) -> Option<syn::Signature> {
    syn::parse_str(&text[..end_of_head(text)?]).ok()
}

/// What is read of each function of this name, of the text that it begins; nothing if one cannot be read.
fn each_function<T>(at: Span, name: &Ident, read: impl Fn(&str) -> Option<T>) -> Vec<T> {
    if !are_written(at, name) {
        return Vec::new();
    }
    let name = name.unraw().to_string();
    let found = with_blocks(at, |blocks| {
        blocks.place_of_code(at)?;
        blocks.each_function(&name, read)
    });
    found.flatten().unwrap_or_default()
}

impl Blocks {
    fn each_function<T>(&self, name: &str, read: impl Fn(&str) -> Option<T>) -> Option<Vec<T>> {
        self.functions_where(name, |_| true, read)
    }

    /// Those that stand in modules, and in nothing else.
    fn each_function_of_modules<T>(
        &self,
        name: &str,
        read: impl Fn(&str) -> Option<T>,
    ) -> Option<Vec<T>> {
        let of_module = |begin| {
            let open = self.open_before(begin);
            open.iter().all(|(open, _)| *open == Surroundings::Module)
        };
        self.functions_where(name, of_module, read)
    }

    fn functions_where<T>(
        &self,
        name: &str,
        is_meant: impl Fn(usize) -> bool,
        read: impl Fn(&str) -> Option<T>,
    ) -> Option<Vec<T>> {
        let mut found = Vec::new();
        for (begin, at) in declarations(&self.text, "fn", name) {
            if !is_meant(begin) {
                continue;
            }
            if self.macros.skips(at) {
                continue;
            }
            if self.macros.is_given(at) {
                return None;
            }
            found.push(read(&self.text[begin..])?);
        }
        Some(found)
    }
}

/// Where the signature ends that a text begins with: in front of the body, or of what stands in place of it.
fn end_of_head(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    text.char_indices().find_map(|(at, c)| {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.checked_sub(1)?,
            '{' | ';' if depth == 0 => return Some(at),
            _ => {}
        }
        None
    })
}

#[cfg(test)]
mod tests {
    use super::super::Blocks;
    use quote::ToTokens;

    #[track_caller]
    fn check(text: &str, expected: Option<&[&str]>) {
        let blocks = Blocks::of("given.rs".into(), text.to_owned());
        let found = blocks
            .each_function("f", super::signature)
            .map(|signatures| {
                let output = |s: syn::Signature| s.output.into_token_stream().to_string();
                signatures.into_iter().map(output).collect::<Vec<_>>()
            });
        assert_eq!(
            found,
            expected.map(|e| e.iter().map(|s| (*s).to_owned()).collect())
        );
    }

    #[test]
    fn signatures_of_a_name_are_found_anywhere() {
        check(
            "fn f(x: f64) -> [f64; 3] { fn g() {} }
             mod m { impl S { pub fn f<T>(&self, t: T) -> Option<T> where T: Copy {} fn r#f() {} fn ff() {} } }
             trait T { fn f(&self) -> f32; }",
            Some(&["-> [f64 ; 3]", "-> Option < T >", "", "-> f32"]),
        );
        check(
            "// fn f() -> f32 {}\nfn g() { f(\"fn f() {}\") }",
            Some(&[]),
        );
    }

    #[test]
    fn what_a_macro_may_make_hides_the_others() {
        check("fn f() {} make! { fn f() -> f64 {} }", None);
    }
}
