//! The largest or smallest element of a slice, found as a loop over it finds it.

/// As many elements as are compared at once.
const LANES: usize = 8;

/// Which of two elements is better.
pub trait Better<T> {
    /// Whether an element takes the place of the best one so far.
    fn beats(new: T, best: T) -> bool;
    /// Whether elements that are equal do.
    const EQUAL: bool;
}

macro_rules! better {
    ($($name:ident $operator:tt $equal:literal $what:literal;)*) => { $(
        #[doc = $what]
        #[derive(Clone, Copy, Debug)]
        pub enum $name {}

        impl<T: PartialOrd> Better<T> for $name {
            #[inline(always)]
            fn beats(new: T, best: T) -> bool {
                new $operator best
            }

            const EQUAL: bool = $equal;
        }
    )* };
}
better! {
    Greater > false "The first of the largest elements.";
    GreaterOrEqual >= true "The last of the largest elements.";
    Less < false "The first of the smallest elements.";
    LessOrEqual <= true "The last of the smallest elements.";
}

/// What `for k in 0..x.len() { if B::beats(x[k], best) { best = x[k]; found = Some(k); } }` leaves in `found`.
#[inline]
#[must_use]
pub fn search<B: Better<T>, T: Copy + PartialOrd>(x: &[T], mut best: T) -> Option<usize> {
    let (blocks, rest) = x.as_chunks::<LANES>();
    let mut found = None;
    if blocks.len() > 1 {
        // A lane that has found nothing holds the number of a block that is not there.
        let mut lanes = [best; LANES];
        let mut at = [usize::MAX; LANES];
        for (k, block) in blocks.iter().enumerate() {
            for lane in 0..LANES {
                let beats = B::beats(block[lane], lanes[lane]);
                lanes[lane] = if beats { block[lane] } else { lanes[lane] };
                at[lane] = if beats { k } else { at[lane] };
            }
        }
        for lane in 0..LANES {
            if at[lane] == usize::MAX {
                continue;
            }
            let k = at[lane] * LANES + lane;
            let equal = lanes[lane] == best;
            let better = match found {
                Some(other) if equal => (k > other) == B::EQUAL,
                _ => B::beats(lanes[lane], best),
            };
            if better {
                (best, found) = (lanes[lane], Some(k));
            }
        }
    }
    let done = x.len()
        - if blocks.len() > 1 {
            rest.len()
        } else {
            x.len()
        };
    for (k, value) in x.iter().enumerate().skip(done) {
        if B::beats(*value, best) {
            (best, found) = (*value, Some(k));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain<B: Better<f64>>(x: &[f64], mut best: f64) -> Option<usize> {
        let mut found = None;
        for (k, value) in x.iter().enumerate() {
            if B::beats(*value, best) {
                (best, found) = (*value, Some(k));
            }
        }
        found
    }

    fn agree<B: Better<f64>>(x: &[f64], start: f64) {
        assert_eq!(
            search::<B, f64>(x, start),
            plain::<B>(x, start),
            "{x:?} from {start}"
        );
    }

    /// Few different numbers, so that most are equal to others, with both zeros, infinities and NaN.
    #[test]
    fn the_same_as_one_by_one() {
        let values = [
            0.0,
            -0.0,
            1.0,
            -1.0,
            f64::NAN,
            f64::INFINITY,
            f64::NEG_INFINITY,
            0.5,
        ];
        let mut state = 1_u64;
        let mut draw = |n: usize| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % n
        };
        for round in 0..4000 {
            let n = draw(60);
            let kinds = 1 + draw(values.len());
            let x: Vec<f64> = (0..n).map(|_| values[draw(kinds)]).collect();
            for start in [values[round % values.len()], 0.25] {
                agree::<Greater>(&x, start);
                agree::<GreaterOrEqual>(&x, start);
                agree::<Less>(&x, start);
                agree::<LessOrEqual>(&x, start);
            }
        }
    }
}
