//! Calls: the forward sweep of the callee, and which form of its sweeps is called: one that puts back what the function
//! wrote, or one that leaves it because nobody reads it.

use crate::analysis::StmtKey;
use crate::ir::{ArgMode, Output, ReadBy, Returning, Stmt, StmtKind, Transform, region_name};

use super::assemble::Assembly;

impl Assembly<'_> {
    /// A call with varied arguments whose derivative nobody needs: the callee must be differentiable all the same,
    /// since a plain function could keep what it gets and give it back later. One that answers with a `bool` and gets
    /// nothing to write to is taken at its word (docs/limitations.md). Nor may a region, which runs twice, call a
    /// plain function.
    pub(super) fn required(&self, stmt: &Stmt) -> Option<Stmt> {
        if let StmtKind::Call { dest, callee, args } = &stmt.kind
            && ((self.regions > 0
                || self
                    .adjoints
                    .activity
                    .needs_sweeps(self.adjoints.func, *dest, callee, args))
                && !self
                    .adjoints
                    .activity
                    .call_active(self.adjoints.func, *dest, args))
        {
            Some(Stmt::new(
                StmtKind::RequireCompanion {
                    callee: callee.clone(),
                    args: args.clone(),
                },
                stmt.span,
            ))
        } else {
            None
        }
    }

    pub(super) fn forward_of(&self, stmt: &Stmt) -> Stmt {
        if let StmtKind::Call { dest, callee, args } = &stmt.kind
            && self
                .adjoints
                .activity
                .call_active(self.adjoints.func, *dest, args)
        {
            let mut callee = callee.clone();
            callee.returning = self.returning_of(stmt);
            let kind = StmtKind::CallForward {
                dest: *dest,
                callee,
                args: args.clone(),
            };
            Stmt::new(kind, stmt.span)
        } else {
            stmt.clone()
        }
    }

    /// Whether the reverse sweep of the call puts back what the function wrote.
    fn returning_of(&self, stmt: &Stmt) -> Returning {
        let known = self.returning.get(&StmtKey::of(stmt));
        known.cloned().unwrap_or_default()
    }

    /// Has the reverse of the call, its `fragment`, do as was decided.
    pub(super) fn settle_outputs(&mut self, stmt: &Stmt, fragment: &mut [Stmt]) {
        let StmtKind::Call { callee, args, .. } = &stmt.kind else {
            return;
        };
        let returning = self.returning_of(stmt);
        for stmt in fragment {
            if let StmtKind::CallReverse { callee, .. } = &mut stmt.kind {
                callee.returning = returning.clone();
            }
        }
        let (Some(known), Some(at)) = (
            self.returning.get(&StmtKey::of(stmt)),
            self.around.last().copied(),
        ) else {
            return;
        };
        let func = &*self.adjoints.func;
        let outputs: &[Output] = if let Returning::If(outputs) = known {
            outputs
        } else {
            &[]
        };
        let is_read = |output: &Output| matches!(output.read_by, ReadBy::Caller);
        // What is left, and what is not.
        let (mut written, mut kept) = (Vec::new(), Vec::new());
        for (at, arg) in args.iter().enumerate() {
            if let ArgMode::InOut(place) = &arg.mode {
                let mut here = outputs.iter().filter(|output| output.of.at == at);
                let needed = here.any(is_read);
                let list = if needed { &mut kept } else { &mut written };
                list.push(format!("`{}`", region_name(func, place)));
            }
        }
        let (written, callee) = (written.join(", "), callee.text());
        let mut unless = Vec::new();
        if !kept.is_empty() {
            unless.push(format!("it writes {}", kept.join(", ")));
        }
        if !outputs.iter().all(is_read) {
            unless.push("the reverse of a call reads it".to_owned());
        }
        let remarks = &mut self.cx.remarks;
        match known {
            Returning::Never => {
                let how = format!("`{callee}` does not put back {written}");
                remarks.applied(at, Transform::Outputs, how);
            }
            Returning::If(_) => {
                let how = format!(
                    "`{callee}` does not put back {written}, unless {}",
                    unless.join(" or ")
                );
                remarks.applied(at, Transform::Outputs, how);
            }
            Returning::Always => {
                let why = format!(
                    "`{callee}` puts back what it writes to {written}, which the reverse sweep reads"
                );
                remarks.refused(at, Transform::Outputs, why);
            }
        }
    }
}
