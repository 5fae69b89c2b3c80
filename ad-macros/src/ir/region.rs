//! Regions: what facts about memory are kept by.
//!
//! A region is a variable, or a part of it that fields lead to: `s`, `s.pos`, `s.pos.0`. Of two regions of one
//! variable, one lies in the other, or they have no memory in common. What follows behind an index, a sub-slice or the
//! payload of an `Option` belongs to the region in front of it: all elements of an array are one region. A reference
//! and what is behind it are one, too.
//!
//! A field counts if it is known to be a part ([`Field::is_part`](super::Field::is_part)). What is read behind another
//! one belongs to the region in front of it. So a variable without such fields has one region, which is the variable.

use crate::ir::hash::HashMap;
use std::cell::RefCell;
use std::cmp::Ordering;
use std::ops::Range;

use super::field::FieldName;
use super::{Field, Func, Place, Proj, VarId};

/// A variable, or a part of it that fields lead to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Region {
    pub(crate) root: VarId,
    path: PathId,
}

/// The fields that lead from a variable to a part of it: a number in [`PATHS`], zero if there are none.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct PathId(u32);

impl PathId {
    const EMPTY: PathId = PathId(0);
}

thread_local! {
    /// The paths that functions have used, which are few. Which numbers they have depends on what was expanded before,
    /// so nothing is decided by them but equality.
    static PATHS: RefCell<Paths> = RefCell::default();
}

#[derive(Default)]
struct Paths {
    /// Of path `n + 1`: the path without its last field, and that field.
    paths: Vec<(PathId, FieldName)>,
    numbers: HashMap<(PathId, FieldName), PathId>,
}

impl Paths {
    fn field(&mut self, path: PathId, field: FieldName) -> PathId {
        let paths = &mut self.paths;
        *self.numbers.entry((path, field)).or_insert_with(|| {
            paths.push((path, field));
            PathId(u32::try_from(paths.len()).expect("fewer than 2^32 paths"))
        })
    }

    fn parent(&self, path: PathId) -> Option<(PathId, FieldName)> {
        let index = path.0.checked_sub(1)?;
        Some(self.paths[index as usize])
    }

    /// A path, with other fields behind it.
    fn extended(&mut self, path: PathId, fields: &[FieldName]) -> PathId {
        let field = |path, field: &FieldName| self.field(path, *field);
        fields.iter().fold(path, field)
    }

    fn fields(&self, mut path: PathId) -> Vec<FieldName> {
        let mut fields = Vec::new();
        while let Some((parent, field)) = self.parent(path) {
            fields.push(field);
            path = parent;
        }
        fields.reverse();
        fields
    }

    /// Whether one path begins with another.
    fn begins(&self, mut path: PathId, with: PathId) -> bool {
        while path != with {
            match self.parent(path) {
                Some((parent, _)) => path = parent,
                None => return false,
            }
        }
        true
    }
}

impl Region {
    /// All of a variable.
    pub(crate) fn var(root: VarId) -> Self {
        Region {
            root,
            path: PathId::EMPTY,
        }
    }

    /// Whether the other region is this one, or lies in it.
    pub(crate) fn covers(self, other: Region) -> bool {
        let begins = || PATHS.with_borrow(|paths| paths.begins(other.path, self.path));
        self.root.0 == other.root.0
            && (self.path.0 == 0 || self.path.0 == other.path.0 || other.path.0 != 0 && begins())
    }

    /// A part of it.
    pub(crate) fn part(self, field: Field) -> Self {
        let path = PATHS.with_borrow_mut(|paths| paths.field(self.path, field.name()));
        Region { path, ..self }
    }

    /// What a part of `from`, which this one is, becomes where `from` is copied to `to`. All of `from` becomes all of
    /// `to`.
    pub(crate) fn copied(self, from: Region, to: Region) -> Region {
        let path = PATHS.with_borrow_mut(|paths| {
            let (all, front) = (paths.fields(self.path), paths.fields(from.path).len());
            paths.extended(to.path, all.get(front..).unwrap_or_default())
        });
        Region { path, ..to }
    }

    /// Whether the two have memory in common.
    pub(crate) fn overlaps(self, other: Region) -> bool {
        self.covers(other) || other.covers(self)
    }
}

impl Region {
    /// The name in the IR.
    pub(crate) fn text(self, func: &Func) -> String {
        let fields = PATHS.with_borrow(|paths| paths.fields(self.path));
        let name = func.var(self.root).name.to_string();
        fields
            .iter()
            .fold(name, |text, field| format!("{text}.{field}"))
    }
}

impl Ord for Region {
    fn cmp(&self, other: &Self) -> Ordering {
        let paths =
            || PATHS.with_borrow(|paths| paths.fields(self.path).cmp(&paths.fields(other.path)));
        self.root.cmp(&other.root).then_with(paths)
    }
}

impl PartialOrd for Region {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl From<VarId> for Region {
    fn from(var: VarId) -> Self {
        Region::var(var)
    }
}

impl Place {
    /// The region in which the place lies: the whole of it, or what [`steps`](Self::steps) lead to.
    pub(crate) fn region(&self) -> Region {
        if self.proj.is_empty() {
            return Region::var(self.root);
        }
        let mut path = PathId::EMPTY;
        for proj in &self.proj[..self.fields()] {
            if let Proj::Field(field) = proj {
                path = PATHS.with_borrow_mut(|paths| paths.field(path, field.name()));
            }
        }
        Region {
            root: self.root,
            path,
        }
    }

    /// What leads from the region to the place.
    pub(crate) fn steps(&self) -> &[Proj] {
        &self.proj[self.fields()..]
    }

    /// The place that is all of the region.
    pub(crate) fn whole_region(&self) -> Place {
        Place {
            proj: self.proj[..self.fields()].into(),
            ..self.clone()
        }
    }

    /// Whether the place is all of its region.
    pub(crate) fn is_region(&self) -> bool {
        self.steps().is_empty()
    }

    /// How many projections lead to the region: a parameter that is a reference is followed, then come the fields.
    fn fields(&self) -> usize {
        let mut fields = 0;
        let mut in_front = true;
        for proj in &self.proj[..] {
            match proj {
                Proj::Deref if in_front => {}
                Proj::Field(field) if field.is_part() => in_front = false,
                Proj::Deref
                | Proj::Field(_)
                | Proj::Index(_)
                | Proj::Range { .. }
                | Proj::Payload
                | Proj::Variant(_)
                | Proj::Unbox => break,
            }
            fields += 1;
        }
        fields
    }
}

/// Memory, as the regions of which it consists. None of them lies in another.
#[derive(Clone, Default, Debug)]
pub(crate) struct RegionSet {
    /// Those of one variable stand together, variables in order. Sets are small, and are asked most of the time.
    regions: Vec<Region>,
}

impl RegionSet {
    /// Whether the set has grown.
    pub(crate) fn insert(&mut self, region: impl Into<Region>) -> bool {
        let region: Region = region.into();
        let own = self.own(region.root);
        if self.regions[own.clone()]
            .iter()
            .any(|one| one.covers(region))
        {
            return false;
        }
        if own.is_empty() {
            self.regions.insert(own.start, region);
            return true;
        }
        self.remove(region);
        let end = self.own(region.root).end;
        self.regions.insert(end, region);
        true
    }

    /// Adds all of them. Whether the set has grown.
    pub(crate) fn add(&mut self, regions: impl IntoIterator<Item = Region>) -> bool {
        let mut grown = false;
        for region in regions {
            grown |= self.insert(region);
        }
        grown
    }

    /// Takes out what lies in the region. A part of a region of the set cannot be taken out.
    pub(crate) fn remove(&mut self, region: impl Into<Region>) {
        let region: Region = region.into();
        if !self.own(region.root).is_empty() {
            self.regions.retain(|one| !region.covers(*one));
        }
    }

    /// Whether all of the region is known to be in the set.
    pub(crate) fn covers(&self, region: impl Into<Region>) -> bool {
        let region: Region = region.into();
        self.of(region.root).iter().any(|one| one.covers(region))
    }

    /// Whether the set has memory in common with a region; of a variable, whether it has any of it.
    pub(crate) fn overlaps(&self, region: impl Into<Region>) -> bool {
        let region: Region = region.into();
        self.of(region.root).iter().any(|one| one.overlaps(region))
    }

    /// The regions of the set within a region: those that lie in it, or it, if it lies in one.
    pub(crate) fn within(&self, region: impl Into<Region>) -> impl Iterator<Item = Region> {
        let region: Region = region.into();
        let common = move |one: &Region| match (one.covers(region), region.covers(*one)) {
            (true, _) => Some(region),
            (false, true) => Some(*one),
            (false, false) => None,
        };
        self.of(region.root).iter().filter_map(common)
    }

    /// Whether the sets have memory in common.
    pub(crate) fn meets(&self, other: &RegionSet) -> bool {
        let (few, many) = match self.regions.len() <= other.regions.len() {
            true => (self, other),
            false => (other, self),
        };
        few.regions.iter().any(|region| many.overlaps(*region))
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = Region> {
        self.regions.iter().copied()
    }

    /// The variables of which something is in the set.
    pub(crate) fn roots(&self) -> impl Iterator<Item = VarId> {
        let mut last = None;
        let roots = self.regions.iter().map(|region| region.root);
        roots.filter(move |root| last.replace(*root) != Some(*root))
    }

    fn of(&self, root: VarId) -> &[Region] {
        &self.regions[self.own(root)]
    }

    /// Where the regions of a variable stand, or would stand.
    fn own(&self, root: VarId) -> Range<usize> {
        let regions = &self.regions[..];
        let (mut start, mut end) = (0, regions.len());
        while start < end {
            let middle = usize::midpoint(start, end);
            if regions[middle].root.0 < root.0 {
                start = middle + 1;
            } else {
                end = middle;
            }
        }
        while end < regions.len() && regions[end].root.0 == root.0 {
            end += 1;
        }
        start..end
    }
}

impl FromIterator<Region> for RegionSet {
    fn from_iter<I: IntoIterator<Item = Region>>(regions: I) -> Self {
        let mut set = RegionSet::default();
        set.add(regions);
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{Expr, Field};
    use proc_macro2::Span;

    /// `s`, `s.0.1`, `s.0.[0]`, `s.0.?`; a field with a `~` in front is not known to be a part.
    fn place(text: &str) -> Place {
        let span = Span::call_site();
        let mut parts = text.split('.');
        let root = parts.next().map_or(0, |name| u32::from(name == "t"));
        let field =
            |text: &str| Field::from(&syn::parse_str::<syn::Member>(text).expect("a field"));
        let mut place = Place::var(VarId(root), span);
        for part in parts {
            place = place.then(match part.strip_prefix('~') {
                Some(unknown) => Proj::Field(field(unknown)),
                None if part == "*" => Proj::Deref,
                None if part == "?" => Proj::Payload,
                None if part == "[0]" => Proj::index(Expr::usize_literal(0, span)),
                None => Proj::Field(field(part).part()),
            });
        }
        place
    }

    fn region(text: &str) -> Region {
        place(text).region()
    }

    fn set(texts: &[&str]) -> RegionSet {
        texts.iter().map(|text| region(text)).collect()
    }

    #[test]
    fn a_region_is_a_variable_and_the_fields_that_come_first() {
        assert_eq!(region("s"), Region::var(VarId(0)));
        assert_eq!(region("s.*.0"), region("s.0"));
        assert_eq!(region("s.pos.1"), region("s.pos.1"));
        for (longer, shorter) in [
            ("s.0.[0].1", "s.0"),
            ("s.[0].0", "s"),
            ("s.0.?.1", "s.0"),
            ("s.~0.1", "s"),
            ("s.0.*.1", "s.0"),
        ] {
            assert_eq!(region(longer), region(shorter));
            assert!(!place(longer).is_region(), "{longer}");
            assert!(place(shorter).is_region(), "{shorter}");
        }
        assert_eq!(place("s.0.[0].1").steps().len(), 2);
        assert!(place("s.*").is_region());
    }

    #[test]
    fn regions_overlap_if_one_lies_in_the_other() {
        for (outer, inner) in [
            ("s", "s.0"),
            ("s", "s.pos.x"),
            ("s.pos", "s.pos.x"),
            ("s.0", "s.0"),
        ] {
            assert!(region(outer).covers(region(inner)));
            assert_eq!(region(inner).covers(region(outer)), inner == outer);
            assert!(region(outer).overlaps(region(inner)) && region(inner).overlaps(region(outer)));
        }
        for (a, b) in [
            ("s.0", "s.1"),
            ("s.0.1", "s.1.0"),
            ("s", "t"),
            ("s.0", "t.0"),
            ("s.0.0", "s.0.1"),
        ] {
            assert!(!region(a).overlaps(region(b)) && !region(b).overlaps(region(a)));
        }
    }

    #[test]
    fn a_set_holds_memory() {
        let mut held = set(&["s.0.1", "t"]);
        assert!(held.overlaps(region("s")) && held.overlaps(VarId(0)) && !held.covers(VarId(0)));
        assert!(held.overlaps(region("s.0")) && !held.overlaps(region("s.1")));
        assert!(held.covers(region("t.2")) && !held.insert(region("t.2")));
        assert!(held.insert(region("s.1")) && held.insert(region("s")));
        assert_eq!(
            held.iter().filter(|region| region.root == VarId(0)).count(),
            1
        );
        // A part of a region cannot be taken out of it, a region with all of its parts can.
        held.remove(region("s.0"));
        assert!(held.covers(region("s.0")));
        let mut parts = set(&["s.0.1", "s.0.2", "s.1"]);
        parts.remove(region("s.0"));
        assert!(!parts.overlaps(region("s.0")) && parts.covers(region("s.1")));
        parts.remove(VarId(0));
        assert_eq!(parts.roots().count(), 0);
    }

    #[test]
    fn sets_meet_where_regions_overlap() {
        assert!(set(&["s.0", "t"]).meets(&set(&["s.0.1"])));
        assert!(set(&["s.0.1"]).meets(&set(&["s", "t.0"])));
        assert!(!set(&["s.0", "t.1"]).meets(&set(&["s.1", "t.0"])));
    }

    #[test]
    fn the_order_is_that_of_the_names() {
        let (late, early) = (region("s.zzz"), region("s.aaa"));
        assert!(early < late && Region::var(VarId(0)) < early && late < region("t"));
        assert!(region("s.2") < region("s.10"));
    }
}
