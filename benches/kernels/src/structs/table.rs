//! The table of kernels in several forms.

#![expect(clippy::print_stdout, reason = "it prints a table")]

use std::time::Duration;

use super::{Form, Forms};
use crate::race::{Entrant, Pace, race};

/// Prints what each form takes, in turns, and divided by the first one.
///
/// # Panics
///
/// Panics unless all forms agree before they are timed.
pub fn print(kernels: impl IntoIterator<Item = Forms>) {
    let pace = Pace {
        turn: Duration::from_millis(1),
        rounds: 1000,
        enough: Duration::from_secs(15),
    };
    println!("| kernel | form | µs | to the first | median of rounds |");
    println!("|---|---|---:|---:|---:|");
    for Forms { name, mut forms } in kernels {
        agree(name, &mut forms);
        let entrants = forms.iter_mut().map(|form| {
            let run = &mut form.run;
            Entrant::new(form.name, move |(): &mut ()| run())
        });
        let mut entrants: Vec<Entrant<'_, ()>> = entrants.collect();
        race(&mut entrants, &mut (), pace);
        for entrant in &entrants {
            let rounds = entrant.rounds.iter().zip(&entrants[0].rounds);
            let mut ratios: Vec<f64> = rounds.map(|(own, slices)| own / slices).collect();
            ratios.sort_by(f64::total_cmp);
            println!(
                "| {name} | {} | {:.1} | {:.2} | {:.2} |",
                entrant.name,
                entrant.minimum() * 1e6,
                entrant.minimum() / entrants[0].minimum(),
                ratios[ratios.len() / 2],
            );
        }
    }
}

/// Runs each form once.
///
/// # Panics
///
/// Unless they agree.
pub fn agree(name: &str, forms: &mut [Form]) {
    let values: Vec<f64> = forms.iter_mut().map(|form| (form.run)()).collect();
    let standard = forms[0].gradient.borrow().clone();
    let largest = standard.iter().fold(0.0, |max: f64, d| max.max(d.abs()));
    for (form, value) in forms.iter().zip(&values) {
        let near = |a: f64, b: f64| (a - b).abs() <= 1e-9 * largest;
        let gradient = form.gradient.borrow();
        let same = gradient.len() == standard.len()
            && gradient.iter().zip(&standard).all(|(a, b)| near(*a, *b));
        assert!(same, "{name}: the gradient of {} is another one", form.name);
        let same = (value - values[0]).abs() <= 1e-12 * values[0].abs();
        assert!(same, "{name}: the value of {} is another one", form.name);
    }
}
