//! Rows of nested arrays, several of them in one inner loop: eliminations, stencils, rotations, rows around on a ring
//! or by a list of indices; rectangular, ragged and empty, owned and behind references; divisions in place.

use super::Gen;
use super::grid_forms::{INNER, QUOTIENTS, ROWS, STENCILS};
use super::neighbours::{HELD_BEFORE, HELD_BEHIND, MIRRORED, RING_BEFORE, RING_BEHIND, fractions};
use crate::text::{Item, line, literal, nest, to_float};

/// How the grids are held.
#[derive(Clone, Copy, PartialEq)]
enum Held {
    /// `Vec<Vec<ƒ>>`, all rows as long.
    Rows,
    /// Rows of several lengths, of which some are empty.
    Ragged,
    /// `[[ƒ; M]; N]`
    Fixed,
    /// `&mut [Vec<ƒ>]`
    Lent,
    /// The parameters of a function.
    Given,
}

/// The names of a scene of two grids.
struct Grid {
    a: String,
    b: String,
    /// A line of numbers that is longer than each row, and indices of rows.
    x: String,
    k: String,
    /// How many rows, and how many columns at most.
    n: String,
    m: String,
    s: String,
    seed: String,
    ragged: bool,
}

impl Grid {
    fn named(&self, text: &str) -> String {
        let text = text
            .replace("{a}", &self.a)
            .replace("{b}", &self.b)
            .replace("{x}", &self.x)
            .replace("{k}", &self.k)
            .replace("{n}", &self.n)
            .replace("{m}", &self.m)
            .replace("{s}", &self.s)
            .replace("{seed}", &self.seed)
            .replace("{zero}", &literal("0.0"))
            .replace("{one}", &literal("1.0"))
            .replace("{two}", &literal("2.5"));
        in_place(&fractions(&text))
    }
}

/// The text with elements changed as the oracle can: its numbers are no built-in type, and `a[i] -= a[k]` would borrow
/// the array twice.
pub(crate) fn in_place(text: &str) -> String {
    let (mut done, mut rest) = (String::new(), text);
    while let Some(at) = rest.find("= ") {
        let (before, value) = (&rest[..at], &rest[at + 2..]);
        let begin = before.rfind([';', '{', '}', '\n']).map_or(0, |at| at + 1);
        let op = ["+", "-", "*", "/"]
            .into_iter()
            .find(|op| before.ends_with(op));
        let changed = op.and_then(|op| Some((op, before.strip_suffix(op)?.trim_end())));
        match changed.filter(|(_, before)| before[begin..].contains('[')) {
            Some((op, before)) => {
                let place = before[begin..].trim_start();
                let (value, behind) = value.split_at(value.find(';').unwrap_or(value.len()));
                done += &format!("{before} ⟨{op}= │= {place} {op} (⟩{value}⟨│)⟩");
                rest = behind;
            }
            None => {
                done += &rest[..at + 2];
                rest = value;
            }
        }
    }
    done + rest
}

impl Gen<'_> {
    /// Steps over two grids, and what is left of them.
    pub(super) fn grids(&mut self, seed: &str, n: &str, items: &mut Vec<Item>) -> String {
        let held = match self.choose(&[
            (35, "grid-rows"),
            (20, "grid-ragged"),
            (20, "grid-fixed"),
            (15, "grid-lent"),
            (15, "grid-given"),
        ]) {
            "grid-ragged" => Held::Ragged,
            "grid-fixed" => Held::Fixed,
            "grid-lent" => Held::Lent,
            "grid-given" => Held::Given,
            _ => Held::Rows,
        };
        let mut grid = Grid {
            a: self.name("a"),
            b: self.name("b"),
            x: self.filled("x", seed, "50", items),
            k: self.name("k"),
            n: self.name("n"),
            m: self.name("m"),
            s: self.name("s"),
            seed: seed.to_owned(),
            ragged: held == Held::Ragged,
        };
        // Many loops run on slices of rows from some number of iterations on.
        let columns = self.rng.pick(&["0", "1", "4", "9", "14", "26", "37"]);
        let rows = match self.rng.below(4) {
            0 => self.rng.within(9, 30),
            _ => self.rng.within(2, 6),
        };
        let rows = match held {
            Held::Fixed => rows.to_string(),
            _ if self.maybe(10, "grid-empty") => "0".to_owned(),
            _ => format!("{rows} + {n} % 2"),
        };
        let columns = columns.to_owned();
        items.push(line(format!("let {}: usize = {rows};", grid.n)));
        items.push(line(format!("let {}: usize = {columns};", grid.m)));
        self.grid_made(&grid, held, &rows, &columns, items);
        let permuted = self.rng.percent(50);
        let factor = if permuted { "1" } else { "3" };
        items.push(line(format!(
            "let {}: Vec<usize> = (0..{n}).map(|i| (i * {factor} + 1) % {n}.max(1)).collect();",
            grid.k,
            n = grid.n
        )));
        items.push(line(format!("let mut {}: ƒ = {};", grid.s, literal("0.1"))));
        let outer = (grid.a.clone(), grid.b.clone());
        let mut body = Vec::new();
        if held == Held::Lent {
            let (a, b) = (self.name("a"), self.name("b"));
            let part = self
                .rng
                .pick(&["&mut {}[..]", "{}.as_mut_slice()", "&mut {}"])
                .to_owned();
            for (inner, own) in [(&a, &grid.a), (&b, &grid.b)] {
                let part = part.replace("{}", own);
                body.push(line(format!("let {inner}: &mut [Vec<ƒ>] = {part};")));
            }
            (grid.a, grid.b) = (a, b);
        }
        for _ in 0..self.rng.within(1, 3) {
            let part = self.grid_loops(&grid);
            body.extend(part);
        }
        if held == Held::Given {
            body = vec![self.in_a_function(&grid, body)];
        }
        if self.rng.percent(60) {
            let (t, steps) = (self.name("t"), self.rng.within(0, 4));
            items.push(nest(format!("for {t} in 0..{steps}"), body));
        } else {
            items.push(nest("", body));
        }
        let (i, j) = (self.name("i"), self.name("j"));
        let all = line(format!(
            "{} += {a}[{i}][{j}] * {a}[{i}][{j}] + {b}[{i}][{j}] * {};",
            grid.s,
            to_float(&format!("(({i} + {j}) % 3)")),
            a = outer.0,
            b = outer.1
        ));
        let inner = nest(format!("for {j} in 0..{}[{i}].len()", outer.0), vec![all]);
        items.push(nest(format!("for {i} in 0..{}", grid.n), vec![inner]));
        let total = self.summed(&grid.x.clone(), items);
        format!("{} + {total}", grid.s)
    }

    /// Declares both grids and fills them.
    fn grid_made(
        &mut self,
        g: &Grid,
        held: Held,
        rows: &str,
        columns: &str,
        items: &mut Vec<Item>,
    ) {
        let Grid { a, b, x, n, m, .. } = g;
        let zero = literal("0.0");
        let (i, j) = (self.name("i"), self.name("j"));
        let value = format!("{x}[({i} + {j}) % 50] * {} + {x}[{j}]", literal("0.5"));
        let pushed = held != Held::Fixed && self.rng.percent(40);
        for name in [a, b] {
            let declared = match held {
                Held::Fixed => format!(
                    "let mut {name}: [[ƒ; {columns}]; {rows}] = [[{zero}; {columns}]; {rows}];"
                ),
                _ if pushed => format!("let mut {name}: Vec<Vec<ƒ>> = Vec::with_capacity({n});"),
                Held::Ragged => format!(
                    "let mut {name}: Vec<Vec<ƒ>> = (0..{n}).map(|i| vec![{zero}; (i * 3 + 1) % ({m} + 1)]).collect();"
                ),
                _ => format!("let mut {name}: Vec<Vec<ƒ>> = vec![vec![{zero}; {m}]; {n}];"),
            };
            items.push(line(declared));
        }
        let width = if held == Held::Ragged {
            format!("({i} * 3 + 1) % ({m} + 1)")
        } else {
            m.clone()
        };
        let body = if pushed {
            let row = self.name("row");
            vec![
                line(format!("let mut {row}: Vec<ƒ> = vec![{zero}; {width}];")),
                nest(
                    format!("for {j} in 0..{width}"),
                    vec![line(format!("{row}[{j}] = {value};"))],
                ),
                line(format!("{b}.push({row}.clone());")),
                line(format!("{a}.push({row});")),
            ]
        } else {
            let fill = vec![
                line(format!("{a}[{i}][{j}] = {value};")),
                line(format!("{b}[{i}][{j}] = {value} * {};", literal("0.75"))),
            ];
            vec![nest(format!("for {j} in 0..{width}"), fill)]
        };
        items.push(nest(format!("for {i} in 0..{n}"), body));
    }

    /// A loop nest.
    fn grid_loops(&mut self, g: &Grid) -> Vec<Item> {
        let kind = self.choose(&[
            (40, "grid-two-rows"),
            (15, "grid-elimination"),
            (20, "grid-stencil"),
            (20, "grid-whole-rows"),
            (20, "quotients"),
        ]);
        match kind {
            "grid-elimination" if !g.ragged => self.elimination(g),
            "grid-stencil" if !g.ragged => self.grid_stencil(g),
            "grid-whole-rows" => self.whole_rows(g),
            "quotients" => {
                let (d, i) = (self.name("d"), self.name("i"));
                let text = self.rng.pick(QUOTIENTS).to_owned();
                vec![line(g.named(&text.replace("{d}", &d).replace("{i}", &i)))]
            }
            _ => self.two_rows(g),
        }
    }

    /// Rows around row `i`: the items in front that name them, and their indices.
    fn rows_around(&mut self, g: &Grid, i: &str) -> (Vec<Item>, [String; 2]) {
        let kind = self.choose(&[
            (30, "row-ring"),
            (20, "row-held"),
            (10, "row-mirrored"),
            (25, "row-listed"),
            (20, "row-fixed"),
        ]);
        let listed = &["{k}[{i}]", "{k}[{n} - 1 - {i}]", "{k}[{k}[{i}]]"][..];
        let fixed = &["0", "{n} - 1", "{n} / 2", "{i}"][..];
        let (before, behind) = match kind {
            "row-held" => (HELD_BEFORE, HELD_BEHIND),
            "row-mirrored" => (MIRRORED, RING_BEHIND),
            "row-listed" => (listed, RING_BEHIND),
            "row-fixed" => (fixed, listed),
            _ => (RING_BEFORE, RING_BEHIND),
        };
        let mut named = Vec::new();
        let indices = [before, behind].map(|forms| {
            let mut text = self.rng.pick(forms).replace("{i}", i);
            if !text.contains("{k}[") {
                text = format!("({}) % {{n}}", text.replace("{k}", "1"));
            }
            let l = self.name("l");
            named.push(line(format!("let {l}: usize = {};", g.named(&text))));
            l
        });
        (named, indices)
    }

    /// Each row with others, one inner loop.
    fn two_rows(&mut self, g: &Grid) -> Vec<Item> {
        let (i, j, f) = (self.name("i"), self.name("j"), self.name("f"));
        let (mut body, [l, r]) = self.rows_around(g, &i);
        let factor = match self.rng.below(4) {
            0 => "{seed} * {q}".to_owned(),
            1 => format!("{{x}}[{i}] * {{q}}"),
            2 => format!("if {i} % 2 == 0 {{ {{seed}} }} else {{ {{q}} }}"),
            _ => format!("{{x}}[{l}].sin() * {{h}}"),
        };
        body.push(line(format!("let {f}: ƒ = {};", g.named(&factor))));
        let (d, e) = (self.name("d"), self.name("e"));
        let text = self.rng.pick(INNER).to_owned();
        let text = text
            .replace("{i}", &i)
            .replace("{j}", &j)
            .replace("{l}", &l)
            .replace("{r}", &r);
        let text = text
            .replace("{f}", &f)
            .replace("{d}", &d)
            .replace("{e}", &e);
        let width = if g.ragged {
            let w = self.name("w");
            let [own, one, other] = [&i, &l, &r].map(|row| format!("{}[{row}].len()", g.a));
            let least = format!("{own}.min({one}).min({other})");
            body.push(line(format!("let {w}: usize = {least};")));
            w
        } else {
            let row = format!("{}[{i}].len()", g.a);
            self.rng.pick(&[&g.m, &g.m, &row]).to_string()
        };
        let range = match self.rng.below(6) {
            0 => format!("(0..{width}).rev()"),
            1 => format!("1..{width}"),
            2 => format!("{width} / 2..{width}"),
            _ => format!("0..{width}"),
        };
        body.push(nest(
            format!("for {j} in {range}"),
            vec![line(g.named(&text))],
        ));
        if self.maybe(12, "grid-until") {
            let jump = self.rng.pick(&["break", "continue"]);
            body.insert(
                0,
                line(format!(
                    "if {}[{i}] > {} {{ {jump}; }}",
                    g.x,
                    literal("0.6")
                )),
            );
        }
        let range = match self.rng.below(5) {
            0 => format!("(0..{}).rev()", g.n),
            1 => format!("1..{}", g.n),
            2 => format!("0..{}.len()", g.a),
            _ => format!("0..{}", g.n),
        };
        vec![nest(format!("for {i} in {range}"), body)]
    }

    /// Rows less multiples of a row above.
    fn elimination(&mut self, g: &Grid) -> Vec<Item> {
        let (k, i, j, f) = (
            self.name("k"),
            self.name("i"),
            self.name("j"),
            self.name("f"),
        );
        let (a, x) = (&g.a, &g.x);
        let one = literal("1.0");
        let from = self.rng.pick(&["0", "{k}", "{k} + 1"]).replace("{k}", &k);
        let least = format!("{}.min({})", g.n, g.m);
        let mut inner = vec![
            line(format!(
                "let {f}: ƒ = {a}[{i}][{k}] / ({a}[{k}][{k}] * {a}[{k}][{k}] + {one});"
            )),
            nest(
                format!("for {j} in {from}..{}", g.m),
                vec![line(in_place(&format!(
                    "{a}[{i}][{j}] -= {f} * {a}[{k}][{j}];"
                )))],
            ),
        ];
        if self.rng.percent(40) {
            inner.push(line(in_place(&format!("{x}[{i}] -= {f} * {x}[{k}];"))));
        }
        let mut body = Vec::new();
        if self.rng.percent(30) {
            let p = self.name("p");
            body.push(line(format!(
                "let mut {p} = {k};\n\
                 for {i} in {k} + 1..{n} {{ if {a}[{i}][{k}].abs() > {a}[{p}][{k}].abs() {{ {p} = {i}; }} }}\n\
                 {a}.swap({k}, {p});",
                n = g.n
            )));
        }
        let rows = match self.rng.below(3) {
            0 => {
                inner.insert(0, line(format!("if {i} == {k} {{ continue; }}")));
                format!("0..{}", g.n)
            }
            _ => format!("{k} + 1..{}", g.n),
        };
        body.push(nest(format!("for {i} in {rows}"), inner));
        vec![nest(format!("for {k} in 0..{least}"), body)]
    }

    fn grid_stencil(&mut self, g: &Grid) -> Vec<Item> {
        let (i, j, f, d) = (
            self.name("i"),
            self.name("j"),
            self.name("f"),
            self.name("d"),
        );
        let text = self.rng.pick(STENCILS).to_owned();
        let text = text
            .replace("{i}", &i)
            .replace("{j}", &j)
            .replace("{f}", &f)
            .replace("{d}", &d);
        let (rows, columns) = match self.rng.below(3) {
            0 => (
                format!("(1..{}.max(1) - 1).rev()", g.n),
                format!("1..{}.max(1) - 1", g.m),
            ),
            1 => (
                format!("1..{}.saturating_sub(1)", g.n),
                format!("(1..{}.saturating_sub(1)).rev()", g.m),
            ),
            _ => (
                format!("1..{}.saturating_sub(1)", g.n),
                format!("1..{}.saturating_sub(1)", g.m),
            ),
        };
        let factor = g.named("{seed} * {q}");
        vec![
            line(format!("let {f}: ƒ = {factor};")),
            nest(
                format!("for {i} in {rows}"),
                vec![nest(
                    format!("for {j} in {columns}"),
                    vec![line(g.named(&text))],
                )],
            ),
        ]
    }

    fn whole_rows(&mut self, g: &Grid) -> Vec<Item> {
        let (i, j, f) = (self.name("i"), self.name("j"), self.name("f"));
        let (mut body, [l, r]) = self.rows_around(g, &i);
        let (d, e, w) = (self.name("d"), self.name("e"), self.name("w"));
        let mut text = self.rng.pick(ROWS).to_owned();
        if g.ragged && text.contains("swap") {
            text = ROWS[4].to_owned();
        }
        // The row in front and the one behind are there where the statement asks for them.
        let width = if g.ragged {
            let at = |index: &str| format!("{}[{index}].len()", g.a);
            let around = [
                at(&l),
                at(&r),
                at(&format!("{i}.max(1) - 1")),
                at(&format!("({i} + 1).min({} - 1)", g.n)),
            ];
            around
                .iter()
                .fold(at(&i), |least, other| format!("{least}.min({other})"))
        } else {
            g.m.clone()
        };
        body.push(line(format!("let {w}: usize = {width};")));
        body.push(line(format!("let {f}: ƒ = {};", g.named("{seed} * {q}"))));
        let text = text
            .replace("{i}", &i)
            .replace("{j}", &j)
            .replace("{l}", &l)
            .replace("{f}", &f);
        let text = text
            .replace("{d}", &d)
            .replace("{e}", &e)
            .replace("{w}", &w);
        body.push(line(g.named(&text)));
        vec![nest(format!("for {i} in 0..{}", g.n), body)]
    }

    /// The statements as the body of a function that is called.
    fn in_a_function(&mut self, g: &Grid, body: Vec<Item>) -> Item {
        let name = self.name("grids");
        let Grid {
            a,
            b,
            x,
            k,
            n,
            m,
            s,
            seed,
            ..
        } = g;
        let seen = self
            .rng
            .pick(&["&mut [Vec<ƒ>]", "&mut Vec<Vec<ƒ>>"])
            .to_owned();
        let mut body = body;
        body.insert(0, line(format!("let mut {s}: ƒ = {};", literal("0.2"))));
        body.push(line(s.clone()));
        let head = format!(
            "†\nfn {name}({a}: {seen}, {b}: {seen}, {x}: &mut [ƒ], {k}: &[usize], {n}: usize, {m}: usize, {seed}: ƒ) \
             -> ƒ"
        );
        self.late_items.push(nest(head, body));
        line(format!(
            "{s} += {name}(&mut {a}, &mut {b}, &mut {x}, &{k}, {n}, {m}, {seed});"
        ))
    }
}
