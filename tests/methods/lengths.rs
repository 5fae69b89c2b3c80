//! Methods called `len` that measure: the file has one that returns a float.

use super::support::check;

const FOUR: &[&[f64]] = &[
    &[0.7, -1.3, 2.1, 0.4],
    &[1.5, 0.3, -0.8, 2.2],
    &[-0.6, 1.1, 0.9, -1.7],
];

/// Of what another method returned.
mod made {
    use retrograde::gradient;
    use retrograde::{Differentiable, Record};

    #[derive(Clone, Copy, Debug, PartialEq, Differentiable, Record)]
    struct V {
        x: f64,
        y: f64,
    }
    #[gradient]
    impl V {
        fn len(self) -> f64 {
            self.x.hypot(self.y)
        }
        fn scale(self, k: f64) -> V {
            V {
                x: self.x * k,
                y: self.y * k,
            }
        }
    }
    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let v = V { x: x[0], y: x[1] };
        let w = v.scale(x[2]);
        w.len() * v.len() + v.scale(2.0).len()
    }
}

/// Of parameters.
mod given {
    use retrograde::gradient;
    use retrograde::{Differentiable, Record};

    #[derive(Clone, Copy, Debug, PartialEq, Differentiable, Record)]
    struct V {
        x: f64,
        y: f64,
    }
    #[gradient]
    impl std::ops::Sub for V {
        type Output = V;
        fn sub(self, o: V) -> V {
            V {
                x: self.x - o.x,
                y: self.y - o.y,
            }
        }
    }
    #[gradient]
    impl V {
        fn len(&self) -> f64 {
            self.x.hypot(self.y)
        }
        fn unit(&self) -> V {
            let l = self.len();
            V {
                x: self.x / l,
                y: self.y / l,
            }
        }
    }
    #[gradient]
    fn g(v: &V, w: V) -> f64 {
        v.len() * w.len() + (*v - w).len() + v.unit().x * w.unit().y
    }
    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        g(&V { x: x[0], y: x[1] }, V { x: x[2], y: x[3] })
    }
}

/// The distance from a segment.
mod segment {
    use retrograde::gradient;
    use retrograde::{Differentiable, Record};

    #[derive(Clone, Copy, Debug, PartialEq, Differentiable, Record)]
    struct V {
        x: f64,
        y: f64,
    }
    #[gradient]
    impl std::ops::Sub for V {
        type Output = V;
        fn sub(self, o: V) -> V {
            V {
                x: self.x - o.x,
                y: self.y - o.y,
            }
        }
    }
    #[gradient]
    impl V {
        fn dot(self, o: V) -> f64 {
            self.x * o.x + self.y * o.y
        }
        fn len(self) -> f64 {
            self.dot(self).sqrt()
        }
        fn lerp(self, o: V, t: f64) -> V {
            V {
                x: self.x + (o.x - self.x) * t,
                y: self.y + (o.y - self.y) * t,
            }
        }
    }
    #[gradient]
    fn dist(p: V, a: V, b: V) -> f64 {
        let ab = b - a;
        let t = ((p - a).dot(ab) / ab.dot(ab)).clamp(0.0, 1.0);
        (p - a.lerp(b, t)).len()
    }
    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        dist(
            V { x: x[0], y: x[1] },
            V { x: x[2], y: x[3] },
            V { x: -1.0, y: 0.5 },
        )
    }
}

#[test]
fn of_what_was_returned() {
    check(made::f, made::f_grad, FOUR);
}

#[test]
fn of_parameters() {
    check(given::f, given::f_grad, FOUR);
}

#[test]
fn distance_from_a_segment() {
    check(segment::f, segment::f_grad, FOUR);
}
