//! Outer products that a loop adds to the adjoint of a matrix, several iterations at once.
//!
//! Where a time loop multiplies a matrix with a vector, each step of its reverse adds an outer product to the matrix's
//! adjoint, `w_bar[i][j] += s[i] * x[j]`: all of it is read and written for one product per element. Here the factors
//! of some steps are kept, and one pass over the matrix adds all their products, while its elements stay in registers.
//! Elements get their products in the order of the steps.
//!
//! Legal if the loop around only ever adds to the adjoint: nothing in it reads or overwrites it, so the matrix is not
//! written there. The value of what is added is a product of factors that change with the row alone or with the column
//! alone. Which rows those are is compared when the loop runs; where they change, or where the matrix is small,
//! products are added as they come. How many steps are kept does not depend on how many there are, so nothing of this
//! is on the tape.

mod factors;
mod survey;

use proc_macro2::Span;

use crate::ir::Transform;
use crate::ir::edit::blocks_mut;
use crate::ir::hash::{HashMap, HashSet};
use crate::ir::name;
use crate::ir::{
    BinOp, Deferred, Deferring, Func, Jam, Place, Plan, Product, Proj, Stmt, StmtKind, Term, Ty,
    VarId, effects_of,
};
use crate::optimize::Cx;

use crate::optimize::loops::jam;
use crate::optimize::loops::windows::divided_in;
use factors::Factors;
use survey::Survey;

/// Defers what nests of loops in a list of statements add to rows of adjoints.
pub(in crate::optimize) fn defer_products(func: &mut Func, cx: &mut Cx<'_>, stmts: &mut [Stmt]) {
    let mut pass = Pass {
        func,
        survey: Survey::of(stmts, &cx.bars),
        cx,
        begun: HashMap::default(),
        at: 0,
    };
    pass.stmts(stmts, &HashSet::default());
}

struct Pass<'a, 'b> {
    func: &'a mut Func,
    cx: &'a mut Cx<'b>,
    survey: Survey,
    /// The stores that begin in front of a loop, with where they go in the end.
    begun: HashMap<usize, Vec<(VarId, Place)>>,
    /// The number of the statement, as the survey counts them.
    at: usize,
}

impl Pass<'_, '_> {
    fn stmts(&mut self, stmts: &mut [Stmt], divided: &HashSet<VarId>) {
        for stmt in stmts {
            let at = self.at;
            self.at += 1;
            if let StmtKind::Loop(this) = &mut stmt.kind
                && let Some(Plan::Jam(jam)) = &mut this.plan
            {
                jam.deferred = self.deferred(at, jam, stmt.span).map(Box::new);
                self.at = self.survey.behind(at);
                continue;
            } else if let Some(jam) = self.jam(at, stmt, divided) {
                stmt.plan(Plan::Jam(Box::new(jam)));
                continue;
            }
            let divided = divided_in(stmt, divided);
            for block in blocks_mut(stmt) {
                self.stmts(&mut block.stmts, &divided);
            }
            if let Some(stores) = self.begun.remove(&at) {
                let fused = self.cx.transforms.has(Transform::MulAdd);
                stmt.plan(Plan::Products(Deferring { stores, fused }));
            }
        }
    }

    /// A loop around one other that does nothing but add to rows, so that it would not be jammed if not for the stores.
    fn jam(&mut self, at: usize, stmt: &Stmt, divided: &HashSet<VarId>) -> Option<Jam> {
        if !self.survey.runs_again(at) {
            return None;
        }
        let (mut jam, fresh) = jam::over_blocks(self.func, stmt, divided)?;
        let known = self.func.vars.len();
        fresh.declare(self.func, stmt.span);
        let Some(deferred) = self.deferred(at, &jam, stmt.span) else {
            self.func.vars.truncate(known); // nothing names what the jam would have
            return None;
        };
        jam.deferred = Some(Box::new(deferred));
        self.at = self.survey.behind(at);
        Some(jam)
    }

    /// The jammed loop that defers what it adds to rows, if some of that can be.
    fn deferred(&mut self, at: usize, jam: &Jam, span: Span) -> Option<Deferred> {
        if !jam.blocks {
            return None;
        }
        let mut products = Vec::new();
        for (rows, view) in &jam.row_edits {
            let Some(primal) = self.cx.bars.get(&view.of.root) else {
                continue;
            };
            let matrix = name(self.func, *primal);
            let around = match view.row {
                Some(_) => Err("its rows are arrays of a list".to_owned()),
                None => self.survey.around(at, jam, view),
            };
            let found = around.and_then(|around| Ok((terms(self.func, jam, *rows)?, around)));
            match found {
                Ok((terms, around)) => {
                    let how = format!(
                        "reverse: products for the gradient of `{matrix}` wait for those of other iterations of a loop \
                         around it"
                    );
                    self.cx.remarks.applied(span, Transform::Defer, how);
                    for (at, term) in terms {
                        let store = self.func.temp("__products", Ty::Passive, span);
                        self.func.var_mut(store).mutable = true;
                        let stores = self.begun.entry(around).or_default();
                        stores.push((store, view.of.clone()));
                        let view = view.clone();
                        let product = Product { store, view, term };
                        products.push((at, *rows, product));
                    }
                }
                Err(why) => {
                    let why = format!("reverse: `{matrix}`: {why}");
                    self.cx.remarks.refused(span, Transform::Defer, why);
                }
            }
        }
        (!products.is_empty()).then(|| without(jam, products))
    }
}

/// The loop without some of its statements.
fn without(jam: &Jam, products: Vec<(usize, VarId, Product)>) -> Deferred {
    let mut jam = jam.clone();
    let gone: HashSet<usize> = products.iter().map(|(at, ..)| *at).collect();
    let mut at = 0;
    jam.inside.body.stmts.retain(|_| {
        at += 1;
        !gone.contains(&(at - 1))
    });
    let rows: HashSet<VarId> = products.iter().map(|(_, rows, _)| *rows).collect();
    jam.row_edits.retain(|(var, _)| !rows.contains(var));
    // What only they used.
    let mut used = effects_of(&jam.finish.stmts).reads;
    let mut kept = Vec::new();
    while let Some(stmt) = jam.inside.body.stmts.pop() {
        if let StmtKind::Let { var, .. } = &stmt.kind
            && !used.contains(var)
        {
            continue;
        }
        used.extend(effects_of([&stmt]).reads);
        kept.push(stmt);
    }
    kept.reverse();
    jam.inside.body.stmts = kept;
    jam.rows.retain(|(var, _)| used.contains(var));
    let products = products.into_iter().map(|(.., product)| product).collect();
    Deferred { jam, products }
}

/// What the inner loop adds to rows, by the numbers of its statements.
fn terms(func: &Func, jam: &Jam, rows: VarId) -> Result<Vec<(usize, Term)>, String> {
    let factors = Factors::of(func, jam);
    let mut terms = Vec::new();
    for (at, stmt) in jam.inside.body.stmts.iter().enumerate() {
        let effects = effects_of([stmt]);
        if !effects.reads.contains(&rows) && !effects.writes.contains(&rows) {
            continue;
        }
        if let StmtKind::Update {
            place,
            op: op @ (BinOp::Add | BinOp::Sub),
            value,
        } = &stmt.kind
            && place.root == rows
            && !value.reads(rows)
            && matches!(place.proj.as_slice(), [Proj::Index(_)])
        {
            terms.push((at, factors.split(value, *op)?));
        } else {
            return Err("its rows are more than added to".to_owned());
        }
    }
    if terms.is_empty() {
        return Err("its rows are not added to".to_owned());
    }
    Ok(terms)
}
