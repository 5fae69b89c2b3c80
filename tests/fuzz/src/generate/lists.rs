//! Lists that loops fill: by pushes of numbers, points, pairs and rows, in counted loops and nests, straight, under
//! conditions and until something happens, with what is there already; and what is done with them behind.

use super::Gen;
use super::neighbours::fractions;
use super::scope::Ty;
use crate::text::{Item, line, literal, nest, to_float};

/// What a list holds.
#[derive(Clone, Copy, PartialEq)]
enum Element {
    Number,
    /// `[f64; 2]`
    Point,
    /// `(f64, f64)`
    Pair,
}

impl Element {
    fn text(self) -> &'static str {
        match self {
            Element::Number => "ƒ",
            Element::Point => "[ƒ; 2]",
            Element::Pair => "(ƒ, ƒ)",
        }
    }

    fn made(self, first: &str, second: &str) -> String {
        match self {
            Element::Number => format!("{first} + {second}"),
            Element::Point => format!("[{first}, {second}]"),
            Element::Pair => format!("({first}, {second})"),
        }
    }

    /// A number of an element at a place.
    fn part(self, place: &str, which: usize) -> String {
        match self {
            Element::Number => place.to_owned(),
            Element::Point => format!("{place}[{which}]"),
            Element::Pair => format!("{place}.{which}"),
        }
    }
}

/// A list that is being filled.
#[derive(Clone)]
pub(super) struct List<'n> {
    pub(super) name: String,
    element: Element,
    pub(super) seed: &'n str,
    pub(super) n: &'n str,
    /// Another array, with more elements than any two counters say.
    pub(super) x: String,
    pub(super) sum: String,
    /// Whether it has an element for certain.
    begun: bool,
}

/// Numbers that are pushed. `{k}` is a counter, or the sum of two.
const PUSHED: &[&str] = &[
    "{x}[{k}] * {seed}",
    "{x}[{k}] * {x}[{k}]",
    "({x}[{k}] + {seed}).sin()",
    "{x}[{k}] * {h} - {seed} * {q}",
    "{seed} * {q}",
    "if {x}[{k}] > {q} { {x}[{k}] * {seed} } else { {x}[{k} + 1] }",
];

impl Gen<'_> {
    /// A list, and the sum of what is read of it.
    pub(super) fn lists(&mut self, seed: &str, n: &str, items: &mut Vec<Item>) -> String {
        let x = self.filled("x", seed, &format!("(2 * {n} + 9)"), items);
        let sum = self.name("s");
        items.push(line(format!("let mut {sum}: ƒ = {};", literal("0.1"))));
        let anew = self.maybe(30, "list-anew");
        let mut body = Vec::new();
        let kind = self.choose(&[
            (55, "list-numbers"),
            (15, "list-points"),
            (15, "list-pairs"),
            (30, "list-rows"),
        ]);
        let element = match kind {
            "list-points" => Element::Point,
            "list-pairs" => Element::Pair,
            _ => Element::Number,
        };
        let list = List {
            name: self.name("v"),
            element,
            seed,
            n,
            x,
            sum,
            begun: false,
        };
        if kind == "list-rows" {
            self.rows(&list, &mut body);
        } else {
            self.one_list(list.clone(), anew, &mut body);
        }
        if anew {
            let t = self.name("t");
            let steps = self.rng.within(0, 4);
            // What a step leaves comes into the next one.
            let (x, s) = (&list.x, &list.sum);
            body.push(line(format!(
                "{x}[3] = {x}[3] * {} + ({s}).sin();",
                literal("0.5")
            )));
            items.push(nest(format!("for {t} in 0..{steps}"), body));
        } else {
            items.extend(body);
        }
        list.sum
    }

    fn one_list(&mut self, mut list: List<'_>, anew: bool, body: &mut Vec<Item>) {
        let held = self.maybe(20, "list-moved");
        let mut inside = Vec::new();
        self.begin(&mut list, &mut inside);
        for _ in 0..self.rng.within(1, 2) {
            self.fill_list(&mut list, &mut inside);
        }
        if self.rng.percent(25) {
            inside.push(self.pushes(&list, "2"));
            list.begun = true;
        }
        if !list.begun {
            let push = self.pushes(&list, "0");
            inside.push(nest(format!("if {}.is_empty()", list.name), vec![push]));
        }
        if held {
            // The list gets its name where it is done.
            let made = list.name.clone();
            list.name = self.name("v");
            if self.rng.percent(50) {
                inside.push(line(format!("let mut {} = {made};", list.name)));
                body.extend(inside);
            } else {
                inside.push(line(made));
                body.push(Item::Nest {
                    parts: vec![(
                        format!("let mut {}: Vec<{}> =", list.name, list.element.text()),
                        inside,
                    )],
                    tail: ";".into(),
                });
            }
        } else {
            body.extend(inside);
        }
        for _ in 0..self.rng.within(1, 3) {
            self.use_list(&list, body);
        }
        if !anew && self.rng.percent(25) {
            match list.element {
                Element::Number => self.scope.declare(&list.name, Ty::Vector, true),
                Element::Point => self.scope.declare(&list.name, Ty::Points, true),
                Element::Pair => {}
            }
        }
    }

    /// Declares the list, with what it begins with.
    fn begin(&mut self, list: &mut List<'_>, body: &mut Vec<Item>) {
        let (name, n) = (list.name.clone(), list.n);
        let made = match self.rng.below(7) {
            0 => format!("Vec::with_capacity({n})"),
            1 => format!("Vec::with_capacity({n} + 1)"),
            2 => "Vec::with_capacity(4)".to_owned(),
            3 => "vec![]".to_owned(),
            4 => {
                list.begun = true;
                format!("vec![{}]", self.pushed_value(list, "1"))
            }
            _ => "Vec::new()".to_owned(),
        };
        body.push(line(format!(
            "let mut {name}: Vec<{}> = {made};",
            list.element.text()
        )));
        if self.maybe(35, "list-straight") {
            for _ in 0..self.rng.within(1, 3) {
                let k = self.rng.pick(&["0", "1", "4"]).to_owned();
                body.push(self.pushes(list, &k));
            }
            list.begun = true;
        }
    }

    /// A loop that fills the list.
    fn fill_list(&mut self, list: &mut List<'_>, body: &mut Vec<Item>) {
        let (n, x) = (list.n, list.x.clone());
        let i = self.name("i");
        let quarter = literal("0.25");
        let kind = self.choose(&[
            (40, "push-counted"),
            (25, "push-nest"),
            (35, "push-last"),
            (10, "push-conditional"),
            (10, "push-either"),
            (18, "push-until"),
            (6, "push-while"),
        ]);
        let from = self.rng.pick(&["0", "0", "0", "1", "3"]).to_owned();
        let range = match self.rng.below(5) {
            0 => format!("({from}..{n}).rev()"),
            1 => format!("{from}..={n}"),
            2 => format!("{from}..{x}.len() / 2"),
            _ => format!("{from}..{n}"),
        };
        match kind {
            "push-nest" => {
                let j = self.name("j");
                let m = self.rng.within(1, 4);
                let inner = match self.rng.below(6) {
                    0 => format!("0..{i}"),
                    1 => format!("1..={m}"),
                    2 => format!("(0..{m}).rev()"),
                    3 => format!("0..{n} / 7"),
                    _ => format!("0..{m}"),
                };
                let k = format!("({i} + {j})");
                let pushes = (0..self.rng.within(1, 2)).map(|_| self.pushes(list, &k));
                let inside = pushes.collect();
                let range = format!("{from}..{n}");
                let deep = nest(format!("for {j} in {inner}"), inside);
                body.push(nest(format!("for {i} in {range}"), vec![deep]));
                list.begun = true;
            }
            "push-last" if list.begun => {
                let inside = self.pushes_what_follows(list, &i);
                body.push(nest(format!("for {i} in {range}"), inside));
            }
            "push-conditional" => {
                let push = self.pushes(list, &i);
                let asked = if self.rng.percent(50) {
                    format!("if {x}[{i}] > {quarter}")
                } else {
                    format!("if {i} % 3 != 1")
                };
                body.push(nest(
                    format!("for {i} in {range}"),
                    vec![nest(asked, vec![push])],
                ));
            }
            "push-either" => {
                let (one, other) = (self.pushes(list, &i), self.pushes(list, &i));
                let both = Item::Nest {
                    parts: vec![
                        (format!("if {x}[{i}] > {quarter}"), vec![one]),
                        ("else".into(), vec![other]),
                    ],
                    tail: String::new(),
                };
                body.push(nest(format!("for {i} in {range}"), vec![both]));
            }
            "push-until" => {
                let mut inside = vec![self.pushes(list, &i)];
                let jump = self.leaves_list();
                let limit = literal("0.8");
                inside.push(nest(
                    format!("if {x}[{i}] > {limit}"),
                    vec![line(format!("{jump};"))],
                ));
                if self.rng.percent(50) {
                    inside.rotate_left(1);
                }
                body.push(nest(format!("for {i} in {range}"), inside));
            }
            "push-while" => {
                let push = self.pushes(list, &i);
                body.push(line(format!("let mut {i} = {from};")));
                let inside = vec![push, line(format!("{i} += 1;"))];
                body.push(nest(format!("while {i} < {n}"), inside));
                list.begun = true;
            }
            _ => {
                let pushes = (0..self.rng.within(1, 3)).map(|_| self.pushes(list, &i));
                let inside = pushes.collect();
                body.push(nest(format!("for {i} in {range}"), inside));
                list.begun = true;
            }
        }
    }

    /// A jump out of the loop that fills, or on in it.
    fn leaves_list(&mut self) -> String {
        if self.sealed > 0 || self.rng.percent(70) {
            return self.rng.pick(&["break", "continue"]).to_owned();
        }
        let ret = self.ret.clone();
        match ret {
            Ty::Unit => "return".to_owned(),
            _ => format!("return {}", self.value(&ret, 1)),
        }
    }

    /// Pushes what is computed of an element that is there.
    fn pushes_what_follows(&mut self, list: &List<'_>, i: &str) -> Vec<Item> {
        let (name, x, l) = (&list.name, &list.x, self.name("l"));
        let last = match self.rng.below(4) {
            0 => format!("*{name}.last().unwrap()"),
            1 => format!("{name}[0]"),
            2 => format!("{name}[{name}.len() / 2]"),
            _ => format!("{name}[{name}.len() - 1]"),
        };
        let (half, quarter) = (literal("0.5"), literal("0.25"));
        let (first, second) = (list.element.part(&l, 0), list.element.part(&l, 1));
        let next = list.element.made(
            &format!("{first} * {half} + {x}[{i}] * {quarter}"),
            &format!("{second} * {x}[{i}] * {quarter}"),
        );
        vec![
            line(format!("let {l}: {} = {last};", list.element.text())),
            line(format!("{name}.push({next});")),
        ]
    }

    fn pushes(&mut self, list: &List<'_>, k: &str) -> Item {
        let value = self.pushed_value(list, k);
        line(format!("{}.push({value});", list.name))
    }

    fn pushed_value(&mut self, list: &List<'_>, k: &str) -> String {
        let mut number = || {
            let text = self.rng.pick(PUSHED);
            let text = text.replace("{x}", &list.x).replace("{seed}", list.seed);
            format!("({})", fractions(&text.replace("{k}", k)))
        };
        let (first, second) = (number(), number());
        match list.element {
            Element::Number if self.rng.percent(70) => first,
            of => of.made(&first, &second),
        }
    }

    /// What is done with a list that has elements.
    fn use_list(&mut self, list: &List<'_>, body: &mut Vec<Item>) {
        let (v, s, x) = (&list.name, &list.sum, &list.x);
        let (j, p) = (self.name("j"), self.name("p"));
        let (half, tenth) = (literal("0.5"), literal("0.1"));
        let part = |place: &str, which| list.element.part(place, which);
        let at = |index: &str, which| part(&format!("{v}[{index}]"), which);
        let number = to_float(&format!("({j} % 3)"));
        let item = match self.rng.below(9) {
            0 => {
                let (a, b) = (part(&p, 0), part(&p, 1));
                let inside = line(format!("{s} += {a} * {b} * {tenth};"));
                nest(format!("for &{p} in {v}.iter()"), vec![inside])
            }
            1 => {
                let (a, b) = (part(&p, 1), part(&p, 0));
                let inside = line(format!(
                    "{s} += {a} * {number} - {b} * {x}[{j} % {x}.len()];"
                ));
                nest(
                    format!("for ({j}, &{p}) in {v}.iter().enumerate()"),
                    vec![inside],
                )
            }
            2 => line(format!(
                "{s} += {} * {};",
                at(&format!("{v}.len() - 1"), 0),
                at("0", 1)
            )),
            3 => {
                let place = at(&j, 1);
                let inside = line(format!("{place} = {place} * {half};"));
                nest(format!("for {j} in 0..{v}.len()"), vec![inside])
            }
            4 => {
                let change = match self.rng.below(4) {
                    0 => format!("{v}.reverse();"),
                    1 => format!("{v}.truncate({v}.len() / 2 + 1);"),
                    2 => format!("{v}.push({v}[0]);"),
                    _ => format!("let {p} = {v}.len() / 2;\n{v}.swap(0, {p});"),
                };
                line(change)
            }
            5 => {
                let window = |which, of| part(&format!("{p}[{which}]"), of);
                let inside = line(format!(
                    "{s} += ({} - {}) * {} * {tenth};",
                    window(1, 0),
                    window(0, 0),
                    window(0, 1)
                ));
                nest(format!("for {p} in {v}.windows(2)"), vec![inside])
            }
            6 => {
                let of = dereferenced(list, &p);
                let (a, b) = (part(&of, 0), part(&of, 1));
                line(format!(
                    "{s} += {v}.iter().map(|{p}| {a} * {b}).sum::<ƒ>();"
                ))
            }
            7 => {
                let inside = line(format!(
                    "{s} = {s} * {half} + {} * {tenth};",
                    at(&format!("{v}.len() - 1 - {j}"), 0)
                ));
                nest(format!("for {j} in 0..{v}.len()"), vec![inside])
            }
            _ => {
                let inside = line(format!("{s} += {} * {} * {tenth};", at(&j, 0), at(&j, 1)));
                nest(format!("for {j} in 0..{v}.len()"), vec![inside])
            }
        };
        body.push(item);
    }
}

/// What a reference to an element leads to, so that its parts can be named.
fn dereferenced(list: &List<'_>, name: &str) -> String {
    match list.element {
        Element::Number => format!("*{name}"),
        Element::Point | Element::Pair => name.to_owned(),
    }
}
