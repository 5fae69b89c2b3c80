//! One SVG per problem: data and fitted curve above, residuals below.
//!
//! Of the two fits the one with the smaller residual sum of squares is drawn; the other too, dashed,
//! where it did not reach the solution. A second predictor (Nelson's temperature) makes one curve
//! per value of it.

use std::fmt;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use plotters::coord::Shift;
use plotters::element::DashedPathElement;
use plotters::prelude::*;

use crate::fitting::archive::{Observation, Problem};
use crate::fitting::digits;
use crate::fitting::fit::Fit;
use crate::fitting::models::{Model, Response};

const SIZE: (u32, u32) = (1200, 900);
const RESIDUALS_HEIGHT: u32 = 290;
const LABELS_WIDTH: u32 = 95;
const LABELS_HEIGHT: u32 = 50;
const MARGIN: u32 = 16;
const TITLE: (&str, u32) = ("sans-serif", 26);
const TEXT: (&str, u32) = ("sans-serif", 18);

/// Radius of an observation.
const RADIUS: i32 = 5;

/// Points of a fitted curve.
const GRID: u32 = 400;

/// A fit with fewer digits is another solution, drawn as such.
const SAME_SOLUTION: f64 = 4.0;

/// Colours of the data, by value of the second predictor.
const COLOURS: [RGBColor; 4] = [
    RGBColor(31, 119, 180),
    RGBColor(44, 160, 44),
    RGBColor(148, 103, 189),
    RGBColor(214, 39, 40),
];

/// The fitted curve, and one that is not the solution.
const FIT: RGBColor = RGBColor(220, 80, 20);
const MISSED: RGBColor = RGBColor(120, 120, 120);

/// Why a plot is missing, and what to do.
#[derive(Debug)]
pub(crate) struct NotWritten(PathBuf, String);

impl fmt::Display for NotWritten {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "cannot write {}: {}\nhelp: name a folder that you can write to with `--out DIR`",
            self.0.display(),
            self.1
        )
    }
}

impl std::error::Error for NotWritten {}

/// Makes the folder for the plots.
///
/// # Errors
///
/// When it cannot be made.
pub(crate) fn prepare(folder: &Path) -> Result<(), NotWritten> {
    fs::create_dir_all(folder).map_err(|e| NotWritten(folder.to_path_buf(), e.to_string()))
}

/// Draws `folder/<problem>.svg`.
///
/// # Errors
///
/// When the file cannot be written.
pub(crate) fn draw(
    problem: &Problem,
    model: &Model,
    fits: &[Fit; 2],
    folder: &Path,
) -> Result<(), NotWritten> {
    let file = folder.join(format!("{}.svg", problem.name));
    let mut svg = String::new();
    Figure::new(problem, model, fits)
        .render(SVGBackend::with_string(&mut svg, SIZE))
        .map_err(|reason| NotWritten(file.clone(), reason))?;
    fs::write(&file, svg).map_err(|e| NotWritten(file, e.to_string()))
}

type Point = (f64, f64);
type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type DrawError = DrawingAreaErrorKind<std::io::Error>;

/// What one value of the second predictor (or the whole data, without one) contributes.
struct Series {
    label: String,
    colour: RGBColor,
    data: Vec<Point>,
    residuals: Vec<Point>,
    curve: Vec<Point>,
    missed: Vec<Point>,
}

/// A plot, all numbers computed.
struct Figure {
    title: String,
    x_label: String,
    y_label: String,
    curve_label: String,
    missed_label: Option<String>,
    series: Vec<Series>,
}

impl Figure {
    fn new(problem: &Problem, model: &Model, fits: &[Fit; 2]) -> Figure {
        let (best, other) = if fits[0].rss <= fits[1].rss {
            (0, 1)
        } else {
            (1, 0)
        };
        let digits = fits
            .each_ref()
            .map(|fit| digits::worst(&fit.parameters, &problem.certified));
        let missed = digits[other] < SAME_SOLUTION;
        let measured = &problem.response;
        Figure {
            title: format!(
                "{}: {} parameters, {} observations; {:.1} and {:.1} certified digits from its starts",
                problem.name,
                problem.certified.len(),
                problem.observations.len(),
                digits[0],
                digits[1]
            ),
            x_label: problem.predictors[0].clone(),
            y_label: match model.response {
                Response::Measured => measured.clone(),
                Response::Logarithm => format!("log {measured}"),
            },
            curve_label: format!("fit from start {}", best + 1),
            missed_label: missed.then(|| format!("fit from start {} (missed)", other + 1)),
            series: series(problem, model, &fits[best], missed.then_some(&fits[other])),
        }
    }

    fn render(&self, backend: SVGBackend<'_>) -> Result<(), String> {
        let page = backend.into_drawing_area();
        page.fill(&WHITE).map_err(|e| e.to_string())?;
        let (above, below) = page.split_vertically(SIZE.1 - RESIDUALS_HEIGHT);
        self.render_fit(&above).map_err(|e| e.to_string())?;
        self.render_residuals(&below).map_err(|e| e.to_string())?;
        page.present().map_err(|e| e.to_string())
    }

    fn render_fit(&self, area: &Area<'_>) -> Result<(), DrawError> {
        let data = self.series.iter().flat_map(|series| &series.data);
        let curves = self.series.iter().flat_map(|series| &series.curve);
        let x = padded(data.clone().map(|point| point.0), 0.03);
        let y = padded(data.clone().chain(curves).map(|point| point.1), 0.06);
        let corner = emptiest_corner(&data, &x, &y);
        let mut chart = ChartBuilder::on(area)
            .caption(&self.title, TITLE)
            .margin(MARGIN)
            .x_label_area_size(LABELS_HEIGHT)
            .y_label_area_size(LABELS_WIDTH)
            .build_cartesian_2d(x.clone(), y.clone())?;
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .x_desc(&self.x_label)
            .y_desc(&self.y_label)
            .x_label_formatter(&|&value| tick(value, &x))
            .y_label_formatter(&|&value| tick(value, &y))
            .label_style(TEXT)
            .draw()?;
        for series in &self.series {
            let colour = series.colour;
            chart
                .draw_series(circles(&series.data, colour))?
                .label(&series.label)
                .legend(move |(x, y)| Circle::new((x + 10, y), RADIUS, colour.stroke_width(2)));
        }
        for (rank, series) in self.series.iter().enumerate() {
            let style = self.curve_colour(series).stroke_width(3);
            let drawn = chart.draw_series(LineSeries::new(series.curve.iter().copied(), style))?;
            if rank == 0 {
                let style = self.legend_colour().stroke_width(3);
                drawn
                    .label(&self.curve_label)
                    .legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], style));
            }
            let visible = |point: &Point| y.contains(&point.1);
            for part in series.missed.split(|point| !visible(point)) {
                let style = MISSED.stroke_width(3);
                chart.draw_series(DashedLineSeries::new(part.iter().copied(), 6, 4, style))?;
            }
        }
        if let Some(label) = &self.missed_label {
            let style = MISSED.stroke_width(3);
            chart
                .draw_series(LineSeries::new([], style))?
                .label(label)
                .legend(move |(x, y)| DashedPathElement::new([(x, y), (x + 20, y)], 6, 4, style));
        }
        chart
            .configure_series_labels()
            .position(corner)
            .border_style(BLACK.mix(0.3))
            .background_style(WHITE.mix(0.85))
            .label_font(TEXT)
            .draw()?;
        Ok(())
    }

    fn render_residuals(&self, area: &Area<'_>) -> Result<(), DrawError> {
        let residuals = self.series.iter().flat_map(|series| &series.residuals);
        let x = padded(residuals.clone().map(|point| point.0), 0.03);
        let largest = residuals
            .map(|point| point.1.abs())
            .fold(f64::MIN_POSITIVE, f64::max);
        let y = -1.15 * largest..1.15 * largest;
        let mut chart = ChartBuilder::on(area)
            .margin(MARGIN)
            .x_label_area_size(LABELS_HEIGHT)
            .y_label_area_size(LABELS_WIDTH)
            .build_cartesian_2d(x.clone(), y.clone())?;
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .x_desc(&self.x_label)
            .y_desc("residual")
            .y_labels(5)
            .x_label_formatter(&|&value| tick(value, &x))
            .y_label_formatter(&|&value| tick(value, &y))
            .label_style(TEXT)
            .draw()?;
        let zero = [(x.start, 0.0), (x.end, 0.0)];
        chart.draw_series(LineSeries::new(zero, FIT.stroke_width(2)))?;
        for series in &self.series {
            chart.draw_series(circles(&series.residuals, series.colour))?;
        }
        Ok(())
    }

    /// What stands for all curves in the legend.
    fn legend_colour(&self) -> RGBColor {
        if self.series.len() == 1 { FIT } else { BLACK }
    }

    /// One curve has a colour of its own; several have that of their data.
    fn curve_colour(&self, series: &Series) -> RGBColor {
        if self.series.len() == 1 {
            FIT
        } else {
            series.colour
        }
    }
}

/// The data split by the second predictor; one series where there is none.
fn series(problem: &Problem, model: &Model, best: &Fit, missed: Option<&Fit>) -> Vec<Series> {
    let mut values: Vec<Option<f64>> = Vec::new();
    for observation in &problem.observations {
        let value = observation.x.get(1).copied();
        if !values.contains(&value) {
            values.push(value);
        }
    }
    let curve = |fit: &Fit, second: Option<f64>| -> Vec<Point> {
        let x = padded(problem.observations.iter().map(|o| o.x[0]), 0.0);
        (0..=GRID)
            .map(|k| x.start + (x.end - x.start) * f64::from(k) / f64::from(GRID))
            .filter_map(|x| {
                let predictors: Vec<f64> = [x].into_iter().chain(second).collect();
                Some((x, (model.value)(&fit.parameters, &predictors)?))
            })
            .collect()
    };
    let one = |(value, colour): (Option<f64>, RGBColor)| {
        let own = problem
            .observations
            .iter()
            .filter(|o| o.x.get(1).copied() == value);
        Series {
            label: match (value, problem.predictors.get(1)) {
                (Some(value), Some(name)) => format!("data, {name} {value}"),
                _ => "data".to_string(),
            },
            colour,
            data: own
                .clone()
                .map(|o| (o.x[0], model.response.of(o.y)))
                .collect(),
            residuals: own.filter_map(|o| residual(model, best, o)).collect(),
            curve: curve(best, value),
            missed: missed.map_or_else(Vec::new, |fit| curve(fit, value)),
        }
    };
    values
        .into_iter()
        .zip(COLOURS.into_iter().cycle())
        .map(one)
        .collect()
}

/// Data minus fit, against the first predictor.
fn residual(model: &Model, fit: &Fit, observation: &Observation) -> Option<Point> {
    let value = (model.value)(&fit.parameters, &observation.x)?;
    Some((observation.x[0], model.response.of(observation.y) - value))
}

fn circles(points: &[Point], colour: RGBColor) -> impl Iterator<Item = Circle<Point, i32>> {
    points
        .iter()
        .map(move |&point| Circle::new(point, RADIUS, colour.mix(0.8).stroke_width(2)))
}

/// A number at an axis: five significant digits at most, with an exponent where that is shorter.
fn tick(value: f64, axis: &Range<f64>) -> String {
    if value.abs() < 1e-9 * (axis.end - axis.start) {
        return "0".to_string();
    }
    let scientific = format!("{value:.4e}");
    let rounded: f64 = scientific.parse().unwrap_or(value);
    if (1e-3..1e6).contains(&rounded.abs()) {
        rounded.to_string()
    } else {
        format!("{rounded:e}")
    }
}

/// The range of the values, widened on both sides by a part of its width.
fn padded(values: impl Iterator<Item = f64>, part: f64) -> Range<f64> {
    let (low, high) = values
        .filter(|value| value.is_finite())
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
            (low.min(value), high.max(value))
        });
    let margin = part * (high - low);
    low - margin..high + margin
}

/// Where the legend hides the fewest data.
fn emptiest_corner<'a>(
    data: &(impl Iterator<Item = &'a Point> + Clone),
    x: &Range<f64>,
    y: &Range<f64>,
) -> SeriesLabelPosition {
    let place = |range: &Range<f64>, value: f64| (value - range.start) / (range.end - range.start);
    let crowd = |right: bool, upper: bool| {
        data.clone()
            .map(|point| (place(x, point.0), place(y, point.1)))
            .filter(|&(x, _)| if right { x > 0.65 } else { x < 0.35 })
            .filter(|&(_, y)| if upper { y > 0.7 } else { y < 0.3 })
            .count()
    };
    let corners = [
        (SeriesLabelPosition::UpperRight, crowd(true, true)),
        (SeriesLabelPosition::UpperLeft, crowd(false, true)),
        (SeriesLabelPosition::LowerRight, crowd(true, false)),
        (SeriesLabelPosition::LowerLeft, crowd(false, false)),
    ];
    corners
        .into_iter()
        .min_by_key(|(_, crowd)| *crowd)
        .map_or(SeriesLabelPosition::UpperRight, |(corner, _)| corner)
}
