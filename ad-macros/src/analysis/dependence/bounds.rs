//! Symbolic bounds of polynomials in counters of loops.
//!
//! *Fourier–Motzkin elimination* where each counter has its bounds written down: from the inside out, a counter is
//! replaced by what it is at least, or at most, as the sign of its factor says, until nothing is left but parameters.
//! These are words, at least zero. So `(i - j)·n + 1` with `j` in `0..i` is at least `1`.
//!
//! All that is about integers. That an end of a range is the integer that its polynomial says, or lies on the harmless
//! side of it, is for [`Space::enter`] to see to: an upper end that may be negative would be a large word, and a lower
//! end that may be large could wrap around to a small one.

use std::cell::Cell;

use crate::analysis::affine::{Definitions, Poly};
use crate::ir::faults::Fault;
use crate::ir::{RangeIter, VarId};

/// Numbers that ends of ranges are, or that counters are compared with, count up to this one.
pub(super) const LITERAL: i128 = 1 << 10;
/// So do steps.
const MOST_STEP: i128 = 8;
/// A counter may begin at another one, that at a third, and so on. No run of a function makes 2^48 iterations, so that
/// such a counter is less than 2^54.
const MOST_CHAIN: u32 = 4;
/// A sum of so many of them is less than 2^62.
const MOST_FACTOR: i128 = 1 << 8;

/// So many bounds are tried for one question.
const TRIES: u32 = 4000;

/// A counter, which stands for the word that it is, with polynomials in what stands before it that it is not less than,
/// or not more than, as integers.
struct Counter {
    var: VarId,
    least: Vec<Poly>,
    most: Vec<Poly>,
    /// In how many steps it is a number of the text and numbers of iterations, if it is.
    chain: Option<u32>,
}

/// What is known of the variables of polynomials. Counters stand in it from the outside in.
#[derive(Default)]
pub(super) struct Space {
    counters: Vec<Counter>,
    /// Parameters that are at least so much.
    parameters: Vec<(Poly, i128)>,
    tried: Cell<u32>,
}

/// Which iteration of a loop is meant, beside another one.
#[derive(Clone, Copy)]
pub(super) enum Beside {
    Nothing,
    /// One that runs behind another: it is a step further from the end that its range begins at.
    Behind,
    /// One that runs before that of this counter.
    Before(VarId),
}

impl Space {
    /// Adds the counter `var` of a loop that runs, whose range is in variables that `renamed` translates.
    pub(super) fn enter(
        &mut self,
        definitions: &Definitions<'_>,
        (var, range): (VarId, &RangeIter),
        renamed: &dyn Fn(&Poly) -> Poly,
        beside: Beside,
    ) {
        let lo = definitions.poly(&range.lo).map(|lo| renamed(&lo));
        let lo = lo.filter(|lo| self.is_word(lo));
        let ends = definitions.ends_of(range);
        let ends: Vec<Poly> = ends.iter().map(renamed).collect();
        let step = range.known_step().map(i128::from);
        let backwards = range.rev || range.rev_first;
        let mut counter = Counter {
            var,
            least: Vec::new(),
            most: Vec::new(),
            chain: None,
        };
        // A step that the text does not show is at least one.
        let apart = Poly::number(step.unwrap_or(1));
        let inside = i128::from(!range.inclusive || Fault::EndLeftOut.is_on());
        let lasts = ends.iter().filter(|end| self.is_at_least(end, 0));
        let lasts: Vec<Poly> = lasts
            .map(|end| end.clone().plus(&Poly::number(inside), -1))
            .collect();
        match beside {
            Beside::Nothing => {}
            Beside::Behind if backwards => {
                let most = lasts.iter().map(|last| last.clone().minus(&apart));
                counter.most.extend(most);
            }
            Beside::Behind => {
                let least = lo.iter().map(|lo| lo.clone().plus(&apart, 1));
                counter.least.extend(least);
            }
            Beside::Before(other) => {
                let other = Poly::term(vec![other], 1);
                if backwards {
                    counter.least.push(other.plus(&apart, 1));
                } else {
                    counter.most.push(other.minus(&apart));
                }
            }
        }
        counter.most.extend(lasts);
        if let Some(lo) = &lo {
            let near = !backwards && step.is_some_and(|step| step <= MOST_STEP);
            counter.chain = self.chain(lo).filter(|_| near);
            counter.least.push(lo.clone());
        }
        // A loop that runs begins in front of its end.
        let first = lo.and_then(|lo| lo.constant()).unwrap_or(0);
        for end in ends.into_iter().filter(Poly::is_symbol) {
            match end.variable().filter(|var| self.has(*var)) {
                Some(around) => self.limit(around, Poly::number(first + inside), false),
                None => self.parameters.push((end, first + inside)),
            }
        }
        self.parameters
            .sort_by_key(|(_, least)| std::cmp::Reverse(*least));
        self.counters.push(counter);
    }

    /// Notes that a counter is not less than something, or not more, if that is in what stands before it.
    pub(super) fn limit(&mut self, var: VarId, bound: Poly, above: bool) {
        let Some(at) = self.counters.iter().position(|c| c.var == var) else {
            return;
        };
        let mut later = self.counters[at..].iter();
        if later.any(|c| bound.vars().any(|v| v == c.var)) {
            return;
        }
        let counter = &mut self.counters[at];
        let bounds = if above {
            &mut counter.most
        } else {
            &mut counter.least
        };
        bounds.insert(0, bound);
    }

    /// Notes that a counter is something else than this, a word: less than that, if it is at most that.
    pub(super) fn exclude(&mut self, var: VarId, other: &Poly) {
        let Some(counter) = self.counters.iter().find(|c| c.var == var) else {
            return;
        };
        let one = Poly::number(1);
        if counter.most.contains(other) {
            self.limit(var, other.clone().minus(&one), true);
        } else if counter.least.contains(other) {
            self.limit(var, other.clone().plus(&one, 1), false);
        }
    }

    /// Whether the counter is at most this.
    pub(super) fn is_at_most(&self, var: VarId, most: &Poly) -> bool {
        let bounds = self.counters.iter().find(|c| c.var == var);
        bounds.is_some_and(|c| {
            let mut beyond = c.most.iter().map(|bound| most.clone().minus(bound));
            beyond.any(|beyond| beyond.constant().is_some_and(|n| n >= 0))
        })
    }

    /// Whether it is the counter of a loop.
    pub(super) fn has(&self, var: VarId) -> bool {
        self.counters.iter().any(|c| c.var == var)
    }

    /// Whether the polynomial is at least this number, as an integer, wherever all loops of the space run.
    pub(super) fn is_at_least(&self, poly: &Poly, number: i128) -> bool {
        self.tried.set(0);
        self.at_least(poly, number, self.counters.len())
    }

    /// The same for a polynomial in the first so many counters.
    fn at_least(&self, poly: &Poly, number: i128, counters: usize) -> bool {
        self.tried.set(self.tried.get() + 1);
        if !poly.is_exact() || self.tried.get() > TRIES {
            return false;
        }
        let Some(inner) = counters.checked_sub(1) else {
            return self.parameters_at_least(poly, number);
        };
        let counter = &self.counters[inner];
        let Some((factor, rest)) = poly.linear_in(counter.var) else {
            return false;
        };
        if factor.is_zero() {
            return self.at_least(poly, number, inner);
        }
        let reaches = |bound: &Poly| {
            let bounded = factor.times(bound).plus(&rest, 1);
            self.at_least(&bounded, number, inner)
        };
        if self.at_least(&factor, 0, inner) {
            counter.least.iter().any(reaches) || reaches(&Poly::default())
        } else {
            let opposite = Poly::default().minus(&factor);
            self.at_least(&opposite, 0, inner) && counter.most.iter().any(reaches)
        }
    }

    fn parameters_at_least(&self, poly: &Poly, number: i128) -> bool {
        let mut poly = poly.clone();
        for (parameter, least) in &self.parameters {
            if let Some((factor, rest)) = poly.linear_in_symbol(parameter)
                && factor.is_never_negative()
            {
                poly = factor.times(&Poly::number(*least)).plus(&rest, 1);
            }
        }
        let above = poly.minus(&Poly::number(number));
        above.is_exact() && above.is_never_negative()
    }

    /// Whether the polynomial is less than the size of a word, as an integer: it is one variable less something, a
    /// small number, or what follows a counter.
    fn is_word(&self, poly: &Poly) -> bool {
        let positive = poly.positive();
        let number = positive.constant();
        positive.is_variable()
            || number.is_some_and(|n| n < LITERAL)
            || self.chain(&positive).is_some()
            || self.follows(&positive)
    }

    /// Whether it is one more than a counter that stays below a variable.
    fn follows(&self, poly: &Poly) -> bool {
        let one = Poly::number(1);
        let before = poly.clone().minus(&one).variable();
        let counter = self.counters.iter().find(|c| Some(c.var) == before);
        counter.is_some_and(|c| {
            let mut ends = c.most.iter().map(|most| most.clone().plus(&one, 1));
            ends.any(|end| end.is_symbol())
        })
    }

    /// In how many steps it is a number of the text and numbers of iterations.
    fn chain(&self, poly: &Poly) -> Option<u32> {
        let number = poly.number_in();
        let above = poly.clone().minus(&Poly::number(number));
        // What is less than zero is a large word.
        if !(0..LITERAL).contains(&number) {
            None
        } else if above.is_zero() {
            Some(1)
        } else {
            let chain = self.chain_of(above.variable()?)?;
            Some(chain + 1).filter(|chain| *chain <= MOST_CHAIN)
        }
    }

    fn chain_of(&self, var: VarId) -> Option<u32> {
        self.counters.iter().find(|c| c.var == var)?.chain
    }

    /// Whether the sum of multiples of symbols is less than 2^62 for what is known of numbers of iterations.
    pub(super) fn are_few(&self, terms: &[(Poly, i128)], number: i128) -> bool {
        let few = |symbol: &Poly| {
            let chain = symbol.variable().map(|var| self.chain_of(var));
            chain.flatten().is_some()
        };
        let factors: i128 = terms.iter().map(|(_, k)| *k).sum();
        number < LITERAL && factors < MOST_FACTOR && terms.iter().all(|(symbol, _)| few(symbol))
    }
}
