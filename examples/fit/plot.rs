//! The picture: points, curve, and the confidence band of the curve.

#[path = "../support/picture.rs"]
mod picture;

use std::path::Path;

use plotters::prelude::*;

use picture::NotWritten;

use crate::models::Point;
use crate::regression::Fit;
use crate::table::Table;

const SIZE: (u32, u32) = (1200, 700);
const MARGIN: u32 = 16;
const LABELS: u32 = 70;
const TITLE: (&str, u32) = ("sans-serif", 26);
const TEXT: (&str, u32) = ("sans-serif", 18);
const RADIUS: i32 = 5;
const DATA: RGBColor = RGBColor(31, 119, 180);
const CURVE: RGBColor = RGBColor(220, 80, 20);

/// Points of the curve.
const GRID: u32 = 400;

/// Draws data and fit to an SVG.
///
/// # Errors
///
/// When the file cannot be written.
pub(crate) fn draw(table: &Table, fit: &Fit, file: &Path) -> Result<(), NotWritten> {
    picture::draw(file, SIZE, |backend| render(table, fit, backend))
}

fn render(
    table: &Table,
    fit: &Fit,
    backend: SVGBackend<'_>,
) -> Result<(), Box<dyn std::error::Error>> {
    let points = &table.points;
    let (first, last) = (points[0].0, points[points.len() - 1].0);
    let margin = 0.03 * (last - first);
    let x = first - margin..last + margin;
    let curve: Vec<(f64, f64, f64)> = (0..=GRID)
        .map(|k| x.start + (x.end - x.start) * f64::from(k) / f64::from(GRID))
        .map(|x| {
            let (value, half) = fit.at(x);
            (x, value, half)
        })
        .filter(|(_, value, half)| value.is_finite() && half.is_finite())
        .collect();
    let heights = (points.iter().map(|point| point.1)).chain(
        curve
            .iter()
            .flat_map(|&(_, value, half)| [value - half, value + half]),
    );
    let (low, high) = heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), y| {
        (low.min(y), high.max(y))
    });

    let page = backend.into_drawing_area();
    page.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&page)
        .caption(format!("{} = {}", table.y, fit.model.formula), TITLE)
        .margin(MARGIN)
        .x_label_area_size(LABELS)
        .y_label_area_size(LABELS)
        .build_cartesian_2d(x, low..high)?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .x_desc(&table.x)
        .y_desc(&table.y)
        .label_style(TEXT)
        .draw()?;
    let upper = curve.iter().map(|&(x, value, half)| (x, value + half));
    let lower = curve.iter().map(|&(x, value, half)| (x, value - half));
    let band: Vec<Point> = upper.chain(lower.rev()).collect();
    chart
        .draw_series([Polygon::new(band, CURVE.mix(0.2))])?
        .label(format!("{:.0} % band of the curve", 100.0 * fit.confidence))
        .legend(|(x, y)| Rectangle::new([(x, y - 5), (x + 20, y + 5)], CURVE.mix(0.2).filled()));
    let line = curve.iter().map(|&(x, value, _)| (x, value));
    chart
        .draw_series(LineSeries::new(line, CURVE.stroke_width(3)))?
        .label("fit")
        .legend(|(x, y)| PathElement::new([(x, y), (x + 20, y)], CURVE.stroke_width(3)));
    chart
        .draw_series(
            (points.iter()).map(|&point| Circle::new(point, RADIUS, DATA.stroke_width(2))),
        )?
        .label("data")
        .legend(|(x, y)| Circle::new((x + 10, y), RADIUS, DATA.stroke_width(2)));
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::LowerRight)
        .background_style(WHITE.mix(0.8))
        .label_font(TEXT)
        .draw()?;
    page.present()?;
    Ok(())
}
