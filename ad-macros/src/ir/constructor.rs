//! What makes values of structs, enums and boxes.

use std::rc::Rc;

use super::{Expr, Field, Proj, VariantPart};

/// What makes a value of a struct, or of an enum's variant, from the values of its fields.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Constructor {
    pub(crate) path: syn::Path,
    pub(crate) fields: Vec<Field>,
    pub(crate) makes: Makes,
}

/// What a constructor makes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Makes {
    Struct,
    /// A value of an enum.
    Variant,
    /// A `Box`: the path is that of `Box::new`, and there is one field, what it holds.
    Box,
    /// A slice in a box, of a vector.
    BoxedSlice,
}

impl Constructor {
    /// The name of the type, without the way to it.
    pub(crate) fn name(&self) -> String {
        if matches!(self.makes, Makes::Box | Makes::BoxedSlice) {
            return "Box".to_owned();
        }
        let last = self.path.segments.last();
        last.map_or_else(String::new, |last| last.ident.to_string())
    }

    /// The way from the adjoint of a value to that of a field.
    pub(crate) fn adjoint_part(&self, field: Field) -> Proj {
        match self.makes {
            Makes::Struct => Proj::Field(field),
            Makes::Variant => {
                Proj::Variant(Rc::new(VariantPart::new(&self.path, field).of_tangent()))
            }
            Makes::Box | Makes::BoxedSlice => Proj::Unbox,
        }
    }

    /// The fields with their values, and the base.
    pub(crate) fn parts<'e>(
        &'e self,
        values: &'e [Expr],
    ) -> (impl Iterator<Item = (Field, &'e Expr)>, Option<&'e Expr>) {
        let fields = self.fields.iter().copied().zip(values);
        (fields, values.get(self.fields.len()))
    }
}
