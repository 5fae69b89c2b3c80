//! Several iterations side by side: windows and numbers for each of them, and panels of rows.

use super::versions::Window;
use super::{Block, Expr, Place, VarId};

/// How many numbers lie side by side.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Lanes {
    Count(usize),
    /// As many columns as a panel has: it depends on the target's registers.
    Panel,
}

/// A window for each of some iterations; those that are written do not meet.
#[derive(Clone, Debug)]
pub(crate) struct PerLane {
    /// The windows; their ends depend on `at`.
    pub(crate) window: Window,
    /// Which array of a list each is a window of.
    pub(crate) row: Option<Expr>,
    pub(crate) written: bool,
    pub(crate) lanes: usize,
    /// The number of the iteration among them, and what is declared with it: the value of the counter, as an index.
    pub(crate) lane: VarId,
    pub(crate) at: (VarId, Expr),
    pub(crate) len: Expr,
}

/// Rows of an array that have a name; those that are written do not meet.
#[derive(Clone, Debug)]
pub(crate) struct Rows {
    pub(crate) var: VarId,
    pub(crate) written: bool,
    pub(crate) matrix: Matrix,
}

/// Rows of an array, as many as `rows` of as many elements as `len`, where they lie so.
#[derive(Clone, Debug)]
pub(crate) struct Matrix {
    pub(crate) of: Place,
    pub(crate) corners: Corners,
    pub(crate) rows: Expr,
    pub(crate) len: Expr,
}

/// Where rows lie.
#[derive(Clone, Debug)]
pub(crate) enum Corners {
    /// In one array.
    Array {
        /// Where the first row starts, the second and the last one.
        starts: [Expr; 3],
        /// The last element of the first row and of the last one.
        ends: [Expr; 2],
    },
    /// Each is an array of a list.
    List {
        /// The first of them, the second and the last one.
        rows: [Expr; 3],
        /// The first element of each, and the last one.
        columns: [Expr; 2],
    },
}

impl Corners {
    /// All indices.
    pub(crate) fn exprs(&self) -> impl Iterator<Item = &Expr> {
        let (three, two) = match self {
            Self::Array { starts, ends } => (starts, ends),
            Self::List { rows, columns } => (rows, columns),
        };
        three.iter().chain(two)
    }
}

/// Some rows, as far as they are in a block of columns.
#[derive(Clone, Debug)]
pub(crate) struct Panel {
    pub(crate) var: VarId,
    pub(crate) of: VarId,
    pub(crate) written: bool,
    pub(crate) width: Lanes,
    /// The first of the rows, and how many they are.
    pub(crate) row: Expr,
    pub(crate) rows: Expr,
    /// The first of the columns.
    pub(crate) column: Expr,
}

/// Code that works on copies of variables and hands them back: those that the code around indexes by variables would
/// not stay in registers.
#[derive(Clone, Debug)]
pub(crate) struct InRegisters {
    pub(crate) vars: Vec<VarId>,
    pub(crate) body: Block,
}

/// What is done with the factors of outer products that wait in a store ([`BufferKind::Products`]).
///
/// [`BufferKind::Products`]: super::versions::BufferKind::Products
#[derive(Clone, Debug)]
pub(crate) enum OfProducts {
    /// Declares whether the store wants a product for these rows; `alone` if nothing else is done with them.
    Want {
        wanted: VarId,
        matrix: Box<Matrix>,
        alone: bool,
    },
    /// Begins a product, of which the body computes the factor of each of so many columns; the output is where products
    /// go.
    Begin { columns: Expr },
    /// The factors of the next rows, and how many they are.
    Rows,
    /// Adds all products to the output.
    Add,
}
