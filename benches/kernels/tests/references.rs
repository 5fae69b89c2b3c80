//! The sizes that are timed, where that is cheap without optimisation, against values that two other
//! implementations found.

use retrograde_kernels::ALL;

#[test]
fn the_cheap_kernels_have_their_reference_values() {
    for (name, make) in ALL {
        let cheap = [
            "logsumexp",
            "matdescent",
            "nn",
            "gravity",
            "mass_spring",
            "mttkrp",
            "somier8",
            "lenet5",
            "pathfinder",
        ];
        if cheap.contains(&name) {
            make().check();
        }
    }
}
