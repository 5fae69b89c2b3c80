//! Faults that change the IR, whatever made it.

use crate::ir::edit::blocks_mut;
use crate::ir::faults::Fault;
use crate::ir::lanes::OfProducts;
use crate::ir::versions::{Kernel, Output, Window, Windows};
use crate::ir::{
    BinOp, Block, Class, Domain, Expr, ExprKind, Func, Jump, Loop, Opaque, OpaqueArg, OpaqueKind,
    Order, Place, Proj, Stmt, StmtKind, Ty, begins_with_zeros,
};

use crate::ir::Sweeps;

/// Calls `f` with each list of statements, the outer ones first.
fn lists(stmts: &mut Vec<Stmt>, f: &mut dyn FnMut(&mut Vec<Stmt>)) {
    f(stmts);
    for stmt in stmts {
        for block in blocks_mut(stmt) {
            lists(&mut block.stmts, f);
        }
    }
}

fn each(stmts: &mut Vec<Stmt>, f: &mut dyn FnMut(&mut StmtKind)) {
    lists(stmts, &mut |list| {
        list.iter_mut().for_each(|s| f(&mut s.kind))
    });
}

/// The first statement for which `f` says something else.
fn first(stmts: &mut Vec<Stmt>, f: &mut dyn FnMut(&Stmt) -> Option<Vec<Stmt>>) {
    let mut done = false;
    lists(stmts, &mut |list| {
        let found = list.iter().enumerate().filter(|_| !done);
        let found = found.into_iter().find_map(|(at, s)| Some((at, f(s)?)));
        if let Some((at, other)) = found {
            list.splice(at..=at, other);
            done = true;
        }
    });
}

/// Changes a primal that is about to be verified.
pub(crate) fn into_primal(func: &mut Func) {
    let span = func.name.span();
    if Fault::ResultUndeclared.is_on() {
        let ty = func.ret_ty.clone();
        func.result = Some(func.temp("undeclared", ty, span));
    }
    if Fault::JumpLeft.is_on() {
        let jump = Stmt::new(StmtKind::Jump(Jump::Return), span);
        func.body.stmts.push(jump);
    }
    let vars = func.vars.clone();
    let body = &mut func.body.stmts;
    let declares = |stmt: &Stmt| matches!(stmt.kind, StmtKind::Let { init: Some(_), .. });
    if Fault::DeclaredTwice.is_on() {
        first(body, &mut |stmt| {
            declares(stmt).then(|| vec![stmt.clone(), stmt.clone()])
        });
    }
    if Fault::ImmutableWritten.is_on() {
        first(body, &mut |stmt| {
            if let StmtKind::Let {
                var,
                init: Some(value),
            } = &stmt.kind
                && !vars[var.0 as usize].mutable
            {
                let place = Place::var(*var, span);
                let kind = StmtKind::Assign {
                    place,
                    value: value.clone(),
                    init: false,
                };
                Some(vec![stmt.clone(), Stmt::new(kind, span)])
            } else {
                None
            }
        });
    }
    if Fault::EffectInExpression.is_on() {
        each(body, &mut |kind| {
            if let StmtKind::Assign { place, value, .. } = kind {
                let name = syn::Ident::new("__written", span);
                value.kind = ExprKind::Opaque(Box::new(Opaque {
                    code: syn::parse_quote!(#name),
                    args: vec![(name, OpaqueArg::RefMut(place.clone()))],
                    kind: OpaqueKind::Other("a fault"),
                }));
            }
        });
    }
    if Fault::IndexReadsMemory.is_on() {
        each(body, &mut |kind| {
            if let StmtKind::Assign { place, .. } = kind
                && let Some(Proj::Index(_)) = place.proj.last()
            {
                let read = ExprKind::Read(place.clone());
                let index = Expr::new(read, Ty::USIZE, place.span);
                place.proj.pop();
                place.proj.push(Proj::Index(Box::new(index)));
            }
        });
    }
}

/// Changes sweeps that no transformation has seen. Variables from `primal_vars` on are not of the primal.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "a fault changes what it names"
)]
pub(crate) fn into_derived(sweeps: &mut Sweeps) {
    let primal_vars = sweeps.primal_vars;
    let reverse = &mut sweeps.reverse;
    let of_primal = |place: &Place| place.root.0 < primal_vars;
    let is_zero = |e: &Expr| begins_with_zeros(e);
    if Fault::AdjointsExchanged.is_on() {
        let mut done = false;
        lists(reverse, &mut |list| {
            let update = |s: &Stmt| matches!(s.kind, StmtKind::Update { .. });
            let at: Vec<usize> = (0..list.len()).filter(|k| update(&list[*k])).collect();
            if let ([a, b, ..], false) = (at.as_slice(), done) {
                let (front, back) = list.split_at_mut(*b);
                if let (StmtKind::Update { value: x, .. }, StmtKind::Update { value: y, .. }) =
                    (&mut front[*a].kind, &mut back[0].kind)
                {
                    std::mem::swap(x, y);
                    done = true;
                }
            }
        });
    }
    if Fault::ContributionLost.is_on() {
        first(reverse, &mut |s| {
            matches!(s.kind, StmtKind::Update { .. }).then(Vec::new)
        });
    }
    each(reverse, &mut |kind| match kind {
        StmtKind::Update { op, .. } if Fault::SignLost.is_on() => *op = BinOp::Add,
        StmtKind::Loop(this) if this.is_reverse() && Fault::OrderLost.is_on() => {
            this.order = Order::Forward;
        }
        StmtKind::Switch { arms, .. } if Fault::ArmsExchanged.is_on() => arms.reverse(),
        StmtKind::MatchRecord { arms, .. } if Fault::ArmsExchanged.is_on() => {
            let mut blocks: Vec<Block> = arms.iter_mut().map(|(_, b)| std::mem::take(b)).collect();
            for (_, block) in arms {
                *block = blocks.pop().unwrap_or_default();
            }
        }
        _ => {}
    });
    lists(reverse, &mut |list| {
        list.retain(|stmt| match &stmt.kind {
            StmtKind::SetZero(_) => !Fault::AdjointNotCleared.is_on(),
            StmtKind::Assign { value, .. } if is_zero(value) => !Fault::AdjointNotCleared.is_on(),
            StmtKind::Assign { place, .. } if of_primal(place) => !Fault::ValueNotRestored.is_on(),
            StmtKind::Swap(a, _) if of_primal(a) => !Fault::SwapNotUndone.is_on(),
            _ => true,
        });
    });
}

/// Changes sweeps that are about to be verified.
pub(crate) fn into_finished(sweeps: &mut Sweeps) {
    let span = sweeps.func.name.span();
    if Fault::DeclarationLost.is_on() {
        first(&mut sweeps.reverse, &mut |stmt| {
            matches!(stmt.kind, StmtKind::Let { .. }).then(Vec::new)
        });
    }
    if Fault::RecordedUndeclared.is_on() {
        let var = sweeps.func.temp("undeclared", Ty::F64, span);
        each(&mut sweeps.forward, &mut |kind| {
            if let StmtKind::Loop(Loop {
                strip: Some(strip), ..
            }) = kind
            {
                strip.vars.push(var);
            }
        });
    }
    if Fault::AdjointIntoValue.is_on()
        && let Some((_, bar)) = sweeps.param_bars.first()
    {
        let (bar, vars) = (*bar, sweeps.func.vars.clone());
        each(&mut sweeps.reverse, &mut |kind| {
            if let StmtKind::Assign { place, value, .. } = kind
                && vars[place.root.0 as usize].class == Class::Primal
            {
                *value = Expr::read_var(bar, value.ty.clone(), span);
            }
        });
    }
    if Fault::ProcedureResultLost.is_on() {
        into_procs(sweeps);
    }
    for list in [&mut sweeps.forward, &mut sweeps.reverse] {
        into_versions(list);
    }
    let stmts = match &mut sweeps.joint {
        Some(joint) => &mut joint.stmts,
        None => &mut sweeps.reverse,
    };
    if Fault::NeitherClearedNorBegun.is_on() {
        each(stmts, &mut |kind| {
            if let StmtKind::Begin { place, value } = kind {
                *kind = StmtKind::Update {
                    place: place.clone(),
                    op: BinOp::Add,
                    value: value.clone(),
                };
            }
        });
    }
    if Fault::BegunTwice.is_on() {
        first(stmts, &mut |stmt| {
            matches!(stmt.kind, StmtKind::Begin { .. }).then(|| vec![stmt.clone(), stmt.clone()])
        });
    }
}

/// Procedures return no numbers, and nobody expects any.
fn into_procs(sweeps: &mut Sweeps) {
    for proc in &mut sweeps.procs {
        proc.interface.changed.clear();
    }
    let joint = sweeps.joint.as_mut().map(|joint| &mut joint.stmts);
    let procs = sweeps.procs.iter_mut().map(|proc| &mut proc.body.stmts);
    let lists = [&mut sweeps.forward, &mut sweeps.reverse];
    for list in lists.into_iter().chain(joint).chain(procs) {
        each(list, &mut |kind| {
            if let StmtKind::Run(run) = kind {
                run.interface.changed.clear();
            }
        });
    }
}

/// Changes loops in two versions.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "a fault changes what it names"
)]
fn into_versions(stmts: &mut Vec<Stmt>) {
    each(stmts, &mut |kind| match kind {
        StmtKind::Disjoint(disjoint) if Fault::WindowOverrun.is_on() => {
            each(&mut disjoint.body.stmts, &mut |kind| {
                if let StmtKind::Loop(Loop {
                    domain: Domain::Range { range, .. },
                    ..
                }) = kind
                {
                    range.inclusive = true;
                }
            });
        }
        StmtKind::InRegisters(inside) if Fault::LaneOverrun.is_on() => {
            each(&mut inside.body.stmts, &mut |kind| {
                if let StmtKind::Loop(Loop {
                    domain: Domain::Range { range, .. },
                    ..
                }) = kind
                {
                    range.inclusive = true;
                }
            });
        }
        StmtKind::Simd(simd) if Fault::RegistersLeaveRest.is_on() => _ = simd.runs.pop(),
        StmtKind::Windows(made) if Fault::PanelRowMissing.is_on() => {
            if let Windows::Panel(panel) = &mut **made {
                panel.rows = panel.row.clone();
            }
        }
        StmtKind::Kernel(call) if Fault::ProductsElsewhere.is_on() => {
            if let Kernel::Products {
                store,
                what: OfProducts::Begin { .. },
            } = call.kernel
                && let [Output::Place(to)] = &mut call.outputs[..]
            {
                *to = Place::var(store, to.span);
            }
        }
        StmtKind::Versioned(both) if Fault::FastComputesOther.is_on() => {
            each(&mut both.fast.stmts, &mut |kind| {
                if let StmtKind::Assign { value, .. } = kind
                    && let ExprKind::Binary(op, ..) = &mut value.kind
                    && *op == BinOp::Mul
                {
                    *op = BinOp::Add;
                }
            });
        }
        StmtKind::Versioned(both) if Fault::VersionsDiffer.is_on() => {
            lists(&mut both.fast.stmts, &mut |list| {
                list.retain(|stmt| !matches!(stmt.kind, StmtKind::Assign { .. }));
            });
        }
        _ => {}
    });
    lists(stmts, &mut |list| {
        if Fault::ProductsLost.is_on() {
            let adds = |stmt: &Stmt| {
                matches!(&stmt.kind, StmtKind::Kernel(call) if matches!(call.kernel, Kernel::Products {
                    what: OfProducts::Add,
                    ..
                }))
            };
            list.retain(|stmt| !adds(stmt));
        }
        if Fault::WindowsMeet.is_on() {
            let apart = |stmt: Stmt| {
                if let StmtKind::Windows(made) = &stmt.kind
                    && let Windows::Write { windows, len } = &**made
                {
                    let one = |window: &Window| {
                        let (windows, len) = (vec![window.clone()], len.clone());
                        let made = Windows::Write { windows, len };
                        Stmt::new(StmtKind::Windows(Box::new(made)), stmt.span)
                    };
                    windows.iter().map(one).collect()
                } else {
                    vec![stmt]
                }
            };
            *list = std::mem::take(list).into_iter().flat_map(apart).collect();
        }
        let buffer = |stmt: &Stmt| matches!(stmt.kind, StmtKind::Buffer(_));
        if Fault::BufferUnfilled.is_on()
            && let Some(at) = list.iter().position(buffer)
            && let Some(sum) = list.pop()
        {
            list.insert(at + 1, sum);
        }
    });
}
