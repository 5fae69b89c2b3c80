//! Tapes whose blocks end in different places.

use retrograde::tier::MemoryTier;
use retrograde::{Tape, TapeBuilder};

/// How a tape is made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    slab: Option<usize>,
    budget: Option<usize>,
    disk: bool,
    shadow: bool,
    /// Bytes that lie on the tape before, and stay there.
    pub(crate) below: usize,
}

impl Layout {
    pub(crate) fn plain() -> Self {
        Self {
            slab: None,
            budget: None,
            disk: false,
            shadow: false,
            below: 0,
        }
    }

    fn slab(bytes: usize) -> Self {
        Self {
            slab: Some(bytes),
            ..Self::plain()
        }
    }

    pub(crate) fn tape(&self) -> Tape {
        let mut builder = Tape::builder().shadow(self.shadow);
        if let Some(slab) = self.slab {
            builder = builder.slab_bytes(slab);
        }
        if let Some(budget) = self.budget {
            builder = builder.memory_budget(budget);
            builder = match self.disk {
                #[cfg(feature = "disk")]
                true => builder.spill_to(env!("CARGO_TARGET_TMPDIR")),
                _ => builder.tier(MemoryTier::new()),
            };
        }
        let mut tape = builder.build().expect("valid");
        for k in 0..self.below {
            tape.push(retrograde::Site::new(), k as u8);
        }
        tape
    }
}

/// In memory, under budgets, with tags, with something below.
pub(crate) fn layouts() -> Vec<Layout> {
    let plain = Layout::plain();
    let mut all = vec![plain];
    all.extend([64, 100, 4096, 30_000, 150_000, 1 << 20].map(Layout::slab));
    all.extend([1, 13, 500, 40_001].map(|below| Layout { below, ..plain }));
    for slab in [None, Some(1000)] {
        all.push(Layout {
            slab,
            shadow: true,
            ..plain
        });
    }
    for (slab, budget, disk, shadow) in [
        (None, 1 << 20, false, false),
        (Some(4096), 512 << 10, false, false),
        (Some(32 << 10), 256 << 10, false, true),
        (Some(64 << 10), 512 << 10, true, false),
    ] {
        all.push(Layout {
            slab,
            budget: Some(budget),
            disk,
            shadow,
            below: 5,
        });
    }
    all
}
