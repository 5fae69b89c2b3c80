//! Factors of adjoints that no row changes, taken out of the loop over rows.
//!
//! Over a block of columns, `bar[r] += d[r] * b[r] * t` needs the product of `d[r]` and `b[r]` once, not once for each
//! row; and where all rows add to the same columns, `bar[r] += d[r] * c[k, r]` can add up `c[k, r]` and multiply by
//! `d[r]` at the end.
//!
//! Products and sums are rounded in another order, so this is for adjoints alone. Legal if the factor reads nothing
//! that an iteration of the outer loop declares or writes. A product may have a name, if what it was computed from does
//! not change after it.

use crate::analysis::invariant::Varying;
use crate::analysis::purity::repeats;
use crate::ir::Transform;
use crate::ir::hash::{HashMap, HashSet};
use crate::ir::{
    BinOp, Block, Expr, ExprKind, Func, Jam, Place, Stmt, StmtKind, Ty, UnOp, VarId, effects_of,
    expr_reads, visit_accesses,
};
use crate::optimize::Cx;

/// Takes such factors out of a loop over blocks in the reverse sweep.
pub(in crate::optimize) fn hoist(func: &mut Func, cx: &mut Cx<'_>, stmt: &Stmt, jam: &mut Jam) {
    let row = Row::of(jam, cx.primal_vars);
    if row.targets.is_empty() {
        return;
    }
    let mut stmts = std::mem::take(&mut jam.inside.body.stmts);
    let mut found = Found::default();
    for stmt in &mut stmts {
        if let Some(product) = row.product(stmt) {
            stmt.kind = found.without(func, stmt, product);
        }
    }
    jam.inside.body.stmts = stmts;
    if found.begin.is_empty() {
        let why = "reverse: each factor of what is added to an adjoint changes with the iterations";
        cx.remarks.refused(stmt.span, Transform::Hoist, why);
    } else {
        let how = "reverse: factors that no iteration changes are multiplied once for a block";
        cx.remarks.applied(stmt.span, Transform::Hoist, how);
    }
    jam.begin = found.begin;
    jam.finish = Block {
        stmts: found.finish,
    };
}

/// What is known of one iteration.
struct Row {
    /// What iterations declare or write, or have one each of.
    own: Varying,
    /// What the body declares by an expression that stands for it to the end.
    held: HashMap<VarId, Expr>,
    /// Slices of adjoints along the columns that are written, and whether all rows write the same.
    targets: HashMap<VarId, bool>,
}

/// A product that is added to an adjoint.
struct Product {
    /// Whether all rows add to the same elements.
    shared: bool,
    negative: bool,
    fixed: Vec<Expr>,
    changing: Vec<Expr>,
}

impl Row {
    fn of(jam: &Jam, primal_vars: u32) -> Self {
        let mut own = Varying::of([jam.lanes.counter, jam.lanes.lane]);
        for segment in [&jam.before, &jam.inside, &jam.after] {
            let effects = effects_of(&segment.body.stmts);
            own = own.with(effects.declares).with(effects.writes);
        }
        own = own.with(
            jam.lanes
                .kept
                .iter()
                .flat_map(|(var, lanes)| [*var, *lanes]),
        );
        let slices = jam.views.iter().chain(jam.edits.iter().flatten());
        let slices = slices.chain(&jam.rows).chain(&jam.row_edits);
        own = own.with(slices.chain(&jam.shared_edits).map(|(var, _)| *var));
        let rows = jam.row_edits.iter().map(|edit| (edit, false));
        let shared = jam.shared_edits.iter();
        let sums = shared.filter(|(var, _)| only_adds(&jam.inside.body.stmts, *var));
        let targets = rows.chain(sums.map(|edit| (edit, true)));
        let adjoint = targets.filter(|((_, view), _)| view.of.root.0 >= primal_vars);
        Row {
            own,
            held: held(&jam.inside.body.stmts),
            targets: adjoint.map(|((var, _), shared)| (*var, shared)).collect(),
        }
    }

    /// What a statement adds to an adjoint, if there is something to take out.
    fn product(&self, stmt: &Stmt) -> Option<Product> {
        let StmtKind::Update { place, op, value } = &stmt.kind else {
            return None;
        };
        let mut product = Product {
            shared: *self.targets.get(&place.root)?,
            negative: *op == BinOp::Sub,
            fixed: Vec::new(),
            changing: Vec::new(),
        };
        if !matches!(op, BinOp::Add | BinOp::Sub) || !matches!(value.ty, Ty::F32 | Ty::F64) {
            return None;
        }
        self.factors(value, &mut product);
        let least = if product.shared { 1 } else { 2 };
        (product.fixed.len() >= least && !product.changing.is_empty()).then_some(product)
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "what is no product is a factor"
    )]
    fn factors(&self, e: &Expr, product: &mut Product) {
        match &e.kind {
            ExprKind::Binary(BinOp::Mul, a, b) => {
                self.factors(a, product);
                self.factors(b, product);
            }
            ExprKind::Unary(UnOp::Neg, a) => {
                product.negative = !product.negative;
                self.factors(a, product);
            }
            ExprKind::Read(p) if let Some(held) = self.held(p) => self.factors(held, product),
            _ if self.is_invariant(e) => product.fixed.push(e.clone()),
            _ => product.changing.push(e.clone()),
        }
    }

    /// What a variable of the body stands for, if that is a product or the same in all rows.
    fn held(&self, place: &Place) -> Option<&Expr> {
        let held = self.held.get(&place.root).filter(|_| place.is_var())?;
        let product = matches!(
            held.kind,
            ExprKind::Binary(BinOp::Mul, ..) | ExprKind::Unary(UnOp::Neg, _)
        );
        let alias = matches!(&held.kind, ExprKind::Read(p) if self.held(p).is_some());
        (product || alias || self.is_invariant(held)).then_some(held)
    }

    /// Whether it has one value for all rows.
    fn is_invariant(&self, e: &Expr) -> bool {
        self.own.is_invariant(e) && repeats(e)
    }
}

/// The variables whose expressions have the same value to the end of the code: neither they nor what they read is
/// written after them.
fn held(stmts: &[Stmt]) -> HashMap<VarId, Expr> {
    let (mut held, mut written) = (HashMap::default(), HashSet::default());
    for stmt in stmts.iter().rev() {
        if let StmtKind::Let {
            var,
            init: Some(init),
        } = &stmt.kind
        {
            let mut stays = !written.contains(var);
            expr_reads(init, &mut |p| stays &= !written.contains(&p.root));
            if stays {
                held.insert(*var, init.clone());
            }
        }
        written.extend(effects_of([stmt]).writes);
    }
    held
}

/// What runs for each column of a block, in front of the rows and behind them.
#[derive(Default)]
struct Found {
    begin: Vec<(VarId, Expr)>,
    finish: Vec<Stmt>,
}

impl Found {
    /// The statement of a row without the factors that do not change.
    fn without(&mut self, func: &mut Func, stmt: &Stmt, product: Product) -> StmtKind {
        let StmtKind::Update { place, value, .. } = &stmt.kind else {
            unreachable!("products are added");
        };
        let ty = &value.ty;
        let new = |kind| Expr::new(kind, ty.clone(), stmt.span);
        let times = |a, b| new(ExprKind::Binary(BinOp::Mul, Box::new(a), Box::new(b)));
        let all = |factors: Vec<Expr>| factors.into_iter().reduce(times).expect("a factor");
        let op = if product.negative {
            BinOp::Sub
        } else {
            BinOp::Add
        };
        let (fixed, changing) = (all(product.fixed), all(product.changing));
        let base = if product.shared { "sum" } else { "factor" };
        let column = Place {
            root: func.temp_of(
                func.var(place.root).class,
                base,
                Ty::Slice(Box::new(ty.clone())),
                stmt.span,
            ),
            ..place.clone()
        };
        let held = new(ExprKind::Read(column.clone()));
        let add = |place, op, value| StmtKind::Update { place, op, value };
        if !product.shared {
            self.begin.push((column.root, fixed));
            return add(place.clone(), op, times(held, changing));
        }
        func.var_mut(column.root).mutable = true;
        self.begin.push((column.root, new(ExprKind::Zero)));
        let whole = add(place.clone(), op, times(fixed, held));
        self.finish.push(Stmt::new(whole, stmt.span));
        add(column, BinOp::Add, changing)
    }
}

/// Whether code does nothing with a variable but add to it.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "what is no addition must not use it"
)]
fn only_adds(stmts: &[Stmt], var: VarId) -> bool {
    stmts.iter().all(|stmt| {
        let mut uses = 0;
        visit_accesses(stmt, &mut |v, _| uses += usize::from(v == var));
        match &stmt.kind {
            StmtKind::Update { place, op, value } if place.root == var => {
                matches!(op, BinOp::Add | BinOp::Sub) && !value.reads(var)
            }
            _ => uses == 0,
        }
    })
}
