//! The fields under `#[constant]` that the text of a file declares.

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
    names.sort_unstable();
    names.dedup();
    names
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
