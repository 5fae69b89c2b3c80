//! The end of the walk: types are filled in, and what depended on them is decided.

use proc_macro2::Ident;
use syn::ext::IdentExt;

use super::infer::{Class, Infer};
use super::opaque::Builder;
use super::{Lowerer, Obligation};
use crate::diag::catalog;
use crate::ir::edit::{blocks_mut, each_expr, each_place, each_stmt};
use crate::ir::hash::HashSet;
use crate::ir::{
    Arg, ArgMode, BinOp, Block, Expr, ExprKind, Func, Opaque, OpaqueArg, OpaqueKind, Passing,
    Place, Proj, Stmt, StmtKind, Ty, VarId, VarKind,
};

impl Lowerer<'_> {
    pub(super) fn finish(mut self) -> Func {
        self.types.solve();
        self.write_integers();
        self.obligations();
        let frame = self.frames.pop().expect("the body's frame is open");
        let mut body = Block { stmts: frame.stmts };
        self.expand_references(&mut body);
        for info in &mut self.func.vars {
            info.ty = self.types.finish(&info.ty);
        }
        for param in &mut self.func.params {
            param.ty = self.types.finish(&param.ty);
        }
        self.func.ret_ty = self.types.finish(&self.func.ret_ty);
        for asked in &mut self.func.behind_references {
            asked.ty = self.types.finish(&asked.ty);
        }
        for called in &mut self.func.std_methods {
            called.ty = self.types.finish(&called.ty);
        }
        self.block_types(&mut body);
        self.default_values(&mut body);
        self.apart(&mut body);
        super::aggregates::replace(&mut self.func, &mut body);
        self.rename_shadowing();
        super::aggregates::split_parameters(&mut self.func, &mut body);
        super::aggregates::cut_constant_fields(&self.func, &mut body);
        mark_written(&mut self.func, &body);
        super::aggregates::share_what_is_read(&mut self.func);
        self.func.body = body;
        crate::ir::mark_parts(&mut self.func);
        self.func
    }

    fn obligations(&mut self) {
        for obligation in std::mem::take(&mut self.obligations) {
            let (holds, span, message) = match obligation {
                Obligation::Primitive(ty, span, message) => {
                    let holds = matches!(
                        self.types.class(&ty),
                        Class::Float | Class::Int | Class::Number
                    ) || self.types.shallow(&ty) == Ty::Bool;
                    (holds, span, message)
                }
                Obligation::Usize(ty, span, message) => {
                    (self.types.shallow(&ty) == Ty::USIZE, span, message)
                }
                Obligation::Passive(ty, span, message) => {
                    (self.types.is_passive(&ty), span, message)
                }
            };
            if !holds {
                self.diags.at(span, message);
            }
        }
    }

    // Types.

    fn block_types(&mut self, block: &mut Block) {
        block
            .stmts
            .retain(|stmt| !self.is_needless_check(stmt) && !self.is_needless_name(stmt));
        for stmt in &mut block.stmts {
            self.stmt_types(stmt);
        }
    }

    fn stmt_types(&mut self, stmt: &mut Stmt) {
        each_expr(stmt, &mut |e| self.expr_types(e));
        each_place(stmt, &mut |place| self.place_types(place));
        if let StmtKind::Opaque(opaque) = &mut stmt.kind {
            self.opaque_types(opaque);
        }
        for block in blocks_mut(stmt) {
            self.block_types(block);
        }
        self.settle_update(stmt);
    }

    /// `+=` on anything but floats is a plain assignment.
    fn settle_update(&mut self, stmt: &mut Stmt) {
        let StmtKind::Update { place, op, value } = &stmt.kind else {
            return;
        };
        let ty = place_type(&self.func, place, &|ty| self.types.shallow(ty));
        let ty = if ty == Ty::Unknown && through_unseen(&self.func, place, &self.types) {
            value.ty.peel().clone()
        } else {
            ty
        };
        if ty.is_float() {
            return;
        }
        let old = Expr::new(ExprKind::Read(place.clone()), ty.clone(), stmt.span);
        let op = &op.assigning().filter(|_| !ty.is_scalar()).unwrap_or(*op);
        let value = Expr::new(
            ExprKind::Binary(*op, Box::new(old), Box::new(value.clone())),
            ty,
            stmt.span,
        );
        stmt.kind = StmtKind::Assign {
            place: place.clone(),
            value,
            init: false,
        };
    }

    fn expr_types(&mut self, e: &mut Expr) {
        e.ty = self.types.finish(&e.ty);
        match &mut e.kind {
            ExprKind::Lit(_) | ExprKind::None | ExprKind::VecNew(None) | ExprKind::Zero => {}
            ExprKind::Read(p)
            | ExprKind::Len(p)
            | ExprKind::ToVec(p)
            | ExprKind::ZeroLike(p)
            | ExprKind::SumOf(p) => self.place_types(p),
            ExprKind::Unary(_, a)
            | ExprKind::Cast(a, _)
            | ExprKind::Repeat(a, _)
            | ExprKind::VecNew(Some(a))
            | ExprKind::NoGradient(a) => self.expr_types(a),
            ExprKind::Some(a) => self.part_types(a),
            ExprKind::Tuple(parts) => parts.iter_mut().for_each(|a| self.part_types(a)),
            ExprKind::Binary(_, a, b) | ExprKind::VecRepeat(a, b) => {
                self.expr_types(a);
                self.expr_types(b);
            }
            ExprKind::Math(_, args)
            | ExprKind::Rule(_, args)
            | ExprKind::Function(_, args)
            | ExprKind::Struct(_, args)
            | ExprKind::Array(args)
            | ExprKind::VecLit(args) => {
                args.iter_mut().for_each(|a| self.expr_types(a));
            }
            ExprKind::Opaque(opaque) => self.opaque_types(opaque),
        }
        self.settle_math(e);
        settle_operator(e);
    }

    /// A part of a tuple or an option: a reference in it, which a function is given, stays one.
    fn part_types(&mut self, e: &mut Expr) {
        let given = e.referenced().is_some().then(|| self.types.finish(&e.ty));
        self.expr_types(e);
        if let Some(ty) = given {
            e.ty = ty;
        }
    }

    /// `a.max(b)` turned out to be on integers.
    fn settle_math(&mut self, e: &mut Expr) {
        let ExprKind::Math(f, args) = &e.kind else {
            return;
        };
        let Some(ty @ Ty::Int(_)) = args.first().map(|a| a.ty.clone()) else {
            return;
        };
        let (name, args, span) = (f.name(), args.clone(), e.span);
        let mut builder = Builder::default();
        let mut operands = args
            .into_iter()
            .map(|a| builder.scalar(self, a))
            .collect::<Vec<_>>();
        let receiver = super::opaque::atom(operands.remove(0));
        let method = Ident::new(name, span);
        let opaque = builder.build(
            self,
            syn::parse_quote!(#receiver.#method(#(#operands),*)),
            OpaqueKind::Method(method),
        );
        *e = Expr::new(ExprKind::Opaque(Box::new(opaque)), ty, span);
    }

    pub(super) fn place_types(&mut self, place: &mut Place) {
        for proj in &mut place.proj {
            match proj {
                Proj::Index(e) => self.expr_types(e),
                Proj::Range { lo, hi, .. } => {
                    lo.iter_mut().chain(hi).for_each(|e| self.expr_types(e))
                }
                Proj::Deref | Proj::Field(_) | Proj::Payload | Proj::Variant(_) | Proj::Unbox => {}
            }
        }
    }

    fn opaque_types(&mut self, opaque: &mut Opaque) {
        for (_, arg) in &mut opaque.args {
            match arg {
                OpaqueArg::Place(p) | OpaqueArg::Ref(p) | OpaqueArg::RefMut(p) => {
                    self.place_types(p)
                }
                OpaqueArg::Value(e) => self.expr_types(e),
            }
        }
    }

    /// `let mut x;` gets a value that nothing reads.
    fn default_values(&mut self, body: &mut Block) {
        let deferred = std::mem::take(&mut self.deferred);
        if deferred.is_empty() {
            return;
        }
        let mut first = HashSet::default();
        for var in deferred.keys() {
            let needs_none = default_value(&self.func.var(*var).ty, deferred[var]).is_some();
            if !needs_none && super::first_values::mark(body, *var) {
                first.insert(*var);
            }
        }
        each_stmt(body, &mut |stmt| {
            let StmtKind::Let {
                var,
                init: init @ None,
            } = &mut stmt.kind
            else {
                return;
            };
            let Some(span) = deferred.get(var) else {
                return;
            };
            *init = default_value(&self.func.var(*var).ty, *span);
            if init.is_none() && !first.contains(var) {
                let message = match self.func.var(*var).kind {
                    VarKind::Temp => catalog::array_map(),
                    _ => catalog::deferred_mut(),
                };
                self.diags.at(*span, message);
            }
        });
    }

    // Names.

    /// A variable must not hide a function or constant that the body names.
    fn rename_shadowing(&mut self) {
        for n in 0..self.func.vars.len() {
            let name = self.func.vars[n].name.clone();
            let base = name.unraw().to_string();
            if self.nonlocal.contains(&base) {
                let name = self.func.fresh_name(&base, name.span());
                self.func.vars[n].name = name.clone();
                let var = VarId(u32::try_from(n).unwrap_or(u32::MAX));
                if let Some(param) = self.func.params.iter_mut().find(|p| p.var == var) {
                    param.ident = name;
                }
            }
        }
    }
}

/// Whether the way to the place leads through a type that is not seen, so that what it holds may still be a number.
fn through_unseen(func: &Func, place: &Place, types: &Infer) -> bool {
    (0..place.proj.len()).any(|at| {
        let of = Place {
            proj: place.proj[..at].into(),
            ..place.clone()
        };
        place_type(func, &of, &|ty| types.shallow(ty)).is_unseen()
    })
}

/// What turned out to be numbers has the operators of the language, and references to numbers are read.
fn settle_operator(e: &mut Expr) {
    if let (ExprKind::Read(_), Ty::Ref(false, behind)) = (&e.kind, &e.ty)
        && behind.is_scalar()
    {
        e.ty = (**behind).clone();
    }
    if let ExprKind::Binary(op, a, b) = &mut e.kind
        && let Some(plain) = op.assigned()
        && a.ty.is_scalar()
        && b.ty.is_scalar()
    {
        *op = plain;
    }
}

/// The type of a place, from the types of variables, which `known` looks up.
pub(super) fn place_type(func: &Func, place: &Place, known: &dyn Fn(&Ty) -> Ty) -> Ty {
    let mut ty = known(&func.var(place.root).ty);
    for proj in &place.proj {
        let part = match (proj, ty) {
            (Proj::Deref, Ty::Ref(_, t)) => *t,
            (Proj::Index(_), Ty::Array(t, _) | Ty::Slice(t) | Ty::Vec(t) | Ty::Queue(t)) => *t,
            (Proj::Range { .. }, Ty::Array(t, _) | Ty::Slice(t) | Ty::Vec(t)) => Ty::Slice(t),
            (Proj::Field(field), Ty::Tuple(ts)) => {
                let part = field.position().and_then(|n| ts.get(n));
                part.cloned().unwrap_or(Ty::Unknown)
            }
            (Proj::Field(field), Ty::Struct(of)) => match of.field(field) {
                Some(known) => known.ty.clone(),
                None => return Ty::Unknown,
            },
            (Proj::Payload, Ty::Option(t)) => *t,
            _ => return Ty::Unknown,
        };
        ty = known(&part);
    }
    ty
}

fn default_value(ty: &Ty, span: proc_macro2::Span) -> Option<Expr> {
    match ty {
        Ty::F32 | Ty::F64 | Ty::Float => Some(Expr::float(0.0, ty, span)),
        Ty::Int(_) => Some(Expr::integer(0, ty, span)),
        Ty::Bool => Some(super::exits::truth(false)),
        Ty::Vec(_) | Ty::Queue(_) => Some(Expr::new(ExprKind::VecNew(None), ty.clone(), span)),
        Ty::Option(_) => Some(Expr::new(ExprKind::None, ty.clone(), span)),
        Ty::Tuple(ts) => {
            let parts = ts
                .iter()
                .map(|t| default_value(t, span))
                .collect::<Option<Vec<_>>>()?;
            Some(Expr::new(ExprKind::Tuple(parts), ty.clone(), span))
        }
        Ty::Array(t, Some(len)) if t.is_copy() => {
            let value = default_value(t, span)?;
            Some(Expr::new(
                ExprKind::Repeat(Box::new(value), len.clone()),
                ty.clone(),
                span,
            ))
        }
        _ => None,
    }
}

/// Sets `mutable` on every variable that is written after its declaration.
fn mark_written(func: &mut Func, body: &Block) {
    let mut written = HashSet::default();
    crate::ir::visit_stmts(body, &mut |stmt| {
        let mut mark = |place: &Place| {
            written.insert(place.root);
        };
        match &stmt.kind {
            StmtKind::Assign {
                place, init: false, ..
            }
            | StmtKind::Update { place, .. }
            | StmtKind::Fill { slice: place, .. } => mark(place),
            StmtKind::Push { vec: place, .. }
            | StmtKind::Pop { vec: place, .. }
            | StmtKind::Truncate { vec: place, .. } => mark(place),
            StmtKind::CopyFrom { dst, .. } => mark(dst),
            StmtKind::Swap(a, b) => {
                mark(a);
                mark(b);
            }
            StmtKind::Call { args, .. } => {
                for Arg { mode, .. } in args {
                    if let ArgMode::InOut(place) = mode {
                        mark(place);
                    }
                }
            }
            _ => {}
        }
        match &stmt.kind {
            StmtKind::Let { init: Some(e), .. } => crate::ir::ref_mut_places(e, &mut mark),
            StmtKind::Opaque(opaque) => opaque.args.iter().for_each(|(_, arg)| {
                if let OpaqueArg::RefMut(place) = arg {
                    mark(place);
                }
            }),
            _ => {}
        }
    });
    let shared: HashSet<VarId> = func
        .params
        .iter()
        .filter(|p| p.passing != Passing::InOut)
        .map(|p| p.var)
        .collect();
    for (n, info) in func.vars.iter_mut().enumerate() {
        let var = VarId(u32::try_from(n).unwrap_or(u32::MAX));
        info.mutable =
            written.contains(&var) && !(info.kind == VarKind::Param && shared.contains(&var));
    }
}

// Walks over statements that are being changed.

/// `a op b` on `usize`.
pub(super) fn usize_binop(op: BinOp, a: Expr, b: Expr) -> Expr {
    let span = a.span;
    Expr::new(
        ExprKind::Binary(op, Box::new(a), Box::new(b)),
        Ty::USIZE,
        span,
    )
}
