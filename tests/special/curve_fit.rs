//! Runs the example `fit` as a test: published estimates and standard errors, every model from its guess, and what is
//! said where there is no fit.

use std::fs;
use std::path::{Path, PathBuf};

use crate::models::{self, MODELS, Point};
use crate::regression::{self, NoFit};
use crate::{plot, table};

fn rates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/data/puromycin/rates.csv")
}

fn assert_near(found: f64, wanted: f64, relative: f64) {
    assert!(
        (found - wanted).abs() <= relative * wanted.abs(),
        "{found} instead of {wanted}"
    );
}

/// The estimates of Bates and Watts with their standard errors.
#[test]
fn the_published_estimates_are_reached() {
    let table = table::read(&rates(), None, None).expect("the table");
    assert_eq!(
        (table.points.len(), &*table.x, &*table.y),
        (12, "concentration", "rate")
    );
    let model = models::by_name("saturation").expect("the model");
    let start = (model.guess)(&table.points);
    let fit = regression::fit(model, &table.points, &start, 0.95).expect("a fit");
    assert_eq!(fit.freedom, 10);
    assert_near(fit.scale, 10.93, 5e-4);
    for (estimate, (value, error)) in fit
        .estimates
        .iter()
        .zip([(212.7, 6.947), (0.06412, 0.008281)])
    {
        assert_near(estimate.value, value, 1e-4);
        assert_near(estimate.error, error, 1e-4);
        // The quantile of Student's t with ten degrees of freedom.
        let half = 0.5 * (estimate.interval[1] - estimate.interval[0]);
        assert_near(half, 2.228_138_851_986_274_7 * estimate.error, 1e-12);
    }
    let file = std::env::temp_dir().join(format!("retrograde-fit-{}.svg", std::process::id()));
    plot::draw(&table, &fit, &file).expect("a picture");
    let svg = fs::read_to_string(&file).expect("the picture");
    fs::remove_file(&file).expect("the picture");
    // Twelve points, and one in the legend.
    assert_eq!(svg.matches("<circle").count(), 13);
}

/// Parameters of each model, and the interval over which it is drawn.
const TRUE: [(&str, &[f64], f64, f64); 9] = [
    ("decay", &[3.0, 0.7, 0.5], 0.0, 6.0),
    ("decay", &[-2.0, 0.2, 5.0], 1.0, 30.0),
    ("logistic", &[10.0, 4.0, 0.8], 0.0, 9.0),
    ("logistic", &[2.0, -1.0, -0.5], -4.0, 3.0),
    ("oscillation", &[2.0, 0.1, 3.0, 0.4, 1.0], 0.0, 10.0),
    ("peak", &[5.0, 2.0, 0.3, -1.0], 0.0, 5.0),
    ("peak", &[0.1, 100.0, 20.0, 3.0], 0.0, 250.0),
    ("saturation", &[200.0, 0.06], 0.01, 1.0),
    ("saturation", &[3.0, 40.0], 0.0, 200.0),
];

#[test]
fn every_model_is_found_from_its_guess() {
    for (name, parameters, from, to) in TRUE {
        let model = models::by_name(name).expect("the model");
        let points: Vec<Point> = (0..60)
            .map(|k| from + (to - from) * f64::from(k) / 59.0)
            .map(|x| (x, (model.value)(parameters, x)))
            .collect();
        let start = (model.guess)(&points);
        let fit = regression::fit(model, &points, &start, 0.9)
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        for (estimate, wanted) in fit.estimates.iter().zip(parameters) {
            assert_near(estimate.value, *wanted, 1e-6);
        }
    }
    assert!(
        MODELS
            .iter()
            .all(|model| TRUE.iter().any(|(name, ..)| *name == model.name))
    );
}

#[test]
fn gradients_are_those_of_the_models() {
    for (name, parameters, from, to) in TRUE {
        let model = models::by_name(name).expect("the model");
        for x in [from, 0.3 * from + 0.7 * to, to] {
            let (value, gradient) = (model.gradient)(parameters, x);
            assert_eq!(value.to_bits(), (model.value)(parameters, x).to_bits());
            for (entry, exact) in gradient.into_iter().enumerate() {
                for step in [1e-4, 1e-5] {
                    let step = step * parameters[entry].abs();
                    let [above, below] = [step, -step].map(|step| {
                        let mut moved = parameters.to_vec();
                        moved[entry] += step;
                        (model.value)(&moved, x)
                    });
                    let difference = (above - below) / (2.0 * step);
                    let error = (exact - difference).abs();
                    assert!(
                        error < 1e-5 * (1.0 + exact.abs()),
                        "{name}: {exact} {difference}"
                    );
                }
            }
        }
    }
}

#[test]
fn what_has_no_fit_says_so() {
    let decay = models::by_name("decay").expect("the model");
    let line: Vec<Point> = (0..10).map(|k| (f64::from(k), 2.0)).collect();
    let start = [0.0, 1.0, 2.0];
    let fit = |points: &[Point], start: &[f64], confidence| {
        regression::fit(decay, points, start, confidence).map(|_| ())
    };
    assert_eq!(fit(&line, &start, 0.95), Err(NoFit::Undetermined));
    assert_eq!(fit(&line[..3], &start, 0.95), Err(NoFit::TooFew(3, 3)));
    assert_eq!(fit(&line, &start[..2], 0.95), Err(NoFit::Start(2, 3)));
    assert_eq!(fit(&line, &start, 1.0), Err(NoFit::Confidence(1.0)));
    assert_eq!(fit(&line, &[1.0, -1e9, 0.0], 0.95), Err(NoFit::NotFinite));
    assert_eq!(models::help().lines().count(), 1 + MODELS.len());
    let message = models::by_name("parabola").expect_err("no model");
    assert!(message.contains("saturation"), "{message}");
    let message = table::read(&rates(), Some("time"), None).expect_err("no column");
    assert!(message.to_string().contains("`time`"), "{message}");
    let message = table::read(&rates().with_file_name("README.md"), None, None);
    assert!(message.is_err());
}
