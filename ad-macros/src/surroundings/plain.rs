//! Functions and traits of the package that have no attribute, wherever they are declared.
//!
//! Names are not resolved: what is asked is whether all functions of a name are such, and the name is one of the
//! package's.

use proc_macro2::{Ident, Span, TokenStream};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser as _};

use super::package::for_each_file_with;
use super::signatures::signature;
use super::{
    Blocks, Surroundings, declarations, declared, is_code, is_module_of_package, is_of_other_crate,
    is_written, with_blocks,
};
use crate::edition::is_crate;

/// What the text shows of a function that is called by a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Elsewhere {
    /// It is one of another module of the package, which has none of that name but with attributes that leave it as it
    /// is.
    Plain,
    /// It may have sweeps, or not: one of another crate, or of several of one name. rustc finds the path where an
    /// import names it, too.
    Unclear,
    /// Nothing that would be doubted.
    Unknown,
}

pub(crate) fn elsewhere(path: &syn::Path, is_inert: impl Fn(&syn::Attribute) -> bool) -> Elsewhere {
    let Some(last) = path.segments.last().map(|last| &last.ident) else {
        return Elsewhere::Unknown;
    };
    let at = last.span();
    if path.leading_colon.is_some() || !is_code(at) || !is_written(at) {
        return Elsewhere::Unknown;
    }
    let names: Vec<String> = path
        .segments
        .iter()
        .map(|s| s.ident.unraw().to_string())
        .collect();
    let unclear = || match may_be_imported(&names[0], at) {
        true => Elsewhere::Unclear,
        false => Elsewhere::Unknown,
    };
    let Some(name) = with_blocks(at, |blocks| own_name(blocks, &names)).flatten() else {
        return match is_of_other_crate(path, at) && !is_of_facade(path, at) {
            true => unclear(),
            false => Elsewhere::Unknown,
        };
    };
    let (mut found, mut others, mut plain) = (0, false, 0);
    let mut look = |blocks: &Blocks| {
        // A rule for it may stand anywhere, and names it.
        others |= blocks.text.contains("derivative_of");
        for (begin, at) in declarations(&blocks.text, "fn", &name) {
            if blocks.macros.skips(at) {
                continue;
            }
            let open = blocks.open_before(begin);
            if open.iter().all(|(of, _)| *of == Surroundings::Module) {
                found += 1;
                others |= blocks.macros.is_given(at);
                let attributes = attributes(blocks, begin);
                let attributes = attributes.as_deref();
                let all = |is: &dyn Fn(&syn::Attribute) -> bool| {
                    attributes.is_some_and(|all| all.iter().all(is))
                };
                others |= !all(&is_inert);
                // One of several that features choose between.
                plain += usize::from(all(&|a| is_inert(a) || a.path().is_ident("cfg")));
            }
        }
    };
    let _seen = with_blocks(at, &mut look);
    for_each_file_with(at, &name, |_, blocks| look(blocks));
    match found > 0 && !others {
        true => Elsewhere::Plain,
        false if plain > 0 => unclear(),
        false => Elsewhere::Unknown,
    }
}

/// Whether an import may begin with a name wherever a path may: there is no crate of the name beside a module of it,
/// between which an import does not choose.
fn may_be_imported(first: &str, at: Span) -> bool {
    if matches!(first, "crate" | "self" | "super") || !is_crate(first) {
        return true;
    }
    let mut own = false;
    let mut look = |blocks: &Blocks| {
        let declared = |keyword| declarations(&blocks.text, keyword, first).next().is_some();
        own |= ["mod", "fn", "struct", "enum"].into_iter().any(declared);
    };
    let _seen = with_blocks(at, &mut look);
    for_each_file_with(at, first, |_, blocks| look(blocks));
    !own
}

/// Whether a path begins in the crate of the special functions, whose derivatives come with them.
fn is_of_facade(path: &syn::Path, at: Span) -> bool {
    let Some(first) = path
        .segments
        .first()
        .map(|first| first.ident.unraw().to_string())
    else {
        return false;
    };
    let imported = |blocks: &Blocks| {
        let leaves = blocks.imports().iter().flatten();
        let mut named =
            leaves.filter(|leaf| leaf.name.as_ref().is_some_and(|(_, here)| *here == first));
        named.any(|leaf| leaf.path.first().is_some_and(|krate| krate == "retrograde"))
    };
    first == "retrograde" || with_blocks(at, imported).unwrap_or(false)
}

/// Whether the file, or another one beside it below `src`, has methods of this name, and none but such as have no
/// attribute, nor their blocks, and yield what may carry a derivative. `ty`: of the type of this name.
pub(crate) fn is_plain_method(
    name: &Ident,
    ty: Option<&Ident>,
    is_inert: impl Fn(&syn::Attribute) -> bool,
) -> bool {
    let at = name.span();
    if !is_code(at) || !is_written(at) {
        return false;
    }
    let (word, ty) = (
        name.unraw().to_string(),
        ty.map(|ty| ty.unraw().to_string()),
    );
    let (mut found, mut others) = (false, false);
    let mut look = |blocks: &Blocks| {
        for (begin, at) in declarations(&blocks.text, "fn", &word) {
            let open = blocks.open_before(begin);
            let Some((Surroundings::Impl | Surroundings::Trait, brace)) = open.last() else {
                continue;
            };
            if blocks.macros.skips(at)
                || !ty.as_ref().is_none_or(|ty| blocks.is_block_of(*brace, ty))
            {
                continue;
            }
            let head = blocks.in_front_of(*brace).unwrap_or_default();
            let inert = attributes(blocks, begin).is_some_and(|all| all.iter().all(&is_inert));
            let carries =
                signature(&blocks.text[begin..]).is_some_and(|sig| may_carry(&sig.output));
            found = true;
            others |= blocks.macros.is_given(at) || head.contains("gradient") || !inert || !carries;
        }
    };
    let _seen = with_blocks(at, &mut look);
    let file = at.local_file().unwrap_or_default();
    if file.components().any(|part| part.as_os_str() == "src") {
        for_each_file_with(at, &word, |_, blocks| look(blocks));
    }
    found && !others
}

/// Whether what a function yields may carry a derivative: it is a float, or of a type by its name.
fn may_carry(output: &syn::ReturnType) -> bool {
    const NONE: [&str; 4] = ["String", "Ordering", "Duration", "Box"];
    let syn::ReturnType::Type(_, ty) = output else {
        return false;
    };
    let text = quote::ToTokens::to_token_stream(ty).to_string();
    let mut words = text.split(|c| !super::is_word(c));
    words.any(|word| {
        let of_type = word.starts_with(|c: char| c.is_uppercase()) && !NONE.contains(&word);
        of_type || matches!(word, "f32" | "f64")
    })
}

/// The name that the function has where it is declared, if the text shows that it is of the package.
fn own_name(blocks: &Blocks, names: &[String]) -> Option<String> {
    let leaves = || blocks.imports().iter().flatten();
    let of_package = |first: &String| is_module_of_package(&blocks.text, first);
    let imported = |name: &String| {
        let mut named =
            leaves().filter(|leaf| leaf.name.as_ref().is_some_and(|(_, here)| here == name));
        let leaf = named.next()?;
        let alone = named.next().is_none() && leaf.path.first().is_some_and(of_package);
        leaf.name
            .as_ref()
            .filter(|_| alone)
            .map(|(of, _)| of.clone())
    };
    match names {
        // Beside it, everything of another crate may bring a rule for it.
        [name] => {
            let of_std = |first: &String| matches!(first.as_str(), "std" | "core" | "alloc");
            let stars = leaves().filter(|leaf| leaf.name.is_none());
            let mut stars = stars.map(|leaf| leaf.path.first());
            let harmless = stars.all(|first| first.is_some_and(|f| of_std(f) || of_package(f)));
            imported(name).filter(|_| harmless)
        }
        [first, .., name] if of_package(first) || imported(first).is_some() => Some(name.clone()),
        _ => None,
    }
}

/// The attributes of the function that begins here with `fn`.
fn attributes(blocks: &Blocks, begin: usize) -> Option<Vec<syn::Attribute>> {
    let text = blocks.text.get(..begin)?;
    let mut from = text.rfind('\n').map_or(0, |at| at + 1);
    // What stands in front of it in the line.
    let before = text[from..].rfind(['{', '}', ';']);
    from += before.map_or(0, |at| at + 1);
    while before.is_none()
        && let Some(above) = text[..from].strip_suffix('\n')
    {
        let line = above.rfind('\n').map_or(0, |at| at + 1);
        let code = above[line..].trim();
        let comment = code.starts_with("//");
        if code.is_empty() || !comment && code.ends_with(['}', ';', '{']) {
            break;
        }
        from = line;
    }
    let parse = |input: ParseStream<'_>| {
        let attributes = input.call(syn::Attribute::parse_outer)?;
        input.parse::<TokenStream>().map(|_| attributes)
    };
    parse.parse_str(&text[from..]).ok()
}

/// Whether a path names a trait of the package that has no `#[gradient]`, and no type.
pub(crate) fn is_plain_trait(path: &syn::Path) -> bool {
    let Some(name) = path.segments.last().map(|last| &last.ident) else {
        return false;
    };
    let (at, word) = (name.span(), name.unraw().to_string());
    if !is_code(at) || !is_written(at) || is_of_other_crate(path, at) {
        return false;
    }
    let (mut found, mut others) = (false, false);
    let mut look = |blocks: &Blocks| {
        for (begin, at) in declarations(&blocks.text, "trait", &word) {
            if !blocks.macros.skips(at) {
                found = true;
                let own = attributes(blocks, begin);
                let plain = own.is_some_and(|all| {
                    all.iter()
                        .all(|a| a.path().is_ident("doc") || a.path().is_ident("allow"))
                });
                others |= blocks.macros.is_given(at) || !plain;
            }
        }
    };
    let _seen = with_blocks(at, &mut look);
    for_each_file_with(at, &word, |_, blocks| look(blocks));
    found && !others && declared(at, &Ident::new(&word, at)).is_none()
}

#[cfg(test)]
mod tests {
    use super::{Blocks, attributes, own_name};

    #[test]
    fn attributes_stand_in_front_of_the_function() {
        let of = |text: &str| {
            let blocks = Blocks::of("given.rs".into(), text.to_owned());
            let found = attributes(&blocks, text.find("fn ").expect("a function"));
            let names =
                found.map(|all| all.iter().map(|a| a.path().get_ident().cloned()).collect());
            names.map(|names: Vec<_>| {
                let names = names
                    .into_iter()
                    .map(|name| name.expect("a name").to_string());
                names.collect::<Vec<_>>().join(" ")
            })
        };
        assert_eq!(
            of("use a::b;\n/// A {\n#[inline]\npub(crate) const fn f() {}").as_deref(),
            Some("doc inline")
        );
        assert_eq!(
            of("#[gradient]\nimpl S { #[inline] fn f() {} }").as_deref(),
            Some("inline")
        );
        assert_eq!(
            of("struct S;\n#[gradient] fn f() {}").as_deref(),
            Some("gradient")
        );
        assert_eq!(
            of("}\n#[cfg_attr(\n    any(),\n    gradient\n)]\npub fn f() {}").as_deref(),
            Some("cfg_attr")
        );
    }

    #[test]
    fn names_are_those_of_the_package() {
        let of = |text: &str, path: &str| {
            let blocks = Blocks::of("given.rs".into(), text.to_owned());
            let names: Vec<String> = path.split("::").map(str::to_owned).collect();
            own_name(&blocks, &names)
        };
        assert_eq!(of("use crate::m::{g as h};", "h").as_deref(), Some("g"));
        assert_eq!(
            of("mod m; use super::*; use std::f64::*;", "m::g").as_deref(),
            Some("g")
        );
        assert_eq!(of("use crate::a::m;", "m::g").as_deref(), Some("g"));
        assert_eq!(of("use crate::g; use rules::*;", "g"), None);
        assert_eq!(of("use other::g;", "g"), None);
        assert_eq!(of("use crate::*;", "g"), None);
        assert_eq!(of("", "other::g"), None);
    }
}
