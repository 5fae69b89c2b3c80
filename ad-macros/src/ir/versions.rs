//! Two versions of a loop: one that runs where checks hold, on windows of arrays, and the loop as it is.
//!
//! What is checked, which windows there are, and what is kept where meanwhile, are statements like others: they are
//! printed, walked and verified with what they stand around. A statement that finds a check not to hold leaves the fast
//! version of the innermost [`Versioned`] around it.

use super::lanes::{Lanes, OfProducts, Panel, PerLane, Rows};
use super::{Block, Direction, Expr, Group, Place, RangeIter, Site, VarId};

/// Code in two versions.
#[derive(Clone, Debug)]
pub(crate) struct Versioned {
    /// What runs as far as its checks hold. It writes what `plain` writes.
    pub(crate) fast: Block,
    /// What runs instead, or from where the fast version has come to on.
    pub(crate) plain: Block,
    pub(crate) resume: Option<Resume>,
}

/// How far a fast version comes that leaves the rest to the plain one, which is a loop.
#[derive(Clone, Debug)]
pub(crate) struct Resume {
    /// How many iterations are done, of how many: all of them, and the plain version does not run.
    pub(crate) done: VarId,
    pub(crate) n: VarId,
    /// The counter of both versions together, which the plain one may compute from the number of the iteration.
    pub(crate) counter: VarId,
    /// What they run over, unless a loop around them has it.
    pub(crate) range: Option<RangeIter>,
    /// Whether the plain version may do what no iteration of the fast one does.
    pub(crate) does_more: bool,
}

/// What has to hold for the fast version to go on.
#[derive(Clone, Debug)]
pub(crate) enum Check {
    /// A condition does not hold.
    Not(Expr),
    /// One index is less than another, or the same if `equal`.
    Less { sides: [Expr; 2], equal: bool },
    /// An index is in front of others or behind them: they are those from the first to the last.
    Outside { at: Expr, ends: [Expr; 2] },
    /// An array has the elements from `lo` to in front of `hi`, which are indices; without `hi`, to its end.
    Part {
        of: Place,
        lo: Option<Expr>,
        hi: Option<Expr>,
    },
    /// An array has an element.
    Element { of: Place, at: Expr },
    /// An index has not overflowed.
    Fits(Expr),
    /// The same; its number has a name in what follows in the block.
    Number { var: VarId, index: Expr },
    /// No index overflows.
    NoOverflow(NoOverflow),
}

/// That no index overflows that is computed from some numbers: shown by a look at the numbers, or by one at each sum.
#[derive(Clone, Debug)]
pub(crate) struct NoOverflow {
    pub(crate) below: Vec<Below>,
    /// Each difference, as the index that is subtracted from and the one that is subtracted: none is below zero.
    pub(crate) differences: Vec<(Expr, Expr)>,
    /// The same by a look at each sum: declares the numbers again, and checks each index.
    pub(crate) exact: Block,
}

/// Numbers, `2^bits` products of `degree` of which are no overflow.
#[derive(Clone, Debug)]
pub(crate) struct Below {
    pub(crate) numbers: Vec<Expr>,
    pub(crate) degree: u32,
    pub(crate) bits: u32,
}

/// Parts of arrays, with names, in what follows in the block.
#[derive(Clone, Debug)]
pub(crate) enum Windows {
    /// An array as one of groups of elements.
    Groups(Group),
    /// One element: a reference, or a copy.
    Element {
        var: VarId,
        of: Place,
        at: Expr,
        copied: bool,
    },
    /// As many elements as `len` from `first` to `last`, where they lie so.
    Read {
        window: Window,
        len: Expr,
    },
    /// The same to be written: several of one array, where no two of them meet.
    Write {
        windows: Vec<Window>,
        len: Expr,
    },
    /// Where as many elements are as `len`: for windows that are made later, of parts of them.
    Extent {
        window: Window,
        len: Expr,
    },
    /// The cells of a time loop between two arrays: as many as `len` from `first` to `last`, which so many steps
    /// compute, each from as many in front of it and behind it as `around` says.
    Stencil {
        var: VarId,
        arrays: [VarId; 2],
        first: Expr,
        last: Expr,
        len: Expr,
        around: [usize; 2],
        steps: Expr,
    },
    /// Part of an extent, to be written.
    Part {
        var: VarId,
        part: Part,
    },
    /// From here on, windows stand for parts of themselves.
    Narrow {
        vars: Vec<VarId>,
        written: bool,
        from: Expr,
        len: Expr,
    },
    /// Part of a window that is read, by a name of its own.
    Shift {
        var: VarId,
        of: VarId,
        from: Expr,
        len: Expr,
    },
    /// The same of records.
    ShiftRecords {
        var: VarId,
        of: VarId,
        from: Expr,
        len: Expr,
    },
    /// The same for records, or for what they are put into, of a strip.
    NarrowRecords {
        var: VarId,
        strip: VarId,
        from: Expr,
        len: Expr,
        direction: Direction,
    },
    /// The records of a strip, or what records are put into, from the first one on.
    Records {
        var: VarId,
        strip: VarId,
        len: Expr,
        direction: Direction,
    },
    PerLane(Box<PerLane>),
    Rows(Box<Rows>),
    Panel(Box<Panel>),
}

/// Elements of an extent, or of a slice: all but the first so many, and of these so many.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) extent: Option<VarId>,
    pub(crate) of: Place,
    pub(crate) from: Expr,
    pub(crate) len: Expr,
    /// Whether they may lie behind the extent.
    pub(crate) behind: bool,
    /// Of those, all but the first so many, and of these so many.
    pub(crate) then: Option<(Expr, Expr)>,
}

/// Where a window lies.
#[derive(Clone, Debug)]
pub(crate) struct Window {
    pub(crate) var: VarId,
    pub(crate) of: Place,
    pub(crate) first: Expr,
    pub(crate) last: Expr,
}

/// Code that has windows to itself: that those which are written meet no others is known to the optimiser there.
#[derive(Clone, Debug)]
pub(crate) struct Disjoint {
    pub(crate) reads: Vec<VarId>,
    pub(crate) edits: Vec<VarId>,
    /// How many elements each of them has.
    pub(crate) len: Expr,
    pub(crate) body: Block,
}

/// A loop over a range whose records lie in strips on the tape: runs its body for one strip after the other.
#[derive(Clone, Debug)]
pub(crate) struct Strips {
    pub(crate) direction: Direction,
    /// What all strips together run over.
    pub(crate) counter: VarId,
    pub(crate) range: RangeIter,
    pub(crate) site: Site,
    /// The indices of the records.
    pub(crate) lo: Expr,
    pub(crate) hi: Expr,
    pub(crate) strip: VarId,
    /// Names for which of the indices is its first, and how many it has.
    pub(crate) extent: Option<(VarId, VarId)>,
    /// Whether there is one strip, which has all of the iterations.
    pub(crate) whole: bool,
    pub(crate) body: Block,
}

/// The iterations of a strip, in a loop.
#[derive(Clone, Debug)]
pub(crate) struct OfStrip {
    pub(crate) strip: VarId,
    /// Where the records are not counted by the counter of the loop.
    pub(crate) index: Option<Numbered>,
}

/// How the counter of a loop follows from the number of an iteration.
#[derive(Clone, Debug)]
pub(crate) struct Numbered {
    /// The number of the iteration, and the index of its record.
    pub(crate) number: VarId,
    /// The counter of the first iteration. May overflow where the loop has none.
    pub(crate) first: Expr,
    /// How far apart the counters of two iterations are, and whether they go down.
    pub(crate) step: u16,
    pub(crate) down: bool,
}

/// A record of a strip: written, or read and its variables declared.
#[derive(Clone, Debug)]
pub(crate) struct RecordAt {
    pub(crate) direction: Direction,
    /// The strip, or a part of its records.
    pub(crate) of: VarId,
    pub(crate) at: Expr,
    pub(crate) vars: Vec<VarId>,
}

/// Memory of generated code.
#[derive(Clone, Debug)]
pub(crate) struct Buffer {
    pub(crate) var: VarId,
    pub(crate) kind: BufferKind,
}

#[derive(Clone, Debug)]
pub(crate) enum BufferKind {
    /// As many rows as it says of partial sums, which begin with zero.
    PartialSums(usize),
    /// As many sums as it says, which begin with zero.
    Totals(usize),
    /// Rows of contributions, for as many iterations as blocks have at most, or have if the length is known.
    Contributions(Option<usize>),
    /// Numbers side by side. They begin with zero; `ready` says whether that is a value to begin with, or only has to
    /// be there until they are filled.
    Numbers { lanes: Lanes, ready: bool },
    /// Factors of outer products that wait to be added: with `mul_add` if they are fused.
    Products { fused: bool },
}

/// Declares a procedure of a loop, which computes from windows and the record of an iteration what the iteration
/// contributes.
#[derive(Clone, Debug)]
pub(crate) struct Procedure {
    pub(crate) var: VarId,
    pub(crate) slices: Vec<VarId>,
    /// The records, and what is in one.
    pub(crate) records: Option<(VarId, Vec<VarId>)>,
    /// The iteration, in the windows and among all.
    pub(crate) lane: VarId,
    pub(crate) number: VarId,
    pub(crate) body: Block,
    pub(crate) yields: Vec<VarId>,
}

/// A call of a procedure.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) procedure: VarId,
    pub(crate) slices: Vec<VarId>,
    pub(crate) records: Option<VarId>,
    pub(crate) lane: Expr,
    pub(crate) number: Expr,
}

/// A call of a kernel of the runtime.
#[derive(Clone, Debug)]
pub(crate) struct KernelCall {
    pub(crate) kernel: Kernel,
    /// What it is given.
    pub(crate) inputs: Vec<Expr>,
    /// What it reads and changes.
    pub(crate) outputs: Vec<Output>,
    /// What it calls.
    pub(crate) bodies: Vec<KernelBody>,
}

/// What a kernel changes.
#[derive(Clone, Debug)]
pub(crate) enum Output {
    Place(Place),
    Part(Box<Part>),
}

/// Code that a kernel runs.
#[derive(Clone, Debug)]
pub(crate) struct KernelBody {
    /// What it declares for it.
    pub(crate) params: Vec<VarId>,
    pub(crate) block: Block,
    /// What it gives the kernel.
    pub(crate) yields: Vec<VarId>,
}

/// The kernels that are statements.
#[derive(Clone, Debug)]
pub(crate) enum Kernel {
    /// The largest element of a slice, or the smallest, if it beats a number, which elements that are equal may do or
    /// not; the body does what is to be done with it.
    Search { less: bool, equal: bool },
    /// Rows of contributions begin with nothing in front of the first iteration, as far as `0` says.
    Begin(usize),
    /// Fills rows with what the body computes for each of so many iterations, a number for each row; as many as blocks
    /// have, if their length is known.
    Compute { whole: bool },
    /// The last entries of some rows are those in front of the next block.
    Carry { front: usize, rows: Vec<usize> },
    /// Adds rows, shifted, to elements of an array in one pass.
    Gather(Vec<Shifted>),
    /// Sets elements to what one pass over the rows comes to.
    GatherAnew(Vec<Shifted>),
    /// Adds what is left of them behind the last block.
    GatherRest(Vec<Shifted>),
    /// Adds to the elements of a range what the iterations that reach them contribute, of all that there are.
    GatherEnds { terms: Vec<Shifted>, call: Call },
    /// Adds what an iteration contributes to a row to a number, or subtracts it.
    AddContribution {
        row: usize,
        subtract: bool,
        call: Call,
    },
    /// Adds a row to elements of an array, or subtracts it: of the mirrored, to the last one first.
    AddRow {
        row: usize,
        subtract: bool,
        mirrored: bool,
    },
    /// Does something with each number of a row.
    EachOfRow(usize),
    /// Does something with each element of an array and the number of a row that belongs to it.
    ZipRow { row: usize, mirrored: bool },
    /// Puts numbers into a row of a panel.
    SetRow,
    /// The same without the first ones, which other panels have.
    SetRowEnd,
    /// Puts numbers into a window, from an element on.
    StorePanel,
    /// The same without the first ones, which other panels have.
    StorePanelEnd,
    /// Adds four numbers for each of some iterations to the sums of these, or subtracts them, one by one.
    AddTransposed { subtract: bool },
    /// Does something with products that wait.
    Products { store: VarId, what: OfProducts },
    /// Runs the steps of a time loop on rows of the tape; the body is a step, for some of the cells.
    ForwardTiles(Site),
    /// Runs them again where they are not kept, and their reverse, which is the second body.
    ReverseTiles(Site),
}

/// A row of contributions, how far behind the first one's its elements lie, and whether it is subtracted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shifted {
    pub(crate) row: usize,
    pub(crate) shift: usize,
    pub(crate) minus: bool,
}

/// Functions of the runtime without effects.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Function {
    /// An index that knows whether it overflowed.
    Checked,
    /// An index of which is known that it does not.
    Known,
    /// The number of an index that is known not to overflow.
    Number,
    /// How many numbers lie from one to another, that one included.
    Trips,
    /// How many numbers a range of any integers has, and one with its end.
    Count,
    CountInclusive,
    /// A difference, or zero.
    Difference,
    /// How many partial sums there are.
    Partial,
    /// What partial sums come to.
    Total,
    /// What a row of contributions comes to.
    SumRow,
    /// How many iterations a block has at most.
    MaxBlock,
    Min,
    Max,
    /// How many elements are computed ahead of the iterations.
    Ahead,
    /// One number or the other.
    Select,
    /// One if a condition holds, else zero.
    OneIf,
    /// How many columns a panel has.
    Panel,
    /// How many rows panels have at most, so many of them, of so many columns.
    PanelHeight(usize),
    /// Numbers of a window from an element on, as many as a panel has columns.
    LoadPanel,
    /// The numbers of a row of a panel.
    Row,
    /// How many numbers [`Ty::Four`] has.
    Four,
    /// Four elements of a window from one on.
    Load4,
    /// Four times the same number.
    Splat4,
    /// The value of a variable that is not used again.
    Moved,
    /// A vector of so many zeros, from those that sweeps are done with.
    Zeros,
}

impl Function {
    /// In dumps.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Function::Checked => "index",
            Function::Known => "known_index",
            Function::Number => "number",
            Function::Trips => "trips",
            Function::Count => "count",
            Function::CountInclusive => "count_inclusive",
            Function::Difference => "saturating_sub",
            Function::Partial => "PARTIAL",
            Function::Total => "total",
            Function::SumRow => "sum_row",
            Function::MaxBlock => "MAX_BLOCK",
            Function::Min => "min",
            Function::Max => "max",
            Function::Ahead => "AHEAD",
            Function::Select => "select",
            Function::OneIf => "one_if",
            Function::Panel => "PANEL",
            Function::PanelHeight(_) => "panel_height",
            Function::LoadPanel => "load_panel",
            Function::Row => "row",
            Function::Four => "FOUR",
            Function::Load4 => "load4",
            Function::Splat4 => "splat4",
            Function::Moved => "move",
            Function::Zeros => "zeros",
        }
    }
}
