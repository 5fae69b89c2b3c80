//! Statements that declare and assign.

use super::Gen;
use super::scope::Ty;
use crate::text::{Item, line, literal, nest};

/// How deep statements nest.
pub(super) const MAX_DEPTH: usize = 4;

impl Gen<'_> {
    /// Between `lo` and `hi` statements, fewer when the program's budget runs out.
    pub(super) fn statements(&mut self, lo: usize, hi: usize, out: &mut Vec<Item>) {
        for _ in 0..self.rng.within(lo, hi) {
            if self.budget <= 0 {
                return;
            }
            self.budget -= 1;
            self.statement(out);
        }
    }

    /// A block's statements in a scope of their own.
    pub(super) fn block(&mut self, lo: usize, hi: usize) -> Vec<Item> {
        self.depth += 1;
        let items = self.scoped(|g| {
            let mut items = Vec::new();
            g.statements(lo, hi, &mut items);
            items
        });
        self.depth -= 1;
        items
    }

    #[expect(clippy::too_many_lines, reason = "one line per kind of statement")]
    fn statement(&mut self, out: &mut Vec<Item>) {
        let nested = usize::from(self.depth < MAX_DEPTH);
        let looping = usize::from(self.depth < MAX_DEPTH && self.loops < 2);
        let outermost = usize::from(looping > 0 && self.loops == 0);
        let jump = usize::from(self.sealed == 0 && (self.depth > 0));
        let in_loop = usize::from(self.targets.iter().any(|t| t.is_loop));
        let growing = |ty: &Ty| matches!(ty, Ty::Vector | Ty::VectorMut);
        let vectors = usize::from(!self.scope.writable(|v| growing(&v.ty)).is_empty());
        let nested_data =
            |ty: &Ty| matches!(ty, Ty::Matrix(..) | Ty::Rows | Ty::Points | Ty::Pairs(_));
        let nests = usize::from(!self.scope.readable(|v| nested_data(&v.ty)).is_empty());
        let fallible = usize::from(self.callees.iter().any(|c| c.ret == Ty::Fallible));
        let kind = self.choose(&[
            (22, "let-float"),
            (6, "let-tuple"),
            (6, "let-array"),
            (3, "let-matrix"),
            (8, "let-vector"),
            (2, "let-rows"),
            (2, "let-mixed"),
            (2, "let-pairs"),
            (2, "let-points"),
            (1, "let-const"),
            // A closure may be called in a region.
            (usize::from(self.sealed + self.unmarked == 0), "eprintln"),
            (3, "let-option"),
            (5, "let-int"),
            (2, "let-bool"),
            (4, "shadow"),
            (3, "let-deferred"),
            (26, "assign"),
            (16, "compound"),
            (4, "assign-whole"),
            (2, "assign-tuple-pattern"),
            (5, "int-update"),
            (12 * nested, "if"),
            (5 * nested, "match"),
            (4 * nested, "if-let"),
            (12 * looping, "for"),
            (5 * looping, "while"),
            (4 * looping, "loop"),
            (7 * looping, "for-slice"),
            (3 * nested, "labelled-block"),
            (2 * nested, "inner-block"),
            (4 * jump, "return"),
            (7 * jump * in_loop, "jump"),
            (16 * vectors, "vector-method"),
            (8 * nests, "nested"),
            (5, "swap"),
            (3, "mem-swap"),
            (2, "fill"),
            (3, "copy_from_slice"),
            (7 * nested, "view"),
            (6, "call-statement"),
            (4 * nested * usize::from(self.unmarked == 0), "checkpoint"),
            (2, "let-else"),
            (1, "assert"),
            (11 * outermost, "kernel"),
            (5 * outermost, "index-loop"),
            (4 * outermost, "second-write"),
            (3 * outermost, "view-lengths"),
            (10, "chain"),
            (8 * nested, "closure"),
            (16, "container"),
            (14 * fallible, "fallible-call"),
            (
                8 * usize::from(self.sealed == 0 && matches!(self.ret, Ty::Fallible | Ty::Maybe)),
                "error",
            ),
            (34 * usize::from(!self.types.is_empty()), "own"),
        ]);
        let made = match kind {
            "if" => self.if_statement(),
            "match" => self.match_statement(),
            "if-let" => self.if_let(),
            "for" => self.for_range(),
            "while" => self.while_loop(),
            "loop" => self.loop_statement(),
            "for-slice" => self.for_slice(),
            "labelled-block" => self.labelled_block(),
            "inner-block" => Some(vec![nest("", self.block(1, 4))]),
            "return" => self.early_return(),
            "jump" => self.jump(),
            "vector-method" => self.vector_method(),
            "nested" => self.nested_statement(),
            "swap" => self.swap_elements(),
            "mem-swap" => self.mem_swap(),
            "fill" => self.fill(),
            "copy_from_slice" => self.copy_from_slice(),
            "view" => self.view(),
            "call-statement" => self.call_statement(),
            "checkpoint" => self.checkpoint(),
            "let-else" => self.let_else(),
            "kernel" => self.kernel(),
            "index-loop" => self.index_loop(),
            "second-write" => self.second_write(),
            "view-lengths" => self.view_lengths(),
            "chain" => self.in_chain(Self::chain_statement),
            "closure" => self.closure_statement(),
            "container" => self.container_statement(),
            "fallible-call" => {
                let call = self.call_that(|c| c.ret == Ty::Fallible);
                call.map(|call| self.result_used(&call))
            }
            "error" => self.leaves_with_error(),
            "own" => self.own_statement(),
            other => self.declare_or_assign(other),
        };
        out.extend(made.unwrap_or_default());
    }

    /// One of the loops over longer arrays.
    pub(super) fn array_statement(&mut self, out: &mut Vec<Item>) {
        let made = match self.choose(&[
            (40, "index-loop"),
            (35, "second-write"),
            (15, "view-lengths"),
            (80, "kernel"),
        ]) {
            "index-loop" => self.index_loop(),
            "second-write" => self.second_write(),
            "view-lengths" => self.view_lengths(),
            "kernel" => self.kernel(),
            _ => None,
        };
        out.extend(made.unwrap_or_default());
    }

    fn declare_or_assign(&mut self, kind: &str) -> Option<Vec<Item>> {
        Some(vec![line(match kind {
            "let-tuple" => self.let_tuple(),
            "let-array" => {
                let n = self.rng.within(1, 4);
                self.let_of(Ty::Array(n), "a", false)
            }
            "let-matrix" => {
                let (n, m) = (self.rng.within(1, 3), self.rng.within(1, 3));
                self.let_of(Ty::Matrix(n, m), "m", false)
            }
            "let-vector" => self.let_of(Ty::Vector, "v", false),
            "let-rows" => self.let_of(Ty::Rows, "r", false),
            "let-mixed" => self.let_of(Ty::Mixed, "p", true),
            "let-pairs" => {
                let n = self.rng.within(1, 3);
                self.let_of(Ty::Pairs(n), "q", false)
            }
            "let-points" => self.let_of(Ty::Points, "q", false),
            "let-const" => {
                let name = self.name("K");
                let value = self.rng.pick(&["0.35", "-1.5", "2.25"]).to_string();
                let e = self.receiver(1);
                let x = self.name("x");
                self.scope.declare(&x, Ty::Float, false);
                format!("const {name}: f64 = {value};\nlet {x} = ⟨{name}│num({name})⟩ * {e};")
            }
            "eprintln" => {
                let place = self.float_place()?;
                let n = self.size(0);
                format!("eprintln!(\"{{:?}} {{}}\", {place}, {n});")
            }
            "let-option" => self.let_of(Ty::Maybe, "o", false),
            "let-int" => {
                let (ty, rem) = if self.rng.percent(65) {
                    (Ty::Size, "% 9")
                } else {
                    (Ty::Int, "% 7")
                };
                let e = self.value(&ty, 1);
                let name = self.name("n");
                self.scope.declare(&name, ty.clone(), true);
                format!("let mut {name}: {} = ({e}) {rem};", ty.text())
            }
            "let-bool" => self.let_of(Ty::Bool, "c", true),
            "shadow" => self.shadow()?,
            "let-deferred" => {
                let name = self.name("x");
                let c = self.condition(1);
                let (a, b) = (self.float(2).text, self.float(1).text);
                self.scope.declare(&name, Ty::Float, true);
                format!("let mut {name}: ƒ;\nif {c} {{ {name} = {a}; }} else {{ {name} = {b}; }}")
            }
            "assign" => self.assign()?,
            "compound" => self.compound()?,
            "assign-whole" => self.assign_whole()?,
            "assign-tuple-pattern" => {
                let vars = self.scope.writable(|v| v.ty == Ty::Float);
                let (a, b) = (vars.first()?.name.clone(), vars.last()?.name.clone());
                if a == b {
                    return None;
                }
                let (x, y) = (self.bounded(1).text, self.bounded(1).text);
                format!("({a}, {b}) = ({x}, {y});")
            }
            "int-update" => self.int_update()?,
            "assert" => {
                let n = self.size(1);
                let place = self.float_place()?;
                match self.rng.below(3) {
                    0 => format!("assert!({n} < 1_000_000);"),
                    1 => format!(
                        "debug_assert!({place} == {place} || ({place}).is_nan(), \"never\");"
                    ),
                    _ => format!("assert_ne!({n}, 123_456);"),
                }
            }
            _ => {
                let e = self.float(3);
                let name = self.name("x");
                let writable = self.rng.percent(60);
                let annotation = if !e.typed || self.rng.percent(15) {
                    ": ƒ"
                } else {
                    ""
                };
                self.scope.declare(&name, Ty::Float, writable);
                format!(
                    "let {}{name}{annotation} = {};",
                    if writable { "mut " } else { "" },
                    e.text
                )
            }
        })])
    }

    /// `let mut name: ty = value;`
    fn let_of(&mut self, ty: Ty, base: &str, annotated: bool) -> String {
        let annotated = annotated || self.rng.percent(60);
        self.literals_typed = !annotated;
        let e = self.value(&ty, 2);
        self.literals_typed = false;
        let name = self.name(base);
        let annotation = if annotated {
            format!(": {}", ty.text())
        } else {
            String::new()
        };
        let writable = self.rng.percent(85);
        self.scope.declare(&name, ty, writable);
        format!(
            "let {}{name}{annotation} = {e};",
            if writable { "mut " } else { "" }
        )
    }

    fn let_tuple(&mut self) -> String {
        let n = self.rng.within(2, 3);
        match self.choose(&[
            (30, "tuple-variable"),
            (40, "tuple-pattern"),
            (15, "array-pattern"),
            (15, "nested-pattern"),
            (15, "partial-pattern"),
        ]) {
            "tuple-variable" => self.let_of(Ty::Tuple(n), "p", true),
            "array-pattern" => {
                let parts: Vec<String> = (0..n).map(|_| self.receiver(1)).collect();
                let names: Vec<String> = (0..n).map(|_| self.name("x")).collect();
                names
                    .iter()
                    .for_each(|x| self.scope.declare(x, Ty::Float, false));
                format!("let [{}] = [{}];", names.join(", "), parts.join(", "))
            }
            "partial-pattern" => {
                let parts: Vec<String> = (0..3).map(|_| self.receiver(1)).collect();
                let (x, y) = (self.name("x"), self.name("x"));
                let list = parts.join(", ");
                self.scope.declare(&x, Ty::Float, true);
                self.scope.declare(&y, Ty::Float, false);
                match self.rng.below(3) {
                    0 => format!("let (mut {x}, _, {y}) = ({list});"),
                    1 => format!("let [mut {x}, .., {y}] = [{list}];"),
                    _ => format!("let (mut {x}, ..) = ({list});\nlet {y} = {x};"),
                }
            }
            "nested-pattern" => {
                let parts: Vec<String> = (0..3).map(|_| self.receiver(1)).collect();
                let names: Vec<String> = (0..3).map(|_| self.name("x")).collect();
                names
                    .iter()
                    .for_each(|x| self.scope.declare(x, Ty::Float, false));
                format!(
                    "let ({}, ({}, {})) = ({}, ({}, {}));",
                    names[0], names[1], names[2], parts[0], parts[1], parts[2]
                )
            }
            _ => {
                let parts: Vec<String> = (0..n).map(|_| self.receiver(2)).collect();
                let names: Vec<(String, bool)> = (0..n)
                    .map(|_| (self.name("x"), self.rng.percent(50)))
                    .collect();
                names
                    .iter()
                    .for_each(|(x, w)| self.scope.declare(x, Ty::Float, *w));
                let pattern: Vec<String> = names
                    .iter()
                    .map(|(x, w)| format!("{}{x}", if *w { "mut " } else { "" }))
                    .collect();
                format!("let ({}) = ({});", pattern.join(", "), parts.join(", "))
            }
        }
    }

    /// `let x = f(x);`
    fn shadow(&mut self) -> Option<String> {
        let vars = self.scope.readable(|v| v.ty == Ty::Float && v.shared == 0);
        let var = vars.get(self.rng.below(vars.len().max(1)))?.name.clone();
        let e = self.receiver(2);
        self.scope.declare(&var, Ty::Float, true);
        Some(format!("let mut {var} = {e} + {var};"))
    }

    fn assign(&mut self) -> Option<String> {
        let (before, place) = self.float_target()?;
        let e = self.with_index_kept(&before, &place, |g| {
            if g.loops > 0 || g.rng.percent(40) {
                g.bounded(2).text
            } else {
                g.float(3).text
            }
        });
        Some(match self.rng.below(4) {
            0 => format!("{before}{place} = {place} * {} + {e};", literal("0.5")),
            _ => format!("{before}{place} = {e};"),
        })
    }

    /// A value for a place whose index is computed `before` it: the value must not shorten what the index is for.
    fn with_index_kept<T>(
        &mut self,
        before: &str,
        place: &str,
        value: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let root = place.split('[').next().unwrap_or(place);
        if before.is_empty() {
            return value(self);
        }
        self.scope.lock(root, false);
        let value = value(self);
        self.scope.unlock(root, false);
        value
    }

    fn compound(&mut self) -> Option<String> {
        let (before, place) = self.float_target()?;
        // The right side of a compound assignment runs first for `f64`; the oracle's type must say so.
        let effects = self.rng.percent(5);
        let e = if effects {
            self.with_index_kept(&before, &place, |g| g.bounded(1).text)
        } else {
            self.purely(|g| g.bounded(2)).text
        };
        let (op, e) = match self.choose(&[
            (40, "add-assign"),
            (25, "sub-assign"),
            (25, "mul-assign"),
            (10, "div-assign"),
            (4, "rem-assign"),
        ]) {
            "sub-assign" => ("-=", e),
            "mul-assign" => ("*=", e),
            "div-assign" => ("/=", format!("({} + {e})", literal("2.2"))),
            "rem-assign" => ("%=", literal("1.5")),
            _ => ("+=", e),
        };
        Some(format!(
            "{before}⟨{place} {op} {e}│{{ let late = {e}; {place} {op} late; }}⟩;"
        ))
    }

    fn assign_whole(&mut self) -> Option<String> {
        let vars = self.scope.writable(|v| {
            matches!(
                v.ty,
                Ty::Array(_)
                    | Ty::Tuple(_)
                    | Ty::Vector
                    | Ty::Matrix(..)
                    | Ty::Maybe
                    | Ty::Pairs(_)
                    | Ty::Points
                    | Ty::Mixed
            )
        });
        let var = vars.get(self.rng.below(vars.len().max(1)))?.clone();
        if let Ty::Matrix(n, m) = var.ty
            && self.rng.percent(50)
        {
            let i = self.index(&n.to_string());
            let row = self.value(&Ty::Array(m), 1);
            return Some(format!("{}[{i}] = {row};", var.name));
        }
        let e = self.value(&var.ty, 2);
        Some(format!("{} = {e};", var.name))
    }

    fn int_update(&mut self) -> Option<String> {
        let vars = self.scope.writable(|v| v.ty == Ty::Size || v.ty == Ty::Int);
        let var = vars.get(self.rng.below(vars.len().max(1)))?.clone();
        let name = &var.name;
        Some(if var.ty == Ty::Size {
            match self.rng.below(3) {
                0 => format!("{name} = ({} + {name}) % 11;", self.size(1)),
                1 => format!("{name} += 1;\n{name} %= 9;"),
                _ => format!("{name} = {} % 7;", self.size(1)),
            }
        } else {
            format!("{name} = ({} - {name}) % 7;", self.int(1))
        })
    }
}
