use retrograde::gradient;

trait Row {
    fn first(&self) -> Option<&f64>;
    fn len(&self) -> usize;
    fn iter(self) -> std::vec::IntoIter<f64>;
    fn swap(&mut self, i: usize, j: usize);
    fn pop(&self) -> Option<f64>;
}

impl Row for Vec<f64> {
    fn first(&self) -> Option<&f64> {
        self.get(1)
    }

    fn len(&self) -> usize {
        7
    }

    fn iter(self) -> std::vec::IntoIter<f64> {
        self.into_iter()
    }

    fn swap(&mut self, i: usize, _: usize) {
        self[i] *= 2.0;
    }

    fn pop(&self) -> Option<f64> {
        self.get(0).copied()
    }
}

impl Row for [f64; 3] {
    fn first(&self) -> Option<&f64> {
        self.get(1)
    }

    fn len(&self) -> usize {
        7
    }

    fn iter(self) -> std::vec::IntoIter<f64> {
        vec![self[0]].into_iter()
    }

    fn swap(&mut self, i: usize, _: usize) {
        self[i] *= 2.0;
    }

    fn pop(&self) -> Option<f64> {
        self.get(0).copied()
    }
}

trait Choice {
    fn unwrap_or(&self, other: f64) -> f64;
}

impl Choice for Option<f64> {
    fn unwrap_or(&self, other: f64) -> f64 {
        other
    }
}

trait Power {
    fn pow(&self, n: u32) -> usize;
}

impl Power for usize {
    fn pow(&self, n: u32) -> usize {
        n as usize
    }
}

#[gradient]
fn shared(v: &Vec<f64>, a: &[f64; 3]) -> f64 {
    v.first().unwrap() + a.len() as f64 * a[0] + a.iter().sum::<f64>()
}

#[gradient]
fn exclusive(v: &mut Vec<f64>, a: &mut [f64; 3]) -> f64 {
    v.swap(0, 1);
    a.first().unwrap() + v[0]
}

#[gradient]
fn owned(mut v: Vec<f64>, rows: &[Vec<f64>]) -> f64 {
    v.swap(0, 1);
    rows[0].first().unwrap() + v[0]
}

#[gradient]
fn others(o: &Option<f64>, n: &usize) -> f64 {
    o.unwrap_or(2.0) * n.pow(2) as f64
}

/// Where no such trait is in scope, the names are std's.
mod elsewhere {
    use retrograde::gradient;

    #[gradient]
    fn shared(v: &Vec<f64>, a: &[f64; 3], o: &Option<f64>, n: &usize) -> f64 {
        v.first().unwrap() + a.iter().sum::<f64>() + o.unwrap_or(2.0) * n.pow(2) as f64
    }
}

#[gradient]
fn popped(v: &[f64]) -> f64 {
    let mut w = v.to_vec();
    let mut sum = 0.0;
    if let Some(x) = w.pop() {
        sum += x * x;
    }
    sum
}

fn main() {}
