//! The machine that code is generated for, as far as decisions assume one, and what is worth generating.
//!
//! The macro does not know the target: it expands before rustc chooses instructions, and one expansion may be built
//! for several machines. So these are numbers for a core of a present desktop or server (two to eight `f64` in a
//! register, 16 or 32 registers, 32 kB of first-level cache, a few loads and stores under way at once). Register
//! widths stay symbolic in what is generated; the runtime's `cfg` knows them. No number here decides whether
//! something is legal: another number makes other code, with the same values and, up to the rounding of sums in
//! adjoints, the same gradients.
//!
//! "By measurement" says that the number was chosen by timing programs, whose figures were not kept; the kernels of
//! `docs/performance.md` are what a change has to be timed with. Everything else was chosen by hand, not measured.
//!
//! An *operation* is an arithmetic operation, a function or a rule on numbers, as `weight` counts them.

/// What vectors and registers hold.
pub(crate) mod registers {
    /// Rows that are fewer elements apart than this meet in one vector: the longest has eight `f64`. Interchange
    /// brings such rows into different runs of the innermost loop. The width is that of AVX-512.
    pub(crate) const LONGEST_VECTOR: i128 = 8;

    /// An inner loop of more operations fills the registers by itself; several runs of it at once would leave them.
    /// Chosen by hand, not measured.
    pub(crate) const JAMMED_OPERATIONS: usize = 64;

    /// The same of an iteration that runs forward and in reverse at once, in blocks. Chosen by hand, not measured.
    pub(crate) const FUSED_OPERATIONS: usize = 96;

    /// As many chains of additions as a core can have under way: two additions begin in each cycle, and each takes
    /// four. From the latency and throughput of an addition.
    pub(crate) const CHAINS: usize = 8;

    /// Where iterations side by side read rows of more matrices than this, half as many run at once: where the rows are
    /// takes a register for each of them. Of recurrent layers of a network, with three and four matrices, the gradient
    /// took 1.06 and 1.14 times as long with eight.
    pub(crate) const MATRICES_IN_LANES: usize = 2;

    /// Rows of more matrices than this, those that are changed among them, do not go over panels of columns: the
    /// gradient of layers with six took 1.1 times as long with panels, with eight 1.4 times.
    pub(crate) const MATRICES_IN_PANELS: usize = 4;

    /// As many rows as go through one pass over columns that all of them add to, if each has a sum of its own: a pass
    /// then loads and stores the columns once for four rows. Chosen by hand, not measured.
    pub(crate) const ROWS_OF_A_PASS: usize = 4;
}

/// What is computed though nobody may need it.
pub(crate) mod speculation {
    /// Operations of a condition that is evaluated in front of the branch it stands in, the comparison among them:
    /// about as many as a branch that is predicted wrongly costs cycles. Chosen by hand, not measured.
    pub(crate) const SPECULATED_OPERATIONS: usize = 10;

    /// An arm of so many operations stays a branch. What is added where it did something goes into it; selections among
    /// numbers, which the back end makes of fewer, would become branches by that: pooling took 1.14 times as long.
    pub(crate) const SUNK_OPERATIONS: usize = 8;

    /// A loop that adds zeros where an adjoint is zero is skipped there if it has so many operations, those of all its
    /// iterations: a branch that is predicted wrongly costs about half as many. Chosen by hand, not measured.
    pub(crate) const SKIPPED_OPERATIONS: usize = 32;

    /// Of so many adjoints it is asked whether one is not zero: each makes it less likely that none is. Chosen by hand,
    /// not measured.
    pub(crate) const SKIPPED_SEEDS: usize = 3;
}

/// What stays in the first-level cache.
pub(crate) mod cache {
    /// As many rows of contributions as an iteration may fill: with 64 elements each (`MAX_BLOCK` of the runtime), 32
    /// rows of `f64` are 16 kB, half of the cache.
    pub(crate) const CONTRIBUTION_ROWS: usize = 32;

    /// As many rows as go over a block of columns that all of them add to, at most: fewer if rows are long (the
    /// runtime looks at that). Chosen by hand, not measured.
    pub(crate) const ROWS_OF_A_BLOCK: usize = 64;

    /// How far a step of a time loop may reach to either side: the halo of a tile, on both sides of it, grows by this
    /// with each of its steps, and the runtime's tiles are wider than that.
    pub(crate) const HALO: i128 = 16;

    /// The largest groups of elements that are taken as one: sixteen `f64` are two lines. Chosen by hand, not measured.
    pub(crate) const GROUP: i128 = 16;
}

/// Sums in adjoints whose contributions are collected, and added when a block of iterations is done.
pub(crate) mod contributions {
    /// How far apart elements may lie whose sums one pass adds: the rows of contributions begin with so many places
    /// for what a block leaves to the next. The runtime's `MAX_SHIFT`, which checks it.
    pub(crate) const REACH: i128 = 8;

    /// Fewer sums than this one pass reads and writes no more often than they do by themselves, as one of them needs
    /// no row. By counting loads and stores.
    pub(crate) const GATHERED: usize = 3;

    /// The same where an element computes anew what it gets: no rows are filled, and no load waits for a store of
    /// which it takes a part, as where two shifted vectors are added one behind the other. By measurement.
    pub(crate) const GATHERED_ANEW: usize = 2;

    /// The same where blocks are short: the elements that one sum has just written are behind a write that is on its
    /// way to the cache when the next sum reads them, shifted. Chosen by hand, not measured.
    pub(crate) const GATHERED_IN_SHORT_BLOCKS: usize = 2;

    /// With more rows than this the rows by themselves are faster. By measurement.
    pub(crate) const GATHERED_AT_MOST: usize = 8;

    /// As many sums in neighbouring elements are added up in registers before they go to memory, at least: one has no
    /// other whose store its load could overlap.
    pub(crate) const NEAR: usize = 2;

    /// Bodies of more operations are not written out twice, for blocks of iterations and for the rest: they add in
    /// rows instead of partial sums. Chosen by hand, not measured.
    pub(crate) const WRITTEN_TWICE: usize = 32;

    /// From so many operations on, blocks whose sums of the value take their terms one by one have [`LONG_BLOCK`]
    /// iterations: the optimiser writes blocks of few operations out, and is better at short ones. By measurement.
    pub(crate) const HEAVY: usize = 16;

    /// How many iterations such blocks have. While one waits for its additions, the next has begun, as far ahead as
    /// the processor sees. By measurement, as `HEAVY`.
    pub(crate) const SHORT_BLOCK: usize = 16;
    pub(crate) const LONG_BLOCK: usize = 32;
}

/// How much work pays for what it takes to begin.
pub(crate) mod worth {
    /// How many operations pay for taking the slices of a loop: from so many on, counted over its iterations, a loop
    /// runs on slices. By measurement.
    pub(crate) const WINDOWS: usize = 24;

    /// The same where rows of contributions are filled and added. By measurement.
    pub(crate) const CONTRIBUTIONS: usize = 96;

    /// How many operations in one run of the inner loop pay for the slices of a jammed block. By measurement.
    pub(crate) const JAM: usize = 192;

    /// Loops of so few iterations, known from the text, are left to the optimiser, which unrolls them. Chosen by
    /// hand, not measured.
    pub(crate) const UNROLLED_BY_RUSTC: u64 = 8;

    /// As many divisions as one inverse replaces, at least: with one there is nothing to gain.
    pub(crate) const DIVISIONS: usize = 2;

    /// How many operations an iteration of a reverse loop does again at most instead of taking records. Chosen by hand,
    /// not measured.
    pub(crate) const REPLAYED: usize = 24;
}

/// How far code may grow.
pub(crate) mod growth {
    /// The longest array literal that a loop over it is written out for. Chosen by hand, not measured.
    pub(crate) const UNROLLED_ITEMS: usize = 8;

    /// As many iterations of a loop over a range as are written out. Chosen by hand, not measured.
    pub(crate) const UNROLLED_TRIPS: i128 = 4;

    /// As many statements as a loop may become by that. Chosen by hand, not measured.
    pub(crate) const UNROLLED_STATEMENTS: usize = 200;

    /// Numbers of an array or a tuple that become variables, as many as a matrix of four rows has. Chosen by hand, not
    /// measured.
    pub(crate) const SCALARS: usize = 16;

    /// A factor of a deferred product has at most so many operands. Chosen by hand, not measured.
    pub(crate) const DEFERRED_FACTOR: usize = 64;

    /// How many terms an index may have beside the counter, if what the loop overwrites is saved in one copy: they
    /// are written out in the bounds of the copy. Chosen by hand, not measured.
    pub(crate) const OFFSET_TERMS: usize = 8;
}

/// How much is looked at before a transformation gives up: limits on the time that long functions take to expand. All
/// were chosen by hand; what they keep in bounds is measured by `ad-macros/benches`.
pub(crate) mod effort {
    /// Operations and loads for each number of a result that is computed again instead of recorded: corners, edges and
    /// cross products of LULESH, which then records half as much in the same time.
    pub(crate) const REPEATED: u64 = 24;

    /// What a division or a square root costs more than an addition, in such a count. Chosen by hand, not measured.
    pub(crate) const DIVISION: u64 = 4;

    /// Statements between loops and their reverse, for a function.
    pub(crate) const FUSED_STATEMENTS: usize = 1 << 16;

    /// Products in what an element gets, factors of one of them, and numbers in all.
    pub(crate) const COMBINED_PRODUCTS: usize = 64;
    pub(crate) const COMBINED_FACTORS: usize = 32;
    pub(crate) const COMBINED_NUMBERS: usize = 512;

    /// A number is taken apart into factors as far as products of products of so many products.
    pub(crate) const COMBINED_DEPTH: usize = 3;
}

/// Bytes that a decision leaves for the reverse sweep.
pub(crate) mod tape {
    /// How often a loop of unknown length is taken to run, so that an inner loop outweighs everything around it.
    /// Chosen by hand, not measured.
    pub(crate) const TRIPS: u64 = 64;

    /// Tuples and arrays of more parts are recorded rather than put together again. Chosen by hand, not measured.
    pub(crate) const PARTS: usize = 8;

    /// The same of tuples that are read as they are.
    pub(crate) const PARTS_READ: usize = 4;
}
