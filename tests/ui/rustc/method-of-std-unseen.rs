use retrograde::gradient;

/// Found before those of slices.
trait Row {
    fn first(&self) -> Option<&f64>;
    fn last(&self) -> Option<&f64>;
    fn swap(&mut self, i: usize, j: usize);
}

impl Row for Vec<f64> {
    fn first(&self) -> Option<&f64> {
        self.get(1)
    }

    fn last(&self) -> Option<&f64> {
        self.get(0)
    }

    fn swap(&mut self, i: usize, _: usize) {
        self[i] *= self[i];
    }
}

impl Row for [f64; 3] {
    fn first(&self) -> Option<&f64> {
        self.get(1)
    }

    fn last(&self) -> Option<&f64> {
        self.get(0)
    }

    fn swap(&mut self, i: usize, _: usize) {
        self[i] *= self[i];
    }
}

impl Row for Box<[f64]> {
    fn first(&self) -> Option<&f64> {
        self.get(1)
    }

    fn last(&self) -> Option<&f64> {
        self.get(0)
    }

    fn swap(&mut self, i: usize, _: usize) {
        self[i] *= self[i];
    }
}

trait Places {
    fn last(&self) -> Option<&usize>;
}

impl Places for Vec<usize> {
    fn last(&self) -> Option<&usize> {
        self.get(0)
    }
}

mod parts {
    #[derive(Clone, retrograde::Differentiable, retrograde::Record)]
    pub struct Parts {
        pub list: Vec<f64>,
        pub array: [f64; 3],
        pub held: Box<[f64]>,
        pub at: Vec<usize>,
    }
}

type Given = parts::Parts; // what its fields are, the text does not say

#[gradient]
fn of_fields(p: &Given) -> f64 {
    p.list.last().unwrap() * p.array.first().unwrap()
}

#[gradient]
fn behind_a_reference(p: &Given) -> f64 {
    let array = &p.array;
    array.last().unwrap() * array[0]
}

#[gradient]
fn in_a_box(p: &Given) -> f64 {
    p.held.last().unwrap() * p.list[0]
}

#[gradient]
fn place(p: &Given) -> f64 {
    p.list[*p.at.last().unwrap()]
}

#[gradient]
fn changed(p: &mut Given) {
    p.list.swap(0, 1);
}

/// Where no such trait is in scope, the names are std's.
mod elsewhere {
    use super::Given;

    #[retrograde::gradient]
    fn of_fields(p: &Given) -> f64 {
        p.list.last().unwrap() * p.array.first().unwrap() + p.held.last().unwrap() * p.list[*p.at.last().unwrap()]
    }
}

fn main() {}
