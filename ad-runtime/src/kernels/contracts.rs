//! The contracts of the kernels: what the compiler may rely on, and what each relies on.
//!
//! The compiler cannot see these functions: a procedural macro does not depend on what its output calls. What it has to
//! know to move, merge or replace a call stands here, as text and as data, and tests hold both sides to it: every
//! kernel that generated code can name has a row, and every row is a kernel that generated code names.

/// In which order a kernel adds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// It adds nothing.
    None,
    /// One addition to each element in each call, so that the order is that of the calls.
    Once,
    /// One by one in the order of the loop that it stands for: also for sums of values.
    Loop,
    /// To each element in the order of the list of terms, whatever the length of a block: for adjoints alone.
    Terms,
    /// In [`PARTIAL`](super::reductions::PARTIAL) partial sums, added pairwise in the end: for adjoints alone.
    Pairwise,
    /// In as many partial sums as a register of the target has lanes: for adjoints alone, with bits that depend on the
    /// target.
    Register,
}

/// A kernel's contract. Arguments have the names of the function's parameters, `self` included.
#[derive(Clone, Copy, Debug)]
pub struct Kernel {
    /// As generated code names it, below `__rt`; of a method, behind its type.
    pub name: &'static str,
    /// The file below `kernels`.
    pub module: &'static str,
    /// What it is for.
    pub purpose: &'static str,
    /// What is only read.
    pub reads: &'static [&'static str],
    /// Of what a part is handed out; nothing is read or written.
    pub lends: &'static [&'static str],
    /// What is overwritten, without a look at what it held.
    pub writes: &'static [&'static str],
    /// What is added to or subtracted from: the old contents count.
    pub adds: &'static [&'static str],
    /// What is read and overwritten in other ways.
    pub edits: &'static [&'static str],
    /// In which order it adds.
    pub order: Order,
    /// When the answer is `None` or `false`; empty: never.
    pub none_if: &'static str,
    /// When it panics; empty: never.
    pub panics_if: &'static str,
    /// What the caller sees to. Where it does not, numbers are wrong; memory is safe all the same.
    pub assumes: &'static str,
}

/// The rows of the table, as data and as the table of its documentation.
macro_rules! kernels {
    ($($module:ident { $(
        $name:literal $purpose:literal
        $(reads [$($reads:ident)*])? $(lends [$($lends:ident)*])? $(writes [$($writes:ident)*])? $(adds
            [$($adds:ident)*])?
        $(edits [$($edits:ident)*])? $(order $order:ident)? $(none $none:literal)? $(panics $panics:literal)? $(assumes
            $assumes:literal)?;
    )* })*) => {
        /// All kernels.
        ///
        /// | kernel | what it is for | arguments | adds in the order | answers `None` if | panics if | assumes |
        /// |---|---|---|---|---|---|---|
        $($(
            #[doc = concat!(
                "| `", $name, "` (", stringify!($module), ") | ", $purpose, " | ",
                $("reads", $(" `", stringify!($reads), "`",)* "; ",)? $("lends", $(" `", stringify!($lends),
                    "`",)* "; ",)?
                $("writes", $(" `", stringify!($writes), "`",)* "; ",)? $("adds to", $(" `", stringify!($adds),
                    "`",)* "; ",)?
                $("edits", $(" `", stringify!($edits), "`",)* "; ",)? " | ", $(stringify!($order),)? " | ",
                    $($none,)? " | ",
                $($panics,)? " | ", $($assumes,)? " |",
            )]
        )*)*
        pub const KERNELS: &[Kernel] = &[$($(Kernel {
            name: $name,
            module: stringify!($module),
            purpose: $purpose,
            reads: &[$($(stringify!($reads),)*)?],
            lends: &[$($(stringify!($lends),)*)?],
            writes: &[$($(stringify!($writes),)*)?],
            adds: &[$($(stringify!($adds),)*)?],
            edits: &[$($(stringify!($edits),)*)?],
            order: order!($($order)?),
            none_if: concat!($($none)?),
            panics_if: concat!($($panics)?),
            assumes: concat!($($assumes)?),
        },)*)*];
    };
}

macro_rules! order {
    () => {
        Order::None
    };
    ($order:ident) => {
        Order::$order
    };
}

kernels! {
    index {
        "Ix::of" "an index computed with a look at each operation for overflow" reads [value];
        "Ix::get" "the index" reads [self] none "something overflowed";
        "At::of" "an index of which is known that nothing overflows" reads [value]
            assumes "the numbers of the computation lie below `room`; else the index is another one";
        "At::number" "the index" reads [self];
        "less" "whether an index is less than another, or the same" reads [a b equal] none "either overflowed";
        "outside" "whether an index is not among others" reads [at first last] none "it is, or one overflowed";
        "room" "the bound below which sums of products of indices do not overflow" reads [degree bits]
            panics "`degree` is zero";
        "seldom" "a check that is kept out of the instruction stream" reads [ask];
        "trips" "the trip count of `lo..=hi`" reads [lo hi];
        "written" "the range of indices that a loop writes" reads [len lo hi inclusive offset]
            assumes "the index is the counter plus a constant; all elements where it wraps around";
    }
    windows {
        "view" "a window of an array" lends [of]
            none "an index overflowed, the window has not `n` elements, or the array ends before it does";
        "view_mut" "a window to be changed" lends [of] none "as `view`";
        "views_mut" "several windows of one array to be changed" lends [of] none "as `view`, or two of them overlap";
        "arrays_mut" "several elements of a list, to be changed" lends [list]
            none "there is not each of them, or two are the same";
        "within" "where a window of an array of `len` elements is" reads [len first last n] none "as `view`";
        "Window::start" "the index of the first element" reads [self];
        "Window::part" "a block of a window" lends [of] panics "`of` has not all of the window, or the window not all \
         of the block";
        "Window::cells" "a window as shared cells, for sums whose windows overlap" lends [of] panics "`of` has not all \
         of it";
        "Window::cells_through" "the same, to the end of another window" lends [of] panics "as `Window::cells`, or the \
         other one begins in front of it";
        "exists" "whether there is a range of elements" reads [len lo hi] none "an index overflowed, or the range ends \
         behind the array";
        "rows" "`L` rows of a matrix" lends [row] none "there is none of one of them";
        "rows_mut" "`L` rows to be changed" lends [of] none "as `view`, or two of them overlap";
        "groups" "whole groups of `L` neighbouring elements" lends [of]
            assumes "that elements behind the last whole group are in none is what is meant";
        "groups_mut" "the same to be changed" lends [of] assumes "as `groups`";
        "element" "an element" lends [of] none "the index overflowed, or lies behind the array";
    }
    mirrored {
        "Mirrored::of" "a window whose elements are counted from its end" lends [elements];
        "Mirrored::elements" "the window in its own order" lends [self];
        "Mirrored::part" "a block of it" lends [self] panics "it has not all of the block";
        "MirroredMut::of" "the same to be changed" lends [elements];
        "MirroredMut::elements" "the window in its own order" lends [self];
        "MirroredMut::part" "a block of it" lends [self] panics "it has not all of the block";
        "add_row_mirrored" "`to[n - 1 - i] += row[i]`" reads [row] adds [to] order Once
            assumes "both have one length: what is longer is left as it is";
        "sub_row_mirrored" "`to[n - 1 - i] -= row[i]`" reads [row] adds [to] order Once
            assumes "as `add_row_mirrored`";
    }
    contributions {
        "Contributions::new" "scalar expansion of contributions to adjoints: a row for each kind of element, of up to \
         `MAX_BLOCK` iterations";
        "Contributions::begin" "zeros in front of the rows, for rows that are shifted" writes [self]
            assumes "it comes before the first block; the length is at most `MAX_SHIFT`, which is checked when it is \
                compiled";
        "Contributions::compute" "the contributions of a block of iterations" reads [f] writes [self]
            assumes "`n` is at most `MAX_BLOCK`: further iterations do not run; `f` runs in the order of the \
                iterations, once each";
        "Contributions::row" "the contributions of one kind" lends [self] panics "there is no such row";
        "Contributions::carry" "what a block has left for elements behind its own" edits [self] panics "more is \
         carried than `begin` made room for"
            assumes "it comes after `gather`, with all rows that are shifted";
        "gather" "adds shifted rows in one pass" reads [from terms] adds [to] order Terms panics "a shift is longer \
         than `begin` made room for"
            assumes "`to` has an element for each iteration of the block: what is longer is left as it is";
        "gather_anew" "the same where the elements have got nothing before" reads [from terms] writes [to] order Terms
            panics "as `gather`" assumes "as `gather`";
        "gather_rest" "adds what is carried, behind the last block" reads [from terms] adds [to] order Terms panics
            "as `gather`"
            assumes "`to` has as many elements as the longest shift";
        "gather_ends" "adds to elements that some of the shifted rows do not reach" reads [n terms f] adds [to] order
            Terms
            panics "`to` has not the elements" assumes "`f` is pure; it runs once for each term of each element";
        "add_row" "`to[i] += row[i]`" reads [row] adds [to] order Once
            assumes "both have one length: what is longer is left as it is";
        "sub_row" "`to[i] -= row[i]`" reads [row] adds [to] order Once assumes "as `add_row`";
    }
    contribution_rows {
        "ContributionRows::new" "as `Contributions`, for blocks whose length the compiler knows; the front is zero";
        "ContributionRows::compute" "the contributions of a block of iterations" reads [f] writes [self]
            assumes "all iterations of the block run";
        "ContributionRows::row" "the contributions of one kind" lends [self] panics "there is no such row";
        "ContributionRows::carry" "as `Contributions::carry`; its length is checked when it is compiled" edits [self]
            assumes "it comes after `gather`, with all rows that are shifted";
    }
    reductions {
        "sum" "the sum of a slice" reads [values] order Loop;
        "sum_row" "the sum of a row" reads [row] order Pairwise;
        "total" "the sum of partial sums" order Pairwise;
    }
    assignment {
        "begin" "the first contribution to an element of a gradient" reads [value] edits [element] order Once
            assumes "no contribution to the element came before; under `GRADIENT` what it holds does not count";
        "begin_all" "the first contributions to all elements" reads [values] edits [gradient] order Once panics "the \
         lengths differ"
            assumes "as `begin`";
        "clear_around" "zeros where a nest of loops begins no element" reads [start trips] writes [gradient]
            assumes "the nest begins each of `trips` elements from `start` on; nothing is cleared but under `GRADIENT`";
    }
    column_panels {
        "panel_height" "how many rows go over a panel of columns before the next one" reads [columns];
        "load_panel" "the next columns of one row" reads [of] panics "there are not so many";
        "store_panel" "writes them" reads [block] writes [of] panics "there are not so many";
        "store_panel_end" "writes the last ones, of which some are written already" reads [block skip] writes [of]
            panics "there are not so many";
        "Matrix::of" "rows of a matrix, which lie at equal distances" lends [of]
            none "an index of a corner overflowed, the last row is not where the first two say, or a row is not all \
                there"
            assumes "the index is affine in the row and in the column: the corners say where all elements are";
        "MatrixMut::of" "the same to be changed" lends [of] none "as `Matrix::of`, or rows overlap" assumes "as \
         `Matrix::of`";
        "Matrix::panel" "a panel: a register of columns of some rows" lends [self] panics "there are not so many rows \
         and columns";
        "MatrixMut::panel" "the same to be changed" lends [self] panics "as `Matrix::panel`";
        "Panel::row" "a row of a panel" reads [self] panics "there is no such row";
        "PanelMut::row" "a row of a panel" reads [self] panics "there is no such row";
        "PanelMut::set_row" "writes a row" reads [values] writes [self] panics "there is no such row";
        "PanelMut::set_end" "writes a row but for its first elements" reads [values skip] writes [self] panics "there \
         is no such row";
    }
    row_lists {
        "ListMatrix::of" "rows of a list, at equal distances in it" lends [of]
            none "an index of a corner overflowed, the last row or column is not where the first ones say, or a row is \
                not there, or has not all columns"
            assumes "which row it is is affine in the number of the row, and the element in the column";
        "ListMatrixMut::of" "the same to be changed" lends [of] none "as `ListMatrix::of`, or a row is there twice"
            assumes "as `ListMatrix::of`";
        "ListMatrix::panel" "a panel: a register of columns of some rows" lends [self] panics "there are not so many \
         rows and columns";
        "ListMatrixMut::panel" "the same to be changed" lends [self] panics "as `ListMatrix::panel`";
        "ListPanel::row" "a row of a panel" reads [self] panics "there is no such row";
        "ListPanelMut::row" "a row of a panel" reads [self] panics "there is no such row";
        "ListPanelMut::set_row" "writes a row" reads [values] writes [self] panics "there is no such row";
        "ListPanelMut::set_end" "writes a row but for its first elements" reads [values skip] writes [self]
            panics "there is no such row";
        "list_rows_mut" "`L` rows of a list to be changed" lends [of] none "as `view`, or a row is there twice";
    }
    transpose4 {
        "load4" "four neighbours in a register" reads [of] panics "there are fewer";
        "splat4" "one number four times" reads [value];
        "Vector4::sqrt" "the roots" reads [self];
        "add_transposed" "adds terms of dot products of several rows, four columns at a time: transposes, then adds \
         column after column"
            reads [terms] adds [sums] order Loop;
        "sub_transposed" "the same, subtracted" reads [terms] adds [sums] order Loop;
    }
    simd {
        "simd::Simd::splat" "one number in all lanes" reads [value];
        "simd::Simd::root" "the roots" reads [self];
        "simd::Simd::total" "the sum of the lanes" reads [self] order Register;
        "simd::goes_on" "whether a whole register of iterations is left" reads [done n] none "fewer are left" panics
            "more are done than there are";
        "simd::cells" "an array as shared cells, for sums whose windows overlap" lends [of];
        "simd::load" "neighbouring elements" reads [of] panics "there are too few";
        "simd::store" "overwrites them" reads [value] writes [to] panics "there are too few"
            assumes "no other iteration of the register reads or writes them";
        "simd::add" "`to[at + i] += value[i]`" reads [value] adds [to] order Once panics "there are too few";
        "simd::sub" "`to[at + i] -= value[i]`" reads [value] adds [to] order Once panics "there are too few";
        "simd::Near::first" "what the elements of some iterations get, so far" reads [value];
        "simd::Near::and" "the same with what goes a few elements further on; adds what is summed up where that \
         is more than a register"
            reads [value shift] adds [to] edits [self waiting] order Once panics "there are too few";
        "simd::Near::add" "adds what is summed up" reads [self] adds [to] order Once panics "there are too few";
        "simd::Waiting::nothing" "nothing belongs to the next iterations";
        "simd::Waiting::add" "adds what does, when there are none" reads [self shift] adds [to] order Once
            panics "there are too few";
        "simd::mul_add" "as `rules::mul_add`, lane by lane: rounded once where the target can" reads [a b c];
        "simd::number" "as `rules::number`" reads [value];
        "simd::div_lhs" "as `rules::div_lhs`, lane by lane" reads [s y];
        "simd::div_rhs" "as `rules::div_rhs`" reads [s y r];
        "simd::inverse" "as `rules::inverse`" reads [y];
        "simd::div_lhs_by" "as `rules::div_lhs_by`" reads [s inverse];
        "simd::div_rhs_by" "as `rules::div_rhs_by`" reads [s inverse r];
        "simd::recip" "as `rules::recip`" reads [s r];
        "simd::sqrt" "as `rules::sqrt`" reads [s r];
        "simd::sqrt_by" "as `rules::sqrt_by`" reads [s inverse];
        "simd::sqrt_times" "as `rules::sqrt_times`" reads [s r];
    }
    search {
        "search" "argmax or argmin of a slice: the element that a loop over it finds, of equal ones and of NaN too"
            reads [x best]
            none "no element beats `best`" assumes "the loop does nothing but compare and keep the element and where \
                it was";
    }
    products {
        "Products::new" "deferred outer products: a rank-k update of a matrix in place of k updates";
        "Products::wants" "whether the next product is to wait" reads [to alone] edits [self]
            none "the matrix is small, or the product is among the first that go there";
        "Products::begin" "the factors of the columns of a product; adds those that wait if they go elsewhere, or are \
         many"
            reads [factor] adds [to] edits [self] order Loop panics "the product was not wanted"
            assumes "`rows` follows until each row has its factor";
        "Products::rows" "the factors of the next rows" reads [factors] edits [self];
        "Products::add" "adds all that wait" adds [to] edits [self] order Loop
            panics "`to` has another length than it had, or a row has no factor"
            assumes "nothing has read the matrix or added to it since the first that waits; nothing waits when it is \
                read";
    }
    time_tiling {
        "Stencil::of" "the cells that a time loop computes, and how they are kept" reads [lens steps]
            none "an array ends before the cells and what is around them do, or nothing is gained"
            assumes "both arrays have the cells at the same indices";
        "forward_tiles" "the forward sweep of a time loop between two arrays: all rows on the tape, or one in some"
            reads [step] edits [tape from to]
            assumes "`step` is pure and reads no further around a cell than `cells` says; nothing else happens in an \
                iteration";
        "reverse_tiles" "its reverse sweep: tiles in space and time, with a halo that is computed again" reads [step
            adjoint]
            edits [tape states adjoints] order Terms panics "there are no steps, or the tape has something else"
            assumes "as `forward_tiles`; `adjoint` overwrites all that it is given";
    }
}

/// Numbers that generated code asks for by name, since they depend on the target or are the kernels' own business.
pub const CONSTANTS: &[(&str, usize, &str)] = &[
    (
        "MAX_BLOCK",
        super::contributions::MAX_BLOCK,
        "iterations of a block of contributions, at most",
    ),
    (
        "MAX_SHIFT",
        super::contributions::MAX_SHIFT,
        "elements by which a row of contributions is shifted, at most",
    ),
    (
        "AHEAD",
        super::contributions::AHEAD,
        "elements that are gathered before the iterations do the rest",
    ),
    (
        "PARTIAL",
        super::reductions::PARTIAL,
        "partial sums of a sum in an adjoint",
    ),
    ("PANEL", super::column_panels::PANEL, "columns of a panel"),
    (
        "FOUR",
        super::transpose4::FOUR,
        "columns that are transposed at once",
    ),
    (
        "FORWARD",
        super::assignment::FORWARD as usize,
        "mode: the forward sweep alone",
    ),
    (
        "REVERSE",
        super::assignment::REVERSE as usize,
        "mode: the reverse sweep alone",
    ),
    (
        "JOINT",
        super::assignment::JOINT as usize,
        "mode: both sweeps",
    ),
    (
        "GRADIENT",
        super::assignment::GRADIENT as usize,
        "mode: both sweeps, for gradients that hold anything before",
    ),
];

/// Types that generated code names beside those whose methods are kernels.
pub const TYPES: &[(&str, &str)] = &[
    (
        "Corners",
        "indices of the corners of a matrix, for `Matrix::of`",
    ),
    (
        "ListCorners",
        "the same of rows of a list, for `ListMatrix::of`",
    ),
    ("Products", "deferred outer products"),
    ("F32x4", "four `f32` in a register"),
    ("F64x4", "four `f64` in a register"),
    ("Greater", "for `search`: the first of the largest elements"),
    (
        "GreaterOrEqual",
        "for `search`: the last of the largest elements",
    ),
    ("Less", "for `search`: the first of the smallest elements"),
    (
        "LessOrEqual",
        "for `search`: the last of the smallest elements",
    ),
    (
        "simd::Simd",
        "numbers of neighbouring iterations in a register",
    ),
    (
        "simd::Element",
        "which registers the target has for a type of numbers",
    ),
];

/// The files below `kernels` that hold `unsafe` code.
pub const UNSAFE: &[&str] = &[
    "column_panels.rs",
    "contributions.rs",
    "simd/registers.rs",
    "transpose4/registers.rs",
    "windows.rs",
];

#[cfg(test)]
mod tests;
