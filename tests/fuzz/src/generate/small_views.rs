//! Views of small aggregates, options and conditions that hold them, functions of any length.

use super::Gen;
use super::neighbours::fractions;
use super::small::{Scene, Small};
use crate::text::{Item, line, nest};

impl Gen<'_> {
    /// Parts of it as slices.
    pub(super) fn small_viewed(&mut self, small: &Small, scene: &Scene, items: &mut Vec<Item>) {
        let Small { name, shape, .. } = small;
        let Some(len) = shape.line() else {
            return;
        };
        let (u, v) = (self.name("u"), self.name("v"));
        let value = self.small_value(scene);
        let Scene { s, w, .. } = scene;
        let text = match self.rng.below(7) {
            0 => format!("for {v} in &mut {name}[1..] {{ *{v} = *{v} * {{h}} + {{q}}; }}"),
            1 => format!("{s} = {s} * {{h}} + {name}[1..].iter().sum::<ƒ>().sin() * {{q}};"),
            2 => format!(
                "for {v} in {name}.windows(2) {{ {s} = {s} * {{h}} + {v}[0] * {v}[1] * {{q}}; }}"
            ),
            3 => format!(
                "let {u}: ƒ = {value};\nlet (l, r) = {name}.split_at_mut(1);\n\
                 l[0] = l[0] * {{h}} + r[0] * {{q}};\nr[{}] = {u};",
                len - 2
            ),
            4 => format!(
                "for ({u}, {v}) in {name}.iter_mut().zip({w}.iter()) {{ *{u} = *{u} * {{h}} + {v} * {{q}}; }}"
            ),
            5 => format!(
                "let {v} = &mut {name};\n{v}[{}] = {v}[0] * {{h}} + {v}[{}] * {{q}};",
                len - 1,
                len - 1
            ),
            _ => format!(
                "for ({u}, {v}) in {name}.iter().rev().enumerate() {{ \
                 {s} = {s} * {{h}} + {v} * {w}[{u}] * {{q}}; }}"
            ),
        };
        items.push(nest("", vec![line(fractions(&text))]));
    }

    /// An option that holds what it was, for a while.
    pub(super) fn small_kept(&mut self, small: &Small, scene: &Scene, items: &mut Vec<Item>) {
        let Small { name, shape, .. } = small;
        let (last, k, v) = (self.name("last"), self.name("j"), self.name("v"));
        let (ty, ways) = (shape.text(), shape.ways());
        let [x, y] = [(); 2].map(|()| ways[self.rng.below(ways.len())].clone());
        let value = self.small_value(scene);
        let c = self.small_condition(scene);
        let read = match self.rng.below(3) {
            0 => format!(
                "if let Some({v}) = {last} {{ {name}{x} = {v}{y} * {{h}} + ({value}) * {{q}}; }}"
            ),
            1 => format!(
                "match {last} {{ Some({v}) => {{ {name}{x} = {v}{x} * {{h}} - {v}{y} * {{q}}; }} \
                 None => {{ {name}{y} = {value}; }} }}"
            ),
            _ => format!(
                "let {v}: {ty} = {last}.unwrap_or({name});\n{name}{x} = {v}{y} * {{h}} + {{q}};"
            ),
        };
        let head = line(format!("let mut {last}: Option<{ty}> = None;"));
        let body = vec![
            line(fractions(&read)),
            line(format!("if {c} {{ {last} = Some({name}); }}")),
        ];
        items.push(head);
        items.push(nest(format!("for {k} in 0..4"), body));
    }

    pub(super) fn small_matched(&mut self, small: &Small, scene: &Scene, items: &mut Vec<Item>) {
        let Small { name, shape, .. } = small;
        let ways = shape.ways();
        let x = ways[self.rng.below(ways.len())].clone();
        let c = self.small_condition(scene);
        let index = scene.indices.last().cloned().unwrap_or("1_usize".into());
        let [first, second] = [(); 2].map(|()| self.small_value(scene));
        let whole = self.small_made(scene, shape);
        let text = match self.rng.below(3) {
            0 => format!(
                "match ({c}, {index} % 2) {{ (true, 0) => {{ {name}{x} = {first}; }} (false, _) => {{ \
                 {name} = {whole}; }} _ => {{ {name}{x} = {second}; }} }}"
            ),
            1 => format!(
                "{name} = match {index} % 3 {{ 0 => {whole}, 1 if {c} => {name}, \
                 _ => {{ {name}{x} = {first}; {name} }} }};"
            ),
            _ => format!(
                "{name}{x} = match {index} {{ 0 | 2 => {first}, 1..=4 => {second}, _ => {name}{x} * {{h}} }};"
            ),
        };
        items.push(line(fractions(&text)));
    }

    /// A function for arrays of any length.
    pub(super) fn small_generic(
        &mut self,
        small: &Small,
        scene: &mut Scene,
        items: &mut Vec<Item>,
    ) {
        let Small { name, shape, .. } = small;
        if shape.line().is_none() {
            return;
        }
        let (part, u) = (self.name("part"), self.name("u"));
        let value = self.small_value(scene);
        let text = match self.rng.below(3) {
            0 => format!(
                "†\nfn {part}<const N: usize>(p: &mut [ƒ; N], u: ƒ) {{ \
                 for k in 0..N {{ p[k] = p[k] * {{h}} + u * {{q}}; }} }}\n\
                 let {u}: ƒ = {value};\n{part}(&mut {name}, {u});"
            ),
            1 => format!(
                "†\nfn {part}<const N: usize>(mut p: [ƒ; N], u: ƒ) -> [ƒ; N] {{ \
                 p[N - 1] = p[0] * {{h}} + u * {{q}}; p }}\n\
                 {name} = {part}({name}, {value});\nlet {u}: ƒ = {name}[0];"
            ),
            _ => format!(
                "†\nfn {part}(p: &[ƒ], u: ƒ) -> ƒ {{ \
                 let mut y = u; for v in p {{ y = y * {{h}} + v * {{q}}; }} y }}\n\
                 let {u}: ƒ = {part}(&{name}, {value});"
            ),
        };
        items.push(line(fractions(&text)));
        scene.floats.push(u);
    }

    /// A loop that only a jump ends.
    pub(super) fn small_endless(&mut self, scene: &Scene, items: &mut Vec<Item>) {
        let (k, label) = (self.name("i"), self.name("'e"));
        let mut inner = scene.clone();
        inner.depth += 1;
        inner.indices.push(k.clone());
        inner.labels.clear();
        let mut body = vec![line(format!("if {k} >= 4 {{ break; }}"))];
        self.small_statements(&mut inner, &mut body);
        let c = self.small_condition(&inner);
        body.push(line(format!("{k} += 1;\nif {c} {{ break {label}; }}")));
        let (x, y) = (self.small_value(&inner), self.small_value(&inner));
        if self.rng.percent(50) {
            body.push(line(format!(
                "if {x} > {y} {{ continue; }}\n{} = {x};",
                scene.s
            )));
        }
        items.push(line(format!("let mut {k}: usize = 0;")));
        items.push(nest(format!("{label}: loop"), body));
    }
}
