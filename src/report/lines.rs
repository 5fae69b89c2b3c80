//! Bytes by line of the source.

use std::fs;
use std::panic::Location;
use std::path::Path;

use plotters::prelude::*;

use super::{IN_USE, ReportError, drawing};
use crate::Tape;

const BAR: i32 = 22;
const GAP: i32 = 10;
const MARGIN: i32 = 16;
const TITLE: i32 = 44;
const WIDTH: i32 = 900;
/// What a bar leaves for the text behind it.
const TEXT: i32 = 130;

/// Draws how many bytes each line of the source has pushed since the tape was built, as SVG: a bar per loop that
/// records, with its line, and one per function. The tape counts if it was built with
/// [`tally`](crate::TapeBuilder::tally).
///
/// What a line says is shown where the source can be read, so run from the folder that cargo ran the compiler in: that
/// of the workspace.
///
/// # Errors
///
/// [`ReportError::Empty`] if the tape has counted nothing, [`ReportError::Drawing`] if the file cannot be written.
pub fn lines_svg(tape: &Tape, path: impl AsRef<Path>) -> Result<(), ReportError> {
    let bars = by_line(tape);
    let Some(most) = bars.iter().map(|(_, bytes)| *bytes).max() else {
        return Err(ReportError::Empty);
    };
    let rows = i32::try_from(bars.len()).map_err(drawing)?;
    let height = TITLE + rows * 2 * (BAR + GAP) + MARGIN;
    let size = (WIDTH.unsigned_abs(), height.unsigned_abs());
    let root = SVGBackend::new(path.as_ref(), size).into_drawing_area();
    root.fill(&WHITE).map_err(drawing)?;
    let text = |words: String, at: (i32, i32), size: i32, color: RGBColor| {
        let style = ("sans-serif", size).into_font().color(&color);
        root.draw_text(&words, &style.into_text_style(&root), at)
            .map_err(drawing)
    };
    text(
        "bytes recorded, by line".to_owned(),
        (MARGIN, MARGIN),
        20,
        BLACK,
    )?;
    for (row, (at, bytes)) in (0..).zip(&bars) {
        let y = TITLE + row * 2 * (BAR + GAP);
        text(label(at), (MARGIN, y), 14, BLACK)?;
        let top = y + BAR;
        let length = length(*bytes, most);
        let bar = [(MARGIN, top), (MARGIN + length, top + BAR)];
        root.draw(&Rectangle::new(bar, IN_USE.mix(0.6).filled()))
            .map_err(drawing)?;
        text(amount(*bytes), (MARGIN + length + 8, top + 4), 14, BLACK)?;
    }
    root.present().map_err(drawing)
}

/// What sites of one line have pushed, in the order of the source.
fn by_line(tape: &Tape) -> Vec<(&'static Location<'static>, u64)> {
    let mut bars: Vec<(&'static Location<'static>, u64)> = Vec::new();
    for (at, bytes) in tape.tallied() {
        match bars.last_mut() {
            Some((last, sum)) if (last.file(), last.line()) == (at.file(), at.line()) => {
                *sum += bytes;
            }
            _ => bars.push((at, bytes)),
        }
    }
    bars
}

/// The place, and what stands there.
fn label(at: &Location<'_>) -> String {
    let place = format!("{}:{}", at.file(), at.line());
    let line = usize::try_from(at.line()).unwrap_or(0);
    let source = fs::read_to_string(at.file()).unwrap_or_default();
    match source.lines().nth(line.saturating_sub(1)) {
        Some(code) => format!("{place}: {}", code.trim()),
        None => place,
    }
}

#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "pixels"
)]
fn length(bytes: u64, most: u64) -> i32 {
    let all = f64::from(WIDTH - 2 * MARGIN - TEXT);
    (all * bytes as f64 / most.max(1) as f64).ceil() as i32
}

#[expect(clippy::cast_precision_loss, reason = "for a label")]
fn amount(bytes: u64) -> String {
    match bytes {
        0..10_000 => format!("{bytes} bytes"),
        10_000..1_000_000 => format!("{:.1} KiB", bytes as f64 / 1024.0),
        _ => format!("{:.1} MiB", bytes as f64 / f64::from(1 << 20)),
    }
}
