//! Iterator chains: sources and adapters. What ends them stands in `chain_ends`.

use super::Gen;
use super::scope::Ty;
use crate::text::{literal, to_float};

/// An item of a chain.
#[derive(Clone, PartialEq)]
pub(super) enum Shape {
    /// `&f64`
    Ref,
    /// `f64`
    Value,
    /// `&[f64]`, never empty
    Part,
    /// `usize`
    Count,
    Pair(Box<Shape>, Box<Shape>),
}

/// A chain as written so far.
#[derive(Clone)]
pub(super) struct Chain {
    pub(super) text: String,
    pub(super) item: Shape,
    /// It can be run from the end.
    both_ends: bool,
    /// It knows its length.
    exact: bool,
    /// No closure stands in it yet.
    plain: bool,
    /// Each item is looked at as it comes.
    inspected: bool,
    /// An item shows only when those in front of it have been looked at.
    staged: bool,
    /// The adapters that repeat what follows them.
    copies: usize,
}

impl Chain {
    fn new(text: String, item: Shape) -> Chain {
        Chain {
            text,
            item,
            both_ends: true,
            exact: true,
            plain: true,
            inspected: false,
            staged: false,
            copies: 0,
        }
    }

    fn then(&self, adapter: &str) -> Chain {
        Chain {
            text: format!("{}.{adapter}", self.text),
            ..self.clone()
        }
    }

    fn yields(mut self, item: Shape) -> Chain {
        self.item = item;
        self
    }

    /// Which items there are is found out as they come.
    fn uncounted(mut self) -> Chain {
        self.exact = false;
        self.plain = false;
        self.staged = true;
        self
    }

    fn forward(mut self) -> Chain {
        self.both_ends = false;
        self.uncounted()
    }

    /// Behind an adapter that has to know the length, to be run from the end.
    fn counted(mut self) -> Chain {
        self.both_ends &= self.exact;
        self
    }

    /// From the end, those in front of what is chosen would be looked at.
    fn chosen(mut self) -> Chain {
        self.both_ends &= !self.inspected;
        self
    }
}

impl Gen<'_> {
    /// A chain whose closures have no effects.
    pub(super) fn chain(&mut self, depth: usize) -> Option<Chain> {
        let mut chain = self.chain_source()?;
        for _ in 0..self.rng.within(1, 4) {
            chain = self.adapted(chain, depth);
        }
        Some(chain)
    }

    /// A chain of floats by value.
    pub(super) fn value_chain(&mut self, depth: usize) -> Option<Chain> {
        let chain = self.chain(depth)?;
        Some(match chain.item {
            Shape::Value => chain,
            Shape::Ref if self.rng.percent(60) => {
                let by = self.rng.pick(&["copied()", "cloned()"]).to_owned();
                chain.then(&by).yields(Shape::Value)
            }
            _ => self.mapped(&chain, depth),
        })
    }

    fn chain_source(&mut self) -> Option<Chain> {
        let rows = self
            .scope
            .readable(|v| matches!(v.ty, Ty::Rows | Ty::RowsSlice));
        let owned = self
            .scope
            .readable(|v| matches!(v.ty, Ty::Array(_) | Ty::Vector));
        let structs = self
            .scope
            .readable(|v| matches!(v.ty, Ty::OwnVec(_) | Ty::OwnSlice(_)));
        let of = |some: bool| usize::from(some);
        let kind = self.choose(&[
            (40 * of(!structs.is_empty()), "chain-own"),
            (40, "chain-iter"),
            (12 * of(!owned.is_empty()), "chain-into-iter"),
            (14, "chain-range"),
            (12, "chain-windows"),
            (10, "chain-chunks"),
            (10, "chain-chunks-exact"),
            (14 * of(!rows.is_empty()), "chain-rows"),
        ]);
        if kind == "chain-range" {
            let n = self.size(0);
            let text = match self.rng.below(3) {
                0 => format!("(0..{}_usize)", self.rng.within(0, 5)),
                1 => format!("(1..={n} % 4_usize)"),
                _ => format!("({}..{n} % 5_usize)", self.rng.below(2)),
            };
            return Some(Chain {
                // An inclusive range does not know its length.
                exact: !text.contains('='),
                ..Chain::new(text, Shape::Count)
            });
        }
        if kind == "chain-own" {
            let var = structs[self.rng.below(structs.len())].clone();
            let (Ty::OwnVec(own) | Ty::OwnSlice(own)) = &var.ty else {
                return None;
            };
            let s = self.name("s");
            let body = self.closed(|g| {
                g.scope.declare(&s, Ty::OwnRef(own.clone()), false);
                let place = g.field_place(&s, own, false)?;
                Some(match g.rng.below(3) {
                    0 => place,
                    1 => g.receiver(1),
                    _ => format!("({place} * {}).sin()", g.receiver(0)),
                })
            })?;
            let chain = Chain::new(
                format!("{}.iter().map(|{s}| {body})", var.name),
                Shape::Value,
            );
            return Some(Chain {
                plain: false,
                ..chain
            });
        }
        if kind == "chain-into-iter" {
            let var = owned[self.rng.below(owned.len())].clone();
            let text = match var.ty {
                Ty::Array(_) => format!("{}.into_iter()", var.name),
                _ => format!("{}.clone().into_iter()", var.name),
            };
            return Some(Chain::new(text, Shape::Value));
        }
        if kind == "chain-rows" {
            let name = rows[self.rng.below(rows.len())].name.clone();
            let r = self.name("r");
            let text = match self.rng.below(3) {
                0 => format!("{name}.iter().flatten()"),
                1 => format!("{name}.iter().flat_map(|{r}| {r}.iter())"),
                _ => format!("{name}.iter().flat_map(|{r}| {r}.iter().rev())"),
            };
            return Some(Chain {
                copies: 1,
                ..Chain::new(text, Shape::Ref).forward()
            });
        }
        let from = self.iterable()?;
        let n = self.rng.within(1, 3);
        Some(match kind {
            "chain-windows" => Chain::new(format!("{from}.windows({n})"), Shape::Part),
            "chain-chunks" => Chain::new(format!("{from}.chunks({n})"), Shape::Part),
            "chain-chunks-exact" => Chain::new(format!("{from}.chunks_exact({n})"), Shape::Part),
            _ => Chain::new(format!("{from}.iter()"), Shape::Ref),
        })
    }

    /// The chain with one adapter more.
    fn adapted(&mut self, chain: Chain, depth: usize) -> Chain {
        let of = |some: bool| usize::from(some);
        let pair = matches!(chain.item, Shape::Pair(..));
        let float = matches!(chain.item, Shape::Ref | Shape::Value);
        let kind = self.choose(&[
            (20, "chain-map"),
            (14, "chain-filter"),
            (10, "chain-filter-map"),
            // An assertion that calls a function is refused where it would run twice.
            (5 * usize::from(self.regions == 0), "chain-inspect"),
            (8, "chain-take-while"),
            (8, "chain-skip-while"),
            (7, "chain-map-while"),
            (9, "chain-scan"),
            (8 * of(chain.copies == 0), "chain-flat-map"),
            (9 * of(float && chain.copies == 0), "chain-chain"),
            (9 * of(!pair), "chain-zip"),
            (8 * of(!pair), "chain-enumerate"),
            (9 * of(chain.both_ends), "chain-rev"),
            (7, "chain-take"),
            // `skip` would have to run what `map` does.
            (7 * of(chain.plain || chain.staged), "chain-skip"),
            (8 * of(chain.plain && chain.exact), "chain-step-by"),
        ]);
        match kind {
            "chain-filter" => {
                let (pattern, test) = self.tested(&chain.item, true);
                chain
                    .then(&format!("filter(|{pattern}| {test})"))
                    .uncounted()
            }
            "chain-filter-map" => {
                let closure = self.optional(&chain.item, depth);
                let made = chain.then(&format!("filter_map({closure})"));
                made.uncounted().yields(Shape::Value)
            }
            "chain-inspect" => {
                let (pattern, test) = self.tested(&chain.item, true);
                let n = self.rng.within(1, 9);
                let made = chain.then(&format!("inspect(|{pattern}| assert!({test} || {n} > 0))"));
                Chain {
                    plain: false,
                    inspected: true,
                    ..made
                }
            }
            "chain-take-while" | "chain-skip-while" => {
                let (pattern, test) = self.tested(&chain.item, true);
                let name = if kind == "chain-take-while" {
                    "take_while"
                } else {
                    "skip_while"
                };
                chain.then(&format!("{name}(|{pattern}| {test})")).forward()
            }
            "chain-map-while" => {
                let closure = self.optional(&chain.item, depth);
                let made = chain.then(&format!("map_while({closure})"));
                made.forward().yields(Shape::Value)
            }
            "chain-scan" => self.scanned(&chain, depth),
            "chain-flat-map" => self.flat_mapped(&chain),
            "chain-chain" => {
                let Some(other) = self.iterable() else {
                    return chain;
                };
                let end = match chain.item {
                    Shape::Ref => "",
                    _ => ".copied()",
                };
                let made = chain.then(&format!("chain({other}.iter(){end})"));
                let forward = Chain { copies: 1, ..made };
                forward.uncounted()
            }
            "chain-zip" => self.zipped(&chain),
            "chain-enumerate" => {
                let item = Shape::Pair(Box::new(Shape::Count), Box::new(chain.item.clone()));
                chain.then("enumerate()").counted().yields(item)
            }
            "chain-rev" => chain.then("rev()"),
            "chain-take" => {
                let n = self.rng.within(0, 4);
                chain.then(&format!("take({n})")).counted().chosen()
            }
            "chain-skip" => {
                let n = self.rng.within(0, 2);
                chain.then(&format!("skip({n})")).counted().chosen()
            }
            "chain-step-by" => {
                let n = self.rng.within(1, 3);
                chain.then(&format!("step_by({n})")).chosen()
            }
            _ => self.mapped(&chain, depth),
        }
    }

    fn mapped(&mut self, chain: &Chain, depth: usize) -> Chain {
        let item = chain.item.clone();
        let (pattern, body) = self.with_item(&item, false, |g| g.receiver(depth));
        let made = chain.then(&format!("map(|{pattern}| {body})"));
        Chain {
            plain: false,
            ..made.yields(Shape::Value)
        }
    }

    fn zipped(&mut self, chain: &Chain) -> Chain {
        let (other, item) = match self.rng.below(4) {
            0 => ("(0..4_usize)".to_owned(), Shape::Count),
            n => {
                let Some(other) = self.iterable() else {
                    return chain.clone();
                };
                match n {
                    1 => (format!("{other}.iter().rev()"), Shape::Ref),
                    2 => (format!("{other}.iter().copied()"), Shape::Value),
                    _ => (format!("{other}.iter()"), Shape::Ref),
                }
            }
        };
        let item = Shape::Pair(Box::new(chain.item.clone()), Box::new(item));
        let made = chain.then(&format!("zip({other})")).counted().yields(item);
        // What `inspect` sees of unequal lengths cannot be run from the end.
        if chain.text.contains(".inspect(") {
            made.forward()
        } else {
            made
        }
    }

    fn scanned(&mut self, chain: &Chain, depth: usize) -> Chain {
        let start = self.purely(|g| g.receiver(0));
        let state = self.name("s");
        let item = chain.item.clone();
        let (pattern, body) = self.with_item(&item, false, |g| {
            g.scope.declare(&state, Ty::RefMut, false);
            let step = g.bounded(depth).text;
            let half = literal("0.5");
            let update = match g.rng.below(3) {
                0 => format!("*{state} = *{state} * {half} + {step};"),
                1 => format!("⟨*{state} += {step}│{{ let late = {step}; *{state} += late; }}⟩;"),
                _ => format!("*{state} = (*{state} + {step}).sin();"),
            };
            let value = g.receiver(0);
            let end = if g.rng.percent(40) {
                let test = g.comparison();
                format!("if {test} {{ None }} else {{ Some({value} + *{state}) }}")
            } else {
                format!("Some(*{state} * {value})")
            };
            format!("{{ {update} {end} }}")
        });
        let made = chain.then(&format!("scan({start}, |{state}, {pattern}| {body})"));
        made.forward().yields(Shape::Value)
    }

    /// Several items for each.
    fn flat_mapped(&mut self, chain: &Chain) -> Chain {
        let item = chain.item.clone();
        let scalars = self.scope.readable(|v| v.ty == Ty::Float);
        let other = self.iterable();
        let (inner, k) = (self.name("w"), self.name("k"));
        let (pattern, body) = self.with_item(&item, false, |g| {
            // The inner closure takes what it names along: only what is copied.
            let own = g.item_float(&item);
            let outside = match scalars.first() {
                Some(v) if g.rng.percent(50) => v.name.clone(),
                _ => literal("0.75"),
            };
            match (other, g.rng.below(3)) {
                (Some(other), 0) => {
                    let test = format!("{inner} > {}", literal("0.1"));
                    format!("{other}.iter().map(move |{inner}| if *{test} {{ {own} * {inner} }} else {{ {outside} }})")
                }
                (Some(other), 1) => {
                    format!("{other}.iter().enumerate().map(move |({k}, {inner})| {own} * {} + {inner})", to_float(&k))
                }
                _ => {
                    let n = g.rng.within(0, 3);
                    format!("(0..{n}).map(move |{k}| ({own} * {} + {outside}).sin())", to_float(&k))
                }
            }
        });
        let made = chain.then(&format!("flat_map(|{pattern}| {body})"));
        let forward = Chain { copies: 1, ..made };
        forward.forward().yields(Shape::Value)
    }

    /// A float that the item just declared holds, by names of variables that are copied.
    fn item_float(&mut self, item: &Shape) -> String {
        let vars = self.scope.last_declared(item.names());
        for var in vars {
            match var.ty {
                Ty::Float => return var.name,
                Ty::Ref => return format!("*{}", var.name),
                Ty::Slice => return format!("{}[0]", var.name),
                Ty::Size => return to_float(&var.name),
                _ => {}
            }
        }
        literal("0.5")
    }
}

impl Shape {
    /// How many names a pattern for it has.
    fn names(&self) -> usize {
        match self {
            Shape::Pair(a, b) => a.names() + b.names(),
            _ => 1,
        }
    }
}
