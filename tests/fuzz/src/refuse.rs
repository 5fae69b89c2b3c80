//! Programs that must not compile: each holds one construct that is outside of the language.
//!
//! Each is valid Rust without `#[gradient]`. With it, at least one error must point at the construct itself.

use std::collections::BTreeMap;
use std::io;
use std::time::Instant;

use crate::generate::program_with;
use crate::options::Options;
use crate::project::{Errors, Make, Project, Settings};
use crate::text::{Form, render};

/// What the constructs need around the program.
const AROUND: &str = "
fn plain(x: f64) -> f64 { x * 2.0 }
fn apply(f: impl Fn(f64) -> f64, x: f64) -> f64 { f(x) }
fn pick<T>(x: T) -> T { x }
trait Wobble { fn wobble(self) -> f64; }
impl Wobble for f64 { fn wobble(self) -> f64 { self * 2.0 } }
mod away {
    macro_rules! twice { ($e:expr) => { $e + $e }; }
    macro_rules! bail_if { ($c:expr) => { if $c { return 0.0; } }; }
    pub(crate) use {bail_if, twice};
}
use away::{bail_if, twice};
";

/// Name and lines: `act` is active, `inj` is what they define.
const CONSTRUCTS: &[(&str, &str)] = &[
    ("unknown method", "let inj = act.wobble();"),
    (
        "unknown method of a trait path",
        "let inj = Wobble::wobble(act * 0.5);",
    ),
    ("function without gradient", "let inj = plain(act);"),
    (
        "function without gradient, nested",
        "let inj = (plain(act.sin()) + 1.0) * act;",
    ),
    (
        "generic function without gradient",
        "let inj: f64 = pick(act);",
    ),
    ("identity", "let inj = std::convert::identity(act);"),
    ("black_box", "let inj = std::hint::black_box(act) * 3.0;"),
    ("closure passed on", "let inj = apply(|t| t * act, 2.0);"),
    (
        "closure with an active argument passed on",
        "let inj = apply(|t| t + 1.0, act);",
    ),
    (
        "boxed closure",
        "let b: Box<dyn Fn(f64) -> f64> = Box::new(move |t: f64| t * act);\nlet inj = b(1.5);",
    ),
    (
        "array of a length that a pattern says",
        "let all = std::array::from_fn(|i| act * i as f64);\nlet [inj, _] = all;",
    ),
    (
        "function pointer",
        "let g: fn(f64) -> f64 = plain;\nlet inj = g(act);",
    ),
    ("method as a value", "let g = f64::sin;\nlet inj = g(act);"),
    ("macro of another module", "let inj = twice!(act);"),
    (
        "macro that returns",
        "bail_if!(act > 100.0);\nlet inj = act;",
    ),
    (
        "format!",
        "let inj = format!(\"{act}\").len() as f64 * act;",
    ),
    (
        "format! and parse",
        "let inj = format!(\"{}\", act).parse::<f64>().unwrap_or(0.0);",
    ),
    ("to_string", "let inj = act.to_string().len() as f64;"),
    ("to_bits", "let inj = f64::from_bits(act.to_bits());"),
    ("to_bits, hashed", "let inj = (act.to_bits() % 7) as f64;"),
    (
        "to_ne_bytes",
        "let inj = f64::from_ne_bytes(act.to_ne_bytes());",
    ),
    ("unsafe block", "let inj = unsafe { act * 2.0 };"),
    (
        "raw pointer",
        "let p = &act as *const f64;\nlet inj = if p.is_null() { 0.0 } else { act };",
    ),
    (
        "raw pointer, read",
        "let p: *const f64 = &act;\nlet inj = unsafe { *p };",
    ),
    (
        "raw borrow",
        "let p = &raw const act;\nlet inj = if p.is_null() { 0.0 } else { act };",
    ),
    (
        "async block",
        "let later = async { act * 2.0 };\ndrop(later);\nlet inj = act;",
    ),
    (
        "async closure",
        "let later = async move |t: f64| t * act;\ndrop(later);\nlet inj = act;",
    ),
    (
        "LinkedList",
        "let mut queue = std::collections::LinkedList::new();\nqueue.push_back(act);\nlet inj: f64 = \
         queue.pop_front().unwrap_or(0.0);",
    ),
    (
        "RefCell",
        "let cell = std::cell::RefCell::new(act);\n*cell.borrow_mut() *= 2.0;\nlet inj = *cell.borrow();",
    ),
    (
        "Cell",
        "let cell = std::cell::Cell::new(act);\ncell.set(cell.get() * 2.0);\nlet inj = cell.get();",
    ),
    (
        "Mutex",
        "let lock = std::sync::Mutex::new(act);\nlet inj = *lock.lock().unwrap();",
    ),
    (
        "atomic",
        "let bits = std::sync::atomic::AtomicU64::new(act.to_bits());\nlet inj = f64::from_bits(bits.into_inner());",
    ),
    (
        "thread",
        "let inj = std::thread::spawn(move || act * 2.0).join().unwrap();",
    ),
    (
        "more conditions of cfg than are followed",
        "#[cfg(not(windows))]\nlet inj = act;\n#[cfg(windows)]\nlet inj = act * 1.0;\n\
         #[cfg(target_os = \"none\")]\nlet inj = inj * 2.0;\n#[cfg(target_endian = \"big\")]\nlet inj = inj * 2.0;\n\
         #[cfg(target_vendor = \"none\")]\nlet inj = inj * 2.0;",
    ),
    (
        "static in the body",
        "static COUNT: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);\nlet inj = act * \
         (COUNT.fetch_add(1, std::sync::atomic::Ordering::Relaxed) as f64);",
    ),
    (
        "references in a collection",
        "let (mut one, mut two) = (act, 1.0);\nlet all = [&mut one, &mut two];\n*all[0] *= 2.0;\nlet inj = *all[1] + \
         *all[0];",
    ),
    (
        "output inside a checkpoint",
        "let inj = #[checkpoint] { println!(\"{}\", 1); act * 2.0 };",
    ),
    (
        "write!",
        "use std::fmt::Write as _;\nlet mut text = String::new();\nlet _ = write!(text, \"{act}\");\nlet inj = \
         text.len() as f64;",
    ),
    (
        "mem::transmute",
        "let bits: u64 = unsafe { std::mem::transmute(act) };\nlet inj = bits as f64;",
    ),
    (
        "assembly",
        "unsafe { std::arch::asm!(\"nop\") };\nlet inj = act;",
    ),
    (
        "union",
        "union Both { float: f64, bits: u64 }\nlet both = Both { float: act };\nlet inj = unsafe { both.float };",
    ),
];

/// Runs until every program has failed to compile. The number that did not, or not for its construct.
pub(crate) fn run(options: &Options) -> io::Result<usize> {
    let start = Instant::now();
    let mut programs: BTreeMap<u32, (&str, String)> = BTreeMap::new();
    for k in 0..options.refused {
        let (name, lines) = CONSTRUCTS[k as usize % CONSTRUCTS.len()];
        let program = program_with(
            options.seed,
            options.first + k,
            &options.without,
            &lines.replace("#[checkpoint]", "§"),
        );
        programs.insert(options.first + k, (name, program.text()));
    }
    println!(
        "{} programs with one of {} constructs each",
        programs.len(),
        CONSTRUCTS.len()
    );
    let plain = compile(&programs, false)?;
    for (number, errors) in &plain {
        println!(
            "generator at fault: program {number} ({}) is not valid Rust: {}",
            programs[number].0,
            show(errors)
        );
    }
    println!(
        "{} are valid Rust without #[gradient], {:.0} s",
        programs.len() - plain.len(),
        start.elapsed().as_secs_f64()
    );
    if !options.settings.with_macro {
        return Ok(plain.len());
    }
    programs.retain(|n, _| !plain.contains_key(n));
    let refused = compile(&programs, true)?;
    let mut failures = plain.len();
    for (number, (name, text)) in &programs {
        let Some(errors) = refused.get(number) else {
            println!(
                "ACCEPTED: program {number}: {name}\n{}",
                injected_lines(text, Form::Gradient).join("\n")
            );
            failures += 1;
            continue;
        };
        let source = file(text, true);
        let at_construct = errors.iter().any(|(row, _)| {
            source
                .lines()
                .nth(*row as usize - 1)
                .is_some_and(|l| l.contains("// injected"))
        });
        if !at_construct {
            println!(
                "refused elsewhere: program {number}: {name}: {}",
                show(errors)
            );
            failures += 1;
        }
    }
    println!(
        "{} refused at the construct, {:.0} s",
        programs.len() + plain.len() - failures,
        start.elapsed().as_secs_f64()
    );
    Ok(failures)
}

fn show(errors: &[(u32, String)]) -> String {
    errors
        .iter()
        .take(3)
        .map(|(row, message)| format!("line {row}: {message}"))
        .collect::<Vec<_>>()
        .join("; ")
}

fn injected_lines(text: &str, form: Form) -> Vec<String> {
    render(text, form)
        .lines()
        .filter(|l| l.contains("// injected"))
        .map(str::to_owned)
        .collect()
}

fn file(text: &str, with_macro: bool) -> String {
    let (form, import) = if with_macro {
        (
            Form::Gradient,
            "use retrograde::{gradient, no_gradient};\nuse retrograde::num_traits::Float;",
        )
    } else {
        (
            Form::Plain,
            "use retrograde::num_traits::Float;\nfn no_gradient<T>(x: T) -> T { x }",
        )
    };
    format!(
        "use crate::op::Op;\n{import}\npub fn case() {{}}\n{AROUND}\n{}",
        render(text, form)
    )
}

/// The errors of every program that has any: the compiler stops at its first stage with errors, so those found are
/// taken out until the rest compiles.
fn compile(
    programs: &BTreeMap<u32, (&str, String)>,
    with_macro: bool,
) -> io::Result<BTreeMap<u32, Vec<(u32, String)>>> {
    let project = Project::new(
        if with_macro {
            "refused"
        } else {
            "refused-plain"
        },
        Settings {
            with_macro,
            ..Settings::default()
        },
    )?;
    let mut found = BTreeMap::new();
    let mut left: Vec<u32> = programs.keys().copied().collect();
    for (number, (_, text)) in programs {
        project.write(&format!("p{number}"), &file(text, with_macro), "")?;
    }
    loop {
        let names: Vec<String> = left.iter().map(|n| format!("p{n}")).collect();
        let errors: Errors = project.compile("refused", Make::Check, &names)?;
        let before = left.len();
        left.retain(|n| match errors.get(&format!("p{n}")) {
            Some(list) => {
                found.insert(*n, list.clone());
                false
            }
            None => true,
        });
        if errors.is_empty() {
            return Ok(found);
        }
        if left.len() == before {
            return Err(io::Error::other(format!(
                "errors outside of the programs: {errors:?}"
            )));
        }
    }
}
