//! Types that a program declares: structs, named and in tuples, nested, generic; enums with data.

use std::rc::Rc;

use super::Gen;
use super::scope::Ty;
use crate::text::{Item, line, nest};

/// A field of a struct, or of a variant.
pub(crate) type Field = (String, Ty);

/// A type that the program declares.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Own {
    pub(crate) name: String,
    /// Its parameters, and what is written for them.
    generics: &'static str,
    pub(crate) args: &'static str,
    pub(crate) body: Body,
    pub(crate) copy: bool,
    /// It has the operators of a vector.
    pub(crate) vector: bool,
    /// How many elements it has by an `Index` of its own.
    pub(crate) elements: usize,
}

#[derive(PartialEq, Eq, Debug)]
pub(crate) enum Body {
    Struct(Variant),
    Enum(Vec<Variant>),
}

/// What stands behind the name of a struct or a variant.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Variant {
    pub(crate) name: String,
    pub(crate) named: bool,
    pub(crate) fields: Vec<Field>,
}

impl Variant {
    /// `Name { a: …, b: … }`, `Name(…, …)` or `Name`.
    pub(crate) fn written(&self, path: &str, parts: &[String]) -> String {
        if self.fields.is_empty() {
            path.to_owned()
        } else if self.named {
            let parts: Vec<String> = self
                .fields
                .iter()
                .zip(parts)
                .map(|((name, _), p)| {
                    if name == p {
                        p.clone()
                    } else {
                        format!("{name}: {p}")
                    }
                })
                .collect();
            format!("{path} {{ {} }}", parts.join(", "))
        } else {
            format!("{path}({})", parts.join(", "))
        }
    }
}

impl Own {
    /// The fields of a struct.
    pub(crate) fn fields(&self) -> Option<&[Field]> {
        match &self.body {
            Body::Struct(v) => Some(&v.fields),
            Body::Enum(_) => None,
        }
    }

    /// How many floats a value with that variant holds; vectors of arguments have two elements.
    pub(crate) fn entries(&self, variant: usize) -> usize {
        let fields = &self.variant(variant).1.fields;
        fields
            .iter()
            .map(|(_, ty)| match ty {
                Ty::Float => 1,
                Ty::Array(n) | Ty::Tuple(n) => *n,
                Ty::Vector => 2,
                Ty::Own(inner) => inner.entries(0),
                _ => 0,
            })
            .sum()
    }

    /// A variant with its path; of a struct there is one.
    pub(crate) fn variant(&self, k: usize) -> (String, &Variant) {
        match &self.body {
            Body::Struct(v) => (self.name.clone(), v),
            Body::Enum(all) => (format!("{}::{}", self.name, all[k].name), &all[k]),
        }
    }

    /// The declaration.
    fn declaration(&self) -> Vec<Item> {
        let derive = if self.copy {
            "‡\n#[derive(Clone, Copy, Debug)]"
        } else {
            "‡\n#[derive(Clone, Debug)]"
        };
        let ty = |t: &Ty| match (self.generics, t) {
            ("<const N: usize>", Ty::Array(_)) => "[ƒ; N]".to_owned(),
            ("⟨<T>│⟩", Ty::Float) => "⟨T│D⟩".to_owned(),
            _ => t.text(),
        };
        let head = format!("{}{}", self.name, self.generics);
        match &self.body {
            Body::Struct(v) if v.named => {
                let fields = v
                    .fields
                    .iter()
                    .map(|(f, t)| line(format!("pub {f}: {},", ty(t))))
                    .collect();
                vec![line(derive), nest(format!("pub struct {head}"), fields)]
            }
            Body::Struct(v) => {
                let fields: Vec<String> = v
                    .fields
                    .iter()
                    .map(|(_, t)| format!("pub {}", ty(t)))
                    .collect();
                vec![line(format!(
                    "{derive}\npub struct {head}({});",
                    fields.join(", ")
                ))]
            }
            Body::Enum(all) => {
                let variants = all
                    .iter()
                    .map(|v| {
                        let parts: Vec<String> = v.fields.iter().map(|(_, t)| ty(t)).collect();
                        line(format!("{},", v.written(&v.name, &parts)))
                    })
                    .collect();
                vec![line(derive), nest(format!("pub enum {head}"), variants)]
            }
        }
    }
}

impl Gen<'_> {
    /// Declares the program's types, and what is implemented for them.
    pub(super) fn own_types(&mut self, items: &mut Vec<Item>) {
        if !self.maybe(70, "own-types") {
            return;
        }
        let kinds = self.rng.within(1, 3);
        for _ in 0..kinds {
            let kind = self.choose(&[
                (24, "own-vector"),
                (26, "own-struct"),
                (12, "own-tuple-struct"),
                (24, "own-enum"),
                (8, "own-const-generic"),
                (8, "own-type-parameter"),
            ]);
            if kind.is_empty() || kind == "own-vector" && self.types.iter().any(|t| t.vector) {
                continue;
            }
            let mut own = self.own_type(kind);
            items.extend(own.declaration());
            self.elements(&mut own, items);
            let own = Rc::new(own);
            self.types.push(own.clone());
            if own.vector {
                self.operators(&own, items);
            }
            if own.fields().is_some()
                && kind != "own-type-parameter"
                && self.maybe(60, "own-methods")
            {
                self.methods(&own, kind == "own-const-generic", items);
            }
        }
        self.own_trait(items);
    }

    fn own_type(&mut self, kind: &str) -> Own {
        let (generics, args) = match kind {
            "own-const-generic" => ("<const N: usize>", "<3>"),
            "own-type-parameter" => ("⟨<T>│⟩", "⟨<ƒ>│⟩"),
            _ => ("", ""),
        };
        let vector = kind == "own-vector";
        let name = self.name(if kind == "own-enum" { "E" } else { "S" });
        let body = if kind == "own-enum" {
            let all = (0..self.rng.within(2, 3))
                .map(|k| self.variant(k))
                .collect();
            Body::Enum(all)
        } else {
            let named = if vector {
                self.rng.percent(70)
            } else {
                kind != "own-tuple-struct"
            };
            let mut fields = vec![("x".to_owned(), Ty::Float)];
            match kind {
                "own-vector" => {
                    fields.extend(
                        (0..self.rng.within(1, 2)).map(|k| (["y", "z"][k].to_owned(), Ty::Float)),
                    );
                }
                "own-const-generic" => fields.push(("w".to_owned(), Ty::Array(3))),
                "own-type-parameter" => fields.push(("slope".to_owned(), Ty::Float)),
                _ => {
                    for k in 0..self.rng.within(1, 3) {
                        let ty = self.field_type();
                        fields.push((format!("f{k}"), ty));
                    }
                }
            }
            if !named {
                for (k, field) in fields.iter_mut().enumerate() {
                    field.0 = k.to_string();
                }
            }
            Body::Struct(Variant {
                name: name.clone(),
                named,
                fields,
            })
        };
        let copied = |t: &Ty| match t {
            Ty::Own(o) => o.copy,
            _ => *t != Ty::Vector,
        };
        let copy = match &body {
            Body::Struct(v) => v.fields.iter().all(|(_, t)| copied(t)),
            Body::Enum(_) => true,
        };
        Own {
            name,
            generics,
            args,
            body,
            copy,
            vector,
            elements: 0,
        }
    }

    /// A struct has structs inside that stand in front of it.
    fn field_type(&mut self) -> Ty {
        let inner: Vec<Rc<Own>> = self
            .types
            .iter()
            .filter(|t| t.fields().is_some())
            .cloned()
            .collect();
        match self.rng.below(9) {
            0 | 1 => Ty::Array(self.rng.within(2, 3)),
            2 => Ty::Vector,
            3 => Ty::Size,
            4 => Ty::Tuple(2),
            5 | 6 if !inner.is_empty() => Ty::Own(inner[self.rng.below(inner.len())].clone()),
            _ => Ty::Float,
        }
    }

    fn variant(&mut self, k: usize) -> Variant {
        let named = self.rng.percent(40);
        let mut fields = Vec::new();
        for j in 0..self.rng.within(usize::from(k == 0), 2) {
            let ty = match self.rng.below(8) {
                0 if k > 0 => Ty::Size,
                1 => Ty::Array(2),
                _ => Ty::Float,
            };
            let name = if named {
                ["at", "by"][j].to_owned()
            } else {
                j.to_string()
            };
            fields.push((name, ty));
        }
        // The first variant has a float in front.
        if k == 0 {
            fields[0].1 = Ty::Float;
        }
        Variant {
            name: ["A", "B", "C"][k].to_owned(),
            named,
            fields,
        }
    }

    /// A struct of the program.
    pub(super) fn any_struct(&mut self) -> Option<Rc<Own>> {
        self.any_type(|t| t.fields().is_some())
    }

    pub(super) fn any_type(&mut self, accept: impl Fn(&Own) -> bool) -> Option<Rc<Own>> {
        let all: Vec<Rc<Own>> = self.types.iter().filter(|t| accept(t)).cloned().collect();
        (!all.is_empty()).then(|| all[self.rng.below(all.len())].clone())
    }

    /// A float in a struct. Where it is written, its index does not read the vector that it is for.
    pub(super) fn field_place(&mut self, base: &str, own: &Own, writing: bool) -> Option<String> {
        let fields: Vec<Field> = own
            .fields()?
            .iter()
            .filter(|(_, t)| *t != Ty::Size)
            .cloned()
            .collect();
        let (name, ty) = &fields[self.rng.below(fields.len())];
        let place = format!("{base}.{name}");
        Some(match ty {
            Ty::Array(n) => {
                let mut i = self.index(&n.to_string());
                // An element of a vector is borrowed before the index of an array in it is evaluated.
                let vector = base.split_once('[').map(|(vector, _)| vector);
                if writing && vector.is_some_and(|vector| i.contains(vector)) {
                    i = self.rng.below(*n).to_string();
                }
                format!("{place}[{i}]")
            }
            Ty::Tuple(n) => format!("{place}.{}", self.rng.below(*n)),
            Ty::Vector if writing || self.rng.percent(50) => format!("{place}[0]"),
            Ty::Vector => {
                let i = self.index(&format!("{place}.len()"));
                format!("{place}[{i}]")
            }
            Ty::Own(inner) => return self.field_place(&place, inner, writing),
            _ => place,
        })
    }
}
