//! Slices that stand for arrays in the lanes: elements that are the same for all of them, or one for each.

use smallvec::smallvec;

use crate::analysis::dependence::reach::Reach;
use crate::ir::{Expr, Place, Proj, Steps, Ty, VarId, View, place_ty};

use super::Builder;
use crate::optimize::loops::jam::numbers::{Places, Use};

/// Elements that lanes touch.
pub(super) struct Slice {
    pub(super) root: VarId,
    pub(super) array: String,
    /// Whether each lane has its own.
    pub(super) along: bool,
    pub(super) var: VarId,
    pub(super) view: View,
}

/// Leaves places as they are.
pub(super) struct AsTheyStand;

impl Places for AsTheyStand {
    fn place(&mut self, _: &mut Place, _: Use) -> Result<(), String> {
        Ok(())
    }
}

/// Puts slices in place of arrays.
pub(super) struct Slices<'s, 'a, 'b> {
    pub(super) builder: &'s mut Builder<'a, 'b>,
    /// Whether some lanes may not run it.
    pub(super) conditional: bool,
    pub(super) ints: Vec<(VarId, Expr)>,
    pub(super) found: Vec<Slice>,
}

impl Places for Slices<'_, '_, '_> {
    fn place(&mut self, place: &mut Place, how: Use) -> Result<(), String> {
        let is_index = |proj: &Proj| matches!(proj, Proj::Index(_) | Proj::Range { .. });
        if !place.proj.iter().any(is_index) {
            return Ok(());
        }
        let (at, along) = match self.builder.iterations.reach(place) {
            Reach::Along { at, .. } => (at, true),
            Reach::Fixed { at, .. } => (at, false),
            Reach::Variable => (0, false),
            Reach::Down { .. } => {
                return Err(format!(
                    "the index of `{}` goes down with the counter",
                    self.builder.name(place.root)
                ));
            }
            Reach::Elsewhere(why) => {
                return Err(format!("`{}`: {why}", self.builder.name(place.root)));
            }
        };
        let Some(Proj::Index(index)) = place.proj.get(at) else {
            return Err(format!(
                "`{}` is a part of an array",
                self.builder.name(place.root)
            ));
        };
        let name = || self.builder.name(place.root);
        if how == Use::Write {
            return Err(format!("`{}` is written in the loops inside", name()));
        }
        // What leads to an array is looked at in front of the lanes, and must not panic where none of them looks.
        if self.conditional && place.proj[..at].iter().any(is_index) {
            return Err(format!(
                "`{}` is an array in an array, read under a condition",
                name()
            ));
        }
        // Whether the element has all parts is asked for none of the lanes.
        let is_there = |(k, proj): (usize, &Proj)| {
            let Proj::Index(e) = proj else { return true };
            k <= at || self.builder.iterations.is_in_array(place, k, e)
        };
        if !place.proj.iter().enumerate().all(is_there) {
            return Err(format!("`{}` is an array in an array", name()));
        }
        let index = (**index).clone();
        let (var, lane) = (self.slice(place, &index, at, along), self.builder.lane);
        let mut proj: Steps = if along {
            smallvec![Proj::index(Expr::read_var(lane, Ty::USIZE, place.span))]
        } else {
            smallvec![Proj::Deref]
        };
        proj.extend(place.proj[at + 1..].iter().cloned());
        (place.root, place.proj) = (var, proj);
        Ok(())
    }
}

impl Slices<'_, '_, '_> {
    fn slice(&mut self, place: &Place, index: &Expr, at: usize, along: bool) -> VarId {
        let iterations = self.builder.iterations;
        let array = iterations.array_key(&place.proj[..at]);
        let same = |s: &&Slice| {
            s.root == place.root
                && s.along == along
                && s.array == array
                && iterations.alike(&s.view.index, index)
        };
        if let Some(known) = self.found.iter().find(same) {
            return known.var;
        }
        iterations.collect_ints(index, &mut self.ints);
        let of = Place {
            proj: place.proj[..at].into(),
            ..place.clone()
        };
        let element = Box::new(place_ty(self.builder.func, &of).element());
        let (what, ty) = match along {
            true => ("slice", Ty::Slice(element)),
            false => ("element", Ty::Ref(false, element)),
        };
        let name = self.builder.name(place.root);
        let base = format!("{}_{what}", name.trim_start_matches("r#"));
        let class = self.builder.func.var(place.root).class;
        let var = self.builder.fresh.temp(class, base, ty, false);
        let index = index.clone();
        self.found.push(Slice {
            root: place.root,
            array,
            along,
            var,
            view: View {
                of,
                index,
                row: None,
                mirrored: false,
            },
        });
        var
    }
}
