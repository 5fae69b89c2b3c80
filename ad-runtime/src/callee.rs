//! Functions whose sweeps a caller does not see in the text.

/// What no function has that is called for its derivative without one: where generated code looks for the type with the
/// sweeps, it finds another one, which asks for this.
#[diagnostic::on_unimplemented(
    message = "a function is called with a value that has a derivative, and no derivative of it is in scope",
    label = "it has no `#[gradient]`, or what has its derivative is not imported with it",
    note = "put `#[gradient]` above the function, or cut the derivative on purpose with `no_gradient(…)`; for one of \
            another crate, write a function under `#[gradient]` that does the same, or a rule, \
            `#[derivative_of(path)]`, and import the function by its name"
)]
pub trait HasSweeps {}

/// A function whose sweeps are there, and are not called.
pub trait Required {
    /// Nothing, unless they are missing.
    fn __required() {}
}

impl<T: ?Sized> Required for T {}

/// A function, by the place of its module and its name. What has its derivative may be private where it is called.
#[derive(Debug)]
pub struct Place<const AT: u64>;

/// Where the sweeps of a function in a module of its own name are: there is one for each place.
#[diagnostic::on_unimplemented(
    message = "the derivative of this function is not found here",
    label = "it stands in a private module of its name",
    note = "put `#[gradient]` above the function, or write `pub(crate) mod name;` where its module is declared: what \
            re-exports the function alone leaves its derivative behind"
)]
pub trait Reveals<S: ?Sized> {
    /// The type that has them.
    type Sweeps: ?Sized;
}

/// The place of a function of the module of this path.
pub const fn place(module: &str, function: &str) -> u64 {
    let of_module = hashed(hashed(START, module), "::");
    hashed(of_module, function)
}

/// The place of a function behind a path, which begins so many modules above one, or in the root of its crate.
pub const fn place_behind(module: &str, up: Option<usize>, path: &str) -> u64 {
    let bytes = module.as_bytes();
    let mut end = bytes.len();
    let mut left = match up {
        Some(up) => up,
        None => usize::MAX,
    };
    while left > 0 {
        let mut at = end;
        while at > 0 && bytes[at - 1] != b':' {
            at -= 1;
        }
        if at == 0 {
            break;
        }
        end = at - 2;
        left -= 1;
    }
    let (own, _) = bytes.split_at(end);
    hashed(hashed(hashed_bytes(START, own), "::"), path)
}

const START: u64 = 0xcbf2_9ce4_8422_2325;

const fn hashed(hash: u64, text: &str) -> u64 {
    hashed_bytes(hash, text.as_bytes())
}

/// FNV-1a.
const fn hashed_bytes(mut hash: u64, bytes: &[u8]) -> u64 {
    let mut at = 0;
    while at < bytes.len() {
        hash = (hash ^ bytes[at] as u64).wrapping_mul(0x0100_0000_01b3);
        at += 1;
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::{place, place_behind};

    #[test]
    fn a_place_is_one_by_all_paths() {
        let of = place("a::b::c", "c");
        assert_eq!(of, place_behind("a::x::y", None, "b::c::c"));
        assert_eq!(of, place_behind("a", None, "b::c::c"));
        assert_eq!(of, place_behind("a::b", Some(0), "c::c"));
        assert_eq!(of, place_behind("a::b::d::e", Some(2), "c::c"));
        assert_ne!(of, place_behind("a::b::d::e", Some(1), "c::c"));
    }
}
