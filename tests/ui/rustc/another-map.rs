//! A type that is called like one of std, which the file imports elsewhere.

mod maps {
    /// So that the text does not show that there is another.
    macro_rules! map {
        ($name:ident) => {
            pub struct $name<K, V> {
                pub key: K,
                pub value: V,
            }
        };
    }

    map!(HashMap);
}

mod beside {
    use std::collections::HashMap;

    pub fn count(map: &HashMap<u8, u8>) -> usize {
        map.len()
    }
}

mod here {
    use crate::maps::HashMap;

    #[retrograde::gradient]
    pub fn scaled(x: f64, map: &HashMap<u8, u8>) -> f64 {
        x * f64::from(map.value)
    }
}

fn main() {}
