//! Outer products that wait: a store for each sum of a jammed loop that does, begun in front of a loop around it and
//! emptied behind that.

use crate::ir::edit::each_place_within;
use crate::ir::lanes::{Lanes, OfProducts};
use crate::ir::versions::{Buffer, BufferKind, Kernel, KernelBody, Output};
use crate::ir::{
    BinOp, Block, Deferred, Deferring, Expr, Jam, Loop, Order, Product, Stmt, StmtKind, Ty, VarId,
};

use super::{Frame, Maker};

impl Maker<'_> {
    /// The loop between where its stores begin and where they are emptied.
    pub(in crate::optimize::loops::versions) fn deferring(
        &mut self,
        deferring: &Deferring,
        this: &Loop,
    ) -> Block {
        let fused = deferring.fused;
        let stores = deferring.stores.iter().map(|(store, _)| {
            let kind = BufferKind::Products { fused };
            self.stmt(StmtKind::Buffer(Box::new(Buffer { var: *store, kind })))
        });
        let mut stmts: Vec<Stmt> = stores.collect();
        stmts.push(self.stmt(StmtKind::Loop(this.clone())));
        for (store, to) in &deferring.stores {
            let kernel = Kernel::Products {
                store: *store,
                what: OfProducts::Add,
            };
            let output = Output::Place(to.clone());
            stmts.push(self.kernel(kernel, Vec::new(), vec![output], Vec::new()));
        }
        Block { stmts }
    }

    /// Asks all stores, and says whether each of them wants a product.
    pub(super) fn wanted(
        &mut self,
        jam: &Jam,
        deferred: &Deferred,
        frame: &Frame,
        stmts: &mut Vec<Stmt>,
    ) -> Expr {
        let alone = deferred.jam.inside.body.stmts.is_empty();
        let mut all = Vec::new();
        for product in &deferred.products {
            let wanted = self.func.temp("__wanted", Ty::Bool, self.span);
            let kernel = Kernel::Products {
                store: product.store,
                what: OfProducts::Want {
                    wanted,
                    matrix: Box::new(self.rows_along(&product.view, jam, frame)),
                    alone,
                },
            };
            stmts.push(self.kernel(kernel, Vec::new(), Vec::new(), Vec::new()));
            all.push(self.read(wanted));
        }
        let both = |a, b| self.binary(BinOp::And, a, b, Ty::Bool);
        let all = all.into_iter().reduce(both);
        all.unwrap_or_else(|| unreachable!("some product waits"))
    }

    /// Puts the factors of the columns into the store: they are computed from the windows, not from the parts of them
    /// that stand for them in blocks.
    pub(super) fn begin_product(
        &mut self,
        jam: &Jam,
        frame: &Frame,
        product: &Product,
        windows: &[(VarId, VarId)],
    ) -> Stmt {
        let value = &product.term.of_column;
        let factor = self.func.temp_of(
            self.func.class_of(value),
            "__factor",
            value.ty.clone(),
            self.span,
        );
        let inner = self.sum(self.read(frame.column_start), self.read(jam.column));
        let mut of_column = self.declare(factor, value.clone());
        each_place_within(&mut of_column, &mut |place| {
            if let Some((_, window)) = windows.iter().find(|(var, _)| *var == place.root) {
                place.root = *window;
            }
        });
        let stmts = vec![self.declare(jam.inner_counter, inner), of_column];
        let kernel = Kernel::Products {
            store: product.store,
            what: OfProducts::Begin {
                columns: self.read(frame.columns),
            },
        };
        let body = KernelBody {
            params: vec![jam.column],
            block: Block { stmts },
            yields: vec![factor],
        };
        let output = Output::Place(product.view.of.clone());
        self.kernel(kernel, Vec::new(), vec![output], vec![body])
    }

    /// Puts the factors of so many rows into the store.
    pub(super) fn rows_of_product(
        &mut self,
        jam: &Jam,
        frame: &Frame,
        product: &Product,
        rows: &Expr,
    ) -> Vec<Stmt> {
        let value = &product.term.of_row;
        let ty = Ty::Array(Box::new(value.ty.clone()), None);
        let factors = self
            .func
            .temp_of(self.func.class_of(value), "__factors", ty, self.span);
        self.func.var_mut(factors).mutable = true;
        let mut body = self.iteration_in_lane(&jam.lanes, &frame.rows);
        body.extend(self.take(&jam.lanes, &product.term.takes));
        body.push(self.stmt(StmtKind::Assign {
            place: self.element(factors, vec![self.read(jam.lanes.lane)]),
            value: value.clone(),
            init: false,
        }));
        let kernel = Kernel::Products {
            store: product.store,
            what: OfProducts::Rows,
        };
        let inputs = vec![self.read(factors), rows.clone()];
        vec![
            self.numbers(factors, Lanes::Count(jam.lanes.together), false),
            self.counting(jam.lanes.lane, rows.clone(), Order::Forward, body),
            self.kernel(kernel, inputs, Vec::new(), Vec::new()),
        ]
    }
}
