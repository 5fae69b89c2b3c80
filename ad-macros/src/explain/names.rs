//! Values and places in the user's words.

use quote::ToTokens;

use crate::ir::hash::HashMap;
use crate::ir::{
    Callee, Expr, ExprKind, Func, KEPT, OpaqueArg, OpaqueKind, Place, Proj, Stmt, StmtKind, Ty,
    UnOp, VarId, VarKind, name,
};

/// Expressions longer than this are cut short.
const LONG: usize = 40;

/// What variables stand for.
pub(crate) struct Names<'a> {
    func: &'a Func,
    /// How the compiler's own variables are made.
    made: HashMap<VarId, Made<'a>>,
}

enum Made<'a> {
    From(&'a Expr),
    By(&'a Callee),
    /// Of one of these.
    Branch(Vec<&'a [VarId]>),
}

impl<'a> Names<'a> {
    /// Knows what `stmts` declare.
    pub(crate) fn new(func: &'a Func, lists: [&'a [Stmt]; 2]) -> Self {
        let mut names = Names {
            func,
            made: HashMap::default(),
        };
        lists.into_iter().for_each(|stmts| names.learn(stmts));
        names
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "others give no names")]
    fn learn(&mut self, stmts: &'a [Stmt]) {
        for stmt in stmts {
            match &stmt.kind {
                StmtKind::Let { var, init: Some(e) } => {
                    self.made.entry(*var).or_insert(Made::From(e));
                }
                StmtKind::CallForward {
                    dest: Some(dest),
                    callee,
                    ..
                } => {
                    self.made.insert(*dest, Made::By(callee));
                }
                StmtKind::Branch { rec, arms, .. } => {
                    let arms = arms.iter().map(|(_, vars)| vars.as_slice()).collect();
                    self.made.insert(*rec, Made::Branch(arms));
                }
                _ => {}
            }
            for block in stmt.kind.blocks() {
                self.learn(&block.stmts);
            }
        }
    }

    /// A value that is recorded.
    pub(crate) fn value(&self, var: VarId) -> String {
        let info = self.func.var(var);
        match self.made.get(&var) {
            Some(Made::Branch(arms)) => self.branch(arms),
            Some(Made::By(callee)) if info.kind == VarKind::Temp => {
                format!("the result of `{}`", callee.text())
            }
            Some(Made::From(_))
                if info.kind == VarKind::Temp && info.mutable && matches!(info.ty, Ty::Int(_)) =>
            {
                "a count of iterations".to_owned()
            }
            Some(Made::From(e)) if info.kind == VarKind::Temp && !info.mutable => {
                if let Some(text) = self.kept_result(e) {
                    return text;
                }
                if let ExprKind::Read(place) = &e.kind {
                    format!("the old `{}`", short(self.place(place)))
                } else {
                    format!("`{}`", short(self.expr(e)))
                }
            }
            _ => format!("`{}`", name(self.func, var)),
        }
    }

    /// What is kept of a result, if that is what the value is.
    fn kept_result(&self, e: &Expr) -> Option<String> {
        if let ExprKind::Opaque(o) = &e.kind
            && matches!(o.kind, OpaqueKind::Other(KEPT))
            && let Some((_, OpaqueArg::Place(result))) = o.args.first()
        {
            let result = self.value(result.root);
            Some(format!("{result} unless computed again"))
        } else {
            None
        }
    }

    fn branch(&self, arms: &[&[VarId]]) -> String {
        let mut values: Vec<String> = Vec::new();
        for var in arms.iter().copied().flatten() {
            let value = self.value(*var);
            if !values.contains(&value) {
                values.push(value);
            }
        }
        match values.as_slice() {
            [] => "the branch taken".to_owned(),
            some => format!("the branch taken with {}", listed(some)),
        }
    }

    /// The size of a value on the tape, if its type says. Addresses are taken to have 64 bits.
    pub(crate) fn bytes(&self, var: VarId) -> Option<usize> {
        if let Some(Made::Branch(arms)) = self.made.get(&var) {
            let mut sizes = arms.iter().rev().map(|vars| self.record_bytes(vars));
            // Alternatives are nested, each with a byte that says which it is.
            let last = sizes.next()?;
            return sizes.fold(last, |rest, arm| Some(1 + arm?.max(rest?)));
        }
        self.func.var(var).ty.bytes()
    }

    pub(crate) fn record_bytes(&self, vars: &[VarId]) -> Option<usize> {
        vars.iter().map(|var| self.bytes(*var)).sum()
    }

    /// A place as the user would write it.
    pub(crate) fn place(&self, place: &Place) -> String {
        let mut out = name(self.func, place.root);
        for proj in &place.proj {
            match proj {
                Proj::Deref | Proj::Payload | Proj::Unbox => {}
                Proj::Variant(part) => out = format!("{out}.{}", part.field),
                Proj::Index(e) => out = format!("{out}[{}]", self.expr(e)),
                Proj::Field(field) => out = format!("{out}.{field}"),
                Proj::Range { lo, hi, inclusive } => {
                    let bound = |e: &Option<Box<Expr>>| e.as_ref().map(|e| self.expr(e));
                    let (lo, hi) = (bound(lo).unwrap_or_default(), bound(hi).unwrap_or_default());
                    let dots = if *inclusive { "..=" } else { ".." };
                    out = format!("{out}[{lo}{dots}{hi}]");
                }
            }
        }
        out
    }

    /// An expression nearly as the user would write it.
    fn expr(&self, e: &Expr) -> String {
        let args = |args: &[Expr]| {
            let args: Vec<String> = args.iter().map(|e| self.expr(e)).collect();
            args.join(", ")
        };
        match &e.kind {
            ExprKind::Lit(lit) => lit.text().to_owned(),
            ExprKind::Read(place) => self.place(place),
            ExprKind::Len(place) => format!("{}.len()", self.place(place)),
            ExprKind::Unary(UnOp::Neg, a) => format!("-{}", self.operand(a)),
            ExprKind::Unary(UnOp::Not, a) => format!("!{}", self.operand(a)),
            ExprKind::Binary(op, a, b) => {
                format!("{} {} {}", self.operand(a), op.symbol(), self.operand(b))
            }
            ExprKind::Cast(a, ty) => {
                let ty = self.func.written.target_tokens(ty, e.span);
                format!("{} as {}", self.operand(a), tokens(&ty))
            }
            ExprKind::Math(f, operands) => format!("{}({})", f.name(), args(operands)),
            ExprKind::Tuple(parts) => format!("({})", args(parts)),
            ExprKind::Struct(constructor, _) => format!("{} {{ … }}", constructor.name()),
            ExprKind::Array(parts) => format!("[{}]", args(parts)),
            ExprKind::NoGradient(a) => self.expr(a),
            ExprKind::Some(a) => format!("Some({})", self.expr(a)),
            ExprKind::None => "None".to_owned(),
            ExprKind::Repeat(..)
            | ExprKind::VecLit(_)
            | ExprKind::VecRepeat(..)
            | ExprKind::VecNew(_)
            | ExprKind::ToVec(_)
            | ExprKind::Opaque(_)
            | ExprKind::Rule(..)
            | ExprKind::ZeroLike(_)
            | ExprKind::Zero
            | ExprKind::Function(..)
            | ExprKind::SumOf(_) => "…".to_owned(),
        }
    }

    fn operand(&self, e: &Expr) -> String {
        if let ExprKind::Binary(..) | ExprKind::Cast(..) = &e.kind {
            format!("({})", self.expr(e))
        } else {
            self.expr(e)
        }
    }
}

/// "a, b and c"
pub(crate) fn listed(parts: &[String]) -> String {
    match parts.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => parts.concat(),
    }
}

fn tokens(syntax: &impl ToTokens) -> String {
    syntax.to_token_stream().to_string().replace(' ', "")
}

fn short(text: String) -> String {
    let text = text.replace('`', "'");
    match text.char_indices().nth(LONG) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}
