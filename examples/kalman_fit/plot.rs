//! The picture: measurements, the level with its band, and what it may become.

#[path = "../support/picture.rs"]
mod picture;

use std::path::Path;

use plotters::prelude::*;

use picture::NotWritten;

use crate::model::{Belief, Year};

const SIZE: (u32, u32) = (1200, 700);
const MARGIN: u32 = 16;
const LABELS: u32 = 60;
const TITLE: (&str, u32) = ("sans-serif", 26);
const TEXT: (&str, u32) = ("sans-serif", 18);
const RADIUS: i32 = 4;
const MEASURED: RGBColor = RGBColor(31, 119, 180);
const LEVEL: RGBColor = RGBColor(220, 80, 20);

/// Half of the width of a band with 90 % of a normal distribution, in standard deviations.
const BAND: f64 = 1.644_853_626_951_472_2;

/// Draws a record and its levels, of which there may be more than years, to an SVG.
///
/// # Errors
///
/// When the file cannot be written.
pub(crate) fn draw(record: &[Year], levels: &[Belief], file: &Path) -> Result<(), NotWritten> {
    picture::draw(file, SIZE, |backend| render(record, levels, backend))
}

fn render(
    record: &[Year],
    levels: &[Belief],
    backend: SVGBackend<'_>,
) -> Result<(), Box<dyn std::error::Error>> {
    let years: Vec<f64> = (0..levels.len())
        .map(|year| f64::from(record[0].year) + year as f64)
        .collect();
    let bound = |side: f64| {
        let of = move |level: &Belief| level.mean + side * BAND * level.variance.sqrt();
        years.iter().copied().zip(levels.iter().map(of))
    };
    let measured = record
        .iter()
        .filter_map(|year| Some((f64::from(year.year), year.flow?)));
    let heights: Vec<f64> = (measured.clone().map(|point| point.1))
        .chain(bound(-1.0).chain(bound(1.0)).map(|point| point.1))
        .collect();
    let low = heights.iter().copied().fold(f64::INFINITY, f64::min);
    let high = heights.iter().copied().fold(f64::NEG_INFINITY, f64::max);

    let page = backend.into_drawing_area();
    page.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&page)
        .caption("Local level model, fitted by maximum likelihood", TITLE)
        .margin(MARGIN)
        .x_label_area_size(LABELS)
        .y_label_area_size(LABELS)
        .build_cartesian_2d(years[0]..years[years.len() - 1], low..high)?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .x_label_formatter(&|year| format!("{year:.0}"))
        .x_desc("year")
        .y_desc("flow in 10⁸ m³")
        .label_style(TEXT)
        .draw()?;
    let back: Vec<(f64, f64)> = bound(1.0).collect();
    let band: Vec<(f64, f64)> = bound(-1.0).chain(back.into_iter().rev()).collect();
    chart
        .draw_series([Polygon::new(band, LEVEL.mix(0.2))])?
        .label("90 % of the level's distribution")
        .legend(|(x, y)| Rectangle::new([(x, y - 5), (x + 20, y + 5)], LEVEL.mix(0.2).filled()));
    let means = years
        .iter()
        .copied()
        .zip(levels.iter().map(|level| level.mean));
    chart
        .draw_series(LineSeries::new(means, LEVEL.stroke_width(3)))?
        .label("level")
        .legend(|(x, y)| PathElement::new([(x, y), (x + 20, y)], LEVEL.stroke_width(3)));
    chart
        .draw_series(measured.map(|point| Circle::new(point, RADIUS, MEASURED.stroke_width(2))))?
        .label("measured")
        .legend(|(x, y)| Circle::new((x + 10, y), RADIUS, MEASURED.stroke_width(2)));
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperRight)
        .background_style(WHITE.mix(0.8))
        .label_font(TEXT)
        .draw()?;
    page.present()?;
    Ok(())
}
