use retrograde::{Differentiable, gradient};

#[gradient]
fn loss(x: f64) -> f64 {
    x * x
}

/// By hand, of another signature.
fn loss_grad(x: f64) -> f64 {
    2.0 * x
}

#[derive(Differentiable)]
struct Spring {
    stiffness: f64,
}

#[gradient]
impl Spring {
    fn energy(&self, x: f64) -> f64 {
        0.5 * self.stiffness * x * x
    }

    fn energy_grad(&self, x: f64) -> f64 {
        self.stiffness * x
    }
}

impl Spring {
    #[gradient]
    fn force(&self, x: f64) -> f64 {
        self.stiffness * x
    }

    fn force_grad(&self) -> f64 {
        self.stiffness
    }
}

#[derive(Differentiable)]
struct Damper {
    rate: f64,
}

#[gradient]
impl Damper {
    fn drag(&self, v: f64) -> f64 {
        self.rate * v
    }
}

// Another block of the type has the same functions.
impl Damper {
    fn drag_grad(&self) -> f64 {
        self.rate
    }

    fn power_adjoint(&self) {}
}

impl Damper {
    #[gradient]
    fn power(&self, v: f64) -> f64 {
        self.rate * v * v
    }
}

trait Losses {
    fn loss_grad(&self) {}
}

// That of a trait has others, and so has one that may not be there.
impl Losses for Damper {}

#[cfg(any())]
impl Damper {
    fn loss_grad(&self) {}
}

#[gradient]
impl Damper {
    fn loss(&self, v: f64) -> f64 {
        self.rate * v
    }
}

mod elsewhere {
    // Another module, another configuration, and a name of one's own are no trouble.
    #[retrograde::gradient(name = loss_by_sweeps)]
    fn loss(x: f64) -> f64 {
        x * x
    }

    #[cfg(any())]
    fn doubled_grad() {}

    #[retrograde::gradient]
    fn doubled(x: f64) -> f64 {
        2.0 * x
    }

    fn loss_grad() {}
}

fn main() {}
