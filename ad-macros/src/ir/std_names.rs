//! Where Rust finds methods of std for containers, options and numbers, by their names.

use super::Ty;

/// How a method takes its receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Takes {
    Value,
    Shared,
    Exclusive,
}

/// What a method of std's belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Owner {
    /// The type itself.
    Type,
    /// The slice that the type leads to.
    Slice,
    /// Neither: slices have no method of this name, though vectors have.
    Nothing,
}

const OF_SLICES: &[(&str, Takes)] = &[
    (
        "chunks chunks_exact concat first get is_empty iter last len rchunks rchunks_exact",
        Takes::Shared,
    ),
    (
        "split_at split_first split_last to_vec windows",
        Takes::Shared,
    ),
    (
        "chunks_exact_mut chunks_mut clone_from_slice copy_from_slice copy_within fill fill_with",
        Takes::Exclusive,
    ),
    (
        "first_mut get_mut iter_mut last_mut rchunks_exact_mut rchunks_mut reverse rotate_left",
        Takes::Exclusive,
    ),
    (
        "rotate_right select_nth_unstable select_nth_unstable_by select_nth_unstable_by_key sort",
        Takes::Exclusive,
    ),
    (
        "sort_by sort_by_cached_key sort_by_key sort_unstable sort_unstable_by",
        Takes::Exclusive,
    ),
    (
        "sort_unstable_by_key split_at_mut split_first_mut split_last_mut swap swap_with_slice",
        Takes::Exclusive,
    ),
];

const OF_VEC: &[(&str, Takes)] = &[
    ("as_slice clone is_empty len to_owned", Takes::Shared),
    (
        "append as_mut_slice clear clone_from dedup dedup_by dedup_by_key drain extend",
        Takes::Exclusive,
    ),
    (
        "extend_from_slice insert pop push remove resize resize_with retain split_off",
        Takes::Exclusive,
    ),
    (
        "reserve reserve_exact shrink_to_fit swap_remove truncate",
        Takes::Exclusive,
    ),
];

const OF_QUEUES: &[(&str, Takes)] = &[
    (
        "back clone front get is_empty iter len to_owned",
        Takes::Shared,
    ),
    (
        "append back_mut clear clone_from drain extend front_mut get_mut insert iter_mut pop_back",
        Takes::Exclusive,
    ),
    (
        "pop_front push_back push_front remove resize resize_with retain rotate_left rotate_right",
        Takes::Exclusive,
    ),
    (
        "reserve reserve_exact shrink_to_fit split_off swap truncate",
        Takes::Exclusive,
    ),
];

const OF_ARRAYS: &[(&str, Takes)] = &[
    ("map", Takes::Value),
    ("as_slice clone to_owned", Takes::Shared),
    ("as_mut_slice clone_from", Takes::Exclusive),
];

const OF_OPTIONS: &[(&str, Takes)] = &[
    (
        "and and_then cloned copied expect filter flatten is_none_or is_some_and map map_or",
        Takes::Value,
    ),
    (
        "map_or_else ok_or ok_or_else or or_else unwrap unwrap_or unwrap_or_default",
        Takes::Value,
    ),
    ("unwrap_or_else xor zip", Takes::Value),
    (
        "as_deref as_ref clone is_none is_some iter to_owned",
        Takes::Shared,
    ),
    (
        "as_deref_mut as_mut clone_from get_or_insert get_or_insert_with insert iter_mut replace",
        Takes::Exclusive,
    ),
    ("take", Takes::Exclusive),
];

const OF_INTEGERS: &[(&str, Takes)] = &[
    (
        "abs abs_diff cast_signed cast_unsigned checked_abs checked_add checked_add_signed",
        Takes::Value,
    ),
    (
        "checked_add_unsigned checked_div checked_div_euclid checked_ilog checked_ilog10 checked_ilog2",
        Takes::Value,
    ),
    (
        "checked_isqrt checked_mul checked_neg checked_next_multiple_of checked_next_power_of_two checked_pow",
        Takes::Value,
    ),
    (
        "checked_rem checked_rem_euclid checked_shl checked_shr checked_signed_diff checked_sub",
        Takes::Value,
    ),
    (
        "checked_sub_signed checked_sub_unsigned count_ones count_zeros div_ceil div_euclid ilog ilog10 ilog2",
        Takes::Value,
    ),
    (
        "is_multiple_of is_negative is_positive is_power_of_two isqrt leading_ones leading_zeros midpoint",
        Takes::Value,
    ),
    (
        "next_multiple_of next_power_of_two overflowing_abs overflowing_add overflowing_div overflowing_mul",
        Takes::Value,
    ),
    (
        "overflowing_neg overflowing_pow overflowing_rem overflowing_shl overflowing_shr overflowing_sub pow",
        Takes::Value,
    ),
    (
        "rem_euclid reverse_bits rotate_left rotate_right saturating_add saturating_add_signed",
        Takes::Value,
    ),
    (
        "saturating_add_unsigned saturating_div saturating_mul saturating_neg saturating_pow saturating_sub",
        Takes::Value,
    ),
    (
        "saturating_sub_signed saturating_sub_unsigned signum swap_bytes to_be to_le trailing_ones",
        Takes::Value,
    ),
    (
        "trailing_zeros unsigned_abs wrapping_abs wrapping_add wrapping_add_signed wrapping_add_unsigned",
        Takes::Value,
    ),
    (
        "wrapping_div wrapping_div_euclid wrapping_mul wrapping_neg wrapping_next_power_of_two wrapping_pow",
        Takes::Value,
    ),
    (
        "wrapping_rem wrapping_rem_euclid wrapping_shl wrapping_shr wrapping_sub wrapping_sub_signed",
        Takes::Value,
    ),
    ("wrapping_sub_unsigned", Takes::Value),
];

const OF_BOOL: &[(&str, Takes)] = &[("then then_some", Takes::Value)];

/// Of iterators, those that take `&mut self`, with their number of arguments.
const OF_CHAINS: &[(&str, usize)] = &[
    ("by_ref next next_back peek", 0),
    (
        "all any find find_map nth nth_back position rfind rposition try_for_each",
        1,
    ),
    ("try_fold try_rfold", 2),
];

const TABLES: &[&[(&str, Takes)]] = &[
    OF_SLICES,
    OF_VEC,
    OF_QUEUES,
    OF_ARRAYS,
    OF_OPTIONS,
    OF_INTEGERS,
    OF_BOOL,
];

fn found(table: &[(&str, Takes)], name: &str) -> Option<Takes> {
    let names = |of: &str| of.split(' ').any(|own| own == name);
    table
        .iter()
        .find(|(of, _)| names(of))
        .map(|(_, takes)| *takes)
}

/// Whether std has a method of this name for some such type.
pub(crate) fn is_of_std_by_name(name: &str) -> bool {
    TABLES.iter().any(|table| found(table, name).is_some())
}

/// Whether std has a method of this name that takes an iterator by exclusive reference, and so many arguments.
pub(crate) fn is_of_chains(name: &str, args: usize) -> bool {
    let named = |of: &str| of.split(' ').any(|own| own == name);
    OF_CHAINS
        .iter()
        .any(|(of, takes)| *takes == args && named(of))
}

/// Where Rust finds std's method of this name for values of this type.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "other types have no methods of std's that are understood"
)]
pub(crate) fn std_method(ty: &Ty, name: &str) -> Option<(Owner, Takes)> {
    let own = match ty {
        Ty::Vec(_) => OF_VEC,
        Ty::Queue(_) => OF_QUEUES,
        Ty::Array(..) => OF_ARRAYS,
        Ty::Option(_) => OF_OPTIONS,
        Ty::Int(_) => OF_INTEGERS,
        Ty::Bool => OF_BOOL,
        Ty::Slice(_) => &[],
        _ => return None,
    };
    if let Some(takes) = found(own, name) {
        return Some((Owner::Type, takes));
    }
    if let (Ty::Slice(_), None, Some(takes)) = (ty, found(OF_SLICES, name), found(OF_VEC, name)) {
        return matches!(takes, Takes::Exclusive).then_some((Owner::Nothing, takes));
    }
    match ty {
        Ty::Vec(_) | Ty::Array(..) | Ty::Slice(_) => {
            found(OF_SLICES, name).map(|takes| (Owner::Slice, takes))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_runtime_has_every_name() {
        let runtime = include_str!("../../../ad-runtime/src/std_names.rs");
        let known: Vec<&str> = runtime.split_whitespace().collect();
        let names = TABLES.concat().into_iter().map(|(names, _)| names);
        for names in names.chain(OF_CHAINS.iter().map(|(names, _)| *names)) {
            for name in names.split(' ') {
                assert!(known.contains(&name), "{name}");
            }
        }
    }

    #[test]
    fn a_vector_has_what_slices_have_behind_its_own() {
        let vector = Ty::Vec(Box::new(Ty::F64));
        assert_eq!(
            std_method(&vector, "len"),
            Some((Owner::Type, Takes::Shared))
        );
        assert_eq!(
            std_method(&vector, "swap"),
            Some((Owner::Slice, Takes::Exclusive))
        );
        assert_eq!(std_method(&vector, "map"), None);
        let slice = Ty::Slice(Box::new(Ty::F64));
        assert_eq!(
            std_method(&slice, "pop"),
            Some((Owner::Nothing, Takes::Exclusive))
        );
        assert_eq!(std_method(&Ty::F64, "len"), None);
    }
}
