//! The command line.

use std::collections::BTreeSet;

use crate::generate::{Program, array_program, program};
use crate::project::Settings;

pub(crate) const USAGE: &str = "\
usage: retrograde-fuzz [--programs N] [--seed S] [--first I] [--batch N] [--without a,b,…]
                       [--no-macro] [--layouts] [--checked] [--arrays] [--no-shrink | --shrink-all] [--refused N] \
                           [--print I] [--keep FILE]
  --programs N   how many random programs to compile, run and compare (60)
  --seed S       the seed of the whole run (1); program I depends on S and I alone
  --first I      number of the first program (0)
  --batch N      programs per crate (25)
  --without …    constructs to leave out, by the names in the table that a run prints
  --no-macro     only the generator itself: plain primal against the oracle
  --layouts      each gradient besides on tapes of six layouts, new and used, bit for bit the same
  --checked      with overflow checks and debug assertions; a gradient must panic where its program does
  --arrays       only small programs of loops over longer arrays: index arithmetic, second writes, lengths of views
                 RUSTFLAGS are those of the programs too (-C target-cpu=native)
  --no-shrink    report failures as generated
  --shrink-all   make every failing program smaller, not only the first two wrong ones of each kind
  --refused N    instead: programs with one unsupported construct each, which must not compile
  --print I      instead: show program I
  --keep FILE    append the text of each failing program to FILE
       retrograde-fuzz soak [--minutes N] [--seed S] …: see soak/options.rs";

/// From this number of programs on the macro is optimised.
const MANY: u32 = 200;

/// What was asked for.
pub(crate) struct Options {
    pub(crate) programs: u32,
    pub(crate) seed: u64,
    pub(crate) first: u32,
    pub(crate) batch: u32,
    pub(crate) without: BTreeSet<String>,
    pub(crate) settings: Settings,
    pub(crate) arrays: bool,
    pub(crate) shrink: bool,
    pub(crate) shrink_all: bool,
    pub(crate) refused: u32,
    pub(crate) print: Option<u32>,
    pub(crate) keep: Option<String>,
}

impl Options {
    /// Program `index` of the run.
    pub(crate) fn program(&self, index: u32) -> Program {
        if self.arrays {
            array_program(self.seed, index, &self.without)
        } else {
            program(self.seed, index, &self.without)
        }
    }
}

/// Parses the arguments of the process.
pub(crate) fn parse() -> Result<Options, String> {
    let mut o = Options {
        programs: 60,
        seed: 1,
        first: 0,
        batch: 25,
        without: BTreeSet::new(),
        settings: Settings {
            with_macro: true,
            layouts: false,
            checked: false,
            many: false,
        },
        arrays: false,
        shrink: true,
        shrink_all: false,
        refused: 0,
        print: None,
        keep: None,
    };
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--no-macro" => o.settings.with_macro = false,
            "--layouts" => o.settings.layouts = true,
            "--checked" => o.settings.checked = true,
            "--arrays" => o.arrays = true,
            "--no-shrink" => o.shrink = false,
            "--shrink-all" => o.shrink_all = true,
            "--programs" => o.programs = number(&arg, args.next())?,
            "--seed" => o.seed = number(&arg, args.next())?,
            "--first" => o.first = number(&arg, args.next())?,
            "--batch" => o.batch = number::<u32>(&arg, args.next())?.max(1),
            "--refused" => o.refused = number(&arg, args.next())?,
            "--print" => o.print = Some(number(&arg, args.next())?),
            "--keep" => o.keep = Some(args.next().ok_or("--keep needs a file")?),
            "--without" => o.without.extend(
                args.next()
                    .ok_or("--without needs names")?
                    .split(',')
                    .map(str::to_owned),
            ),
            other => return Err(format!("unknown argument {other}")),
        }
    }
    o.settings.many = o.programs.max(o.refused) >= MANY;
    Ok(o)
}

fn number<T: std::str::FromStr>(name: &str, value: Option<String>) -> Result<T, String> {
    value
        .and_then(|v| v.parse().ok())
        .ok_or_else(|| format!("{name} needs a number"))
}
