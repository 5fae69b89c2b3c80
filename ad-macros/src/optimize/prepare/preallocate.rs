//! *Preallocation*: a list that a loop fills has its length before the loop, and the iterations store its elements.
//!
//! ```text
//! let mut y = vec![];                 // let mut y = vec![0.0; n];
//! for i in 0..n {
//!     y.push(a * x[i]);               // y[i] = a * x[i];
//! }
//! ```
//!
//! Then the analyses know which element an iteration writes, and whatever is good for loops over arrays goes for those
//! that collect: the reverse takes no element off the end of the adjoint, and may run forwards, on slices. The list may
//! begin with some elements, `vec![x0]`, and loops may stand in one another, where the inner ones have one range.
//!
//! A list that is written out, `v.push(a); v.push(b)`, as what short loops leave, is `vec![a, b]`.
//!
//! Legal if each iteration of loops that run to their ends pushes as often, whatever it meets, and if nothing else
//! in the loops touches the list but to read elements that are there already, and its length (`filled`). An element
//! that is not there yet would be a panic, and is a zero then; so it has to be one that stands a number of places in
//! front of the one that is written next. What is behind the loop finds the same list.

mod filled;

use proc_macro2::Span;

use self::filled::Filled;
use crate::analysis::affine::Definitions;
use crate::ir::edit::{blocks_mut, each_name, each_place_within, each_stmt};
use crate::ir::{
    BinOp, Block, Class, Expr, ExprKind, Func, Place, Proj, Remarks, Stmt, StmtKind, Transform, Ty,
    VarId, VarKind, effects_of, mentions, visit_stmts,
};

/// Elements that a list may begin with.
const MOST_FIRST: usize = 16;

/// Changes the whole function.
pub(super) fn preallocate(func: &mut Func, remarks: &mut Remarks) {
    let mut pushes = false;
    visit_stmts(&func.body, &mut |stmt| {
        pushes |= matches!(stmt.kind, StmtKind::Push { .. });
    });
    if !pushes {
        return;
    }
    let before = func.clone();
    let mut body = std::mem::take(&mut func.body);
    Lists {
        func,
        definitions: Definitions::of(&before, &before.body),
        remarks,
    }
    .block(&mut body);
    func.body = body;
}

struct Lists<'a> {
    func: &'a mut Func,
    /// Of the function as it was.
    definitions: Definitions<'a>,
    remarks: &'a mut Remarks,
}

impl Lists<'_> {
    fn block(&mut self, block: &mut Block) {
        let mut at = 0;
        while at < block.stmts.len() {
            let is_gone = self.list(&mut block.stmts, at);
            at += usize::from(!is_gone);
        }
        for stmt in &mut block.stmts {
            for inner in blocks_mut(stmt) {
                self.block(inner);
            }
        }
    }

    /// What the statement at `at` declares has its length at once, if it is a list that a loop of the block fills. Says
    /// whether nothing is left in place of the statement.
    fn list(&mut self, stmts: &mut Vec<Stmt>, at: usize) -> bool {
        let Some(mut begun) = self.begun(stmts, at) else {
            return false;
        };
        let this = &stmts[begun.end];
        let span = this.span;
        let filled = match self.filled(&begun, this) {
            Ok((filled, stored)) => {
                stmts[begun.end] = stored;
                Some(filled)
            }
            Err(why) => {
                if this.is_loop() {
                    self.remarks.refused(span, Transform::Preallocate, why);
                }
                let Some((last, _)) = begun.first.last().filter(|(n, _)| *n > at) else {
                    return false;
                };
                if !self.has_room_for(&begun, None) {
                    return false;
                }
                begun.end = *last;
                None
            }
        };
        let list = begun.list;
        self.declare(stmts, &begun, filled.as_ref());
        let name = self.rename(stmts, list).unwrap_or(list);
        // Behind the elements that it begins with, there may be more.
        if effects_of(stmts.iter()).writes.contains(&name) {
            self.func.var_mut(name).mutable = true;
        }
        if filled.is_some() {
            let name = &self.func.var(name).name;
            let how = format!("`{name}` has its length before the loop");
            self.remarks.applied(span, Transform::Preallocate, how);
        }
        begun.first.first().is_none_or(|(n, _)| *n > at)
    }

    /// Declares the list in front of the loop that fills it, or behind the last of its first elements.
    fn declare(&mut self, stmts: &mut Vec<Stmt>, begun: &Begun, filled: Option<&Filled>) {
        let list = begun.list;
        let mut out = Vec::with_capacity(stmts.len() + begun.first.len() + 1);
        let mut values = Vec::new();
        for (n, stmt) in std::mem::take(stmts).into_iter().enumerate() {
            for (_, value) in begun.first.iter().filter(|(at, _)| *at == n) {
                let held = self.hold(value, &mut out);
                values.push(held);
            }
            if n == begun.end {
                let span = stmt.span;
                let values = std::mem::take(&mut values);
                match filled {
                    Some(filled) => {
                        out.push(self.zeros(list, filled.total(span), span));
                        out.extend(values.into_iter().enumerate().map(|(n, value)| {
                            let place = element(list, Expr::usize_literal(n, span), span);
                            let init = false;
                            Stmt::new(StmtKind::Assign { place, value, init }, span)
                        }));
                        out.push(stmt);
                    }
                    None => out.push(self.made(list, ExprKind::VecLit(values), span)),
                }
            } else if n > begun.end || !mentions(&stmt, list) {
                out.push(stmt);
            }
        }
        *stmts = out;
    }

    /// The list that the statement at `at` declares, with the elements that are pushed until anything else happens to
    /// it.
    fn begun(&self, stmts: &[Stmt], at: usize) -> Option<Begun> {
        let NewList {
            list,
            literal,
            room,
        } = self.new_list(&stmts[at])?;
        let mut first: Vec<_> = literal.into_iter().map(|value| (at, value)).collect();
        for (n, stmt) in stmts.iter().enumerate().skip(at + 1) {
            if let Some(value) = pushed(stmt, list)
                && !value.reads(list)
            {
                first.push((n, value.clone()));
            } else if mentions(stmt, list) {
                let few = first.len() <= MOST_FIRST;
                return few.then_some(Begun {
                    list,
                    room,
                    first,
                    end: n,
                });
            }
        }
        None
    }

    fn new_list(&self, stmt: &Stmt) -> Option<NewList> {
        let StmtKind::Let {
            var,
            init: Some(init),
        } = &stmt.kind
        else {
            return None;
        };
        let (literal, room) = if let ExprKind::VecLit(literal) = &init.kind {
            (literal.clone(), None)
        } else if let ExprKind::VecNew(room) = &init.kind {
            (Vec::new(), room.as_deref().cloned())
        } else {
            return None;
        };
        let info = self.func.var(*var);
        let floats = matches!(&info.ty, Ty::Vec(of) if matches!(**of, Ty::F64 | Ty::F32));
        let own = matches!(info.kind, VarKind::Local | VarKind::Temp);
        (floats && own).then_some(NewList {
            list: *var,
            literal,
            room,
        })
    }

    /// How the loop fills the list, and the loop with stores in it; or why it does not become that.
    fn filled(&self, begun: &Begun, this: &Stmt) -> Result<(Filled, Stmt), String> {
        let first = begun.first.len();
        let filled = Filled::by(self.func, &self.definitions, this, begun.list, first)?;
        if !self.has_room_for(begun, Some(&filled)) {
            return Err("its capacity is not known to be its length".to_owned());
        }
        let asks = || "code that is kept as written asks for the length of the list".to_owned();
        let stored = filled.stored(this).ok_or_else(asks)?;
        Ok((filled, stored))
    }

    /// Whether the list can be made at its length: an allocation of another size may panic where that does not.
    fn has_room_for(&self, begun: &Begun, filled: Option<&Filled>) -> bool {
        let Some(room) = &begun.room else {
            return true;
        };
        let poly = |e: &Expr| self.definitions.poly(e);
        let alike = || {
            let total = poly(&filled?.total(room.span))?;
            poly(room)?.minus(&total).constant()
        };
        let few = |n: u64| u32::try_from(n).is_ok();
        let is_small = room.int_literal().is_some_and(few) || matches!(room.kind, ExprKind::Len(_));
        is_small || !subtracts(room) && alike().is_some()
    }

    /// Declares a list of zeros.
    fn zeros(&self, list: VarId, length: Expr, span: Span) -> Stmt {
        let zero = Expr::float(0.0, &self.func.var(list).ty.element(), span);
        self.made(
            list,
            ExprKind::VecRepeat(Box::new(zero), Box::new(length)),
            span,
        )
    }

    fn made(&self, list: VarId, kind: ExprKind, span: Span) -> Stmt {
        let init = Some(Expr::new(kind, self.func.var(list).ty.clone(), span));
        Stmt::new(StmtKind::Let { var: list, init }, span)
    }

    /// Declares a variable for one of the first elements, where it is computed.
    fn hold(&mut self, value: &Expr, out: &mut Vec<Stmt>) -> Expr {
        let (span, ty) = (value.span, value.ty.clone());
        let var = self.func.temp_of(Class::Primal, "first", ty.clone(), span);
        let declare = StmtKind::Let {
            var,
            init: Some(value.clone()),
        };
        out.push(Stmt::new(declare, span));
        Expr::read_var(var, ty, span)
    }

    /// A list that is only moved into a variable of the block is that variable from the beginning.
    fn rename(&mut self, stmts: &mut Vec<Stmt>, list: VarId) -> Option<VarId> {
        let uses: Vec<usize> = (0..stmts.len())
            .filter(|i| mentions(&stmts[*i], list))
            .collect();
        let last = *uses.last()?;
        let StmtKind::Let {
            var: name,
            init: Some(init),
        } = &stmts[last].kind
        else {
            return None;
        };
        let name = *name;
        let info = self.func.var(name);
        let moved =
            matches!(&init.kind, ExprKind::Read(place) if place.is_var() && place.root == list);
        let alike = info.ty == self.func.var(list).ty
            && info.constant == self.func.var(list).constant
            && matches!(info.kind, VarKind::Local | VarKind::Temp);
        let is_result = [self.func.result, self.func.failure].contains(&Some(name));
        if !moved || !alike || is_result || self.func.var(list).kind != VarKind::Temp {
            return None;
        }
        stmts.remove(last);
        let mut block = Block {
            stmts: std::mem::take(stmts),
        };
        let change = |var: &mut VarId| {
            if *var == list {
                *var = name;
            }
        };
        each_stmt(&mut block, &mut |stmt| {
            each_place_within(stmt, &mut |place| change(&mut place.root));
            each_name(stmt, &mut |var| change(var));
        });
        *stmts = block.stmts;
        Some(name)
    }
}

/// A list where it is declared.
struct NewList {
    list: VarId,
    /// The elements that it begins with.
    literal: Vec<Expr>,
    /// The capacity that it is asked to have.
    room: Option<Expr>,
}

/// A list that nothing but pushes has happened to.
struct Begun {
    list: VarId,
    /// The capacity that it is asked to have.
    room: Option<Expr>,
    /// Its elements, and the statements that they are computed in.
    first: Vec<(usize, Expr)>,
    /// The statement that it meets next.
    end: usize,
}

/// What the statement pushes to the list, if it does.
fn pushed(stmt: &Stmt, list: VarId) -> Option<&Expr> {
    if let StmtKind::Push { vec, value } = &stmt.kind
        && vec.is_var()
        && vec.root == list
    {
        Some(value)
    } else {
        None
    }
}

/// Whether a difference is part of the expression, which may be below zero.
fn subtracts(e: &Expr) -> bool {
    let mut found = matches!(e.kind, ExprKind::Binary(BinOp::Sub, ..));
    e.each_child(&mut |child| found |= subtracts(child));
    found
}

/// `list[index]`
fn element(list: VarId, index: Expr, span: Span) -> Place {
    Place::var(list, span).then(Proj::index(index))
}
