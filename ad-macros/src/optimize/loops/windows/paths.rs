//! What leads to an array: parts that have to exist, and its text.

use crate::ir::{ExprKind, Part, Place, Proj};

/// What has to exist for the array that the first projections of a place lead to, outer ones first.
pub(in crate::optimize) fn parts_on_the_way(place: &Place, end: usize) -> Vec<Part> {
    let parts = place.proj[..end].iter().enumerate();
    parts
        .filter(|(_, proj)| matches!(proj, Proj::Index(_) | Proj::Range { .. }))
        .map(|(at, proj)| Part {
            of: Place {
                proj: place.proj[..at].into(),
                ..place.clone()
            },
            which: proj.clone(),
        })
        .collect()
}

/// Fields and literal indices as text.
pub(in crate::optimize) fn path_text(part: &[Proj]) -> String {
    let text = |proj: &Proj| match proj {
        Proj::Deref => String::new(),
        Proj::Field(field) => format!(".{field}"),
        Proj::Index(index) => {
            if let ExprKind::Lit(lit) = &index.kind {
                format!("[{}]", lit.text())
            } else {
                "?".to_owned()
            }
        }
        Proj::Range { .. } | Proj::Payload | Proj::Variant(_) | Proj::Unbox => "?".to_owned(),
    };
    part.iter().map(text).collect()
}
