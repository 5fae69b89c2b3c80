//! Loops over sets and maps that carry no derivative.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use retrograde::gradient;

#[gradient]
fn over_sets(x: &[f64], rows: &BTreeSet<usize>, others: &HashSet<usize>) -> f64 {
    let mut sum = 0.0;
    for &i in rows {
        sum = sum * 0.5 + x[i] * x[i];
    }
    for i in rows.iter() {
        sum += x[*i];
    }
    for i in others {
        sum += x[*i] * x[*i] * x[*i];
    }
    sum * rows.iter().map(|&i| x[i]).sum::<f64>()
}

#[gradient]
fn over_maps(x: &[f64], edges: &BTreeMap<usize, usize>, names: &HashMap<String, usize>) -> f64 {
    let mut sum = 0.0;
    for (a, b) in edges {
        sum = sum * 0.5 + x[*a] * x[*b];
    }
    for (&a, &b) in edges.iter() {
        sum += x[a] / x[b];
    }
    for i in names.values() {
        sum += x[*i] * x[*i];
    }
    for (name, i) in names {
        if name.starts_with("a") {
            sum *= x[*i];
        }
    }
    sum + edges.keys().map(|k| x[*k]).product::<f64>() + edges.len() as f64 * x[0]
}

#[gradient]
fn by_value(x: f64, powers: BTreeSet<i32>, weights: BTreeMap<i32, i32>) -> f64 {
    let mut sum = 0.0;
    for n in powers {
        sum += x.powi(n);
    }
    for (n, weight) in weights {
        sum += f64::from(weight) * x.powi(n);
    }
    sum
}

/// A name that the body binds is another one.
#[gradient]
fn hidden(x: &[f64], rows: &BTreeSet<usize>) -> f64 {
    let count = rows.len();
    let rows = vec![x[0], x[1] * x[0]];
    let mut sum = 0.0;
    for row in rows.iter() {
        sum += row * row * count as f64;
    }
    sum
}

#[test]
fn loops_go_over_what_they_hold() {
    let rows = BTreeSet::from([0, 2]);
    let others = HashSet::from([1]);
    let edges = BTreeMap::from([(0, 1), (1, 2), (2, 0)]);
    let names = HashMap::from([("a".to_owned(), 1), ("b".to_owned(), 2)]);
    for x in [[0.5, 1.5, -0.75], [1.25, -0.5, 2.0]] {
        let got = over_sets_grad(&x, &rows, &others);
        assert_eq!(got.0, over_sets(&x, &rows, &others));
        let want = super::support::differences(|x| over_sets(x, &rows, &others), &x);
        super::support::assert_close(&got.1, &want, 1e-6, &x);

        let got = over_maps_grad(&x, &edges, &names);
        assert_eq!(got.0, over_maps(&x, &edges, &names));
        let want = super::support::differences(|x| over_maps(x, &edges, &names), &x);
        super::support::assert_close(&got.1, &want, 1e-6, &x);

        let got = hidden_grad(&x, &rows);
        assert_eq!(got.0, hidden(&x, &rows));
        let want = super::support::differences(|x| hidden(x, &rows), &x);
        super::support::assert_close(&got.1, &want, 1e-6, &x);
    }
    let weights = BTreeMap::from([(3, 2), (1, -4)]);
    let (value, slope) = by_value_grad(1.5, BTreeSet::from([0, 2]), weights.clone());
    assert_eq!(value, by_value(1.5, BTreeSet::from([0, 2]), weights));
    assert_eq!(slope, 3.0 + 2.0 * 3.0 * 2.25 - 4.0);
}
