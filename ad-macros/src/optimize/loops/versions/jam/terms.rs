//! The terms of sums along rows, of four columns at once: the terms of row after row, then the additions, column by
//! column.

use crate::ir::lanes::Lanes;
use crate::ir::versions::{Function, Kernel, Output};
use crate::ir::{
    BinOp, Expr, ExprKind, Jam, Order, Place, Stmt, StmtKind, Terms, Ty, VarId, expr_reads,
};

use super::{Frame, Maker};

/// What has four values.
struct Wide {
    /// Variables, and those that stand for four of them.
    vars: Vec<(VarId, VarId)>,
    /// Windows, and the first of the four columns.
    windows: Vec<VarId>,
    at: VarId,
}

impl Wide {
    fn of(&self, var: VarId) -> Option<VarId> {
        let found = self.vars.iter().find(|(v, _)| *v == var);
        found.map(|(_, four)| *four)
    }
}

impl Maker<'_> {
    /// The inner loop as far as there are four columns, and the variable that says how far it has come.
    pub(super) fn four_columns(
        &mut self,
        jam: &Jam,
        frame: &Frame,
        terms: &Terms,
    ) -> (VarId, Vec<Stmt>) {
        let at = self.count_of("__column_at");
        let windows = jam.rows.iter().chain(&jam.shared).map(|(var, _)| *var);
        let mut wide = Wide {
            vars: Vec::new(),
            windows: windows.collect(),
            at,
        };
        let mut body = self.iteration_in_lane(&jam.lanes, &frame.rows);
        let is_sum = |var: &VarId| terms.adds.iter().any(|(sum, ..)| sum == var);
        let takes: Vec<VarId> = jam
            .inside
            .takes
            .iter()
            .copied()
            .filter(|v| !is_sum(v))
            .collect();
        body.extend(self.take(&jam.lanes, &takes));
        for stmt in &terms.body.stmts {
            let StmtKind::Let {
                var,
                init: Some(value),
            } = &stmt.kind
            else {
                unreachable!("the body declares numbers");
            };
            let value = self.four_of(value, jam, &wide);
            let name = self.func.var(*var).name.to_string();
            let (class, ty) = (self.func.class_of(&value), value.ty.clone());
            let four = self.func.temp_of(
                class,
                &format!("__{}_four", name.trim_start_matches("r#")),
                ty,
                self.span,
            );
            wide.vars.push((*var, four));
            body.push(self.declare(four, value));
        }
        let (mut each, mut adds) = (Vec::new(), Vec::new());
        for (sum, op, term) in &terms.adds {
            let term = wide
                .of(*term)
                .unwrap_or_else(|| unreachable!("the body declares it"));
            let ty = Ty::Array(Box::new(self.func.var(term).ty.clone()), None);
            let class = self.func.var(term).class;
            let all = self.func.temp_of(class, "__terms", ty, self.span);
            self.func.var_mut(all).mutable = true;
            each.push(self.numbers(all, Lanes::Count(jam.lanes.together), false));
            body.push(self.stmt(StmtKind::Assign {
                place: self.element(all, vec![self.read(jam.lanes.lane)]),
                value: self.read(term),
                init: false,
            }));
            let kept = jam.lanes.kept.iter().find(|(var, _)| var == sum);
            let (_, lanes) = kept.unwrap_or_else(|| unreachable!("a sum lives as long as its row"));
            let subtract = *op == BinOp::Sub;
            let output = Output::Place(Place::var(*lanes, self.span));
            let kernel = Kernel::AddTransposed { subtract };
            adds.push(self.kernel(kernel, vec![self.read(all)], vec![output], Vec::new()));
        }
        each.push(self.counting(
            jam.lanes.lane,
            self.count(jam.lanes.together),
            Order::Forward,
            body,
        ));
        each.extend(adds);
        let four = self.function(Function::Four, Vec::new(), Ty::USIZE);
        each.push(self.advance(at, four.clone()));
        let left = self.binary(
            BinOp::Sub,
            self.read(frame.columns),
            self.read(at),
            Ty::USIZE,
        );
        let enough = self.binary(BinOp::Ge, left, four, Ty::Bool);
        let stmts = vec![
            self.declare(at, self.count(0)),
            self.as_long_as(enough, each),
        ];
        (at, stmts)
    }

    /// The values of an expression in four columns.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "the plan has terms of arithmetic alone: of anything else nothing is made"
    )]
    fn four_of(&self, e: &Expr, jam: &Jam, wide: &Wide) -> Expr {
        let ty = Ty::Four(Box::new(e.ty.clone()));
        let mut fixed = true;
        expr_reads(e, &mut |p| {
            fixed &= !wide.windows.contains(&p.root) && wide.of(p.root).is_none();
        });
        if fixed {
            return self.function(Function::Splat4, vec![e.clone()], ty);
        }
        let of = |e: &Expr| self.four_of(e, jam, wide);
        let kind = match &e.kind {
            ExprKind::Read(p) => match wide.of(p.root) {
                Some(four) => return self.read(four),
                None => return self.load4(p.root, jam, wide, ty),
            },
            ExprKind::Unary(op, a) => ExprKind::Unary(*op, Box::new(of(a))),
            ExprKind::Math(function, args) => {
                ExprKind::Math(*function, args.iter().map(of).collect())
            }
            ExprKind::Binary(op, a, b) => ExprKind::Binary(*op, Box::new(of(a)), Box::new(of(b))),
            _ => unreachable!("terms are arithmetic"),
        };
        Expr::new(kind, ty, e.span)
    }

    /// Four elements of a window, or of that of the lane.
    fn load4(&self, window: VarId, jam: &Jam, wide: &Wide, ty: Ty) -> Expr {
        let in_lanes = jam.rows.iter().any(|(var, _)| *var == window);
        let indices = if in_lanes {
            vec![self.read(jam.lanes.lane)]
        } else {
            Vec::new()
        };
        let of = ExprKind::Read(self.element(window, indices));
        let of = Expr::new(of, Ty::Slice(Box::new(ty.element())), self.span);
        self.function(Function::Load4, vec![of, self.read(wide.at)], ty)
    }
}
