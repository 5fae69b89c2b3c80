//! The picture: volatilities with their errors, and the smile.

#[path = "../support/picture.rs"]
mod picture;

use std::path::Path;

use plotters::prelude::*;

use picture::NotWritten;

use crate::svi::{Implied, Svi};

const SIZE: (u32, u32) = (1200, 700);
const MARGIN: u32 = 16;
const LABELS: u32 = 60;
const TITLE: (&str, u32) = ("sans-serif", 26);
const TEXT: (&str, u32) = ("sans-serif", 18);
const WHISKER: u32 = 8;
const QUOTED: RGBColor = RGBColor(31, 119, 180);
const SMILE: RGBColor = RGBColor(220, 80, 20);

/// Points of the curve.
const GRID: u32 = 400;

/// Draws a smile and the volatilities that it was fitted to, of which there are some, to an SVG.
///
/// # Errors
///
/// When the file cannot be written.
pub(crate) fn draw(
    implied: &[Implied],
    svi: &Svi,
    years: f64,
    file: &Path,
) -> Result<(), NotWritten> {
    picture::draw(file, SIZE, |backend| render(implied, svi, years, backend))
}

fn render(
    implied: &[Implied],
    svi: &Svi,
    years: f64,
    backend: SVGBackend<'_>,
) -> Result<(), Box<dyn std::error::Error>> {
    let (first, last) = (implied[0].k, implied[implied.len() - 1].k);
    let margin = 0.05 * (last - first);
    let x = first - margin..last + margin;
    let curve: Vec<(f64, f64)> = (0..=GRID)
        .map(|point| x.start + (x.end - x.start) * f64::from(point) / f64::from(GRID))
        .map(|k| (k, 100.0 * svi.volatility(k, years)))
        .collect();
    let high = (implied.iter().map(|i| 100.0 * (i.volatility + i.error)))
        .chain(curve.iter().map(|point| point.1))
        .fold(0.0, f64::max);

    let page = backend.into_drawing_area();
    page.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&page)
        .caption("Implied volatility", TITLE)
        .margin(MARGIN)
        .x_label_area_size(LABELS)
        .y_label_area_size(LABELS)
        .build_cartesian_2d(x, 0.0..1.05 * high)?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .x_desc("log of strike over forward")
        .y_desc("volatility in %")
        .label_style(TEXT)
        .draw()?;
    chart
        .draw_series(LineSeries::new(curve, SMILE.stroke_width(3)))?
        .label("smile")
        .legend(|(x, y)| PathElement::new([(x, y), (x + 20, y)], SMILE.stroke_width(3)));
    let bars = implied.iter().map(|i| {
        let of = |volatility: f64| 100.0 * volatility;
        let (low, high) = (of(i.volatility - i.error), of(i.volatility + i.error));
        ErrorBar::new_vertical(i.k, low, of(i.volatility), high, QUOTED.filled(), WHISKER)
    });
    chart
        .draw_series(bars)?
        .label("quotes, as exact as their rounding")
        .legend(|(x, y)| Circle::new((x + 10, y), 4, QUOTED.filled()));
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperRight)
        .background_style(WHITE.mix(0.8))
        .label_font(TEXT)
        .draw()?;
    page.present()?;
    Ok(())
}
