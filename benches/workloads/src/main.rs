//! `table [--rounds N] [--turn MS] [workload]...`: checks each workload's gradient against the adjoint by hand, times
//! both and the function, with the feature `c` beside the function in C, and prints quotients of minima.
//!
//! `small` does so at sizes that take no time.

use retrograde_kernels::table::{self, Column};
use retrograde_workloads::{ALL, SMALL};
use std::process::ExitCode;

const USAGE: &str = "table | small [--rounds N] [--turn MS] [workload]...";

const COLUMNS: [Column; 8] = [
    Column::Function,
    Column::Ours,
    Column::Best,
    Column::OursToBest,
    Column::FunctionToTwin,
    Column::OursToTwin,
    Column::RecordedByOurs,
    Column::RecordedByBest,
];

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let kernels = match arguments.next().as_deref() {
        Some("table") => ALL,
        Some("small") => SMALL,
        _ => {
            eprintln!("usage: {USAGE}");
            return ExitCode::FAILURE;
        }
    };
    table::print(kernels, &COLUMNS, arguments, USAGE)
}
