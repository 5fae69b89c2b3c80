//! Contributions as sums of products: each an adjoint, times numbers that no adjoint is in.
//!
//! What an iteration contributes is linear in the adjoints that it reads. Code that shows it, in declarations, sums and
//! products, is followed for the iterations that reach one element; what they compute alike, as the mean of two
//! neighbours that one has at its right and the next at its left, is one number.

use proc_macro2::Span;

use crate::analysis::affine::{Definitions, Poly};
use crate::analysis::target::effort;
use crate::ir::hash::{HashMap, HashSet};
use crate::ir::{
    BinOp, Block, Expr, ExprKind, Func, Place, Proj, Sliced, Stmt, StmtKind, Ty, UnOp, VarId,
};

use super::path_text;

const TOO_MUCH: &str = "what is added has too many terms";
const NO_PRODUCTS: &str = "what is added is not a sum of products";

/// A number that is computed from no adjoint, or an adjoint as it is read; in the order of computation.
pub(in crate::optimize) type Id = usize;

/// How a number comes about.
pub(in crate::optimize) enum Number {
    /// The element of a slice in the iteration so many in front of the last one that reaches the element.
    Element(VarId, usize),
    /// A literal, or what is the same in all iterations.
    Fixed(Expr),
    /// An operation like this one, on numbers.
    Operation(Expr, Vec<Id>),
}

/// An adjoint times numbers.
#[derive(Clone)]
pub(in crate::optimize) struct Product {
    pub(in crate::optimize) adjoint: Id,
    /// In the order of the text.
    pub(in crate::optimize) factors: Vec<Id>,
    pub(in crate::optimize) minus: bool,
}

#[derive(Clone)]
enum Value {
    Number(Id),
    Products(Vec<Product>),
}

/// The numbers in the contributions to one element.
pub(in crate::optimize) struct Numbers<'a> {
    sliced: &'a Sliced,
    adjoints: &'a HashSet<VarId>,
    span: Span,
    /// Where the elements of a slice lie: in which array, and how far from those of its first slice.
    slices: HashMap<VarId, (usize, i128)>,
    pub(in crate::optimize) all: Vec<Number>,
    known: HashMap<String, Id>,
    ty: Ty,
}

impl<'a> Numbers<'a> {
    pub(in crate::optimize) fn of(
        func: &Func,
        stmt: &Stmt,
        sliced: &'a Sliced,
        adjoints: &'a HashSet<VarId>,
    ) -> Option<Self> {
        let definitions = Definitions::of(func, stmt.counting()?.body);
        let source = sliced.sums.first()?.source;
        Some(Self {
            sliced,
            adjoints,
            span: stmt.span,
            slices: places(sliced, &definitions),
            all: Vec::new(),
            known: HashMap::default(),
            ty: func.var(source).ty.clone(),
        })
    }

    /// What the iteration `shift` in front contributes by each of these variables.
    pub(in crate::optimize) fn contributions(
        &mut self,
        block: &Block,
        shift: usize,
        sources: &[VarId],
    ) -> Result<Vec<Vec<Product>>, &'static str> {
        let mut held = HashMap::default();
        for stmt in &block.stmts {
            self.stmt(stmt, shift, &mut held)?;
            if self.all.len() > effort::COMBINED_NUMBERS {
                return Err(TOO_MUCH);
            }
        }
        let products = |var: &VarId| match held.remove(var) {
            Some(Value::Products(products)) => Ok(products),
            _ => Err(NO_PRODUCTS),
        };
        sources.iter().map(products).collect()
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "what is not named keeps the pass from applying"
    )]
    fn stmt(
        &mut self,
        stmt: &Stmt,
        shift: usize,
        held: &mut HashMap<VarId, Value>,
    ) -> Result<(), &'static str> {
        let (var, value) = match &stmt.kind {
            StmtKind::Let {
                var,
                init: Some(init),
            } => (*var, self.value(init, shift, held)?),
            StmtKind::Update { place, op, value } if place.is_var() => {
                let before = held.get(&place.root).cloned().ok_or(NO_PRODUCTS)?;
                let after = self.value(value, shift, held)?;
                (place.root, self.binary(*op, before, after, value)?)
            }
            StmtKind::Assign { place, value, .. }
                if place.is_var() && held.contains_key(&place.root) =>
            {
                (place.root, self.value(value, shift, held)?)
            }
            _ => return Err(NO_PRODUCTS),
        };
        held.insert(var, value);
        Ok(())
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "what is not named keeps the pass from applying"
    )]
    fn value(
        &mut self,
        e: &Expr,
        shift: usize,
        held: &HashMap<VarId, Value>,
    ) -> Result<Value, &'static str> {
        if e.ty != self.ty || !matches!(e.ty, Ty::F32 | Ty::F64) {
            return Err(NO_PRODUCTS);
        }
        match &e.kind {
            ExprKind::Lit(lit) => {
                let text = lit.text().to_owned();
                Ok(Value::Number(self.number(text, Number::Fixed(e.clone()))))
            }
            ExprKind::Zero => Ok(Value::Products(Vec::new())),
            ExprKind::Read(place) => match held.get(&place.root) {
                Some(value) if place.is_var() => Ok(value.clone()),
                Some(_) => Err(NO_PRODUCTS),
                None => self.read(e, place, shift),
            },
            ExprKind::Unary(UnOp::Neg, a) => Ok(match self.value(a, shift, held)? {
                Value::Number(a) => Value::Number(self.operation("-", e, vec![a])),
                Value::Products(products) => Value::Products(negated(products)),
            }),
            ExprKind::Binary(op, a, b) => {
                let a = self.value(a, shift, held)?;
                let b = self.value(b, shift, held)?;
                self.binary(*op, a, b, e)
            }
            ExprKind::Math(f, args) => {
                let args = self.numbers(args, shift, held)?;
                Ok(Value::Number(self.operation(&format!("{f:?}"), e, args)))
            }
            ExprKind::Rule(rule, args) => {
                let args = self.numbers(args, shift, held)?;
                Ok(Value::Number(self.operation(rule.name(), e, args)))
            }
            _ => Err(NO_PRODUCTS),
        }
    }

    fn numbers(
        &mut self,
        args: &[Expr],
        shift: usize,
        held: &HashMap<VarId, Value>,
    ) -> Result<Vec<Id>, &'static str> {
        let number = |arg| match self.value(arg, shift, held)? {
            Value::Number(id) => Ok(id),
            Value::Products(_) => Err(NO_PRODUCTS),
        };
        args.iter().map(number).collect()
    }

    fn binary(&mut self, op: BinOp, a: Value, b: Value, e: &Expr) -> Result<Value, &'static str> {
        use Value::{Number, Products};
        Ok(match (op, a, b) {
            (BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Div, Number(a), Number(b)) => {
                let zero = || Box::new(Expr::new(ExprKind::Zero, e.ty.clone(), e.span));
                let kind = ExprKind::Binary(op, zero(), zero());
                let like = Expr::new(kind, e.ty.clone(), e.span);
                Number(self.operands(op, &like, [a, b]))
            }
            (BinOp::Mul, Products(mut products), Number(factor))
            | (BinOp::Mul, Number(factor), Products(mut products)) => {
                let mut factors = Vec::new();
                self.factors(factor, effort::COMBINED_DEPTH, &mut factors);
                for product in &mut products {
                    product.factors.extend_from_slice(&factors);
                    if product.factors.len() > effort::COMBINED_FACTORS {
                        return Err(TOO_MUCH);
                    }
                }
                Products(products)
            }
            (BinOp::Add | BinOp::Sub, Products(mut a), Products(b)) => {
                a.extend(if op == BinOp::Sub { negated(b) } else { b });
                if a.len() > effort::COMBINED_PRODUCTS {
                    return Err(TOO_MUCH);
                }
                Products(a)
            }
            _ => return Err(NO_PRODUCTS),
        })
    }

    /// The factors of a number that is a product, so that they are seen in sums.
    fn factors(&self, id: Id, depth: usize, into: &mut Vec<Id>) {
        if let Number::Operation(like, args) = &self.all[id]
            && depth > 0
            && matches!(like.kind, ExprKind::Binary(BinOp::Mul, ..))
        {
            args.iter()
                .for_each(|arg| self.factors(*arg, depth - 1, into));
        } else {
            into.push(id)
        }
    }

    /// An element, or what is the same in all iterations.
    fn read(&mut self, e: &Expr, place: &Place, shift: usize) -> Result<Value, &'static str> {
        let sliced = self.sliced;
        let slices = sliced.views.iter().chain(sliced.edits.iter().flatten());
        let mut slices = slices.chain(&sliced.loads);
        let view = slices.find(|(var, _)| *var == place.root);
        let of = view.map_or(place.root, |(_, view)| view.of.root);
        let id = if let Some((array, at)) = self.slices.get(&place.root) {
            let [Proj::Index(index)] = place.proj.as_slice() else {
                return Err(NO_PRODUCTS);
            };
            if !matches!(&index.kind, ExprKind::Read(p) if p.is_var() && p.root == sliced.lane) {
                return Err(NO_PRODUCTS);
            }
            let behind = at - i128::try_from(shift).unwrap_or(0);
            let text = format!("element {array} {behind}");
            self.number(text, Number::Element(place.root, shift))
        } else {
            if !place.is_path() || place.root == sliced.counter {
                return Err(NO_PRODUCTS);
            }
            let text = format!("place {} {}", place.root.0, path_text(&place.proj));
            self.number(text, Number::Fixed(e.clone()))
        };
        if !self.adjoints.contains(&of) {
            return Ok(Value::Number(id));
        }
        Ok(Value::Products(vec![Product {
            adjoint: id,
            factors: Vec::new(),
            minus: false,
        }]))
    }

    fn operation(&mut self, name: &str, like: &Expr, args: Vec<Id>) -> Id {
        let text = format!("{name} {args:?}");
        self.number(text, Number::Operation(like.clone(), args))
    }

    /// The same number for operands in either order, written in the order of the one that comes first.
    fn operands(&mut self, op: BinOp, like: &Expr, args: [Id; 2]) -> Id {
        let mut key = args;
        if matches!(op, BinOp::Add | BinOp::Mul) {
            key.sort_unstable();
        }
        let text = format!("{op:?} {key:?}");
        self.number(text, Number::Operation(like.clone(), args.to_vec()))
    }

    fn number(&mut self, text: String, number: Number) -> Id {
        let all = &mut self.all;
        *self.known.entry(text).or_insert_with(|| {
            all.push(number);
            all.len() - 1
        })
    }

    /// A number as an expression, where those that are operations are held by variables.
    pub(in crate::optimize) fn expr(&self, id: Id, names: &Names) -> Expr {
        match &self.all[id] {
            Number::Fixed(e) => e.clone(),
            Number::Element(slice, shift) => {
                let span = self.span;
                let lane = Expr::read_var(self.sliced.lane, Ty::USIZE, span);
                let place = Place::var(names.slices[&(*slice, *shift)], span);
                let kind = ExprKind::Read(place.then(Proj::index(lane)));
                Expr::new(kind, self.ty.clone(), span)
            }
            Number::Operation(like, args) => match names.numbers.get(&id) {
                Some(var) => Expr::read_var(*var, self.ty.clone(), like.span),
                None => self.applied(like, args, names),
            },
        }
    }

    /// What the variable of an operation is declared with.
    pub(in crate::optimize) fn computed(&self, id: Id, names: &Names) -> Expr {
        match &self.all[id] {
            Number::Operation(like, args) => self.applied(like, args, names),
            Number::Fixed(_) | Number::Element(..) => self.expr(id, names),
        }
    }

    fn applied(&self, like: &Expr, args: &[Id], names: &Names) -> Expr {
        let mut e = like.clone();
        for (child, arg) in e.children_mut().into_iter().zip(args) {
            *child = self.expr(*arg, names);
        }
        e
    }

    pub(in crate::optimize) fn one(&self) -> Expr {
        Expr::float(1.0, &self.ty, self.span)
    }

    pub(in crate::optimize) fn ty(&self) -> &Ty {
        &self.ty
    }
}

/// What numbers are called.
#[derive(Default)]
pub(in crate::optimize) struct Names {
    pub(in crate::optimize) slices: HashMap<(VarId, usize), VarId>,
    pub(in crate::optimize) numbers: HashMap<Id, VarId>,
}

fn negated(mut products: Vec<Product>) -> Vec<Product> {
    for product in &mut products {
        product.minus = !product.minus;
    }
    products
}

/// Slices of one array, a fixed distance apart, have elements in common.
fn places(sliced: &Sliced, definitions: &Definitions<'_>) -> HashMap<VarId, (usize, i128)> {
    let mut firsts: Vec<(VarId, String, Poly)> = Vec::new();
    let mut places = HashMap::default();
    let mut alone = usize::MAX;
    for (var, view) in sliced.views.iter().chain(sliced.edits.iter().flatten()) {
        let whole = view.of.is_path();
        let Some(index) = definitions.poly(&view.index).filter(|_| whole) else {
            places.insert(*var, (alone, 0));
            alone -= 1;
            continue;
        };
        let path = path_text(&view.of.proj);
        let near = firsts
            .iter()
            .enumerate()
            .find_map(|(k, (root, to, first))| {
                let same = *root == view.of.root && *to == path;
                let apart = || index.clone().minus(first).constant();
                Some((k, same.then(apart)??))
            });
        let place = near.unwrap_or_else(|| {
            firsts.push((view.of.root, path, index.clone()));
            (firsts.len() - 1, 0)
        });
        places.insert(*var, place);
    }
    places
}
