//! Functions that take functions, and their calls.

use super::closures::Callable;
use super::scope::Ty;
use super::{Gen, Value};
use crate::text::{Item, line, literal, nest};

/// How a function takes another one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Generic,
    Impl,
    Where,
    Reference,
    Dyn,
    Mutable,
    DynMutable,
    Once,
    Pointer,
}

/// A function whose first parameter is a function.
#[derive(Clone)]
pub(super) struct Taker {
    path: String,
    form: Form,
    /// What the function takes that it gets, and what that returns.
    of: Vec<Ty>,
    ret: Ty,
    /// Its other parameters.
    params: Vec<Ty>,
}

/// The functions of the language that are given by their path.
const PATHS: [&str; 6] = ["sin", "cos", "tanh", "atan", "abs", "sinh"];

impl Gen<'_> {
    /// A function that takes one.
    pub(super) fn taker(&mut self, items: &mut Vec<Item>) {
        let name = self.name("h");
        let form = match self.choose(&[
            (20, "taker-generic"),
            (12, "taker-impl"),
            (10, "taker-where"),
            (10, "taker-reference"),
            (14, "taker-dyn"),
            (12, "taker-mut"),
            (8, "taker-dyn-mut"),
            (8, "taker-once"),
            (10, "taker-pointer"),
        ]) {
            "taker-impl" => Form::Impl,
            "taker-where" => Form::Where,
            "taker-reference" => Form::Reference,
            "taker-dyn" => Form::Dyn,
            "taker-mut" => Form::Mutable,
            "taker-dyn-mut" => Form::DynMutable,
            "taker-once" => Form::Once,
            "taker-pointer" => Form::Pointer,
            _ => Form::Generic,
        };
        // The right-hand side of a differential equation: it writes what it is asked for.
        let writes = !matches!(form, Form::Once | Form::Pointer) && self.maybe(20, "taker-writes");
        let (of, ret) = if writes {
            (vec![Ty::Slice, Ty::SliceMut], Ty::Unit)
        } else if form == Form::Pointer {
            (vec![Ty::Float], Ty::Float)
        } else {
            (self.closure_params(), Ty::Float)
        };
        let mut params = vec![if writes { Ty::Slice } else { Ty::Float }];
        if self.rng.percent(50) {
            params.push(self.rng.pick(&[&Ty::Float, &Ty::Slice, &Ty::Size]).clone());
        }
        let taker = Taker {
            path: name,
            form,
            of,
            ret,
            params,
        };
        items.push(self.taker_body(&taker));
        self.takers.push(taker);
    }

    fn taker_body(&mut self, taker: &Taker) -> Item {
        let mark = self.scope.mark();
        let callables = std::mem::take(&mut self.callables);
        let outer = std::mem::replace(&mut self.ret, Ty::Float);
        let budget = std::mem::replace(&mut self.budget, 8);
        let f = self.name("f");
        let mut texts = vec![parameter(taker, &f)];
        for ty in &taker.params {
            let p = self.name("p");
            texts.push(format!("{p}: {}", ty.text()));
            self.scope.declare(&p, ty.clone(), false);
        }
        let mut body = Vec::new();
        if taker.ret == Ty::Unit {
            self.steps(&f, &mut body);
            self.statements(0, 3, &mut body);
        } else if taker.form == Form::Once {
            self.statements(0, 2, &mut body);
            let x = self.name("x");
            let args = self.taken(&taker.of);
            body.push(line(format!("let mut {x}: ƒ = {f}({args});")));
            self.scope.declare(&x, Ty::Float, true);
            self.statements(0, 3, &mut body);
        } else {
            self.callables.push(Callable {
                name: f.clone(),
                params: taker.of.clone(),
                changes: matches!(taker.form, Form::Mutable | Form::DynMutable),
                given: true,
            });
            self.statements(1, 4, &mut body);
            let x = self.name("x");
            let args = self.taken(&taker.of);
            body.push(line(format!("let mut {x}: ƒ = {f}({args});")));
            self.scope.declare(&x, Ty::Float, true);
        }
        self.callables.clear();
        self.tail(&mut body);
        self.callables = callables;
        self.ret = outer;
        self.budget = budget;
        self.scope.leave(mark);
        let (generics, bound) = generics(taker);
        nest(
            format!(
                "†\n    fn {}{generics}({}) -> ƒ{bound}",
                taker.path,
                texts.join(", ")
            ),
            body,
        )
    }

    fn taken(&mut self, of: &[Ty]) -> String {
        let args: Vec<String> = of
            .iter()
            .map(|ty| self.purely(|g| g.argument(ty, 1)))
            .collect();
        args.join(", ")
    }

    /// A few steps of an integrator, whose state is a variable from then on.
    fn steps(&mut self, f: &str, body: &mut Vec<Item>) {
        let sequences = self.scope.readable(|v| v.ty == Ty::Slice);
        let from = sequences[0].name.clone();
        let (s, d, i) = (self.name("v"), self.name("v"), self.name("i"));
        let n = self.size(0);
        let h = literal(self.rng.pick(&["0.1", "0.25", "-0.2"]));
        body.push(line(format!(
            "let mut {s}: Vec<ƒ> = {from}.to_vec();\nlet mut {d}: Vec<ƒ> = vec![{}; {s}.len()];",
            literal("0.0_f64")
        )));
        body.push(nest(
            format!("for _ in 0..{n} % 3 + 1"),
            vec![
                line(format!("{f}(&{s}, &mut {d});")),
                nest(
                    format!("for {i} in 0..{s}.len()"),
                    vec![line(format!("{s}[{i}] += {h} * {d}[{i}].tanh();"))],
                ),
            ],
        ));
        self.scope.declare(&s, Ty::Vector, true);
        self.scope.declare(&d, Ty::Vector, true);
    }

    /// A call of a function with what it takes.
    pub(super) fn taker_call(&mut self, d: usize) -> Option<Value> {
        let taker = self
            .takers
            .get(self.rng.below(self.takers.len().max(1)))?
            .clone();
        let (given, borrows) = self.given(&taker)?;
        borrows.iter().for_each(|v| self.scope.lock(v, false));
        let args: Vec<String> = taker
            .params
            .iter()
            .map(|ty| self.purely(|g| g.argument(ty, d.min(1))))
            .collect();
        borrows.iter().for_each(|v| self.scope.unlock(v, false));
        Some(Value::typed(format!(
            "{}({given}, {})",
            taker.path,
            args.join(", ")
        )))
    }

    /// What a function is called with: a path, a closure with a name, one of its own function's, or a new one.
    fn given(&mut self, taker: &Taker) -> Option<(String, Vec<String>)> {
        let single = taker.of == [Ty::Float];
        let mark = match taker.form {
            Form::Reference | Form::Dyn => "&",
            Form::DynMutable => "&mut ",
            _ => "",
        };
        let named: Vec<Callable> = self
            .callables
            .iter()
            .filter(|c| !c.changes && c.params == taker.of)
            .filter(|_| mark != "&mut " && taker.form != Form::Pointer && taker.ret == Ty::Float)
            .cloned()
            .collect();
        let (s, n, c) = (
            usize::from(single),
            usize::from(!named.is_empty()),
            usize::from(taker.form != Form::Pointer),
        );
        Some(
            match self.choose(&[
                (12 * s, "given-path"),
                (20 * n, "given-name"),
                (40 * c, "given-closure"),
            ]) {
                "given-path" => {
                    let own: Vec<String> = self
                        .callees
                        .iter()
                        .filter(|c| c.params == [Ty::Float] && c.ret == Ty::Float && c.cheap)
                        // One with a rule has no sweeps of its own.
                        .filter(|c| !c.path.starts_with("ruled"))
                        .map(|c| c.path.clone())
                        .collect();
                    let path = if !own.is_empty() && self.rng.percent(60) {
                        own[self.rng.below(own.len())].clone()
                    } else {
                        format!("ƒ::{}", self.rng.pick(&PATHS))
                    };
                    (format!("{mark}{path}"), Vec::new())
                }
                "given-name" => {
                    let callable = &named[self.rng.below(named.len())];
                    let mark = if callable.given { "&" } else { mark };
                    (format!("{mark}{}", callable.name), Vec::new())
                }
                "given-closure" => {
                    let (text, borrows) = self.closure_argument(&taker.of, &taker.ret);
                    (format!("{mark}{text}"), borrows)
                }
                _ => return None,
            },
        )
    }
}

fn bound(taker: &Taker) -> String {
    let types: Vec<String> = taker.of.iter().map(Ty::text).collect();
    let family = match taker.form {
        Form::Mutable | Form::DynMutable => "FnMut",
        Form::Once => "FnOnce",
        Form::Pointer => "fn",
        _ => "Fn",
    };
    let arrow = if taker.ret == Ty::Unit {
        String::new()
    } else {
        format!(" -> {}", taker.ret.text())
    };
    format!("{family}({}){arrow}", types.join(", "))
}

fn parameter(taker: &Taker, f: &str) -> String {
    let bound = bound(taker);
    match taker.form {
        Form::Generic | Form::Where | Form::Once => format!("{f}: F"),
        Form::Mutable => format!("mut {f}: F"),
        Form::Impl => format!("{f}: impl {bound}"),
        Form::Reference => format!("{f}: &F"),
        Form::Dyn => format!("{f}: &dyn {bound}"),
        Form::DynMutable => format!("{f}: &mut dyn {bound}"),
        Form::Pointer => format!("{f}: {bound}"),
    }
}

/// The list of type parameters, and the `where` clause.
fn generics(taker: &Taker) -> (String, String) {
    let bound = bound(taker);
    match taker.form {
        Form::Generic | Form::Reference | Form::Mutable | Form::Once => {
            (format!("<F: {bound}>"), String::new())
        }
        Form::Where => ("<F>".into(), format!("\n    where F: {bound}")),
        Form::Impl | Form::Dyn | Form::DynMutable | Form::Pointer => (String::new(), String::new()),
    }
}
