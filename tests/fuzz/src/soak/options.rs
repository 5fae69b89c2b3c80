//! The command line of a soak.

use std::time::Duration;

pub(crate) const USAGE: &str = "\
usage: retrograde-fuzz soak [--minutes N] [--seed S] [--from K] [--rounds R] [--threads T] [--largest N] [--only NAME]
  --minutes N    how long to begin new rounds (1)
  --seed S       the seed of the whole run (1); round K depends on S and K alone
  --from K       number of the first round (0)
  --rounds R     no more than so many rounds
  --threads T    rounds at once (2)
  --largest N    no sizes above N
  --only NAME    one function of the library
  --list         instead: the functions";

/// What was asked for.
#[derive(Debug, Clone)]
pub(crate) struct Options {
    pub(crate) time: Duration,
    pub(crate) seed: u64,
    pub(crate) from: u32,
    pub(crate) rounds: u32,
    pub(crate) threads: usize,
    pub(crate) largest: usize,
    pub(crate) only: Option<String>,
    pub(crate) list: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            time: Duration::from_secs(60),
            seed: 1,
            from: 0,
            rounds: u32::MAX,
            threads: 2,
            largest: usize::MAX,
            only: None,
            list: false,
        }
    }
}

impl Options {
    /// Parses the arguments behind `soak`.
    pub(crate) fn parse(mut args: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut o = Self::default();
        while let Some(arg) = args.next() {
            let mut next = || args.next().ok_or(format!("{arg} needs a value"));
            match arg.as_str() {
                "--minutes" => {
                    let minutes: f64 = number(&arg, &next()?)?;
                    o.time = Duration::try_from_secs_f64(minutes * 60.0)
                        .map_err(|e| format!("--minutes: {e}"))?;
                }
                "--seed" => o.seed = number(&arg, &next()?)?,
                "--from" => o.from = number(&arg, &next()?)?,
                "--rounds" => o.rounds = number(&arg, &next()?)?,
                "--threads" => o.threads = number::<usize>(&arg, &next()?)?.max(1),
                "--largest" => o.largest = number(&arg, &next()?)?,
                "--only" => o.only = Some(next()?),
                "--list" => o.list = true,
                other => return Err(format!("unknown argument {other}")),
            }
        }
        Ok(o)
    }
}

fn number<T: std::str::FromStr>(name: &str, value: &str) -> Result<T, String> {
    value.parse().map_err(|_| format!("{name} needs a number"))
}
