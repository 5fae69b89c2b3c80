//! What is done with one small aggregate: calls, closures, exchanges, patterns, loops over its elements.

use super::Gen;
use super::neighbours::fractions;
use super::small::{Scene, Shape, Small};
use crate::text::{Item, line};

impl Gen<'_> {
    /// A function of the body that takes it.
    pub(super) fn small_call(&mut self, small: &Small, scene: &mut Scene, items: &mut Vec<Item>) {
        let Small { name, shape, .. } = small;
        let (part, u) = (self.name("part"), self.name("u"));
        let (ty, ways) = (shape.text(), shape.ways());
        let [x, y] = [(); 2].map(|()| ways[self.rng.below(ways.len())].clone());
        let value = self.small_value(scene);
        let mark = if self.rng.percent(30) { "†\n" } else { "" };
        let loops = match shape.line() {
            Some(len) if self.rng.percent(50) => {
                format!("for k in 0..{len} {{ p[k] = p[k] * {{h}} + u * {{q}}; }} ")
            }
            _ => String::new(),
        };
        let text = match self.rng.below(4) {
            0 => format!(
                "{mark}fn {part}(p: &mut {ty}, u: ƒ) {{ {loops}p{x} = p{y} * {{h}} + u * {{q}}; }}\n\
                 let {u}: ƒ = {value};\n{part}(&mut {name}, {u});"
            ),
            1 => format!(
                "{mark}fn {part}(p: &{ty}, u: ƒ) -> ƒ {{ p{x} * {{h}} + u * p{y} * {{q}} }}\n\
                 let {u}: ƒ = {part}(&{name}, {value});"
            ),
            2 => format!(
                "{mark}fn {part}(mut p: {ty}, u: ƒ) -> {ty} {{ {loops}p{x} = p{y} * {{h}} + u * {{q}}; p }}\n\
                 {name} = {part}({name}, {value});"
            ),
            _ => format!(
                "{mark}fn {part}(p: {ty}, u: ƒ) -> (ƒ, ƒ) {{ (p{x} * {{h}}, u * p{y} * {{q}}) }}\n\
                 let {u}: (ƒ, ƒ) = {part}({name}, {value});"
            ),
        };
        if text.contains(&format!("let {u}: ƒ")) {
            scene.floats.push(u);
        } else if text.contains(&format!("let {u}: (")) {
            scene.smalls.push(Small {
                name: u,
                shape: Shape::Tuple(vec![Shape::Number; 2]),
                writable: false,
            });
        }
        items.push(line(fractions(&text)));
    }

    /// A closure that captures it.
    pub(super) fn small_closure(
        &mut self,
        small: &Small,
        scene: &mut Scene,
        items: &mut Vec<Item>,
    ) {
        let Small { name, shape, .. } = small;
        let (f, u, v) = (self.name("f"), self.name("u"), self.name("v"));
        let ways = shape.ways();
        let [x, y] = [(); 2].map(|()| ways[self.rng.below(ways.len())].clone());
        let [first, second] = [(); 2].map(|()| self.small_value(scene));
        let text = match self.rng.below(3) {
            0 => format!(
                "let {f} = |u: ƒ| u * {name}{x} * {{q}} + {name}{y} * {{h}};\n\
                 let {u}: ƒ = {f}({first});\nlet {v}: ƒ = {f}({u}) - {f}({second}) * {{q}};"
            ),
            1 => format!(
                "let ({u}, {v}): (ƒ, ƒ) = ({first}, {second});\n\
                 let mut {f} = |u: ƒ| {{ {name}{x} = {name}{y} * {{h}} + u * {{q}}; }};\n{f}({u});\n{f}({v});"
            ),
            _ => format!(
                "let {u}: ƒ = {first};\nlet {v}: ƒ = {second};\n\
                 let {f} = move |u: ƒ| {{ let p = {name}; p{x} * u * {{q}} + p{y} * {{h}} }};\n\
                 {name}{x} = {name}{x} * {{h}} + {f}({u}) * {{q}};\n{name}{y} = {f}({v});"
            ),
        };
        scene.floats.extend([u, v]);
        items.push(line(fractions(&text)));
    }

    pub(super) fn small_exchanged(
        &mut self,
        small: &Small,
        scene: &mut Scene,
        items: &mut Vec<Item>,
    ) {
        let Small { name, shape, .. } = small;
        let ways = shape.ways();
        let (first, last) = (&ways[0], &ways[ways.len() - 1]);
        let other = self.small_like(scene, small, true);
        let text = match (self.rng.below(5), other, shape.line()) {
            (0, Some(other), _) => format!("std::mem::swap(&mut {name}, &mut {other});"),
            (1, Some(other), _) => {
                format!("std::mem::swap(&mut {name}{first}, &mut {other}{last});")
            }
            (2, _, _) => {
                let (old, value) = (self.name("b"), self.small_made(scene, shape));
                let text = format!("let mut {old} = std::mem::replace(&mut {name}, {value});");
                scene.smalls.push(Small {
                    name: old,
                    shape: shape.clone(),
                    writable: true,
                });
                // The value may not read what is lent.
                let u = self.name("u");
                let text = text.replace(&value, &u);
                format!("let {u} = {value};\n{text}")
            }
            (3, _, Some(len)) => {
                let way = self
                    .rng
                    .pick(&["swap(0, {l})", "reverse()", "rotate_left(1)"]);
                let way = way.replace("{l}", &(len - 1).to_string());
                format!("{name}.{way};")
            }
            (_, _, Some(_)) => {
                format!("[{name}{last}, {name}{first}] = [{name}{first}, {name}{last}];")
            }
            _ => format!("({name}{last}, {name}{first}) = ({name}{first}, {name}{last});"),
        };
        items.push(line(text));
    }

    /// A pattern takes it apart.
    pub(super) fn small_apart(&mut self, small: &Small, scene: &mut Scene, items: &mut Vec<Item>) {
        let Small { name, shape, .. } = small;
        let mut bound = Vec::new();
        let mutable = if self.rng.percent(25) { "mut " } else { "" };
        let mut binding = || {
            let v = self.name("v");
            bound.push(v.clone());
            format!("{mutable}{v}")
        };
        let pattern = shape.with(&mut binding, "_");
        let mut text = format!("let {pattern} = {name};");
        if !mutable.is_empty() {
            text.push_str(&format!("\n{0} = {0} * {{h}} + {{q}};", bound[0]));
        }
        scene.floats.extend(bound);
        items.push(line(fractions(&text)));
    }

    pub(super) fn small_counts(&mut self, scene: &Scene, items: &mut Vec<Item>) {
        let (count, len) = &scene.counts[self.rng.below(scene.counts.len())];
        let (at, n) = (self.rng.below(*len), &scene.n);
        let index = scene.indices.last().cloned().unwrap_or("1".into());
        let c = self.small_condition(scene);
        let text = match self.rng.below(5) {
            0 => format!("{count}[{at}] = ({count}[{at}] + 1) % {n};"),
            1 => format!("if {c} {{ {count}[{at}] = {index}; }}"),
            2 => format!("{count}[{at}] += 1;\nif {count}[{at}] >= {n} {{ {count}[{at}] = 0; }}"),
            3 => {
                let mut items: Vec<String> = (1..*len).map(|k| format!("{count}[{k}]")).collect();
                items.push(format!("({count}[0] + {index}) % {n}"));
                format!("{count} = [{}];", items.join(", "))
            }
            _ => format!("{count}.swap(0, {});", len - 1),
        };
        items.push(line(text));
    }

    /// Loops over its elements.
    pub(super) fn small_items(&mut self, small: &Small, scene: &Scene, items: &mut Vec<Item>) {
        let Small { name, shape, .. } = small;
        let (k, v) = (self.name("j"), self.name("v"));
        let Scene { s, w, n, .. } = scene;
        let x = self.small_operand(scene);
        let Some(len) = shape.line() else {
            if let Shape::Array(item, len) = shape {
                let ways = item.ways();
                let way = &ways[self.rng.below(ways.len())];
                items.push(line(fractions(&format!(
                    "for {k} in 0..{len} {{ {name}[{k}]{way} = \
                     {name}[{len} - 1 - {k}]{way} * {{h}} + {w}[{k}] * {{q}}; }}"
                ))));
            }
            return;
        };
        let text = match self.rng.below(7) {
            0 => format!("for {v} in {name} {{ {s} = {s} * {{h}} + {v} * {x} * {{q}}; }}"),
            1 => format!(
                "for ({k}, {v}) in {name}.iter_mut().enumerate() {{ *{v} = *{v} * {{h}} + {w}[{k}] * {{q}}; }}"
            ),
            2 => format!("{s} = {s} * {{h}} + {name}.iter().sum::<ƒ>().sin() * {{q}};"),
            3 => format!(
                "for {k} in 1..{len} {{ {name}[{k}] = {name}[{k}] * {{h}} + {name}[{k} - 1] * {{q}}; }}"
            ),
            4 => format!(
                "for {k} in 0..{name}.len() {{ {s} = {s} * {{h}} + {name}[{k}] * {w}[{k}] * {{q}}; }}"
            ),
            5 => format!(
                "for {k} in 0..{n} {{ {name}[0] = {name}[0] * {{h}} + {w}[{k}] * {{q}};\n\
                 if {name}[0] > {{h}} {{ {name}[{}] = {name}[0]; break; }} }}",
                len - 1
            ),
            _ => format!(
                "for {k} in 0..{len} {{ {name}[{k}] = {name}[{k}] * {{h}} + {x} * {{q}}; }}"
            ),
        };
        items.push(line(fractions(&text)));
    }

    /// Rows are moved, lent, and multiplied.
    pub(super) fn small_rows(&mut self, small: &Small, scene: &mut Scene, items: &mut Vec<Item>) {
        let Small { name, shape, .. } = small;
        let Some((rows, len)) = shape.rows() else {
            return;
        };
        let (r, j, k) = (self.name("b"), self.name("j"), self.name("k"));
        let like = Small {
            name: r.clone(),
            shape: Shape::array(len),
            writable: true,
        };
        let at = self.rng.below(rows);
        let value = self.small_value(scene);
        let (s, w) = (scene.s.clone(), scene.w.clone());
        let text = match (self.small_like(scene, &like, true), self.rng.below(9)) {
            (Some(b), 0) => format!("{name}[{at}] = {b};"),
            (Some(b), 1) => format!("{b} = {name}[{at}];"),
            (Some(b), 2 | 3) => format!(
                "for {j} in 0..{rows} {{ for {k} in 0..{len} {{ \
                 {b}[{k}] = {b}[{k}] * {{h}} + {name}[{j}][{k}] * {w}[{j}] * {{q}}; }} }}"
            ),
            (Some(b), 4) => format!("std::mem::swap(&mut {name}[{at}], &mut {b});"),
            (_, 5) => format!(
                "for {r} in {name} {{ {s} = {s} * {{h}} + {r}[0] * {r}[{}] * {{q}}; }}",
                len - 1
            ),
            (_, 6) => format!(
                "for {r} in &mut {name} {{ {r}[0] = {r}[{}] * {{h}} + {{q}}; }}",
                len - 1
            ),
            (_, 7) => format!(
                "for {j} in 0..{rows} {{ for {k} in {j}..{len} {{ \
                 {name}[{j}][{k}] = {name}[{j}][{k}] * {{h}} + {w}[{k}] * {{q}}; }} }}"
            ),
            _ => {
                scene.smalls.push(like);
                let later = format!("{r}[0] = {r}[0] * {{h}} + ({value}) * {{q}};");
                match self.rng.below(3) {
                    0 => format!(
                        "let mut {r} = {name}[{at}];\n{later}\n{name}[{}] = {r};",
                        (at + 1) % rows
                    ),
                    1 => format!("let mut {r}: [ƒ; {len}] = {name}[{at}];\n{later}"),
                    _ => {
                        scene.smalls.pop();
                        let u = self.name("u");
                        format!(
                            "let {u} = {value};\nlet {r} = &mut {name}[{at}];\n{r}[0] = {r}[0] * {{h}} + {u} * {{q}};"
                        )
                    }
                }
            }
        };
        items.push(line(fractions(&text)));
    }

    /// A row goes to the list, or comes back from there.
    pub(super) fn small_pushed(&mut self, scene: &mut Scene, items: &mut Vec<Item>) {
        let Some(list) = scene.list.clone() else {
            return;
        };
        let row = Shape::array(3);
        let rows: Vec<&Small> = scene.smalls.iter().filter(|s| s.shape == row).collect();
        let found = rows
            .get(self.rng.below(rows.len().max(1)))
            .copied()
            .cloned();
        let text = match found {
            Some(found) if self.rng.percent(60) => format!("{list}.push({});", found.name),
            Some(found) if found.writable => {
                format!(
                    "if let Some(last) = {list}.last() {{ {} = *last; }}",
                    found.name
                )
            }
            _ => format!("{list}.push({});", self.small_made(scene, &row)),
        };
        items.push(line(text));
    }
}
