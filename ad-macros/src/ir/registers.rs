//! Which registers a body runs on that takes several iterations at once, and how often.

use std::fmt;

/// The body with one kind of registers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct RegisterRun {
    pub(crate) registers: Registers,
    pub(crate) rounds: Rounds,
}

/// How many numbers a register holds. The target decides, which the runtime knows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Registers {
    Longest,
    /// Half as many. They are passed over where they are the longest.
    Half,
    Single,
}

/// How often a run goes over the body.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Rounds {
    /// While there are iterations for it.
    All,
    /// Once, since no more are left.
    One,
    /// Once if registers of half the length hold two numbers at most.
    OneBehindPairs,
}

/// Whether the runs together do all iterations, each of them once.
pub(crate) fn do_all(runs: &[RegisterRun]) -> Result<(), String> {
    let mut behind = None;
    for run in runs {
        let shorter = behind.is_none_or(|behind| behind < run.registers);
        let enough = match (run.rounds, run.registers, behind) {
            (Rounds::All, ..)
            | (Rounds::One, Registers::Half, Some(Registers::Longest))
            | (Rounds::OneBehindPairs, Registers::Single, Some(Registers::Half)) => true,
            (Rounds::One | Rounds::OneBehindPairs, ..) => false,
        };
        if !shorter || !enough {
            return Err(format!("the run with registers `{run}` leaves iterations"));
        }
        behind = Some(run.registers);
    }
    match behind {
        Some(Registers::Single) => Ok(()),
        None | Some(Registers::Longest | Registers::Half) => {
            Err("no run does single iterations in the end".to_owned())
        }
    }
}

impl fmt::Display for RegisterRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.registers {
            Registers::Longest => "longest",
            Registers::Half => "half",
            Registers::Single => "single",
        })?;
        f.write_str(match self.rounds {
            Rounds::All => "",
            Rounds::One => " once",
            Rounds::OneBehindPairs => " once behind pairs",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn done(runs: &[(Registers, Rounds)]) -> Result<(), String> {
        let run = |(registers, rounds): &(Registers, Rounds)| RegisterRun {
            registers: *registers,
            rounds: *rounds,
        };
        do_all(&runs.iter().map(run).collect::<Vec<_>>())
    }

    #[test]
    fn runs_do_all_iterations() {
        use Registers::{Half, Longest, Single};
        use Rounds::{All, One, OneBehindPairs};
        for runs in [
            &[(Longest, All), (Half, One), (Single, OneBehindPairs)][..],
            &[(Longest, All), (Single, All)],
            &[(Half, All), (Single, OneBehindPairs)],
            &[(Single, All)],
        ] {
            assert_eq!(done(runs), Ok(()), "{runs:?}");
        }
        for runs in [
            &[][..],
            &[(Longest, All), (Half, One)],
            &[(Longest, One), (Single, All)],
            &[(Half, One), (Single, All)],
            &[(Longest, All), (Half, One), (Single, One)],
            &[(Longest, All), (Single, OneBehindPairs)],
            &[(Half, All), (Longest, All), (Single, All)],
            &[(Single, All), (Single, All)],
        ] {
            assert!(done(runs).is_err(), "{runs:?}");
        }
    }
}
