//! The volatilities that prices of options imply, with exact sensitivities, and a smile through them.
//!
//! ```text
//! cargo run --release --features special --example smile
//! cargo run --release --features special --example smile -- quotes.csv --forward 101.3 --rate 0.02 --years 0.5
//! ```
//!
//! A root finder (`roots.rs`) takes Black's formula as a closure and inverts it (`pricing.rs`). Its gradient says how
//! much the volatility moves with the price, so how exact it is for a price that is rounded. These errors are the
//! weights of the fit of a smile (`svi.rs`). A table goes to standard output, a picture to a file. `--help` lists the
//! arguments.

#[path = "../support/command.rs"]
mod command;
mod plot;
mod pricing;
mod quotes;
mod roots;
mod svi;

use std::error::Error;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;

use command::{ended, project, reported};
use pricing::{Expiry, NoVolatility, Quote, Right, implied_volatility_grad};
use svi::{Implied, Svi};

/// Implied volatilities of the options of one expiry, and a smile through them.
#[derive(Debug, Parser)]
struct Arguments {
    /// A CSV file with the columns `strike`, `right` and `price`.
    #[arg(default_value_os_t = project().join("examples/data/smile/quotes.csv"))]
    quotes: PathBuf,
    /// The forward price of the asset.
    #[arg(long, default_value_t = 100.0)]
    forward: f64,
    /// The interest rate, per year, compounded continuously.
    #[arg(long, default_value_t = 0.03, allow_hyphen_values = true)]
    rate: f64,
    /// Years to expiry.
    #[arg(long, default_value_t = 0.25)]
    years: f64,
    /// What prices are rounded to.
    #[arg(long, default_value_t = 0.05)]
    tick: f64,
    /// Where the picture goes.
    #[arg(long, default_value_os_t = project().join("target/smile/smile.svg"))]
    out: PathBuf,
}

fn main() -> ExitCode {
    ended(run(&Arguments::parse()))
}

/// Reads, inverts, fits, draws, and prints the table.
fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let expiry = Expiry {
        forward: arguments.forward,
        discount: (-arguments.rate * arguments.years).exp(),
        years: arguments.years,
    };
    let quotes = quotes::read(&arguments.quotes)?;
    let lines: Vec<Line> = (quotes.iter())
        .map(|quote| Line::new(&expiry, quote, arguments.tick))
        .collect::<Result<_, _>>()?;
    let implied: Vec<Implied> = lines.iter().map(|line| line.implied).collect();
    let svi = svi::fit(&implied, expiry.years)?;
    plot::draw(&implied, &svi, expiry.years, &arguments.out)?;
    reported(report(&lines, &svi, expiry.years, &arguments.out))
}

/// A quote, and what it implies.
#[derive(Debug)]
struct Line {
    quote: Quote,
    implied: Implied,
    /// The change of the volatility with the forward price, where the price of the option stays.
    by_forward: f64,
}

impl Line {
    fn new(expiry: &Expiry, quote: &Quote, tick: f64) -> Result<Line, NoVolatility> {
        let (volatility, (by_expiry, by_quote)) = implied_volatility_grad(expiry, quote)?;
        Ok(Line {
            quote: *quote,
            implied: Implied {
                k: (quote.strike / expiry.forward).ln(),
                volatility,
                error: 0.5 * tick * by_quote.price,
            },
            by_forward: by_expiry.forward,
        })
    }
}

/// A line for each quote, the parameters of the smile, and where the picture is.
fn report(lines: &[Line], svi: &Svi, years: f64, picture: &Path) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "{:>8} {:>5} {:>8} {:>12} {:>8} {:>10} {:>8}",
        "strike", "right", "price", "volatility", "±", "by forward", "smile"
    )?;
    for line in lines {
        let right = match line.quote.right {
            Right::Call => "call",
            Right::Put => "put",
        };
        writeln!(
            out,
            "{:>8} {right:>5} {:>8.2} {:>10.2} % {:>8.2} {:>10.2} {:>8.2}",
            line.quote.strike,
            line.quote.price,
            100.0 * line.implied.volatility,
            100.0 * line.implied.error,
            100.0 * line.by_forward,
            100.0 * svi.volatility(line.implied.k, years),
        )?;
    }
    writeln!(
        out,
        "a = {:.5}, b = {:.5}, ρ = {:.4}, m = {:.4}, σ = {:.4}",
        svi.a, svi.b, svi.rho, svi.m, svi.sigma
    )?;
    writeln!(
        out,
        "Picture: {}",
        picture.strip_prefix(project()).unwrap_or(picture).display()
    )
}
