use retrograde::gradient;

#[gradient(seeds)]
fn sines(x: &[f64], out: &mut [f64]) {
    #[parallel]
    for i in 0..out.len() {
        out[i] = x[i].sin();
    }
}

fn main() {}
