//! The transformations that can be switched off, one by one: `#[gradient(no(strips, bulk))]`, or
//! `RETROGRADE_NO=strips,bulk` for every function of a build.
//!
//! Each is an improvement of sweeps that are right without it. Off, it leaves the value as it is; sums in adjoints
//! may be added in another order, so their last bits may differ. That is for measuring what a transformation gains, for
//! finding the one at fault when a gradient looks wrong, and for the fuzzer.

macro_rules! transforms {
    ($($variant:ident $name:literal: $what:literal;)*) => {
        /// One transformation.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub(crate) enum Transform {
            $(#[doc = $what] $variant,)*
        }

        impl Transform {
            /// All of them, in the order of their declaration.
            pub(crate) const ALL: &[Transform] = &[$(Transform::$variant),*];

            /// The name in `no(…)` and in reports.
            pub(crate) fn name(self) -> &'static str {
                match self {
                    $(Transform::$variant => $name,)*
                }
            }

            /// What it does, in one line.
            #[cfg_attr(not(test), expect(dead_code, reason = "the documentation is compared with it"))]
            pub(crate) fn what(self) -> &'static str {
                match self {
                    $(Transform::$variant => $what,)*
                }
            }
        }
    };
}

transforms! {
    Reslice "reslice": "inner loops run on slices of just the elements that they touch, so that indices need no checks";
    Lanes "lanes": "sums in adjoints are collected for a block of iterations and then added array by array";
    Wide "wide": "bodies that are arithmetic run on several iterations at once, in SIMD lanes, instead of filling rows";
    Gather "gather": "sums in neighbouring elements of an adjoint are added in one pass over the array";
    Combine "combine": "what neighbouring elements get in an adjoint is one sum, in which iterations share factors";
    Jam "jam": "iterations of an outer loop run together in one inner loop";
    Hoist "hoist": "factors of adjoints that no row of a jammed loop changes are taken out of the loop over its rows";
    Terms "terms": "what a jammed loop adds up is computed for four columns of a row at once";
    Defer "defer": "outer products for the adjoint of a matrix wait, and those of several iterations are added at once";
    Assign "assign": "an adjoint whose first use writes all of it is assigned, not cleared and added to";
    Inline "inline": "small functions of the same module are inlined where loops call them";
    Unroll "unroll": "short loops of known length are written out";
    Scalars "scalars": "the elements of short arrays, and the parts of tuples, are variables of their own";
    Induction "induction": "counters that loops add to are computed from the counters of the loops";
    Motion "motion": "what has one value in all iterations is computed in front of the loop";
    Speculate "speculate": "conditions inside of branches are evaluated before them; what all arms write last is \
        written once";
    Rename "rename": "values that straight-line code gives to one number are variables of their own";
    Preallocate "preallocate": "lists that loops fill have their lengths before, and elements are stored, not pushed";
    Replay "replay": "scalars that a loop carries run again in its reverse, which then runs forwards, instead of \
        recorded";
    Recompute "recompute": "cheap values are computed again in the reverse sweep instead of recorded";
    Cut "cut": "what is recorded and what recomputed is chosen by a minimum cut, for the fewest bytes";
    Last "last": "of a variable that is written under a condition the last index is kept, not a flag per iteration";
    Ahead "ahead": "what loops overwrite ahead of all reads is not saved, and elements beside it are read again";
    Outputs "outputs": "what a call wrote through `&mut` is saved and put back only if the reverse sweep reads it";
    Bulk "bulk": "what a loop overwrites is saved in front of it, in one copy";
    Fuse "fuse": "an iteration runs forward and in reverse at once where its adjoint is known before the loop";
    Forward "forward_order": "reverse loops that carry nothing from iteration to iteration run forwards";
    Interchange "interchange": "loops around an innermost one change places where its runs add to rows that overlap";
    Strips "strips": "loops of known length reserve the tape for all their records";
    Tiles "tiles": "time loops compute rows on the tape, or keep few and run the others again in tiles that fit the \
        cache";
    Factors "factors": "signs and powers of two in adjoints cancel, and divisions by one root multiply by its inverse";
    Sink "sink": "what adds nothing where a branch does nothing is added in the branch";
    MulAdd "mul_add": "adjoints are added up with `mul_add` where the target has it in hardware";
    Recycle "recycle": "vectors that the reverse sweep is done with are used again, not given back to the allocator";
}

/// Which transformations are on; at first all.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(crate) struct Transforms {
    off: u64,
}

impl Transforms {
    /// Everything on.
    pub(crate) const ON: Self = Transforms { off: 0 };

    /// Whether passes may use the transformation.
    pub(crate) fn has(self, one: Transform) -> bool {
        self.off & bit(one) == 0
    }

    /// Switches off what `name` names, one of them or `all`; `false` if it names nothing.
    pub(crate) fn switch_off(&mut self, name: &str) -> bool {
        let mut known = false;
        for one in Transform::ALL {
            if name == "all" || name == one.name() {
                self.off |= bit(*one);
                known = true;
            }
        }
        known
    }
}

fn bit(one: Transform) -> u64 {
    1 << one as u32
}

#[cfg(test)]
mod tests {
    use super::{Transform, Transforms};

    #[test]
    fn each_name_switches_off_one_and_all_switches_off_all() {
        for one in Transform::ALL {
            let mut set = Transforms::ON;
            assert!(set.switch_off(one.name()));
            for other in Transform::ALL {
                assert_eq!(set.has(*other), other != one);
            }
        }
        let mut none = Transforms::ON;
        assert!(none.switch_off("all") && !none.switch_off("every"));
        assert!(!Transform::ALL.iter().any(|one| none.has(*one)));
    }

    #[test]
    fn the_attribute_documents_each() {
        let documentation = include_str!("../lib.rs");
        for one in Transform::ALL {
            let row = format!("/// | `{}` | {} |", one.name(), one.what());
            assert!(documentation.contains(&row), "lacks {row}");
        }
    }
}
