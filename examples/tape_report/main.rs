//! Where the bytes on the tape come from, in two pictures.
//!
//! ```text
//! cargo run --release --features report --example tape_report -- diffusion
//! cargo run --release --features report --example tape_report -- network --size 300
//! RETROGRADE_DUMP='bodies:explain' cargo run --release --features report --example tape_report -- bodies
//! ```
//!
//! One of three functions is differentiated on a tape that is watched: `diffusion`, `network` or `bodies`. `time.svg`
//! shows the bytes on the tape over time, `lines.svg` the bytes that each loop of the source has recorded; both go to
//! `target/tape_report/<function>` (`--dir` names another folder). What a loop records in each iteration, and why,
//! stands in the documentation of the gradient functions and in the dump of the last command.

mod functions;

use std::error::Error;
use std::io::{self, Write};
use std::path::PathBuf;

use retrograde::Tape;
use retrograde::report::{ReportError, Timeline, lines_svg, tape_svg};

use functions::Function;

struct Arguments {
    function: Function,
    size: usize,
    dir: PathBuf,
}

fn arguments() -> Result<Arguments, Box<dyn Error>> {
    let (mut function, mut size, mut dir) = (None, None, None);
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || {
            words
                .next()
                .ok_or_else(|| format!("`{word}` needs a value"))
        };
        match word.as_str() {
            "--size" => size = Some(value()?.parse()?),
            "--dir" => dir = Some(PathBuf::from(value()?)),
            name => {
                let known = Function::ALL.iter().find(|known| known.name() == name);
                function = Some(*known.ok_or_else(|| format!("unknown argument `{name}`"))?);
            }
        }
    }
    let function = function.unwrap_or(Function::Diffusion);
    Ok(Arguments {
        function,
        size: size.unwrap_or(function.usual_size()).max(3),
        dir: dir.unwrap_or_else(|| PathBuf::from("target/tape_report").join(function.name())),
    })
}

fn main() -> Result<(), Box<dyn Error>> {
    let Arguments {
        function,
        size,
        dir,
    } = arguments()?;
    let timeline = Timeline::new();
    // Small slabs: the tape is looked at whenever a sweep goes on to another.
    let mut tape = Tape::builder()
        .slab_bytes(16 << 10)
        .observer(timeline.observer())
        .tally(true)
        .build()?;
    let value = function.gradient(&mut tape, size);

    let mut out = io::stdout().lock();
    writeln!(
        out,
        "{} of size {size}: {value:.6}, tape {} KiB",
        function.name(),
        tape.stats().high_water >> 10
    )?;
    for (at, bytes) in tape.tallied() {
        writeln!(out, "{:>12} bytes  {}:{}", bytes, at.file(), at.line())?;
    }
    std::fs::create_dir_all(&dir)?;
    let (time, lines) = (dir.join("time.svg"), dir.join("lines.svg"));
    match tape_svg(&timeline, &time) {
        Ok(()) => writeln!(out, "{}", time.display())?,
        Err(ReportError::Empty) => writeln!(out, "too small for a picture over time")?,
        Err(error) => return Err(error.into()),
    }
    lines_svg(&tape, &lines)?;
    writeln!(out, "{}", lines.display())?;
    Ok(())
}
