//! Removes `return`, `break`, `continue` and labelled blocks.
//!
//! A jump where nothing can follow it in its target (the *tail*) needs no code. A branch of which one arm
//! alone goes on takes the rest of the block into that arm. Where several arms go on and some may jump, a
//! variable `jump` holds the pending jump's code and the rest runs under `jump == 0`. A loop that can be
//! left early gets an `exit` variable, tested after each iteration. So the reverse sweep meets
//! structured branches and loops only, each of which it can undo from what the forward sweep did.

use std::collections::BTreeSet;

use proc_macro2::Span;

use super::defaults::{Deferred, give_defaults};
use crate::ir::hash::HashMap;
use crate::ir::{
    BinOp, Block, Domain, Expr, ExprKind, Func, Jump, Lit, Loop, LoopId, Place, Stmt, StmtKind, Ty,
    VarId, VarInfo, VarKind, effects_of,
};

/// Structures the body. Returns the variables that would need a default value but whose type has none.
pub(crate) fn structure(func: &mut Func) -> Vec<VarId> {
    let body = std::mem::take(&mut func.body);
    let mut pass = Exits {
        func,
        jump: None,
        codes: HashMap::default(),
        exits: HashMap::default(),
        flagged: false,
    };
    let stmts = pass.block(body.stmts, &Tail::default().with(Jump::Return));
    let (jump, flagged) = (pass.jump, pass.flagged);
    let mut stmts = stmts;
    if let Some(jump) = jump {
        stmts.insert(
            0,
            Stmt::new(
                StmtKind::Let {
                    var: jump,
                    init: Some(code(0)),
                },
                Span::call_site(),
            ),
        );
    }
    let mut body = Block { stmts };
    let mut without_default = Vec::new();
    let which = if flagged {
        Deferred::All
    } else {
        Deferred::AssignedOnSomePaths
    };
    super::held::hold(func, &mut body);
    give_defaults(func, &mut body, which, &mut without_default);
    func.body = body;
    without_default
}

/// Jumps that need no code at this point because nothing follows in their target.
#[derive(Clone, Default)]
struct Tail(Vec<Jump>);

impl Tail {
    fn with(mut self, jump: Jump) -> Self {
        self.0.push(jump);
        self
    }

    fn contains(&self, jump: Jump) -> bool {
        self.0.contains(&jump)
    }
}

struct Exits<'a> {
    func: &'a mut Func,
    /// The variable that holds a pending jump's code.
    jump: Option<VarId>,
    codes: HashMap<Jump, u32>,
    /// The exit variable of a loop being processed, once something needs it.
    exits: HashMap<LoopId, VarId>,
    /// Whether a variable may be assigned on paths that rustc cannot follow.
    flagged: bool,
}

impl Exits<'_> {
    fn block(&mut self, stmts: Vec<Stmt>, tail: &Tail) -> Vec<Stmt> {
        let mut out = Vec::new();
        let mut rest = stmts.into_iter();
        while let Some(stmt) = rest.next() {
            let span = stmt.span;
            match stmt.kind {
                StmtKind::Jump(jump) => {
                    self.emit_jump(jump, tail, span, &mut out);
                    return out; // what follows is unreachable
                }
                StmtKind::Switch { selector, arms } if arms.iter().any(may_jump) => {
                    let following: Vec<Stmt> = rest.collect();
                    self.switch(selector, arms, following, tail, span, &mut out);
                    return out;
                }
                StmtKind::Switch { selector, arms } => {
                    let inner = Tail::default();
                    let arms = arms
                        .into_iter()
                        .map(|arm| Block {
                            stmts: self.block(arm.stmts, &inner),
                        })
                        .collect();
                    out.push(Stmt::new(StmtKind::Switch { selector, arms }, span));
                }
                StmtKind::Loop(Loop {
                    id,
                    domain: kind,
                    body,
                    ..
                }) => {
                    let outer = outer_jumps(&body, id);
                    self.structured_loop(id, kind, body, span, &mut out);
                    if !outer.is_empty() {
                        self.guard(rest.collect(), tail, span, &mut out);
                        return out;
                    }
                }
                StmtKind::Labelled(id, body) => {
                    let outer = outer_jumps(&body, id);
                    out.extend(self.block(body.stmts, &Tail::default().with(Jump::Break(id))));
                    self.reset(&[Jump::Break(id)], span, &mut out);
                    if !outer.is_empty() {
                        self.guard(rest.collect(), tail, span, &mut out);
                        return out;
                    }
                }
                StmtKind::Checkpoint(body) => {
                    let leaves = may_jump(&body);
                    let body = Block {
                        stmts: self.block(body.stmts, &Tail::default()),
                    };
                    out.push(Stmt::new(StmtKind::Checkpoint(body), span));
                    if leaves {
                        self.guard(rest.collect(), tail, span, &mut out);
                        return out;
                    }
                }
                kind => out.push(Stmt::new(kind, span)),
            }
        }
        out
    }

    fn emit_jump(&mut self, jump: Jump, tail: &Tail, span: Span, out: &mut Vec<Stmt>) {
        if let Jump::Break(id) = jump
            && let Some(exit) = self.exits.get(&id)
        {
            out.push(assign(*exit, truth(true), span));
        }
        if tail.contains(jump) {
            return;
        }
        let value = self.code_of(jump);
        let var = self.jump_var();
        out.push(assign(var, code(value), span));
    }

    /// A branch with jumps in some arms, and what follows it in its block.
    fn switch(
        &mut self,
        selector: Expr,
        arms: Vec<Block>,
        rest: Vec<Stmt>,
        tail: &Tail,
        span: Span,
        out: &mut Vec<Stmt>,
    ) {
        let going_on = arms.iter().filter(|arm| !diverges(arm)).count();
        if rest.is_empty() || going_on <= 1 {
            let mut sunk = if going_on == 1 {
                sink_declarations(out, &arms)
            } else {
                Vec::new()
            };
            let mut rest = Some(rest);
            let mut done = Vec::new();
            for mut arm in arms {
                if !diverges(&arm) {
                    arm.stmts.splice(0..0, sunk.drain(..));
                    arm.stmts.extend(rest.take().unwrap_or_default());
                }
                done.push(Block {
                    stmts: self.block(arm.stmts, tail),
                });
            }
            out.push(Stmt::new(
                StmtKind::Switch {
                    selector,
                    arms: done,
                },
                span,
            ));
            return;
        }
        let inner = Tail::default();
        let arms = arms
            .into_iter()
            .map(|arm| Block {
                stmts: self.block(arm.stmts, &inner),
            })
            .collect();
        out.push(Stmt::new(StmtKind::Switch { selector, arms }, span));
        self.guard(rest, tail, span, out);
    }

    /// `rest`, unless a jump is pending.
    fn guard(&mut self, rest: Vec<Stmt>, tail: &Tail, span: Span, out: &mut Vec<Stmt>) {
        self.flagged = true;
        if rest.is_empty() {
            return;
        }
        // Declarations must stay visible to what the enclosing block does afterwards: nothing does.
        let then = Block {
            stmts: self.block(rest, tail),
        };
        let jump = self.jump_var();
        let selector = compare(BinOp::Eq, jump, 0);
        out.push(Stmt::new(
            StmtKind::Switch {
                selector,
                arms: vec![then, Block::default()],
            },
            span,
        ));
    }

    fn structured_loop(
        &mut self,
        id: LoopId,
        kind: Domain,
        body: Block,
        span: Span,
        out: &mut Vec<Stmt>,
    ) {
        let outer = outer_jumps(&body, id);
        let breaks = has_jump(&body, Jump::Break(id));
        let exit = (breaks || !outer.is_empty()).then(|| {
            self.flagged = true;
            let name = self.func.fresh_name("leave", Span::mixed_site());
            let var = self.func.add(VarInfo {
                name,
                ty: Ty::Bool,
                mutable: true,
                kind: VarKind::Temp,
                constant: false,
                class: crate::ir::Class::Primal,
                type_of: None,
            });
            self.exits.insert(id, var);
            out.push(Stmt::new(
                StmtKind::Let {
                    var,
                    init: Some(truth(false)),
                },
                span,
            ));
            var
        });
        let tail = Tail::default()
            .with(Jump::Continue(id))
            .with(Jump::Break(id));
        let mut stmts = self.block(body.stmts, &tail);
        self.reset(&[Jump::Continue(id), Jump::Break(id)], span, &mut stmts);
        if let (Some(exit), false) = (exit, outer.is_empty()) {
            let jump = self.jump_var();
            let leave = Block {
                stmts: vec![assign(exit, truth(true), span)],
            };
            let selector = compare(BinOp::Ne, jump, 0);
            stmts.push(Stmt::new(
                StmtKind::Switch {
                    selector,
                    arms: vec![leave, Block::default()],
                },
                span,
            ));
        }
        out.push(Stmt::new(
            StmtKind::Loop(Loop::forward(id, kind, Block { stmts }, exit)),
            span,
        ));
    }

    /// Clears a pending jump whose target ends here.
    fn reset(&mut self, jumps: &[Jump], span: Span, out: &mut Vec<Stmt>) {
        for jump in jumps {
            if let (Some(value), Some(var)) = (self.codes.get(jump).copied(), self.jump) {
                let clear = Block {
                    stmts: vec![assign(var, code(0), span)],
                };
                let selector = compare(BinOp::Eq, var, value);
                out.push(Stmt::new(
                    StmtKind::Switch {
                        selector,
                        arms: vec![clear, Block::default()],
                    },
                    span,
                ));
            }
        }
    }

    fn jump_var(&mut self) -> VarId {
        if let Some(var) = self.jump {
            return var;
        }
        let name = self.func.fresh_name("jump", Span::mixed_site());
        let ty = Ty::U32;
        let var = self.func.add(VarInfo {
            name,
            ty,
            mutable: true,
            kind: VarKind::Temp,
            constant: false,
            class: crate::ir::Class::Primal,
            type_of: None,
        });
        self.jump = Some(var);
        var
    }

    fn code_of(&mut self, jump: Jump) -> u32 {
        let next = u32::try_from(self.codes.len() + 1).expect("fewer than 2^32 jumps");
        *self.codes.entry(jump).or_insert(next)
    }
}

fn jumps_of(block: &Block, f: &mut dyn FnMut(Jump)) {
    crate::ir::visit_stmts(block, &mut |stmt| {
        if let StmtKind::Jump(jump) = &stmt.kind {
            f(*jump);
        }
    });
}

/// Whether a jump leaves the block (jumps of loops and labels inside it do not).
fn may_jump(block: &Block) -> bool {
    let mut inside = BTreeSet::new();
    crate::ir::visit_stmts(block, &mut |stmt| match &stmt.kind {
        StmtKind::Loop(Loop { id, .. }) | StmtKind::Labelled(id, _) => {
            inside.insert(id.0);
        }
        _ => {}
    });
    let mut found = false;
    jumps_of(block, &mut |jump| {
        found |= match jump {
            Jump::Return => true,
            Jump::Break(id) | Jump::Continue(id) => !inside.contains(&id.0),
        };
    });
    found
}

fn has_jump(block: &Block, wanted: Jump) -> bool {
    let mut found = false;
    jumps_of(block, &mut |jump| found |= jump == wanted);
    found
}

/// The jumps out of the body of loop (or block) `id` to targets further out.
fn outer_jumps(body: &Block, id: LoopId) -> Vec<Jump> {
    let mut inside = BTreeSet::from([id.0]);
    crate::ir::visit_stmts(body, &mut |stmt| match &stmt.kind {
        StmtKind::Loop(Loop { id, .. }) | StmtKind::Labelled(id, _) => {
            inside.insert(id.0);
        }
        _ => {}
    });
    let mut out = Vec::new();
    jumps_of(body, &mut |jump| match jump {
        Jump::Break(id) | Jump::Continue(id) if inside.contains(&id.0) => {}
        jump => out.push(jump),
    });
    out
}

/// Whether every path through the block ends in a jump.
fn diverges(block: &Block) -> bool {
    block.stmts.iter().any(|stmt| match &stmt.kind {
        StmtKind::Jump(_) => true,
        StmtKind::Switch { arms, .. } => !arms.is_empty() && arms.iter().all(diverges),
        _ => false,
    })
}

/// Takes out of `out` the declarations without initialiser that only the arm that goes on uses: that arm gets the
/// rest of the block, so the variable lives there and is assigned on every path of its scope.
fn sink_declarations(out: &mut Vec<Stmt>, arms: &[Block]) -> Vec<Stmt> {
    let ending: Vec<&Stmt> = arms
        .iter()
        .filter(|arm| diverges(arm))
        .flat_map(|arm| &arm.stmts)
        .collect();
    let mut sunk = Vec::new();
    let mut at = 0;
    while at < out.len() {
        let only_declared = match &out[at].kind {
            StmtKind::Let { var, init: None } => {
                let touches = |stmt: &Stmt| {
                    let effects = effects_of([stmt]);
                    effects.reads.contains(var) || effects.writes.contains(var)
                };
                !out.iter().any(&touches) && !ending.iter().any(|stmt| touches(stmt))
            }
            _ => false,
        };
        if only_declared {
            sunk.push(out.remove(at))
        } else {
            at += 1
        }
    }
    sunk
}

fn assign(var: VarId, value: Expr, span: Span) -> Stmt {
    Stmt::new(
        StmtKind::Assign {
            place: Place::var(var, span),
            value,
            init: false,
        },
        span,
    )
}

pub(super) fn truth(value: bool) -> Expr {
    let lit = ExprKind::Lit(Lit::bool(value));
    Expr::new(lit, Ty::Bool, Span::call_site())
}

fn code(value: u32) -> Expr {
    Expr::integer(value.into(), &Ty::U32, Span::call_site())
}

fn compare(op: BinOp, var: VarId, value: u32) -> Expr {
    let read = Expr::read_var(var, Ty::U32, Span::call_site());
    Expr::new(
        ExprKind::Binary(op, Box::new(read), Box::new(code(value))),
        Ty::Bool,
        Span::call_site(),
    )
}
