//! Compares one gradient on tapes of several layouts, new and used before, bit for bit.

use retrograde::tier::MemoryTier;
use retrograde::{Site, Tape};

/// A gradient on a tape: values, gradient.
pub type OnTape<'a> = dyn Fn(&mut Tape, &[f64]) -> (Vec<f64>, Vec<f64>) + 'a;

/// The same with a tape of its own.
pub type Own<'a> = dyn Fn(&[f64]) -> (Vec<f64>, Vec<f64>) + 'a;

/// Items that somebody else has left on the tape.
fn with_items(mut tape: Tape, floats: usize, doubles: usize) -> Tape {
    (0..floats).for_each(|i| tape.push(Site::new(), i as f32));
    (0..doubles).for_each(|i| tape.push(Site::new(), i as f64));
    tape
}

fn small(bytes: usize) -> Tape {
    Tape::builder().slab_bytes(bytes).build().expect("a tape")
}

fn budget() -> retrograde::TapeBuilder {
    Tape::builder().memory_budget(256 << 10).slab_bytes(4096)
}

/// The layouts. What the budgets allow is used up by what lies on the tape already.
const LAYOUTS: &[(&str, fn() -> Tape)] = &[
    ("the default", Tape::new),
    ("slabs of 64 bytes", || small(64)),
    ("slabs of 1000 bytes and 3 items", || with_items(small(1000), 3, 0)),
    ("37 items", || with_items(Tape::new(), 37, 0)),
    ("a memory tier", || {
        with_items(budget().tier(MemoryTier::new()).build().expect("a tape"), 1, 31_500)
    }),
    ("a file", || {
        with_items(budget().spill_to(std::env::temp_dir()).build().expect("a tape"), 5, 31_000)
    }),
];

/// Zeros of any sign. `f_grad` yields an error without a gradient, which stands here as zeros.
fn is_zero(gradient: &[f64]) -> bool {
    gradient.iter().all(|x| *x == 0.0)
}

fn bits(result: &(Vec<f64>, Vec<f64>)) -> Vec<u64> {
    result.0.iter().chain(&result.1).map(|x| if x.is_nan() { u64::MAX } else { x.to_bits() }).collect()
}

/// The tapes of one way to ask for a gradient, used again for each input.
pub struct Layouts {
    warm: Vec<Tape>,
}

impl Layouts {
    pub fn new() -> Layouts {
        Layouts { warm: LAYOUTS.iter().map(|(_, tape)| tape()).collect() }
    }

    /// Where a result differs from that on a new tape of the first layout. `own` is the same gradient with a tape of
    /// its own.
    pub fn difference(&mut self, p: &[f64], on: &OnTape<'_>, own: Option<&Own<'_>>) -> Option<String> {
        let want = on(&mut Tape::new(), p);
        let differs = |got: &(Vec<f64>, Vec<f64>)| {
            let both_zero = got.0 == want.0 && is_zero(&got.1) && is_zero(&want.1);
            bits(got) != bits(&want) && !both_zero
        };
        if let Some(got) = own.map(|own| own(p)).filter(differs) {
            return Some(format!("the thread's tape:\n  got  {got:?}\n  want {want:?}"));
        }
        for ((name, new), warm) in LAYOUTS.iter().zip(&mut self.warm) {
            let runs = [("new", on(&mut new(), p)), ("used", on(warm, p)), ("used twice", on(warm, p))];
            for (history, got) in runs {
                if bits(&got) != bits(&want) {
                    return Some(format!("a {history} tape, {name}:\n  got  {got:?}\n  want {want:?}"));
                }
            }
        }
        None
    }
}
