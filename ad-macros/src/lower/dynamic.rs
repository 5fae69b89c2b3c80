//! Reference variables become choices between places.
//!
//! During the walk a re-assigned or chosen reference is a variable whose places begin with `Deref`. Which places
//! it can stand for is collected here over the whole function, whatever the order of the assignments; what
//! differs at run time (which of them, indices, the bounds of a sub-slice) becomes integer variables. Every
//! statement that goes through the reference becomes a `Switch` over the candidates.

use std::collections::{BTreeMap, HashMap, HashSet};

use proc_macro2::Span;

use super::Lowerer;
use super::finish::{blocks_mut, each_expr, each_place, usize_binop};
use crate::diag::catalog;
use crate::ir::{
    Access, BinOp, Block, Expr, ExprKind, Opaque, OpaqueArg, OpaqueKind, Place, Proj, Stmt,
    StmtKind, Ty, VarId, VarInfo, VarKind, expr_reads, place_index_reads, shallow_accesses,
};

const MOST_CANDIDATES: usize = 8;
const LONGEST_WAY: usize = 12;

/// A place with its run-time integers taken out.
#[derive(Clone, Debug)]
struct Candidate {
    root: VarId,
    way: Vec<Step>,
}

#[derive(Clone, Debug)]
enum Step {
    Deref,
    Field(syn::Member),
    Payload,
    /// One integer.
    Index,
    /// Two integers.
    Range,
}

impl Candidate {
    fn integers(&self) -> usize {
        self.way.iter().map(Step::integers).sum()
    }

    fn same(&self, other: &Candidate) -> bool {
        self.root == other.root
            && self.way.len() == other.way.len()
            && self.way.iter().zip(&other.way).all(|(a, b)| a.same(b))
    }
}

impl Step {
    fn integers(&self) -> usize {
        match self {
            Step::Deref | Step::Field(_) | Step::Payload => 0,
            Step::Index => 1,
            Step::Range => 2,
        }
    }

    fn same(&self, other: &Step) -> bool {
        match (self, other) {
            (Step::Field(a), Step::Field(b)) => a == b,
            (Step::Deref, Step::Deref)
            | (Step::Payload, Step::Payload)
            | (Step::Index, Step::Index)
            | (Step::Range, Step::Range) => true,
            _ => false,
        }
    }
}

/// What a reference variable becomes.
struct Choice {
    candidates: Vec<Candidate>,
    /// Which candidate, where there are several.
    code: Option<VarId>,
    integers: Vec<VarId>,
}

#[derive(Default)]
struct Choices {
    of: HashMap<VarId, Choice>,
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

    fn collect(&self, block: &Block, assigned: &mut BTreeMap<VarId, Vec<Place>>) {
        for stmt in &block.stmts {
            if let Some((var, place)) = self.pointing(stmt) {
                assigned.entry(var).or_default().push(place.clone());
            }
            for inner in stmt.kind.blocks() {
                self.collect(inner, assigned);
            }
        }
    }

    /// A statement that lets a reference variable point somewhere.
    fn pointing<'s>(&self, stmt: &'s Stmt) -> Option<(VarId, &'s Place)> {
        match &stmt.kind {
            StmtKind::Assign {
                place,
                value:
                    Expr {
                        kind: ExprKind::Read(target),
                        ..
                    },
                ..
            } if place.is_var() && self.references.contains(&place.root) => {
                Some((place.root, target))
            }
            _ => None,
        }
    }

    /// Which references are to slices: their candidates end in a range.
    fn slices(&self, assigned: &BTreeMap<VarId, Vec<Place>>) -> HashMap<VarId, bool> {
        let is_slice = |var: VarId| {
            matches!(
                self.types.shallow(self.func.var(var).ty.peel()),
                Ty::Slice(_)
            )
        };
        let mut slices: HashMap<VarId, bool> = assigned
            .iter()
            .map(|(var, places)| {
                (
                    *var,
                    is_slice(*var)
                        || places
                            .iter()
                            .any(|p| matches!(p.proj.last(), Some(Proj::Range { .. }))),
                )
            })
            .collect();
        for _ in 0..assigned.len() {
            for (var, places) in assigned {
                for place in places
                    .iter()
                    .filter(|p| self.references.contains(&p.root) && p.proj.len() == 1)
                {
                    let any = slices[var] || slices[&place.root];
                    slices.insert(*var, any);
                    slices.insert(place.root, any);
                }
                // What is behind a parameter of slice type.
                for place in places.iter().filter(|p| !self.references.contains(&p.root)) {
                    let ty =
                        super::finish::place_type(&self.func, place, &|ty| self.types.shallow(ty));
                    if matches!(ty, Ty::Slice(_)) {
                        slices.insert(*var, true);
                    }
                }
            }
        }
        slices
    }

    fn candidates(
        &mut self,
        assigned: &BTreeMap<VarId, Vec<Place>>,
        slices: &HashMap<VarId, bool>,
    ) -> Option<HashMap<VarId, Vec<Candidate>>> {
        let mut found: HashMap<VarId, Vec<Candidate>> =
            assigned.keys().map(|var| (*var, Vec::new())).collect();
        loop {
            let mut grown = false;
            for (var, places) in assigned {
                for place in places {
                    let sources = match found.get(&place.root) {
                        Some(sources) => sources.clone(),
                        None => vec![Candidate {
                            root: place.root,
                            way: Vec::new(),
                        }],
                    };
                    let through = self.references.contains(&place.root);
                    for source in sources {
                        let candidate = extend(
                            source,
                            if through {
                                &place.proj[1..]
                            } else {
                                &place.proj
                            },
                            slices[var],
                        );
                        let known = found.entry(*var).or_default();
                        if known.iter().any(|k| k.same(&candidate)) {
                            continue;
                        }
                        if candidate.way.len() > LONGEST_WAY || known.len() == MOST_CANDIDATES {
                            self.diags.at(place.span, catalog::reference_too_dynamic());
                            return None;
                        }
                        known.push(candidate);
                        grown = true;
                    }
                }
            }
            if !grown {
                return Some(found);
            }
        }
    }

    fn choice(&mut self, var: VarId, mut candidates: Vec<Candidate>) -> Choice {
        candidates.sort_by_key(|c| c.root);
        let name = self.func.var(var).name.clone();
        let base = syn::ext::IdentExt::unraw(&name).to_string();
        let mut integer = |suffix: &str, ty: Ty| {
            let name = self
                .func
                .fresh_name(&format!("{base}_{suffix}"), name.span());
            self.func.add(VarInfo {
                name,
                ty,
                mutable: true,
                kind: VarKind::Temp,
                constant: false,
            })
        };
        let code = (candidates.len() > 1).then(|| integer("which", Ty::Int(Some("u8"))));
        let most = candidates
            .iter()
            .map(Candidate::integers)
            .max()
            .unwrap_or(0);
        let integers = (0..most)
            .map(|_| integer("at", Ty::Int(Some("usize"))))
            .collect();
        Choice {
            candidates,
            code,
            integers,
        }
    }
}

/// The candidate behind further projections; consecutive ranges are one.
fn extend(mut candidate: Candidate, proj: &[Proj], slice: bool) -> Candidate {
    for step in proj {
        match step {
            Proj::Deref => candidate.way.push(Step::Deref),
            Proj::Field(member) => candidate.way.push(Step::Field(member.clone())),
            Proj::Payload => candidate.way.push(Step::Payload),
            Proj::Index(_) => candidate.way.push(Step::Index),
            Proj::Range { .. } if matches!(candidate.way.last(), Some(Step::Range)) => {}
            Proj::Range { .. } => candidate.way.push(Step::Range),
        }
    }
    if slice && !matches!(candidate.way.last(), Some(Step::Range)) {
        candidate.way.push(Step::Range);
    }
    candidate
}

struct Expander<'e, 'd> {
    l: &'e mut Lowerer<'d>,
    choices: &'e Choices,
    slices: &'e HashMap<VarId, bool>,
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
        if let StmtKind::Let { var, init: None } = &stmt.kind {
            if let Some(choice) = self.choices.of.get(var) {
                declare(choice, stmt.span, out);
                return;
            }
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
                let selector = Expr::read_var(code, Ty::Int(Some("u8")), stmt.span);
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
                Proj::Deref | Proj::Field(_) | Proj::Payload => {}
            }
        }
        if let Some((var, n)) = picks.iter().find(|(var, _)| *var == place.root) {
            let mut full = self.candidate_place(*var, *n, place.span);
            full.proj.extend(place.proj.drain(1..));
            *place = full;
        }
    }

    /// The place that a candidate is now.
    fn candidate_place(&self, var: VarId, n: usize, span: Span) -> Place {
        let choice = &self.choices.of[&var];
        let candidate = &choice.candidates[n];
        let mut integers = choice
            .integers
            .iter()
            .map(|v| Expr::read_var(*v, Ty::Int(Some("usize")), span));
        let mut next = || integers.next().expect("an integer per hole");
        let mut proj = Vec::new();
        for step in &candidate.way {
            proj.push(match step {
                Step::Deref => Proj::Deref,
                Step::Field(member) => Proj::Field(member.clone()),
                Step::Payload => Proj::Payload,
                Step::Index => Proj::Index(next()),
                Step::Range => Proj::Range {
                    lo: Some(next()),
                    hi: Some(next()),
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
            | ExprKind::Tuple(args)
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

    // Assignments of the reference itself.

    /// Lets the reference point to `place`: its code and integers are set.
    fn point(&mut self, var: VarId, place: &Place, span: Span, out: &mut Vec<Stmt>) {
        let mut through = Vec::new();
        let mut note = |p: &Place| {
            if self.choices.of.contains_key(&p.root) && !through.contains(&p.root) {
                through.push(p.root);
            }
        };
        note(place);
        place_index_reads(place, &mut note);
        match through.as_slice() {
            [] => self.set(
                var,
                place,
                Candidate {
                    root: place.root,
                    way: Vec::new(),
                },
                &place.proj,
                Vec::new(),
                span,
                out,
            ),
            [source] if *source == place.root => {
                let choice = &self.choices.of[source];
                let mut arms = Vec::new();
                for n in 0..choice.candidates.len() {
                    let candidate = choice.candidates[n].clone();
                    let held = choice
                        .integers
                        .iter()
                        .take(candidate.integers())
                        .map(|v| Expr::read_var(*v, Ty::Int(Some("usize")), span))
                        .collect();
                    let full = self.candidate_place(*source, n, span);
                    let mut stmts = Vec::new();
                    self.set(
                        var,
                        &full,
                        candidate,
                        &place.proj[1..],
                        held,
                        span,
                        &mut stmts,
                    );
                    arms.push(Block { stmts });
                }
                match (choice.code, arms.len()) {
                    (Some(code), _) => {
                        let selector = Expr::read_var(code, Ty::Int(Some("u8")), span);
                        out.push(Stmt::new(StmtKind::Switch { selector, arms }, span));
                    }
                    (None, _) => out.extend(arms.into_iter().flat_map(|b| b.stmts)),
                }
            }
            _ => self.l.diags.at(span, catalog::reference_too_dynamic()),
        }
    }

    /// `source` with its integers, then the further projections of the assigned place.
    #[expect(
        clippy::too_many_arguments,
        reason = "one call site per case; a struct would only rename them"
    )]
    fn set(
        &mut self,
        var: VarId,
        base: &Place,
        source: Candidate,
        proj: &[Proj],
        mut integers: Vec<Expr>,
        span: Span,
        out: &mut Vec<Stmt>,
    ) {
        let slice = self.slices[&var];
        let target = extend(source.clone(), proj, slice);
        let mut way = source.way;
        let mut here = base.clone();
        if way.is_empty() {
            here.proj.clear();
        }
        for step in proj {
            match step {
                Proj::Index(e) => integers.push(e.clone()),
                Proj::Range { lo, hi, inclusive } => {
                    let folded = matches!(way.last(), Some(Step::Range));
                    let (from, to) = if folded {
                        (integers.len() - 2, integers.len() - 1)
                    } else {
                        (0, 0)
                    };
                    let start = folded.then(|| integers[from].clone());
                    let low = relative(start.clone(), lo.clone(), span);
                    let high = match hi {
                        Some(hi) => {
                            let hi = if *inclusive {
                                usize_binop(BinOp::Add, hi.clone(), one(span))
                            } else {
                                hi.clone()
                            };
                            relative(start, Some(hi), span)
                        }
                        None if folded => integers[to].clone(),
                        None => {
                            Expr::new(ExprKind::Len(here.clone()), Ty::Int(Some("usize")), span)
                        }
                    };
                    if folded {
                        integers[from] = low;
                        integers[to] = high;
                    } else {
                        integers.extend([low, high]);
                    }
                }
                Proj::Deref | Proj::Field(_) | Proj::Payload => {}
            }
            way = extend(
                Candidate {
                    root: base.root,
                    way,
                },
                std::slice::from_ref(step),
                false,
            )
            .way;
            here.proj.push(step.clone());
        }
        if slice && !matches!(way.last(), Some(Step::Range)) {
            integers.push(zero(span));
            integers.push(Expr::new(ExprKind::Len(here), Ty::Int(Some("usize")), span));
        }
        self.store(var, &target, integers, span, out);
    }

    fn store(
        &mut self,
        var: VarId,
        target: &Candidate,
        integers: Vec<Expr>,
        span: Span,
        out: &mut Vec<Stmt>,
    ) {
        let choice = &self.choices.of[&var];
        let Some(n) = choice.candidates.iter().position(|c| c.same(target)) else {
            self.l.diags.at(span, catalog::reference_too_dynamic());
            return;
        };
        let assign = |var: VarId, value: Expr| {
            Stmt::new(
                StmtKind::Assign {
                    place: Place::var(var, span),
                    value,
                    init: false,
                },
                span,
            )
        };
        let own = |e: &Expr| {
            let mut found = false;
            expr_reads(e, &mut |p| {
                found |= choice.integers.contains(&p.root) || Some(p.root) == choice.code
            });
            found
        };
        // New values may be made of old ones: all are computed before any is set.
        let mut values = Vec::new();
        for e in integers {
            if own(&e)
                && !matches!(&e.kind, ExprKind::Read(p) if choice.integers.get(values.len()) == Some(&p.root))
            {
                let temp = self.l.func.temp("at", Ty::Int(Some("usize")), span);
                out.push(Stmt::new(
                    StmtKind::Let {
                        var: temp,
                        init: Some(e),
                    },
                    span,
                ));
                values.push(Expr::read_var(temp, Ty::Int(Some("usize")), span));
            } else {
                values.push(e);
            }
        }
        for (slot, value) in choice.integers.iter().zip(values) {
            if !matches!(&value.kind, ExprKind::Read(p) if p.root == *slot) {
                out.push(assign(*slot, value));
            }
        }
        if let Some(code) = choice.code {
            out.push(assign(
                code,
                number(&format!("{n}u8"), Ty::Int(Some("u8")), span),
            ));
        }
    }
}

fn relative(start: Option<Expr>, bound: Option<Expr>, span: Span) -> Expr {
    match (start, bound) {
        (Some(start), Some(bound)) => usize_binop(BinOp::Add, start, bound),
        (Some(start), None) => start,
        (None, Some(bound)) => bound,
        (None, None) => zero(span),
    }
}

fn number(text: &str, ty: Ty, span: Span) -> Expr {
    Expr::new(
        ExprKind::Lit(syn::Lit::Int(syn::LitInt::new(text, span))),
        ty,
        span,
    )
}

fn zero(span: Span) -> Expr {
    number("0", Ty::Int(Some("usize")), span)
}

fn one(span: Span) -> Expr {
    number("1", Ty::Int(Some("usize")), span)
}

fn declare(choice: &Choice, span: Span, out: &mut Vec<Stmt>) {
    if let Some(code) = choice.code {
        out.push(Stmt::new(
            StmtKind::Let {
                var: code,
                init: Some(number("0u8", Ty::Int(Some("u8")), span)),
            },
            span,
        ));
    }
    for var in &choice.integers {
        out.push(Stmt::new(
            StmtKind::Let {
                var: *var,
                init: Some(number("0usize", Ty::Int(Some("usize")), span)),
            },
            span,
        ));
    }
}
