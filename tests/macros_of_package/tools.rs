//! Macros for the modules behind this one.

macro_rules! positive_or {
    ($x:expr, $leave:expr) => {{
        if $x < 0.0 {
            $leave
        }
    }};
}

macro_rules! square {
    ($x:expr) => {{
        let side = $x;
        side * side
    }};
}
