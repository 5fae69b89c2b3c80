//! Code that is the same for every trait and every `impl`, which generated code takes from here.

/// What an `impl` of [`HasGradient`] consists of, beside its checks.
#[doc(hidden)]
#[macro_export]
macro_rules! __erased {
    () => {
        fn __copy(&self) -> Self {
            $crate::__rt::copy_field!(self)
        }

        fn __zero_tangent(&self) -> $crate::DynTangent {
            use $crate::__rt::dynamic::{Of, OfAnything as _, OfDifferentiable as _, OfFlat as _};
            (&&&Of::<Self>::NEW).zero(self)
        }

        fn __step(&mut self, scale: f64, tangent: &$crate::DynTangent) {
            use $crate::__rt::dynamic::{Of, OfAnything as _, OfDifferentiable as _, OfFlat as _};
            (&&&Of::<Self>::NEW).step(self, scale, tangent);
        }

        fn __check_shape(
            &self,
            tangent: &$crate::DynTangent,
        ) -> ::core::result::Result<(), $crate::ShapeError> {
            use $crate::__rt::dynamic::{Of, OfAnything as _, OfDifferentiable as _, OfFlat as _};
            (&&&Of::<Self>::NEW).check(self, tangent)
        }

        fn __len_flat(&self) -> usize {
            use $crate::__rt::dynamic::{Of, OfFlatValue as _, OfOther as _};
            (&&Of::<Self>::NEW).len_flat(self)
        }

        fn __write_front<'__numbers>(&self, out: &'__numbers mut [f64]) -> &'__numbers mut [f64] {
            use $crate::__rt::dynamic::{Of, OfFlatValue as _, OfOther as _};
            (&&Of::<Self>::NEW).write_front(self, out)
        }

        fn __read_front<'__numbers>(&mut self, numbers: &'__numbers [f64]) -> &'__numbers [f64] {
            use $crate::__rt::dynamic::{Of, OfFlatValue as _, OfOther as _};
            (&&Of::<Self>::NEW).read_front(self, numbers)
        }

        fn __name_parts(&self, names: &mut $crate::FlatNames) {
            use $crate::__rt::dynamic::{Of, OfFlatValue as _, OfOther as _};
            (&&Of::<Self>::NEW).name_parts(self, names);
        }
    };
}

/// The reverse sweep of a method of a type, for who knows the numbers of its tangent alone.
#[doc(hidden)]
#[macro_export]
macro_rules! __through_numbers {
    ($this:expr, $tangent:ident, |$own:ident| $reverse:expr) => {{
        use $crate::__rt::dynamic::{Of, OfAnything as _, OfDifferentiable as _, OfFlat as _};
        let mut opened = (&&&Of::<Self>::NEW).open(&*$this, &*$tangent);
        let $own = &mut opened;
        $reverse;
        (&&&Of::<Self>::NEW).close(&opened, $tangent);
    }};
}

/// The witness of a method of a `dyn Trait`, and the receiver of its sweeps: types beside the trait, which can have
/// methods of any name.
#[doc(hidden)]
#[macro_export]
macro_rules! __receivers {
    ($vis:vis $witness:ident $receiver:ident [&$($mut:ident)?] $kind:ident) => {
        #[doc(hidden)]
        $vis struct $witness<This: ?::core::marker::Sized, Of>(::core::marker::PhantomData<(Of, *const This)>);

        #[doc(hidden)]
        $vis struct $receiver<'this, This: ?::core::marker::Sized, Of>(
            &'this $($mut)? This,
            ::core::marker::PhantomData<Of>,
        );

        impl<This: ?::core::marker::Sized, Of> $crate::__rt::Witness for $witness<This, Of> {
            const NEW: Self = $witness(::core::marker::PhantomData);
            type Of = This;
            type ByValue<T: ?::core::marker::Sized> =
                <$crate::__rt::Provided<$crate::__rt::$kind<This>> as $crate::__rt::Witness>::ByValue<T>;
            type ByRef<T: ?::core::marker::Sized> =
                <$crate::__rt::Provided<$crate::__rt::$kind<This>> as $crate::__rt::Witness>::ByRef<T>;
            type ByMut<T: ?::core::marker::Sized> =
                <$crate::__rt::Provided<$crate::__rt::$kind<This>> as $crate::__rt::Witness>::ByMut<T>;
            type BehindRef<T: ?::core::marker::Sized> =
                <$crate::__rt::Provided<$crate::__rt::$kind<This>> as $crate::__rt::Witness>::BehindRef<T>;
            type BehindMut<T: ?::core::marker::Sized> =
                <$crate::__rt::Provided<$crate::__rt::$kind<This>> as $crate::__rt::Witness>::BehindMut<T>;
            type Place<'p, T: ?::core::marker::Sized + 'p> = $crate::__rt::std::boxed::Box<T>;
            type Scope = $crate::__rt::Anywhere;
            type Anywhere = Self;
        }

        impl<This: ?::core::marker::Sized, Of> ::core::clone::Clone for $witness<This, Of> {
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<This: ?::core::marker::Sized, Of> ::core::marker::Copy for $witness<This, Of> {}

        impl<This: ?::core::marker::Sized, Of> $crate::__rt::ReceiveMut for $witness<This, Of> {
            type Receiver<'a>
                = $receiver<'a, This, Of>
            where
                This: 'a,
                Of: 'a;

            #[inline(always)]
            fn receive<P: $crate::__rt::Holds<This> + ?::core::marker::Sized>(
                place: &mut P,
            ) -> $receiver<'_, This, Of> {
                $receiver(
                    $crate::__receivers! { @held P This place $($mut)? },
                    ::core::marker::PhantomData,
                )
            }
        }

        $crate::__receivers! { @shared $witness $receiver $($mut)? }
    };
    (@held $place_of:ident $this:ident $place:ident mut) => {
        <$place_of as $crate::__rt::Holds<$this>>::held_mut($place)
    };
    (@held $place_of:ident $this:ident $place:ident) => {
        <$place_of as $crate::__rt::Holds<$this>>::held($place)
    };
    (@shared $witness:ident $receiver:ident mut) => {};
    (@shared $witness:ident $receiver:ident) => {
        impl<This: ?::core::marker::Sized, Of> $crate::__rt::Receive for $witness<This, Of> {
            type Receiver<'a>
                = $receiver<'a, This, Of>
            where
                This: 'a,
                Of: 'a;

            #[inline(always)]
            fn receive(of: &This) -> $receiver<'_, This, Of> {
                $receiver(of, ::core::marker::PhantomData)
            }
        }
    };
}

/// What a `dyn Trait` is.
#[doc(hidden)]
#[macro_export]
macro_rules! __object {
    (
        [$($head:tt)*] [$($params:tt)*] [$object:ty] [$($clause:tt)*] [$gradient:path] [$hidden:path]
        $boxed:ident $kept:ident $text:literal
    ) => {
        $($head)*
        #[diagnostic::do_not_recommend]
        impl $($params)* $crate::__rt::dynamic::Dynamic for $object $($clause)* {
            type Tangent = $crate::DynTangent;
        }

        $($head)*
        impl $($params)* $crate::__rt::dynamic::Keep for $object $($clause)* {
            fn keep(&mut self, run: &mut dyn ::core::ops::FnMut(&mut Self)) {
                <Self as $hidden>::$kept(self, run);
            }
        }

        $($head)*
        #[diagnostic::do_not_recommend]
        impl $($params)* $crate::Duplicate for $object $($clause)* {
            fn is_duplicate(&self, _: &Self) -> bool {
                $crate::__rt::dynamic::incomparable($text)
            }
        }

        $($head)*
        #[diagnostic::do_not_recommend]
        impl $($params)* $crate::Duplicate for $crate::__rt::std::boxed::Box<$object> $($clause)* {
            fn duplicate(&self) -> Self {
                <$object as $hidden>::$boxed(&**self)
            }

            fn is_duplicate(&self, _: &Self) -> bool {
                $crate::__rt::dynamic::incomparable($text)
            }
        }

        $($head)*
        #[diagnostic::do_not_recommend]
        impl $($params)* $crate::Differentiable for $object $($clause)* {
            type Tangent = $crate::DynTangent;

            fn zero_tangent(&self) -> $crate::DynTangent {
                <Self as $gradient>::__zero_tangent(self)
            }

            fn step(&mut self, scale: f64, tangent: &$crate::DynTangent) {
                <Self as $gradient>::__step(self, scale, tangent);
            }

            fn check_shape(
                &self,
                tangent: &$crate::DynTangent,
            ) -> ::core::result::Result<(), $crate::ShapeError> {
                <Self as $gradient>::__check_shape(self, tangent)
            }
        }

        $($head)*
        #[diagnostic::do_not_recommend]
        impl $($params)* $crate::Flat for $object $($clause)* {
            fn len_flat(&self) -> usize {
                <Self as $gradient>::__len_flat(self)
            }

            fn write_front<'__numbers>(&self, out: &'__numbers mut [f64]) -> &'__numbers mut [f64] {
                <Self as $gradient>::__write_front(self, out)
            }

            fn read_front<'__numbers>(&mut self, numbers: &'__numbers [f64]) -> &'__numbers [f64] {
                <Self as $gradient>::__read_front(self, numbers)
            }

            fn name_parts(&self, names: &mut $crate::FlatNames) {
                <Self as $gradient>::__name_parts(self, names);
            }
        }
    };
}
