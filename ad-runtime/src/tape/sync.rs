//! The channels and threads of the hand-over between the sweep and its thread.
//!
//! Those of the standard library; where schedules are tested (`--cfg shuttle`), their twins, which try out in
//! which order the two threads run.

#[cfg(all(shuttle, test))]
pub(super) use shuttle::{sync::mpsc, thread};
#[cfg(not(all(shuttle, test)))]
pub(super) use std::{sync::mpsc, thread};
