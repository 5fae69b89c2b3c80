//! The same functions in C, called through one signature: pointers to the arrays of floats, to those of indices, and
//! the sizes.

/// A function in C.
pub(crate) type Twin =
    unsafe extern "C" fn(*const *const f64, *const *const usize, *const usize) -> f64;

/// Calls a function in C. Each reads the arrays and sizes that its workload hands on, and writes none.
pub(crate) fn call(twin: Twin, floats: &[&[f64]], indices: &[&[usize]], sizes: &[usize]) -> f64 {
    const MOST: usize = 24;
    let (mut of_floats, mut of_indices) = ([std::ptr::null(); MOST], [std::ptr::null(); MOST]);
    for (pointer, array) in of_floats.iter_mut().zip(floats) {
        *pointer = array.as_ptr();
    }
    for (pointer, array) in of_indices.iter_mut().zip(indices) {
        *pointer = array.as_ptr();
    }
    assert!(
        floats.len() <= MOST && indices.len() <= MOST,
        "room for all"
    );
    #[expect(unsafe_code, reason = "a function in C is called")]
    // SAFETY: the functions of `c/` stay within the lengths that their sizes tell, which each workload hands on as its
    // arrays have them; all pointers live until the call returns.
    unsafe {
        twin(of_floats.as_ptr(), of_indices.as_ptr(), sizes.as_ptr())
    }
}

macro_rules! declare {
    ($($name:ident)*) => {
        #[cfg(twins)]
        mod declared {
            #![expect(unsafe_code, reason = "functions in C are declared so")]
            unsafe extern "C" {
                $(pub(super) fn $name(
                    floats: *const *const f64,
                    indices: *const *const usize,
                    sizes: *const usize,
                ) -> f64;)*
            }
        }

        /// The function `twin_name` in C, where there is a C compiler.
        #[cfg(twins)]
        pub(crate) fn named(name: &str) -> Option<Twin> {
            let all = [$((stringify!($name), declared::$name as Twin)),*];
            let found = all.iter().find(|(twin, _)| twin.strip_prefix("twin_") == Some(name));
            Some(found.expect("the name of a function in C").1)
        }
    };
}

declare! {
    twin_lse twin_llsq twin_gmm twin_kmeans twin_ba twin_lstm twin_ode twin_det twin_power twin_convolution twin_forces
    twin_upwind twin_recurrence twin_smoother twin_spline twin_alignment twin_kalman twin_filter twin_tridiagonal
    twin_lu twin_lulesh
}

/// There is none without the feature `c`.
#[cfg(not(twins))]
pub(crate) fn named(_: &str) -> Option<Twin> {
    None
}
