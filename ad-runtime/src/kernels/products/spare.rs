//! Buffers of products that nothing uses, for the next products: few with each thread, more in one place for all.

use crate::float::Float;

/// Those of one list of products, which come back together, so that the same matrix finds buffers of its size.
pub(crate) type Buffers<F> = [Vec<F>; 3];

/// A buffer of more numbers than that is not kept: those of large matrices cost little beside what is done with them.
pub(super) const LARGEST: usize = 1 << 17;

/// So many numbers stay with a thread.
const OF_THREAD: usize = 1 << 16;

/// So many are kept for all threads.
const OF_ALL: usize = 1 << 21;

/// Takes buffers that were kept, or new ones.
pub(super) fn take<F: Float>() -> Buffers<F> {
    let own = F::with_spare(|spare| spare.products.pop());
    let mut buffers = own.or_else(|| F::with_shared(Vec::pop)).unwrap_or_default();
    buffers.iter_mut().for_each(Vec::clear);
    buffers
}

/// Keeps buffers, if there is room for them.
pub(super) fn keep<F: Float>(mut buffers: Buffers<F>) {
    for buffer in &mut buffers {
        if buffer.capacity() > LARGEST {
            *buffer = Vec::new();
        }
    }
    if let Some(buffers) = F::with_spare(|spare| add(&mut spare.products, buffers, OF_THREAD)) {
        drop(F::with_shared(|shared| add(shared, buffers, OF_ALL)));
    }
}

/// Adds buffers to others, if all together then hold at most so many numbers; else gives them back.
fn add<F>(to: &mut Vec<Buffers<F>>, buffers: Buffers<F>, most: usize) -> Option<Buffers<F>> {
    let numbers = |buffers: &Buffers<F>| buffers.iter().map(Vec::capacity).sum::<usize>();
    if to.iter().map(numbers).sum::<usize>() + numbers(&buffers) > most {
        return Some(buffers);
    }
    to.push(buffers);
    None
}
