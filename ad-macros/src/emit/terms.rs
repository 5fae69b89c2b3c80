//! The terms of sums in jammed loops, of four columns of a row at once.

use proc_macro2::TokenStream;
use quote::quote;

use crate::ir::{
    BinOp, Expr, ExprKind, Jam, Segment, StmtKind, Terms, Ty, UnOp, VarId, expr_reads, literal,
};

use super::{Emitter, own};

impl Emitter<'_> {
    /// The inner loop as far as there are four columns: the terms of row after row, then the additions, column by
    /// column.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "passes put nothing else here, and what they do stops the compiler"
    )]
    pub(super) fn jam_terms(&self, jam: &Jam, terms: &Terms) -> TokenStream {
        let (rt, at, columns) = (self.rt(), own("__column_at"), own("__columns"));
        let (lane, counter, number) =
            (self.name(jam.lane), self.name(jam.counter), own("__number"));
        let (start, done) = (own("__start"), own("__together"));
        let together = literal::count(jam.together);
        let (mut clear, mut keep, mut add) =
            (TokenStream::new(), TokenStream::new(), TokenStream::new());
        for (sum, op, term) in &terms.adds {
            let (name, fours) = (self.name(*term), self.fours(*term));
            let all = own(&format!("__{name}_all"));
            let kept = jam.kept.iter().find(|(var, _)| var == sum);
            let lanes = self.name(kept.expect("a sum lives as long as its row").1);
            let zero = self.zero(&self.func.var(*term).ty);
            let into = if *op == BinOp::Sub {
                quote!(sub_transposed)
            } else {
                quote!(add_transposed)
            };
            clear.extend(quote!(let mut #all = [#rt::splat4::<#fours>(#zero); #together];));
            keep.extend(quote!(#all[#lane] = #name;));
            add.extend(quote!(#rt::#into::<#fours, #together>(&mut #lanes, &#all);));
        }
        let takes = self.terms_take(jam, terms);
        let body = terms.body.stmts.iter().map(|stmt| match &stmt.kind {
            StmtKind::Let {
                var,
                init: Some(value),
            } => {
                let (name, fours) = (self.name(*var), self.fours(*var));
                let value = self.wide(value, jam, terms, &fours);
                quote!(let #name: #fours = #value;)
            }
            _ => unreachable!("the body declares numbers"),
        });
        quote! {
            let mut #at: usize = 0;
            while #columns - #at >= #rt::FOUR {
                #clear
                for #lane in 0..#together {
                    let #number: usize = #done + #lane;
                    let #counter: usize = #start + #number;
                    #takes
                    #(#body)*
                    #keep
                }
                #add
                #at += #rt::FOUR;
            }
        }
    }

    /// Variables of the lane that the terms read.
    fn terms_take(&self, jam: &Jam, terms: &Terms) -> TokenStream {
        let sum = |var: &&VarId| terms.adds.iter().all(|(sum, ..)| sum != *var);
        let segment = Segment {
            takes: jam.inside.takes.iter().filter(sum).copied().collect(),
            ..Segment::default()
        };
        self.jam_lanes(jam, &segment).0
    }

    /// The type of four numbers.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "passes put nothing else here, and what they do stops the compiler"
    )]
    fn fours(&self, var: VarId) -> TokenStream {
        let rt = self.rt();
        match self.func.var(var).ty {
            Ty::F32 => quote!(#rt::F32x4),
            _ => quote!(#rt::F64x4),
        }
    }

    /// The values of an expression in four columns.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "passes put nothing else here, and what they do stops the compiler"
    )]
    fn wide(&self, e: &Expr, jam: &Jam, terms: &Terms, fours: &TokenStream) -> TokenStream {
        let (rt, at) = (self.rt(), own("__column_at"));
        let is = |list: &[(VarId, crate::ir::View)], root| list.iter().any(|(var, _)| *var == root);
        let declared = |root| {
            let mut stmts = terms.body.stmts.iter();
            stmts.any(|s| matches!(&s.kind, StmtKind::Let { var, .. } if *var == root))
        };
        let mut fixed = true;
        expr_reads(e, &mut |p| {
            fixed &= !is(&jam.rows, p.root) && !is(&jam.shared, p.root) && !declared(p.root);
        });
        if fixed {
            let value = self.expr(e);
            return quote!(#rt::splat4::<#fours>(#value));
        }
        let of = |e: &Expr| self.wide(e, jam, terms, fours);
        match &e.kind {
            ExprKind::Read(p) if is(&jam.rows, p.root) => {
                let (name, lane) = (self.name(p.root), self.name(jam.lane));
                quote!(#rt::load4::<#fours>(&#name[#lane], #at))
            }
            ExprKind::Read(p) if is(&jam.shared, p.root) => {
                let name = self.name(p.root);
                quote!(#rt::load4::<#fours>(&#name, #at))
            }
            ExprKind::Read(p) => {
                let name = self.name(p.root);
                quote!(#name)
            }
            ExprKind::Unary(UnOp::Neg, a) => {
                let a = of(a);
                quote!((-#a))
            }
            ExprKind::Math(_, args) => {
                let a = of(&args[0]);
                quote!(#rt::Vector4::sqrt(#a))
            }
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (of(a), of(b));
                match op {
                    BinOp::Add => quote!((#a + #b)),
                    BinOp::Sub => quote!((#a - #b)),
                    BinOp::Mul => quote!((#a * #b)),
                    _ => quote!((#a / #b)),
                }
            }
            _ => unreachable!("terms are arithmetic"),
        }
    }
}
