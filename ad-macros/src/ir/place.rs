//! Places: ways from variables to locations in them, what these hold, and which of their fields are parts.

use std::rc::Rc;

use proc_macro2::Span;
use smallvec::SmallVec;

use super::edit::{each_place_within, each_stmt};
use super::faults::Fault;
use super::variant::VariantPart;
use super::{Expr, Field, Func, Operands, Ty, VarId};

/// The way from a variable to a location in it. Three in four are empty, and three in four of the others have one part;
/// room for a second one would make every expression a fifth larger.
pub(crate) type Steps = SmallVec<[Proj; 1]>;

/// A location in memory.
#[derive(Debug)]
pub(crate) struct Place {
    pub(crate) root: VarId,
    pub(crate) proj: Steps,
    pub(crate) span: Span,
}

impl Clone for Place {
    fn clone(&self) -> Self {
        let mut place = Place::var(self.root, self.span);
        if !self.proj.is_empty() {
            place.proj = self.proj.clone();
        }
        place
    }
}

#[derive(Clone, Debug)]
pub(crate) enum Proj {
    /// Behind the reference that a parameter is.
    Deref,
    /// `[i]`
    Index(Box<Expr>),
    /// `.0`, `.name`
    Field(Field),
    /// `[lo..hi]`: a sub-slice. Both bounds are explicit unless open; `hi` is exclusive unless `inclusive`.
    Range {
        lo: Option<Box<Expr>>,
        hi: Option<Box<Expr>>,
        inclusive: bool,
    },
    /// The payload of `Some`, where the value is known to be `Some`.
    Payload,
    /// A part of the payload of an enum's variant, where the value is known to be of that variant.
    Variant(Rc<VariantPart>),
    /// What a `Box` holds.
    Unbox,
}

impl Proj {
    /// `[lo..hi]`
    pub(crate) fn range(lo: Expr, hi: Expr) -> Proj {
        Proj::Range {
            lo: Some(Box::new(lo)),
            hi: Some(Box::new(hi)),
            inclusive: false,
        }
    }

    pub(crate) fn index(e: Expr) -> Self {
        Proj::Index(Box::new(e))
    }

    /// The index, if it leads to an element.
    pub(crate) fn as_index(&self) -> Option<&Expr> {
        match self {
            Proj::Index(index) => Some(index),
            Proj::Deref
            | Proj::Field(_)
            | Proj::Range { .. }
            | Proj::Payload
            | Proj::Variant(_)
            | Proj::Unbox => None,
        }
    }
}

impl Place {
    pub(crate) fn var(root: VarId, span: Span) -> Self {
        Place {
            root,
            proj: Steps::new(),
            span,
        }
    }

    /// The whole variable, with nothing projected.
    pub(crate) fn is_var(&self) -> bool {
        self.proj.is_empty()
    }

    /// Whether nothing but fields leads from the variable to it: no index, no part of an array, no `Option`.
    pub(crate) fn is_path(&self) -> bool {
        is_path(&self.proj)
    }

    /// Calls `f` with the expressions in its steps: indices, and the bounds of parts.
    pub(crate) fn each_index<'a>(&'a self, f: &mut dyn FnMut(&'a Expr)) {
        if self.proj.is_empty() {
            return;
        }
        for proj in &self.proj[..] {
            match proj {
                Proj::Index(e) => f(e),
                Proj::Range { lo, hi, .. } => {
                    if let Some(lo) = lo {
                        f(lo);
                    }
                    if let Some(hi) = hi {
                        f(hi);
                    }
                }
                Proj::Deref | Proj::Field(_) | Proj::Payload | Proj::Variant(_) | Proj::Unbox => {}
            }
        }
    }

    /// The same expressions.
    pub(crate) fn index_exprs(&self) -> Operands<&Expr> {
        let mut found = Operands::new();
        self.each_index(&mut |e| found.push(e));
        found
    }

    /// The same expressions, to be changed.
    pub(crate) fn index_exprs_mut(&mut self) -> impl Iterator<Item = &mut Expr> {
        self.proj.iter_mut().flat_map(|proj| {
            let (first, second) = match proj {
                Proj::Index(e) => (Some(&mut **e), None),
                Proj::Range { lo, hi, .. } => (lo.as_deref_mut(), hi.as_deref_mut()),
                Proj::Deref | Proj::Field(_) | Proj::Payload | Proj::Variant(_) | Proj::Unbox => {
                    (None, None)
                }
            };
            first.into_iter().chain(second)
        })
    }

    pub(crate) fn then(&self, proj: Proj) -> Self {
        let mut place = self.clone();
        place.proj.push(proj);
        place
    }
}

/// Whether these are nothing but fields.
pub(crate) fn is_path(proj: &[Proj]) -> bool {
    let field = |proj: &Proj| matches!(proj, Proj::Deref | Proj::Field(_));
    proj.iter().all(field)
}

/// The type of what a place holds, as far as known.
pub(crate) fn place_ty(func: &Func, place: &Place) -> Ty {
    let mut ty = func.var(place.root).ty.clone();
    for proj in &place.proj {
        ty = match proj {
            Proj::Deref => ty.peel().clone(),
            Proj::Index(_) => ty.element(),
            Proj::Range { .. } => Ty::Slice(Box::new(ty.element())),
            Proj::Field(field) => part_ty(ty.peel(), field).cloned().unwrap_or(Ty::Unknown),
            Proj::Payload => {
                if let Ty::Option(t) = ty.peel() {
                    (**t).clone()
                } else {
                    Ty::Unknown
                }
            }
            Proj::Variant(_) | Proj::Unbox => Ty::Unknown,
        };
    }
    ty
}

/// The constant field that a place of numbers lies in, if the definition of its struct shows one. It has no adjoint.
pub(crate) fn constant_field(func: &Func, place: &Place) -> Option<Field> {
    if !func.written.knows_structs() {
        return None;
    }
    let numbers = |mut ty: Ty| {
        while let Ty::Array(t, _)
        | Ty::Slice(t)
        | Ty::Vec(t)
        | Ty::Queue(t)
        | Ty::Option(t)
        | Ty::Ref(_, t) = ty
        {
            ty = *t;
        }
        ty.is_float()
    };
    let found = place.proj.iter().enumerate().find_map(|(k, proj)| {
        let Proj::Field(field) = proj else {
            return None;
        };
        let owner = Place {
            proj: place.proj[..k].into(),
            ..place.clone()
        };
        if let Ty::Struct(of) = place_ty(func, &owner).peel() {
            let known = of.field(field)?;
            known.constant.then_some(*field)
        } else {
            None
        }
    });
    found.filter(|_| numbers(place_ty(func, place)))
}

/// The type of a field, if the type that it is read of shows its fields.
fn part_ty<'t>(ty: &'t Ty, field: &Field) -> Option<&'t Ty> {
    if let Ty::Tuple(parts) = ty {
        parts.get(field.position()?)
    } else if let Ty::Struct(of) = ty {
        of.field(field).map(|known| &known.ty)
    } else {
        None
    }
}

/// Marks the fields in a function's places that are parts ([`Field::is_part`]). All types are known.
pub(crate) fn mark_parts(func: &mut Func) {
    let mut body = std::mem::take(&mut func.body);
    each_stmt(&mut body, &mut |stmt| {
        each_place_within(stmt, &mut |place| mark(func, place));
    });
    func.body = body;
}

fn mark(func: &Func, place: &mut Place) {
    for at in 0..place.proj.len() {
        let Proj::Field(field) = place.proj[at] else {
            continue;
        };
        let of = Place {
            proj: place.proj[..at].into(),
            ..place.clone()
        };
        let is_part = part_ty(place_ty(func, &of).peel(), &field).is_some();
        if is_part || Fault::FieldsApart.is_on() {
            place.proj[at] = Proj::Field(field.part());
        }
    }
}

/// The place as a slice, so that arrays, vectors and slices meet in one type.
pub(crate) fn whole_slice(place: Place) -> Place {
    if matches!(place.proj.last(), Some(Proj::Range { .. })) {
        return place;
    }
    place.then(Proj::Range {
        lo: None,
        hi: None,
        inclusive: false,
    })
}
