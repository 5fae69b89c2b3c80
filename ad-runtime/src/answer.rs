//! What methods answer with that are known by their names alone.

use std::cmp::Ordering;
use std::num::FpCategory;

/// What carries no derivative. Generated code asserts it of what methods yield that are taken to compare, to count or
/// to say yes or no, as they have the names of std's.
#[diagnostic::on_unimplemented(
    message = "a method that has the name of one of std's yields a value of type `{Self}` here, whose derivative would \
               be lost",
    label = "methods of this name are taken for those that compare, count, or say yes or no",
    note = "put the method where the text shows it, in the block or the file of the caller, or call it by its path: \
            `Segment::cmp(&s, &x)`"
)]
pub trait Answer: sealed::Answer {}

mod sealed {
    pub trait Answer {}
}

macro_rules! answers {
    ($([$($of:tt)*] $t:ty),* $(,)?) => {$(
        impl<$($of)*> sealed::Answer for $t {}
        impl<$($of)*> Answer for $t {}
    )*};
}

answers! {
    [] (), [] bool, [] char, [] str, [] String, [] Ordering, [] FpCategory,
    [] u8, [] u16, [] u32, [] u64, [] u128, [] usize, [] i8, [] i16, [] i32, [] i64, [] i128, [] isize,
    [A: Answer + ?Sized] &A, [A: Answer] Option<A>, [A: Answer, B: Answer] Result<A, B>,
}

#[cfg(test)]
mod tests {
    use super::Answer;

    fn is_answer<A: Answer>(_: A) -> bool {
        true
    }

    #[test]
    fn orders_and_counts_are_answers() {
        assert!(is_answer(1.0_f64.partial_cmp(&2.0)) && is_answer([1, 2].binary_search(&2)));
        assert!(is_answer("text") && is_answer(0.5_f64.classify()) && is_answer(Some(3_usize)));
    }
}
