//! Runs the example `smile` as a test: volatilities and their sensitivities against Black's formula, the smile against
//! the one that the quotes were made with.

#[path = "../examples/smile/plot.rs"]
mod plot;
#[path = "../examples/smile/pricing.rs"]
mod pricing;
#[path = "../examples/smile/quotes.rs"]
mod quotes;
#[path = "../examples/smile/roots.rs"]
mod roots;
#[path = "../examples/smile/svi.rs"]
mod svi;

use std::path::{Path, PathBuf};

use retrograde::gradient;

use pricing::{
    Expiry, NoVolatility, Quote, Right, black, black_grad, implied_volatility,
    implied_volatility_grad,
};
use roots::root;
use svi::{Implied, NoSmile, Svi};

const TICK: f64 = 0.05;

const SMILE: Svi = Svi {
    a: 0.004,
    b: 0.05,
    rho: -0.6,
    m: 0.03,
    sigma: 0.1,
};

fn expiry() -> Expiry {
    Expiry {
        forward: 100.0,
        discount: (-0.03_f64 * 0.25).exp(),
        years: 0.25,
    }
}

fn file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/data/smile/quotes.csv")
}

fn read() -> Vec<Quote> {
    quotes::read(&file()).unwrap_or_else(|error| panic!("{error}"))
}

/// The price on the smile.
fn price(strike: f64) -> (Right, f64) {
    let expiry = expiry();
    let right = if strike < expiry.forward {
        Right::Put
    } else {
        Right::Call
    };
    let volatility = SMILE.volatility((strike / expiry.forward).ln(), expiry.years);
    (right, black(&expiry, right, strike, volatility))
}

/// What the quotes imply.
fn implied() -> Vec<Implied> {
    let of = |quote: &Quote| {
        let (volatility, (_, slope)) =
            implied_volatility_grad(&expiry(), quote).unwrap_or_else(|error| panic!("{error}"));
        let k = (quote.strike / expiry().forward).ln();
        Implied {
            k,
            volatility,
            error: 0.5 * TICK * slope.price,
        }
    };
    read().iter().map(of).collect()
}

#[test]
fn the_file_has_the_prices_that_its_readme_speaks_of() {
    let quotes = read();
    assert!(quotes.len() > 15);
    for quote in &quotes {
        let (right, price) = price(quote.strike);
        assert_eq!(quote.right, right);
        assert!(
            (quote.price - (price / TICK).round() * TICK).abs() < 1e-9,
            "{quote:?}, {price}"
        );
    }
}

#[test]
fn calls_less_puts_are_forwards() {
    for strike in [70.0, 100.0, 123.0] {
        let [call, put] =
            [Right::Call, Right::Put].map(|right| black(&expiry(), right, strike, 0.3));
        let forward = expiry().discount * (expiry().forward - strike);
        assert!(
            (call - put - forward).abs() < 1e-12,
            "{call} {put} {forward}"
        );
    }
}

#[test]
fn a_price_implies_the_volatility_that_it_was_made_with() {
    for strike in [60.0, 80.0, 100.0, 101.0, 140.0] {
        for volatility in [0.05, 0.2, 0.7, 2.0] {
            for right in [Right::Call, Right::Put] {
                let price = black(&expiry(), right, strike, volatility);
                // Beyond, the price does not determine the volatility.
                let (_, (_, _, vega)) = black_grad(&expiry(), right, strike, volatility);
                if vega < 1e-3 {
                    continue;
                }
                let quote = Quote {
                    right,
                    strike,
                    price,
                };
                let found = implied_volatility(&expiry(), &quote);
                let error = found.map(|found| (found - volatility).abs() * vega / price.max(1.0));
                assert!(
                    error.is_ok_and(|error| error < 1e-12),
                    "{quote:?}: {found:?}"
                );
            }
        }
    }
}

#[test]
fn sensitivities_are_those_of_the_implicit_function_theorem() {
    for (right, strike, volatility) in [
        (Right::Call, 104.0, 0.25),
        (Right::Put, 90.0, 0.3),
        (Right::Put, 120.0, 0.6),
    ] {
        let (price, (by_expiry, by_strike, vega)) =
            black_grad(&expiry(), right, strike, volatility);
        let quote = Quote {
            right,
            strike,
            price,
        };
        let (value, (expiry_slope, quote_slope)) =
            implied_volatility_grad(&expiry(), &quote).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(Ok(value), implied_volatility(&expiry(), &quote));
        for (got, want) in [
            (quote_slope.price, 1.0 / vega),
            (quote_slope.strike, -by_strike / vega),
            (expiry_slope.forward, -by_expiry.forward / vega),
            (expiry_slope.discount, -by_expiry.discount / vega),
            (expiry_slope.years, -by_expiry.years / vega),
        ] {
            assert!(
                (got - want).abs() < 1e-8 * (1.0 + want.abs()),
                "{quote:?}: {got}, {want}"
            );
        }
    }
}

#[test]
fn a_price_that_nothing_explains_is_an_error() {
    for (right, price) in [(Right::Put, 19.0), (Right::Call, 101.0)] {
        let quote = Quote {
            right,
            strike: 120.0,
            price,
        };
        let error = NoVolatility {
            strike: 120.0,
            price,
        };
        assert_eq!(
            implied_volatility_grad(&expiry(), &quote).map(|found| found.0),
            Err(error)
        );
    }
}

#[gradient]
fn cube_root(y: f64) -> f64 {
    root(|x| x * x * x - y, 0.0, 10.0).unwrap_or(f64::NAN)
}

#[test]
fn the_root_moves_with_what_the_closure_captures() {
    for y in [1e-3, 1.0, 8.0, 500.0] {
        let (value, slope) = cube_root_grad(y);
        let want = y.cbrt();
        assert!((value - want).abs() < 1e-10 * want, "{value}");
        assert!(
            (slope - 1.0 / (3.0 * want * want)).abs() < 1e-6 / (want * want),
            "{y}: {slope}"
        );
    }
    assert!(cube_root(-1.0).is_nan());
    assert_eq!(root(|x| x * x + 1.0, -1.0, 1.0), None);
    // An end may be the root.
    assert_eq!(root(|x| x - 2.0, 2.0, 3.0), Some(2.0));
}

#[test]
fn the_smile_is_found_again() {
    let implied = implied();
    let svi = svi::fit(&implied, expiry().years).unwrap_or_else(|error| panic!("{error}"));
    for i in &implied {
        let (found, want) = (svi.volatility(i.k, 0.25), SMILE.volatility(i.k, 0.25));
        assert!((found - want).abs() < i.error, "{i:?}: {found}, {want}");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let picture = folder.path().join("new/smile.svg");
    plot::draw(&implied, &svi, 0.25, &picture).unwrap_or_else(|error| panic!("{error}"));
    let text = std::fs::read_to_string(&picture).expect("a picture");
    assert!(text.starts_with("<svg") && text.contains("volatility in %"));
}

#[test]
fn too_few_quotes_and_no_quotes_are_errors() {
    let implied = implied();
    assert_eq!(svi::fit(&implied[..4], 0.25), Err(NoSmile::TooFew(4)));
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("quotes.csv");
    std::fs::write(&file, "strike,right,price\n90,put,1.5\n95,straddle,2\n").expect("a file");
    let error = quotes::read(&file).expect_err("a straddle").to_string();
    assert!(
        error.contains("line 3 is no quote") && error.contains("help:"),
        "{error}"
    );
}
