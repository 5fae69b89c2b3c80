//! What a loop adds to a counter in each iteration, and what the counter is then in iteration `k`.
//!
//! Amounts are numbers and immutable variables; what an inner loop adds is an amount times its trip count, if the
//! count is a word of which the text shows that it does not wrap around: `0..n`, `0..=n`, `1..=n`, ranges between
//! numbers, and `i..n`, `i + 1..n` in a loop over `i` that ends below `n`. Sums are polynomials in variables that stay
//! the same in the loop. They may also have a multiple of the loop's own counter, as in triangles: then the counter
//! has grown by a multiple of `0 + 1 + … + (i - 1)`, which is `i / 2 * (i + i % 2) - i / 2` also where words wrap
//! around, if `i` does not.
//!
//! In products, the numbers of iterations come first: each part of such a product is a number of iterations that ran,
//! or zero, and what is added comes last, so that no part overflows if the counter did not.

use proc_macro2::Span;

use crate::analysis::affine::{Definitions, Poly};
use crate::ir::faults::Fault;
use crate::ir::{
    Access, BinOp, Block, Expr, ExprKind, Func, NO_RANGE, RangeIter, Stmt, StmtKind, Ty, VarId,
    binary, effects_of, name, shallow_accesses, visit_accesses, visit_stmts,
};

/// Numbers in ranges and amounts of triangles are at most this.
const LARGEST: i128 = 1 << 16;

/// What is known of one counter.
pub(super) struct Growth<'a> {
    pub(super) var: VarId,
    pub(super) func: &'a Func,
    pub(super) definitions: Definitions<'a>,
}

/// `at += amount` or `at -= amount`.
pub(super) struct Step<'e> {
    op: BinOp,
    amount: &'e Expr,
}

impl Step<'_> {
    /// What the counter holds behind it.
    pub(super) fn after(&self, before: Expr) -> Expr {
        binary(self.op, before, self.amount.clone())
    }

    /// Whether it adds a small number, so that a word below the largest length of arrays does not overflow.
    pub(super) fn is_small_sum(&self) -> bool {
        let small = |n: u64| i128::from(n) <= LARGEST;
        self.op == BinOp::Add && self.amount.int_literal().is_some_and(small)
    }
}

/// What is added to the counter, or subtracted from it, and the variables in it that are amounts.
struct Change {
    op: BinOp,
    by: Poly,
    amounts: Vec<VarId>,
}

/// What the counter is in a loop.
pub(super) struct Form {
    pub(super) counter: VarId,
    op: BinOp,
    /// How many iterations are over in the present one.
    before: Expr,
    /// What each iteration adds, but for a multiple of the loop's counter.
    rest: Terms,
    slope: i128,
    /// Where the counter of a triangle begins.
    lowest: i128,
    /// What all iterations add.
    total: Option<Terms>,
    span: Span,
}

/// Products of variables, each in the order in which it is multiplied, with their factors.
type Terms = Vec<(Vec<VarId>, i128)>;

impl Form {
    /// What the counter holds when an iteration begins, where it was `base` in front of the loop.
    pub(super) fn inside(&self, base: &Expr) -> Expr {
        let span = self.span;
        let mut parts: Vec<(Expr, bool)> = Vec::new();
        for (vars, number) in &self.rest {
            let before = Some(self.before.clone());
            parts.push((product(before, vars, *number, span), *number < 0));
        }
        if self.slope != 0 {
            let mut sum = numbers_below(self.counter, span);
            let lowest = self.lowest * (self.lowest - 1) / 2;
            if lowest > 0 {
                sum = binary(BinOp::Sub, sum, Expr::integer(lowest, &Ty::USIZE, span));
            }
            parts.push((product(Some(sum), &[], self.slope, span), self.slope < 0));
        }
        self.changed(base, parts)
    }

    /// What the counter holds behind the loop, if that is known.
    pub(super) fn behind(&self, base: &Expr) -> Option<Expr> {
        let parts = self.total.as_ref()?.iter();
        let parts = parts.map(|(vars, n)| (product(None, vars, *n, self.span), *n < 0));
        Some(self.changed(base, parts.collect()))
    }

    /// `base` changed by the sum of the parts, those behind a minus last.
    fn changed(&self, base: &Expr, mut parts: Vec<(Expr, bool)>) -> Expr {
        parts.sort_by_key(|(_, minus)| *minus);
        let sum = parts.into_iter().reduce(|(sum, _), (part, minus)| {
            let op = if minus { BinOp::Sub } else { BinOp::Add };
            (binary(op, sum, part), false)
        });
        match sum {
            None => base.clone(),
            Some((sum, _)) if self.op == BinOp::Add && base.is_zero_literal() => sum,
            Some((sum, _)) => binary(self.op, base.clone(), sum),
        }
    }
}

/// The product, without the sign of the number.
fn product(first: Option<Expr>, vars: &[VarId], number: i128, span: Span) -> Expr {
    let vars = vars.iter().map(|var| Expr::read_var(*var, Ty::USIZE, span));
    let factors = first.into_iter().chain(vars);
    let size = Expr::integer(number.abs(), &Ty::USIZE, span);
    let times = |a, b| binary(BinOp::Mul, a, b);
    match factors.reduce(times) {
        Some(product) if number.abs() == 1 => product,
        Some(product) => times(product, size),
        None => size,
    }
}

/// `0 + 1 + … + (counter - 1)`: half of `i * (i - 1)`, computed such that the even one of the two is halved.
fn numbers_below(counter: VarId, span: Span) -> Expr {
    let i = || Expr::read_var(counter, Ty::USIZE, span);
    let two = || Expr::usize_literal(2, span);
    let half = || binary(BinOp::Div, i(), two());
    let even = binary(BinOp::Add, i(), binary(BinOp::Rem, i(), two()));
    binary(BinOp::Sub, binary(BinOp::Mul, half(), even), half())
}

impl Growth<'_> {
    /// The loops that change the counter and read it otherwise, with what it is in them, or why that is not known.
    pub(super) fn loops(&self, body: &Block) -> Vec<(Span, Result<Form, String>)> {
        let mut found = Vec::new();
        visit_stmts(body, &mut |stmt| {
            let is_outside = !effects_of([stmt]).declares.contains(&self.var);
            let counts = || self.writes(stmt) && self.reads([stmt]);
            if stmt.as_loop().is_some() && is_outside && counts() {
                found.push((stmt.span, self.form(stmt)));
            }
        });
        found
    }

    /// Whether the counter is written, also in blocks of the statement.
    pub(super) fn writes(&self, stmt: &Stmt) -> bool {
        let mut found = false;
        visit_accesses(stmt, &mut |var, access| {
            found |= var == self.var && matches!(access, Access::WriteAll | Access::WritePart);
        });
        found
    }

    /// Whether the counter is read for anything but its own updates, also in blocks of the statements.
    pub(super) fn reads<'s>(&self, stmts: impl IntoIterator<Item = &'s Stmt>) -> bool {
        stmts.into_iter().any(|stmt| {
            let mut own = false;
            if !self.is_step(stmt) {
                shallow_accesses(stmt, &mut |var, access| {
                    own |= var == self.var && access == Access::Read;
                });
            }
            own || stmt.kind.blocks().into_iter().any(|b| self.reads(&b.stmts))
        })
    }

    fn is_step(&self, stmt: &Stmt) -> bool {
        matches!(&stmt.kind, StmtKind::Assign { place, value, .. }
            if place.root == self.var && self.step(value).is_some())
    }

    /// The update that assigns this value: by a number, or an immutable variable.
    pub(super) fn step<'e>(&self, value: &'e Expr) -> Option<Step<'e>> {
        let ExprKind::Binary(op @ (BinOp::Add | BinOp::Sub), a, b) = &value.kind else {
            return None;
        };
        let own = |e: &Expr| super::variable(e) == Some(self.var);
        let amount = if own(a) {
            &**b
        } else if own(b) && *op == BinOp::Add {
            &**a
        } else {
            return None;
        };
        let is_fixed = match super::variable(amount) {
            Some(var) => !self.func.var(var).mutable || Fault::InductionAmountVaries.is_on(),
            None => matches!(amount.kind, ExprKind::Lit(_)),
        };
        let is_word = super::variable(amount).is_none_or(|var| self.func.var(var).ty == Ty::USIZE);
        (is_fixed && is_word).then_some(Step { op: *op, amount })
    }

    /// What the counter is in a loop that changes it, or why that is not known.
    pub(super) fn form(&self, stmt: &Stmt) -> Result<Form, String> {
        let at = name(self.func, self.var);
        let counting = stmt.counting().ok_or(NO_RANGE)?;
        let (counter, range) = (counting.counter, counting.range);
        let i = name(self.func, counter);
        for var in [self.var, counter] {
            if self.func.var(var).ty != Ty::USIZE {
                let shown = name(self.func, var);
                return Err(format!("`{shown}` is not known to be a `usize`"));
            }
        }
        if range.step.is_some() || range.rev_first {
            return Err(format!("`{i}` has a step"));
        }
        let Change { op, by, amounts } = self.change(counting.body)?;
        let varies =
            || format!("what an iteration adds to `{at}` is not seen to follow from `{i}`");
        let (slope, rest) = by.linear_in(counter).ok_or_else(varies)?;
        let slope = slope.constant().ok_or_else(varies)?;
        let declared = effects_of(&counting.body.stmts).declares;
        if rest.vars().any(|var| declared.contains(&var)) {
            return Err(varies());
        }
        let grows = |(_, number): (_, i128)| number > 0;
        if slope <= 0 && !rest.terms().any(grows) && !rest.is_zero() {
            return Err(varies());
        }
        let mut lowest = 0;
        if slope != 0 {
            lowest = range.lo.int_literal().map(i128::from).ok_or_else(varies)?;
            let small = slope.abs() <= LARGEST && lowest <= LARGEST;
            if !small || !range.counts_up_by_one() || !amounts.is_empty() {
                return Err(varies());
            }
        }
        let total = (slope == 0)
            .then(|| self.trips(range).ok())
            .flatten()
            .and_then(|trips| self.ordered(&trips.times(&rest), &amounts).ok());
        Ok(Form {
            counter,
            op,
            before: before(counter, range),
            rest: self.ordered(&rest, &amounts)?,
            slope,
            lowest,
            total,
            span: stmt.span,
        })
    }

    /// What a run of the block adds to the counter.
    fn change(&self, block: &Block) -> Result<Change, String> {
        let at = name(self.func, self.var);
        let mut sum: Option<Change> = None;
        for stmt in &block.stmts {
            if !self.writes(stmt) {
                continue;
            }
            let change = if let StmtKind::Assign { value, .. } = &stmt.kind {
                self.amount(value)?
            } else if stmt.as_loop().is_some() {
                self.of_inner(stmt)?
            } else if let StmtKind::Switch { arms, .. } = &stmt.kind
                && Fault::InductionUnderCondition.is_on()
            {
                self.change(&arms[0])?
            } else {
                return Err(format!("`{at}` is changed under a condition"));
            };
            sum = Some(match sum {
                None => change,
                Some(sum) if Fault::InductionWrittenTwice.is_on() => sum,
                Some(sum) if sum.op == change.op => Change {
                    op: sum.op,
                    by: sum.by.plus(&change.by, 1),
                    amounts: [sum.amounts, change.amounts].concat(),
                },
                Some(_) => return Err(format!("`{at}` is added to and subtracted from")),
            });
        }
        sum.ok_or_else(|| format!("`{at}` is not only added to"))
    }

    fn amount(&self, value: &Expr) -> Result<Change, String> {
        let at = name(self.func, self.var);
        let fixed =
            || format!("what is added to `{at}` is neither a number nor an immutable variable");
        let Step { op, amount } = self.step(value).ok_or_else(fixed)?;
        let (by, amounts) = match super::variable(amount) {
            Some(var) => (Poly::term(vec![var], 1), vec![var]),
            None => {
                let number = amount.int_literal().map(i128::from);
                let number = number.filter(|n| *n <= LARGEST).ok_or_else(fixed)?;
                (Poly::number(number), Vec::new())
            }
        };
        Ok(Change { op, by, amounts })
    }

    /// What all iterations of an inner loop add.
    fn of_inner(&self, stmt: &Stmt) -> Result<Change, String> {
        let form = self.form(stmt)?;
        let i = name(self.func, form.counter);
        let unknown = || format!("how much the loop over `{i}` adds is not known in front of it");
        let counting = stmt.counting().ok_or_else(unknown)?;
        let change = self.change(counting.body)?;
        if form.slope != 0 {
            return Err(unknown());
        }
        let trips = self.trips(counting.range)?;
        Ok(Change {
            by: change.by.times(&trips),
            ..change
        })
    }

    /// How often a loop runs, as a word.
    fn trips(&self, range: &RangeIter) -> Result<Poly, String> {
        let unknown = || "how often an inner loop runs is not known in front of it".to_owned();
        let poly = |e: &Expr| self.definitions.poly(e).ok_or_else(unknown);
        let (lo, hi) = (poly(&range.lo)?, poly(&range.hi)?);
        let trips = hi
            .clone()
            .minus(&lo)
            .plus(&Poly::number(1), i128::from(range.inclusive));
        let known = match (lo.constant(), hi.constant()) {
            (Some(from), Some(to)) => from <= to,
            (Some(0), None) => true,
            (Some(1), None) => range.inclusive,
            _ => !range.inclusive && self.begins_below(&lo, &hi),
        };
        known.then_some(trips).ok_or_else(unknown)
    }

    /// Whether `lo` is the counter of a loop that ends below `hi`, or the number behind it.
    fn begins_below(&self, lo: &Poly, hi: &Poly) -> bool {
        lo.vars().any(|var| {
            let behind = lo.clone().minus(&Poly::term(vec![var], 1)).constant();
            matches!(behind, Some(0 | 1)) && self.definitions.ends(var).contains(hi)
        })
    }

    /// The terms, with the factors in the order in which they are multiplied: amounts last.
    fn ordered(&self, sum: &Poly, amounts: &[VarId]) -> Result<Terms, String> {
        let at = name(self.func, self.var);
        let terms = sum.in_variables();
        let mut terms =
            terms.ok_or_else(|| format!("a named constant is in what is added to `{at}`"))?;
        for (vars, number) in &mut terms {
            if number.abs() > LARGEST || *number < 0 && !amounts.is_empty() {
                return Err(format!("what is added to `{at}` is no sum of products"));
            }
            vars.sort_by_key(|var| amounts.contains(var));
        }
        Ok(terms)
    }
}

/// How many iterations are over in iteration `counter`.
fn before(counter: VarId, range: &RangeIter) -> Expr {
    let span = range.lo.span;
    let read = Expr::read_var(counter, Ty::USIZE, span);
    if !range.rev {
        return if range.lo.is_zero_literal() {
            read
        } else {
            binary(BinOp::Sub, read, range.lo.clone())
        };
    }
    let hi = range.hi.int_literal().map(i128::from);
    let hi = hi.map_or_else(|| range.hi.clone(), |n| Expr::integer(n, &Ty::USIZE, span));
    let left = binary(BinOp::Sub, hi, read);
    if range.inclusive {
        left
    } else {
        binary(BinOp::Sub, left, Expr::usize_literal(1, span))
    }
}
