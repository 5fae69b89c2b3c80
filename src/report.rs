//! Pictures of a tape at work; feature `report`.
//!
//! ```no_run
//! use retrograde::report::{Timeline, tape_svg};
//! use retrograde::{Tape, gradient};
//!
//! #[gradient]
//! fn orbit(x: f64, steps: usize) -> f64 {
//!     let mut y = x;
//!     for _ in 0..steps {
//!         y = 3.7 * y * (1.0 - y);
//!     }
//!     y
//! }
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let timeline = Timeline::new();
//! let mut tape = Tape::builder()
//!     .memory_budget(16 << 20)
//!     .spill_to(std::env::temp_dir())
//!     .observer(timeline.observer())
//!     .build()?;
//! let mut dx = 0.0;
//! orbit_grad_into(&mut tape, 0.4, &mut dx, 100_000_000);
//! tape_svg(&timeline, "orbit.svg")?;
//! # Ok(())
//! # }
//! ```
//!
//! With `.tally(true)`, the tape also counts what each loop of the source pushes, and [`lines_svg`] draws that.

mod lines;

use std::fmt;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use plotters::prelude::*;

use crate::{Sweep, TapeEvent};

pub use lines::lines_svg;

const IN_USE: RGBColor = RGBColor(25, 118, 210);
const ON_TIER: RGBColor = RGBColor(239, 108, 0);
const LINES: RGBColor = RGBColor(97, 97, 97);

/// What a tape did over time: its events, collected by an observer.
///
/// Clones share the events.
#[derive(Debug, Clone, Default)]
pub struct Timeline {
    events: Arc<Mutex<Vec<TapeEvent>>>,
}

impl Timeline {
    /// Without events as yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A callback for [`TapeBuilder::observer`](crate::TapeBuilder::observer) that adds to this timeline.
    pub fn observer(&self) -> impl FnMut(&TapeEvent) + Send + 'static {
        let events = Arc::clone(&self.events);
        move |event| {
            events
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push(*event)
        }
    }

    /// The events so far, oldest first.
    #[must_use]
    pub fn events(&self) -> Vec<TapeEvent> {
        self.events
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

/// Why a picture could not be drawn.
#[derive(Debug)]
#[non_exhaustive]
pub enum ReportError {
    /// The timeline has fewer than two events: the tape never left its first block. Or the tape has counted nothing.
    Empty,
    /// The file cannot be written, or the plot cannot be laid out; the text says which.
    Drawing(String),
}

impl fmt::Display for ReportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str(
                "there is nothing to draw: the tape never left its first block, or counted nothing",
            ),
            Self::Drawing(text) => write!(f, "the tape report cannot be drawn: {text}"),
        }
    }
}

impl std::error::Error for ReportError {}

fn drawing(error: impl fmt::Display) -> ReportError {
    ReportError::Drawing(error.to_string())
}

/// Draws the bytes in memory and on the tier over time, forward and reverse, as SVG.
///
/// # Errors
///
/// [`ReportError::Empty`] if there are fewer than two events, [`ReportError::Drawing`] if the file cannot be written.
pub fn tape_svg(timeline: &Timeline, path: impl AsRef<Path>) -> Result<(), ReportError> {
    let events = timeline.events();
    let (Some(first), Some(last)) = (events.first(), events.last()) else {
        return Err(ReportError::Empty);
    };
    if events.len() < 2 {
        return Err(ReportError::Empty);
    }
    let seconds = |event: &TapeEvent| event.elapsed.as_secs_f64();
    let most = events
        .iter()
        .map(|event| mib(event.bytes))
        .fold(0.0, f64::max);
    let end = seconds(last).max(seconds(first) + 1e-9);
    let root = SVGBackend::new(path.as_ref(), (900, 480)).into_drawing_area();
    root.fill(&WHITE).map_err(drawing)?;
    let mut chart = ChartBuilder::on(&root)
        .caption("bytes on the tape", ("sans-serif", 20))
        .margin(12)
        .x_label_area_size(40)
        .y_label_area_size(70)
        .build_cartesian_2d(0.0..end, 0.0..most * 1.05)
        .map_err(drawing)?;
    chart
        .configure_mesh()
        .x_desc("seconds")
        .y_desc("MiB")
        .draw()
        .map_err(drawing)?;
    let in_use = events
        .iter()
        .map(|event| (seconds(event), mib(event.bytes)));
    chart
        .draw_series(AreaSeries::new(in_use, 0.0, IN_USE.mix(0.25)).border_style(IN_USE))
        .map_err(drawing)?
        .label("in use")
        .legend(|(x, y)| Rectangle::new([(x, y - 5), (x + 14, y + 5)], IN_USE.filled()));
    let on_tier = events
        .iter()
        .map(|event| (seconds(event), mib(event.tier_bytes)));
    chart
        .draw_series(AreaSeries::new(on_tier, 0.0, ON_TIER.mix(0.35)).border_style(ON_TIER))
        .map_err(drawing)?
        .label("of these on the tier")
        .legend(|(x, y)| Rectangle::new([(x, y - 5), (x + 14, y + 5)], ON_TIER.filled()));
    if let Some(turn) = events.iter().find(|event| event.sweep == Sweep::Reverse) {
        let at = seconds(turn);
        chart
            .draw_series(LineSeries::new([(at, 0.0), (at, most * 1.05)], LINES))
            .map_err(drawing)?
            .label("the reverse sweep begins")
            .legend(|(x, y)| PathElement::new([(x, y), (x + 14, y)], LINES));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperRight)
        .background_style(WHITE.mix(0.8))
        .border_style(LINES)
        .draw()
        .map_err(drawing)?;
    root.present().map_err(drawing)
}

#[expect(clippy::cast_precision_loss, reason = "for a plot")]
fn mib(bytes: usize) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}
