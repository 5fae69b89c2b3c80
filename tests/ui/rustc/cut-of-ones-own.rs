use retrograde::gradient;

mod mine {
    pub fn no_gradient(x: f64) -> f64 {
        println!("cut {x}");
        x
    }
}

#[gradient]
fn walk(x: f64, n: usize) -> f64 {
    let mut s = x;
    #[checkpoint]
    for k in 0..n {
        let level = (0..3)
            .map(|j| j as f64)
            .find_map(|t| if t >= 0.5 { Some(mine::no_gradient(t)) } else { None })
            .unwrap_or(0.125);
        s = s * level + k as f64;
    }
    s
}

fn main() {}
