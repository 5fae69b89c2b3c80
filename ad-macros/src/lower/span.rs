//! Where a node of the syntax stands.
//!
//! Spans cannot be joined on stable, so the span of a node is that of its first token. `syn` makes the tokens of the
//! whole node to find it, and so again for each node around. Here it is read from the node.

use proc_macro2::{Ident, Span};
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{Expr, Pat};

/// What says where it begins.
pub(super) trait Start: ToTokens {
    /// The span of the first token, if the node says it at once.
    fn start(&self) -> Option<Span>;
}

pub(super) fn span_of(node: &impl Start) -> Span {
    match node.start() {
        Some(first) if first.join(first).is_none() => first,
        _ => node.span(),
    }
}

macro_rules! starts {
    ($($node:ident: |$e:ident| $start:expr;)*) => {
        $(impl Start for syn::$node {
            fn start(&self) -> Option<Span> {
                let $e = self;
                if $e.attrs.is_empty() { $start } else { None }
            }
        })*
    };
}

starts! {
    ExprArray: |e| Some(e.bracket_token.span.join());
    ExprAssign: |e| e.left.start();
    ExprBinary: |e| e.left.start();
    ExprBlock: |e| e.label.is_none().then(|| e.block.brace_token.span.join());
    ExprBreak: |e| Some(e.break_token.span);
    ExprCall: |e| e.func.start();
    ExprCast: |e| e.expr.start();
    ExprContinue: |e| Some(e.continue_token.span);
    ExprField: |e| e.base.start();
    ExprForLoop: |e| e.label.is_none().then_some(e.for_token.span);
    ExprIf: |e| Some(e.if_token.span);
    ExprIndex: |e| e.expr.start();
    ExprLit: |e| Some(e.lit.span());
    ExprLoop: |e| e.label.is_none().then_some(e.loop_token.span);
    ExprMatch: |e| Some(e.match_token.span);
    ExprMethodCall: |e| e.receiver.start();
    ExprParen: |e| Some(e.paren_token.span.join());
    ExprPath: |e| match (&e.qself, e.path.leading_colon) {
        (None, None) => e.path.segments.first().map(|first| first.ident.span()),
        _ => None,
    };
    ExprRange: |e| e.start.as_ref().and_then(|start| start.start());
    ExprReference: |e| e.and_token.spans.first().copied();
    ExprRepeat: |e| Some(e.bracket_token.span.join());
    ExprReturn: |e| Some(e.return_token.span);
    ExprStruct: |e| match (&e.qself, e.path.leading_colon) {
        (None, None) => e.path.segments.first().map(|first| first.ident.span()),
        _ => None,
    };
    ExprTry: |e| e.expr.start();
    ExprTuple: |e| Some(e.paren_token.span.join());
    ExprWhile: |e| e.label.is_none().then_some(e.while_token.span);
    PatIdent: |p| (p.by_ref.is_none() && p.mutability.is_none()).then(|| p.ident.span());
}

impl Start for syn::ExprUnary {
    fn start(&self) -> Option<Span> {
        let op = match &self.op {
            syn::UnOp::Deref(op) => op.spans[0],
            syn::UnOp::Not(op) => op.spans[0],
            syn::UnOp::Neg(op) => op.spans[0],
            _ => return None,
        };
        self.attrs.is_empty().then_some(op)
    }
}

impl Start for Expr {
    fn start(&self) -> Option<Span> {
        match self {
            Expr::Array(e) => e.start(),
            Expr::Assign(e) => e.start(),
            Expr::Binary(e) => e.start(),
            Expr::Block(e) => e.start(),
            Expr::Break(e) => e.start(),
            Expr::Call(e) => e.start(),
            Expr::Cast(e) => e.start(),
            Expr::Continue(e) => e.start(),
            Expr::Field(e) => e.start(),
            Expr::ForLoop(e) => e.start(),
            Expr::If(e) => e.start(),
            Expr::Index(e) => e.start(),
            Expr::Lit(e) => e.start(),
            Expr::Loop(e) => e.start(),
            Expr::Match(e) => e.start(),
            Expr::MethodCall(e) => e.start(),
            Expr::Paren(e) => e.start(),
            Expr::Path(e) => e.start(),
            Expr::Range(e) => e.start(),
            Expr::Reference(e) => e.start(),
            Expr::Repeat(e) => e.start(),
            Expr::Return(e) => e.start(),
            Expr::Struct(e) => e.start(),
            Expr::Try(e) => e.start(),
            Expr::Tuple(e) => e.start(),
            Expr::Unary(e) => e.start(),
            Expr::While(e) => e.start(),
            _ => None,
        }
    }
}

impl Start for Pat {
    fn start(&self) -> Option<Span> {
        match self {
            Pat::Ident(p) => p.start(),
            _ => None,
        }
    }
}

impl Start for Box<Expr> {
    fn start(&self) -> Option<Span> {
        (**self).start()
    }
}

impl Start for &Expr {
    fn start(&self) -> Option<Span> {
        (**self).start()
    }
}

impl Start for Ident {
    fn start(&self) -> Option<Span> {
        Some(self.span())
    }
}

macro_rules! unknown_starts {
    ($($node:ty),*) => {
        $(impl Start for $node {
            fn start(&self) -> Option<Span> {
                None
            }
        })*
    };
}

unknown_starts!(
    syn::Block,
    syn::ExprClosure,
    syn::ExprMacro,
    syn::FieldPat,
    syn::FieldValue,
    syn::Item,
    syn::PatTupleStruct,
    syn::StmtMacro,
    syn::token::Break,
    syn::token::Continue
);

#[cfg(test)]
mod tests {
    use syn::visit::{self, Visit};

    use super::*;

    #[derive(Default)]
    struct Compare {
        known: usize,
    }

    impl Visit<'_> for Compare {
        fn visit_expr(&mut self, e: &Expr) {
            let first = e.to_token_stream().into_iter().next().expect("a token");
            if let Some(start) = e.start() {
                self.known += 1;
                let ends = |span: Span| (span.start(), span.end());
                assert_eq!(ends(start), ends(first.span()), "{}", e.to_token_stream());
            }
            visit::visit_expr(self, e);
        }

        fn visit_pat(&mut self, p: &Pat) {
            let first = p.to_token_stream().into_iter().next().expect("a token");
            if let Some(start) = p.start() {
                assert_eq!(start.start(), first.span().start());
            }
            visit::visit_pat(self, p);
        }
    }

    #[test]
    fn a_node_begins_with_its_first_token() {
        let function: syn::ItemFn = syn::parse_str(
            "fn f(x: &[f64]) -> Option<f64> {
                let mut s = -x[0] * (x[1] as f64).sin() + [1.0, 2.0][0];
                let (ref a, b) = (&s, *x.get(1)?);
                for i in 0..x.len() { if !(i > 3) { continue } else { s += p.q.r(x[i])?; } }
                'a: for _ in ..3 { loop { break 'a; } }
                while s > 0.0 { s = { s / 2.0 }; }
                #[allow(unused)] { s; }
                let v = S { a: [0.0; 3], ..::a::B {} };
                return match v { _ => Some(<f64>::from(s)), };
            }",
        )
        .expect("it parses");
        let mut compare = Compare::default();
        compare.visit_item_fn(&function);
        assert!(compare.known > 60, "{}", compare.known);
    }
}
