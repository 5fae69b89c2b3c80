use retrograde::gradient;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Key(usize);

static KEYS: [Key; 3] = [Key(0), Key(2), Key(1)];

struct Sum(usize);

impl FromIterator<usize> for Sum {
    fn from_iter<I: IntoIterator<Item = usize>>(items: I) -> Self {
        println!("summed");
        Sum(items.into_iter().sum())
    }
}

#[gradient]
fn walk(x: f64, n: usize) -> f64 {
    let mut s = x;
    #[checkpoint]
    for k in 0..n {
        let many = (0..k).inspect(|k| println!("{k}")).count();
        let sum = (0..k).collect::<Sum>().0;
        let first = (0..k).map(|k| KEYS[k % 3]).max().map_or(0, |key| key.0);
        let mut v = vec![x, s];
        v.sort_by_key(|t| KEYS[(*t > 0.0) as usize]);
        s += v[0] * (many + sum + first) as f64;
    }
    s
}

fn main() {}
