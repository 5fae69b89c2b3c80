//! The rules of the runtime.

macro_rules! rules {
    ($($variant:ident $name:literal $parameters:literal $guard:ident)*) => {
        /// A function of `rules` in the runtime.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub(crate) enum Rule { $($variant),* }

        impl Rule {
            #[cfg(test)]
            pub(crate) const ALL: &[Rule] = &[$(Rule::$variant),*];

            pub(crate) fn name(self) -> &'static str {
                match self { $(Rule::$variant => $name),* }
            }

            /// How many parameters it has, the seed included.
            #[cfg(test)]
            pub(crate) fn parameters(self) -> usize {
                match self { $(Rule::$variant => $parameters),* }
            }

            /// Whether a zero seed gives zero where the partial derivative is singular. It is not part of the formula:
            /// it stays as it is where the formula is differentiated once more, and then asks for value and tangent of
            /// the seed.
            #[cfg_attr(not(test), expect(dead_code, reason = "a mode that differentiates rules will ask for it"))]
            pub(crate) fn is_guarded(self) -> bool {
                match self { $(Rule::$variant => rules!(@$guard)),* }
            }
        }
    };
    (@guarded) => { true };
    (@plain) => { false };
}

rules! {
    // Of functions.
    Sin          "sin"            2 plain
    Cos          "cos"            2 plain
    Tan          "tan"            2 plain
    Asin         "asin"           2 guarded
    Acos         "acos"           2 guarded
    Atan         "atan"           2 plain
    Atan2Lhs     "atan2_lhs"      3 guarded
    Atan2Rhs     "atan2_rhs"      3 guarded
    Sinh         "sinh"           2 plain
    Cosh         "cosh"           2 plain
    Tanh         "tanh"           2 plain
    Asinh        "asinh"          2 plain
    Acosh        "acosh"          2 guarded
    Atanh        "atanh"          2 guarded
    Exp          "exp"            2 plain
    Exp2         "exp2"           2 plain
    ExpM1        "exp_m1"         2 plain
    Ln           "ln"             2 guarded
    Ln1p         "ln_1p"          2 guarded
    Log2         "log2"           2 guarded
    Log10        "log10"          2 guarded
    LogArg       "log_arg"        3 guarded
    LogBase      "log_base"       4 guarded
    Sqrt         "sqrt"           2 guarded
    Cbrt         "cbrt"           2 guarded
    Powi         "powi"           3 guarded
    PowfBase     "powf_base"      4 guarded
    PowfExponent "powf_exponent"  4 guarded
    HypotLhs     "hypot_lhs"      3 guarded
    HypotRhs     "hypot_rhs"      3 guarded
    Recip        "recip"          2 guarded
    RemEuclidRhs "rem_euclid_rhs" 3 guarded
    Abs          "abs"            2 guarded
    Copysign     "copysign"       3 guarded
    MinLhs       "min_lhs"        3 plain
    MinRhs       "min_rhs"        3 plain
    MaxLhs       "max_lhs"        3 plain
    MaxRhs       "max_rhs"        3 plain
    Clamp        "clamp"          4 plain
    ClampLo      "clamp_lo"       4 plain
    ClampHi      "clamp_hi"       4 plain
    ToDegrees    "to_degrees"     1 plain
    ToRadians    "to_radians"     1 plain
    Half         "half"           1 plain
    // Of operators.
    DivLhs       "div_lhs"        2 guarded
    DivRhs       "div_rhs"        3 guarded
    RemRhs       "rem_rhs"        3 guarded
    Cast         "cast"           2 plain
    // What others become where a factor cancels, or divisors are equal.
    SqrtTimes    "sqrt_times"     2 guarded
    DivLhsBy     "div_lhs_by"     2 guarded
    DivRhsBy     "div_rhs_by"     3 guarded
    SqrtBy       "sqrt_by"        2 guarded
    Inverse      "inverse"        1 plain
    // What stands for an operation on adjoints: it is no map of a seed.
    MulAdd       "mul_add"        3 plain
    // Around what is to be a number, or a float, where the text does not show it.
    Number       "number"         1 plain
    Integer      "integer"        1 plain
    // Around what is to be the position of an element.
    Position     "position"       1 plain
    Float        "float"          1 plain
    // The adjoint of a number whose type the text does not show, from that of its cast to a float.
    Uncast       "uncast"         1 plain
    // How many workers share a range.
    Workers      "workers"        2 plain
}
