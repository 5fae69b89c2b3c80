//! Runs the example `kalman_fit` as a test: the published maximum of the likelihood is reached, the gradient is that of
//! the function, and the smoother agrees with a linear system.

#[path = "../examples/kalman_fit/fit.rs"]
mod fit;
#[path = "../examples/kalman_fit/model.rs"]
mod model;
#[path = "../examples/kalman_fit/plot.rs"]
mod plot;
#[path = "../examples/kalman_fit/record.rs"]
mod record;
#[path = "../examples/kalman_fit/smooth.rs"]
mod smooth;

use std::path::Path;

use indicatif::ProgressBar;
use nalgebra::{DMatrix, DVector};
use retrograde::Flat;

use model::{LocalLevel, Year};

/// The flow of the Nile, without the given positions of the list.
fn nile(missing: &[(usize, usize)]) -> Vec<Year> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/data/nile/flow.csv");
    let mut record = record::read(&file).unwrap_or_else(|error| panic!("{error}"));
    for &(from, to) in missing {
        for year in &mut record[from..to] {
            year.flow = None;
        }
    }
    record
}

/// The years that Durbin and Koopman leave out in their section 2.7.
const GAPS: [(usize, usize); 2] = [(20, 40), (60, 80)];

fn model(parameters: &[f64]) -> LocalLevel {
    LocalLevel {
        log_noise: parameters[0],
        log_drift: parameters[1],
    }
}

#[test]
fn the_published_maximum_is_reached() {
    let record = nile(&[]);
    let fit = fit::fit(&record, fit::guess(&record), ProgressBar::hidden()).expect("a maximum");
    assert!((fit.model.noise() - 15_099.0).abs() < 1.0, "{fit:?}");
    assert!((fit.model.drift() - 1469.1).abs() < 0.2, "{fit:?}");
    assert_eq!(fit.log_likelihood, fit.model.log_likelihood(&record));
    assert!(fit.gradient < 1e-6 && fit.iterations > 0, "{fit:?}");
    assert!(fit.errors.iter().all(|error| *error > 0.0), "{fit:?}");
}

#[test]
fn the_gradient_is_that_of_the_likelihood() {
    for record in [
        nile(&[]),
        nile(&GAPS),
        nile(&[(0, 5), (97, 100)]),
        nile(&[(0, 100)]),
    ] {
        for at in [[9.6, 7.3], [8.0, 10.0], [11.0, 2.0]] {
            let (value, slope) = model(&at).log_likelihood_grad(&record);
            assert_eq!(value, model(&at).log_likelihood(&record));
            for (entry, exact) in slope.to_flat().into_iter().enumerate() {
                for step in [1e-4, 1e-5] {
                    let [above, below] = [step, -step].map(|step| {
                        let mut moved = at;
                        moved[entry] += step;
                        model(&moved).log_likelihood(&record)
                    });
                    let difference = (above - below) / (2.0 * step);
                    // The truncation of the wider step, and what is cancelled in the narrower one.
                    let error = (exact - difference).abs();
                    assert!(error < 1e-6 * (1.0 + exact.abs()), "{exact} {difference}");
                }
            }
        }
    }
}

#[test]
fn the_smoother_solves_the_normal_equations() {
    let ahead = 3;
    for record in [nile(&[]), nile(&GAPS), nile(&[(0, 5), (97, 100)])] {
        let model = model(&[9.6, 7.3]);
        let levels = smooth::levels(&model, &record, ahead);
        let count = record.len() + ahead;
        assert_eq!(levels.len(), count);

        let mut precision = DMatrix::<f64>::zeros(count, count);
        let mut right = DVector::<f64>::zeros(count);
        for (year, flow) in record
            .iter()
            .enumerate()
            .filter_map(|(i, year)| Some((i, year.flow?)))
        {
            precision[(year, year)] += 1.0 / model.noise();
            right[year] = flow / model.noise();
        }
        for year in 1..count {
            let weight = 1.0 / model.drift();
            precision[(year, year)] += weight;
            precision[(year - 1, year - 1)] += weight;
            precision[(year, year - 1)] -= weight;
            precision[(year - 1, year)] -= weight;
        }
        let covariance = precision.try_inverse().expect("a measurement");
        let means: DVector<f64> = &covariance * right;
        for (year, level) in levels.iter().enumerate() {
            assert!(
                (level.mean - means[year]).abs() < 1e-6 * means[year],
                "{year}"
            );
            let variance = covariance[(year, year)];
            assert!(
                (level.variance - variance).abs() < 1e-6 * variance,
                "{year}"
            );
        }
    }
}

#[test]
fn the_picture_is_written() {
    let record = nile(&GAPS);
    let levels = smooth::levels(&model(&[9.6, 7.3]), &record, 10);
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("new").join("level.svg");
    plot::draw(&record, &levels, &file).unwrap_or_else(|error| panic!("{error}"));
    let svg = std::fs::read_to_string(&file).expect("the picture");
    assert_eq!(
        svg.matches("<circle").count(),
        60 + 1,
        "measurements, and one in the legend"
    );

    let error = plot::draw(&record, &levels, folder.path()).expect_err("a folder is no file");
    assert!(error.to_string().contains("--out"), "{error}");
}

#[test]
fn a_file_of_another_form_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("record.csv");
    for (text, reason) in [
        ("year,flow\n1871,1120\n1872,x\n", "line 3 is `1872,x`"),
        (
            "year,flow\n1871,1120\n1873,1160\n",
            "line 3: a year is left out",
        ),
        ("year,flow\n1871,inf\n", "line 2 is `1871,inf`"),
        (
            "year,flow\n1871,1120\n1872,\n",
            "1 years were measured, 3 have to be",
        ),
        ("", "0 years were measured, 3 have to be"),
    ] {
        std::fs::write(&file, text).expect("a file");
        let error = record::read(&file).expect_err(text).to_string();
        assert!(error.contains(reason), "{error}");
    }
    let error = record::read(folder.path())
        .expect_err("a folder")
        .to_string();
    assert!(error.contains("help: the file has a heading"), "{error}");
}
