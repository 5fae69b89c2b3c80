//! How many lifetimes a type of the file has.

use proc_macro2::{Ident, Span};

use super::beside::declarations;
use super::with_text;

/// Of the struct or enum of this name, if the file declares one alone.
pub(crate) fn lifetimes_of(at: Span, name: &Ident) -> usize {
    with_text(at, |text| declared(text, &name.to_string())).unwrap_or(0)
}

fn declared(text: &str, name: &str) -> usize {
    let mut found = ["struct", "enum"]
        .into_iter()
        .flat_map(|keyword| declarations(text, keyword, name));
    let (Some((_, at)), None) = (found.next(), found.next()) else {
        return 0;
    };
    let behind = text[at + name.len()..].trim_start();
    let Some(parameters) = behind.strip_prefix('<') else {
        return 0;
    };
    // Lifetimes stand in front.
    let mut parameters = parameters.split([',', '>']).map(str::trim_start);
    std::iter::from_fn(|| parameters.next())
        .take_while(|parameter| parameter.starts_with('\''))
        .count()
}

#[cfg(test)]
mod tests {
    use super::declared;

    #[test]
    fn lifetimes_of_declarations() {
        let text = "struct A<'a> { x: &'a f64 } pub struct B<'a, 'b: 'a, T>(&'a T, &'b T);\n\
                    enum C<T> { D(T) } struct E; struct F<'a>(&'a f64); mod m { struct F(f64); }";
        let of = |name| declared(text, name);
        assert_eq!([of("A"), of("B"), of("C"), of("E")], [1, 2, 0, 0]);
        assert_eq!([of("F"), of("G")], [0, 0]);
    }
}
