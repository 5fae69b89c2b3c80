//! Bodies that take several iterations at once: their cells lie in extents of arrays, and each is added to once.

use super::versions::State;
use crate::ir::StmtKind;
use crate::ir::registers::do_all;
use crate::ir::simd::{Near, Simd};

impl State<'_> {
    /// Several cells of an array may be of one element.
    pub(super) fn simd(&mut self, simd: &Simd) -> Result<(), String> {
        do_all(&simd.runs)?;
        let n = self.name(simd.n);
        for (_, of) in &simd.arrays {
            self.apart(of.root, true)?;
        }
        for one in &simd.cells {
            let array = simd.arrays.iter().find(|(var, _)| *var == one.array);
            let extent = self.extents.get(&one.extent);
            let (Some((_, of)), Some((root, len))) = (array, extent) else {
                return Err(format!(
                    "`{}` is no extent of its array",
                    self.name(one.extent)
                ));
            };
            if *root != of.root || len.as_ref() != Some(&n) {
                let name = self.name(one.var);
                return Err(format!("`{name}` are no cells of `{n}` elements"));
            }
            let (of, len) = (of.root, len.clone());
            self.add(one.var, of, true, len);
        }
        simd.near
            .iter()
            .try_for_each(|near| self.near(simd, near))?;
        self.below.insert(simd.done, n);
        Ok(())
    }

    /// Cells that are added up first are those of one array, and the body adds to each once, the first ones first.
    fn near(&self, simd: &Simd, near: &Near) -> Result<(), String> {
        let all = || {
            [near.first]
                .into_iter()
                .chain(near.others.iter().map(|one| one.cells))
        };
        let array = |var| {
            simd.cells
                .iter()
                .find(|one| one.var == var)
                .map(|one| one.array)
        };
        let first = array(near.first);
        if first.is_none() || all().any(|var| array(var) != first) {
            let name = self.name(near.first);
            return Err(format!(
                "cells of several arrays are added up with `{name}`"
            ));
        }
        let shifts = [0].into_iter().chain(near.others.iter().map(|one| one.by));
        let added = simd.body.stmts.iter().filter_map(|stmt| {
            let StmtKind::Update { place, .. } = &stmt.kind else {
                return None;
            };
            all().position(|var| var == place.root)
        });
        if !shifts.is_sorted() || !added.eq(0..=near.others.len()) {
            let name = self.name(near.first);
            return Err(format!("cells are not added up in order behind `{name}`"));
        }
        Ok(())
    }
}
