//! Traits of the package that numbers alone have, which the files that use them do not show.

pub trait BaseNum: Copy + num_traits::Num + num_traits::NumCast + PartialOrd {}

impl<T> BaseNum for T where T: Copy + num_traits::Num + num_traits::NumCast + PartialOrd {}

pub trait Exact: BaseNum {
    fn squared(self) -> Self {
        self * self
    }
}

impl Exact for f32 {}
impl Exact for f64 {}
