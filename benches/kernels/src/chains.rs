//! Iterator chains, each beside the loop that it stands for.

pub mod functions;

use std::cell::RefCell;
use std::hint::black_box;
use std::rc::Rc;

use retrograde::Tape;

use crate::numbers::Numbers;
use crate::structs::{Form, Forms};

/// What one entry of [`PAIRS`] times: value and gradient of a function of two slices.
type Sweep = fn(&mut Tape, &[f64], &mut [f64], &[f64], &mut [f64]) -> f64;

/// A chain and its loop.
struct Pair {
    name: &'static str,
    looped: Sweep,
    chained: Sweep,
}

macro_rules! pairs {
    ($($name:ident: $looped:ident, $chained:ident;)*) => {
        [$(Pair {
            name: stringify!($name),
            looped: functions::$looped,
            chained: functions::$chained,
        }),*]
    };
}

const PAIRS: [Pair; 8] = pairs! {
    filter: filter_loop_grad_into, filter_chain_grad_into;
    filter_map: filter_map_loop_grad_into, filter_map_chain_grad_into;
    take_while: take_while_loop_grad_into, take_while_chain_grad_into;
    scan: scan_loop_grad_into, scan_chain_grad_into;
    flat_map: flat_map_loop_grad_into, flat_map_chain_grad_into;
    chain: chain_loop_grad_into, chain_chain_grad_into;
    zip: zip_loop_grad_into, zip_chain_grad_into;
    collect: collect_loop_grad_into, collect_chain_grad_into;
};

/// Each chain, at `n` elements, beside its loop.
#[must_use]
pub fn forms(n: usize) -> Vec<Forms> {
    let n = black_box(n);
    PAIRS.iter().map(|pair| pair.forms(n)).collect()
}

impl Pair {
    fn forms(&self, n: usize) -> Forms {
        let mut numbers = Numbers::new();
        let x = Rc::new(black_box(numbers.vec(n, -1.0, 1.0)));
        let y = Rc::new(black_box(numbers.vec(n, -1.0, 1.0)));
        let form = |name, sweep: Sweep| {
            let gradient = Rc::new(RefCell::new(Vec::new()));
            let (x, y, out) = (x.clone(), y.clone(), gradient.clone());
            let (mut tape, mut dx, mut dy) = (Tape::new(), vec![0.0; n], vec![0.0; n]);
            let run = move || {
                let value = sweep(&mut tape, &x, &mut dx, &y, &mut dy);
                let mut out = out.borrow_mut();
                if out.is_empty() {
                    out.extend(dx.iter().chain(&dy));
                }
                value
            };
            let run = Box::new(run);
            Form {
                name,
                run,
                gradient,
            }
        };
        let forms = vec![form("loop", self.looped), form("chain", self.chained)];
        Forms {
            name: self.name,
            forms,
        }
    }
}
