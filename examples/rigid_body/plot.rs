//! The picture: the markers' paths in a vertical plane, and the angular velocity over time.

#[path = "../support/picture.rs"]
mod picture;

use std::path::Path;

use plotters::coord::Shift;
use plotters::prelude::*;

use picture::NotWritten;

use crate::body::{Body, State};
use crate::geometry::Vec3;
use crate::recover::Flight;
use crate::scene;

const SIZE: (u32, u32) = (1400, 650);
const MARGIN: u32 = 16;
const LABELS: u32 = 60;
const TITLE: (&str, u32) = ("sans-serif", 24);
const TEXT: (&str, u32) = ("sans-serif", 18);
const RADIUS: i32 = 2;
const COLOURS: [RGBColor; 4] = [
    RGBColor(31, 119, 180),
    RGBColor(220, 80, 20),
    RGBColor(44, 160, 44),
    RGBColor(148, 103, 189),
];

/// Room around what is drawn, as a share of it.
const ROOM: f64 = 0.05;

/// What goes wrong when something is drawn.
type Failed = Box<dyn std::error::Error>;

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// Draws what was seen, the true states and the recovered ones, to an SVG.
///
/// # Errors
///
/// When the file cannot be written.
pub(crate) fn draw(
    body: &Body,
    flight: &Flight,
    truth: &[State],
    recovered: &[State],
    file: &Path,
) -> Result<(), NotWritten> {
    picture::draw(file, SIZE, |backend| {
        let page = backend.into_drawing_area();
        page.fill(&WHITE)?;
        let (left, right) = page.split_horizontally(SIZE.0 / 2);
        paths(&left, body, flight, recovered)?;
        spins(&right, flight.interval, truth, recovered)?;
        Ok(page.present()?)
    })
}

/// From the least to the greatest, with room on both sides.
fn range(values: impl Iterator<Item = f64>) -> std::ops::Range<f64> {
    let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
        (low.min(value), high.max(value))
    });
    let room = ROOM * (high - low);
    low - room..high + room
}

/// The markers from the side: seen as dots, recovered as lines.
fn paths(area: &Area<'_>, body: &Body, flight: &Flight, recovered: &[State]) -> Result<(), Failed> {
    let computed = scene::positions(body, recovered);
    let all = || flight.frames.iter().chain(&computed).flatten();
    let mut chart = ChartBuilder::on(area)
        .caption("Markers: seen (dots) and recovered (lines)", TITLE)
        .margin(MARGIN)
        .x_label_area_size(LABELS)
        .y_label_area_size(LABELS)
        .build_cartesian_2d(range(all().map(|p| p.x)), range(all().map(|p| p.z)))?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .x_desc("x in m")
        .y_desc("height in m")
        .label_style(TEXT)
        .draw()?;
    for (marker, colour) in (0..body.markers.len()).zip(COLOURS.iter().cycle()) {
        let path = |frames: &[Vec<Vec3>]| -> Vec<(f64, f64)> {
            frames
                .iter()
                .map(|frame| (frame[marker].x, frame[marker].z))
                .collect()
        };
        let seen = path(&flight.frames).into_iter();
        chart.draw_series(seen.map(|at| Circle::new(at, RADIUS, colour.filled())))?;
        chart.draw_series(LineSeries::new(path(&computed), colour))?;
    }
    Ok(())
}

/// The angular velocity along the body's axes: the true one dashed, the recovered one as lines.
fn spins(
    area: &Area<'_>,
    interval: f64,
    truth: &[State],
    recovered: &[State],
) -> Result<(), Failed> {
    let axes = |state: &State| [state.spin.x, state.spin.y, state.spin.z];
    let time = interval * (truth.len() - 1) as f64;
    let mut chart = ChartBuilder::on(area)
        .caption("Angular velocity: true (dashed) and recovered", TITLE)
        .margin(MARGIN)
        .x_label_area_size(LABELS)
        .y_label_area_size(LABELS)
        .build_cartesian_2d(
            0.0..time,
            range(truth.iter().chain(recovered).flat_map(axes)),
        )?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .x_desc("time in s")
        .y_desc("rad/s")
        .label_style(TEXT)
        .draw()?;
    for (axis, (name, colour)) in ["x", "y", "z"].into_iter().zip(COLOURS).enumerate() {
        let over_time = |states: &[State]| -> Vec<(f64, f64)> {
            let at = |(frame, state)| (interval * frame as f64, axes(state)[axis]);
            states.iter().enumerate().map(at).collect()
        };
        chart
            .draw_series(LineSeries::new(
                over_time(recovered),
                colour.stroke_width(2),
            ))?
            .label(name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], colour.stroke_width(2)));
        chart.draw_series(DashedLineSeries::new(
            over_time(truth),
            6,
            6,
            BLACK.stroke_width(1),
        ))?;
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperRight)
        .background_style(WHITE.mix(0.8))
        .label_font(TEXT)
        .draw()?;
    Ok(())
}
