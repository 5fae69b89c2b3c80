//! Arrays whose elements a loop takes in groups: `x[3 * i]`, `x[3 * i + 1]` and `x[3 * i + 2]` are the three numbers of
//! `groups[i]`.
//!
//! Users keep points and colours in flat arrays. Seen as arrays of groups, `&[[f64; 3]]`, they are indexed by the
//! counter like any other array, and the loop runs on slices of groups. That is a view of the same memory: the elements
//! behind the last whole group are in none, and a loop that reaches them runs as it was, as with any slice that does
//! not fit.
//!
//! Legal if an index is a multiple of the size of a group plus a number smaller than that, by its text; an array that
//! is written is indexed in this way throughout. Whether the indices as they are written overflow is looked at as
//! before.

use std::collections::BTreeMap;

use smallvec::smallvec;

use crate::analysis::dependence::reach::Iterations;
use crate::analysis::target::cache::GROUP;
use crate::ir::edit::{blocks_mut, each_expr};
use crate::ir::hash::HashSet;
use crate::ir::literal::length;
use crate::ir::{
    BinOp, Block, Expr, ExprKind, Func, Group, Part, Place, Proj, Stmt, StmtKind, Ty, VarId,
    effects_of,
};
use crate::ir::{is_path, place_ty};

/// A loop whose body uses groups.
pub(in crate::optimize) struct Grouped {
    pub(in crate::optimize) stmt: Stmt,
    pub(in crate::optimize) groups: Vec<Group>,
    /// The elements as the text names them: all of them have to exist.
    pub(in crate::optimize) parts: Vec<Part>,
}

/// The loop `stmt`, with `body`, on groups; `None` if it takes no elements in groups. The views of arrays are declared
/// as new variables.
pub(in crate::optimize) fn grouped(
    func: &mut Func,
    stmt: &Stmt,
    body: &Block,
    iterations: &Iterations<'_>,
) -> Option<Grouped> {
    let sizes = sizes(func, body, iterations);
    if sizes.is_empty() {
        return None;
    }
    let written = effects_of(&body.stmts).writes;
    let mut groups = BTreeMap::new();
    for (array, (size, place)) in sizes {
        let element = place_ty(func, &place).element();
        let mutable = written.contains(&place.root);
        let len = length(size, place.span);
        let group = Ty::Array(Box::new(element), Some(len));
        let base = format!("{}_groups", func.var(place.root).name);
        let ty = Ty::Ref(mutable, Box::new(Ty::Slice(Box::new(group))));
        let var = func.temp_of(
            func.var(place.root).class,
            base.trim_start_matches("r#"),
            ty,
            place.span,
        );
        groups.insert(
            array,
            Group {
                var,
                of: place,
                size: usize::try_from(size).ok()?,
                mutable,
            },
        );
    }
    let mut pass = Pass {
        iterations,
        groups: &groups,
        parts: Vec::new(),
        seen: HashSet::default(),
        complete: true,
    };
    let mut stmt = stmt.clone();
    for block in blocks_mut(&mut stmt) {
        pass.block(block);
    }
    let (parts, complete) = (pass.parts, pass.complete);
    complete.then(|| Grouped {
        stmt,
        groups: groups.into_values().collect(),
        parts,
    })
}

/// An array: its variable and the path to it as text.
type Array = (VarId, String);

/// The arrays that are taken in groups of one size, with that size.
fn sizes(func: &Func, body: &Block, iterations: &Iterations<'_>) -> BTreeMap<Array, (i128, Place)> {
    let mut sizes: BTreeMap<Array, (i128, Place)> = BTreeMap::new();
    let mut mixed = HashSet::default();
    let mut look = |place: &Place| {
        let Some((array, index)) = element(place) else {
            return;
        };
        let ty = place_ty(func, &array);
        let numbers =
            matches!(ty.element(), Ty::F32 | Ty::F64) && !matches!(ty.peel(), Ty::Queue(_));
        let whole = !iterations.owns(place.root) && !iterations.is_divided(place.root);
        let step = iterations.step(index).filter(|s| (2..=GROUP).contains(s));
        if let Some(step) = step.filter(|_| numbers && whole) {
            let key = (place.root, iterations.array_key(&array.proj));
            let known = sizes.entry(key.clone()).or_insert((step, array));
            if known.0 != step {
                mixed.insert(key);
            }
        }
    };
    let mut body = body.clone();
    each_place(&mut body, &mut |place| look(place));
    sizes.retain(|key, _| !mixed.contains(key));
    sizes
}

/// The array and the index, if the place is an element of an array that no index leads to.
fn element(place: &Place) -> Option<(Place, &Expr)> {
    let (Proj::Index(index), path) = place.proj.split_last()? else {
        return None;
    };
    let array = Place {
        proj: path.into(),
        ..place.clone()
    };
    is_path(path).then_some((array, index))
}

struct Pass<'a, 'b> {
    iterations: &'b Iterations<'a>,
    groups: &'b BTreeMap<Array, Group>,
    parts: Vec<Part>,
    seen: HashSet<String>,
    /// Whether all of what is written is in groups.
    complete: bool,
}

impl Pass<'_, '_> {
    fn block(&mut self, block: &mut Block) {
        each_place(block, &mut |place| self.place(place));
    }

    fn place(&mut self, place: &mut Place) {
        let mine = |group: &&Group| group.of.root == place.root;
        if !self.groups.values().any(|group| mine(&group)) {
            return;
        }
        if let Some(new) = self.in_group(place) {
            *place = new;
        } else if self
            .groups
            .values()
            .any(|group| mine(&group) && group.mutable)
        {
            self.complete = false;
        }
    }

    fn in_group(&mut self, place: &Place) -> Option<Place> {
        let (array, index) = element(place)?;
        let key = (place.root, self.iterations.array_key(&array.proj));
        let group = self.groups.get(&key)?;
        let size = i128::try_from(group.size).ok()?;
        self.iterations.step(index)?;
        let (number, rest) = self.divided(index, size)?;
        let (more, within) = (rest.div_euclid(size), rest.rem_euclid(size));
        let number = match (number, more) {
            (None, more) => Expr::word(more, index.span)?,
            (Some(number), 0) => number,
            (Some(number), more) => {
                let op = if more > 0 { BinOp::Add } else { BinOp::Sub };
                binary(op, number, Expr::word(more.abs(), index.span)?)
            }
        };
        // Once for each text: it overflows for one array as for another, and whether the element exists is asked again.
        if self.seen.insert(text(index)) {
            self.parts.push(Part {
                of: array,
                which: Proj::index(index.clone()),
            });
        }
        let within = Expr::word(within, index.span)?;
        Some(Place {
            root: group.var,
            proj: smallvec![Proj::Deref, Proj::index(number), Proj::index(within)],
            span: place.span,
        })
    }

    /// The index as `size` times an expression, or zero, plus a number.
    #[expect(clippy::wildcard_enum_match_arm, reason = "nothing is known of others")]
    fn divided(&self, e: &Expr, size: i128) -> Option<(Option<Expr>, i128)> {
        if let Some(number) = number(e) {
            return Some((None, number));
        }
        match &e.kind {
            ExprKind::Read(p) if p.is_var() => self.divided(self.iterations.held(p.root)?, size),
            ExprKind::Binary(op @ (BinOp::Add | BinOp::Sub), a, b) => {
                let ((a, m), (b, n)) = (self.divided(a, size)?, self.divided(b, size)?);
                let rest = if *op == BinOp::Add { m + n } else { m - n };
                let sum = match (a, b) {
                    (a, None) => a,
                    (None, b) => Some(b.filter(|_| *op == BinOp::Add)?),
                    (Some(a), Some(b)) => Some(binary(*op, a, b)),
                };
                Some((sum, rest))
            }
            ExprKind::Binary(BinOp::Mul, a, b) => {
                let factor = |e: &Expr| number(e).filter(|n| n % size == 0).map(|n| n / size);
                match (factor(a), factor(b)) {
                    (Some(1), _) => Some((Some((**b).clone()), 0)),
                    (_, Some(1)) => Some((Some((**a).clone()), 0)),
                    (Some(n), _) => Some((
                        Some(binary(BinOp::Mul, Expr::word(n, a.span)?, (**b).clone())),
                        0,
                    )),
                    (_, Some(n)) => Some((
                        Some(binary(BinOp::Mul, (**a).clone(), Expr::word(n, b.span)?)),
                        0,
                    )),
                    (None, None) => self.product(a, b, size),
                }
            }
            _ => None,
        }
    }

    /// A product of which one factor is a multiple of `size`.
    fn product(&self, a: &Expr, b: &Expr, size: i128) -> Option<(Option<Expr>, i128)> {
        let multiple = |e: &Expr| match self.divided(e, size) {
            Some((Some(number), 0)) => Some(number),
            _ => None,
        };
        let product = match (multiple(a), multiple(b)) {
            (Some(a), _) => binary(BinOp::Mul, a, b.clone()),
            (None, Some(b)) => binary(BinOp::Mul, a.clone(), b),
            (None, None) => return None,
        };
        Some((Some(product), 0))
    }
}

/// An index as text, the same for the same operations on the same variables.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "any other expression is its own text"
)]
fn text(e: &Expr) -> String {
    match &e.kind {
        ExprKind::Read(p) => format!("{:?}", p.root),
        ExprKind::Binary(op, a, b) => format!("({} {op:?} {})", text(a), text(b)),
        _ => number(e).map_or_else(|| format!("{:?}", e.kind), |number| number.to_string()),
    }
}

fn number(e: &Expr) -> Option<i128> {
    e.int_literal().map(i128::from)
}

fn binary(op: BinOp, a: Expr, b: Expr) -> Expr {
    let (ty, span) = (Ty::USIZE, a.span);
    Expr::new(ExprKind::Binary(op, Box::new(a), Box::new(b)), ty, span)
}

/// Calls `f` with each place whose value is read, or that is written.
fn each_place(block: &mut Block, f: &mut dyn FnMut(&mut Place)) {
    fn read(e: &mut Expr, f: &mut dyn FnMut(&mut Place)) {
        if let ExprKind::Read(place) = &mut e.kind {
            f(place);
            return;
        }
        for child in e.children_mut() {
            read(child, f);
        }
    }
    for stmt in &mut block.stmts {
        each_expr(stmt, &mut |e| read(e, f));
        if let StmtKind::Assign { place, .. }
        | StmtKind::Update { place, .. }
        | StmtKind::Begin { place, .. }
        | StmtKind::SetZero(place) = &mut stmt.kind
        {
            f(place)
        }
        for inner in blocks_mut(stmt) {
            each_place(inner, f);
        }
    }
}
