//! What a function wrote through `&mut`, and its reverse sweep puts back or leaves.
//!
//! A caller knows whether anything reads it, the callee what that costs. So the companion of a callee has two forms of
//! its sweeps where that makes a difference, and the caller says, by a type, which it calls: both of its sweeps call
//! the same.

/// What a companion says that says nothing: its reverse sweep reads all arguments.
pub trait Reads {
    /// The arguments that the reverse sweep reads, as bits: those that may not be changed between both sweeps.
    const READS: u64 = u64::MAX;
}

impl<T: ?Sized> Reads for T {}

/// Says whether the reverse sweep puts back the outputs.
#[derive(Clone, Copy, Debug)]
pub struct Returned<const RETURNED: bool>;

/// Chooses between two forms of a sweep, of which only one is compiled.
pub trait Choose {
    /// Calls that of both which was chosen.
    fn choose<A, R>(
        self,
        arguments: A,
        returning: impl FnOnce(A) -> R,
        leaving: impl FnOnce(A) -> R,
    ) -> R;
}

impl Choose for Returned<true> {
    #[inline(always)]
    fn choose<A, R>(
        self,
        arguments: A,
        returning: impl FnOnce(A) -> R,
        _: impl FnOnce(A) -> R,
    ) -> R {
        returning(arguments)
    }
}

impl Choose for Returned<false> {
    #[inline(always)]
    fn choose<A, R>(self, arguments: A, _: impl FnOnce(A) -> R, leaving: impl FnOnce(A) -> R) -> R {
        leaving(arguments)
    }
}

#[cfg(test)]
mod tests {
    use super::{Choose, Returned};

    enum Says {}

    impl Says {
        const READS: u64 = 0b10;
    }

    enum Silent {}

    #[test]
    fn the_caller_chooses_by_what_companions_say() {
        use super::Reads as _;
        let choose = |all: (u32, u32)| {
            let [returning, leaving] =
                [0, 1].map(|k: u32| move |(a, b): (u32, u32)| 10 * k + a + b);
            (
                Returned::<{ Says::READS >> 1 & 1 == 1 }>.choose(all, returning, leaving),
                Returned::<{ Says::READS & 1 == 1 || Says::READS >> 2 & 1 == 1 }>
                    .choose(all, returning, leaving),
                Returned::<{ Silent::READS >> 2 & 1 == 1 }>.choose(all, returning, leaving),
            )
        };
        assert_eq!(choose((2, 3)), (5, 15, 5));
    }
}
