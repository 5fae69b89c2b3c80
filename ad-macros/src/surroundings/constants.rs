//! The fields under `#[constant]` that the text of a file declares.

use super::is_word;
use super::macros::behind_space;

const ATTRIBUTE: &str = "#[constant]";

/// The names behind `#[constant]`: of fields, and of parameters, which have the same form. A hint only: attributes in
/// comments and text count, and so do structs that have nothing to do with the one that is meant.
pub(super) fn names(text: &str) -> Vec<String> {
    let behind = text.match_indices(ATTRIBUTE);
    let mut names: Vec<String> = behind
        .filter_map(|(at, _)| name(&text[at + ATTRIBUTE.len()..]))
        .map(str::to_owned)
        .collect();
    names.extend(of_known_types(text).map(str::to_owned));
    names.sort_unstable();
    names.dedup();
    names
}

/// The names in front of types that are known to carry no derivative.
fn of_known_types(text: &str) -> impl Iterator<Item = &str> {
    crate::known_types::names().flat_map(move |ty| {
        text.match_indices(ty).filter_map(move |(at, _)| {
            let before = &text[..at];
            if before.ends_with(is_word) || text[at + ty.len()..].starts_with(is_word) {
                return None;
            }
            // The rest of its path, and a reference.
            let path = before.trim_end_matches(|c| is_word(c) || c == ':');
            let path = path.trim_end_matches(['&', '[', ' ']);
            let colon = text[path.len()..at].trim_start_matches(' ');
            let path = match colon.starts_with(':') && !colon.starts_with("::") {
                true => path,
                false => path.strip_suffix(':')?,
            };
            let path = path.trim_end();
            let begin = path.rfind(|c| !is_word(c)).map_or(0, |at| at + 1);
            (begin < path.len()).then(|| &path[begin..])
        })
    })
}

/// The name of a field that begins here, behind other attributes and its visibility.
fn name(mut text: &str) -> Option<&str> {
    loop {
        text = behind_space(text);
        if text.starts_with("#[") {
            text = &text[text.find(']')? + 1..];
            continue;
        }
        let end = text.find(|c: char| !c.is_alphanumeric() && c != '_')?;
        let (word, rest) = text.split_at(end);
        let rest = behind_space(rest);
        if word == "pub" {
            text = match rest.strip_prefix('(') {
                Some(scope) => &scope[scope.find(')')? + 1..],
                None => rest,
            };
            continue;
        }
        return (!word.is_empty() && rest.starts_with(':')).then_some(word);
    }
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn names_stand_behind_the_attribute() {
        let text = "
            struct S { a: f64, #[constant] rate: f64,
                #[constant]
                /// Text.
                #[serde(default)]
                pub(crate) kind: Kind, #[constant] pub n: usize, b: f64 }
            struct T(#[constant] f64);
            #[constant]";
        assert_eq!(names(text), ["kind", "n", "rate"]);
        assert!(names("struct S { constant: f64 }").is_empty());
    }
}
