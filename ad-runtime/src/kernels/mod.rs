//! Kernels: the loops, and parts of loops, that generated code calls instead of writing them out.
//!
//! The compiler turns loops into others that vectorise, keep numbers in registers and read memory once. What such a
//! loop is made of is ordinary Rust in the user's crate; what is the same in all of them, or needs care that tokens
//! cannot take (`unsafe`, the target's instructions, tests of its own), is a function here. A kernel may have *bodies*:
//! closures for what one iteration, column or element computes, into which it is inlined.
//!
//! | file | kernels | the field calls it |
//! |---|---|---|
//! | [`index`] | indices with and without a check for overflow, trip counts | bounds of loop versioning |
//! | [`windows`] | parts of arrays, checked once in front of a loop | bounds-check hoisting, disjointness checks |
//! | [`mirrored`] | windows whose elements are counted from their end | negative strides |
//! | [`contributions`] | contributions of a block of iterations in rows, added shifted | scalar expansion, gathering |
//! | [`contribution_rows`] | the same for blocks whose length is known | strip mining |
//! | [`reductions`] | sums of adjoints | partial sums |
//! | [`assignment`] | gradients that begin with an assignment | dead-store elimination of the zeros |
//! | [`simd`] | a body on the numbers of several iterations at once | SIMD lanes |
//! | [`transpose4`] | four columns of several rows, added in the order of the columns | in-register transposition |
//! | [`column_panels`] | some columns of all rows, then the next ones | register blocking, panels |
//! | [`row_lists`] | the same of rows that are arrays of a list | register blocking, panels |
//! | [`products`] | outer products that wait for each other | rank-k update |
//! | [`time_tiling`] | time loops that run in tiles of space and time | time tiling with a halo |
//! | [`search`] | the largest or smallest element | argmax |
//!
//! What each of them reads, writes and adds to, in which order it adds, when it answers `None`, when it panics and what
//! it relies on is the table [`contracts::KERNELS`]. Four rules hold for all:
//!
//! - *Answers, not panics, decide between two forms of a loop.* A check in front of a loop says `None`, and the loop
//!   runs as it was written: it panics in the iteration in which the function does, behind the effects that the
//!   function has until then. A kernel panics only where the compiler made a mistake.
//! - *Windows to be changed do not overlap*, or are cells. Whoever makes them compares; no kernel that gets them does
//!   so again.
//! - *Sums of values keep their order, sums of adjoints need not* (`Order`). A kernel that adds in another order than
//!   the loop gives the same bits whatever the tape and the thread.
//! - *A wrong argument is a wrong number at worst, never undefined behaviour.* `unsafe` stands in the files of
//!   [`contracts::UNSAFE`], and each block rests on a check beside it, not on a contract.
//!
//! Each function is `#[inline(always)]` where its body belongs into the loop that calls it, and `#[inline(never)]`
//! where its registers would be taken from that loop.

pub(crate) mod assignment;
pub(crate) mod column_panels;
pub mod contracts;
pub(crate) mod contribution_rows;
pub(crate) mod contributions;
pub(crate) mod index;
pub(crate) mod mirrored;
pub(crate) mod products;
pub(crate) mod reductions;
pub(crate) mod row_lists;
pub(crate) mod search;
pub(crate) mod simd;
pub(crate) mod time_tiling;
pub(crate) mod transpose4;
pub(crate) mod windows;
