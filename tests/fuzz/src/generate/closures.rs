//! Closures: with a name, and as arguments.

use super::scope::Ty;
use super::{Gen, Value};
use crate::text::{Item, line, literal, print};

/// What the body of a function can call by a name that is no function's.
#[derive(Clone)]
pub(super) struct Callable {
    pub(super) name: String,
    pub(super) params: Vec<Ty>,
    /// It writes to what it captures.
    pub(super) changes: bool,
    /// A parameter of the function: given on by reference.
    pub(super) given: bool,
}

/// What a closure is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// A name, by which it is called; it only reads what it captures.
    Reads,
    /// A name; it may write to what it captures.
    Changes,
    /// An argument: the types of what it captures must show.
    Given,
}

/// A closure in the making.
struct Closure {
    /// `move |x: ƒ| -> ƒ`
    head: String,
    body: Vec<Item>,
    /// Variables that it borrows.
    borrows: Vec<String>,
}

impl Gen<'_> {
    /// The parameters of a closure that returns a float.
    pub(super) fn closure_params(&mut self) -> Vec<Ty> {
        match self.rng.below(8) {
            0 => vec![Ty::Float, Ty::Float],
            1 => vec![Ty::Float, Ty::Size],
            2 => vec![Ty::Slice],
            3 => vec![Ty::Slice, Ty::Float],
            _ => vec![Ty::Float],
        }
    }

    /// A closure with a name, and what follows while it lives.
    pub(super) fn closure_statement(&mut self) -> Option<Vec<Item>> {
        let params = self.closure_params();
        let changes = self.pure == 0 && self.maybe(40, "closure-changes");
        let copies = self.maybe(25, "closure-move");
        let name = self.name("c");
        let purpose = if changes {
            Purpose::Changes
        } else {
            Purpose::Reads
        };
        let made = self.closure(&params, &Ty::Float, purpose, copies);
        let mutable = if changes { "mut " } else { "" };
        let mut items = vec![Item::Nest {
            parts: vec![(format!("let {mutable}{name} = {}", made.head), made.body)],
            tail: ";".into(),
        }];
        made.borrows
            .iter()
            .for_each(|v| self.scope.lock(v, changes));
        let mark = self.callables.len();
        self.callables.push(Callable {
            name: name.clone(),
            params: params.clone(),
            changes,
            given: false,
        });
        self.statements(1, 3, &mut items);
        let (x, e) = (self.name("x"), self.call_of(&name, &params, 1));
        items.push(line(format!("let mut {x}: ƒ = {e};")));
        self.callables.truncate(mark);
        made.borrows
            .iter()
            .for_each(|v| self.scope.unlock(v, changes));
        self.scope.declare(&x, Ty::Float, true);
        Some(items)
    }

    /// A call of something in scope.
    pub(super) fn closure_call(&mut self, d: usize) -> Option<Value> {
        let pure = self.pure > 0;
        let open: Vec<Callable> = self
            .callables
            .iter()
            .filter(|c| !(pure && c.changes))
            .cloned()
            .collect();
        let callable = open.get(self.rng.below(open.len().max(1)))?.clone();
        Some(Value::typed(self.call_of(
            &callable.name,
            &callable.params,
            d.min(1),
        )))
    }

    fn call_of(&mut self, name: &str, params: &[Ty], depth: usize) -> String {
        let args: Vec<String> = params
            .iter()
            .map(|ty| self.purely(|g| g.argument(ty, depth)))
            .collect();
        format!("{name}({})", args.join(", "))
    }

    /// A closure as an argument, and what it borrows: only what it reads.
    pub(super) fn closure_argument(&mut self, params: &[Ty], ret: &Ty) -> (String, Vec<String>) {
        let copies = *ret != Ty::Unit && self.maybe(15, "closure-move");
        let made = self.closure(params, ret, Purpose::Given, copies);
        let mut body = String::new();
        print(&made.body, 0, &mut body);
        (format!("{} {{\n{body}}}", made.head), made.borrows)
    }

    /// `copies`: it moves what it captures into itself.
    fn closure(&mut self, params: &[Ty], ret: &Ty, purpose: Purpose, copies: bool) -> Closure {
        let mark = self.scope.mark();
        let changes = purpose == Purpose::Changes;
        let outside = self.scope.readable(|_| true);
        // What it may not touch, and what it may not write.
        let (hidden, rest): (Vec<_>, Vec<_>) = outside.iter().partition(|v| {
            copies && !is_copied(&v.ty)
                || purpose == Purpose::Given && !v.name.starts_with('p') && !is_shown(&v.ty)
        });
        hidden.iter().for_each(|v| self.scope.lock(&v.name, true));
        let fixed: Vec<_> = rest.into_iter().filter(|_| !changes).collect();
        fixed.iter().for_each(|v| self.scope.lock(&v.name, false));
        // One that changes what it captures would be borrowed for as long.
        let callables = self.callables.clone();
        self.callables.retain(|c| !c.changes && !copies);
        let targets = std::mem::take(&mut self.targets);
        let saved = (self.sealed, self.pure, self.budget);
        let outer = std::mem::replace(&mut self.ret, ret.clone());
        let recursion = self.recursion.take();
        (self.sealed, self.pure, self.budget) = (0, 0, self.budget.min(4));
        self.unmarked += 1;

        let mut texts = Vec::new();
        for ty in params {
            let p = self.name("x");
            let writable = *ty == Ty::Float && self.rng.percent(25);
            texts.push(format!(
                "{}{p}: {}",
                if writable { "mut " } else { "" },
                ty.text()
            ));
            self.scope.declare(&p, ty.clone(), writable || ty.in_out());
        }
        let mut body = Vec::new();
        self.depth += 1;
        if *ret == Ty::Unit || self.maybe(45, "closure-block") {
            if *ret == Ty::Unit {
                self.write_in_out(&mut body);
            }
            self.statements(1, 3, &mut body);
        }
        if changes && let Some((before, place)) = self.float_target() {
            let e = self.purely(|g| g.bounded(1)).text;
            body.push(line(format!(
                "{before}{place} = {place} * {} + {e};",
                literal("0.5")
            )));
        }
        if *ret != Ty::Unit {
            let e = self.receiver(2);
            body.push(line(e));
        }
        self.depth -= 1;

        self.scope.leave(mark);
        self.unmarked -= 1;
        self.recursion = recursion;
        self.ret = outer;
        (self.sealed, self.pure) = (saved.0, saved.1);
        self.budget = saved.2 - 1;
        self.targets = targets;
        self.callables = callables;
        fixed.iter().for_each(|v| self.scope.unlock(&v.name, false));
        hidden.iter().for_each(|v| self.scope.unlock(&v.name, true));

        let mut text = String::new();
        print(&body, 0, &mut text);
        let borrows = if copies {
            Vec::new()
        } else {
            self.scope.mentioned(&text)
        };
        let arrow = if *ret == Ty::Unit {
            String::new()
        } else {
            format!(" -> {}", ret.text())
        };
        Closure {
            head: format!(
                "{}|{}|{arrow}",
                if copies { "move " } else { "" },
                texts.join(", ")
            ),
            body,
            borrows,
        }
    }
}

/// Whether a `move` closure leaves it to its owner.
fn is_copied(ty: &Ty) -> bool {
    matches!(
        ty,
        Ty::Float
            | Ty::Size
            | Ty::Int
            | Ty::Bool
            | Ty::Tuple(_)
            | Ty::Array(_)
            | Ty::Matrix(..)
            | Ty::Ref
            | Ty::Slice
            | Ty::ArrayRef(_)
            | Ty::VectorRef
    )
}

/// Whether the type of a local variable shows wherever it is declared.
fn is_shown(ty: &Ty) -> bool {
    ty.is_sequence() || matches!(ty, Ty::Float | Ty::Size | Ty::Int | Ty::Bool | Ty::Ref)
}
