//! Adjoints of operators on types that the macro does not see: rustc chooses the rule.

use syn::parse_quote;

use crate::ir::{
    Arg, ArgMode, BarArg, Behind, BinOp, Callee, CalleeKind, Expr, ExprKind, Returning, Stmt,
    StmtKind, Ty, UnOp, VarId,
};

use super::{AdjointBuilder, Seed};

impl AdjointBuilder<'_, '_> {
    /// The reverse sweep of the operator, with an adjoint for each operand: that of its place, unless another operand
    /// has it; what a tree or such a place gets is carried on afterwards.
    pub(super) fn operator(&mut self, e: &Expr, seed: Seed) {
        let Some(callee) = callee(e) else {
            self.adjoints.unsupported.push((e.span, "internal"));
            return;
        };
        let seed = self.seed_place(seed, e.span);
        let mut lent: Vec<VarId> = vec![seed.root];
        let (mut args, mut bars, mut after) = (Vec::new(), Vec::new(), Vec::new());
        for operand in e.children() {
            let value = self.value(operand);
            let mode = match operand.referenced() {
                Some(place) => ArgMode::Shared(place.clone()),
                None => ArgMode::Value(value.clone()),
            };
            let span = operand.span;
            let arg = Arg { mode, span };
            bars.push(if self.active(operand) {
                self.operand_bar(operand, &value, &mut lent, &mut after)
            } else {
                arg.unused_bar(self.adjoints.func)
            });
            args.push(arg);
        }
        let callee = Box::new(callee);
        let seed = Some(seed);
        let kind = StmtKind::CallReverse {
            callee,
            args,
            bars,
            seed,
        };
        self.push(kind, e.span);
        self.out.append(&mut after);
    }

    fn operand_bar(
        &mut self,
        operand: &Expr,
        value: &Expr,
        lent: &mut Vec<VarId>,
        after: &mut Vec<Stmt>,
    ) -> BarArg {
        if let ExprKind::Read(place) = &operand.kind {
            let bar = self.adjoints.bar_place(place);
            if !lent.contains(&bar.root) {
                lent.push(bar.root);
                return BarArg::Place(bar);
            }
        }
        let like = Expr {
            ty: operand.ty.peel().clone(),
            ..value.clone()
        };
        let bar = self.adjoints.own_bar(&like, operand.span, self.out);
        let mut whole = operand.clone();
        if let Ty::Ref(_, behind) = &operand.ty {
            whole.ty = (**behind).clone();
        }
        AdjointBuilder::new(self.adjoints, after).run(&whole, Seed::Place(bar.clone()), None);
        BarArg::Place(bar)
    }
}

/// The rule of an operator, by its name in the runtime.
fn callee(e: &Expr) -> Option<Callee> {
    let path = match &e.kind {
        ExprKind::Unary(UnOp::Neg, _) => parse_quote!(Neg),
        ExprKind::Unary(UnOp::Not, _) => parse_quote!(Not),
        ExprKind::Binary(op, ..) => match op {
            BinOp::Add => parse_quote!(Add),
            BinOp::Sub => parse_quote!(Sub),
            BinOp::Mul => parse_quote!(Mul),
            BinOp::Div => parse_quote!(Div),
            BinOp::Rem => parse_quote!(Rem),
            BinOp::BitAnd => parse_quote!(BitAnd),
            BinOp::BitOr => parse_quote!(BitOr),
            BinOp::BitXor => parse_quote!(BitXor),
            BinOp::Shl => parse_quote!(Shl),
            BinOp::Shr => parse_quote!(Shr),
            BinOp::AddAssign => parse_quote!(AddAssign),
            BinOp::SubAssign => parse_quote!(SubAssign),
            BinOp::MulAssign => parse_quote!(MulAssign),
            BinOp::DivAssign => parse_quote!(DivAssign),
            BinOp::RemAssign => parse_quote!(RemAssign),
            BinOp::BitAndAssign => parse_quote!(BitAndAssign),
            BinOp::BitOrAssign => parse_quote!(BitOrAssign),
            BinOp::BitXorAssign => parse_quote!(BitXorAssign),
            BinOp::ShlAssign => parse_quote!(ShlAssign),
            BinOp::ShrAssign => parse_quote!(ShrAssign),
            BinOp::And
            | BinOp::Or
            | BinOp::Eq
            | BinOp::Ne
            | BinOp::Lt
            | BinOp::Le
            | BinOp::Gt
            | BinOp::Ge => return None,
        },
        ExprKind::Lit(_)
        | ExprKind::Read(_)
        | ExprKind::Cast(..)
        | ExprKind::Math(..)
        | ExprKind::Tuple(_)
        | ExprKind::Array(_)
        | ExprKind::Struct(..)
        | ExprKind::Repeat(..)
        | ExprKind::VecLit(_)
        | ExprKind::VecRepeat(..)
        | ExprKind::VecNew(_)
        | ExprKind::Some(_)
        | ExprKind::None
        | ExprKind::Len(_)
        | ExprKind::ToVec(_)
        | ExprKind::Opaque(_)
        | ExprKind::NoGradient(_)
        | ExprKind::Rule(..)
        | ExprKind::Function(..)
        | ExprKind::ZeroLike(_)
        | ExprKind::Zero
        | ExprKind::SumOf(_) => return None,
    };
    Some(Callee {
        kind: CalleeKind::Operator,
        path,
        without: None,
        fallible: false,
        functions: Vec::new(),
        returning: Returning::Always,
        behind: Behind::Nothing,
        answer: None,
        iterated: false,
    })
}
