//! What passes plan for a loop: to run it on slices, in blocks, or several iterations at once. The loop stays as it is
//! until the pass `versions` makes statements of its plan.

use super::{BinOp, Block, Expr, Loop, Order, Place, Proj, RangeIter, Site, Stmt, Ty, VarId};

/// A plan for a loop. The loop as it is runs where what a plan asks for does not hold.
#[derive(Clone, Debug)]
pub(crate) enum Plan {
    Windows(Box<Sliced>),
    Jam(Box<Jam>),
    JammedNest(Box<JammedNest>),
    Products(Deferring),
    Tiles(Box<Tiled>),
}

/// An innermost loop over slices of just the elements that it touches: that runs if the slices fit.
#[derive(Clone, Debug)]
pub(crate) struct Sliced {
    pub(crate) counter: VarId,
    pub(crate) range: RangeIter,
    /// Integers that the loop declares and indices below use, with what they hold.
    pub(crate) ints: Vec<(VarId, Expr)>,
    /// What has to exist.
    pub(crate) parts: Vec<Part>,
    /// Arrays seen as arrays of groups.
    pub(crate) groups: Vec<Group>,
    /// What has to exist of them and of other arrays, for sums into elements that do not depend on the counter: also
    /// for those that no iteration reaches in the end.
    pub(crate) fixed: Vec<Part>,
    /// Elements that do not depend on the counter: references, or copies where the array is written elsewhere.
    pub(crate) loads: Vec<(VarId, View)>,
    /// Indices of elements that do not depend on the counter, each with a slice of the same array that is written: the
    /// element must not be in it.
    pub(crate) apart: Vec<(Expr, View)>,
    /// Slices that are read.
    pub(crate) views: Vec<(VarId, View)>,
    /// Slices that are written: those of one array do not meet.
    pub(crate) edits: Vec<Vec<(VarId, View)>>,
    /// Variables of the body that are added to adjoints when a block of iterations is done.
    pub(crate) sums: Vec<SumInto>,
    /// Whether all of them go into numbers, so that partial sums serve instead of rows.
    pub(crate) partial: bool,
    /// If the blocks of iterations all have one length: that length. The loop as it is takes the rest.
    pub(crate) whole_blocks: Option<usize>,
    /// Those of them that one pass adds, or, where the body runs in registers, that are one sum there.
    pub(crate) gathers: Vec<Gather>,
    /// If the elements compute what they get, so that no rows are needed.
    pub(crate) split: Option<Split>,
    /// If the body runs on the numbers of several iterations at once, which are added without rows: the type of the
    /// numbers.
    pub(crate) wide: Option<Ty>,
    /// Those that would be one sum if the body ran in registers.
    pub(crate) near: Vec<Gather>,
    /// The number of the element in the slices.
    pub(crate) lane: VarId,
    pub(crate) order: Order,
    /// Fewer iterations than this are not worth the slices.
    pub(crate) least: usize,
    /// The body of the loop, on the slices.
    pub(crate) body: Block,
    /// If it does nothing but look for an element: what the runtime looks for instead.
    pub(crate) search: Option<Search>,
    /// If the body is that of the iterations in the middle alone.
    pub(crate) middle: Option<Middle>,
}

/// The iterations in the middle of a loop, in which comparisons of words come out alike.
#[derive(Clone, Default, Debug)]
pub(crate) struct Middle {
    /// What holds in all of them if it does in the first and in the last, as both sides are linear in the counter.
    pub(crate) holds: Vec<Comparison>,
    /// The counter is at least the difference of these words, or zero.
    pub(crate) from: Vec<[Expr; 2]>,
    /// And below these.
    pub(crate) to: Vec<[Expr; 2]>,
}

/// One word is less than another.
#[derive(Clone, Debug)]
pub(crate) struct Comparison {
    pub(crate) sides: [Expr; 2],
    /// Or the same.
    pub(crate) equal: bool,
}

impl Sliced {
    /// Whether the index of some elements goes down with the counter.
    pub(crate) fn is_mirrored(&self) -> bool {
        let views = self.views.iter().chain(self.edits.iter().flatten());
        let sums = self.sums.iter().filter_map(|sum| sum.along.as_ref());
        views
            .map(|(_, view)| view)
            .chain(sums)
            .any(|view| view.mirrored)
    }
}

/// An array of numbers seen as an array of groups of them.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    /// The view.
    pub(crate) var: VarId,
    pub(crate) of: Place,
    pub(crate) size: usize,
    pub(crate) mutable: bool,
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
    pub(crate) lanes: SideBySide,
    pub(crate) range: RangeIter,
    pub(crate) inner_counter: VarId,
    pub(crate) inner_range: RangeIter,
    /// Integers that the loops declare and indices below use, with what they hold.
    pub(crate) ints: Vec<(VarId, Expr)>,
    /// What has to exist in each iteration of the outer loop.
    pub(crate) parts: Vec<Part>,
    /// Elements that depend on no counter.
    pub(crate) loads: Vec<(VarId, View)>,
    /// Slices along the outer loop, of which each block uses a part; those of one array that are written do not meet.
    pub(crate) views: Vec<(VarId, View)>,
    pub(crate) edits: Vec<Vec<(VarId, View)>>,
    /// Slices along the inner loop, the same for all iterations of the outer one; what is written is reached in no
    /// other way.
    pub(crate) shared: Vec<(VarId, View)>,
    pub(crate) shared_edits: Vec<(VarId, View)>,
    /// Slices along the inner loop, one for each iteration of the outer one; what is written is reached in no other
    /// way, and the slices of a block do not meet.
    pub(crate) rows: Vec<(VarId, View)>,
    pub(crate) row_edits: Vec<(VarId, View)>,
    /// Elements side by side of all iterations of the outer loop, others for each iteration of the inner one; what is
    /// written is reached in no other way and but once.
    pub(crate) across: Vec<(VarId, View)>,
    pub(crate) across_edits: Vec<(VarId, View)>,
    /// Whether iterations go one after the other over a block of columns, which stays in registers meanwhile; else all
    /// of them go over one column after the other.
    pub(crate) blocks: bool,
    /// Fewer iterations of the inner loop than this are not worth it.
    pub(crate) least: usize,
    /// The number of the iteration of the inner loop.
    pub(crate) column: VarId,
    pub(crate) before: Segment,
    pub(crate) inside: Segment,
    pub(crate) after: Segment,
    /// Without blocks: what the inner loop adds up, if four columns of each row can be computed at once.
    pub(crate) terms: Option<Terms>,
    /// With blocks: values of each column that are computed in front of the rows, and what follows them for each
    /// column.
    pub(crate) begin: Vec<(VarId, Expr)>,
    pub(crate) finish: Block,
    /// With blocks: the same loop, some of whose sums wait until there are several iterations of a loop around it.
    pub(crate) deferred: Option<Box<Deferred>>,
    /// Whether that is all: else the loop runs as it is.
    pub(crate) only_deferred: bool,
}

impl Jam {
    /// The slices that are written, of all kinds.
    pub(crate) fn written(&self) -> impl Iterator<Item = &(VarId, View)> {
        let edits = self.edits.iter().flatten().chain(&self.shared_edits);
        edits.chain(&self.row_edits).chain(&self.across_edits)
    }
}

/// A jammed loop that leaves the factors of some products in stores instead of adding them to rows.
#[derive(Clone, Debug)]
pub(crate) struct Deferred {
    /// The loop without these sums.
    pub(crate) jam: Jam,
    pub(crate) products: Vec<Product>,
}

/// The products of factors of rows and of columns, each of which is added to an element of rows.
#[derive(Clone, Debug)]
pub(crate) struct Product {
    pub(crate) store: VarId,
    /// The rows.
    pub(crate) view: View,
    pub(crate) term: Term,
}

/// A product that is taken apart.
#[derive(Clone, Debug)]
pub(crate) struct Term {
    /// Which of the variables that the jam keeps the factor of the row reads.
    pub(crate) takes: Vec<VarId>,
    pub(crate) of_row: Expr,
    pub(crate) of_column: Expr,
}

/// A loop around jammed loops with stores, which are emptied behind it.
#[derive(Clone, Debug)]
pub(crate) struct Deferring {
    /// Each with the array that has the rows.
    pub(crate) stores: Vec<(VarId, Place)>,
    /// Whether products are added with `mul_add`.
    pub(crate) fused: bool,
}

/// The inner loop of a jam that does nothing but arithmetic and add to sums of its rows.
#[derive(Clone, Debug)]
pub(crate) struct Terms {
    /// Declares numbers, among them the terms, each by arithmetic on those before it, on elements of the columns, and
    /// on what is the same for all columns.
    pub(crate) body: Block,
    /// Each sum, whether it grows or shrinks, and by which term.
    pub(crate) adds: Vec<(VarId, BinOp, VarId)>,
}

/// A loop around several others, or around some that stand in one another: some of its iterations run at once, and the
/// loops inside for all of them. In front of what follows these loops, nothing is written that another iteration sees.
#[derive(Clone, Debug)]
pub(crate) struct JammedNest {
    pub(crate) lanes: SideBySide,
    pub(crate) range: RangeIter,
    pub(crate) body: Vec<NestPart>,
    /// What follows the last of the loops inside.
    pub(crate) after: Segment,
}

/// Part of a [`JammedNest`].
#[derive(Clone, Debug)]
pub(crate) enum NestPart {
    /// Declares an integer that is the same in all iterations that run at once.
    Same(Box<Stmt>),
    Segment(Box<SlicedSegment>),
    /// A loop, and what is in it.
    Loop(Box<Loop>, Vec<NestPart>),
}

/// A segment on slices of just the elements that its lanes touch.
#[derive(Clone, Debug)]
pub(crate) struct SlicedSegment {
    pub(crate) segment: Segment,
    /// Integers that indices below use and that are not the same for all lanes, with what they hold.
    pub(crate) ints: Vec<(VarId, Expr)>,
    /// Those of them that the lanes would declare: they must not overflow.
    pub(crate) declared: Vec<VarId>,
    /// Elements that are the same for all lanes.
    pub(crate) loads: Vec<(VarId, View)>,
    /// Slices with an element for each lane.
    pub(crate) views: Vec<(VarId, View)>,
}

/// Iterations of a loop that run at once.
#[derive(Clone, Debug)]
pub(crate) struct SideBySide {
    pub(crate) counter: VarId,
    /// How many they are, at most if they go over blocks.
    pub(crate) together: usize,
    /// The number of an iteration among them.
    pub(crate) lane: VarId,
    /// Variables that live from one segment to another: each with the array that holds it for all lanes meanwhile.
    pub(crate) kept: Vec<(VarId, VarId)>,
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

/// A part or an element of an array that has to exist in each iteration. It does if it does in the first and in the
/// last.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) of: Place,
    /// A range or an index.
    pub(crate) which: Proj,
}

impl Part {
    /// The index, or the bounds of the range.
    #[expect(clippy::wildcard_enum_match_arm, reason = "other steps have no bounds")]
    pub(crate) fn bounds(&self) -> impl Iterator<Item = &Expr> {
        let (lo, hi) = match &self.which {
            Proj::Index(e) => (Some(&**e), None),
            Proj::Range { lo, hi, .. } => (lo.as_deref(), hi.as_deref()),
            _ => (None, None),
        };
        lo.into_iter().chain(hi)
    }
}

/// A time loop whose steps go from one of two arrays to the other, which then change places: with few rows on the tape
/// where that is worth while, else the loop as it is.
#[derive(Clone, Debug)]
pub(crate) struct Tiled {
    pub(crate) steps: RangeIter,
    /// What each step declares first, always with the same value.
    pub(crate) lets: Vec<Stmt>,
    pub(crate) site: Site,
    /// The array that the first step reads, and the one that it writes.
    pub(crate) arrays: [VarId; 2],
    /// Whether they must have one length, as the steps ask for it.
    pub(crate) alike: bool,
    /// How many elements in front of a cell and behind it are read.
    pub(crate) around: [usize; 2],
    /// Where the slices of the array that is read begin in a row with what is around it.
    pub(crate) begins: Vec<(VarId, usize)>,
    pub(crate) step: Sliced,
    /// In the reverse sweep.
    pub(crate) back: Option<Back>,
}

/// The reverse of a step of a [`Tiled`] loop.
#[derive(Clone, Debug)]
pub(crate) struct Back {
    /// The adjoints of the arrays.
    pub(crate) adjoints: [VarId; 2],
    /// The adjoints of the cells that the step computes.
    pub(crate) seeds: VarId,
    /// It reads them, and adds what they contribute in one pass.
    pub(crate) step: Sliced,
    /// Where the elements that it adds to begin in a row with what is around it.
    pub(crate) into: usize,
}

/// Elements of an array by index: those of all iterations, or one.
#[derive(Clone, Debug)]
pub(crate) struct View {
    pub(crate) of: Place,
    pub(crate) index: Expr,
    /// Which array of the list `of`, if that is a list of arrays.
    pub(crate) row: Option<Expr>,
    /// Whether the index goes down by one with the counter, not up.
    pub(crate) mirrored: bool,
}

impl View {
    /// The type of the window, of elements of the type.
    pub(crate) fn window_ty(&self, element: Ty) -> Ty {
        if self.mirrored {
            Ty::Mirrored(Box::new(element))
        } else {
            Ty::Slice(Box::new(element))
        }
    }
}

/// `place += source` or `-=`.
#[derive(Clone, Debug)]
pub(crate) struct SumInto {
    /// Elements of an array, one for each iteration; else `place` is where all iterations add.
    pub(crate) along: Option<View>,
    /// What follows the index.
    pub(crate) part: Vec<Proj>,
    pub(crate) place: Place,
    pub(crate) source: VarId,
    pub(crate) op: BinOp,
    /// Whether it is a sum of the value, which is added up in the order of the loop.
    pub(crate) ordered: bool,
    /// The slice of `along` that a block of iterations adds to at once: one for each array, as two could meet.
    pub(crate) direct: Option<VarId>,
}

/// The body of a loop whose sums are all gathered, in two.
#[derive(Clone, Debug)]
pub(crate) struct Split {
    /// What the sums depend on.
    pub(crate) contributions: Block,
    /// What else is done, when the sums are.
    pub(crate) rest: Block,
    /// And then: slices that are cleared.
    pub(crate) zeros: Block,
    /// What an element gets at once, one for each of the gathers, if that is less than what the iterations contribute
    /// one by one; few iterations fill rows then.
    pub(crate) combined: Vec<Combined>,
}

/// What an element gets from the iterations that reach it.
#[derive(Clone, Debug)]
pub(crate) struct Combined {
    /// Slices, each of another one in the iterations so many in front of the last one that reaches the element.
    pub(crate) slices: Vec<(VarId, VarId, usize)>,
    pub(crate) body: Block,
    /// Declared by the body: what is added to the element.
    pub(crate) total: VarId,
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
