//! `table [--rounds N] [--turn MS] [kernel]...`: times each kernel's function and its three gradients, in turns, and
//! prints the quotients of the minima. Before that it checks them against each other and the reference values.
//!
//! `structs` times kernels over structs beside the same over slices, `chains` iterator chains beside loops.
//!
//! `plot` draws the table that stands in `docs/performance.md` into `docs/kernels.svg`.

use retrograde_kernels::table::{self, Column};
use retrograde_kernels::{ALL, chains, plot, structs};
use std::process::ExitCode;

const USAGE: &str = "table [--rounds N] [--turn MS] [kernel]... | structs | chains | plot";

const COLUMNS: [Column; 8] = [
    Column::Function,
    Column::Ours,
    Column::Simple,
    Column::Best,
    Column::OursToBest,
    Column::RecordedByOurs,
    Column::RecordedBySimple,
    Column::RecordedByBest,
];

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    match arguments.next().as_deref() {
        Some("table") => table::print(&ALL, &COLUMNS, arguments, USAGE),
        Some("structs") => {
            structs::table::print(structs::FORMS.map(|make| make()));
            ExitCode::SUCCESS
        }
        Some("chains") => {
            structs::table::print(chains::forms(20_000));
            ExitCode::SUCCESS
        }
        Some("plot") => {
            let documents = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs");
            let table = std::fs::read_to_string(format!("{documents}/performance.md"));
            let picture = plot::svg(&table.expect("docs/performance.md"));
            std::fs::write(format!("{documents}/kernels.svg"), picture).expect("docs/kernels.svg");
            ExitCode::SUCCESS
        }
        _ => {
            eprintln!("usage: {USAGE}");
            ExitCode::FAILURE
        }
    }
}
