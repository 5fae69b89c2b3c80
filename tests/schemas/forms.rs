//! All forms of structs and fields, against formulas by hand.

use retrograde::{Differentiable, Record, gradient};

#[derive(Clone, Debug, PartialEq, Differentiable, Record)]
struct Spring {
    stiffness: f64,
    rest: f64,
}

#[derive(Clone, Debug, PartialEq, Differentiable, Record)]
struct Chain {
    spring: Spring,
    x: Vec<f64>,
    v: Vec<f64>,
    #[constant]
    mass: Vec<f64>,
    pull: Option<f64>,
    corner: [f64; 2],
    pair: (f64, usize),
    on: bool,
    name: String,
}

fn chain() -> Chain {
    Chain {
        spring: Spring {
            stiffness: 2.0,
            rest: 0.5,
        },
        x: vec![0.0, 1.0, 3.0],
        v: vec![1.0, 2.0, 4.0],
        mass: vec![1.0, 2.0, 3.0],
        pull: Some(0.25),
        corner: [3.0, 5.0],
        pair: (7.0, 2),
        on: true,
        name: "chain".to_owned(),
    }
}

#[gradient]
impl Chain {
    /// `k/2 Σ (x[i+1] - x[i] - r)²`
    fn stored(&self) -> f64 {
        let mut sum = 0.0;
        for i in 1..self.x.len() {
            let d = self.x[i] - self.x[i - 1] - self.spring.rest;
            sum += 0.5 * self.spring.stiffness * d * d;
        }
        sum
    }

    /// Of a constant field, without `no_gradient`.
    fn kinetic(&self) -> f64 {
        let mut sum = 0.0;
        for i in 0..self.v.len() {
            sum += 0.5 * self.mass[i] * self.v[i] * self.v[i];
        }
        sum
    }

    fn all(&self, factor: f64) -> f64 {
        let mut sum = 0.0;
        for i in 0..self.pair.1 {
            sum += self.corner[i] * self.pair.0 * factor;
        }
        if self.on {
            sum += self.pull.unwrap_or(0.0) * self.x[1];
        }
        sum
    }

    fn shifted(&mut self, by: f64) {
        for i in 0..self.x.len() {
            self.x[i] = self.x[i] * self.spring.stiffness + by;
            self.spring.rest += self.x[i];
        }
        self.pair.0 *= self.spring.rest;
        self.corner[1] = self.pair.0 * self.pair.0;
    }

    fn slowed(&mut self) {
        for i in 0..self.v.len() {
            self.x[i] -= self.v[i];
        }
    }

    /// Calls methods beside loops of its own: the struct stays whole.
    fn mixed(&mut self, by: f64) -> f64 {
        self.shifted(by);
        for i in 0..self.v.len() {
            self.v[i] += by * self.x[i];
        }
        self.kinetic() + self.stored()
    }
}

#[test]
fn a_nested_struct() {
    let c = chain();
    let (value, d) = c.stored_grad();
    // d = (0.5, 1.5)
    assert_eq!(value, 0.5 * 2.0 * (0.25 + 2.25));
    assert_eq!(d.spring.stiffness, 0.5 * 2.5);
    assert_eq!(d.spring.rest, -2.0 * 2.0);
    assert_eq!(d.x, [-1.0, 1.0 - 3.0, 3.0]);
    assert_eq!(d.v, [0.0; 3]);
}

#[test]
fn a_constant_field_has_no_gradient() {
    let (value, d) = chain().kinetic_grad();
    assert_eq!((value, d.v), (0.5 + 4.0 + 24.0, vec![1.0, 4.0, 12.0]));
    assert_eq!(d.mass, ());
}

#[test]
fn options_arrays_tuples_and_flags() {
    let (value, (d, factor)) = chain().all_grad(2.0);
    assert_eq!(value, 8.0 * 14.0 + 0.25);
    assert_eq!((d.corner, d.pair, factor), ([14.0, 14.0], (16.0, ()), 56.0));
    assert_eq!((d.pull, d.x), (Some(1.0), vec![0.0, 0.25, 0.0]));
}

/// Differences of a function of one number.
fn slope(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    super::oracle::slope(&|h| f(x + h))
}

#[test]
fn fields_that_are_written() {
    let mut at = chain();
    let mut tape = retrograde::Tape::new();
    let mut expected = at.clone();
    expected.shifted(0.5);
    let mut bar = chain().zero_tangent();
    bar.x = vec![1.0, 2.0, 3.0];
    bar.spring.rest = 4.0;
    bar.corner = [5.0, 6.0];
    bar.pair.0 = 7.0;
    let mut by = 0.0;
    at.shifted_adjoint(&mut tape, &mut bar, 0.5, &mut by, ());
    assert_eq!(at, expected);
    let weighed = |c: &Chain| {
        c.x[0]
            + 2.0 * c.x[1]
            + 3.0 * c.x[2]
            + 4.0 * c.spring.rest
            + 5.0 * c.corner[0]
            + 6.0 * c.corner[1]
            + 7.0 * c.pair.0
    };
    let along = |change: &dyn Fn(&mut Chain, f64)| {
        slope(
            |t| {
                let mut c = chain();
                change(&mut c, t);
                c.shifted(0.5);
                weighed(&c)
            },
            0.0,
        )
    };
    let near = |a: f64, b: f64| assert!((a - b).abs() <= 1e-6 * (1.0 + b.abs()), "{a} {b}");
    for i in 0..3 {
        near(bar.x[i], along(&|c, t| c.x[i] += t));
    }
    near(bar.spring.rest, along(&|c, t| c.spring.rest += t));
    near(bar.spring.stiffness, along(&|c, t| c.spring.stiffness += t));
    near(bar.pair.0, along(&|c, t| c.pair.0 += t));
    near(bar.corner[0], 5.0);
    near(bar.corner[1], 0.0);
    near(
        by,
        slope(
            |by| {
                let mut c = chain();
                c.shifted(by);
                weighed(&c)
            },
            0.5,
        ),
    );
}

#[gradient]
fn after(mut chain: Chain, by: f64) -> f64 {
    chain.mixed(by)
}

#[test]
fn loops_beside_calls_of_methods() {
    let (value, (d, by)) = after_grad(chain(), 0.5);
    assert_eq!(value, after(chain(), 0.5));
    let near = |a: f64, b: f64| assert!((a - b).abs() <= 1e-6 * (1.0 + b.abs()), "{a} {b}");
    near(by, slope(|by| after(chain(), by), 0.5));
    for i in 0..3 {
        let moved = |t: f64| {
            let mut c = chain();
            c.x[i] += t;
            after(c, 0.5)
        };
        near(d.x[i], slope(moved, 0.0));
        let moved = |t: f64| {
            let mut c = chain();
            c.v[i] += t;
            after(c, 0.5)
        };
        near(d.v[i], slope(moved, 0.0));
    }
}

// Tuple structs, lifetimes, const parameters, the type as its own tangent.

#[derive(Clone, Debug, PartialEq, Differentiable, Record)]
struct Row(Vec<f64>, f64);

#[gradient]
fn row(r: &Row) -> f64 {
    let mut sum = 0.0;
    for i in 0..r.0.len() {
        sum += r.0[i] * r.1;
    }
    sum
}

#[derive(Clone, Debug, Differentiable)]
struct View<'a, const N: usize> {
    data: &'a [f64],
    own: [f64; N],
}

#[gradient]
impl<const N: usize> View<'_, N> {
    fn dot(&self) -> f64 {
        let mut sum = 0.0;
        for i in 0..N {
            sum += self.data[i] * self.own[i];
        }
        sum
    }
}

#[derive(Clone, Debug, PartialEq, Differentiable, Record)]
#[differentiable(tangent = Self)]
struct Point {
    at: Vec<f64>,
}

#[gradient]
fn length(p: &Point) -> f64 {
    let mut sum = 0.0;
    for i in 0..p.at.len() {
        sum += p.at[i] * p.at[i];
    }
    sum
}

#[test]
fn other_forms_of_structs() {
    let (value, d) = row_grad(&Row(vec![1.0, 2.0], 3.0));
    assert_eq!((value, d.0, d.1), (9.0, vec![3.0, 3.0], 3.0));
    let data = [1.0, 2.0, 3.0];
    let (value, d) = View {
        data: &data,
        own: [4.0, 5.0],
    }
    .dot_grad();
    assert_eq!(
        (value, d.data, d.own),
        (14.0, vec![4.0, 5.0, 0.0], [1.0, 2.0])
    );
    let (value, d) = length_grad(&Point { at: vec![3.0, 4.0] });
    assert_eq!((value, d), (25.0, Point { at: vec![6.0, 8.0] }));
}

// Structs as results, by name and as `Self`.

#[gradient]
impl Row {
    fn doubled(&self) -> Row {
        let mut list = vec![0.0; self.0.len()];
        for i in 0..self.0.len() {
            list[i] = 2.0 * self.0[i];
        }
        Row(list, self.1)
    }

    fn again(&self) -> Self {
        let mut list = self.0.to_vec();
        for i in 0..list.len() {
            list[i] *= self.1;
        }
        Row(list, 1.0)
    }
}

#[gradient]
fn of_results(r: &Row) -> f64 {
    let doubled = r.doubled();
    let again = doubled.again();
    let mut sum = 0.0;
    for i in 0..again.0.len() {
        sum += again.0[i] * again.1;
    }
    sum
}

#[test]
fn structs_as_results() {
    let (value, d) = of_results_grad(&Row(vec![1.0, 2.0], 3.0));
    assert_eq!((value, d.0, d.1), (18.0, vec![6.0, 6.0], 6.0));
}

/// An adjoint of another shape than the argument's.
#[test]
#[should_panic(expected = "self.v")]
fn adjoints_have_the_shapes_of_fields() {
    let mut bar = chain().zero_tangent();
    bar.v.push(0.0);
    let mut at = chain();
    at.slowed_adjoint(&mut retrograde::Tape::new(), &mut bar, ());
}

// Structs in vectors.

#[derive(Clone, Copy, Debug, PartialEq, Differentiable, Record)]
struct Body {
    mass: f64,
    at: Place,
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable, Record)]
struct Place {
    x: f64,
    y: f64,
}

#[gradient]
fn energy(bodies: &[Body]) -> f64 {
    let mut sum = 0.0;
    for i in 0..bodies.len() {
        for j in 0..i {
            let dx = bodies[i].at.x - bodies[j].at.x;
            let dy = bodies[i].at.y - bodies[j].at.y;
            sum += bodies[i].mass * bodies[j].mass * (dx * dx + dy * dy);
        }
    }
    sum
}

#[gradient]
fn drift(bodies: &mut Vec<Body>, dt: f64) {
    for i in 1..bodies.len() {
        bodies[i].at.x += dt * bodies[i - 1].at.y * bodies[i].mass;
        bodies[i].at.y *= bodies[i].at.x;
    }
}

fn bodies(n: usize) -> Vec<Body> {
    let body = |k: usize| Body {
        mass: 1.0 + 0.1 * k as f64,
        at: Place {
            x: (k as f64).sin(),
            y: (k as f64 * 0.7).cos(),
        },
    };
    (0..n).map(body).collect()
}

#[test]
fn bodies_in_vectors() {
    for n in [0, 1, 2, 9, 40] {
        let bodies = bodies(n);
        let (value, d) = energy_grad(&bodies);
        assert_eq!(value.to_bits(), energy(&bodies).to_bits());
        for i in 0..n {
            let (mut mass, mut x) = (0.0, 0.0);
            for j in (0..n).filter(|j| *j != i) {
                let (a, b) = (bodies[i], bodies[j]);
                let (dx, dy) = (a.at.x - b.at.x, a.at.y - b.at.y);
                mass += b.mass * (dx * dx + dy * dy);
                x += 2.0 * a.mass * b.mass * dx;
            }
            assert!((d[i].mass - mass).abs() <= 1e-11 * (1.0 + mass.abs()));
            assert!((d[i].at.x - x).abs() <= 1e-11 * (1.0 + x.abs()));
        }
    }
}

#[test]
fn bodies_that_are_written() {
    let n = 5;
    let run = |k: usize, t: f64| {
        let mut moved = bodies(n);
        moved[k].at.x += t;
        drift(&mut moved, 0.3);
        moved
            .iter()
            .map(|b| 2.0 * b.at.x + 3.0 * b.at.y)
            .sum::<f64>()
    };
    let mut at = bodies(n);
    let mut bar: Vec<BodyTangent> = at.iter().map(Differentiable::zero_tangent).collect();
    for b in &mut bar {
        (b.at.x, b.at.y) = (2.0, 3.0);
    }
    let mut dt = 0.0;
    drift_adjoint(
        &mut retrograde::Tape::new(),
        &mut at,
        &mut bar,
        0.3,
        &mut dt,
        (),
    );
    let mut expected = bodies(n);
    drift(&mut expected, 0.3);
    assert_eq!(at, expected);
    for k in 0..n {
        let slope = slope(|t| run(k, t), 0.0);
        assert!((bar[k].at.x - slope).abs() <= 1e-7 * (1.0 + slope.abs()));
    }
}
