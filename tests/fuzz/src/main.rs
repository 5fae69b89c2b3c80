//! Random programs: `#[gradient]` against forward-mode dual numbers.
//!
//! ```text
//! cargo run --release -p retrograde-fuzz -- --programs 2000 --seed 1
//! cargo run --release -p retrograde-fuzz -- --programs 2000 --seed 1 --layouts
//! cargo run --release -p retrograde-fuzz -- --refused 200 --seed 1
//! cargo run --release -p retrograde-fuzz -- soak --minutes 60 --seed 1
//! cargo run -p retrograde-fuzz -- faults
//! ```
//!
//! Each program is printed in two forms, `f64` under `#[gradient]` and the same text over num-dual numbers,
//! compiled in a scratch project under `target/fuzz`, and run: values must agree bit for bit, every gradient
//! entry to 1e-9, and with `--layouts` all bits of a gradient on tapes of several layouts. The exit status is not zero
//! if anything failed.

#![allow(clippy::print_stdout, reason = "a command-line tool")]

mod accept;
mod faults;
mod generate;
mod glue;
mod options;
mod own_types;
mod project;
mod refuse;
mod rng;
mod shrink;
mod soak;
#[cfg(test)]
mod tests;
mod text;

use std::process::ExitCode;

fn main() -> ExitCode {
    if std::env::args().nth(1).is_some_and(|arg| arg == "soak") {
        return soak::main(std::env::args().skip(2));
    }
    if std::env::args().nth(1).is_some_and(|arg| arg == "faults") {
        return faults::main(std::env::args().skip(2));
    }
    let options = match options::parse() {
        Ok(o) => o,
        Err(message) => {
            eprintln!("{message}\n\n{}", options::USAGE);
            return ExitCode::from(2);
        }
    };
    let outcome = if let Some(index) = options.print {
        print!(
            "{}",
            text::render(&options.program(index).text(), text::Form::Gradient)
        );
        Ok(0)
    } else if options.refused > 0 {
        refuse::run(&options)
    } else {
        accept::run(&options)
    };
    match outcome {
        Ok(0) => ExitCode::SUCCESS,
        Ok(failures) => {
            println!("{failures} failures");
            ExitCode::FAILURE
        }
        Err(e) => {
            eprintln!("{e}");
            ExitCode::from(2)
        }
    }
}
