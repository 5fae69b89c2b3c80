//! What bodies do with structs beside loops over their fields: values bit for bit, derivatives against differences.

use retrograde::{Differentiable, Flat, Record, Tape, gradient};

use super::oracle::{compare, in_out, value};

#[derive(Clone, Debug, PartialEq, Differentiable, Record)]
struct Inner {
    a: Vec<f64>,
    k: f64,
}

#[derive(Clone, Debug, PartialEq, Differentiable, Record)]
struct State {
    inner: Inner,
    x: Vec<f64>,
    v: Vec<f64>,
    #[constant]
    m: Vec<f64>,
    #[constant]
    scale: f64,
    t: f64,
    pull: Option<f64>,
    flag: bool,
}

fn state(seed: f64) -> State {
    let row = |at: f64| {
        (0..4)
            .map(|i| (at + seed + 1.3 * f64::from(i)).sin() + 1.1)
            .collect::<Vec<f64>>()
    };
    State {
        inner: Inner {
            a: row(0.2),
            k: 0.7 + 0.1 * seed,
        },
        x: row(1.0),
        v: row(2.5),
        m: row(0.9),
        scale: 1.25,
        t: 0.5 - 0.2 * seed,
        pull: Some(0.3 + seed),
        flag: seed > 0.5,
    }
}

fn starts() -> [State; 2] {
    [0.0, 1.0].map(state)
}

#[gradient]
fn scaled(x: &[f64], out: &mut [f64], by: f64) {
    for i in 0..x.len() {
        out[i] = out[i] * by + x[i] * x[i];
    }
}

#[gradient]
fn weight_of(inner: &Inner) -> f64 {
    let mut sum = inner.k;
    for i in 0..inner.a.len() {
        sum += inner.a[i] * inner.a[i];
    }
    sum
}

#[gradient]
fn both(a: &State, b: &State) -> f64 {
    let mut sum = 0.0;
    for i in 0..a.x.len() {
        sum += a.x[i] * b.x[i] * b.v[i];
    }
    sum
}

#[gradient]
impl State {
    fn whole_field(&mut self) {
        self.x = self.v.clone();
        for i in 0..self.x.len() {
            self.x[i] *= self.inner.k + self.inner.a[i];
        }
    }

    fn whole_inner(&mut self) {
        self.inner = Inner {
            a: self.x.clone(),
            k: self.t * 2.0,
        };
        for i in 0..self.x.len() {
            self.x[i] = self.inner.a[i] * self.inner.k * self.v[i];
        }
    }

    fn swapped(&mut self) {
        for i in 0..self.x.len() {
            self.x[i] *= self.t;
        }
        std::mem::swap(&mut self.x, &mut self.v);
        for i in 0..self.x.len() {
            self.x[i] += self.v[i] * self.v[i];
        }
    }

    fn swapped_in_a_loop(&mut self) {
        for step in 0..5 {
            for i in 0..self.x.len() {
                self.x[i] = 0.5 * self.x[i] * self.v[i] + self.t;
            }
            if step % 2 == 0 {
                std::mem::swap(&mut self.x, &mut self.v);
            }
        }
    }

    fn swapped_with_inner(&mut self) {
        std::mem::swap(&mut self.x, &mut self.inner.a);
        for i in 0..self.x.len() {
            self.inner.a[i] *= self.x[i];
        }
        std::mem::swap(&mut self.t, &mut self.inner.k);
    }

    fn borrowed(&mut self) {
        let (x, v) = (&mut self.x, &self.v);
        for i in 0..x.len() {
            x[i] += v[i] * x[i];
        }
    }

    fn borrowed_inner(&mut self) {
        let inner = &mut self.inner;
        for i in 0..inner.a.len() {
            inner.a[i] = inner.a[i] * inner.k + self.x[i];
            inner.k += 0.1 * inner.a[i];
        }
    }

    fn chosen(&mut self) {
        let r = if self.flag { &mut self.x } else { &mut self.v };
        for i in 0..r.len() {
            r[i] = r[i] * r[i] * self.t;
        }
    }

    fn parts(&mut self) {
        let State { x, v, t, .. } = self;
        for i in 0..x.len() {
            x[i] = v[i] * *t;
            v[i] += x[i] * x[i];
        }
    }

    fn early(&mut self) {
        if self.flag {
            self.t *= self.x[0];
            return;
        }
        for i in 0..self.x.len() {
            if self.x[i] > 1.9 {
                self.v[i] *= self.x[i];
                return;
            }
            self.x[i] *= self.v[i];
        }
    }

    fn early_value(&self) -> f64 {
        let mut sum = 0.0;
        for i in 0..self.x.len() {
            if self.x[i] > 1.9 {
                return sum * self.x[i];
            }
            sum += self.x[i] * self.v[i];
        }
        sum * self.t
    }

    fn itself(&mut self) {
        for i in 0..self.x.len() {
            self.x[i] *= self.x[i];
        }
        let other = self.clone();
        *self = State {
            x: other.v.clone(),
            v: other.x.clone(),
            ..other
        };
        for i in 0..self.x.len() {
            self.x[i] += self.v[i] * self.t;
        }
    }

    fn constants(&mut self) {
        for i in 0..self.x.len() {
            self.x[i] = self.x[i] * self.m[i] * self.scale + self.m[i];
        }
        self.t = self.scale;
    }

    fn constants_written(&mut self) {
        for i in 0..self.x.len() {
            self.m[i] = 2.0 * self.m[i] + self.scale;
            self.x[i] *= self.m[i];
        }
    }

    fn carried(&mut self) {
        for i in 0..self.x.len() {
            self.inner.k += self.x[i] * self.t;
            self.x[i] *= self.inner.k;
        }
    }

    fn zipped(&mut self) {
        for (x, v) in self.x.iter_mut().zip(&self.v) {
            *x = *x * *v * self.t;
        }
    }

    fn chained(&self) -> f64 {
        let sum: f64 = self
            .x
            .iter()
            .zip(&self.v)
            .map(|(x, v)| x * v * self.t)
            .sum();
        sum * self.inner.a.iter().map(|a| a * a).sum::<f64>()
    }

    fn optional(&mut self) {
        for i in 0..self.x.len() {
            if let Some(pull) = &mut self.pull {
                *pull += self.x[i] * self.x[i];
                self.x[i] *= *pull;
            }
        }
    }

    fn taken(&mut self) {
        let x = std::mem::take(&mut self.x);
        let mut longer = Vec::new();
        for i in 0..x.len() {
            longer.push(x[i] * self.v[i]);
        }
        self.x = longer;
    }

    fn pushed(&mut self) {
        for i in 0..self.v.len() {
            self.x.push(self.x[i] * self.v[i]);
        }
        for i in 0..self.v.len() {
            self.v[i] *= self.x[i + 4];
        }
    }

    fn called(&mut self) {
        scaled(&self.x, &mut self.v, self.t);
        for i in 0..self.x.len() {
            self.x[i] *= self.v[i];
        }
        scaled(&self.v, &mut self.inner.a, self.inner.k);
        self.t += weight_of(&self.inner);
    }

    fn named_alike(&self, self_x: f64) -> f64 {
        let self_v = self_x * self_x;
        let mut sum = 0.0;
        for i in 0..self.x.len() {
            sum += self.x[i] * self_x + self.v[i] * self_v;
        }
        sum
    }

    #[cfg(any())]
    fn gone(&self, s: &Missing) -> f64 {
        let mut sum = 0.0;
        for i in 0..s.x.len() {
            sum += s.x[i];
        }
        sum
    }

    fn configured(&self) -> f64 {
        let mut sum = 0.0;
        for i in 0..self.x.len() {
            #[cfg(any())]
            {
                sum += self.x[i] * self.gone[i];
            }
            #[cfg(not(any()))]
            {
                sum += self.x[i] * self.v[i];
            }
        }
        sum
    }

    fn checked(&self) -> Result<f64, String> {
        let mut sum = 0.0;
        for i in 0..self.x.len() {
            if self.x[i] < 0.0 {
                return Err("negative".to_owned());
            }
            sum += self.x[i] * self.v[i];
        }
        Ok(sum)
    }
}

macro_rules! in_outs {
    ($($name:ident: $adjoint:ident)*) => {
        #[test]
        fn states() {
            $(in_out(stringify!($name), &starts(), State::$name, &|s, tape, bar| {
                s.$adjoint(tape, bar, ());
            });)*
        }
    };
}

in_outs! {
    whole_field: whole_field_adjoint
    whole_inner: whole_inner_adjoint
    swapped: swapped_adjoint
    swapped_in_a_loop: swapped_in_a_loop_adjoint
    swapped_with_inner: swapped_with_inner_adjoint
    borrowed: borrowed_adjoint
    borrowed_inner: borrowed_inner_adjoint
    chosen: chosen_adjoint
    parts: parts_adjoint
    early: early_adjoint
    itself: itself_adjoint
    constants: constants_adjoint
    constants_written: constants_written_adjoint
    carried: carried_adjoint
    zipped: zipped_adjoint
    optional: optional_adjoint
    taken: taken_adjoint
    pushed: pushed_adjoint
    called: called_adjoint
}

#[gradient]
fn twice(s: &State) -> f64 {
    let mut sum = both(s, s);
    for i in 0..s.x.len() {
        sum += s.x[i] * s.v[i];
    }
    sum
}

#[gradient]
fn moved(s: &State) -> f64 {
    let t = s.clone();
    let u = t;
    let x = u.x;
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += x[i] * u.v[i] * s.x[i];
    }
    sum
}

#[gradient]
fn written_copy(s: &State) -> f64 {
    let mut t = s.clone();
    for i in 0..t.x.len() {
        t.x[i] *= s.v[i];
        t.inner.a[i] += t.x[i];
    }
    t.swapped_in_a_loop();
    weight_of(&t.inner) + both(&t, s)
}

#[gradient]
fn checked(s: &State) -> Result<f64, String> {
    let mut sum = 0.0;
    for i in 0..s.x.len() {
        if s.x[i] < 0.0 {
            return Err("negative".to_owned());
        }
        sum += s.x[i] * s.v[i];
    }
    Ok(sum * s.checked()?)
}

#[gradient]
fn of_fallible(s: &State) -> f64 {
    let mut sum = checked(s).unwrap();
    for i in 0..s.x.len() {
        sum += s.x[i];
    }
    sum
}

#[gradient]
fn configured(s: &State) -> f64 {
    let mut sum = 0.0;
    for i in 0..s.x.len() {
        #[cfg(any())]
        {
            sum += s.gone[i];
        }
        sum += s.x[i] * s.v[i];
    }
    sum
}

#[gradient]
#[cfg(any())]
fn gone(s: &Missing) -> f64 {
    let mut sum = 0.0;
    for i in 0..s.x.len() {
        sum += s.x[i];
    }
    sum
}

/// An item of the body brings another type of a parameter's name.
#[gradient]
fn other_type(s: &State) -> f64 {
    use elsewhere::Inner;
    let mut sum = weight_of(&s.inner);
    for i in 0..s.x.len() {
        let inner: Inner = Inner {
            a: s.x[i],
            k: s.v[i],
        };
        sum += inner.a * inner.k;
    }
    sum
}

mod elsewhere {
    pub(super) struct Inner {
        pub(super) a: f64,
        pub(super) k: f64,
    }
}

#[gradient]
fn named_alike(s: &State) -> f64 {
    s.named_alike(1.5) * s.t
}

#[test]
fn values() {
    let starts = starts();
    value(
        "early_value",
        &starts,
        State::early_value,
        State::early_value_grad,
    );
    value("chained", &starts, State::chained, State::chained_grad);
    value(
        "configured",
        &starts,
        State::configured,
        State::configured_grad,
    );
    value("twice", &starts, twice, twice_grad);
    value("moved", &starts, moved, moved_grad);
    value("written_copy", &starts, written_copy, written_copy_grad);
    value("of_fallible", &starts, of_fallible, of_fallible_grad);
    value("configured", &starts, configured, configured_grad);
    value("other_type", &starts, other_type, other_type_grad);
    value("named_alike", &starts, named_alike, named_alike_grad);
    let s = state(0.0);
    let (found, d) = s.checked_grad().unwrap();
    assert_eq!(found.to_bits(), s.checked().unwrap().to_bits());
    compare("checked", &s, &d.to_flat(), &|s| s.checked().unwrap());
}

#[test]
fn one_struct_as_two_arguments_that_differ() {
    let s = state(0.0);
    let (found, (a, b)) = both_grad(&s, &s);
    assert_eq!(found.to_bits(), both(&s, &s).to_bits());
    compare("a", &s, &a.to_flat(), &|a| both(&a, &s));
    compare("b", &s, &b.to_flat(), &|b| both(&s, &b));
}

#[test]
fn nothing_in_it() {
    let mut s = state(0.0);
    (s.x, s.v, s.m, s.inner.a) = (vec![], vec![], vec![], vec![]);
    let (found, d) = s.early_value_grad();
    assert_eq!((found, d.t), (0.0, 0.0));
    let mut at = s.clone();
    let mut bar = s.zero_tangent();
    bar.t = 3.0;
    at.swapped_in_a_loop_adjoint(&mut Tape::new(), &mut bar, ());
    assert_eq!((at, bar.t), (s, 3.0));
}

// Fields under `#[cfg]`.

#[derive(Clone, Differentiable)]
struct Configured {
    #[cfg(any())]
    x: [usize; 3],
    #[cfg(not(any()))]
    x: Vec<f64>,
    #[cfg(any())]
    gone: Vec<f64>,
    #[cfg_attr(all(), constant)]
    m: Vec<f64>,
}

#[gradient]
fn of_configured(c: &Configured) -> f64 {
    let mut sum = 0.0;
    for i in 0..c.x.len() {
        sum += c.x[i] * c.x[i] * c.m[i];
    }
    sum
}

#[test]
fn fields_that_are_configured() {
    let c = Configured {
        x: vec![1.0, 2.0],
        m: vec![3.0, 4.0],
    };
    let (found, d) = of_configured_grad(&c);
    assert_eq!((found, d.x), (19.0, vec![6.0, 16.0]));
}
