//! Faults that tests put behind a pass, to see that they are found.

use std::cell::Cell;

use crate::ir::Sweeps;

/// What goes wrong.
pub(crate) type Fault = fn(&mut Sweeps);

thread_local! {
    static INJECTED: Cell<Option<(&'static str, Fault)>> = const { Cell::new(None) };
}

/// Runs `f`; meanwhile, the pass of this name leaves the sweeps with a fault.
pub(crate) fn injected<T>(pass: &'static str, fault: Fault, f: impl FnOnce() -> T) -> T {
    INJECTED.set(Some((pass, fault)));
    let result = f();
    INJECTED.set(None);
    result
}

/// What the pass does wrong.
pub(super) fn of(pass: &str, sweeps: &mut Sweeps) {
    if let Some((at, fault)) = INJECTED.get()
        && at == pass
    {
        fault(sweeps);
    }
}
