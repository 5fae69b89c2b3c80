//! Which sums of a block one pass can add.
//!
//! Their elements lie fixed distances apart in one array, few enough that what a block leaves for the elements behind
//! its own fits in front of the next block's rows. Rows that no others are near are added one by one. The order of the
//! sums changes, so it is for adjoints alone, as the rows are.

use crate::analysis::affine::Poly;
use crate::analysis::target::contributions::REACH;
use crate::ir::Gather;

/// Groups sums, given by the number of their array and the index of the elements that they go to; `None` is for those
/// that stay alone, as do groups of less than `fewest`.
pub(in crate::optimize) fn gathers(sums: &[Option<(usize, &Poly)>], fewest: usize) -> Vec<Gather> {
    let mut clusters: Vec<Cluster<'_>> = Vec::new();
    for (k, sum) in sums.iter().enumerate() {
        let Some((array, index)) = *sum else { continue };
        let apart = |c: &Cluster<'_>| {
            (c.array == array).then(|| index.clone().minus(c.index).constant())?
        };
        let near = clusters
            .iter()
            .enumerate()
            .find_map(|(at, c)| Some((at, apart(c)?)));
        match near {
            Some((at, distance)) => clusters[at].members.push((distance, k)),
            None => clusters.push(Cluster {
                array,
                index,
                members: vec![(0, k)],
            }),
        }
    }
    let groups = clusters.into_iter().flat_map(|c| c.groups(fewest));
    groups.collect()
}

/// Sums into one array, by their distance from the first that was met.
struct Cluster<'a> {
    array: usize,
    index: &'a Poly,
    members: Vec<(i128, usize)>,
}

impl Cluster<'_> {
    /// From the lowest on, as many as are near enough.
    fn groups(mut self, fewest: usize) -> Vec<Gather> {
        self.members.sort_unstable();
        let mut groups = Vec::new();
        let mut rest = self.members.as_slice();
        while let Some((lowest, _)) = rest.first() {
            let near = rest.partition_point(|(at, _)| at.saturating_sub(*lowest) <= REACH);
            let (group, behind) = rest.split_at(near);
            if group.len() >= fewest {
                let shift = |at: i128| usize::try_from(at - lowest).unwrap_or(0);
                let terms = group.iter().map(|(at, k)| (*k, shift(*at))).collect();
                groups.push(Gather { terms });
            }
            rest = behind;
        }
        groups
    }
}
