//! A statement fragment cannot be read again inside a function that a macro writes.

use retrograde::gradient;

macro_rules! function {
    ($name:ident, $($statement:stmt;)*) => {
        #[gradient]
        fn $name(x: f64) -> f64 {
            $($statement)*
            x * x
        }
    };
}
function!(square, let a = 1.0;);

fn main() {}
