use retrograde::gradient;

#[gradient]
trait System<V> {
    fn system(&self, y: &V, dy: &mut V);
}

fn main() {}
