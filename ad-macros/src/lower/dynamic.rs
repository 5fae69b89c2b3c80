//! Reference variables become choices between places.
//!
//! During the walk a re-assigned or chosen reference is a variable whose places begin with `Deref`. Which places
//! it can stand for is collected here over the whole function, whatever the order of the assignments; what
//! differs at run time (which of them, indices, the bounds of a sub-slice) becomes integer variables. Every
//! statement that goes through the reference becomes a `Switch` over the candidates.

use std::collections::BTreeMap;

use proc_macro2::Span;

use super::Lowerer;
use super::candidates::{Candidate, MOST_CANDIDATES, Step};
use super::finish::place_type;
use super::repoint::variant;
use crate::diag::catalog;
use crate::ir::edit::{blocks_mut, each_expr, each_place};
use crate::ir::hash::{HashMap, HashSet};
use crate::ir::{
    Access, Block, Expr, ExprKind, Opaque, OpaqueArg, OpaqueKind, Place, Proj, Steps, Stmt,
    StmtKind, Ty, VarId, VarKind, shallow_accesses,
};

/// What a reference variable becomes.
pub(super) struct Choice {
    pub(super) candidates: Vec<Candidate>,
    /// Which candidate, where there are several.
    pub(super) code: Option<VarId>,
    pub(super) integers: Vec<VarId>,
}

#[derive(Default)]
pub(super) struct Choices {
    pub(super) of: HashMap<VarId, Choice>,
}

impl Lowerer<'_> {
    pub(super) fn expand_references(&mut self, body: &mut Block) {
        if self.references.is_empty() {
            return;
        }
        let mut assigned: BTreeMap<VarId, Vec<Place>> = self
            .references
            .iter()
            .map(|var| (*var, Vec::new()))
            .collect();
        self.collect(body, &mut assigned);
        let slices = self.slices(&assigned);
        let Some(candidates) = self.candidates(&assigned, &slices) else {
            return;
        };
        let mut choices = Choices::default();
        let mut order: Vec<_> = candidates.into_iter().collect();
        order.sort_by_key(|(var, _)| *var);
        for (var, candidates) in order {
            let choice = self.choice(var, candidates);
            choices.of.insert(var, choice);
        }
        let scope = self.func.params.iter().map(|p| p.var).collect();
        let mut expander = Expander {
            l: self,
            choices: &choices,
            slices: &slices,
            scope,
        };
        expander.block(body);
    }
}

pub(super) struct Expander<'e, 'd> {
    pub(super) l: &'e mut Lowerer<'d>,
    pub(super) choices: &'e Choices,
    pub(super) slices: &'e HashMap<VarId, bool>,
    /// The variables declared at the current statement.
    scope: HashSet<VarId>,
}

impl Expander<'_, '_> {
    fn block(&mut self, block: &mut Block) {
        for stmt in std::mem::take(&mut block.stmts) {
            self.stmt(stmt, &mut block.stmts);
        }
    }

    /// The blocks inside a statement; what they declare ends with them.
    fn inner_blocks(&mut self, stmt: &mut Stmt) {
        let scope = self.scope.clone();
        let region = matches!(stmt.kind, StmtKind::Checkpoint(_) | StmtKind::Labelled(..));
        shallow_accesses(stmt, &mut |var, access| {
            if access == Access::Declare {
                self.scope.insert(var);
            }
        });
        let outer = self.scope.clone();
        for inner in blocks_mut(stmt) {
            self.block(inner);
            if !region {
                self.scope.clone_from(&outer);
            }
        }
        if !region && !blocks_mut(stmt).is_empty() {
            self.scope = scope;
        }
    }

    fn stmt(&mut self, mut stmt: Stmt, out: &mut Vec<Stmt>) {
        self.inner_blocks(&mut stmt);
        if let StmtKind::Let { var, init: None } = &stmt.kind
            && let Some(choice) = self.choices.of.get(var)
        {
            declare(choice, stmt.span, out);
            return;
        }
        if let Some((var, place)) = self.l.pointing(&stmt) {
            let place = place.clone();
            self.point(var, &place, stmt.span, out);
            return;
        }
        let mut through = Vec::new();
        shallow_accesses(&stmt, &mut |var, _| {
            if self.choices.of.contains_key(&var) && !through.contains(&var) {
                through.push(var);
            }
        });
        if through.is_empty() {
            out.push(stmt);
        } else if blocks_mut(&mut stmt).is_empty() {
            self.choose(stmt, &through, out);
        } else {
            self.l.diags.at(stmt.span, catalog::reference_too_dynamic());
        }
    }

    /// The statement, once per combination of candidates.
    fn choose(&mut self, mut stmt: Stmt, through: &[VarId], out: &mut Vec<Stmt>) {
        let span = stmt.span;
        let combinations: usize = through
            .iter()
            .map(|var| self.choices.of[var].candidates.len())
            .product();
        if combinations == 0 || combinations > MOST_CANDIDATES * 2 {
            self.l.diags.at(span, catalog::reference_too_dynamic());
            return;
        }
        let several = combinations > 1;
        if several {
            stmt = self.without_declaration(stmt, out);
        }
        let mut stmts = self.arms(&stmt, through, Vec::new(), several);
        out.append(&mut stmts);
    }

    fn arms(
        &mut self,
        stmt: &Stmt,
        through: &[VarId],
        picks: Vec<(VarId, usize)>,
        several: bool,
    ) -> Vec<Stmt> {
        let Some((var, rest)) = through.split_first() else {
            return self.substituted(stmt, &picks, several);
        };
        let choice = &self.choices.of[var];
        let mut blocks = Vec::new();
        for n in 0..choice.candidates.len() {
            let root = choice.candidates[n].root;
            if choice.code.is_some() && !self.scope.contains(&root) {
                blocks.push(self.out_of_scope(root, stmt.span));
                continue;
            }
            let mut picks = picks.clone();
            picks.push((*var, n));
            blocks.push(Block {
                stmts: self.arms(stmt, rest, picks, several),
            });
        }
        match choice.code {
            Some(code) => {
                let selector = Expr::read_var(code, Ty::U8, stmt.span);
                vec![Stmt::new(
                    StmtKind::Switch {
                        selector,
                        arms: blocks,
                    },
                    stmt.span,
                )]
            }
            None => blocks.pop().map(|block| block.stmts).unwrap_or_default(),
        }
    }

    /// A candidate that does not live here: borrowing rules say that the reference does not point to it here.
    fn out_of_scope(&mut self, root: VarId, span: Span) -> Block {
        if self.l.func.var(root).kind != VarKind::Local {
            // A temporary may have been a constant that lives for ever.
            self.l.diags.at(span, catalog::reference_too_dynamic());
        }
        let code = syn::parse_quote!(::core::unreachable!());
        let opaque = Opaque {
            code,
            args: Vec::new(),
            kind: OpaqueKind::Macro("unreachable".to_owned()),
        };
        Block {
            stmts: vec![Stmt::new(StmtKind::Opaque(Box::new(opaque)), span)],
        }
    }

    /// A declaration inside the arms would end with them: it goes before, and the arms assign.
    fn without_declaration(&mut self, stmt: Stmt, out: &mut Vec<Stmt>) -> Stmt {
        let span = stmt.span;
        match stmt.kind {
            StmtKind::Let {
                var,
                init: Some(value),
            } => {
                out.push(Stmt::new(StmtKind::Let { var, init: None }, span));
                Stmt::new(
                    StmtKind::Assign {
                        place: Place::var(var, span),
                        value,
                        init: true,
                    },
                    span,
                )
            }
            StmtKind::Call {
                dest: Some(dest), ..
            }
            | StmtKind::Pop { dest, .. } => {
                out.push(Stmt::new(
                    StmtKind::Let {
                        var: dest,
                        init: None,
                    },
                    span,
                ));
                stmt
            }
            kind => Stmt::new(kind, span),
        }
    }

    /// The statement with the references in it replaced. Inside arms a result is declared anew and passed on.
    fn substituted(&mut self, stmt: &Stmt, picks: &[(VarId, usize)], several: bool) -> Vec<Stmt> {
        let mut stmt = stmt.clone();
        each_place(&mut stmt, &mut |place| self.place(place, picks));
        each_expr(&mut stmt, &mut |e| self.expr(e, picks));
        if let StmtKind::Opaque(opaque) = &mut stmt.kind {
            self.opaque(opaque, picks);
        }
        match &mut stmt.kind {
            StmtKind::Call {
                dest: Some(dest), ..
            }
            | StmtKind::Pop { dest, .. }
                if several =>
            {
                let (outer, span) = (*dest, stmt.span);
                let ty = self.l.func.var(outer).ty.clone();
                *dest = self.l.func.temp("result", ty.clone(), span);
                let value = Expr::read_var(*dest, ty, span);
                let pass = Stmt::new(
                    StmtKind::Assign {
                        place: Place::var(outer, span),
                        value,
                        init: true,
                    },
                    span,
                );
                vec![stmt, pass]
            }
            // What the references lead to may be parts of one value.
            StmtKind::Swap(a, b) => {
                let (a, b, span) = (a.clone(), b.clone(), stmt.span);
                let ty = place_type(&self.l.func, &a, &|ty| self.l.types.shallow(ty));
                self.l.swapped(a, b, ty, span)
            }
            _ => vec![stmt],
        }
    }

    fn place(&self, place: &mut Place, picks: &[(VarId, usize)]) {
        for proj in &mut place.proj {
            match proj {
                Proj::Index(e) => self.expr(e, picks),
                Proj::Range { lo, hi, .. } => {
                    lo.iter_mut().chain(hi).for_each(|e| self.expr(e, picks))
                }
                Proj::Deref | Proj::Field(_) | Proj::Payload | Proj::Variant(_) | Proj::Unbox => {}
            }
        }
        if let Some((var, n)) = picks.iter().find(|(var, _)| *var == place.root) {
            let mut full = self.candidate_place(*var, *n, place.span);
            full.proj.extend(place.proj.drain(1..));
            *place = full;
        }
    }

    /// The place that a candidate is now.
    pub(super) fn candidate_place(&self, var: VarId, n: usize, span: Span) -> Place {
        let choice = &self.choices.of[&var];
        let candidate = &choice.candidates[n];
        let mut integers = choice
            .integers
            .iter()
            .map(|v| Expr::read_var(*v, Ty::USIZE, span));
        let mut next = || integers.next().expect("an integer per hole");
        let mut proj = Steps::new();
        for step in &candidate.way {
            proj.push(match step {
                Step::Deref => Proj::Deref,
                Step::Field(field) => Proj::Field(*field),
                Step::Payload => Proj::Payload,
                Step::Unbox => Proj::Unbox,
                Step::Variant(part) => Proj::Variant(part.clone()),
                Step::Index => Proj::index(next()),
                Step::Range => Proj::Range {
                    lo: Some(Box::new(next())),
                    hi: Some(Box::new(next())),
                    inclusive: false,
                },
            });
        }
        Place {
            root: candidate.root,
            proj,
            span,
        }
    }

    fn expr(&self, e: &mut Expr, picks: &[(VarId, usize)]) {
        match &mut e.kind {
            ExprKind::Lit(_) | ExprKind::None | ExprKind::VecNew(None) | ExprKind::Zero => {}
            ExprKind::Read(p)
            | ExprKind::Len(p)
            | ExprKind::ToVec(p)
            | ExprKind::ZeroLike(p)
            | ExprKind::SumOf(p) => self.place(p, picks),
            ExprKind::Unary(_, a)
            | ExprKind::Cast(a, _)
            | ExprKind::Repeat(a, _)
            | ExprKind::VecNew(Some(a))
            | ExprKind::Some(a)
            | ExprKind::NoGradient(a) => self.expr(a, picks),
            ExprKind::Binary(_, a, b) | ExprKind::VecRepeat(a, b) => {
                self.expr(a, picks);
                self.expr(b, picks);
            }
            ExprKind::Math(_, args)
            | ExprKind::Rule(_, args)
            | ExprKind::Function(_, args)
            | ExprKind::Tuple(args)
            | ExprKind::Struct(_, args)
            | ExprKind::Array(args)
            | ExprKind::VecLit(args) => {
                args.iter_mut().for_each(|a| self.expr(a, picks));
            }
            ExprKind::Opaque(opaque) => self.opaque(opaque, picks),
        }
    }

    fn opaque(&self, opaque: &mut Opaque, picks: &[(VarId, usize)]) {
        for (_, arg) in &mut opaque.args {
            match arg {
                OpaqueArg::Place(p) | OpaqueArg::Ref(p) | OpaqueArg::RefMut(p) => {
                    self.place(p, picks)
                }
                OpaqueArg::Value(e) => self.expr(e, picks),
            }
        }
    }
}

fn declare(choice: &Choice, span: Span, out: &mut Vec<Stmt>) {
    if let Some(code) = choice.code {
        out.push(Stmt::new(
            StmtKind::Let {
                var: code,
                init: Some(variant(0, span)),
            },
            span,
        ));
    }
    for var in &choice.integers {
        out.push(Stmt::new(
            StmtKind::Let {
                var: *var,
                init: Some(Expr::usize_literal(0, span)),
            },
            span,
        ));
    }
}
