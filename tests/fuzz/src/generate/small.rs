//! Short arrays, tuples and both in one another that loops carry, declare, copy, shadow and hand on: what becomes
//! variables of their own, and what has to stay.

use super::Gen;
use super::neighbours::fractions;
use crate::text::{Item, line, literal, nest};

/// The type of a small aggregate, down to its numbers.
#[derive(Clone, PartialEq)]
pub(super) enum Shape {
    Number,
    /// A `usize`.
    Count,
    Array(Box<Shape>, usize),
    Tuple(Vec<Shape>),
    /// A struct of the program, by its name, and its fields.
    Struct(String, Vec<(&'static str, Shape)>),
}

impl Shape {
    pub(super) fn array(len: usize) -> Shape {
        Shape::Array(Box::new(Shape::Number), len)
    }

    pub(super) fn text(&self) -> String {
        match self {
            Shape::Number => "ƒ".into(),
            Shape::Count => "usize".into(),
            Shape::Struct(name, _) => name.clone(),
            Shape::Array(item, len) => format!("[{}; {len}]", item.text()),
            Shape::Tuple(parts) => {
                let parts: Vec<String> = parts.iter().map(Shape::text).collect();
                format!("({})", parts.join(", "))
            }
        }
    }

    /// The way to each number.
    pub(super) fn ways(&self) -> Vec<String> {
        self.ways_to(&Shape::Number)
    }

    /// The way to each part of a type without parts.
    pub(super) fn ways_to(&self, leaf: &Shape) -> Vec<String> {
        let behind = |step: String, part: &Shape| {
            let ways = part.ways_to(leaf).into_iter();
            ways.map(|rest| format!("{step}{rest}")).collect::<Vec<_>>()
        };
        match self {
            Shape::Number | Shape::Count if self == leaf => vec![String::new()],
            Shape::Number | Shape::Count => Vec::new(),
            Shape::Struct(_, fields) => (fields.iter())
                .flat_map(|(name, part)| behind(format!(".{name}"), part))
                .collect(),
            Shape::Array(item, len) => (0..*len)
                .flat_map(|at| behind(format!("[{at}]"), item))
                .collect(),
            Shape::Tuple(parts) => (parts.iter().enumerate())
                .flat_map(|(at, part)| behind(format!(".{at}"), part))
                .collect(),
        }
    }

    /// A value of it, of one for each number.
    pub(super) fn made(&self, number: &mut dyn FnMut() -> String) -> String {
        self.with(number, "1_usize")
    }

    /// A value or a pattern, of one for each number, and of what stands for counts.
    pub(super) fn with(&self, number: &mut dyn FnMut() -> String, count: &str) -> String {
        match self {
            Shape::Number => number(),
            Shape::Count => count.to_owned(),
            Shape::Array(item, len) => {
                let items: Vec<String> = (0..*len).map(|_| item.with(number, count)).collect();
                format!("[{}]", items.join(", "))
            }
            Shape::Tuple(parts) => {
                let parts = parts.iter().map(|part| part.with(number, count));
                format!("({})", parts.collect::<Vec<_>>().join(", "))
            }
            Shape::Struct(name, fields) => {
                let fields = fields
                    .iter()
                    .map(|(field, part)| format!("{field}: {}", part.with(number, count)));
                format!("{name} {{ {} }}", fields.collect::<Vec<_>>().join(", "))
            }
        }
    }

    /// How long it is, if it is an array of numbers.
    pub(super) fn line(&self) -> Option<usize> {
        match self {
            Shape::Array(item, len) if **item == Shape::Number => Some(*len),
            Shape::Number
            | Shape::Count
            | Shape::Array(..)
            | Shape::Tuple(_)
            | Shape::Struct(..) => None,
        }
    }

    /// Rows, and how long they are, if it is an array of arrays of numbers.
    pub(super) fn rows(&self) -> Option<(usize, usize)> {
        match self {
            Shape::Array(item, len) => Some((*len, item.line()?)),
            Shape::Number | Shape::Count | Shape::Tuple(_) | Shape::Struct(..) => None,
        }
    }
}

/// A small aggregate that is in scope.
#[derive(Clone)]
pub(super) struct Small {
    pub(super) name: String,
    pub(super) shape: Shape,
    pub(super) writable: bool,
}

/// What statements may name.
#[derive(Clone)]
pub(super) struct Scene {
    /// Longer arrays of `n` elements, of which the first is written to, and a sum.
    pub(super) a: String,
    pub(super) w: String,
    pub(super) n: String,
    pub(super) s: String,
    pub(super) smalls: Vec<Small>,
    /// Numbers with a name.
    pub(super) floats: Vec<String>,
    /// Counters below `n`.
    pub(super) indices: Vec<String>,
    /// Arrays of integers, and how long they are.
    pub(super) counts: Vec<(String, usize)>,
    /// Arrays of two conditions.
    pub(super) flags: Vec<String>,
    /// A list of arrays of three numbers.
    pub(super) list: Option<String>,
    /// Loops that a jump may leave or go on with, outermost first.
    pub(super) labels: Vec<String>,
    pub(super) depth: usize,
    /// In a region that runs twice.
    pub(super) region: bool,
}

impl Gen<'_> {
    /// One or two nests of loops over small aggregates.
    pub(super) fn small(&mut self, seed: &str, n: &str, items: &mut Vec<Item>) -> String {
        let a = self.filled("a", seed, n, items);
        let w = self.filled("w", seed, n, items);
        let s = self.name("s");
        items.push(line(format!("let mut {s}: ƒ = {};", literal("0.1"))));
        let mut scene = Scene {
            a,
            w,
            n: n.to_owned(),
            s,
            smalls: Vec::new(),
            floats: vec![seed.to_owned()],
            indices: Vec::new(),
            counts: Vec::new(),
            flags: Vec::new(),
            list: None,
            labels: Vec::new(),
            depth: 0,
            region: self.unmarked > 0,
        };
        for _ in 0..self.rng.within(1, 3) {
            self.small_declared(&mut scene, items);
        }
        if self.maybe(35, "small-indices") {
            let (name, len) = (self.name("k"), self.rng.within(2, 3));
            let values: Vec<String> = (0..len).map(|at| format!("{at}")).collect();
            items.push(line(format!(
                "let mut {name}: [usize; {len}] = [{}];",
                values.join(", ")
            )));
            scene.counts.push((name, len));
        }
        if self.maybe(20, "small-flags") {
            let name = self.name("seen");
            items.push(line(format!("let mut {name} = [false; 2];")));
            scene.flags.push(name);
        }
        if self.maybe(20, "small-list") {
            let name = self.name("list");
            items.push(line(format!("let mut {name}: Vec<[ƒ; 3]> = Vec::new();")));
            scene.list = Some(name);
        }
        for _ in 0..self.rng.within(1, 2) {
            self.small_loop(&scene, items);
        }
        self.small_sum(&scene, items)
    }

    /// What all of it comes to.
    fn small_sum(&mut self, scene: &Scene, items: &mut Vec<Item>) -> String {
        let mut terms = vec![scene.s.clone()];
        for small in &scene.smalls {
            for way in small.shape.ways() {
                let factor = self.rng.pick(&["0.5", "1.5", "-0.75", "0.3"]);
                terms.push(format!("{}{way} * {}", small.name, literal(factor)));
            }
        }
        if let Some(list) = &scene.list {
            let (s, r) = (self.name("s"), self.name("r"));
            items.push(line(format!("let mut {s}: ƒ = {};", literal("0.2"))));
            let text = format!("{s} = {s} * {{h}} + {r}[0] * {r}[2] * {{q}} - {r}[1] * {{q}};");
            let head = self
                .rng
                .pick(&["for {r} in &{list}", "for {r} in {list}.iter()"]);
            let head = head.replace("{r}", &r).replace("{list}", list);
            items.push(nest(head, vec![line(fractions(&text))]));
            terms.push(s);
        }
        terms.push(self.summed(&scene.a, items));
        terms.join(" + ")
    }

    pub(super) fn small_shape(&mut self) -> Shape {
        let pair = || Shape::Tuple(vec![Shape::Number; 2]);
        match self.rng.below(20) {
            16 => Shape::Tuple(vec![Shape::Number, Shape::Count]),
            17 => Shape::Tuple(vec![Shape::Count, Shape::array(2), Shape::Number]),
            18 | 19 => self.small_struct(),
            0 | 1 => Shape::array(2),
            2 => Shape::array(4),
            3 => Shape::array(5),
            4 | 5 => pair(),
            6 => Shape::Tuple(vec![Shape::Number; 3]),
            7 => Shape::Array(Box::new(pair()), 2),
            8 => Shape::Array(Box::new(pair()), 3),
            9 | 10 => Shape::Array(Box::new(Shape::array(3)), 3),
            11 => Shape::Array(Box::new(Shape::array(2)), 2),
            12 => Shape::Tuple(vec![Shape::Number, Shape::array(3)]),
            _ => Shape::array(3),
        }
    }

    /// A struct that the program declares, the same one now and then.
    fn small_struct(&mut self) -> Shape {
        if let Some(known) = self.small_structs.last()
            && self.rng.percent(70)
        {
            return known.clone();
        }
        let fields = match self.rng.below(3) {
            0 => vec![("x", Shape::Number), ("y", Shape::Number)],
            1 => vec![
                ("at", Shape::array(3)),
                ("speed", Shape::array(3)),
                ("mass", Shape::Number),
            ],
            _ => vec![
                ("pair", Shape::Tuple(vec![Shape::Number; 2])),
                ("count", Shape::Count),
            ],
        };
        let name = self.name("Small");
        let texts: Vec<String> = (fields.iter())
            .map(|(field, shape)| format!("{field}: {}", shape.text()))
            .collect();
        self.late_items.push(line(format!(
            "‡\n#[derive(Clone, Copy)]\nstruct {name} {{ {} }}",
            texts.join(", ")
        )));
        let shape = Shape::Struct(name, fields);
        self.small_structs.push(shape.clone());
        shape
    }

    /// A new one.
    pub(super) fn small_declared(&mut self, scene: &mut Scene, items: &mut Vec<Item>) {
        let shape = self.small_shape();
        let name = self.name("b");
        let value = match shape.line() {
            Some(len) if self.rng.percent(30) => format!("[{}; {len}]", literal("0.0")),
            _ => self.small_made(scene, &shape),
        };
        let ty = if value.contains("; ") || self.rng.percent(50) {
            format!(": {}", shape.text())
        } else {
            String::new()
        };
        items.push(line(format!("let mut {name}{ty} = {value};")));
        scene.smalls.push(Small {
            name,
            shape,
            writable: true,
        });
    }

    /// A value of a shape: all of its numbers.
    pub(super) fn small_made(&mut self, scene: &Scene, shape: &Shape) -> String {
        let count = scene.indices.last().filter(|_| self.rng.percent(60));
        let count = count.map_or("1_usize", String::as_str);
        shape.with(&mut || self.small_value(scene), count)
    }

    /// A number in scope, of a type that shows.
    pub(super) fn small_operand(&mut self, scene: &Scene) -> String {
        let index = match scene.indices.len() {
            0 => "0".to_owned(),
            len => scene.indices[self.rng.below(len)].clone(),
        };
        if !scene.smalls.is_empty() && self.rng.percent(60) {
            let small = &scene.smalls[self.rng.below(scene.smalls.len())];
            if let Some(len) = small.shape.line()
                && self.rng.percent(1)
            {
                return format!("{}[{index} % {len}]", small.name);
            }
            let counts = small.shape.ways_to(&Shape::Count);
            if !counts.is_empty() && self.rng.percent(25) {
                return format!("{}[{}{} % {}]", scene.w, small.name, counts[0], scene.n);
            }
            let ways = small.shape.ways();
            return format!("{}{}", small.name, ways[self.rng.below(ways.len())]);
        }
        let Scene { a, w, n, s, .. } = scene;
        match self.rng.below(8) {
            0 | 1 => format!("{a}[{index}]"),
            2 => format!("{w}[{n} - 1 - {index}]"),
            3 => format!("{a}[({index} + 1) % {n}]"),
            4 => s.clone(),
            5 if !scene.counts.is_empty() => {
                let (count, len) = &scene.counts[self.rng.below(scene.counts.len())];
                format!("{w}[{count}[{}] % {n}]", self.rng.below(*len))
            }
            6 => scene.floats[self.rng.below(scene.floats.len())].clone(),
            _ => format!("{w}[{index}]"),
        }
    }

    /// A number that is not larger than two if all others are not.
    pub(super) fn small_value(&mut self, scene: &Scene) -> String {
        let [x, y, z] = [(); 3].map(|()| self.small_operand(scene));
        let text = match self.rng.below(10) {
            0 => format!("({x} - {y}).sin() * {z}"),
            1 => format!("(if {y} > {z} {{ {x} * {{h}} }} else {{ {y} - {{q}} }})"),
            2 => format!("{x}.max({y}) * {{h}}"),
            3 => format!("({x} * {x} + {y} * {y} + {{q}}).sqrt() * {{h}}"),
            4 => format!("{x} * {{h}} - {y} * {{q}}"),
            5 => x,
            6 => format!("{x} * {y} * {{q}} + {{q}}"),
            _ => format!("{x} * {{h}} + {y} * {z} * {{q}}"),
        };
        fractions(&text)
    }

    pub(super) fn small_condition(&mut self, scene: &Scene) -> String {
        let [x, y] = [(); 2].map(|()| self.small_operand(scene));
        let text = match self.rng.below(7) {
            6 if !scene.flags.is_empty() => {
                let seen = &scene.flags[self.rng.below(scene.flags.len())];
                let way = self.rng.pick(&["{f}[0]", "!{f}[1]", "{f}[0] && !{f}[1]"]);
                way.replace("{f}", seen)
            }
            0 if !scene.indices.is_empty() => {
                let index = &scene.indices[self.rng.below(scene.indices.len())];
                format!("{index} % 3 == {}", self.rng.below(3))
            }
            1 if !scene.counts.is_empty() => {
                let (count, len) = &scene.counts[self.rng.below(scene.counts.len())];
                format!("{count}[{}] % 2 == 1", self.rng.below(*len))
            }
            2 => format!("{x} * {y} > {{q}}"),
            3 => format!("{x} > {{h}} && {y} < {{q}}"),
            _ => format!("{x} > {y}"),
        };
        fractions(&text)
    }

    /// A loop, its body in a scope of its own.
    pub(super) fn small_loop(&mut self, scene: &Scene, items: &mut Vec<Item>) {
        let mut inner = scene.clone();
        inner.depth += 1;
        let (i, label) = (self.name("i"), self.name("'l"));
        let n = &scene.n;
        let range = if scene.depth == 0 {
            self.rng.pick(&[
                "0..{n}",
                "0..{n}",
                "1..{n} - 1",
                "(0..{n}).rev()",
                "(0..{n}).step_by(2)",
            ])
        } else {
            self.rng.pick(&[
                "0..2",
                "0..3",
                "0..4",
                "0..6",
                "1..3",
                "0..{n} % 4",
                "0..{n}",
                "(0..3).rev()",
            ])
        };
        let range = range.replace("{n}", n);
        inner.indices.push(i.clone());
        inner.labels.push(label.clone());
        let mut body = Vec::new();
        if self.maybe(15, "small-while") {
            let limit = self.small_condition(&inner);
            // What a jump would skip comes first.
            inner.labels.clear();
            self.small_statements(&mut inner, &mut body);
            body.push(line(format!("{i} += 1;")));
            items.push(line(format!("let mut {i}: usize = 0;")));
            items.push(nest(format!("while {i} < {n} && !({limit})"), body));
            return;
        }
        self.small_statements(&mut inner, &mut body);
        items.push(nest(format!("{label}: for {i} in {range}"), body));
    }
}
