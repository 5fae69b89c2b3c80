//! The gradient of a long simulation on a tape that is larger than its memory budget.
//!
//! ```text
//! cargo run --release --features report --example larger_than_memory
//! cargo run --release --features report --example larger_than_memory -- --cells 4000000 --steps 200 --budget-mib 256
//! ```
//!
//! A nonlinear diffusion takes explicit steps; the reverse sweep needs the state before each of them. The tape gets a
//! budget and spills to a file. Progress goes to standard error, a summary to standard output, and a picture
//! of the tape over time to `target/larger_than_memory.svg` (`--svg` names another file). Where the whole tape fits
//! into memory too (`--compare`), the two gradients are compared bit for bit.

use std::error::Error;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Instant;

use indicatif::{ProgressBar, ProgressStyle};
use retrograde::report::{Timeline, tape_svg};
use retrograde::{Sweep, Tape, gradient};

/// `steps` explicit steps of `∂u/∂t = ∂/∂x (u² ∂u/∂x)` with fixed ends; the sum of squares at the end. Without `tiles`,
/// which would keep every twentieth row only.
#[gradient(no(tiles))]
fn heat(u0: &[f64], steps: usize) -> f64 {
    let n = u0.len();
    let mut u = u0.to_vec();
    let mut v = u0.to_vec();
    for _ in 0..steps {
        for i in 1..n - 1 {
            let right = 0.5 * (u[i] + u[i + 1]);
            let left = 0.5 * (u[i - 1] + u[i]);
            v[i] =
                u[i] + 0.1 * (right * right * (u[i + 1] - u[i]) - left * left * (u[i] - u[i - 1]));
        }
        std::mem::swap(&mut u, &mut v);
    }
    u.iter().map(|x| x * x).sum::<f64>()
}

struct Arguments {
    cells: usize,
    steps: usize,
    budget: usize,
    dir: PathBuf,
    svg: PathBuf,
    compare: bool,
}

fn arguments() -> Result<Arguments, Box<dyn Error>> {
    let mut arguments = Arguments {
        cells: 100_000,
        steps: 200,
        budget: 16 << 20,
        dir: std::env::temp_dir(),
        svg: PathBuf::from("target/larger_than_memory.svg"),
        compare: false,
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || {
            words
                .next()
                .ok_or_else(|| format!("`{word}` needs a value"))
        };
        match word.as_str() {
            "--cells" => arguments.cells = value()?.parse()?,
            "--steps" => arguments.steps = value()?.parse()?,
            "--budget-mib" => arguments.budget = value()?.parse::<usize>()? << 20,
            "--dir" => arguments.dir = value()?.into(),
            "--svg" => arguments.svg = value()?.into(),
            "--compare" => arguments.compare = true,
            other => return Err(format!("unknown argument `{other}`").into()),
        }
    }
    if arguments.cells < 3 {
        return Err("at least 3 cells".into());
    }
    Ok(arguments)
}

/// The numbers of splitmix64 from seed 42, between 0.5 and 1.5.
fn start(cells: usize) -> Vec<f64> {
    let mut state = 42_u64;
    let mut next = || {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    };
    (0..cells).map(|_| 0.5 + next()).collect()
}

fn main() -> Result<(), Box<dyn Error>> {
    let Arguments {
        cells,
        steps,
        budget,
        dir,
        svg,
        compare,
    } = arguments()?;
    // A copy of the state in each step is all that is recorded.
    let expected = 8 * cells as u64 * steps as u64;
    let bar = ProgressBar::new(2 * expected).with_style(ProgressStyle::with_template(
        "{msg:8} [{wide_bar}] {bytes}/{total_bytes} {eta}",
    )?);
    let timeline = Timeline::new();
    let (mut collect, moved) = (timeline.observer(), bar.clone());
    let mut tape = Tape::builder()
        .memory_budget(budget)
        .spill_to(&dir)
        .observer(move |event| {
            collect(event);
            let bytes = event.bytes as u64;
            if event.sweep == Sweep::Forward {
                moved.set_message("forward");
                moved.set_position(bytes);
            } else {
                moved.set_message("reverse");
                moved.set_position((2 * expected).saturating_sub(bytes));
            }
        })
        .build()?;
    let u0 = start(cells);
    let mut du0 = vec![0.0; cells];
    let begin = Instant::now();
    let value = heat_try_grad_into(&mut tape, &u0, &mut du0, steps)?;
    let elapsed = begin.elapsed();
    bar.finish_and_clear();
    let stats = tape.stats();
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "{cells} cells, {steps} steps: {value}, |gradient|₁ = {}",
        du0.iter().map(|d| d.abs()).sum::<f64>()
    )?;
    writeln!(
        out,
        "tape {} MiB, in memory at most {} of {} MiB, written {} MiB, read {} MiB",
        stats.high_water >> 20,
        stats.most_held_bytes.unwrap_or(0) >> 20,
        budget >> 20,
        stats.written_bytes >> 20,
        stats.read_bytes >> 20
    )?;
    writeln!(
        out,
        "{:.2} s, of which {:.2} s waiting for the tier ({} stalls)",
        elapsed.as_secs_f64(),
        stats.waited.as_secs_f64(),
        stats.stalls
    )?;
    if compare {
        let mut want = vec![0.0; cells];
        let same = heat_grad_into(&mut Tape::new(), &u0, &mut want, steps).to_bits()
            == value.to_bits()
            && du0
                .iter()
                .zip(&want)
                .all(|(a, b)| a.to_bits() == b.to_bits());
        if !same {
            return Err("the gradient differs from that in memory".into());
        }
        writeln!(out, "the same as in memory, bit for bit")?;
    }
    if let Some(parent) = svg.parent() {
        std::fs::create_dir_all(parent)?;
    }
    tape_svg(&timeline, &svg)?;
    writeln!(out, "{}", svg.display())?;
    Ok(())
}
