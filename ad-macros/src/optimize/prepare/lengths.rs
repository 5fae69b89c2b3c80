//! Lengths and other integers that stay the same leave the loops, and one variable stands for one length.
//!
//! So that an index like `i * x.len() + j` is one that the analyses know, the inner loop of a nest has the same range
//! in all iterations of the outer one, and no loop records how often an inner one runs.

use std::collections::BTreeMap;

use crate::analysis::purity::{Part, is_movable};
use crate::ir::edit::{blocks_mut, each_len};
use crate::ir::hash::{HashMap, HashSet};
use crate::ir::{
    Block, Expr, ExprKind, Func, Loop, Stmt, StmtKind, Touch, Ty, VarId, VarInfo, VarKind,
    expr_touches, is_constant, resized,
};

/// Takes integers that are the same in all iterations out of their loops.
pub(in crate::optimize) fn hoist(func: &mut Func) {
    let mut body = std::mem::take(&mut func.body);
    let params = func.params.iter().map(|p| p.var);
    hoist_in(func, &mut body, &mut params.collect());
    func.body = body;
}

/// Takes integers that are the same in all iterations, and whose computation cannot fail, out of loops. `visible`: the
/// variables declared so far.
fn hoist_in(func: &Func, block: &mut Block, visible: &mut HashSet<VarId>) {
    let mut out = Vec::with_capacity(block.stmts.len());
    let mut own = Vec::new();
    for mut stmt in std::mem::take(&mut block.stmts) {
        let mut declare = |var, visible: &mut HashSet<VarId>| {
            own.push(var);
            visible.insert(var);
        };
        let parallel =
            matches!(&stmt.kind, StmtKind::Loop(Loop { id, .. }) if func.parallel.contains(id));
        if !parallel && !matches!(stmt.kind, StmtKind::Checkpoint(_)) {
            for inner in blocks_mut(&mut stmt) {
                hoist_in(func, inner, visible);
            }
        }
        if let StmtKind::Loop(Loop {
            domain: kind, body, ..
        }) = &mut stmt.kind
            && !parallel
        {
            let mut written = HashSet::default();
            resized(body, &mut written);
            let counter = kind.counter();
            let stmts = std::mem::take(&mut body.stmts);
            for inner in stmts {
                if let StmtKind::Let {
                    var,
                    init: Some(init),
                } = &inner.kind
                    && is_integer(func, *var)
                    && Some(*var) != counter
                    && stays_the_same(func, init, visible, &written)
                {
                    declare(*var, visible);
                    out.push(inner);
                } else {
                    body.stmts.push(inner)
                }
            }
        }
        if let StmtKind::Let { var, .. } = &stmt.kind {
            declare(*var, visible);
        }
        out.push(stmt);
    }
    for var in own {
        visible.remove(&var);
    }
    block.stmts = out;
}

fn is_integer(func: &Func, var: VarId) -> bool {
    let info = func.var(var);
    !info.mutable && info.kind == VarKind::Temp && info.ty == Ty::USIZE
}

/// Whether an expression has one value, and no way to panic, wherever `visible` variables are, of which the loop writes
/// `written` as a whole.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "what is not named keeps the pass from applying"
)]
fn stays_the_same(
    func: &Func,
    e: &Expr,
    visible: &HashSet<VarId>,
    written: &HashSet<VarId>,
) -> bool {
    let mut known = true;
    expr_touches(e, &mut |place, touch| {
        let var = place.root;
        known &= visible.contains(&var) && !written.contains(&var);
        // Elements may be written, the length stays.
        known &= touch == Touch::Length || !func.var(var).mutable;
    });
    let lengths = |e: &Expr| match &e.kind {
        // It costs nothing where it is, and an index that names one is known to the analyses.
        ExprKind::Opaque(o) if is_constant(o) => Part::Left,
        ExprKind::Read(place) if !place.is_var() => Part::Left,
        ExprKind::Lit(_) | ExprKind::Read(_) | ExprKind::Len(_) | ExprKind::Opaque(_) => {
            Part::Asked
        }
        _ => Part::Left,
    };
    known && is_movable(e, &lengths)
}

/// One variable for each length that a loop uses, of arrays whose length never changes.
pub(in crate::optimize) fn share(func: &mut Func) {
    let mut body = std::mem::take(&mut func.body);
    let mut changing = HashSet::default();
    resized(&body, &mut changing);
    let params = func.params.iter().map(|p| p.var);
    let mut lengths = Lengths {
        visible: params.collect(),
        func,
        changing,
        known: HashMap::default(),
    };
    lengths.block(&mut body);
    func.body = body;
}

/// An array by its variable and the fields that lead to it.
type Key = (VarId, String);

struct Lengths<'a> {
    func: &'a mut Func,
    /// Arrays that may be longer or shorter at another time.
    changing: HashSet<VarId>,
    /// Variables declared so far.
    visible: HashSet<VarId>,
    /// The variables that hold lengths.
    known: HashMap<Key, VarId>,
}

impl Lengths<'_> {
    fn block(&mut self, block: &mut Block) {
        let known = self.known.clone();
        let mut declared = Vec::new();
        let mut out = Vec::with_capacity(block.stmts.len());
        for mut stmt in std::mem::take(&mut block.stmts) {
            if stmt.is_loop() && !self.is_parallel(&stmt) {
                self.name_lengths(&mut stmt, &mut out);
            }
            if !self.is_parallel(&stmt) {
                each_len(&mut stmt, &mut |e| self.use_known(e));
            }
            for inner in blocks_mut(&mut stmt) {
                self.block(inner);
            }
            if let StmtKind::Let { var, init } = &stmt.kind {
                declared.push(*var);
                self.visible.insert(*var);
                // An end of a part stands for that part alone.
                if let Some(key) = init.as_ref().and_then(|init| self.key(init))
                    && !self.func.var(*var).mutable
                    && !self.func.ends.contains(var)
                {
                    self.known.entry(key).or_insert(*var);
                }
            }
            out.push(stmt);
        }
        for var in declared {
            self.visible.remove(&var);
        }
        self.known = known;
        block.stmts = out;
    }

    fn is_parallel(&self, stmt: &Stmt) -> bool {
        matches!(&stmt.kind, StmtKind::Loop(Loop { id, .. }) if self.func.parallel.contains(id))
    }

    /// The array whose length it is, if that never changes.
    fn key(&self, e: &Expr) -> Option<Key> {
        let ExprKind::Len(place) = &e.kind else {
            return None;
        };
        let fixed = self.visible.contains(&place.root) && !self.changing.contains(&place.root);
        (fixed && place.is_path()).then(|| {
            (
                place.root,
                crate::optimize::loops::windows::path_text(&place.proj),
            )
        })
    }

    fn use_known(&self, e: &mut Expr) {
        if let Some(var) = self.key(e).and_then(|key| self.known.get(&key)) {
            *e = Expr::read_var(*var, Ty::USIZE, e.span);
        }
    }

    /// Declares, in front of a loop, a variable for each length that is used in it and has none.
    fn name_lengths(&mut self, stmt: &mut Stmt, out: &mut Vec<Stmt>) {
        let mut found: BTreeMap<Key, Expr> = BTreeMap::new();
        let mut look = |stmt: &mut Stmt| {
            each_len(stmt, &mut |e| {
                if let Some(key) = self.key(e) {
                    found.entry(key).or_insert_with(|| e.clone());
                }
            });
        };
        for block in blocks_mut(stmt) {
            crate::ir::edit::each_stmt(block, &mut look);
        }
        for (key, length) in found {
            if self.known.contains_key(&key) {
                continue;
            }
            let span = length.span;
            let name = self.func.fresh_name("len", span);
            let var = self.func.add(VarInfo {
                name,
                ty: Ty::USIZE,
                mutable: false,
                kind: VarKind::Temp,
                constant: false,
                class: crate::ir::Class::Primal,
                type_of: None,
            });
            self.visible.insert(var);
            self.known.insert(key, var);
            let declare = StmtKind::Let {
                var,
                init: Some(length),
            };
            out.push(Stmt::new(declare, span));
        }
    }
}
