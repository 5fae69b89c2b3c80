//! IR → tokens: the bodies of the sweeps.
//!
//! `sweeps` writes the body that both sweeps share, `stmt`, `control`, `versions`, `lanes`, `kernels`, `simd`,
//! `parallel`, `calls`, `companions`, `expr` and `ty` what stands in it. The items around are those of `interface`.
//! Everything is named by absolute path; compiler variables carry mixed-site hygiene, so that no name of the user can
//! meet them.

mod calls;
mod chain_names;
mod code;
mod companions;
mod constants;
mod control;
mod conversions;
mod expr;
mod fields;
mod functions;
mod kernels;
mod lanes;
mod lent;
mod open_types;
mod outputs;
mod parallel;
mod procs;
mod receivers;
mod seeds;
mod simd;
mod std_names;
mod stmt;
mod strips;
mod sweeps;
mod ty;
mod versions;
mod windows;

pub(crate) use calls::Sibling;
pub(crate) use code::{Code, Runtime};
pub(crate) use fields::{known_type, std_type};
pub(crate) use functions::carrier;
pub(crate) use seeds::count;
pub(crate) use sweeps::adj;

use std::cell::{Cell, RefCell};

use proc_macro2::{Ident, Span};

use crate::ir::hash::HashSet;
use crate::ir::{Func, Sweeps, VarId};

/// What every part of the emitter needs.
pub(crate) struct Emitter<'a> {
    func: &'a Func,
    /// Variables that rustc is to check for not being references.
    owned: &'a HashSet<VarId>,
    /// What the procedure that is being printed has by reference, where the function has the value.
    lent: RefCell<HashSet<VarId>>,
    /// Variables whose types others are to have, or their own declarations elsewhere (`open_types`).
    typed: RefCell<HashSet<VarId>>,
    /// The fast version that is being printed.
    fast: Cell<Fast>,
    /// Set for sweeps for several seeds.
    seeds: Option<seeds::Seeds>,
    /// Set for sweeps that leave their outputs.
    leaving: bool,
    /// The hidden surface for generated code, which is named most.
    rt: Runtime,
    /// Whether there is more than the sweeps: functions in which both run, behind each other.
    public: bool,
}

/// A fast version: it has a label, which is left where a check does not hold.
#[derive(Clone, Copy, Default)]
struct Fast {
    /// How many stand around it, itself included: labels of one name may not stand in each other.
    depth: usize,
    /// Whether it leaves the rest to the plain version.
    resumes: bool,
}

impl<'a> Emitter<'a> {
    /// `owned`: variables that rustc is to check for not being references.
    pub(crate) fn new(
        func: &'a Func,
        owned: &'a HashSet<VarId>,
        krate: &'a syn::Path,
        public: bool,
    ) -> Self {
        Emitter {
            func,
            owned,
            lent: RefCell::default(),
            typed: RefCell::default(),
            fast: Cell::default(),
            seeds: None,
            leaving: false,
            rt: Runtime::of(krate),
            public,
        }
    }

    /// An emitter of sweeps that leave their outputs, for callers alone.
    pub(crate) fn leaving(sweeps: &'a Sweeps, krate: &'a syn::Path) -> Self {
        Emitter {
            leaving: true,
            ..Emitter::new(&sweeps.func, &sweeps.owned, krate, false)
        }
    }

    /// The hidden surface for generated code.
    pub(crate) fn rt(&self) -> &Runtime {
        &self.rt
    }

    /// The same where rustc's errors are to be shown at `span`.
    pub(crate) fn rt_at(&self, span: Span) -> Runtime {
        self.rt.at(span)
    }

    pub(crate) fn name(&self, var: VarId) -> &Ident {
        &self.func.var(var).name
    }
}

/// An identifier of the compiler's own.
pub(crate) fn own(name: &str) -> Ident {
    Ident::new(name, Span::mixed_site())
}

/// The const parameter that selects the sweep.
pub(crate) fn mode() -> Ident {
    own("__RETROGRADE_MODE")
}
