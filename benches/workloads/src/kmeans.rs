//! The sum of the squared distances of points from the closest of some centroids. GradBench's `kmeans`.

use crate::workload::Workload;
use retrograde::{Tape, gradient};
use retrograde_kernels::Kernel;
use retrograde_kernels::numbers::Numbers;

/// The closest by `min`.
#[gradient]
pub fn kmeans(centroids: &[f64], #[constant] points: &[f64], d: usize) -> f64 {
    let mut cost = 0.0;
    for p in 0..points.len() / d {
        let mut closest = f64::INFINITY;
        for c in 0..centroids.len() / d {
            let mut distance = 0.0;
            for i in 0..d {
                let difference = points[p * d + i] - centroids[c * d + i];
                distance += difference * difference;
            }
            closest = closest.min(distance);
        }
        cost += closest;
    }
    cost
}

/// The closest by a comparison.
#[gradient]
pub fn kmeans_compared(centroids: &[f64], #[constant] points: &[f64], d: usize) -> f64 {
    let mut cost = 0.0;
    for p in 0..points.len() / d {
        let mut closest = f64::INFINITY;
        for c in 0..centroids.len() / d {
            let mut distance = 0.0;
            for i in 0..d {
                let difference = points[p * d + i] - centroids[c * d + i];
                distance += difference * difference;
            }
            if distance < closest {
                closest = distance;
            }
        }
        cost += closest;
    }
    cost
}

/// The closest by iterators over rows.
#[gradient]
pub fn kmeans_rows(centroids: &[f64], #[constant] points: &[f64], d: usize) -> f64 {
    let mut cost = 0.0;
    for point in points.chunks_exact(d) {
        let mut closest = f64::INFINITY;
        for centroid in centroids.chunks_exact(d) {
            let distance: f64 = point
                .iter()
                .zip(centroid)
                .map(|(p, c)| (p - c) * (p - c))
                .sum();
            closest = closest.min(distance);
        }
        cost += closest;
    }
    cost
}

/// Distances from all centroids side by side. Only the closest has a derivative, which needs the difference once more.
#[derive(Default)]
struct Best {
    columns: Vec<f64>,
    distances: Vec<f64>,
}

impl Best {
    fn run(&mut self, centroids: &[f64], points: &[f64], d: usize, dc: &mut [f64]) -> f64 {
        let k = centroids.len() / d;
        self.columns.resize(k * d, 0.0);
        self.distances.resize(k, 0.0);
        for c in 0..k {
            for i in 0..d {
                self.columns[i * k + c] = centroids[c * d + i];
            }
        }
        dc.fill(0.0);
        let mut cost = 0.0;
        for point in points.chunks_exact(d) {
            self.distances.fill(0.0);
            for (p, column) in point.iter().zip(self.columns.chunks_exact(k)) {
                for (distance, c) in self.distances.iter_mut().zip(column) {
                    *distance += (p - c) * (p - c);
                }
            }
            let (mut closest, mut at) = (f64::INFINITY, 0);
            for (c, distance) in self.distances.iter().enumerate() {
                if *distance < closest {
                    (closest, at) = (*distance, c);
                }
            }
            cost += closest;
            let (dc, centroid) = (&mut dc[at * d..][..d], &centroids[at * d..][..d]);
            for i in 0..d {
                dc[i] += 2.0 * (centroid[i] - point[i]);
            }
        }
        cost
    }
}

type Function = fn(&[f64], &[f64], usize) -> f64;
type WithGradient = fn(&mut Tape, &[f64], &mut [f64], &[f64], usize) -> f64;

fn workload(
    name: &str,
    [k, n, d]: [usize; 3],
    function: Function,
    gradient: WithGradient,
) -> Kernel {
    let mut numbers = Numbers::new();
    let inputs = [k * d, n * d].map(|count| numbers.vec(count, 0.0, 1.0));
    let mut best = Best::default();
    Workload::new(
        name,
        &[k * d],
        inputs,
        move |[centroids, points]| function(centroids, points, d),
        move |[centroids, points], tape, buffers| {
            gradient(tape, centroids, &mut buffers[0], points, d)
        },
    )
    .by_hand(0, move |[centroids, points], buffers| {
        best.run(centroids, points, d, &mut buffers[0])
    })
    .twin("kmeans", move |[centroids, points], c| {
        c(&[centroids, points], &[], &[k, n, d])
    })
    .kernel()
}

/// Centroids, points, dimensions; `min`.
pub fn by_min(sizes: [usize; 3]) -> Kernel {
    workload("kmeans", sizes, kmeans, kmeans_grad_into)
}

/// Centroids, points, dimensions; compared.
pub fn compared(sizes: [usize; 3]) -> Kernel {
    workload(
        "kmeans_if",
        sizes,
        kmeans_compared,
        kmeans_compared_grad_into,
    )
}

/// Centroids, points, dimensions; rows.
pub fn rows(sizes: [usize; 3]) -> Kernel {
    workload("kmeans_rows", sizes, kmeans_rows, kmeans_rows_grad_into)
}
