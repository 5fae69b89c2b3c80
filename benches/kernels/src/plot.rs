//! A picture of the table of the twelve kernels: how long each adjoint takes, in multiples of the function.

use std::fmt::Write as _;

/// One kernel: the times of three adjoints, in multiples of the function's.
struct Row<'a> {
    kernel: &'a str,
    ours: f64,
    simple: f64,
    best: f64,
}

const LEFT: f64 = 110.0;
const WIDTH: f64 = 560.0;
const LINE: f64 = 30.0;
const TOP: f64 = 60.0;
/// The ends of the axis, which is logarithmic.
const AXIS: [f64; 2] = [0.5, 20.0];

/// The rows of the first table of `docs/performance.md` that has kernels in it.
fn rows(text: &str) -> Vec<Row<'_>> {
    let table = text.lines().skip_while(|l| !l.starts_with("| kernel |"));
    let rows = table.skip(2).take_while(|line| line.starts_with('|'));
    let row = |line| {
        let cells: Vec<&str> = str::split(line, '|').map(str::trim).collect();
        let number = |at: usize| cells[at].parse().expect("a number");
        Row {
            kernel: cells[1],
            ours: number(3),
            simple: number(4),
            best: number(5),
        }
    };
    rows.map(row).collect()
}

/// Where a number stands on the axis.
fn x(multiple: f64) -> f64 {
    let [from, to] = AXIS.map(f64::ln);
    LEFT + WIDTH * (multiple.ln() - from) / (to - from)
}

/// The picture, as SVG, of the figures in the text of `docs/performance.md`.
///
/// # Panics
///
/// If the text has no such table.
#[must_use]
pub fn svg(performance: &str) -> String {
    let rows = rows(performance);
    assert!(!rows.is_empty(), "the text has the table of the kernels");
    let bottom = TOP + LINE * rows.len() as f64;
    let mut out = String::new();
    let (width, height) = (LEFT + WIDTH + 30.0, bottom + 40.0);
    out += &format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"sans-serif\" font-size=\"13\" fill=\"#333\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n\
         <text x=\"{LEFT}\" y=\"20\" font-weight=\"bold\">Value and gradient, time ÷ time of the function</text>\n"
    );
    for (label, color, at) in [
        ("retrograde", "#c2410c", 0.0),
        ("best adjoint by hand", "#1d4ed8", 110.0),
        ("mechanical adjoint", "#9ca3af", 280.0),
    ] {
        let at = LEFT + at;
        let _infallible = writeln!(
            out,
            "<circle cx=\"{}\" cy=\"37\" r=\"5\" fill=\"{color}\"/><text x=\"{}\" y=\"41\">{label}</text>",
            at + 5.0,
            at + 15.0
        );
    }
    for tick in [0.5, 1.0, 2.0, 5.0, 10.0, 20.0] {
        let (at, below) = (x(tick), bottom + 18.0);
        let color = if tick == 1.0 { "#333" } else { "#ddd" };
        let _infallible = writeln!(
            out,
            "<line x1=\"{at:.1}\" y1=\"{TOP}\" x2=\"{at:.1}\" y2=\"{bottom}\" stroke=\"{color}\"/>\
             <text x=\"{at:.1}\" y=\"{below}\" text-anchor=\"middle\">{tick}</text>"
        );
    }
    for (k, row) in rows.iter().enumerate() {
        let y = TOP + LINE * (k as f64 + 0.5);
        let (from, to) = (row.ours.min(row.best), row.simple);
        let _infallible = writeln!(
            out,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\
             <line x1=\"{:.1}\" y1=\"{y}\" x2=\"{:.1}\" y2=\"{y}\" stroke=\"#e5e7eb\" stroke-width=\"4\"/>",
            LEFT - 12.0,
            y + 4.0,
            row.kernel,
            x(from),
            x(to)
        );
        for (multiple, color, radius) in [
            (row.simple, "#9ca3af", 5.0),
            (row.best, "#1d4ed8", 6.5),
            (row.ours, "#c2410c", 4.5),
        ] {
            let at = x(multiple);
            let _infallible = writeln!(
                out,
                "<circle cx=\"{at:.1}\" cy=\"{y}\" r=\"{radius}\" fill=\"{color}\"/>"
            );
        }
    }
    out + "</svg>\n"
}
