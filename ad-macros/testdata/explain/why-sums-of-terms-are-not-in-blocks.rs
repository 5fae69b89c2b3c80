fn f(x: &[f64], y: &[f64], m: usize) -> f64 {
    let mut in_blocks = 0.0;
    for i in 1..x.len() {
        in_blocks += x[i - 1] * x[i];
    }
    let mut twice = 0.0;
    for i in 0..x.len() {
        twice += x[i] * y[i];
        twice -= x[i] * x[i];
    }
    let mut at_times = 0.0;
    for i in 0..x.len() {
        if x[i] > y[i] {
            at_times += x[i] / y[i];
        }
    }
    let mut strided = 0.0;
    for i in 0..m {
        strided += x[2 * i] * y[i];
    }
    let mut nest = 0.0;
    for i in 0..m {
        for j in 0..m {
            nest += x[i] * y[j] * x[m * i + j];
        }
    }
    let mut short = 0.0;
    for i in 0..5 {
        short += x[i] * x[i + 1];
    }
    let mut stepped = 0.0;
    for i in (0..m).step_by(3) {
        stepped += x[i] * y[i];
    }
    in_blocks + twice + at_times + strided + nest + short + stepped
}
