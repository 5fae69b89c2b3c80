//! What places hold.

use super::{Func, Place, Proj, Ty};

/// The type of what a place holds, as far as known.
pub(crate) fn place_ty(func: &Func, place: &Place) -> Ty {
    let mut ty = func.var(place.root).ty.clone();
    for proj in &place.proj {
        ty = match proj {
            Proj::Deref => ty.peel().clone(),
            Proj::Index(_) => ty.element(),
            Proj::Range { .. } => Ty::Slice(Box::new(ty.element())),
            Proj::Field(field) => match (ty.peel(), field.position()) {
                (Ty::Tuple(parts), Some(n)) => parts.get(n).cloned().unwrap_or(Ty::Unknown),
                _ => Ty::Unknown,
            },
            Proj::Payload => match ty.peel() {
                Ty::Option(t) => (**t).clone(),
                _ => Ty::Unknown,
            },
        };
    }
    ty
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
