//! What a gradient can do: the vector-space operations of tangents.

/// A gradient, adjoint or direction: a value of a vector space.
///
/// Provided for `f32`, `f64`, `()` (the tangent of what has none), and arrays, slices, [`Vec`],
/// tuples, [`Option`] and [`Box`] of tangents, element by element.
///
/// ```
/// use ad_runtime::Tangent;
///
/// let mut a = vec![1.0, 2.0];
/// a.accumulate(&vec![10.0, 20.0]);
/// a.scale(0.5);
/// assert_eq!(a, [5.5, 11.0]);
/// assert_eq!(a.dot(&vec![2.0, 0.0]), 11.0);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tangent",
    label = "a gradient of this type cannot be accumulated",
    note = "tangents are `f32`, `f64`, `()`, and arrays, slices, `Vec`, tuples, `Option` and `Box` \
            of tangents"
)]
pub trait Tangent {
    /// `self += other`.
    ///
    /// # Panics
    ///
    /// If the lengths differ, or one is `None` and the other is not.
    fn accumulate(&mut self, other: &Self);

    /// `self *= factor`. An `f32` rounds the factor first.
    fn scale(&mut self, factor: f64);

    /// Sets every number to zero, whatever it was, and keeps the shape.
    fn set_zero(&mut self);

    /// The scalar product, summed in `f64` from the first element to the last.
    ///
    /// # Panics
    ///
    /// If the lengths differ, or one is `None` and the other is not.
    fn dot(&self, other: &Self) -> f64;

    /// The Euclidean norm: the root of [`dot`](Self::dot) with itself.
    ///
    /// ```
    /// use ad_runtime::Tangent;
    ///
    /// assert_eq!((3.0, [0.0, 4.0]).norm(), 5.0);
    /// ```
    #[inline]
    fn norm(&self) -> f64 {
        self.dot(self).sqrt()
    }
}

macro_rules! floats {
    ($($float:ident)*) => {$(
        impl Tangent for $float {
            #[inline(always)]
            fn accumulate(&mut self, other: &Self) {
                *self += *other;
            }

            #[inline(always)]
            fn scale(&mut self, factor: f64) {
                *self *= factor as $float;
            }

            #[inline(always)]
            fn set_zero(&mut self) {
                *self = 0.0;
            }

            #[inline(always)]
            fn dot(&self, other: &Self) -> f64 {
                f64::from(*self) * f64::from(*other)
            }
        }
    )*};
}

floats! { f32 f64 }

impl Tangent for () {
    #[inline(always)]
    fn accumulate(&mut self, (): &()) {}

    #[inline(always)]
    fn scale(&mut self, _: f64) {}

    #[inline(always)]
    fn set_zero(&mut self) {}

    #[inline(always)]
    fn dot(&self, (): &()) -> f64 {
        0.0
    }
}

#[cold]
#[inline(never)]
#[track_caller]
pub(crate) fn lengths_differ(what: &str, left: usize, right: usize) -> ! {
    panic!("retrograde: {what} of length {left} and {right}; they must be equal");
}

#[cold]
#[inline(never)]
#[track_caller]
pub(crate) fn presence_differs(what: &str, left: bool) -> ! {
    let name = |present| if present { "Some" } else { "None" };
    panic!(
        "retrograde: {what} of `{}` and `{}`; they must be alike",
        name(left),
        name(!left)
    );
}

impl<T: Tangent> Tangent for [T] {
    #[inline]
    fn accumulate(&mut self, other: &Self) {
        if self.len() != other.len() {
            lengths_differ("sum of tangents", self.len(), other.len());
        }
        for (a, b) in self.iter_mut().zip(other) {
            a.accumulate(b);
        }
    }

    #[inline]
    fn scale(&mut self, factor: f64) {
        self.iter_mut().for_each(|a| a.scale(factor));
    }

    #[inline]
    fn set_zero(&mut self) {
        self.iter_mut().for_each(T::set_zero);
    }

    #[inline]
    fn dot(&self, other: &Self) -> f64 {
        if self.len() != other.len() {
            lengths_differ("scalar product of tangents", self.len(), other.len());
        }
        self.iter()
            .zip(other)
            .fold(0.0, |sum, (a, b)| sum + a.dot(b))
    }
}

/// Tangents whose numbers are those of another tangent that they own or deref to.
macro_rules! through {
    ($([$($generics:tt)*] $ty:ty => $inner:ty;)*) => {$(
        impl<$($generics)*> Tangent for $ty {
            #[inline]
            fn accumulate(&mut self, other: &Self) {
                <$inner>::accumulate(self, other);
            }

            #[inline]
            fn scale(&mut self, factor: f64) {
                <$inner>::scale(self, factor);
            }

            #[inline]
            fn set_zero(&mut self) {
                <$inner>::set_zero(self);
            }

            #[inline]
            fn dot(&self, other: &Self) -> f64 {
                <$inner>::dot(self, other)
            }
        }
    )*};
}

through! {
    [T: Tangent, const N: usize] [T; N] => [T];
    [T: Tangent] Vec<T> => [T];
    [T: Tangent + ?Sized] Box<T> => T;
}

impl<T: Tangent> Tangent for Option<T> {
    fn accumulate(&mut self, other: &Self) {
        match (self, other) {
            (Some(a), Some(b)) => a.accumulate(b),
            (None, None) => {}
            (left, _) => presence_differs("sum of tangents", left.is_some()),
        }
    }

    fn scale(&mut self, factor: f64) {
        if let Some(a) = self {
            a.scale(factor);
        }
    }

    fn set_zero(&mut self) {
        if let Some(a) = self {
            a.set_zero();
        }
    }

    fn dot(&self, other: &Self) -> f64 {
        match (self, other) {
            (Some(a), Some(b)) => a.dot(b),
            (None, None) => 0.0,
            (left, _) => presence_differs("scalar product of tangents", left.is_some()),
        }
    }
}

macro_rules! tuples {
    ($(($($name:ident $at:tt)+))*) => {$(
        impl<$($name: Tangent),+> Tangent for ($($name,)+) {
            #[inline(always)]
            fn accumulate(&mut self, other: &Self) {
                $(self.$at.accumulate(&other.$at);)+
            }

            #[inline(always)]
            fn scale(&mut self, factor: f64) {
                $(self.$at.scale(factor);)+
            }

            #[inline(always)]
            fn set_zero(&mut self) {
                $(self.$at.set_zero();)+
            }

            #[inline(always)]
            fn dot(&self, other: &Self) -> f64 {
                let mut sum = 0.0;
                $(sum += self.$at.dot(&other.$at);)+
                sum
            }
        }
    )*};
}

tuples! {
    (A 0)
    (A 0 B 1)
    (A 0 B 1 C 2)
    (A 0 B 1 C 2 D 3)
    (A 0 B 1 C 2 D 3 E 4)
    (A 0 B 1 C 2 D 3 E 4 F 5)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10 L 11)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tangents_add_element_by_element() {
        let mut a = ([1.0, 2.0], Some(vec![(3.0_f32, ())]), Box::new(4.0));
        let b = ([10.0, 20.0], Some(vec![(30.0_f32, ())]), Box::new(40.0));
        a.accumulate(&b);
        assert_eq!(a, ([11.0, 22.0], Some(vec![(33.0, ())]), Box::new(44.0)));
        a.scale(2.0);
        assert_eq!(a, ([22.0, 44.0], Some(vec![(66.0, ())]), Box::new(88.0)));
        assert_eq!(b.dot(&b), 100.0 + 400.0 + 900.0 + 1600.0);
    }

    #[test]
    fn zero_is_set_over_nan() {
        let mut a = vec![[f64::NAN, f64::INFINITY]; 2];
        a.set_zero();
        assert_eq!(a, [[0.0; 2]; 2]);
    }

    #[test]
    #[should_panic(expected = "sum of tangents of length 2 and 3")]
    fn lengths_must_agree() {
        vec![0.0; 2].accumulate(&vec![0.0; 3]);
    }

    #[test]
    #[should_panic(expected = "sum of tangents of `None` and `Some`")]
    fn presence_must_agree() {
        None.accumulate(&Some(1.0));
    }
}
