//! Branches, loops and jumps.

use super::scope::Ty;
use super::{Gen, Target};
use crate::text::{Item, line, literal, nest};

impl Gen<'_> {
    pub(super) fn if_statement(&mut self) -> Option<Vec<Item>> {
        let c = if self.maybe(6, "effect-condition") {
            self.effect_condition()
        } else {
            self.condition(1)
        };
        let mut parts = vec![(format!("if {c}"), self.block(1, 4))];
        while self.rng.percent(25) {
            let c = self.condition(1);
            parts.push((format!("else if {c}"), self.block(1, 3)));
        }
        if self.rng.percent(50) {
            parts.push(("else".into(), self.block(1, 3)));
        }
        Some(vec![Item::Nest {
            parts,
            tail: String::new(),
        }])
    }

    /// A condition that changes a variable.
    fn effect_condition(&mut self) -> String {
        let in_out = |c: &super::Callee| c.ret == Ty::Float && c.params.iter().any(Ty::in_out);
        if self.rng.percent(50)
            && let Some(call) = self.call_that(in_out)
        {
            return format!("{call} > {}", literal("0.2"));
        }
        let vars = self.scope.writable(|v| v.ty == Ty::Float);
        match vars.first() {
            Some(v) if self.pure == 0 => {
                let e = self.purely(|g| g.bounded(1)).text;
                format!(
                    "{{ {x} = {x} + {e}; {x} > {} }}",
                    literal("0.2"),
                    x = v.name
                )
            }
            _ => self.condition(1),
        }
    }

    pub(super) fn match_statement(&mut self) -> Option<Vec<Item>> {
        let ops = self.scope.readable(|v| v.ty == Ty::Op);
        let (head, patterns): (String, Vec<String>) = if !ops.is_empty() && self.rng.percent(60) {
            let exhaustive = self.rng.percent(50);
            let last = if exhaustive { "Op::Sin" } else { "_" };
            (
                ops[0].name.clone(),
                vec!["Op::Add".into(), "Op::Mul".into(), last.into()],
            )
        } else {
            match self.rng.below(4) {
                0 => (
                    self.size(1),
                    vec!["0".into(), "1 | 3".into(), "4..=6".into(), "_".into()],
                ),
                1 => {
                    let guard = self.condition(0);
                    (
                        format!("{} % 4", self.size(1)),
                        vec![format!("k if k > 1 && {guard}"), "0 | 1".into(), "_".into()],
                    )
                }
                2 => (
                    self.int(1),
                    vec!["i32::MIN..=-1".into(), "0".into(), "_".into()],
                ),
                _ => (
                    format!("({} % 2, {})", self.size(1), self.condition(0)),
                    vec!["(0, true)".into(), "(1, _)".into(), "_".into()],
                ),
            }
        };
        let arms = patterns
            .iter()
            .map(|p| {
                if self.rng.percent(20) {
                    let arm = self.assignment_arm();
                    line(format!("{p} => {arm},"))
                } else {
                    nest(format!("{p} =>"), self.block(0, 3))
                }
            })
            .collect();
        Some(vec![nest(format!("match {head}"), arms)])
    }

    /// An arm without a block.
    fn assignment_arm(&mut self) -> String {
        match self.float_target() {
            Some((before, place)) => {
                let e = self.purely(|g| g.bounded(1)).text;
                let body = format!("⟨{place} += {e}│{{ let late = {e}; {place} += late }}⟩");
                if before.is_empty() {
                    body
                } else {
                    format!("{{ {before}{body} }}")
                }
            }
            None => "{}".into(),
        }
    }

    pub(super) fn if_let(&mut self) -> Option<Vec<Item>> {
        let vars = self.scope.readable(|v| v.ty == Ty::Maybe);
        let o = vars.get(self.rng.below(vars.len().max(1)))?.name.clone();
        let v = self.name("v");
        let with = self.scoped(|g| {
            g.scope.declare(&v, Ty::Float, false);
            g.block(1, 3)
        });
        let without = self.block(0, 2);
        if self.rng.percent(40) {
            return Some(vec![nest(
                format!("match {o}"),
                vec![
                    nest(format!("Some({v}) =>"), with),
                    nest("None =>", without),
                ],
            )]);
        }
        let chain = if self.maybe(20, "let-chain") {
            format!(" && {}", self.condition(0))
        } else {
            String::new()
        };
        let parts = vec![
            (format!("if let Some({v}) = {o}{chain}"), with),
            ("else".into(), without),
        ];
        Some(vec![Item::Nest {
            parts,
            tail: String::new(),
        }])
    }

    pub(super) fn let_else(&mut self) -> Option<Vec<Item>> {
        if self.sealed > 0 || self.ret == Ty::Unit {
            return None;
        }
        let vars = self.scope.readable(|v| v.ty == Ty::Maybe);
        let o = vars.get(self.rng.below(vars.len().max(1)))?.name.clone();
        let ret = self.ret.clone();
        let e = self.value(&ret, 1);
        let name = self.name("x");
        self.scope.declare(&name, Ty::Float, false);
        Some(vec![line(format!(
            "let Some({name}) = {o} else {{ return {e}; }};"
        ))])
    }

    /// Opens a loop, with a label sometimes, generates its body, closes it.
    pub(super) fn loop_body(&mut self, declare: impl FnOnce(&mut Self)) -> (String, Vec<Item>) {
        let label = if self.maybe(25, "loop-label") {
            Some(self.name("'l"))
        } else {
            None
        };
        self.targets.push(Target {
            label: label.clone(),
            is_loop: true,
            value: None,
        });
        self.loops += 1;
        let body = self.scoped(|g| {
            declare(g);
            g.block(1, 4)
        });
        self.loops -= 1;
        self.targets.pop();
        (label.map_or(String::new(), |l| format!("{l}: ")), body)
    }

    pub(super) fn for_range(&mut self) -> Option<Vec<Item>> {
        let signed = self.rng.percent(20);
        let i = if self.rng.percent(12) {
            "_".to_string()
        } else {
            self.name("i")
        };
        let range = if signed {
            self.rng
                .pick(&["-2_i32..3", "-1..=1_i32", "(0_i32..3).rev()", "3_i32..1"])
                .to_string()
        } else {
            let n = self.size(0);
            match self.choose(&[
                (30, "range"),
                (15, "range-expr"),
                (12, "range-inclusive"),
                (12, "range-rev"),
                (10, "range-step"),
                (5, "range-step-rev"),
                (5, "range-empty"),
            ]) {
                "range-expr" => format!("{}..{n} % 4 + 1", self.rng.below(2)),
                "range-inclusive" => format!("{}..={}", self.rng.below(2), self.rng.within(0, 3)),
                "range-rev" => format!("(0..{n} % 4 + 1).rev()"),
                "range-step" => format!(
                    "(0..{}).step_by({})",
                    self.rng.within(1, 6),
                    self.rng.within(1, 3)
                ),
                "range-step-rev" => self
                    .rng
                    .pick(&[
                        "(0..5).step_by(2).rev()",
                        "(1..=6).rev().step_by(2)",
                        "(0..6_usize).rev().step_by(3)",
                    ])
                    .to_string(),
                "range-empty" => "2..2_usize".to_string(),
                _ => format!("0..{}", self.rng.within(1, 4)),
            }
        };
        let counter = i.clone();
        let (label, body) = self.loop_body(|g| {
            if counter != "_" {
                g.scope
                    .declare_counter(&counter, if signed { Ty::Int } else { Ty::Size });
            }
        });
        Some(vec![nest(format!("{label}for {i} in {range}"), body)])
    }

    pub(super) fn while_loop(&mut self) -> Option<Vec<Item>> {
        let k = self.name("k");
        let limit = self.rng.within(0, 4);
        let extra = match self.rng.below(3) {
            0 => format!(" && ({})", self.condition(1)),
            _ => String::new(),
        };
        let counter = k.clone();
        let (label, mut body) = self.loop_body(|g| g.scope.declare_counter(&counter, Ty::Size));
        body.insert(0, line(format!("{k} += 1;")));
        if self.rng.percent(30) {
            let c = self.condition(0);
            body.push(line(format!("if {c} {{ {k} += 1; }}")));
        }
        let head = if self.maybe(15, "while-effect") {
            body.remove(0);
            format!("{label}while {{ {k} += 1; {k} <= {limit} }}")
        } else {
            format!("{label}while {k} < {limit}{extra}")
        };
        Some(vec![
            line(format!("let mut {k}: usize = 0;")),
            nest(head, body),
        ])
    }

    pub(super) fn loop_statement(&mut self) -> Option<Vec<Item>> {
        let k = self.name("k");
        let limit = self.rng.within(1, 4);
        let counter = k.clone();
        let (label, mut body) = self.loop_body(|g| g.scope.declare_counter(&counter, Ty::Size));
        let exit = if self.rng.percent(40) {
            format!("{k} > {limit} || ({})", self.condition(0))
        } else {
            format!("{k} > {limit}")
        };
        body.insert(0, line(format!("{k} += 1;\nif {exit} {{ break; }}")));
        Some(vec![
            line(format!("let mut {k}: usize = 0;")),
            nest(format!("{label}loop"), body),
        ])
    }

    pub(super) fn labelled_block(&mut self) -> Option<Vec<Item>> {
        let label = self.name("'b");
        self.targets.push(Target {
            label: Some(label.clone()),
            is_loop: false,
            value: None,
        });
        let body = self.block(1, 4);
        self.targets.pop();
        Some(vec![nest(format!("{label}:"), body)])
    }

    pub(super) fn early_return(&mut self) -> Option<Vec<Item>> {
        let c = self.condition(1);
        let ret = self.ret.clone();
        let e = self.value(&ret, 1);
        let e = if ret == Ty::Unit {
            String::new()
        } else {
            format!(" {e}")
        };
        if self.rng.percent(25) {
            // The value of a branch that never ends.
            let x = self.name("x");
            let other = self.receiver(1);
            self.scope.declare(&x, Ty::Float, false);
            return Some(vec![line(format!(
                "let {x}: ƒ = if {c} {{ return{e}; }} else {{ {other} }};"
            ))]);
        }
        Some(vec![line(format!("if {c} {{ return{e}; }}"))])
    }

    pub(super) fn jump(&mut self) -> Option<Vec<Item>> {
        let c = self.condition(1);
        let target = self.targets[self.rng.below(self.targets.len())].clone();
        if target.value.is_some() {
            return None;
        }
        let innermost = self
            .targets
            .last()
            .is_some_and(|t| t.is_loop && t.label == target.label);
        let keyword = if target.is_loop && self.rng.percent(45) {
            "continue"
        } else {
            "break"
        };
        let label = match &target.label {
            Some(l) => format!(" {l}"),
            None if innermost => String::new(),
            None => return None,
        };
        let before = if self.rng.percent(40) {
            let (before, place) = self.float_target()?;
            let e = self.purely(|g| g.bounded(1)).text;
            format!("{before}{place} = {e}; ")
        } else {
            String::new()
        };
        Some(vec![line(format!(
            "if {c} {{ {before}{keyword}{label}; }}"
        ))])
    }

    pub(super) fn checkpoint(&mut self) -> Option<Vec<Item>> {
        self.sealed += 1;
        self.regions += 1;
        let targets = std::mem::take(&mut self.targets);
        let made = match self.rng.below(3) {
            0 => self.for_range(),
            1 => {
                let e = self.receiver(2);
                let x = self.name("x");
                let inner = self.block(1, 3);
                let mut items = vec![nest(format!("let {x}: ƒ = §"), inner)];
                if let Item::Nest { parts, tail } = &mut items[0] {
                    parts[0].1.push(line(e));
                    *tail = ";".into();
                }
                self.scope.declare(&x, Ty::Float, false);
                Some(items)
            }
            _ => Some(vec![nest("§", self.block(1, 4))]),
        };
        self.targets = targets;
        self.sealed -= 1;
        self.regions -= 1;
        let mut items = made?;
        if let Some(Item::Nest { parts, .. }) = items.last_mut()
            && !parts[0].0.contains('§')
        {
            parts[0].0.insert_str(0, "§ ");
        }
        Some(items)
    }
}
