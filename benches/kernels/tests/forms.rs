//! The forms that are timed beside each other compute the same.

use retrograde_kernels::chains;
use retrograde_kernels::structs::{Forms, table};

#[test]
fn chains_compute_what_their_loops_do() {
    for n in [16, 17, 100] {
        for Forms { name, mut forms } in chains::forms(n) {
            table::agree(name, &mut forms);
        }
    }
}
