//! Program text in two forms at once.
//!
//! The generator writes one text. What differs between the program under test and its oracle stands
//! between marks: `⟨primal│oracle⟩`. `ƒ` is the number type. A program is a tree of lines, so that the
//! shrinker can take statements away.

/// Which form to print.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// `f64`, under `#[gradient]`.
    Gradient,
    /// `f64`, plain Rust: to validate the generator itself.
    Plain,
    /// The oracle's dual numbers.
    Oracle,
}

/// A line, or a construct with blocks.
#[derive(Clone)]
pub(crate) enum Item {
    Line(String),
    /// `head { items }` for each part, then the tail.
    Nest {
        parts: Vec<(String, Vec<Item>)>,
        tail: String,
    },
}

pub(crate) fn line(text: impl Into<String>) -> Item {
    Item::Line(text.into())
}

pub(crate) fn nest(head: impl Into<String>, items: Vec<Item>) -> Item {
    Item::Nest {
        parts: vec![(head.into(), items)],
        tail: String::new(),
    }
}

/// A float literal.
pub(crate) fn literal(text: &str) -> String {
    format!("⟨{text}│num({text})⟩")
}

/// The integer expression as a float.
pub(crate) fn to_float(int: &str) -> String {
    format!("⟨(│num(⟩{int} as f64)")
}

/// The float expression as an integer of type `ty`.
pub(crate) fn to_int(float: &str, ty: &str) -> String {
    format!("(({float})⟨│.value()⟩ as {ty})")
}

/// Lines of `items`, indented.
pub(crate) fn print(items: &[Item], depth: usize, out: &mut String) {
    let indent = "    ".repeat(depth);
    for item in items {
        match item {
            Item::Line(text) => {
                for l in text.lines() {
                    out.push_str(&indent);
                    out.push_str(l);
                    out.push('\n');
                }
            }
            Item::Nest { parts, tail } => {
                for (k, (head, body)) in parts.iter().enumerate() {
                    if k == 0 {
                        out.push_str(&indent);
                    } else {
                        out.pop();
                        out.push(' ');
                    }
                    out.push_str(head);
                    out.push_str(" {\n");
                    print(body, depth + 1, out);
                    out.push_str(&indent);
                    out.push_str("}\n");
                }
                out.pop();
                out.push_str(tail);
                out.push('\n');
            }
        }
    }
}

/// The text in one form.
pub(crate) fn render(text: &str, form: Form) -> String {
    let mut out = String::with_capacity(text.len());
    let mut sides: Vec<bool> = Vec::new();
    for c in text.chars() {
        match c {
            '⟨' => sides.push(form != Form::Oracle),
            '│' => {
                if let Some(side) = sides.last_mut() {
                    *side = !*side;
                }
            }
            '⟩' => drop(sides.pop()),
            _ if !sides.iter().all(|&shown| shown) => {}
            'ƒ' => out.push_str(if form == Form::Oracle { "D" } else { "f64" }),
            '†' => out.push_str(if form == Form::Gradient {
                "#[gradient]"
            } else {
                ""
            }),
            '‡' => out.push_str(if form == Form::Gradient {
                "#[derive(retrograde::Differentiable, retrograde::Record)]"
            } else {
                ""
            }),
            '¶' => out.push_str(if form == Form::Gradient { "" } else { "//" }),
            '§' => out.push_str(if form == Form::Gradient {
                "#[checkpoint]"
            } else {
                ""
            }),
            _ => out.push(c),
        }
    }
    out
}
