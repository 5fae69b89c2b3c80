//! Statements and blocks.

use proc_macro2::Span;

use super::lanes::InRegisters;
use super::simd::Simd;
use super::versions::{
    Buffer, Check, Disjoint, Kernel, KernelCall, Procedure, RecordAt, Strips, Versioned, Windows,
};
use super::{
    BinOp, Callee, Expr, ExprKind, Func, Loop, LoopId, Place, Run, Ty, VarId, has_static_zero,
    place_ty,
};

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
    /// A loop of the primal or of a sweep.
    Loop(Loop),
    /// A call that may carry derivatives: `let dest = path(args);`. `dest: None` if the result is unused or `()`.
    Call {
        dest: Option<VarId>,
        callee: Box<Callee>,
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
    /// Runs a procedure: what a region does, without records.
    Run(Box<Run>),
    /// Iterations divided among workers, forward or in reverse.
    Parallel(Box<Parallel>),
    /// Code in two versions: one that runs where checks hold, and one that always can.
    Versioned(Box<Versioned>),
    /// Leaves the fast version of the innermost `Versioned` around, unless the check holds.
    Check(Box<Check>),
    /// Declares parts of arrays, or leaves that fast version where there are none.
    Windows(Box<Windows>),
    /// Code that has windows to itself.
    Disjoint(Box<Disjoint>),
    /// A loop that runs over one strip of records after the other.
    Strips(Box<Strips>),
    /// Writes or reads a record of a strip.
    RecordAt(Box<RecordAt>),
    /// Declares memory of generated code.
    Buffer(Box<Buffer>),
    /// Code on copies of variables.
    InRegisters(Box<InRegisters>),
    /// Declares a procedure of a loop.
    Procedure(Box<Procedure>),
    /// A loop on the numbers of several iterations at once.
    Simd(Box<Simd>),
    /// A call of a kernel of the runtime.
    Kernel(Box<KernelCall>),
    /// The callee must have a companion, though its derivative is not needed.
    RequireCompanion { callee: Box<Callee>, args: Vec<Arg> },
    /// The forward sweep of a callee.
    CallForward {
        dest: Option<VarId>,
        callee: Box<Callee>,
        args: Vec<Arg>,
    },
    /// The reverse sweep of a callee; `seed` is the adjoint of its result.
    CallReverse {
        callee: Box<Callee>,
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
    /// Where the caller asks for the gradient: sets to zero what lies outside of as many elements from `start` on as
    /// the product of `trips`, which a loop is about to begin.
    ClearAround {
        slice: Place,
        start: Expr,
        trips: Vec<Expr>,
    },
    /// Sets an adjoint of any shape to zero.
    SetZero(Place),
    /// Drops the last element of a vector.
    DropLast(Place),
    /// Ends a vector of floats: its memory goes to those from which `zeros` takes the next one.
    Recycle(VarId),
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
    pub(crate) held: Held,
    /// Whether the first worker goes on with a copy of it; else all begin with zero.
    pub(crate) copied: bool,
    /// Holds one worker's adjoint when it is done.
    pub(crate) done: VarId,
    /// Adds `done` to `bar`.
    pub(crate) add: Stmt,
}

/// How a variable holds what it stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Held {
    Value,
    /// A reference to the value.
    Reference,
    /// A reference to a slice or vector, whose elements it is.
    Elements,
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

/// The adjoint that goes with an argument.
#[derive(Clone, Debug)]
pub(crate) enum BarArg {
    Place(Place),
    /// The argument carries no derivative: one that nobody wants.
    Unused(Unused),
}

/// An adjoint of an argument that nobody wants.
#[derive(Clone, Debug)]
pub(crate) enum Unused {
    /// `None`
    Nothing,
    /// The zero that the type has.
    Zero(Ty),
    /// A zero in the shape of the argument.
    Like,
    /// The same; but the argument may be a reference, or of a type without a tangent that a `#[constant]` parameter
    /// takes.
    OfUnseen,
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

impl RangeIter {
    /// The expressions of the range: where it begins, where it ends, its step.
    pub(crate) fn exprs(&self) -> impl Iterator<Item = &Expr> {
        [Some(&self.lo), Some(&self.hi), self.step.as_ref()]
            .into_iter()
            .flatten()
    }

    /// Whether the counter goes from the lower end to the upper one by one each time.
    pub(crate) fn counts_up_by_one(&self) -> bool {
        self.step.is_none() && !self.rev && !self.rev_first
    }

    /// How far apart the values of the counter are, if the text says so.
    pub(crate) fn known_step(&self) -> Option<u16> {
        match &self.step {
            None => Some(1),
            Some(step) => u16::try_from(step.int_literal()?).ok().filter(|s| *s > 0),
        }
    }

    /// The number of trips, if both ends are in the text and every number between them is visited.
    pub(crate) fn literal_trips(&self) -> Option<u64> {
        if self.step.is_some() {
            return None;
        }
        let (lo, hi) = (self.lo.int_literal()?, self.hi.int_literal()?);
        let trips = hi.saturating_sub(lo);
        if self.inclusive && hi >= lo {
            return trips.checked_add(1);
        }
        Some(trips)
    }
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

impl Arg {
    /// What stands for the adjoint of an argument that carries no derivative.
    pub(crate) fn unused_bar(&self, func: &Func) -> BarArg {
        let ty = match &self.mode {
            ArgMode::Value(e) if matches!(e.kind, ExprKind::None) => {
                return BarArg::Unused(Unused::Nothing);
            }
            ArgMode::Value(e) => e.ty.clone(),
            ArgMode::Shared(p) | ArgMode::InOut(p) => place_ty(func, p),
        };
        BarArg::Unused(if ty.is_unseen() || ty == Ty::Passive {
            Unused::OfUnseen
        } else if has_static_zero(&ty) {
            Unused::Zero(ty)
        } else {
            Unused::Like
        })
    }
}

impl Stmt {
    /// The value that it declares a variable with, assigns, or pushes.
    pub(crate) fn stored(&self) -> Option<&Expr> {
        if let StmtKind::Let {
            init: Some(value), ..
        }
        | StmtKind::Assign { value, .. }
        | StmtKind::Push { value, .. } = &self.kind
        {
            Some(value)
        } else {
            None
        }
    }

    /// The same, to be changed.
    pub(crate) fn stored_mut(&mut self) -> Option<&mut Expr> {
        if let StmtKind::Let {
            init: Some(value), ..
        }
        | StmtKind::Assign { value, .. }
        | StmtKind::Push { value, .. } = &mut self.kind
        {
            Some(value)
        } else {
            None
        }
    }

    /// The place that it assigns, or adds to.
    pub(crate) fn assigned(&self) -> Option<&Place> {
        if let StmtKind::Assign { place, .. } | StmtKind::Update { place, .. } = &self.kind {
            Some(place)
        } else {
            None
        }
    }

    /// The immutable variable that the statement declares, and what it holds.
    pub(crate) fn definition(&self, func: &Func) -> Option<(VarId, &Expr)> {
        if let StmtKind::Let {
            var,
            init: Some(init),
        } = &self.kind
            && !func.var(*var).mutable
        {
            Some((*var, init))
        } else {
            None
        }
    }

    pub(crate) fn new(kind: StmtKind, span: Span) -> Self {
        Stmt { kind, span }
    }

    /// Whether the statement, or one in it, pushes or pops.
    pub(crate) fn uses_tape(&self) -> bool {
        let here = match &self.kind {
            StmtKind::Loop(this) => this.strip.is_some(),
            StmtKind::PushRecord { .. }
            | StmtKind::PopRecord { .. }
            | StmtKind::PushSlice { .. }
            | StmtKind::PopSlice { .. }
            | StmtKind::PushRange { .. }
            | StmtKind::PopRange { .. }
            | StmtKind::Parallel(_)
            | StmtKind::Strips(_)
            | StmtKind::CallForward { .. }
            | StmtKind::CallReverse { .. } => true,
            StmtKind::Kernel(call) => matches!(
                call.kernel,
                Kernel::ForwardTiles(_) | Kernel::ReverseTiles(_)
            ),
            StmtKind::Let { .. }
            | StmtKind::Assign { .. }
            | StmtKind::Update { .. }
            | StmtKind::Swap(..)
            | StmtKind::Switch { .. }
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
            | StmtKind::RequireCompanion { .. }
            | StmtKind::Accumulate { .. }
            | StmtKind::Begin { .. }
            | StmtKind::BeginAll { .. }
            | StmtKind::ClearAround { .. }
            | StmtKind::SetZero(_)
            | StmtKind::DropLast(_)
            | StmtKind::Recycle(_)
            | StmtKind::Regrow { .. }
            | StmtKind::Versioned(_)
            | StmtKind::Check(_)
            | StmtKind::Windows(_)
            | StmtKind::Disjoint(_)
            | StmtKind::RecordAt(_)
            | StmtKind::Buffer(_)
            | StmtKind::InRegisters(_)
            | StmtKind::Simd(_)
            | StmtKind::Procedure(_)
            // It holds statements of the primal alone.
            | StmtKind::Run(_)
            | StmtKind::Scope(_) => false,
        };
        let blocks = self.kind.blocks();
        here || blocks.iter().any(|b| b.stmts.iter().any(Stmt::uses_tape))
    }
}
