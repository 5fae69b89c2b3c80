//! Fields of structs and tuples.

use std::cell::RefCell;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;

use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;

use super::literal::count32;

/// A field, with the place in the code where it is named. Fields are equal if they have the same name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field {
    name: FieldName,
    span: Span,
    is_part: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum FieldName {
    /// Its number in [`NAMES`].
    Named(u32),
    Position(u32),
}

thread_local! {
    /// The names of the fields that functions have used. It holds text alone: spans do not outlive the expansion of
    /// their function.
    static NAMES: RefCell<Names> = const {
        RefCell::new(Names {
            numbers: BTreeMap::new(),
            texts: Vec::new(),
        })
    };
}

struct Names {
    numbers: BTreeMap<&'static str, u32>,
    texts: Vec<&'static str>,
}

fn text(number: u32) -> &'static str {
    NAMES.with_borrow(|names| names.texts[number as usize])
}

impl Names {
    fn number(&mut self, text: String) -> u32 {
        if let Some(number) = self.numbers.get(text.as_str()) {
            return *number;
        }
        let number = u32::try_from(self.texts.len()).expect("fewer than 2^32 names");
        let text: &'static str = text.leak();
        self.texts.push(text);
        self.numbers.insert(text, number);
        number
    }
}

impl Ord for FieldName {
    /// By the text, so that an order does not depend on which functions were expanded before.
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (FieldName::Named(a), FieldName::Named(b)) => text(*a).cmp(text(*b)),
            (FieldName::Position(a), FieldName::Position(b)) => a.cmp(b),
            (FieldName::Position(_), FieldName::Named(_)) => Ordering::Less,
            (FieldName::Named(_), FieldName::Position(_)) => Ordering::Greater,
        }
    }
}

impl PartialOrd for FieldName {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Field {
    /// A part of a tuple, or of a tuple struct.
    pub(crate) fn at(position: u32, span: Span) -> Self {
        Field {
            name: FieldName::Position(position),
            span,
            is_part: false,
        }
    }

    /// The same field, known to be a part of what it is read of.
    pub(crate) fn part(self) -> Self {
        Field {
            is_part: true,
            ..self
        }
    }

    /// Whether the type of what it is read of shows the field: it is memory of its own, apart from the other fields. Of
    /// another type it may be a field of what the type dereferences to, which lies in a field of another name.
    pub(crate) fn is_part(&self) -> bool {
        self.is_part
    }

    pub(super) fn name(&self) -> FieldName {
        self.name
    }

    /// Which part of a tuple it is.
    pub(crate) fn position(&self) -> Option<usize> {
        match self.name {
            FieldName::Position(position) => usize::try_from(position).ok(),
            FieldName::Named(_) => None,
        }
    }

    pub(crate) fn tokens(&self) -> TokenStream {
        match self.name {
            FieldName::Named(number) => {
                let text = text(number);
                let name = match text.strip_prefix("r#") {
                    Some(raw) => Ident::new_raw(raw, self.span),
                    None => Ident::new(text, self.span),
                };
                name.into_token_stream()
            }
            FieldName::Position(position) => {
                let mut position = count32(position);
                position.set_span(self.span);
                position.into_token_stream()
            }
        }
    }
}

impl From<&syn::Member> for Field {
    fn from(member: &syn::Member) -> Self {
        match member {
            syn::Member::Named(name) => Field {
                name: FieldName::Named(
                    NAMES.with_borrow_mut(|names| names.number(name.to_string())),
                ),
                span: name.span(),
                is_part: false,
            },
            syn::Member::Unnamed(index) => Field::at(index.index, index.span),
        }
    }
}

impl PartialEq for Field {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Field {}

impl fmt::Display for FieldName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FieldName::Named(number) => f.write_str(text(*number)),
            FieldName::Position(position) => write!(f, "{position}"),
        }
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.name.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_equal_by_name_and_come_back_as_written() {
        let field = |text| Field::from(&syn::parse_str::<syn::Member>(text).expect("a field"));
        for text in ["mass", "r#type", "0", "12"] {
            assert_eq!(field(text), field(text));
            assert_eq!(field(text).to_string(), text);
            assert_eq!(field(text).tokens().to_string(), text);
        }
        assert_ne!(field("mass"), field("r#type"));
        assert_ne!(field("0"), field("12"));
        assert_eq!(field("12").position(), Some(12));
        assert_eq!(field("mass").position(), None);
    }
}
