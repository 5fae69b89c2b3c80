//! Makes a failing program smaller while it fails in the same way.

use std::collections::BTreeMap;
use std::io;

use crate::accept::{Kind, evaluate};
use crate::generate::Program;
use crate::project::{Project, Settings};
use crate::text::Item;

/// Candidates tried in one round.
const WIDTH: usize = 16;
const ROUNDS: usize = 25;

/// The smallest program found. Invalid candidates drop out because they do not compile as plain Rust.
pub(crate) fn shrink(
    number: u32,
    program: &Program,
    kind: Kind,
    settings: Settings,
) -> io::Result<Program> {
    let without = Settings {
        with_macro: false,
        ..settings
    };
    let plain = Project::new(&format!("shrink-plain-{number}"), without)?;
    let project = Project::new(&format!("shrink-{number}"), settings)?;
    let mut best = program.clone();
    for _ in 0..ROUNDS {
        let size = best.text().len();
        let mut all: Vec<Program> = candidates(&best);
        all.retain(|c| c.text().len() < size);
        all.sort_by_key(|c| c.text().len());
        let mut found = None;
        for chunk in all.chunks(WIDTH).take(6) {
            let mut tried: BTreeMap<u32, Program> = (0..).zip(chunk.iter().cloned()).collect();
            for invalid in evaluate(&plain, &tried, WIDTH)?.failures.keys() {
                tried.remove(invalid);
            }
            if tried.is_empty() {
                continue;
            }
            let failures = evaluate(&project, &tried, WIDTH)?.failures;
            let same = failures
                .iter()
                .find(|(_, f)| f.iter().any(|f| f.kind == kind));
            if let Some((k, _)) = same {
                found = tried.remove(k);
                break;
            }
        }
        match found {
            Some(smaller) => best = smaller,
            None => break,
        }
    }
    std::fs::remove_dir_all(plain.root())?;
    std::fs::remove_dir_all(project.root())?;
    Ok(best)
}

fn candidates(program: &Program) -> Vec<Program> {
    let mut out = Vec::new();
    for items in edits(&program.items) {
        out.push(Program {
            items,
            ..program.clone()
        });
    }
    for body in edits(&program.main.body) {
        let mut smaller = program.clone();
        smaller.main.body = body;
        out.push(smaller);
    }
    out
}

/// All ways to make a list of items smaller by one step.
fn edits(items: &[Item]) -> Vec<Vec<Item>> {
    let mut out = Vec::new();
    let replaced = |from: usize, n: usize, with: Vec<Item>| {
        let mut list = items.to_vec();
        list.splice(from..from + n, with);
        list
    };
    let mut width = items.len().div_ceil(2);
    while width > 0 {
        for from in (0..items.len()).step_by(width) {
            out.push(replaced(from, width.min(items.len() - from), Vec::new()));
        }
        width = if width == 1 { 0 } else { width.div_ceil(2) };
    }
    for (k, item) in items.iter().enumerate() {
        match item {
            Item::Line(text) => out.extend(
                line_edits(text)
                    .into_iter()
                    .map(|t| replaced(k, 1, vec![Item::Line(t)])),
            ),
            Item::Nest { parts, tail } => {
                for (i, (_, body)) in parts.iter().enumerate() {
                    out.push(replaced(k, 1, body.clone()));
                    if i > 0 {
                        let mut fewer = parts.clone();
                        fewer.remove(i);
                        out.push(replaced(
                            k,
                            1,
                            vec![Item::Nest {
                                parts: fewer,
                                tail: tail.clone(),
                            }],
                        ));
                    }
                    for smaller in edits(body) {
                        let mut changed = parts.clone();
                        changed[i].1 = smaller;
                        out.push(replaced(
                            k,
                            1,
                            vec![Item::Nest {
                                parts: changed,
                                tail: tail.clone(),
                            }],
                        ));
                    }
                }
            }
        }
    }
    out
}

/// The line with one parenthesised expression made a literal, or reduced to what it holds.
fn line_edits(text: &str) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    let mut out = Vec::new();
    let mut open = Vec::new();
    for (i, c) in chars.iter().enumerate() {
        match c {
            '(' => open.push(i),
            ')' => {
                let Some(start) = open.pop() else { continue };
                let called = start > 0
                    && (chars[start - 1].is_alphanumeric() || "_>!".contains(chars[start - 1]));
                if called || i - start < 9 {
                    continue;
                }
                let before: String = chars[..start].iter().collect();
                let after: String = chars[i + 1..].iter().collect();
                out.push(format!("{before}⟨0.5_f64│num(0.5)⟩{after}"));
                let inner: Vec<char> = chars[start + 1..i].to_vec();
                if let Some((a, b)) = split_operands(&inner) {
                    out.push(format!("{before}({a}){after}"));
                    out.push(format!("{before}({b}){after}"));
                }
            }
            _ => {}
        }
    }
    out
}

/// The operands around the first arithmetic operator outside of brackets.
fn split_operands(inner: &[char]) -> Option<(String, String)> {
    let mut depth = 0;
    for i in 1..inner.len().saturating_sub(2) {
        match inner[i] {
            '(' | '[' | '{' | '⟨' => depth += 1,
            ')' | ']' | '}' | '⟩' => depth -= 1,
            '+' | '-' | '*' | '/' if depth == 0 && inner[i - 1] == ' ' && inner[i + 1] == ' ' => {
                return Some((inner[..i].iter().collect(), inner[i + 1..].iter().collect()));
            }
            _ => {}
        }
    }
    None
}
