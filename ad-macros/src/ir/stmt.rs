//! Statements and blocks.

use proc_macro2::Span;

use super::{BinOp, Expr, Place, VarId};

/// A list of statements.
#[derive(Clone, Default, Debug)]
pub(crate) struct Block {
    pub(crate) stmts: Vec<Stmt>,
}

#[derive(Clone, Debug)]
pub(crate) struct Stmt {
    pub(crate) kind: StmtKind,
    pub(crate) span: Span,
}

/// Names a loop or labelled block for jumps.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct LoopId(pub(crate) u32);

#[derive(Clone, Debug)]
pub(crate) enum StmtKind {
    /// Declares `var`.
    Let { var: VarId, init: Option<Expr> },
    /// `place = value`. `init`: the first assignment of a variable declared without initialiser.
    Assign {
        place: Place,
        value: Expr,
        init: bool,
    },
    /// `place += value` (`Add`) or `place -= value` (`Sub`) on floats.
    Update {
        place: Place,
        op: BinOp,
        value: Expr,
    },
    /// Exchanges two places of one type (`mem::swap`, `slice.swap(i, j)`).
    Swap(Place, Place),
    /// Runs the arm that `selector` names: a `bool` (arm 0 is `true`, arm 1 `false`) or a `u8` arm number.
    Switch { selector: Expr, arms: Vec<Block> },
    /// A loop. After each iteration it ends if the variable `exit` is true.
    Loop {
        id: LoopId,
        kind: LoopKind,
        body: Block,
        exit: Option<VarId>,
    },
    /// A call that may carry derivatives: `let dest = path(args);`. `dest: None` if the result is unused or `()`.
    Call {
        dest: Option<VarId>,
        callee: Box<syn::ExprPath>,
        args: Vec<Arg>,
    },
    /// `vec.push(value)`
    Push { vec: Place, value: Expr },
    /// `let dest = vec.pop().unwrap();` where `vec` is known not to be empty.
    Pop { dest: VarId, vec: Place },
    /// `vec.clear()` (`len` 0) or `vec.truncate(len)`
    Truncate { vec: Place, len: Expr },
    /// `place.fill(value)`
    Fill { slice: Place, value: Expr },
    /// `dst.copy_from_slice(src)`
    CopyFrom { dst: Place, src: Place },
    /// A statement without derivative, emitted as written and run once: `assert!`, `println!`, …
    Opaque(Box<super::Opaque>),
    /// `#[checkpoint]`: records nothing but the state it overwrites; run again in the reverse sweep.
    Checkpoint(Block),
    /// `return` (the result variable is assigned before), `break`, `continue`. Gone after `lower::exits`.
    Jump(Jump),
    /// A labelled block, the target of `Jump::Break`. Gone after `lower::exits`.
    Labelled(LoopId, Block),

    // What only the sweeps hold.
    /// Pushes the values of `vars` on the tape as one record.
    PushRecord { site: Site, vars: Vec<VarId> },
    /// Pops what the `PushRecord` of the same site pushed, and declares `vars`.
    PopRecord { site: Site, vars: Vec<VarId> },
    /// Saves the elements of a slice on the tape.
    PushSlice { site: Site, place: Place },
    /// Restores the elements that the `PushSlice` of the same site saved.
    PopSlice { site: Site, place: Place },
    /// Saves, before a loop, all elements of `slice` that the loop overwrites: index = counter + offset.
    PushRange {
        site: Site,
        slice: Place,
        range: RangeIter,
        offset: Offset,
    },
    /// Restores, after the reverse loop, what the `PushRange` of the same site saved.
    PopRange {
        site: Site,
        slice: Place,
        range: RangeIter,
        offset: Offset,
    },
    /// A `Switch` of the forward sweep whose arms yield what their reverse needs: declares `rec`.
    Branch {
        rec: VarId,
        selector: Expr,
        arms: Vec<(Block, Vec<VarId>)>,
    },
    /// The reverse of a `Branch`: runs the arm that was taken, with its values declared.
    MatchRecord {
        rec: VarId,
        arms: Vec<(Vec<VarId>, Block)>,
    },
    /// A loop of the reverse sweep.
    RevLoop {
        kind: RevKind,
        body: Block,
        order: Order,
    },
    /// A `for` over `lo..hi` that leaves the values of `vars` at the end of each iteration, and nothing else, on the tape: in
    /// strips of a tile.
    StripLoop {
        counter: VarId,
        range: RangeIter,
        site: Site,
        vars: Vec<VarId>,
        body: Block,
    },
    /// The reverse of the `StripLoop` of the same site: each iteration declares `vars`.
    RevStripLoop {
        counter: VarId,
        range: RangeIter,
        site: Site,
        vars: Vec<VarId>,
        body: Block,
        order: Order,
    },
    /// Iterations divided among workers, forward or in reverse.
    Parallel(Box<Parallel>),
    /// An innermost loop over slices of just the elements that it touches.
    Sliced(Box<Sliced>),
    /// Several iterations of a loop at once, which share one run of the loop inside.
    Jam(Box<Jam>),
    /// The callee must have a companion, though its derivative is not needed.
    RequireCompanion(Box<syn::ExprPath>),
    /// The forward sweep of a callee.
    CallForward {
        dest: Option<VarId>,
        callee: Box<syn::ExprPath>,
        args: Vec<Arg>,
    },
    /// The reverse sweep of a callee; `seed` is the adjoint of its result.
    CallReverse {
        callee: Box<syn::ExprPath>,
        args: Vec<Arg>,
        bars: Vec<BarArg>,
        seed: Option<Place>,
    },
    /// `dst += src` on adjoints of any shape.
    Accumulate { dst: Place, src: Place },
    /// The first contribution to an element of a covered gradient (`analysis::coverage`): `place = value` where the
    /// caller asks for the gradient, `place += value` where its adjoint is added to.
    Begin { place: Place, value: Expr },
    /// The same for all elements: `dst = src` or `dst += src`.
    BeginAll { dst: Place, src: Place },
    /// Where the caller asks for the gradient: sets to zero what lies outside of as many elements from `start` on as the
    /// product of `trips`, which a loop is about to begin.
    ClearAround {
        slice: Place,
        start: Expr,
        trips: Vec<Expr>,
    },
    /// Sets an adjoint of any shape to zero.
    SetZero(Place),
    /// Drops the last element of a vector.
    DropLast(Place),
    /// Brings an adjoint vector to the length of the vector `like`, new elements being zero in the shape of its own.
    Regrow { vec: Place, like: Place },
    /// A block of its own.
    Scope(Block),
}

/// What the iterations of a parallel loop may write, see `analysis::parallel`.
#[derive(Clone, Default, Debug)]
pub(crate) struct Shares {
    /// Arrays of which each iteration has elements of its own, and how many.
    pub(crate) parts: Vec<(VarId, Expr)>,
    /// Floats that are only added to.
    pub(crate) sums: Vec<VarId>,
}

/// A loop whose iterations are divided among workers, each with a child tape.
#[derive(Clone, Debug)]
pub(crate) struct Parallel {
    /// Whether this is the loop of the reverse sweep.
    pub(crate) reverse: bool,
    /// All iterations.
    pub(crate) range: RangeIter,
    /// How many workers there are.
    pub(crate) workers: VarId,
    /// The iterations of one worker: declared for it.
    pub(crate) first: VarId,
    pub(crate) last: VarId,
    /// Each worker has its own elements of `parts`, and begins its `sums` anew.
    pub(crate) shares: Shares,
    /// Adjoints that each worker has a copy of.
    pub(crate) own: Vec<OwnAdjoint>,
    /// What one worker does.
    pub(crate) body: Block,
}

/// An adjoint that workers add to wherever they like: each has its own, and they are added up in order.
#[derive(Clone, Debug)]
pub(crate) struct OwnAdjoint {
    pub(crate) bar: VarId,
    pub(crate) zero: Expr,
    /// Holds one worker's adjoint when it is done.
    pub(crate) done: VarId,
    /// Adds `done` to `bar`.
    pub(crate) add: Stmt,
}

/// A loop, and the same loop on slices: that runs if the slices fit, else the loop as it is.
#[derive(Clone, Debug)]
pub(crate) struct Sliced {
    /// The loop as it is: one statement.
    pub(crate) plain: Block,
    pub(crate) counter: VarId,
    pub(crate) range: RangeIter,
    /// Integers that the loop declares and indices below use, with what they hold.
    pub(crate) ints: Vec<(VarId, Expr)>,
    /// Elements that do not depend on the counter.
    pub(crate) loads: Vec<(VarId, View)>,
    /// Slices that are read.
    pub(crate) views: Vec<(VarId, View)>,
    /// Slices that are written: those of one array do not meet.
    pub(crate) edits: Vec<Vec<(VarId, View)>>,
    /// Variables of the body that are added to adjoints when a block of iterations is done.
    pub(crate) sums: Vec<SumInto>,
    /// Whether all of them go into numbers, so that partial sums serve instead of rows.
    pub(crate) partial: bool,
    /// Those of them that one pass adds.
    pub(crate) gathers: Vec<Gather>,
    /// The number of the element in the slices.
    pub(crate) lane: VarId,
    pub(crate) order: Order,
    /// Fewer iterations than this are not worth the slices.
    pub(crate) least: usize,
    /// The body of the loop, on the slices.
    pub(crate) body: Block,
    /// If it does nothing but look for an element: what the runtime looks for instead.
    pub(crate) search: Option<Search>,
}

/// The largest or smallest element of a slice, if it beats what a variable holds.
#[derive(Clone, Debug)]
pub(crate) struct Search {
    pub(crate) slice: VarId,
    /// Where the loop begins, and what it finds.
    pub(crate) best: VarId,
    /// Whether it looks for small elements.
    pub(crate) less: bool,
    /// Whether elements that are equal take the place of the best one.
    pub(crate) equal: bool,
    /// What the iteration does that found it.
    pub(crate) taken: Block,
}

/// A loop around another one, several iterations of it side by side: those run whose slices fit, in blocks, and the
/// loop as it is takes the rest.
#[derive(Clone, Debug)]
pub(crate) struct Jam {
    /// The loop as it is: one statement.
    pub(crate) plain: Block,
    pub(crate) counter: VarId,
    pub(crate) range: RangeIter,
    pub(crate) inner_counter: VarId,
    pub(crate) inner_range: RangeIter,
    /// Integers that the loops declare and indices below use, with what they hold.
    pub(crate) ints: Vec<(VarId, Expr)>,
    /// Elements that depend on no counter.
    pub(crate) loads: Vec<(VarId, View)>,
    /// Slices along the outer loop, of which each block uses a part; those of one array that are written do not meet.
    pub(crate) views: Vec<(VarId, View)>,
    pub(crate) edits: Vec<Vec<(VarId, View)>>,
    /// Slices along the inner loop, the same for all iterations of the outer one; what is written is reached in no other way.
    pub(crate) shared: Vec<(VarId, View)>,
    pub(crate) shared_edits: Vec<(VarId, View)>,
    /// Slices along the inner loop, one for each iteration of the outer one; what is written is reached in no other way, and the slices
    /// of a block do not meet.
    pub(crate) rows: Vec<(VarId, View)>,
    pub(crate) row_edits: Vec<(VarId, View)>,
    /// How many iterations run at once, at most if they go over blocks.
    pub(crate) together: usize,
    /// Whether iterations go one after the other over a block of columns, which stays in registers meanwhile; else all of them go over
    /// one column after the other.
    pub(crate) blocks: bool,
    /// Fewer iterations of the inner loop than this are not worth it.
    pub(crate) least: usize,
    /// The number of the iteration in the block.
    pub(crate) lane: VarId,
    /// The number of the iteration of the inner loop.
    pub(crate) column: VarId,
    /// Variables that live from one segment to another: each with the array that holds it for all lanes meanwhile.
    pub(crate) kept: Vec<(VarId, VarId)>,
    pub(crate) before: Segment,
    pub(crate) inside: Segment,
    pub(crate) after: Segment,
    /// With blocks: values of each column that are computed in front of the rows, and what follows them for each column.
    pub(crate) begin: Vec<(VarId, Expr)>,
    pub(crate) finish: Block,
}

/// Statements that run for one lane after the other.
#[derive(Clone, Default, Debug)]
pub(crate) struct Segment {
    /// Which of the variables `kept` it reads.
    pub(crate) takes: Vec<VarId>,
    /// Which it declares or changes.
    pub(crate) leaves: Vec<VarId>,
    pub(crate) body: Block,
}

/// Elements of an array by index: those of all iterations, or one.
#[derive(Clone, Debug)]
pub(crate) struct View {
    pub(crate) of: Place,
    pub(crate) index: Expr,
}

/// `place += source` or `-=`.
#[derive(Clone, Debug)]
pub(crate) struct SumInto {
    /// Elements of an array, one for each iteration; else `place` is where all iterations add.
    pub(crate) along: Option<View>,
    /// What follows the index.
    pub(crate) part: Vec<super::Proj>,
    pub(crate) place: Place,
    pub(crate) source: VarId,
    pub(crate) op: BinOp,
    /// Whether it is a sum of the value, which is added up in the order of the loop.
    pub(crate) ordered: bool,
    /// The slice of `along` that a block of iterations adds to at once: one for each array, as two could meet.
    pub(crate) direct: Option<VarId>,
}

/// Sums into elements of one array that are fixed distances apart.
#[derive(Clone, Debug)]
pub(crate) struct Gather {
    /// Their numbers, and how far behind the first one's their elements lie: in the order of that.
    pub(crate) terms: Vec<(usize, usize)>,
}

impl Gather {
    /// How far behind the first one's elements the last one's lie.
    pub(crate) fn spread(&self) -> usize {
        self.terms.last().map_or(0, |(_, shift)| *shift)
    }
}

/// What is added to and subtracted from a loop counter in an index; does not change in the loop.
#[derive(Clone, Default, Debug)]
pub(crate) struct Offset {
    pub(crate) plus: Vec<Expr>,
    pub(crate) minus: Vec<Expr>,
}

/// Links the push and the pop of one record type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Site(pub(crate) u32);

/// What a reverse loop runs over.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "a handful of them per function")]
pub(crate) enum RevKind {
    /// The counter takes its values backwards; only the first `trips` of them where the loop was left early.
    For {
        var: VarId,
        range: RangeIter,
        trips: Option<VarId>,
    },
    /// As many times as the loop ran.
    Count(VarId),
}

/// The order in which a reverse loop runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Order {
    Backward,
    /// Legal where iterations only add into adjoints that none of them reads.
    Forward,
}

/// The adjoint that goes with an argument.
#[derive(Clone, Debug)]
pub(crate) enum BarArg {
    Place(Place),
    /// The argument carries no derivative.
    Discard,
}

#[derive(Clone, Debug)]
pub(crate) enum LoopKind {
    /// `for var in range`: the bounds are literals or immutable variables.
    For {
        var: VarId,
        range: RangeIter,
    },
    /// `while cond`
    While(Expr),
    Forever,
}

/// `lo..hi`, `lo..=hi`, then `.rev()` if `rev_first`, then `.step_by(step)`, then `.rev()` if `rev`.
#[derive(Clone, Debug)]
pub(crate) struct RangeIter {
    pub(crate) lo: Expr,
    pub(crate) hi: Expr,
    pub(crate) inclusive: bool,
    pub(crate) step: Option<Expr>,
    pub(crate) rev: bool,
    pub(crate) rev_first: bool,
}

/// An argument of a call.
#[derive(Clone, Debug)]
pub(crate) struct Arg {
    pub(crate) mode: ArgMode,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum ArgMode {
    /// A value.
    Value(Expr),
    /// `&place`
    Shared(Place),
    /// `&mut place`: in-out.
    InOut(Place),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Jump {
    Return,
    Break(LoopId),
    Continue(LoopId),
}

impl Stmt {
    pub(crate) fn new(kind: StmtKind, span: Span) -> Self {
        Stmt { kind, span }
    }

    /// Whether the statement, or one in it, pushes or pops.
    pub(crate) fn uses_tape(&self) -> bool {
        let here = match &self.kind {
            StmtKind::PushRecord { .. }
            | StmtKind::PopRecord { .. }
            | StmtKind::PushSlice { .. }
            | StmtKind::PopSlice { .. }
            | StmtKind::PushRange { .. }
            | StmtKind::PopRange { .. }
            | StmtKind::StripLoop { .. }
            | StmtKind::RevStripLoop { .. }
            | StmtKind::Parallel(_)
            | StmtKind::CallForward { .. }
            | StmtKind::CallReverse { .. } => true,
            StmtKind::Let { .. }
            | StmtKind::Assign { .. }
            | StmtKind::Update { .. }
            | StmtKind::Swap(..)
            | StmtKind::Switch { .. }
            | StmtKind::Loop { .. }
            | StmtKind::Call { .. }
            | StmtKind::Push { .. }
            | StmtKind::Pop { .. }
            | StmtKind::Truncate { .. }
            | StmtKind::Fill { .. }
            | StmtKind::CopyFrom { .. }
            | StmtKind::Opaque(_)
            | StmtKind::Checkpoint(_)
            | StmtKind::Jump(_)
            | StmtKind::Labelled(..)
            | StmtKind::Branch { .. }
            | StmtKind::MatchRecord { .. }
            | StmtKind::RevLoop { .. }
            | StmtKind::RequireCompanion(_)
            | StmtKind::Accumulate { .. }
            | StmtKind::Begin { .. }
            | StmtKind::BeginAll { .. }
            | StmtKind::ClearAround { .. }
            | StmtKind::SetZero(_)
            | StmtKind::DropLast(_)
            | StmtKind::Regrow { .. }
            | StmtKind::Sliced(_)
            | StmtKind::Jam(_)
            | StmtKind::Scope(_) => false,
        };
        let blocks = self.kind.blocks();
        here || blocks.iter().any(|b| b.stmts.iter().any(Stmt::uses_tape))
    }
}
