//! Patterns for groups of statements, for matches that treat a group alike.
//!
//! They are lists: a new statement is in none of them, and each match over statements has to say what becomes of it.

/// What only sweeps hold.
macro_rules! sweep_stmts {
    () => {
        sweep_stmts!(tape)
            | sweep_stmts!(adjoints)
            | sweep_stmts!(forms)
            | $crate::ir::StmtKind::Begin { .. }
            | $crate::ir::StmtKind::Scope(_)
    };
    // What uses the tape, or stands for a part of the primal.
    (tape) => {
        $crate::ir::StmtKind::PushRecord { .. }
            | $crate::ir::StmtKind::PopRecord { .. }
            | $crate::ir::StmtKind::PushSlice { .. }
            | $crate::ir::StmtKind::PopSlice { .. }
            | $crate::ir::StmtKind::PushRange { .. }
            | $crate::ir::StmtKind::PopRange { .. }
            | $crate::ir::StmtKind::Branch { .. }
            | $crate::ir::StmtKind::MatchRecord { .. }
            | $crate::ir::StmtKind::Parallel(_)
            | $crate::ir::StmtKind::Run(_)
            | $crate::ir::StmtKind::RequireCompanion { .. }
            | $crate::ir::StmtKind::CallForward { .. }
            | $crate::ir::StmtKind::CallReverse { .. }
    };
    // What is done to whole adjoints.
    (adjoints) => {
        $crate::ir::StmtKind::Accumulate { .. }
            | $crate::ir::StmtKind::BeginAll { .. }
            | $crate::ir::StmtKind::ClearAround { .. }
            | $crate::ir::StmtKind::SetZero(_)
            | $crate::ir::StmtKind::DropLast(_)
            | $crate::ir::StmtKind::Recycle(_)
            | $crate::ir::StmtKind::Regrow { .. }
    };
    // What passes make of loops.
    (forms) => {
        $crate::ir::StmtKind::Versioned(_)
            | $crate::ir::StmtKind::Check(_)
            | $crate::ir::StmtKind::Windows(_)
            | $crate::ir::StmtKind::Disjoint(_)
            | $crate::ir::StmtKind::Strips(_)
            | $crate::ir::StmtKind::RecordAt(_)
            | $crate::ir::StmtKind::Buffer(_)
            | $crate::ir::StmtKind::Procedure(_)
            | $crate::ir::StmtKind::Simd(_)
            | $crate::ir::StmtKind::InRegisters(_)
            | $crate::ir::StmtKind::Kernel(_)
    };
}

/// Statements of the primal that hold no others, and do not change where the program goes on.
macro_rules! leaf_stmts {
    () => {
        $crate::ir::StmtKind::Let { .. }
            | $crate::ir::StmtKind::Assign { .. }
            | $crate::ir::StmtKind::Update { .. }
            | $crate::ir::StmtKind::Swap(..)
            | $crate::ir::StmtKind::Call { .. }
            | $crate::ir::StmtKind::Push { .. }
            | $crate::ir::StmtKind::Pop { .. }
            | $crate::ir::StmtKind::Truncate { .. }
            | $crate::ir::StmtKind::Fill { .. }
            | $crate::ir::StmtKind::CopyFrom { .. }
            | $crate::ir::StmtKind::Opaque(_)
    };
}

/// Statements of the primal that hold others, or change where the program goes on.
macro_rules! control_stmts {
    () => {
        $crate::ir::StmtKind::Switch { .. }
            | $crate::ir::StmtKind::Loop(_)
            | $crate::ir::StmtKind::Checkpoint(_)
            | $crate::ir::StmtKind::Labelled(..)
            | $crate::ir::StmtKind::Jump(_)
    };
}

pub(crate) use {control_stmts, leaf_stmts, sweep_stmts};
