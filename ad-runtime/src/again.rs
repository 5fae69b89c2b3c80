//! Results of functions that the reverse sweep has again: from the tape, or by another call.
//!
//! A caller does not see what its callees do. So it generates both, and what the companion of the callee says, a
//! constant, chooses which types they have: of what is computed again, nothing is recorded.

/// What a companion says that says nothing: the result is recorded.
pub trait Recorded {
    /// Whether callers compute the result again.
    const REPEATABLE: bool = false;
}

impl<T: ?Sized> Recorded for T {}

/// Chooses what is kept.
#[derive(Debug)]
pub struct If<const REPEATABLE: bool>;

/// What is kept of a result of the type `T`.
pub trait Keep<T> {
    /// On the tape.
    type Kept;

    /// What goes on the tape.
    fn keep(result: T) -> Self::Kept;

    /// The result: what was kept, or that of another call.
    fn again(kept: Self::Kept, call: impl FnOnce() -> T) -> T;
}

impl<T> Keep<T> for If<true> {
    type Kept = ();

    #[inline(always)]
    fn keep(_: T) {}

    #[inline(always)]
    fn again((): (), call: impl FnOnce() -> T) -> T {
        call()
    }
}

impl<T> Keep<T> for If<false> {
    type Kept = T;

    #[inline(always)]
    fn keep(result: T) -> T {
        result
    }

    #[inline(always)]
    fn again(kept: T, _: impl FnOnce() -> T) -> T {
        kept
    }
}

/// What the forward sweep keeps of a result.
#[inline(always)]
pub fn keep<const REPEATABLE: bool, T>(result: T) -> <If<REPEATABLE> as Keep<T>>::Kept
where
    If<REPEATABLE>: Keep<T>,
{
    If::<REPEATABLE>::keep(result)
}

/// The result in the reverse sweep.
#[inline(always)]
pub fn again<const REPEATABLE: bool, T, F: FnOnce() -> T>(
    kept: <If<REPEATABLE> as Keep<T>>::Kept,
    call: F,
) -> T
where
    If<REPEATABLE>: Keep<T>,
{
    If::<REPEATABLE>::again(kept, call)
}

#[cfg(test)]
mod tests {
    use super::{again, keep};

    enum Small {}

    impl Small {
        const REPEATABLE: bool = true;
    }

    enum Silent {}

    #[test]
    fn the_companion_chooses() {
        use super::Recorded as _;
        let () = keep::<{ Small::REPEATABLE }, _>(2.5);
        let kept: f64 = keep::<{ Silent::REPEATABLE }, _>(2.5);
        assert_eq!(again::<{ Small::REPEATABLE }, f64, _>((), || 3.5), 3.5);
        assert_eq!(
            again::<{ Silent::REPEATABLE }, _, _>(kept, || unreachable!()),
            2.5
        );
    }
}
