//! Arguments for a function whose signature is all that is known, and a function around it whose gradient is compared.

use quote::ToTokens;

use crate::index::{Function, Index};

/// The function around another one: takes the same arguments and yields one number.
#[derive(Clone, Debug)]
pub(crate) struct Wrapper {
    /// How many numbers the arguments have.
    pub(crate) numbers: usize,
    /// Of the wrapper: `name: Type`.
    pub(crate) params: Vec<String>,
    /// Statements, then the result.
    pub(crate) body: String,
    /// Expressions over `__p: &[f64]`.
    pub(crate) args: Vec<String>,
    /// Whether a number is an `f32`.
    pub(crate) single: bool,
}

/// How deep types of types are followed.
const DEPTH: usize = 4;

/// How many elements vectors and slices have.
const ELEMENTS: usize = 4;

/// The wrapper, or what is in the way of it.
pub(crate) fn wrapper(index: &Index, function: &Function) -> Result<Wrapper, String> {
    let mut values = Values {
        index,
        function,
        numbers: 0,
        single: false,
    };
    let (mut params, mut args, mut passed) = (Vec::new(), Vec::new(), Vec::new());
    let (mut before, mut after) = (String::new(), Vec::new());
    for (k, input) in function.sig.inputs.iter().enumerate() {
        let name = format!("__a{k}");
        let (ty, by) = match input {
            syn::FnArg::Receiver(receiver) => {
                let owner = function
                    .owner
                    .clone()
                    .ok_or("a receiver outside of a block")?;
                let owner: syn::Type = syn::parse_str(&owner).map_err(|e| e.to_string())?;
                let by = receiver
                    .reference
                    .as_ref()
                    .map(|_| receiver.mutability.is_some());
                (owner, by)
            }
            syn::FnArg::Typed(typed) => match &*typed.ty {
                syn::Type::Reference(r) => ((*r.elem).clone(), Some(r.mutability.is_some())),
                other => (other.clone(), None),
            },
        };
        let value = values.of(&ty, 0)?;
        let text = values.text(&ty);
        match (by, &ty) {
            (Some(true), syn::Type::Slice(slice)) => {
                params.push(format!("{name}: Vec<{}>", values.text(&slice.elem)));
                before.push_str(&format!("let mut {name} = {name};\n"));
                args.push(format!("vec!{value}"));
                passed.push(format!("&mut {name}"));
                after.push((name, ty));
            }
            (Some(true), _) => {
                params.push(format!("{name}: {text}"));
                before.push_str(&format!("let mut {name} = {name};\n"));
                args.push(value);
                passed.push(format!("&mut {name}"));
                after.push((name, ty));
            }
            (Some(false), _) => {
                params.push(format!("{name}: &{text}"));
                args.push(format!("&{value}"));
                passed.push(name);
            }
            (None, _) => {
                params.push(format!("{name}: {text}"));
                args.push(value);
                passed.push(name);
            }
        }
    }
    let call = match (&function.owner, function.sig.receiver()) {
        (Some(_), Some(_)) => {
            let receiver = passed.remove(0);
            let receiver = receiver.trim_start_matches("&mut ").to_owned();
            format!("{receiver}.{}({})", function.sig.ident, passed.join(", "))
        }
        (Some(owner), None) => format!("{owner}::{}({})", function.sig.ident, passed.join(", ")),
        (None, _) => format!("{}({})", function.sig.ident, passed.join(", ")),
    };
    let mut terms = Vec::new();
    let mut body = before;
    match &function.sig.output {
        syn::ReturnType::Default => body.push_str(&format!("{call};\n")),
        syn::ReturnType::Type(_, ty) => {
            let (bound, ty) = bound(&call, ty);
            body.push_str(&bound);
            values.sum("__r", ty, 0, &mut terms)?;
        }
    }
    for (name, ty) in &after {
        values.sum(name, ty, 0, &mut terms)?;
    }
    if values.numbers == 0 {
        return Err("no numbers go in".to_owned());
    }
    if terms.is_empty() {
        return Err("no numbers come out".to_owned());
    }
    let weighted = terms.iter().enumerate().map(|(k, term)| match k {
        0 => term.clone(),
        _ => format!("{:.2} * {term}", 1.0 / (k as f64 + 1.0)),
    });
    body.push_str(&weighted.collect::<Vec<_>>().join(" + "));
    Ok(Wrapper {
        numbers: values.numbers,
        params,
        body,
        args,
        single: values.single,
    })
}

/// `let __r = call;`, of a `Result` its value, and its type.
fn bound<'t>(call: &str, ty: &'t syn::Type) -> (String, &'t syn::Type) {
    match value_of_result(ty) {
        // An error lies outside of the function's domain.
        Some(value) => {
            let text = format!(
                "let __r = match {call} {{ Ok(__r) => __r, Err(_) => return f64::NAN }};\n"
            );
            (text, value)
        }
        None => (format!("let __r = {call};\n"), ty),
    }
}

/// The type of the value of a `Result`.
fn value_of_result(ty: &syn::Type) -> Option<&syn::Type> {
    let syn::Type::Path(path) = ty else {
        return None;
    };
    let last = path.path.segments.last()?;
    match &last.arguments {
        syn::PathArguments::AngleBracketed(a) if last.ident == "Result" => match a.args.first()? {
            syn::GenericArgument::Type(value) => Some(value),
            _ => None,
        },
        _ => None,
    }
}

struct Values<'a> {
    index: &'a Index,
    function: &'a Function,
    numbers: usize,
    single: bool,
}

impl Values<'_> {
    /// An expression of the type over the numbers.
    fn of(&mut self, ty: &syn::Type, depth: usize) -> Result<String, String> {
        if depth > DEPTH {
            return Err("types too deep".to_owned());
        }
        match ty {
            syn::Type::Reference(r) if r.mutability.is_none() => {
                Ok(format!("&{}", self.of(&r.elem, depth + 1)?))
            }
            syn::Type::Slice(s) => self.elements(&s.elem, ELEMENTS, depth),
            syn::Type::Array(array) => {
                let len = array.len.to_token_stream().to_string();
                let len = len.trim_end_matches("usize").trim_end_matches('_').parse();
                self.elements(
                    &array.elem,
                    len.map_err(|_| "an array of unknown length")?,
                    depth,
                )
            }
            syn::Type::Tuple(tuple) => {
                let parts: Result<Vec<_>, _> =
                    tuple.elems.iter().map(|t| self.of(t, depth + 1)).collect();
                Ok(format!("({},)", parts?.join(", ")))
            }
            syn::Type::Paren(p) => self.of(&p.elem, depth),
            syn::Type::Path(path) => self.of_path(path, depth),
            other => Err(format!("an argument of type `{}`", other.to_token_stream())),
        }
    }

    fn of_path(&mut self, path: &syn::TypePath, depth: usize) -> Result<String, String> {
        let Some(last) = path.path.segments.last() else {
            return Err("an empty path".to_owned());
        };
        let name = last.ident.to_string();
        let inner = || match &last.arguments {
            syn::PathArguments::AngleBracketed(a) => a.args.iter().find_map(|a| match a {
                syn::GenericArgument::Type(t) => Some(t.clone()),
                _ => None,
            }),
            _ => None,
        };
        match (name.as_str(), inner()) {
            ("f64", _) => Ok(self.number("")),
            ("f32", _) => {
                self.single = true;
                Ok(self.number(" as f32"))
            }
            (
                "usize" | "u8" | "u16" | "u32" | "u64" | "u128" | "isize" | "i8" | "i16" | "i32"
                | "i64" | "i128",
                _,
            ) => Ok("2".to_owned()),
            ("bool", _) => Ok("true".to_owned()),
            ("Vec", Some(t)) => Ok(format!("vec!{}", self.elements(&t, ELEMENTS, depth)?)),
            ("Option", Some(t)) => Ok(format!("Some({})", self.of(&t, depth + 1)?)),
            ("Box", Some(t)) => Ok(format!("Box::new({})", self.of(&t, depth + 1)?)),
            ("Self", _) => {
                let owner = self
                    .function
                    .owner
                    .clone()
                    .ok_or("`Self` outside of a block")?;
                self.of_own(&owner, depth)
            }
            _ if self.is_parameter(&name) => Ok(self.number("")),
            _ => self.of_own(&name, depth),
        }
    }

    fn of_own(&mut self, name: &str, depth: usize) -> Result<String, String> {
        let Some(ty) = self.index.type_in(name, &self.function.at.file) else {
            return Err(format!("an argument of type `{name}`"));
        };
        match &ty.item {
            syn::Item::Struct(s) => {
                let mut fields = Vec::new();
                for (k, field) in s.fields.iter().enumerate() {
                    let name = field
                        .ident
                        .as_ref()
                        .map_or(k.to_string(), ToString::to_string);
                    fields.push(format!("{name}: {}", self.of(&field.ty, depth + 1)?));
                }
                Ok(format!("{name} {{ {} }}", fields.join(", ")))
            }
            syn::Item::Enum(e) => {
                let unit = e.variants.iter().find(|v| v.fields.is_empty());
                let unit = unit.ok_or_else(|| format!("an argument of type `{name}`"))?;
                Ok(format!("{name}::{}", unit.ident))
            }
            _ => Err(format!("an argument of type `{name}`")),
        }
    }

    fn number(&mut self, cast: &str) -> String {
        self.numbers += 1;
        format!("(__p[{}]{cast})", self.numbers - 1)
    }

    fn elements(&mut self, ty: &syn::Type, len: usize, depth: usize) -> Result<String, String> {
        let parts: Result<Vec<_>, _> = (0..len).map(|_| self.of(ty, depth + 1)).collect();
        Ok(format!("[{}]", parts?.join(", ")))
    }

    /// Whether the name is a type parameter of the function or of its block, which becomes `f64`.
    fn is_parameter(&self, name: &str) -> bool {
        let all = self
            .function
            .sig
            .generics
            .type_params()
            .chain(self.function.generics.type_params());
        all.into_iter().any(|p| p.ident == name)
    }

    /// The type in the signature of the wrapper: without parameters, `Self` and lifetimes.
    fn text(&self, ty: &syn::Type) -> String {
        let mut text = String::new();
        let mut word = String::new();
        for c in ty.to_token_stream().to_string().chars().chain([' ']) {
            if c.is_alphanumeric() || c == '_' {
                word.push(c);
                continue;
            }
            match std::mem::take(&mut word).as_str() {
                "Self" => text.push_str(self.function.owner.as_deref().unwrap_or_default()),
                name if self.is_parameter(name) => text.push_str("f64"),
                other => text.push_str(other),
            }
            text.push(c);
        }
        text
    }

    /// Terms for the numbers in a value of this type.
    fn sum(
        &mut self,
        value: &str,
        ty: &syn::Type,
        depth: usize,
        terms: &mut Vec<String>,
    ) -> Result<(), String> {
        if depth > DEPTH {
            return Err("types too deep".to_owned());
        }
        match ty {
            syn::Type::Array(array) => {
                let len = array.len.to_token_stream().to_string();
                let len: usize = len.parse().map_err(|_| "an array of unknown length")?;
                (0..len).try_for_each(|k| {
                    self.sum(&format!("{value}[{k}]"), &array.elem, depth + 1, terms)
                })
            }
            syn::Type::Slice(s) => self.sum(&format!("{value}[1]"), &s.elem, depth + 1, terms),
            syn::Type::Tuple(tuple) => {
                let mut parts = tuple.elems.iter().enumerate();
                parts.try_for_each(|(k, t)| self.sum(&format!("{value}.{k}"), t, depth + 1, terms))
            }
            syn::Type::Paren(p) => self.sum(value, &p.elem, depth, terms),
            syn::Type::Path(path) => {
                let Some(last) = path.path.segments.last() else {
                    return Ok(());
                };
                let name = last.ident.to_string();
                match (name.as_str(), &last.arguments) {
                    ("f64", _) => terms.push(value.to_owned()),
                    ("f32", _) => {
                        self.single = true;
                        terms.push(format!("({value} as f64)"));
                    }
                    ("Option", syn::PathArguments::AngleBracketed(a)) => {
                        let Some(syn::GenericArgument::Type(t)) = a.args.first() else {
                            return Ok(());
                        };
                        let mut inner = Vec::new();
                        self.sum("__v", t, depth + 1, &mut inner)?;
                        if let [one] = inner.as_slice() {
                            terms.push(format!(
                                "(match {value} {{ Some(__v) => {one}, None => 0.0 }})"
                            ));
                        } else {
                            return Err("an option of several numbers".to_owned());
                        }
                    }
                    ("Vec", syn::PathArguments::AngleBracketed(a)) => {
                        if let Some(syn::GenericArgument::Type(t)) = a.args.first() {
                            self.sum(&format!("{value}[0]"), t, depth + 1, terms)?;
                        }
                    }
                    ("Self", _) => {
                        let owner = self
                            .function
                            .owner
                            .clone()
                            .ok_or("`Self` outside of a block")?;
                        self.sum_own(value, &owner, depth, terms)?;
                    }
                    ("Result", _) => return Err("a result of type `Result`".to_owned()),
                    _ if self.is_parameter(&name) => terms.push(value.to_owned()),
                    _ => self.sum_own(value, &name, depth, terms)?,
                }
                Ok(())
            }
            other => Err(format!("a result of type `{}`", other.to_token_stream())),
        }
    }

    fn sum_own(
        &mut self,
        value: &str,
        name: &str,
        depth: usize,
        terms: &mut Vec<String>,
    ) -> Result<(), String> {
        let index = self.index;
        let Some(ty) = index.type_in(name, &self.function.at.file) else {
            return Ok(());
        };
        match &ty.item {
            syn::Item::Struct(s) => s.fields.iter().enumerate().try_for_each(|(k, field)| {
                let name = field
                    .ident
                    .as_ref()
                    .map_or(k.to_string(), ToString::to_string);
                self.sum(&format!("{value}.{name}"), &field.ty, depth + 1, terms)
            }),
            _ => Ok(()),
        }
    }
}
