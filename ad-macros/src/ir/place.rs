//! What places hold, and which of their fields are parts.

use super::edit::{each_place_within, each_stmt};
use super::faults::Fault;
use super::{Field, Func, Place, Proj, Ty};

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

/// The type of a field, if the type that it is read of shows its fields.
fn part_ty<'t>(ty: &'t Ty, field: &Field) -> Option<&'t Ty> {
    if let Ty::Tuple(parts) = ty {
        parts.get(field.position()?)
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
