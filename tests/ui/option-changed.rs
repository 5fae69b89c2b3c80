use retrograde::gradient;

#[gradient]
fn replaced(o: &mut Option<f64>, x: f64) -> f64 {
    o.map(|a| {
        *o = Some(a * x);
        a + 1.0
    })
    .unwrap_or(x)
}

#[gradient]
fn before(o: &mut Option<f64>, x: f64) -> f64 {
    o.map_or(
        {
            *o = None;
            x
        },
        |a| a * x,
    )
}

#[gradient]
fn lent(o: &mut Option<f64>, x: f64) -> f64 {
    o.as_mut().map(|a| *a *= x);
    o.map_or(x, |a| a * a)
}

fn main() {}
