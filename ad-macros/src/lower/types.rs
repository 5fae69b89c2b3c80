//! Written types.

use proc_macro2::Span;
use quote::ToTokens;
use syn::spanned::Spanned;

use super::Lowerer;
use super::infer::Kind;
use crate::diag::{Message, catalog};
use crate::ir::{IntTy, Len, Ty, Written};

/// Whether the language has a type of this name.
pub(crate) fn is_primitive(name: &str) -> bool {
    name == "str" || (name != "String" && primitive(name).is_some())
}

/// A primitive type by name.
pub(super) fn primitive(name: &str) -> Option<Ty> {
    Some(match name {
        "f32" => Ty::F32,
        "f64" => Ty::F64,
        "bool" => Ty::Bool,
        "char" => Ty::Char,
        "str" | "String" => Ty::Str,
        _ => Ty::Int(Some(IntTy::from_name(name)?)),
    })
}

/// Types of std whose insides are out of reach.
const COLLECTIONS: &[&str] = &[
    "HashMap",
    "BTreeMap",
    "HashSet",
    "BTreeSet",
    "BinaryHeap",
    "LinkedList",
    "Cell",
    "RefCell",
    "Mutex",
    "RwLock",
    "OnceCell",
    "Rc",
    "Arc",
    "Cow",
];

/// Whether std has a type of this name that people use by it alone.
pub(crate) fn is_of_std(name: &str) -> bool {
    const OTHERS: &[&str] = &[
        "Box",
        "Vec",
        "VecDeque",
        "Option",
        "Result",
        "String",
        "Some",
        "Instant",
        "Duration",
        "SystemTime",
        "PathBuf",
        "Path",
        "File",
        "Default",
        "Iterator",
        "From",
        "Into",
        "Clone",
    ];
    COLLECTIONS.contains(&name) || OTHERS.contains(&name)
}

/// Whether people give their own types this name of one of std's. The definition of one of std's is not found.
pub(super) fn is_of_both(name: &str) -> bool {
    matches!(name, "Duration" | "File" | "Instant" | "Path")
}

/// Whether a path is `name`, or `name` behind std, core or alloc.
fn is_std(path: &syn::Path) -> bool {
    path.segments.len() == 1
        || path
            .segments
            .first()
            .is_some_and(|s| s.ident == "std" || s.ident == "core" || s.ident == "alloc")
}

/// The first type argument of a type.
pub(super) fn first_argument(t: &syn::Type) -> Option<&syn::Type> {
    match super::signature::ungroup(t) {
        syn::Type::Path(p) => type_argument(p.path.segments.last()?),
        _ => None,
    }
}

/// The first type argument behind a name.
pub(crate) fn type_argument(segment: &syn::PathSegment) -> Option<&syn::Type> {
    match &segment.arguments {
        syn::PathArguments::AngleBracketed(args) => args.args.iter().find_map(|arg| match arg {
            syn::GenericArgument::Type(t) => Some(t),
            _ => None,
        }),
        _ => None,
    }
}

/// The type of the value of a function that returns a `Result`. What is called so is taken for std's, or an alias of it
/// whose first parameter is the value's type: rustc checks that.
pub(crate) fn result_of(output: &syn::ReturnType) -> Option<&syn::Type> {
    let syn::ReturnType::Type(_, written) = output else {
        return None;
    };
    let syn::Type::Path(path) = super::signature::ungroup(written) else {
        return None;
    };
    let last = path.path.segments.last()?;
    type_argument(last).filter(|_| last.ident == "Result" && path.qself.is_none())
}

/// The error of a `Result<T, E>`, if it is of a primitive type.
pub(super) fn error_of(output: &syn::ReturnType) -> Option<Ty> {
    result_of(output)?;
    let syn::ReturnType::Type(_, written) = output else {
        return None;
    };
    let syn::Type::Path(path) = super::signature::ungroup(written) else {
        return None;
    };
    let syn::PathArguments::AngleBracketed(args) = &path.path.segments.last()?.arguments else {
        return None;
    };
    match args.args.iter().nth(1)? {
        syn::GenericArgument::Type(error) => super::signature::cast_type(error),
        _ => None,
    }
}

impl Lowerer<'_> {
    /// An annotation in the body. What it does not say (`_`, `Vec<_>`) is inferred; what it hides too.
    pub(super) fn annotation(&mut self, written: &syn::Type) -> Ty {
        match written {
            syn::Type::Infer(_) => self.types.fresh(Kind::General),
            syn::Type::Paren(t) => self.annotation(&t.elem),
            syn::Type::Group(t) => self.annotation(&t.elem),
            syn::Type::Tuple(t) if t.elems.is_empty() => Ty::Unit,
            syn::Type::Tuple(t) => Ty::Tuple(t.elems.iter().map(|t| self.annotation(t)).collect()),
            syn::Type::Array(t) => {
                let element = self.annotation(&t.elem);
                let len = self.func.written.len(&t.len);
                Ty::Array(Box::new(element), Some(Box::new(len)))
            }
            syn::Type::Slice(t) => Ty::Slice(Box::new(self.annotation(&t.elem))),
            syn::Type::Reference(t) => match self.annotation(&t.elem) {
                Ty::Str => Ty::Str,
                inner => Ty::Ref(t.mutability.is_some(), Box::new(inner)),
            },
            syn::Type::Path(t) => self.path_annotation(t),
            _ => self.types.fresh(Kind::General),
        }
    }

    fn path_annotation(&mut self, written: &syn::TypePath) -> Ty {
        self.note_std_type(written);
        match path_type(written) {
            PathType::Primitive(ty) => ty,
            PathType::Vec(t) => {
                let element = self.optional_annotation(t);
                Ty::Vec(Box::new(element))
            }
            PathType::Queue(t) => {
                let element = self.optional_annotation(t);
                Ty::Queue(Box::new(element))
            }
            PathType::Option(t) => {
                let payload = self.optional_annotation(t);
                Ty::Option(Box::new(payload))
            }
            PathType::Other => match self.func.written.type_of(&written.path) {
                Some(known) => known,
                None => self.types.fresh(Kind::General),
            },
            PathType::Collection(name) if matches!(name.as_str(), "Rc" | "Arc" | "Cow") => {
                let written = written.path.segments.last().and_then(type_argument);
                match self.shared_annotation(written) {
                    Some(ty) => ty,
                    None => self.types.fresh(Kind::General),
                }
            }
            PathType::Collection(_) | PathType::Result => self.types.fresh(Kind::General),
        }
    }

    /// What is stored in a container where a shared reference is written: what it leads to.
    fn without_references(&self, ty: Ty) -> Ty {
        match ty {
            Ty::Ref(false, inner) => match *inner {
                Ty::Slice(element) => Ty::Vec(element),
                other => other,
            },
            Ty::Tuple(parts) => {
                let parts = parts.into_iter().map(|part| self.without_references(part));
                Ty::Tuple(parts.collect())
            }
            other => other,
        }
    }

    fn optional_annotation(&mut self, written: Option<&syn::Type>) -> Ty {
        match written {
            Some(t) => {
                let ty = self.annotation(t);
                self.without_references(ty)
            }
            None => self.types.fresh(Kind::General),
        }
    }
}

pub(super) enum PathType<'t> {
    Primitive(Ty),
    Vec(Option<&'t syn::Type>),
    /// A `VecDeque`.
    Queue(Option<&'t syn::Type>),
    Option(Option<&'t syn::Type>),
    Collection(String),
    Result,
    Other,
}

pub(super) fn path_type(written: &syn::TypePath) -> PathType<'_> {
    let Some(segment) = written.path.segments.last() else {
        return PathType::Other;
    };
    if written.qself.is_some() || !is_std(&written.path) {
        return PathType::Other;
    }
    let name = segment.ident.to_string();
    match name.as_str() {
        "Vec" => PathType::Vec(type_argument(segment)),
        "VecDeque" => PathType::Queue(type_argument(segment)),
        "Option" => PathType::Option(type_argument(segment)),
        "Result" => PathType::Result,
        name if COLLECTIONS.contains(&name) => PathType::Collection(name.to_owned()),
        name => match primitive(name) {
            Some(ty) if segment.arguments.is_none() => PathType::Primitive(ty),
            _ => PathType::Other,
        },
    }
}

/// A type of the signature: known, or refused with a message. `constant` types need not be known.
pub(super) fn signature_type(
    written: &syn::Type,
    constant: bool,
    lengths: &mut Written,
) -> Result<Ty, (Span, Message)> {
    let refused = |message: Message| {
        if constant {
            Ok(Ty::Passive)
        } else {
            Err((written.span(), message))
        }
    };
    match written {
        syn::Type::Paren(t) => signature_type(&t.elem, constant, lengths),
        syn::Type::Group(t) => signature_type(&t.elem, constant, lengths),
        syn::Type::Tuple(t) if t.elems.is_empty() => Ok(Ty::Unit),
        syn::Type::Tuple(t) => t
            .elems
            .iter()
            .map(|t| signature_type(t, constant, lengths))
            .collect::<Result<_, _>>()
            .map(Ty::Tuple),
        syn::Type::Array(t) => {
            let element = signature_type(&t.elem, constant, lengths)?;
            let len = lengths.len(&t.len);
            Ok(Ty::Array(Box::new(element), Some(Box::new(len))))
        }
        syn::Type::Slice(t) => Ok(Ty::Slice(Box::new(signature_type(
            &t.elem, constant, lengths,
        )?))),
        syn::Type::Reference(t) => match signature_type(&t.elem, constant, lengths)? {
            Ty::Str => Ok(Ty::Str),
            inner if t.mutability.is_none() && !constant => Ok(Ty::Ref(false, Box::new(inner))),
            _ => refused(catalog::nested_reference()),
        },
        syn::Type::Path(t) => match path_type(t) {
            PathType::Primitive(ty) => Ok(ty),
            PathType::Vec(Some(t)) => Ok(Ty::Vec(Box::new(signature_type(t, constant, lengths)?))),
            PathType::Queue(Some(t)) => {
                Ok(Ty::Queue(Box::new(signature_type(t, constant, lengths)?)))
            }
            PathType::Option(Some(t)) => {
                Ok(Ty::Option(Box::new(signature_type(t, constant, lengths)?)))
            }
            PathType::Collection(name) => refused(catalog::collection_parameter(&name)),
            PathType::Result => refused(catalog::result_type()),
            PathType::Vec(None)
            | PathType::Queue(None)
            | PathType::Option(None)
            | PathType::Other
                if constant =>
            {
                Ok(Ty::Passive)
            }
            PathType::Other => Ok(lengths.type_of(&t.path).unwrap_or(Ty::Unknown)),
            PathType::Vec(None) | PathType::Queue(None) | PathType::Option(None) => Ok(Ty::Unknown),
        },
        // The companion's own `impl Fn(…)` cannot hold another one.
        syn::Type::ImplTrait(_) => Err((written.span(), catalog::impl_trait())),
        syn::Type::TraitObject(object) => match crate::generic::of_std(&object.bounds) {
            Some(name) => refused(catalog::dyn_trait(&name.to_string())),
            None if constant => Ok(Ty::Passive),
            None => Ok(Ty::Unknown),
        },
        syn::Type::Ptr(_) => refused(catalog::raw_pointer()),
        syn::Type::BareFn(_) => refused(catalog::function_pointer()),
        other => refused(catalog::unsupported_type(&format!(
            "`{}`",
            other.to_token_stream()
        ))),
    }
}

/// The type of a field, from the definition of its type. Names that only the place of the definition knows are not
/// understood; `structs` are those of the user's types whose definitions are known there.
pub(crate) fn field_type(written: &syn::Type, structs: &Written) -> Ty {
    // Without an argument, a type of the user's has the name of one of std's.
    let of = |holder: fn(Box<Ty>) -> Ty, t: Option<&syn::Type>| {
        t.map_or(Ty::Unknown, |t| holder(Box::new(field_type(t, structs))))
    };
    match written {
        syn::Type::Paren(t) => field_type(&t.elem, structs),
        syn::Type::Group(t) => field_type(&t.elem, structs),
        syn::Type::Tuple(t) if t.elems.is_empty() => Ty::Unit,
        syn::Type::Tuple(t) => Ty::Tuple(t.elems.iter().map(|t| field_type(t, structs)).collect()),
        syn::Type::Array(t) => match Written::default().len(&t.len) {
            len @ (Len::Number(..) | Len::Named(_)) => {
                Ty::Array(Box::new(field_type(&t.elem, structs)), Some(Box::new(len)))
            }
            Len::Written(_) => Ty::Unknown,
        },
        syn::Type::Path(t) => match path_type(t) {
            PathType::Primitive(Ty::Str) => Ty::Unknown,
            PathType::Primitive(ty) => ty,
            PathType::Vec(t) => of(Ty::Vec, t),
            PathType::Queue(t) => of(Ty::Queue, t),
            PathType::Option(t) => of(Ty::Option, t),
            PathType::Other => structs.type_of(&t.path).unwrap_or(Ty::Unknown),
            PathType::Collection(_) | PathType::Result => Ty::Unknown,
        },
        _ => Ty::Unknown,
    }
}

/// The paths of types in a written type that the language and std do not have: those that are the user's.
pub(crate) fn own_types(written: &syn::Type, found: &mut Vec<syn::Path>) {
    match written {
        syn::Type::Paren(t) => own_types(&t.elem, found),
        syn::Type::Group(t) => own_types(&t.elem, found),
        syn::Type::Reference(t) => own_types(&t.elem, found),
        syn::Type::Slice(t) => own_types(&t.elem, found),
        syn::Type::Array(t) => own_types(&t.elem, found),
        syn::Type::Tuple(t) => t.elems.iter().for_each(|t| own_types(t, found)),
        syn::Type::Path(t) if t.qself.is_none() => match path_type(t) {
            PathType::Vec(Some(t)) | PathType::Queue(Some(t)) | PathType::Option(Some(t)) => {
                own_types(t, found)
            }
            PathType::Other => {
                let names = || {
                    t.path
                        .segments
                        .iter()
                        .map(|segment| segment.ident.to_string())
                };
                // What belongs to `Self` cannot be imported.
                let of_self = names().next().is_some_and(|first| first == "Self");
                if !of_self
                    && names()
                        .last()
                        .is_some_and(|last| !is_of_std(&last) || is_of_both(&last))
                {
                    found.push(t.path.clone());
                }
            }
            _ => {}
        },
        _ => {}
    }
}
