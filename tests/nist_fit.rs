//! Runs the example `nist_fit` as a test: the certified results of the NIST `StRD` archive are
//! reached, and every model's gradient is right where the fits start and where they end.

#[path = "../examples/nist_fit/arguments.rs"]
mod arguments;
#[path = "../examples/nist_fit/fitting/mod.rs"]
mod fitting;
#[path = "../examples/nist_fit/plot.rs"]
mod plot;
#[path = "../examples/nist_fit/table.rs"]
mod table;

use std::hint::black_box;
use std::path::{Path, PathBuf};

use fitting::archive::{self, Problem};
use fitting::fit::{self, Fit};
use fitting::models::{self, Model, Response};
use fitting::{digits, error::Error};

/// The fits that the archive's own starting points make: 27 problems, two starts each.
const FITS: usize = 54;

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/data/nist")
}

fn read(name: &str) -> Problem {
    archive::read(&data().join(format!("{name}.dat"))).unwrap_or_else(|e| panic!("{e}"))
}

fn problems() -> Vec<(Model, Problem)> {
    models::all()
        .into_iter()
        .map(|model| {
            let problem = read(model.problem);
            model.check(&problem).unwrap_or_else(|e| panic!("{e}"));
            (model, problem)
        })
        .collect()
}

fn fits(model: &Model, problem: &Problem) -> [Fit; 2] {
    problem
        .starts
        .each_ref()
        .map(|start| fit::fit(problem, model, start))
}

/// How many of the fits, at the parameters that `end` takes of them, reach the digits.
fn reach(least: f64, end: fn(&Fit) -> &[f64]) -> (usize, Vec<String>) {
    let rows: Vec<(String, f64)> = problems()
        .iter()
        .flat_map(|(model, problem)| {
            (1..).zip(fits(model, problem)).map(|(start, fit)| {
                let digits = digits::worst(end(&fit), &problem.certified);
                (format!("{} from start {start}", problem.name), digits)
            })
        })
        .collect();
    assert_eq!(rows.len(), FITS);
    let short = rows.iter().filter(|(_, digits)| *digits < least);
    let short: Vec<String> = short
        .map(|(fit, digits)| format!("{fit}: {digits:.1}"))
        .collect();
    (FITS - short.len(), short)
}

#[test]
fn fits_reach_the_certified_parameters() {
    for (least, enough) in [(6.0, 52), (8.0, 42)] {
        let (reached, short) = reach(least, |fit| &fit.parameters);
        assert!(
            reached >= enough,
            "{least} digits on {reached} fits only, not on {short:#?}"
        );
    }
}

#[test]
fn levenberg_marquardt_alone_finds_the_minima() {
    // How many digits it adds beyond the sixth is a matter of rounding: see `fitting/fit.rs`.
    let (reached, short) = reach(6.0, |fit| &fit.minimised);
    assert!(
        reached >= 52,
        "6 digits on {reached} fits only, not on {short:#?}"
    );
}

#[test]
fn the_refinement_reaches_nearly_all_certified_digits() {
    let (reached, short) = reach(10.0, |fit| &fit.parameters);
    assert!(
        reached >= 52,
        "10 digits on {reached} fits only, not on {short:#?}"
    );
}

#[test]
fn fits_that_reach_the_parameters_reach_the_residual_sum_of_squares() {
    for (model, problem) in &problems() {
        for fit in &fits(model, problem) {
            // Lanczos1 is generated to 14 digits: its sum of squares, 1.4e-25, is rounding noise.
            let enough = if problem.name == "Lanczos1" { 2.0 } else { 9.0 };
            let parameters = digits::worst(&fit.parameters, &problem.certified);
            let rss = digits::of(fit.rss, problem.certified_rss);
            assert!(
                parameters < 6.0 || rss >= enough,
                "{}: {rss} digits, {} instead of {}",
                problem.name,
                fit.rss,
                problem.certified_rss
            );
        }
    }
}

/// The points where a problem's gradients are compared: both starts and the certified solution.
fn points(problem: &Problem) -> impl Iterator<Item = &Vec<f64>> {
    problem.starts.iter().chain([&problem.certified])
}

#[test]
fn gradients_agree_with_central_differences() {
    for (model, problem) in &problems() {
        for b in points(problem) {
            for observation in &problem.observations {
                let (value, gradient) = (model.gradient)(b, &observation.x).expect("shape");
                assert_eq!(gradient.len(), b.len());
                for (k, &derivative) in gradient.iter().enumerate() {
                    let expected = central_difference(model, b, &observation.x, k);
                    // Differences lose digits in proportion to the value.
                    let noise = 1e-10 * (value / nonzero(b[k])).abs();
                    let error = (derivative - expected).abs();
                    assert!(
                        error <= 1e-7 * expected.abs() + noise,
                        "{}, b{} at b = {b:?}, x = {:?}: {derivative} instead of {expected}",
                        problem.name,
                        k + 1,
                        observation.x
                    );
                }
            }
        }
    }
}

/// Of fourth order: Richardson's extrapolation of steps h and h/2.
fn central_difference(model: &Model, b: &[f64], x: &[f64], k: usize) -> f64 {
    let slope = |step: f64| {
        let at = |offset: f64| {
            let mut b = b.to_vec();
            b[k] += offset;
            (b[k], (model.value)(&b, x).expect("shape"))
        };
        let ((above, f_above), (below, f_below)) = (at(step), at(-step));
        (f_above - f_below) / (above - below)
    };
    let step = 3e-5 * nonzero(b[k]).abs();
    (4.0 * slope(step / 2.0) - slope(step)) / 3.0
}

/// The scale of a parameter.
fn nonzero(parameter: f64) -> f64 {
    if parameter == 0.0 { 1.0 } else { parameter }
}

#[test]
fn the_value_beside_a_gradient_is_that_of_the_model_bit_by_bit() {
    for (model, problem) in &problems() {
        for b in points(problem) {
            for observation in &problem.observations {
                let (b, x) = (black_box(b), black_box(&observation.x));
                let value = (model.value)(b, x).expect("shape");
                let (beside, _) = (model.gradient)(b, x).expect("shape");
                assert_eq!(
                    value.to_bits(),
                    beside.to_bits(),
                    "{} at {b:?}",
                    problem.name
                );
            }
        }
    }
}

#[test]
fn a_problem_is_read_as_its_file_states_it() {
    let nelson = read("Nelson");
    assert_eq!(nelson.name, "Nelson");
    assert_eq!(nelson.difficulty, "Average");
    assert_eq!(nelson.response, "dialectric breakdown strength");
    assert_eq!(nelson.predictors, ["time", "temperature"]);
    assert_eq!(
        nelson.starts,
        [vec![2.0, 0.0001, -0.01], vec![2.5, 5e-9, -0.05]]
    );
    assert_eq!(
        nelson.certified,
        [2.590_683_602_1, 5.617_771_702_6e-9, -0.057_701_013_174]
    );
    assert_eq!(
        nelson.certified_rss.to_bits(),
        3.797_683_317_6_f64.to_bits()
    );
    assert_eq!(nelson.observations.len(), 128);
    assert_eq!(nelson.observations[0].y.to_bits(), 15.0_f64.to_bits());
    assert_eq!(nelson.observations[0].x, [1.0, 180.0]);
}

#[test]
fn a_damaged_file_is_refused_with_what_it_lacks() {
    let text = std::fs::read_to_string(data().join("Misra1a.dat")).expect("the file");
    let damaged =
        |from: &str, to: &str| archive::parse(&text.replace(from, to)).expect_err("damage");
    assert_eq!(damaged("Dataset Name:", ""), "line `Dataset Name:`");
    assert_eq!(
        damaged("      81.78E0     760.0E0\n", ""),
        "line 74, which its header announces"
    );
    assert_eq!(damaged("14\n", "15\n"), "15 lines of data but 14");
    assert_eq!(damaged("760.0E0", "760,0"), "number where it has `760,0`");
}

#[test]
fn a_missing_file_and_a_wrong_file_say_what_to_do() {
    let missing = archive::read(Path::new("nowhere/Misra1a.dat")).expect_err("no such file");
    assert!(missing.to_string().contains("help: "), "{missing}");
    let models = models::all();
    let nelson = models
        .iter()
        .find(|model| model.response == Response::Logarithm);
    let wrong = nelson
        .expect("Nelson")
        .check(&read("Misra1a"))
        .expect_err("another file");
    assert!(matches!(wrong, Error::Mismatch { .. }));
    assert!(
        wrong
            .to_string()
            .contains("the model has 3 parameters, the file 2"),
        "{wrong}"
    );
}

#[test]
fn the_plots_show_every_observation_twice() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("nist_fit");
    plot::prepare(&folder).unwrap_or_else(|e| panic!("{e}"));
    for (model, problem) in &problems() {
        let fits = fits(model, problem);
        plot::draw(problem, model, &fits, &folder).unwrap_or_else(|e| panic!("{e}"));
        let file = folder.join(format!("{}.svg", problem.name));
        let svg = std::fs::read_to_string(file).expect("the plot");
        let groups = if problem.name == "Nelson" { 4 } else { 1 };
        let circles = svg.matches("<circle").count();
        assert_eq!(
            circles,
            2 * problem.observations.len() + groups,
            "{}",
            problem.name
        );
        for label in problem.predictors.iter().chain([&problem.response]) {
            assert!(
                svg.contains(label),
                "{} has no label `{label}`",
                problem.name
            );
        }
    }
}

#[test]
fn the_table_has_a_row_per_fit_and_says_why_one_missed() {
    let (model, problem) = (models::all().swap_remove(0), read("Misra1a"));
    let [fit, mut missed] = fits(&model, &problem);
    missed.parameters[0] *= 2.0;
    let rows = [(1, fit), (2, missed)].map(|(start, fit)| table::Row::new(&problem, start, &fit));
    let mut out = Vec::new();
    table::print(&mut out, &rows).expect("writing to memory");
    let out = String::from_utf8(out).expect("text");
    assert!(out.contains("1 of 2 fits reach 6 digits"), "{out}");
    assert_eq!(out.matches("missed: no step").count(), 1, "{out}");
}

#[test]
fn arguments_name_folders_and_a_wrong_one_is_refused() {
    let parse = |given: &[&str]| arguments::parse(given.iter().map(ToString::to_string));
    let Ok(arguments::Command::Fit(given)) = parse(&["--out", "plots", "--data", "files"]) else {
        panic!("refused");
    };
    assert_eq!((given.out, given.data), ("plots".into(), "files".into()));
    assert!(matches!(parse(&["--help"]), Ok(arguments::Command::Help)));
    let wrong = parse(&["--output"]).expect_err("unknown").to_string();
    assert!(
        wrong.contains("`--output`") && wrong.contains("--out DIR"),
        "{wrong}"
    );
    let short = parse(&["--out"]).expect_err("no folder").to_string();
    assert!(short.contains("without a folder"), "{short}");
}
