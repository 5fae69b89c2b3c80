//! Sets of variables, a bit for each: most questions that analyses ask of code are answered by such sets, and the
//! compiler runs without optimisation in the builds of its users, where hashing takes longer than all else.

use crate::ir::hash::HashSet;

use super::VarId;

/// Variables of one function.
#[derive(Clone, Default)]
pub(crate) struct VarSet {
    /// Those of variable `64 k + n` is bit `n` of word `k`.
    words: Vec<u64>,
}

impl VarSet {
    fn place(var: VarId) -> (usize, u64) {
        ((var.0 >> 6) as usize, 1 << (var.0 & 63))
    }

    /// Whether the set has grown.
    pub(crate) fn insert(&mut self, var: VarId) -> bool {
        let (word, bit) = Self::place(var);
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        let word = &mut self.words[word];
        let fresh = *word & bit == 0;
        *word |= bit;
        fresh
    }

    /// Whether it was in the set.
    pub(crate) fn remove(&mut self, var: VarId) -> bool {
        let (word, bit) = Self::place(var);
        let Some(word) = self.words.get_mut(word) else {
            return false;
        };
        let there = *word & bit != 0;
        *word &= !bit;
        there
    }

    pub(crate) fn contains(&self, var: &VarId) -> bool {
        let (word, bit) = Self::place(*var);
        matches!(self.words.get(word), Some(word) if word & bit != 0)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    /// Its variables, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = VarId> + use<> {
        self.clone().into_iter()
    }

    /// Takes out what is not wanted.
    pub(crate) fn retain(&mut self, mut wanted: impl FnMut(VarId) -> bool) {
        for var in self.iter() {
            if !wanted(var) {
                self.remove(var);
            }
        }
    }

    /// Whether one of the variables is among these.
    pub(crate) fn meets(&self, vars: &HashSet<VarId>) -> bool {
        self.iter().any(|var| vars.contains(&var))
    }

    /// The variables of both sets.
    pub(crate) fn union(mut self, other: &VarSet) -> VarSet {
        self.extend(other.iter());
        self
    }
}

impl std::fmt::Debug for VarSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl IntoIterator for VarSet {
    type Item = VarId;
    type IntoIter = Vars;

    fn into_iter(self) -> Vars {
        let mut words = self.words.into_iter();
        let rest = words.next().unwrap_or_default();
        Vars {
            words,
            rest,
            first: 0,
        }
    }
}

/// The variables of a set, in order.
#[derive(Debug)]
pub(crate) struct Vars {
    words: std::vec::IntoIter<u64>,
    /// What is left of the word whose first variable is `first`.
    rest: u64,
    first: u32,
}

impl Iterator for Vars {
    type Item = VarId;

    fn next(&mut self) -> Option<VarId> {
        while self.rest == 0 {
            self.rest = self.words.next()?;
            self.first += 64;
        }
        let bit = self.rest.trailing_zeros();
        self.rest &= self.rest - 1;
        Some(VarId(self.first + bit))
    }
}

impl Extend<VarId> for VarSet {
    fn extend<I: IntoIterator<Item = VarId>>(&mut self, vars: I) {
        for var in vars {
            self.insert(var);
        }
    }
}

impl FromIterator<VarId> for VarSet {
    fn from_iter<I: IntoIterator<Item = VarId>>(vars: I) -> Self {
        let mut set = VarSet::default();
        set.extend(vars);
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_holds_variables_in_order() {
        let mut set: VarSet = [130, 3, 64, 3, 63].map(VarId).into_iter().collect();
        assert_eq!(
            set.iter().map(|var| var.0).collect::<Vec<_>>(),
            [3, 63, 64, 130]
        );
        assert!(!set.insert(VarId(64)) && set.insert(VarId(0)));
        assert!(set.contains(&VarId(130)) && !set.contains(&VarId(131)));
        assert!(!set.contains(&VarId(1000)) && !set.remove(VarId(1000)));
        assert!(set.remove(VarId(3)) && !set.remove(VarId(3)));
        set.retain(|var| var.0 > 63);
        assert_eq!(format!("{set:?}"), "{VarId(64), VarId(130)}");
        assert!(set.meets(&HashSet::from_iter([VarId(1), VarId(64)])));
        assert!(!set.meets(&HashSet::from_iter([VarId(63)])));
        assert!(set.clone().union(&set).iter().eq(set.iter()));
        set.retain(|_| false);
        assert!(set.is_empty() && VarSet::default().into_iter().next().is_none());
    }
}
