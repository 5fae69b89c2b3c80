//! Exact, fast reverse-mode gradients of ordinary Rust, on stable: write [`#[gradient]`](gradient) above a function
//! and call `f_grad`.
//!
//! ```
//! use retrograde::gradient;
//!
//! #[gradient]
//! fn loss(w: &[f64], x: f64) -> f64 {
//!     let mut sum = 0.0;
//!     for k in 0..w.len() {
//!         sum += (w[k] * x).sin() * w[k];
//!     }
//!     sum
//! }
//!
//! let w = [0.5, 1.5];
//! let (value, (dw, dx)) = loss_grad(&w, 2.0);
//! assert_eq!(value, loss(&w, 2.0));
//! assert_eq!(dw[0], 1.0_f64.cos() * 0.5 * 2.0 + 1.0_f64.sin());
//! assert!((dx - (0.25 * 1.0_f64.cos() + 2.25 * 3.0_f64.cos())).abs() < 1e-15);
//! ```
//!
//! What is not differentiated exactly is refused at compile time, with the reason and a way out.
//!
//! | parameter type | gradient in `f_grad` | buffer in `f_grad_into`, adjoint in `f_adjoint` |
//! |---|---|---|
//! | `f64`, `f32`, also behind `&` | same | `&mut f64` |
//! | `[f64; N]`, `&[f64; N]`, nested arrays | `[f64; N]` | `&mut [f64; N]` |
//! | `&[f64]`, `&Vec<f64>`, `&[[f64; N]]`, `&[Vec<f64>]` | `Vec<…>` of the same shape | `&mut [f64]`, … |
//! | `Vec<f64>` | `Vec<f64>` | `&mut Vec<f64>` |
//! | tuples, `Option<T>` | of the same shape | `&mut` of it |
//! | `S`, `&S` that derives [`Differentiable`] | `STangent` | `&mut STangent` |
//! | `&mut f64`, `&mut [f64]`, … (in-out) | no `f_grad`, no `f_grad_into` | of the output, then of the input |
//! | `&mut usize`, `&mut Vec<usize>`, … | none; holds its output afterwards | none |
//! | integers, `bool`, `char`, `&str` and containers of them | none | none |
//! | `#[constant] p: anything` | none | none |
//!
//! Loops that need to remember something record it on a [`Tape`]; `f_grad` takes one of the thread's, `f_grad_into`
//! and `f_adjoint` take yours, and allocate nothing for it once it is warm. A tape can be larger than memory:
//! [`Tape::builder`] gives it a budget and a place to spill to, and `f_try_grad_into` and `f_try_adjoint` return what
//! can go wrong there as a [`TapeError`] (where panics abort, it ends the process with a message:
//! [`catch_tape_error`]).
//!
//! Buffers, adjoints and seeds have the shapes of what they belong to, at every depth; where one has not, a panic names
//! the argument and the place before anything is written.
//!
//! # Features
//!
//! | feature | default | what it adds |
//! |---|---|---|
//! | `disk` | yes | tapes that spill to a file: [`TapeBuilder::spill_to`] |
//! | `rayon` | no | `#[parallel]` loops, and sums of rayon's iterators, on several threads |
//! | `report` | no | the module `report`: pictures of a tape at work, and of the lines of the source that fill it |
//! | `special` | no | the module `special`: error, gamma, beta, Bessel functions, distributions, with derivatives |
//! | `trace` | no | spans and events of the crate `tracing`, for tapes that move blocks about |
//!
//! With `trace`, all spans and events have the target `retrograde`. None is made where a record is pushed or popped.
//!
//! | what | level | fields |
//! |---|---|---|
//! | span `page`, on the tape's thread: one moves | `debug` | `direction` (`write`, `read`), `offset`, `bytes` |
//! | event in it: the page was not moved | `error` | `error` and those of the span |
//! | span `wait`, on the thread of the sweep: it waits for the tier | `debug` | |
//! | event at its end | `debug` | `waited_us` |
//! | event: a sweep has gone on to another block | `trace` | `sweep` (`forward`, `reverse`), `bytes` in use |
//! | event: a tape with a budget is built | `debug` | `budget`, `slab_bytes`, `prefetch`, `tier` |
//! | event: a large tape is rewound or cleared | `debug` | `from_bytes`, `to_bytes` |
//! | event: [`Tape::trim`] gives memory back | `debug` | `from_bytes`, `to_bytes` |
//!
//! The thread of a tape tells the subscriber that is the default where the tape is built; if there is none, the global
//! one once it is set. Its spans have no parent: a page belongs to the tape, not to the sweep under way. What a
//! subscriber panics with does not come out of a tape.

/// ```
/// use retrograde::{Record, Site, Tape};
///
/// /// What a step of an integrator leaves for its reverse.
/// #[derive(Record)]
/// struct Step {
///     x: f64,
///     contact: Option<Contact>,
/// }
///
/// #[derive(Record)]
/// enum Contact {
///     Elastic { force: f64 },
///     Sticking,
/// }
///
/// let mut tape = Tape::new();
/// let site = Site::new();
/// let mut x = 1.0;
/// for _ in 0..10 {
///     let contact = (x > 1.5).then_some(Contact::Elastic { force: 3.0 * x });
///     tape.push(site, Step { x, contact });
///     x = x.sin() + 1.0;
/// }
///
/// let mut x_bar = 1.0;
/// for _ in 0..10 {
///     let step = tape.pop(site);
///     x_bar *= step.x.cos();
///     if let Some(Contact::Elastic { force }) = step.contact {
///         assert_eq!(force, 3.0 * step.x);
///     }
/// }
/// assert!(tape.is_empty() && x_bar.abs() < 1e-3);
/// ```
pub use ad_macros::Record;
/// ```
/// use retrograde::{derivative_of, gradient};
///
/// /// Whatever it is made of.
/// fn bump(x: f64) -> f64 {
///     1.0 / (1.0 + x * x)
/// }
///
/// #[derivative_of(bump)]
/// fn bump_rule(x: f64, #[result] y: f64) -> f64 {
///     -2.0 * x * y * y
/// }
///
/// #[gradient]
/// fn loss(x: f64, k: f64) -> f64 {
///     k * bump(x)
/// }
///
/// assert_eq!(loss_grad(1.0, 3.0), (1.5, (-1.5, 0.5)));
/// ```
pub use ad_macros::derivative_of;
/// ```
/// use retrograde::{differentiable, gradient};
///
/// #[gradient]
/// fn twice(f: impl Fn(f64) -> f64, x: f64) -> f64 {
///     f(f(x))
/// }
///
/// let k = 3.0;
/// let (value, dx) = twice_grad(differentiable!(|x| k * x * x), 2.0);
/// assert_eq!((value, dx), (432.0, 864.0));
/// // The function itself is as it was.
/// assert_eq!(twice(|x| k * x * x, 2.0), value);
/// ```
pub use ad_macros::differentiable;
pub use ad_macros::gradient;

/// ```
/// use retrograde::Duplicate;
///
/// #[derive(Duplicate)]
/// struct Counter {
///     value: f64,
///     clones: u32,
/// }
///
/// impl Clone for Counter {
///     fn clone(&self) -> Self {
///         Counter { value: self.value, clones: self.clones + 1 }
///     }
/// }
///
/// let counter = Counter { value: 1.0, clones: 0 };
/// assert!(counter.duplicate().is_duplicate(&counter));
/// assert!(!counter.clone().is_duplicate(&counter));
/// ```
pub use ad_macros::Duplicate;

/// ```
/// use retrograde::{Differentiable, Tangent, gradient};
///
/// #[derive(Differentiable)]
/// struct Spring {
///     stiffness: f64,
///     rest: Vec<f64>,
///     steps: usize,
///     #[constant]
///     name: String,
/// }
///
/// #[gradient]
/// fn energy(spring: &Spring, x: &[f64]) -> f64 {
///     let mut sum = 0.0;
///     for i in 0..x.len() {
///         let d = x[i] - spring.rest[i];
///         sum += 0.5 * spring.stiffness * d * d;
///     }
///     sum
/// }
///
/// let name = "spring".to_owned();
/// let mut spring = Spring { stiffness: 2.0, rest: vec![1.0, 1.0], steps: 3, name };
/// let (value, (slope, dx)) = energy_grad(&spring, &[2.0, 3.0]);
/// assert_eq!((value, &dx[..]), (5.0, &[2.0, 4.0][..]));
///
/// // `SpringTangent` has the fields of `Spring`.
/// assert_eq!(slope.stiffness, 2.5);
/// assert_eq!(slope.rest, [-2.0, -4.0]);
/// assert_eq!((slope.steps, slope.name), ((), ()));
/// # let slope = energy_grad(&spring, &[2.0, 3.0]).1.0;
/// assert_eq!(slope.norm(), (2.5_f64 * 2.5 + 4.0 + 16.0).sqrt());
/// spring.step(-0.1, &slope);
/// assert_eq!(spring.rest, [1.2, 1.4]);
/// ```
///
/// With `tangent = Self` the gradient of a `Vec3` is a `Vec3`:
///
/// ```
/// use retrograde::{Differentiable, gradient};
///
/// #[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
/// #[differentiable(tangent = Self)]
/// struct Vec3 {
///     x: f64,
///     y: f64,
///     z: f64,
/// }
///
/// #[gradient]
/// fn potential(at: Vec3) -> f64 {
///     at.x * at.y + at.z * at.z
/// }
///
/// let (_, force) = potential_grad(Vec3 { x: 1.0, y: 2.0, z: 3.0 });
/// assert_eq!(force, Vec3 { x: 2.0, y: 1.0, z: 6.0 });
/// ```
pub use ad_macros::Differentiable;
pub use ad_runtime::{
    Differentiable, Duplicate, DynTangent, Either, Encoding, FixedShape, Flat, FlatNames, Fork,
    Mark, Record, Rewind, ShapeError, Site, StripMut, StripRecords, StripRef, Sweep, Tangent, Tape,
    TapeBuilder, TapeError, TapeEvent, TapeStats, TierOperation, TileMut, TileRef,
    catch_tape_error, no_gradient,
};
pub use ad_runtime::{check, rules, tier};

#[cfg(feature = "report")]
pub mod report;

#[cfg(feature = "special")]
pub mod special;

/// What generated code calls. Not for users: it changes without notice.
#[doc(hidden)]
pub mod __rt;
mod list;

#[cfg(doctest)]
mod documents {
    #[doc = include_str!("../README.md")]
    mod readme {}
    #[doc = include_str!("../docs/own-types.md")]
    mod own_types {}
    #[doc = include_str!("../docs/functions.md")]
    mod functions {}
    #[doc = include_str!("../docs/limitations.md")]
    mod limitations {}
    #[doc = include_str!("../docs/reverse-mode.md")]
    mod reverse_mode {}
    #[doc = include_str!("../docs/rules.md")]
    mod rules {}
    #[cfg(feature = "special")]
    #[doc = include_str!("../docs/special.md")]
    mod special {}
    #[doc = include_str!("../docs/worked-example.md")]
    mod worked_example {}
}
