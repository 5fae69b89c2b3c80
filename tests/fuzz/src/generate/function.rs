//! Whole functions and programs.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::own::Own;
use super::scope::Ty;
use super::signature::{Param, entries};
use super::{Callee, Gen};
use crate::rng::Rng;
use crate::text::{Item, line, literal, nest, print};

/// A function: its head up to the body, and the body.
#[derive(Clone)]
pub(crate) struct Function {
    pub(crate) head: String,
    pub(crate) body: Vec<Item>,
}

/// A program: functions and data, the last function `f` being the one that is differentiated.
#[derive(Clone)]
pub(crate) struct Program {
    pub(crate) items: Vec<Item>,
    pub(crate) main: Function,
    pub(crate) params: Vec<Param>,
    pub(crate) ret: Ty,
    pub(crate) inputs: Vec<Vec<f64>>,
    /// In `f32`: every `f64` of the text is replaced.
    pub(crate) single: bool,
    /// Types that it declares.
    pub(crate) types: Vec<Rc<Own>>,
    /// Constructs in it.
    pub(crate) used: BTreeMap<&'static str, u32>,
}

impl Program {
    pub(crate) fn text(&self) -> String {
        let mut items = self.items.clone();
        items.push(nest(self.main.head.clone(), self.main.body.clone()));
        let mut out = String::new();
        print(&items, 1, &mut out);
        out
    }
}

/// Program `index` under `seed`, without the constructs in `disabled`.
pub(crate) fn program(seed: u64, index: u32, disabled: &BTreeSet<String>) -> Program {
    build(Gen::new(Rng::for_program(seed, index), disabled), None)
}

/// A program of a few loops over longer arrays and nothing else.
pub(crate) fn array_program(seed: u64, index: u32, disabled: &BTreeSet<String>) -> Program {
    let mut g = Gen::new(Rng::for_program(seed, index), disabled);
    g.array_program = true;
    build(g, None)
}

/// A program with the lines of `injected` somewhere in it. They see the active parameter `act` and define `inj`,
/// which goes into the result.
pub(crate) fn program_with(
    seed: u64,
    index: u32,
    disabled: &BTreeSet<String>,
    injected: &str,
) -> Program {
    build(
        Gen::new(Rng::for_program(seed, index), disabled),
        Some(injected),
    )
}

fn build(mut g: Gen<'_>, injected: Option<&str>) -> Program {
    let single = injected.is_none() && g.maybe(8, "single-precision");
    let mut items = vec![
        line(format!(
            "const SCALE: f64 = {};",
            g.rng.pick(&["0.3", "1.25", "-0.7"])
        )),
        line("static TABLE: [f64; 4] = [0.5, -1.25, 2.0, 0.75];"),
    ];
    g.array_program |= injected.is_none() && g.maybe(35, "array-program");
    let inner = if g.array_program {
        Vec::new()
    } else {
        g.own_types(&mut items);
        g.helpers(&mut items)
    };
    let (mut params, mut ret) = g.main_signature();
    if injected.is_some() {
        params.retain(|p| !p.ty.in_out());
        ret = Ty::Float;
    }
    let mut main = g.main(&params, ret.clone());
    if let Some(lines) = injected {
        main.head = main.head.replacen("f(", "f(act: ƒ, ", 1);
        let at = g.rng.below(main.body.len());
        if let Some(Item::Line(tail)) = main.body.last_mut() {
            *tail = tail
                .trim_start_matches("return ")
                .trim_end_matches(';')
                .to_string()
                + " + inj";
        }
        main.body.insert(
            at,
            line(
                lines
                    .lines()
                    .map(|l| format!("{l} // injected\n"))
                    .collect::<String>(),
            ),
        );
    }
    main.body.splice(0..0, inner);
    items.append(&mut g.late_items);
    let floats: usize = params.iter().map(|p| entries(&p.ty, &p.shape)).sum();
    let inputs = (0..3)
        .map(|_| (0..floats).map(|_| g.rng.input()).collect())
        .collect();
    Program {
        items,
        main,
        params,
        ret,
        inputs,
        single,
        types: g.types,
        used: g.used,
    }
}

impl Gen<'_> {
    /// Functions that the program calls. Those returned go into the body of the main function.
    fn helpers(&mut self, items: &mut Vec<Item>) -> Vec<Item> {
        let (mut inner, mut inner_callees) = (Vec::new(), Vec::new());
        for _ in 0..self.rng.below(4) {
            let kind = self.choose(&[
                (40, "fn-plain"),
                (14, "fn-module"),
                (10, "fn-renamed"),
                (8, "fn-glob"),
                (10, "fn-in-body"),
                (16, "fn-recursive"),
                (8, "fn-mutual"),
                (10, "fn-const-generic"),
                (6, "fn-lifetime"),
                (10, "fn-float"),
                (22, "fn-fallible"),
                (9, "fn-option"),
                (24, "fn-rule"),
                (26, "fn-taking"),
            ]);
            let name = self.name("h");
            match kind {
                "fn-module" | "fn-renamed" | "fn-glob" => {
                    let module = self.name("m");
                    self.apart += 1;
                    let f = self.helper(&name, "pub fn", kind, None);
                    self.apart -= 1;
                    items.push(nest(
                        format!("mod {module}"),
                        vec![line("use super::*;"), nest(f.0.head, f.0.body)],
                    ));
                    let mut callee = f.1;
                    match kind {
                        "fn-module" => callee.path = format!("{module}::{name}"),
                        "fn-renamed" => {
                            callee.path = format!("{name}_as");
                            items.push(line(format!("use {module}::{name} as {name}_as;")));
                        }
                        _ => items.push(line(format!("use {module}::*;"))),
                    }
                    self.callees.push(callee);
                }
                "fn-rule" => self.ruled(items),
                "fn-taking" => self.taker(items),
                "fn-float" => self.float_generic(items),
                "fn-recursive" => {
                    let (f, callee) = self.helper(&name, "fn", kind, Some(name.clone()));
                    items.push(nest(f.head, f.body));
                    self.callees.push(callee);
                }
                "fn-mutual" => {
                    let other = format!("{name}_b");
                    let signature = self.signature(kind, true);
                    let (f, callee) =
                        self.written(&name, "fn", kind, Some(other.clone()), signature.clone());
                    let (twin, _) = self.written(&other, "fn", kind, Some(name.clone()), signature);
                    items.push(nest(f.head, f.body));
                    items.push(nest(twin.head, twin.body));
                    self.callees.push(callee);
                }
                "fn-in-body" => {
                    self.apart += 1;
                    let (f, callee) = self.helper(&name, "fn", kind, None);
                    self.apart -= 1;
                    inner.push(nest(f.head, f.body));
                    inner_callees.push(callee);
                }
                _ => {
                    let (f, callee) = self.helper(&name, "fn", kind, None);
                    items.push(nest(f.head, f.body));
                    self.callees.push(callee);
                }
            }
        }
        self.plain_functions(items);
        // Functions in the body of `f` can only be called there.
        self.callees.extend(inner_callees);
        inner
    }

    /// A helper; `recursion` names the function that it may call with a smaller counter.
    fn helper(
        &mut self,
        name: &str,
        keyword: &str,
        kind: &str,
        recursion: Option<String>,
    ) -> (Function, Callee) {
        let signature = self.signature(kind, recursion.is_some());
        self.written(name, keyword, kind, recursion, signature)
    }

    pub(super) fn written(
        &mut self,
        name: &str,
        keyword: &str,
        kind: &str,
        recursion: Option<String>,
        signature: (Vec<Ty>, Ty),
    ) -> (Function, Callee) {
        let (params, ret) = signature;
        let (generics, slice) = match kind {
            "fn-const-generic" => ("<const N: usize>", ""),
            "fn-lifetime" => ("<'a>", "&'a [ƒ]"),
            _ => ("", ""),
        };
        let callee = Callee {
            path: name.into(),
            params: params.clone(),
            ret: ret.clone(),
            recursive: recursion.is_some(),
            cheap: recursion.is_none(),
            method: kind == "fn-method",
        };
        let mut texts = Vec::new();
        let mark = self.scope.mark();
        let mut counter = String::new();
        for (k, ty) in params.iter().enumerate() {
            let own = matches!(
                ty,
                Ty::Float | Ty::Array(_) | Ty::Vector | Ty::Tuple(_) | Ty::Own(_) | Ty::OwnVec(_)
            );
            let writable = own && self.rng.percent(40);
            if k == 0 && callee.method {
                texts.push(match ty {
                    Ty::OwnRef(_) => "&self".into(),
                    Ty::OwnMut(_) => "&mut self".into(),
                    _ if writable => "mut self".to_owned(),
                    _ => "self".into(),
                });
                self.scope
                    .declare_typed("self", ty.clone(), writable || ty.in_out());
                continue;
            }
            let p = self.name("p");
            let text = if *ty == Ty::Slice && !slice.is_empty() {
                slice.to_string()
            } else {
                ty.text()
            };
            texts.push(format!("{}{p}: {text}", if writable { "mut " } else { "" }));
            if recursion.is_some() && k + 1 == params.len() {
                counter.clone_from(&p);
                self.scope.declare_counter(&p, Ty::Size);
            } else {
                let inside = if *ty == Ty::AnyArrayRef {
                    Ty::Slice
                } else {
                    ty.clone()
                };
                self.scope
                    .declare_typed(&p, inside, writable || ty.in_out());
            }
        }
        let saved_ret = std::mem::replace(&mut self.ret, ret.clone());
        let saved_budget = std::mem::replace(&mut self.budget, 10);
        let mut body = Vec::new();
        if let Some(other) = recursion {
            let e = self.value(&ret, 1);
            let e = if ret == Ty::Unit {
                "return".into()
            } else {
                format!("return {e}")
            };
            body.push(line(format!("if {counter} == 0 {{ {e}; }}")));
            self.recursion = Some((
                Callee {
                    path: other,
                    ..callee.clone()
                },
                counter,
            ));
        }
        self.write_in_out(&mut body);
        self.statements(1, 5, &mut body);
        self.tail(&mut body);
        self.recursion = None;
        self.ret = saved_ret;
        self.budget = saved_budget;
        self.scope.leave(mark);
        let arrow = if ret == Ty::Unit {
            String::new()
        } else {
            format!(" -> {}", ret.text())
        };
        (
            Function {
                head: format!(
                    "†\n    {keyword} {name}{generics}({}){arrow}",
                    texts.join(", ")
                ),
                body,
            },
            callee,
        )
    }

    /// One write through each in-out parameter.
    pub(super) fn write_in_out(&mut self, body: &mut Vec<Item>) {
        for var in self.scope.writable(|v| v.ty.in_out()) {
            if let Some((before, place)) = self.place_to_borrow(&var) {
                let e = self.purely(|g| g.bounded(2)).text;
                let op = self.rng.pick(&["=", "+=", "*="]).to_string();
                body.push(line(format!(
                    "{before}⟨{place} {op} {e}│{{ let late = {e}; {place} {op} late; }}⟩;"
                )));
            }
        }
    }

    fn main(&mut self, params: &[Param], ret: Ty) -> Function {
        let mut texts = Vec::new();
        for param in params {
            let p = self.name("p");
            let own = matches!(
                param.ty,
                Ty::Float
                    | Ty::Array(_)
                    | Ty::Vector
                    | Ty::Tuple(_)
                    | Ty::Size
                    | Ty::Matrix(..)
                    | Ty::Own(_)
                    | Ty::OwnVec(_)
            );
            let writable = own && self.rng.percent(35);
            texts.push(format!(
                "{}{p}: {}",
                if writable { "mut " } else { "" },
                param.ty.text()
            ));
            self.scope
                .declare_typed(&p, param.ty.clone(), writable || param.ty.in_out());
        }
        self.ret = ret.clone();
        self.budget = self.rng.within(6, 34) as i32;
        let mut body = Vec::new();
        self.write_in_out(&mut body);
        let mut early = Vec::new();
        if self.array_program {
            for _ in 0..self.rng.within(1, 3) {
                self.array_statement(&mut early);
            }
        } else {
            while self.budget > 0 {
                self.statements(2, 8, &mut early);
            }
        }
        body.extend(early);
        self.tail(&mut body);
        let arrow = if ret == Ty::Unit {
            String::new()
        } else {
            format!(" -> {}", ret.text())
        };
        Function {
            head: format!("†\n    pub fn f({}){arrow}", texts.join(", ")),
            body,
        }
    }

    /// The result: it gathers what is in scope, so that little of the program is dead.
    pub(super) fn tail(&mut self, body: &mut Vec<Item>) {
        let ret = self.ret.clone();
        if ret == Ty::Unit {
            return;
        }
        if ret != Ty::Float && ret != Ty::Fallible {
            let e = self.value(&ret, 2);
            body.push(line(e));
            return;
        }
        let mut terms = vec![self.receiver(2)];
        let vars = self.scope.readable(|v| super::places::holds_floats(&v.ty));
        for var in vars.iter().rev().take(8) {
            if self.rng.percent(70) {
                let scale = self.rng.pick(&["0.5", "1.5", "-0.75", "0.3"]).to_string();
                let term = if var.ty.is_sequence() && self.rng.percent(60) {
                    format!("{}.iter().sum::<ƒ>()", var.name)
                } else {
                    let Some(place) = self.place_in(var) else {
                        continue;
                    };
                    if self.rng.percent(30) {
                        format!("({place}).sin()")
                    } else {
                        place
                    }
                };
                terms.push(format!("{} * {term}", literal(&scale)));
            }
        }
        let mut text = format!("({})", terms.join(" + "));
        if ret == Ty::Fallible {
            text = format!("Ok({text})");
        }
        if self.rng.percent(15) {
            body.push(line(format!("return {text};")));
        } else {
            body.push(line(text));
        }
    }
}
