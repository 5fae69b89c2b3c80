//! Expressions, places and types as text.

use quote::ToTokens;

use super::Printer;
use crate::ir::{
    Arg, ArgMode, Expr, ExprKind, IntTy, Opaque, OpaqueArg, Place, Proj, RangeIter, Ty, UnOp,
    Written,
};

impl Printer<'_> {
    pub(super) fn args(&self, args: &[Arg]) -> String {
        let texts: Vec<String> = args
            .iter()
            .map(|a| match &a.mode {
                ArgMode::Value(e) => self.expr(e),
                ArgMode::Shared(p) => format!("&{}", self.place(p)),
                ArgMode::InOut(p) => format!("&mut {}", self.place(p)),
            })
            .collect();
        texts.join(", ")
    }

    pub(super) fn range(&self, r: &RangeIter) -> String {
        let dots = if r.inclusive { "..=" } else { ".." };
        let step = r
            .step
            .as_ref()
            .map(|s| format!(" step {}", self.expr(s)))
            .unwrap_or_default();
        format!(
            "{}{dots}{}{step}{}",
            self.expr(&r.lo),
            self.expr(&r.hi),
            match (r.rev_first, r.rev) {
                (false, false) => "",
                (false, true) => " rev",
                (true, false) => " from the end",
                (true, true) => " from the end rev",
            }
        )
    }

    pub(super) fn place(&self, p: &Place) -> String {
        let mut out = self.name(p.root);
        for proj in &p.proj {
            match proj {
                Proj::Deref => out = format!("(*{out})"),
                Proj::Index(e) => out = format!("{out}[{}]", self.expr(e)),
                Proj::Field(field) => out = format!("{out}.{field}"),
                Proj::Range { lo, hi, inclusive } => {
                    let bound = |e: &Option<Box<Expr>>| {
                        e.as_ref().map(|e| self.expr(e)).unwrap_or_default()
                    };
                    out = format!(
                        "{out}[{}..{}{}]",
                        bound(lo),
                        if *inclusive { "=" } else { "" },
                        bound(hi)
                    );
                }
                Proj::Payload => out = format!("{out}.some"),
                Proj::Unbox => out = format!("{out}.box"),
                Proj::Variant(part) => out = format!("{out}.{}.{}", part.name(), part.field),
            }
        }
        out
    }

    pub(super) fn opaque(&self, o: &Opaque) -> String {
        let args: Vec<String> = o
            .args
            .iter()
            .map(|(name, arg)| match arg {
                OpaqueArg::Place(p) => format!("{name} = {}", self.place(p)),
                OpaqueArg::Ref(p) => format!("{name} = &{}", self.place(p)),
                OpaqueArg::RefMut(p) => format!("{name} = &mut {}", self.place(p)),
                OpaqueArg::Value(e) => format!("{name} = {}", self.expr(e)),
            })
            .collect();
        format!("`{}` with ({})", o.code.to_token_stream(), args.join(", "))
    }

    pub(super) fn list(&self, parts: &[Expr]) -> String {
        parts
            .iter()
            .map(|e| self.expr(e))
            .collect::<Vec<_>>()
            .join(", ")
    }

    pub(super) fn expr(&self, e: &Expr) -> String {
        match &e.kind {
            ExprKind::Lit(lit) => lit.text().to_owned(),
            ExprKind::Read(p) => self.place(p),
            ExprKind::Unary(UnOp::Neg, a) => format!("-{}", self.expr(a)),
            ExprKind::Unary(UnOp::Not, a) => format!("!{}", self.expr(a)),
            ExprKind::Binary(op, a, b) => format!("({} {op:?} {})", self.expr(a), self.expr(b)),
            ExprKind::Cast(a, ty) => {
                let ty = self.func.written.target_tokens(ty, e.span);
                format!("({} as {ty})", self.expr(a))
            }
            ExprKind::Math(f, args) => format!("{}({})", f.name(), self.list(args)),
            ExprKind::Rule(rule, args) => format!("rule {}({})", rule.name(), self.list(args)),
            ExprKind::Tuple(parts) => format!("({})", self.list(parts)),
            ExprKind::Struct(constructor, values) => {
                let (fields, base) = constructor.parts(values);
                let mut parts: Vec<String> = fields
                    .map(|(field, value)| format!("{field}: {}", self.expr(value)))
                    .collect();
                parts.extend(base.map(|base| format!("..{}", self.expr(base))));
                format!("{} {{ {} }}", constructor.name(), parts.join(", "))
            }
            ExprKind::Array(parts) => format!("[{}]", self.list(parts)),
            ExprKind::Repeat(a, n) => {
                let len = self.func.written.len_tokens(n);
                format!("[{}; {len}]", self.expr(a))
            }
            ExprKind::VecLit(parts) => format!("vec![{}]", self.list(parts)),
            ExprKind::VecRepeat(a, n) => format!("vec![{}; {}]", self.expr(a), self.expr(n)),
            ExprKind::VecNew(_) => "vec![]".to_owned(),
            ExprKind::Some(a) => format!("Some({})", self.expr(a)),
            ExprKind::None => "None".to_owned(),
            ExprKind::Len(p) => format!("{}.len()", self.place(p)),
            ExprKind::ToVec(p) => format!("{}.to_vec()", self.place(p)),
            ExprKind::Opaque(o) => self.opaque(o),
            ExprKind::NoGradient(a) => format!("no_gradient({})", self.expr(a)),
            ExprKind::ZeroLike(p) => format!("zero({})", self.place(p)),
            ExprKind::Zero => "0".to_owned(),
            ExprKind::Function(f, args) if args.is_empty() => f.name().to_owned(),
            ExprKind::Function(f, args) => format!("{}({})", f.name(), self.list(args)),
            ExprKind::SumOf(p) => format!("sum({})", self.place(p)),
        }
    }
}

/// A type in the notation of Rust, as far as known.
pub(super) fn ty_text(ty: &Ty, written: &Written) -> String {
    let ty_text = |ty| ty_text(ty, written);
    match ty {
        Ty::F32 => "f32".to_owned(),
        Ty::F64 => "f64".to_owned(),
        Ty::Float => "float".to_owned(),
        Ty::Int(ty) => ty.map_or("{integer}", IntTy::name).to_owned(),
        Ty::Index => "index".to_owned(),
        Ty::Mirrored(t) => format!("mirrored [{}]", ty_text(t)),
        Ty::Four(t) => format!("4 x {}", ty_text(t)),
        Ty::Bool => "bool".to_owned(),
        Ty::Char => "char".to_owned(),
        Ty::Unit => "()".to_owned(),
        Ty::Str => "str".to_owned(),
        Ty::Array(t, Some(len)) => format!("[{}; {}]", ty_text(t), written.len_tokens(len)),
        Ty::Array(t, None) => format!("[{}; _]", ty_text(t)),
        Ty::Slice(t) => format!("[{}]", ty_text(t)),
        Ty::Vec(t) => format!("Vec<{}>", ty_text(t)),
        Ty::Queue(t) => format!("VecDeque<{}>", ty_text(t)),
        Ty::Tuple(parts) => format!(
            "({})",
            parts.iter().map(ty_text).collect::<Vec<_>>().join(", ")
        ),
        Ty::Option(t) => format!("Option<{}>", ty_text(t)),
        Ty::Ref(mutable, t) => format!("&{}{}", if *mutable { "mut " } else { "" }, ty_text(t)),
        Ty::Passive => "passive".to_owned(),
        Ty::Unknown | Ty::Struct(_) | Ty::Infer(_) => "_".to_owned(),
    }
}
