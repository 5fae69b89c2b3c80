//! Names captured inside format strings.

use proc_macro2::{Ident, TokenStream, TokenTree};

/// The names that strings in the arguments of a macro would capture as format strings.
pub(crate) fn names_in_formats(tokens: &TokenStream) -> Vec<Ident> {
    let mut names = Vec::new();
    for token in tokens.clone() {
        match token {
            TokenTree::Literal(literal) => {
                if let syn::Lit::Str(string) = syn::Lit::new(literal) {
                    let captured = captures(&string.value()).into_iter();
                    let parsed = captured.filter_map(|name| syn::parse_str::<Ident>(&name).ok());
                    names.extend(parsed.map(|name| Ident::new(&name.to_string(), string.span())));
                }
            }
            TokenTree::Group(group) => names.extend(names_in_formats(&group.stream())),
            TokenTree::Ident(_) | TokenTree::Punct(_) => {}
        }
    }
    names
}

/// The identifiers that a format string captures: `{x}`, `{x:?}`, `{:w$}`, `{:.p$}`, `{x:w$.p$}`.
pub(super) fn captures(format: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut chars = format.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '{' {
            continue;
        }
        if chars.peek() == Some(&'{') {
            chars.next();
            continue;
        }
        let spec: String = chars.by_ref().take_while(|c| *c != '}').collect();
        let (argument, rest) = spec.split_once(':').unwrap_or((&spec, ""));
        push_name(argument.trim(), &mut names);
        // `w$` and `.p$` name arguments; what stands before the name is fill, alignment and flags.
        for part in rest.split('$').take(rest.matches('$').count()) {
            let start = part
                .rfind(|c: char| !(c.is_alphanumeric() || c == '_'))
                .map_or(0, |at| {
                    at + part[at..].chars().next().map_or(1, char::len_utf8)
                });
            // A `0` before the name is the flag for padding.
            push_name(part[start..].trim_start_matches('0'), &mut names);
        }
    }
    names
}

fn push_name(name: &str, names: &mut Vec<String>) {
    let starts = name
        .chars()
        .next()
        .is_some_and(|c| c.is_alphabetic() || c == '_');
    if starts && !names.iter().any(|n| n == name) {
        names.push(name.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::captures;

    #[test]
    fn names_are_found_in_every_position() {
        assert_eq!(
            captures("{x} {y:?} {:w$} {:.p$} {z:>width$.prec$}"),
            ["x", "y", "w", "p", "z", "width", "prec"]
        );
    }

    #[test]
    fn positions_escapes_and_literals_are_not_names() {
        assert!(captures("{} {0} {{x}} {:>8.3}").is_empty());
    }

    #[test]
    fn a_flag_before_a_width_is_not_part_of_its_name() {
        assert_eq!(captures("{:>w$}"), ["w"]);
        assert_eq!(captures("{:0w$}"), ["w"]);
    }
}
