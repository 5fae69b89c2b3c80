//! The float functions that have a derivative rule.

macro_rules! math_fns {
    ($($variant:ident $name:literal $arity:literal $cost:ident),* $(,)?) => {
        /// A method of `f32`/`f64`, the receiver being the first argument.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub(crate) enum MathFn { $($variant),* }

        impl MathFn {
            /// The method's name in `core`/`std`.
            pub(crate) fn name(self) -> &'static str {
                match self { $(MathFn::$variant => $name),* }
            }

            /// Number of arguments, the receiver included.
            pub(crate) fn arity(self) -> usize {
                match self { $(MathFn::$variant => $arity),* }
            }

            /// Whether it calls into libm (rule 7 of the IR).
            pub(crate) fn is_expensive(self) -> bool {
                match self { $(MathFn::$variant => math_fns!(@$cost)),* }
            }

            pub(crate) fn from_name(name: &str) -> Option<MathFn> {
                match name { $($name => Some(MathFn::$variant),)* _ => None }
            }
        }
    };
    (@libm) => { true };
    (@cheap) => { false };
}

math_fns! {
    Sin "sin" 1 libm, Cos "cos" 1 libm, Tan "tan" 1 libm, Asin "asin" 1 libm, Acos "acos" 1 libm, Atan "atan" 1 libm,
    Sinh "sinh" 1 libm, Cosh "cosh" 1 libm, Tanh "tanh" 1 libm, Asinh "asinh" 1 libm, Acosh "acosh" 1 libm,
    Atanh "atanh" 1 libm, Exp "exp" 1 libm, Exp2 "exp2" 1 libm, ExpM1 "exp_m1" 1 libm, Ln "ln" 1 libm,
    Ln1p "ln_1p" 1 libm, Log2 "log2" 1 libm, Log10 "log10" 1 libm, Log "log" 2 libm, Sqrt "sqrt" 1 cheap,
    Cbrt "cbrt" 1 libm, Powi "powi" 2 libm, Powf "powf" 2 libm, Hypot "hypot" 2 libm, Atan2 "atan2" 2 libm,
    MulAdd "mul_add" 3 cheap, Abs "abs" 1 cheap, Signum "signum" 1 cheap, Copysign "copysign" 2 cheap,
    Min "min" 2 cheap, Max "max" 2 cheap, Clamp "clamp" 3 cheap, Recip "recip" 1 cheap,
    RemEuclid "rem_euclid" 2 cheap, DivEuclid "div_euclid" 2 cheap, Fract "fract" 1 cheap, Floor "floor" 1 cheap,
    Ceil "ceil" 1 cheap, Round "round" 1 cheap, RoundTiesEven "round_ties_even" 1 cheap, Trunc "trunc" 1 cheap,
    ToDegrees "to_degrees" 1 cheap, ToRadians "to_radians" 1 cheap,
}

impl MathFn {
    /// Whether integers have a method of the same name.
    pub(crate) fn is_shared_with_integers(self) -> bool {
        matches!(
            self,
            MathFn::Abs
                | MathFn::Signum
                | MathFn::Min
                | MathFn::Max
                | MathFn::Clamp
                | MathFn::RemEuclid
                | MathFn::DivEuclid
        )
    }
}
