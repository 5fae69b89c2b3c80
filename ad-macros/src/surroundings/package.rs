//! The types that a package declares and the methods that they have, by the text of its files.
//!
//! The file of the token comes first, then the others below the folder of sources that it lies in. What is found here
//! is a hint: names are not resolved, so another type of the name may be meant. It is believed only where a wrong
//! answer ends as an error of rustc. What is read changes with the crate's own sources, so the crate is compiled anew.

use std::cell::{OnceCell, RefCell};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use proc_macro2::{Ident, Span};
use syn::ext::IdentExt;

use super::beside::declarations;
use super::signatures::signature;
use super::{Blocks, Surroundings, is_code, is_word, is_written, look, with_blocks};
use crate::generic::block_of_head;
use crate::ir::hash::HashSet;

/// What a name of a type stands for.
#[derive(Clone)]
pub(crate) enum Declared {
    Struct(syn::ItemStruct),
    Enum(syn::ItemEnum),
    Alias(syn::ItemType),
}

/// The type of this name, if one is declared in the file of the token at this place, or else one alone in the package.
pub(crate) fn declared(at: Span, name: &Ident) -> Option<Declared> {
    let name = name.unraw().to_string();
    found(at, &name, |blocks| blocks.declared(&name))
}

/// What the package declares under a name that constants and statics have, if it is one of both.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lasting {
    Constant,
    Static {
        /// Its type names others than numbers.
        of_others: bool,
    },
}

pub(crate) fn lasting(at: Span, name: &Ident) -> Option<Lasting> {
    if !is_code(at) || !is_written(at) {
        return None;
    }
    let name = name.unraw().to_string();
    let (mut constant, mut fixed, mut of_others) = (false, false, false);
    let mut look = |text: &str| {
        constant |= declarations(text, "const", &name).next().is_some();
        for keyword in ["static", "static mut"] {
            for (_, at) in declarations(text, keyword, &name) {
                fixed = true;
                let ty = text[at + name.len()..]
                    .split('=')
                    .next()
                    .unwrap_or_default();
                of_others |= ty.contains(char::is_uppercase);
            }
        }
    };
    let _seen = with_blocks(at, |blocks| look(&blocks.text));
    with_others(at, |source| look(&source.text));
    match (constant, fixed) {
        (true, false) => Some(Lasting::Constant),
        (false, true) => Some(Lasting::Static { of_others }),
        _ => None,
    }
}

/// Whether the package declares constants of this name and nothing else, all of them of structs or enums of its own.
pub(crate) fn is_constant_of_own(at: Span, name: &Ident) -> bool {
    if lasting(at, name) != Some(Lasting::Constant) {
        return false;
    }
    let name = name.unraw().to_string();
    let mut types = Vec::new();
    let mut look = |text: &str| {
        for (_, at) in declarations(text, "const", &name) {
            let ty = text[at + name.len()..]
                .split('=')
                .next()
                .unwrap_or_default();
            types.push(syn::parse_str::<syn::TypePath>(ty.trim_start_matches(':')));
        }
    };
    let _seen = with_blocks(at, |blocks| look(&blocks.text));
    with_others(at, |source| look(&source.text));
    types.iter().all(|ty| {
        let last = ty.as_ref().ok().and_then(|ty| ty.path.segments.last());
        let shown = last.and_then(|last| declared(at, &Ident::new(&last.ident.to_string(), at)));
        matches!(shown, Some(Declared::Struct(_) | Declared::Enum(_)))
    })
}

/// The signature of the function of this name in an `impl` of the type of this name.
pub(crate) fn method_of(at: Span, ty: &Ident, name: &Ident) -> Option<syn::Signature> {
    let (ty, name) = (ty.unraw().to_string(), name.unraw().to_string());
    found(at, &ty, |blocks| blocks.method_of(&ty, &name))
}

/// The signatures of all functions of this name for the type, in the file of the token: an operator may have an `impl`
/// for each type of its other operand.
pub(crate) fn methods_of(at: Span, ty: &Ident, name: &str) -> Vec<syn::Signature> {
    let ty = ty.unraw().to_string();
    with_blocks(at, |blocks| blocks.method_of(&ty, name)).unwrap_or_default()
}

/// Whether some file of the package declares functions of these names, those that the text of a function calls.
pub(crate) fn declares_some(at: Span, names: &HashSet<String>) -> bool {
    if names.is_empty() || !is_code(at) || !is_written(at) {
        return false;
    }
    let here = with_blocks(at, |blocks| {
        let known = blocks.functions.get_or_init(|| functions(&blocks.text));
        !known.is_disjoint(names)
    });
    let mut found = here.unwrap_or(false);
    with_others(at, |source| {
        let known = source.functions.get_or_init(|| functions(&source.text));
        found |= !known.is_disjoint(names);
    });
    found
}

/// Whether the file may declare a function of this name, in a block or not.
pub(crate) fn may_declare_function(at: Span, name: &Ident) -> bool {
    let name = name.unraw().to_string();
    let found = with_blocks(at, |blocks| {
        let known = blocks.functions.get_or_init(|| functions(&blocks.text));
        known.contains(&name)
    });
    found.unwrap_or(true)
}

/// The names behind `fn`.
fn functions(text: &str) -> HashSet<String> {
    let behind = text.match_indices("fn").filter_map(|(at, word)| {
        let behind = &text[at + word.len()..];
        let name = behind.trim_start();
        (name.len() < behind.len()).then(|| name.strip_prefix("r#").unwrap_or(name))
    });
    let names = behind.map(|text| text.split(|c| !is_word(c)).next().unwrap_or_default());
    names.map(str::to_owned).collect()
}

/// The block that the token at this place stands in, of a type or of a trait for one, without its items.
pub(crate) fn block_around(at: Span) -> Option<syn::ItemImpl> {
    look(at, |blocks, open| match *open.last()? {
        (Surroundings::Impl | Surroundings::Trait, brace) => blocks.head(brace),
        _ => None,
    })?
}

/// The innermost block that a place in the body of one of its functions stands in.
pub(crate) fn block_with(at: Span) -> Option<syn::ItemImpl> {
    look(at, |blocks, open| {
        let mut blocks_open = open.iter().rev();
        let (_, brace) = blocks_open.find(|(open, _)| {
            matches!(
                open,
                Surroundings::Impl | Surroundings::Trait | Surroundings::Module
            )
        })?;
        blocks.head(*brace)
    })?
}

/// What the first file says that says anything; of the others, one alone.
pub(super) fn found<T>(at: Span, word: &str, mut ask: impl FnMut(&Blocks) -> Vec<T>) -> Option<T> {
    if !is_code(at) || !is_written(at) {
        return None;
    }
    let here = with_blocks(at, |blocks| {
        blocks.place_of_code(at)?;
        Some(ask(blocks))
    })??;
    if let Some(first) = here.into_iter().next() {
        return Some(first);
    }
    let mut all = Vec::new();
    with_others(at, |source| {
        if source.text.contains(word) {
            let found = ask(source.blocks()).into_iter();
            all.extend(found.map(|found| (module_name(&source.file), found)));
        }
    });
    if all.len() > 1 {
        let imports = with_blocks(at, |blocks| imports(&blocks.text, word))?;
        all.retain(|(module, _)| imports.contains(module));
    }
    let (_, found) = all.pop()?;
    all.is_empty().then_some(found)
}

/// The name of the module that a file is.
pub(super) fn module_name(file: &Path) -> String {
    let name = |path: &Path| Some(path.file_stem()?.to_string_lossy().into_owned());
    let stem = name(file).unwrap_or_default();
    match stem.as_str() {
        "mod" => file.parent().and_then(name).unwrap_or_default(),
        _ => stem,
    }
}

/// The words of the imports that have this one; of all imports, if none has.
fn imports(text: &str, word: &str) -> HashSet<String> {
    let statements = text.split_inclusive(';').filter_map(|statement| {
        let begin = statement.find("use ")?;
        let before = statement[..begin].chars().next_back();
        (!before.is_some_and(is_word)).then(|| &statement[begin..])
    });
    let words = |statement: &str| -> HashSet<String> {
        let words = statement.split(|c| !is_word(c));
        words.map(str::to_owned).collect()
    };
    let all: Vec<HashSet<String>> = statements.map(words).collect();
    let named = all.iter().filter(|words| words.contains(word));
    let named: HashSet<String> = named.flatten().cloned().collect();
    match named.is_empty() {
        true => all.into_iter().flatten().collect(),
        false => named,
    }
}

impl Blocks {
    fn declared(&self, name: &str) -> Vec<Declared> {
        let each = |keyword| {
            let at = declarations(&self.text, keyword, name);
            at.filter(|(_, at)| !self.macros.skips(*at) && !self.macros.is_given(*at))
        };
        let structs =
            each("struct").filter_map(|(begin, _)| Some(Declared::Struct(self.item(begin)?)));
        let enums = each("enum").filter_map(|(begin, _)| Some(Declared::Enum(self.item(begin)?)));
        let aliases = each("type").filter_map(|(begin, _)| {
            // An associated type is no alias.
            let of_module =
                |open: &super::Open| open.iter().all(|(open, _)| *open == Surroundings::Module);
            of_module(&self.open_before(begin)).then_some(())?;
            Some(Declared::Alias(self.item(begin)?))
        });
        structs.chain(enums).chain(aliases).collect()
    }

    /// The item that begins here: it ends with the first brace or semicolon up to which it can be read.
    pub(super) fn item<T: syn::parse::Parse>(&self, begin: usize) -> Option<T> {
        let text = self.text.get(begin..)?;
        let mut ends = text.match_indices(['}', ';']).take(64);
        ends.find_map(|(end, _)| syn::parse_str(&text[..=end]).ok())
    }

    fn method_of(&self, ty: &str, name: &str) -> Vec<syn::Signature> {
        let methods = self.methods(ty, name);
        let signatures = methods.filter_map(|(begin, _, _)| signature(&self.text[begin..]));
        signatures.collect()
    }

    /// The functions of this name in blocks of the type of this name: where each begins, the brace of its block, and
    /// the head of that.
    pub(super) fn methods<'b>(
        &'b self,
        ty: &'b str,
        name: &'b str,
    ) -> impl Iterator<Item = (usize, usize, syn::ItemImpl)> + 'b {
        declarations(&self.text, "fn", name).filter_map(move |(begin, at)| {
            if self.macros.skips(at) || self.macros.is_given(at) {
                return None;
            }
            let open = self.open_before(begin);
            let (Surroundings::Impl | Surroundings::Trait, brace) = *open.last()? else {
                return None;
            };
            let block = self.head(brace)?;
            self.is_block_of(brace, ty).then_some((begin, brace, block))
        })
    }

    /// Whether the block that begins with this brace is one of the type of this name.
    pub(super) fn is_block_of(&self, brace: usize, ty: &str) -> bool {
        let block = self.head(brace);
        block.is_some_and(|block| {
            matches!(&*block.self_ty, syn::Type::Path(of)
                if of.path.segments.last().is_some_and(|last| last.ident.unraw() == ty))
        })
    }

    /// The head of the block that begins with this brace.
    fn head(&self, brace: usize) -> Option<syn::ItemImpl> {
        block_of_head(self.in_front_of(brace)?)
    }
}

/// A file of the package.
struct Source {
    file: PathBuf,
    stamp: (Option<SystemTime>, u64),
    text: String,
    blocks: OnceCell<Blocks>,
    functions: OnceCell<HashSet<String>>,
}

impl Source {
    fn blocks(&self) -> &Blocks {
        self.blocks
            .get_or_init(|| Blocks::of(self.file.clone(), self.text.clone()))
    }
}

#[derive(Default)]
struct Sources {
    folder: PathBuf,
    /// When the folder was looked at last.
    looked: Option<Instant>,
    files: Vec<Source>,
}

thread_local! {
    static SOURCES: RefCell<Sources> = RefCell::default();
}

/// More files than this are not read.
const MOST: usize = 500;

fn with_others(at: Span, mut ask: impl FnMut(&Source)) {
    let Some(file) = at.local_file() else {
        return;
    };
    let Some(folder) = folder_of(&file) else {
        return;
    };
    SOURCES.with_borrow_mut(|sources| {
        if sources.folder != folder {
            *sources = Sources {
                folder,
                ..Sources::default()
            };
        }
        // What expands macros need not be a process for each build.
        if sources
            .looked
            .is_none_or(|looked| looked.elapsed() > Duration::from_secs(1))
        {
            sources.update();
        }
        sources
            .files
            .iter()
            .filter(|source| source.file != file)
            .for_each(&mut ask);
    });
}

/// Has a look at all other files that have this text.
pub(super) fn for_each_file_with(at: Span, text: &str, ask: impl FnMut(&Path, &Blocks)) {
    for_each_file_where(at, |_, of| of.contains(text), ask);
}

/// Has a look at the other files of which the path and the text are such.
pub(super) fn for_each_file_where(
    at: Span,
    wanted: impl Fn(&Path, &str) -> bool,
    mut ask: impl FnMut(&Path, &Blocks),
) {
    with_others(at, |source| {
        if wanted(&source.file, &source.text) {
            ask(&source.file, source.blocks());
        }
    });
}

/// Has a look at the texts of all other files.
pub(super) fn for_each_other_text(at: Span, mut ask: impl FnMut(&str)) {
    with_others(at, |source| ask(&source.text));
}

/// Has a look at all other files. Whether all were read.
pub(super) fn for_each_other(at: Span, mut ask: impl FnMut(&Blocks)) -> bool {
    let mut files = 1;
    with_others(at, |source| {
        files += 1;
        ask(source.blocks());
    });
    is_code(at) && files < MOST
}

/// The folder of the crate that the file belongs to: one beside the manifest, or, of tests and the like, one in it.
fn folder_of(file: &Path) -> Option<PathBuf> {
    let of_package = |folder: &&Path| {
        folder
            .parent()
            .is_some_and(|parent| parent.join("Cargo.toml").exists())
    };
    let folder = file.ancestors().skip(1).find(of_package)?;
    if folder.file_name().is_some_and(|name| name == "src") {
        return Some(folder.to_owned());
    }
    let inside = file.strip_prefix(folder).ok()?.components().next()?;
    let folder = folder.join(inside);
    folder.is_dir().then_some(folder)
}

impl Sources {
    fn update(&mut self) {
        let mut found = Vec::new();
        list(&self.folder.clone(), &mut found);
        let mut known = std::mem::take(&mut self.files);
        for file in found {
            let stamp = fs::metadata(&file)
                .map(|data| (data.modified().ok(), data.len()))
                .unwrap_or_default();
            let same = known
                .iter()
                .position(|source| source.file == file && source.stamp == stamp);
            if let Some(at) = same {
                self.files.push(known.swap_remove(at));
            } else if let Ok(text) = fs::read_to_string(&file) {
                self.files.push(Source {
                    file,
                    stamp,
                    text,
                    blocks: OnceCell::new(),
                    functions: OnceCell::new(),
                });
            }
        }
        self.looked = Some(Instant::now());
    }
}

fn list(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    // Links are not followed: they may lead back.
    let mut paths: Vec<(PathBuf, bool)> = entries
        .filter_map(|entry| {
            let entry = entry.ok()?;
            Some((entry.path(), entry.file_type().ok()?.is_dir()))
        })
        .collect();
    paths.sort();
    for (path, is_folder) in paths {
        if found.len() >= MOST {
            return;
        }
        if is_folder {
            list(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use quote::ToTokens;

    use super::super::Blocks;
    use super::{Declared, functions, imports, module_name};

    fn blocks(text: &str) -> Blocks {
        Blocks::of("given.rs".into(), text.to_owned())
    }

    #[test]
    fn types_are_found_in_modules_and_not_in_comments_or_macros() {
        let text = "// struct S { a: f64 }
            mod m { pub(crate) struct S<T> { pub a: Vec<T>, b: [f64; { 3 }] } enum E { A { x: f64 }, B } }
            type Alias = m::S<f64>; impl Trait for X { type Alias = u8; } make! { struct M { a: f64 } }";
        let found = |name| blocks(text).declared(name);
        let [Declared::Struct(s)] = &found("S")[..] else {
            panic!("one struct");
        };
        assert_eq!(s.fields.iter().count(), 2);
        assert!(matches!(&found("E")[..], [Declared::Enum(_)]));
        let [Declared::Alias(alias)] = &found("Alias")[..] else {
            panic!("one alias");
        };
        assert_eq!(alias.ty.to_token_stream().to_string(), "m :: S < f64 >");
        assert!(found("M").is_empty());
    }

    #[test]
    fn methods_are_those_of_the_blocks_of_the_type() {
        let text = "impl<T> S<T> where T: Copy { fn abs(&self) -> T { self.a } }
            impl Norm for m::Q { fn abs(self) -> f64 { fn abs() {} 0.0 } }
            fn abs(x: f64) -> f64 { x } trait Norm { fn abs(self) -> f64; }";
        let output = |ty| {
            let found = blocks(text).method_of(ty, "abs").into_iter();
            let output = found.map(|sig| sig.output.to_token_stream().to_string());
            output.collect::<Vec<_>>()
        };
        assert_eq!(output("S"), ["-> T"]);
        assert_eq!(output("Q"), ["-> f64"]);
        assert!(output("Norm").is_empty());
        assert!(functions(text).contains("abs"));
    }

    #[test]
    fn imports_name_modules() {
        let text = "use crate::a::{S, T};\nuse crate::b::U; fn f() { reuse self::c::S; }";
        let of_s = imports(text, "S");
        assert!(of_s.contains("a") && !of_s.contains("b"));
        assert!(imports(text, "V").contains("b"));
        assert_eq!(module_name(Path::new("src/a/mod.rs")), "a");
        assert_eq!(module_name(Path::new("src/b.rs")), "b");
    }
}
