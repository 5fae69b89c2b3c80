//! Statements over small aggregates in loops.

use super::Gen;
use super::neighbours::fractions;
use super::small::{Scene, Shape, Small};
use crate::text::{Item, line, nest};

impl Gen<'_> {
    pub(super) fn small_statements(&mut self, scene: &mut Scene, items: &mut Vec<Item>) {
        for _ in 0..self.rng.within(2, 5) {
            self.small_statement(scene, items);
        }
        let value = self.small_value(scene);
        let s = &scene.s;
        items.push(line(fractions(&format!(
            "{s} = {s} * {{h}} + ({value}) * {{q}};"
        ))));
    }

    /// One that may be written to.
    fn small_target(&mut self, scene: &Scene) -> Option<Small> {
        let open: Vec<&Small> = scene.smalls.iter().filter(|s| s.writable).collect();
        Some((*open.get(self.rng.below(open.len().max(1)))?).clone())
    }

    /// Another one of the same shape.
    pub(super) fn small_like(
        &mut self,
        scene: &Scene,
        other: &Small,
        writable: bool,
    ) -> Option<String> {
        let alike = |s: &&Small| {
            s.shape == other.shape && s.name != other.name && (s.writable || !writable)
        };
        let open: Vec<&Small> = scene.smalls.iter().filter(alike).collect();
        Some(open.get(self.rng.below(open.len().max(1)))?.name.clone())
    }

    fn small_statement(&mut self, scene: &mut Scene, items: &mut Vec<Item>) {
        let nested = usize::from(scene.depth < 3);
        let kind = self.choose(&[
            (30, "small-element"),
            (25, "small-whole"),
            (12, "small-copy"),
            (14, "small-declared"),
            (10, "small-shadowed"),
            (16 * usize::from(!scene.labels.is_empty()), "small-exit"),
            (12 * nested, "small-branch"),
            (14 * nested, "small-loop"),
            (12, "small-call"),
            (10, "small-closure"),
            (8 * nested * usize::from(!scene.region), "small-region"),
            (12, "small-exchanged"),
            (12, "small-apart"),
            (12 * scene.counts.len(), "small-counts"),
            (12, "small-items"),
            (8, "small-rows"),
            (8, "small-counted"),
            (10, "small-best"),
            (7, "small-viewed"),
            (7, "small-kept"),
            (6, "small-matched"),
            (5 * usize::from(!scene.region), "small-region-value"),
            (5, "small-generic"),
            (4 * nested, "small-endless"),
            (14 * scene.flags.len(), "small-flagged"),
            (5, "small-late"),
            (10 * usize::from(scene.list.is_some()), "small-pushed"),
            (6, "small-stored"),
        ]);
        match kind {
            "small-declared" => self.small_declared(scene, items),
            "small-exit" => self.small_exit(scene, items),
            "small-endless" => self.small_endless(scene, items),
            "small-branch" => self.small_branch(scene, items),
            "small-loop" => self.small_loop(scene, items),
            "small-region" => {
                let mut inner = scene.clone();
                (inner.depth, inner.region) = (scene.depth + 1, true);
                inner.labels.clear();
                let mut body = Vec::new();
                self.small_statements(&mut inner, &mut body);
                items.push(nest("§", body));
            }
            "small-counts" => self.small_counts(scene, items),
            "small-stored" => {
                let value = self.small_value(scene);
                let index = scene.indices.last().cloned().unwrap_or("0".into());
                items.push(line(format!(
                    "{}[{index} % {}] = {value};",
                    scene.a, scene.n
                )));
            }
            "small-pushed" => self.small_pushed(scene, items),
            "small-flagged" => {
                let flags = &scene.flags[self.rng.below(scene.flags.len())];
                let c = self.small_condition(scene);
                let way = self.rng.pick(&[
                    "{f}[0] = {c};",
                    "{f} = [{f}[1], {c}];",
                    "if {c} { {f}[1] = !{f}[1]; }",
                    "{f}[1] = {f}[0] && ({c});",
                    "{f}[0] |= {c};",
                ]);
                items.push(line(way.replace("{f}", flags).replace("{c}", &c)));
            }
            _ => {
                if let Some(small) = self.small_target(scene) {
                    self.small_use(kind, &small, scene, items);
                }
            }
        }
    }

    /// What is done with one of them.
    fn small_use(&mut self, kind: &str, small: &Small, scene: &mut Scene, items: &mut Vec<Item>) {
        let Small { name, shape, .. } = small;
        match kind {
            "small-whole" => {
                let value = self.small_whole(small, scene);
                items.push(line(format!("{name} = {value};")));
            }
            "small-copy" => {
                let text = match self.small_like(scene, small, false) {
                    Some(other) => format!("{name} = {other};"),
                    None => {
                        let (copy, own) = (self.name("b"), self.rng.percent(60));
                        scene.smalls.push(Small {
                            name: copy.clone(),
                            shape: shape.clone(),
                            writable: own,
                        });
                        format!("let {}{copy} = {name};", if own { "mut " } else { "" })
                    }
                };
                items.push(line(text));
            }
            "small-shadowed" => {
                let shape = if self.rng.percent(60) {
                    shape.clone()
                } else {
                    self.small_shape()
                };
                let (value, own) = (self.small_made(scene, &shape), self.rng.percent(70));
                let mutable = if own { "mut " } else { "" };
                items.push(line(format!(
                    "let {mutable}{name}: {} = {value};",
                    shape.text()
                )));
                scene.smalls.retain(|s| s.name != *name);
                scene.smalls.push(Small {
                    name: name.clone(),
                    shape,
                    writable: own,
                });
            }
            "small-late" => {
                let (late, c) = (self.name("b"), self.small_condition(scene));
                let (x, y) = (self.small_made(scene, shape), self.small_made(scene, shape));
                let ty = shape.text();
                items.push(line(format!(
                    "let {late}: {ty};\nif {c} {{ {late} = {x}; }} else {{ {late} = {y}; }}"
                )));
                scene.smalls.push(Small {
                    name: late,
                    shape: shape.clone(),
                    writable: false,
                });
            }
            "small-best" => {
                let (ways, x) = (shape.ways(), self.small_operand(scene));
                let way = &ways[self.rng.below(ways.len())];
                let value = self.small_made(scene, shape);
                items.push(line(format!(
                    "if {x} > {name}{way} {{ {name} = {value}; }}"
                )));
            }
            "small-viewed" => self.small_viewed(small, scene, items),
            "small-kept" => self.small_kept(small, scene, items),
            "small-matched" => self.small_matched(small, scene, items),
            "small-region-value" => self.small_region(small, scene, items),
            "small-generic" => self.small_generic(small, scene, items),
            "small-call" => self.small_call(small, scene, items),
            "small-closure" => self.small_closure(small, scene, items),
            "small-exchanged" => self.small_exchanged(small, scene, items),
            "small-apart" => self.small_apart(small, scene, items),
            "small-items" => self.small_items(small, scene, items),
            "small-rows" => self.small_rows(small, scene, items),
            "small-counted" => self.small_counted(small, scene, items),
            _ => {
                let (ways, value) = (shape.ways(), self.small_value(scene));
                let way = &ways[self.rng.below(ways.len())];
                let place = format!("{name}{way}");
                let text = match self.rng.below(4) {
                    0 => format!("{place} = {place} * {{h}};\n{place} += ({value}) * {{h}};"),
                    1 => format!("{place} *= {{h}};\n{place} -= ({value}) * {{h}};"),
                    _ => format!("{place} = {value};"),
                };
                items.push(line(fractions(&text)));
            }
        }
    }

    /// The value of a region.
    fn small_region(&mut self, small: &Small, scene: &Scene, items: &mut Vec<Item>) {
        let Small { name, shape, .. } = small;
        let u = self.name("u");
        let first = self.small_value(scene);
        let mut inner = scene.clone();
        inner.floats.push(u.clone());
        let value = self.small_made(&inner, shape);
        let mark = if value.contains(&u) { "" } else { "_" };
        items.push(line(format!(
            "{name} = § {{ let {mark}{u}: ƒ = {first}; {value} }};"
        )));
    }

    /// A count that it holds.
    fn small_counted(&mut self, small: &Small, scene: &Scene, items: &mut Vec<Item>) {
        let Small { name, shape, .. } = small;
        let counts = shape.ways_to(&Shape::Count);
        let Some(way) = counts.first() else {
            return;
        };
        let index = scene.indices.last().cloned().unwrap_or("2".into());
        let c = self.small_condition(scene);
        let text = match self.rng.below(3) {
            0 => format!("{name}{way} += 1;"),
            1 => format!("if {c} {{ {name}{way} = {index}; }}"),
            _ => format!("{name}{way} = ({name}{way} * 3 + {index}) % {};", scene.n),
        };
        items.push(line(text));
    }

    /// A new value of all of it.
    fn small_whole(&mut self, small: &Small, scene: &Scene) -> String {
        let Small { name, shape, .. } = small;
        let ways = shape.ways();
        let c = self.small_condition(scene);
        let value = self.small_made(scene, shape);
        match (self.rng.below(7), shape.line()) {
            (0 | 1, _) => {
                // Its own numbers in another order.
                let from = self.rng.within(1, ways.len());
                let mut at = from;
                shape.made(&mut || {
                    at += 1;
                    format!("{name}{}", ways[at % ways.len()])
                })
            }
            (2, Some(len)) => format!("[{}; {len}]", self.small_value(scene)),
            (3, Some(_)) => fractions(&format!("{name}.map(|v| v * {{h}} + {{q}})")),
            (4, Some(len)) => fractions(&format!(
                "std::array::from_fn::<ƒ, {len}, _>(|v| {}[v] * {{h}} + {}[v] * {{q}})",
                name, scene.w
            )),
            (5, _) => {
                let other = self.small_like(scene, small, false);
                let other = other.unwrap_or_else(|| name.clone());
                format!("if {c} {{ {value} }} else {{ {other} }}")
            }
            (6, _) => {
                let u = self.name("u");
                let first = self.small_value(scene);
                let mut inner = scene.clone();
                inner.floats = vec![u.clone()];
                let value = self.small_made(&inner, shape);
                format!("{{ let {u}: ƒ = {first}; {value} }}")
            }
            _ => value,
        }
    }

    fn small_exit(&mut self, scene: &Scene, items: &mut Vec<Item>) {
        let c = self.small_condition(scene);
        let label = &scene.labels[self.rng.below(scene.labels.len())];
        let keyword = self.rng.pick(&["break", "continue", "continue"]);
        let jump = if scene.labels.last() == Some(label) && self.rng.percent(70) {
            keyword.to_owned()
        } else {
            format!("{keyword} {label}")
        };
        items.push(line(format!("if {c} {{ {jump}; }}")));
    }

    fn small_branch(&mut self, scene: &Scene, items: &mut Vec<Item>) {
        let mut inner = scene.clone();
        inner.depth += 1;
        let c = self.small_condition(scene);
        let mut parts = Vec::new();
        let heads = if self.rng.percent(50) {
            vec![format!("if {c}")]
        } else {
            vec![format!("if {c}"), "else".to_owned()]
        };
        for head in heads {
            let (mut within, mut body) = (inner.clone(), Vec::new());
            for _ in 0..self.rng.within(1, 2) {
                self.small_statement(&mut within, &mut body);
            }
            parts.push((head, body));
        }
        let tail = String::new();
        items.push(Item::Nest { parts, tail });
    }
}
