//! The functions and traits that a module declares, by the text of its file.
//!
//! A module has one item of a name in each namespace, and it comes before what imports by `*` bring. So an
//! item that stands in the module, under no attribute that could take it away, is what its name means there,
//! wherever nothing nearer has the name. Which text rustc sees is another question (a file may have been changed by
//! what is around its items): generated code compares the definition with the one that the item's attribute saw.

use proc_macro2::{Ident, Span};
use syn::ext::IdentExt;

use super::{Blocks, Open, Surroundings, are_written, is_code, is_word, is_written, with_blocks};

/// The function of this name in the module in which the function at this place stands, and in nothing else. `None`: the
/// text does not show one, or more than one.
pub(crate) fn function_beside(at: Span, name: &Ident) -> Option<syn::ItemFn> {
    item_beside(at, name, "fn", &function_named)
}

/// The function of this name in the module around this place, which may stand in a block of it.
pub(crate) fn function_of_module(at: Span, name: &Ident) -> Option<syn::ItemFn> {
    of_module(at, name, "fn", &function_named)
}

fn function_named(item: syn::Item, name: &str) -> Option<syn::ItemFn> {
    // Others have names of their own, or scopes.
    let syn::Item::Fn(function) = item else {
        return None;
    };
    (function.sig.ident.unraw() == name).then_some(function)
}

/// Whether this is an enum of the module around this place whose variants hold nothing.
pub(crate) fn is_fieldless(at: Span, name: &Ident) -> bool {
    let found = of_module(at, name, "enum", &|item, name| {
        let syn::Item::Enum(declared) = item else {
            return None;
        };
        (declared.ident.unraw() == name).then_some(declared)
    });
    found.is_some_and(|declared| declared.variants.iter().all(|v| v.fields.is_empty()))
}

/// The struct of this name in the module around this place, which may stand in a block of it.
pub(crate) fn struct_of_module(at: Span, name: &Ident) -> Option<syn::ItemStruct> {
    of_module(at, name, "struct", &|item, name| {
        let syn::Item::Struct(declared) = item else {
            return None;
        };
        (declared.ident.unraw() == name).then_some(declared)
    })
}

fn of_module<T>(at: Span, name: &Ident, keyword: &str, pick: Pick<'_, T>) -> Option<T> {
    let sought = Sought {
        keyword,
        name: &name.unraw().to_string(),
        pick,
    };
    if !is_code(at) || !is_written(at) {
        return None;
    }
    with_blocks(at, |blocks| {
        blocks.place_of_code(at)?;
        let mut open = blocks.open_at(at.start().line, at.start().column)?;
        if let Some((Surroundings::Impl, _)) = open.last() {
            open.pop();
        }
        let modules = open.iter().all(|(open, _)| *open == Surroundings::Module);
        modules
            .then(|| blocks.item_beside(&open, &sought))
            .flatten()
    })?
}

/// The same of a trait, beside the `impl` at this place.
pub(crate) fn trait_beside(at: Span, name: &Ident) -> Option<syn::ItemTrait> {
    item_beside(at, name, "trait", &|item, name| {
        let syn::Item::Trait(declared) = item else {
            return None;
        };
        (declared.ident.unraw() == name).then_some(declared)
    })
}

fn item_beside<T>(at: Span, name: &Ident, keyword: &str, pick: Pick<'_, T>) -> Option<T> {
    let sought = Sought {
        keyword,
        name: &name.unraw().to_string(),
        pick,
    };
    #[cfg(test)]
    if GIVEN.with_borrow(Option::is_some) {
        return GIVEN.with_borrow(|given| given.as_ref()?.beside(at, &sought));
    }
    if !are_written(at, name) {
        return None;
    }
    with_blocks(at, |blocks| blocks.beside(at, &sought))?
}

/// What an item is, if it has the name.
type Pick<'p, T> = &'p dyn Fn(syn::Item, &str) -> Option<T>;

/// An item by its keyword and its name.
struct Sought<'s, T> {
    keyword: &'s str,
    name: &'s str,
    pick: Pick<'s, T>,
}

#[cfg(test)]
thread_local! {
    /// The file that tokens stand in, where it is not rustc that reads them.
    static GIVEN: std::cell::RefCell<Option<Blocks>> = const { std::cell::RefCell::new(None) };
}

/// From here on, tokens of this thread stand in this text.
#[cfg(test)]
pub(crate) fn give_text(text: &str) {
    GIVEN.set(Some(Blocks::of("given.rs".into(), text.to_owned())));
}

impl Blocks {
    /// Where a token stands, if that is neither in a comment nor in what a macro is given.
    pub(super) fn place_of_code(&self, at: Span) -> Option<usize> {
        let (line, column) = (at.start().line, at.start().column);
        // Columns of an example in a document do not count what is in front of its lines.
        let begin = *self.lines.get(line.checked_sub(1)?)?;
        let text = self.text.get(begin..)?;
        let first = begin + text.len() - text.trim_start().len();
        let place = self.place(line, column)?;
        let skipped = [first, place].iter().any(|at| self.macros.skips(*at));
        (!skipped && !self.macros.is_given(place)).then_some(place)
    }

    fn beside<T>(&self, at: Span, sought: &Sought<'_, T>) -> Option<T> {
        self.place_of_code(at)?;
        let open = self.open_at(at.start().line, at.start().column)?;
        let modules = open.iter().all(|(open, _)| *open == Surroundings::Module);
        if modules {
            self.item_beside(&open, sought)
        } else {
            None
        }
    }

    fn item_beside<T>(&self, open: &Open, sought: &Sought<'_, T>) -> Option<T> {
        let mut found = None;
        let chunks = self.chunks(open);
        for (begin, end) in chunks {
            let text = self.text.get(begin..end)?;
            if declarations(text, sought.keyword, sought.name)
                .next()
                .is_none()
            {
                continue;
            }
            let items = self.items(begin, end)?.into_iter();
            for item in items.filter_map(|item| (sought.pick)(item, sought.name)) {
                // What another macro is given is no item, whatever it looks like.
                if found.is_some() || self.macros.is_given(end.checked_sub(1)?) {
                    return None;
                }
                found = Some(item);
            }
        }
        found
    }

    /// The text of a module, from the end of one pair of braces to that of the next.
    pub(super) fn chunks(&self, open: &Open) -> Vec<(usize, usize)> {
        let begin = open.last().map_or(0, |(_, brace)| brace + 1);
        let first = self.open.partition_point(|(from, _)| *from <= begin);
        let inside = self.open[first..]
            .iter()
            .take_while(|(_, now)| now.starts_with(open));
        let ends = inside.filter(|(_, now)| now.len() == open.len());
        let mut begin = begin;
        let chunk = |(end, _): &(usize, Open)| (std::mem::replace(&mut begin, *end), *end);
        ends.map(chunk).collect()
    }

    /// The items of a piece of text, without what ends an item that began in front of it.
    pub(super) fn items(&self, begin: usize, end: usize) -> Option<Vec<syn::Item>> {
        let text = self.text.get(begin..end)?;
        if let Ok(file) = syn::parse_str::<syn::File>(text) {
            return Some(file.items);
        }
        let rest = text.match_indices(';').map(|(at, _)| begin + at);
        let rest = rest.filter(|at| !self.macros.skips(*at)).take(32);
        let parsed =
            rest.filter_map(|at| syn::parse_str::<syn::File>(&self.text[at + 1..end]).ok());
        parsed.map(|file| file.items).next()
    }
}

/// Where the text may declare items of this kind and name: at the keyword, and at the name.
pub(super) fn declarations<'t>(
    text: &'t str,
    keyword: &'t str,
    name: &'t str,
) -> impl Iterator<Item = (usize, usize)> + 't {
    text.match_indices(name).filter_map(move |(at, _)| {
        let before = text[..at].trim_end();
        let before = before.strip_suffix("r#").map_or(before, str::trim_end);
        let rest = before.strip_suffix(keyword)?;
        let is_whole = !rest.ends_with(is_word) && !text[at + name.len()..].starts_with(is_word);
        is_whole.then_some((rest.len(), at))
    })
}
