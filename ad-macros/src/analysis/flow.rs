//! The largest flow through a network, after Dinic (1970): shortest paths in rounds, until none is left.

/// A capacity that no flow reaches.
pub(crate) const UNBOUNDED: u64 = u64::MAX / 4;

/// How many rounds are tried. A round lengthens the shortest path; in code of people the paths are short.
const ROUNDS: usize = 64;

/// Directed edges with capacities; the edge `e ^ 1` is the way back of `e`.
pub(crate) struct Flow {
    to: Vec<usize>,
    left: Vec<u64>,
    at: Vec<Vec<usize>>,
}

impl Flow {
    pub(crate) fn new(nodes: usize) -> Self {
        Flow {
            to: Vec::new(),
            left: Vec::new(),
            at: vec![Vec::new(); nodes],
        }
    }

    /// Adds nodes, and gives the number of the first.
    pub(crate) fn add_nodes(&mut self, count: usize) -> usize {
        let first = self.at.len();
        self.at.resize(first + count, Vec::new());
        first
    }

    pub(crate) fn edge(&mut self, from: usize, to: usize, capacity: u64) {
        for (from, to, left) in [(from, to, capacity), (to, from, 0)] {
            self.at[from].push(self.to.len());
            self.to.push(to);
            self.left.push(left);
        }
    }

    /// Fills the network, and says which nodes the source still reaches: the edges that lead out of them are a minimum
    /// cut, the one nearest to the source. `None` if that takes too long, or if the flow has no bound.
    pub(crate) fn source_side(&mut self, source: usize, sink: usize) -> Option<Vec<bool>> {
        let mut total: u64 = 0;
        for _ in 0..ROUNDS {
            let level = self.levels(source);
            if level[sink].is_none() {
                return Some(level.iter().map(Option::is_some).collect());
            }
            let mut next = vec![0; self.at.len()];
            loop {
                let sent = self.send(source, sink, UNBOUNDED, &level, &mut next);
                if sent == 0 {
                    break;
                }
                total = total.saturating_add(sent);
                if total >= UNBOUNDED {
                    return None;
                }
            }
        }
        None
    }

    /// How far each node is from the source, on edges that have room.
    fn levels(&self, source: usize) -> Vec<Option<u32>> {
        let mut level = vec![None; self.at.len()];
        level[source] = Some(0);
        let mut queue = std::collections::VecDeque::from([(source, 0)]);
        while let Some((node, depth)) = queue.pop_front() {
            for &edge in &self.at[node] {
                let to = self.to[edge];
                if self.left[edge] > 0 && level[to].is_none() {
                    level[to] = Some(depth + 1);
                    queue.push_back((to, depth + 1));
                }
            }
        }
        level
    }

    /// Sends as much as possible along one shortest path; `next` are the edges not yet found useless in this round.
    fn send(
        &mut self,
        node: usize,
        sink: usize,
        most: u64,
        level: &[Option<u32>],
        next: &mut [usize],
    ) -> u64 {
        if node == sink {
            return most;
        }
        while let Some(&edge) = self.at[node].get(next[node]) {
            let to = self.to[edge];
            let onward = level[to].is_some() && level[to] == level[node].map(|l| l + 1);
            if onward && self.left[edge] > 0 {
                let sent = self.send(to, sink, most.min(self.left[edge]), level, next);
                if sent > 0 {
                    self.left[edge] -= sent;
                    self.left[edge ^ 1] += sent;
                    return sent;
                }
            }
            next[node] += 1;
        }
        0
    }
}

#[cfg(test)]
mod tests {
    use super::{Flow, UNBOUNDED};

    /// The largest flow of a network is the capacity of the cut that it finds.
    fn cut(edges: &[(usize, usize, u64)], nodes: usize) -> Option<(u64, Vec<bool>)> {
        let mut flow = Flow::new(0);
        assert_eq!(flow.add_nodes(nodes), 0);
        for &(from, to, capacity) in edges {
            flow.edge(from, to, capacity);
        }
        let side = flow.source_side(0, 1)?;
        let across = edges
            .iter()
            .filter(|(from, to, _)| side[*from] && !side[*to]);
        Some((across.map(|(_, _, capacity)| capacity).sum(), side))
    }

    #[test]
    fn finds_the_smallest_cut() {
        // Two paths that share an edge in the middle, which is the bottleneck.
        let edges = [(0, 2, 5), (0, 3, 4), (2, 4, 9), (3, 4, 9), (4, 1, 7)];
        let (capacity, side) = cut(&edges, 5).expect("bounded");
        assert_eq!((capacity, side[4]), (7, true));
        // A path back has to be used: 0→2→5→1 first, then 0→3→5 over 5→2 backwards to 4.
        let edges = [
            (0, 2, 1),
            (0, 3, 1),
            (2, 5, 1),
            (3, 5, 1),
            (2, 4, 1),
            (4, 1, 1),
            (5, 1, 1),
        ];
        assert_eq!(cut(&edges, 6).expect("bounded").0, 2);
    }

    #[test]
    fn takes_of_equal_cuts_the_one_nearest_to_the_source() {
        let (capacity, side) = cut(&[(0, 2, 3), (2, 3, 3), (3, 1, 3)], 4).expect("bounded");
        assert_eq!((capacity, side), (3, vec![true, false, false, false]));
    }

    #[test]
    fn knows_networks_without_a_cut_and_without_a_path() {
        assert_eq!(cut(&[(0, 2, UNBOUNDED), (2, 1, UNBOUNDED)], 3), None);
        let (capacity, side) = cut(&[(0, 2, 3), (3, 1, 3)], 4).expect("bounded");
        assert_eq!((capacity, side), (0, vec![true, false, true, false]));
    }

    #[test]
    fn gives_up_on_paths_that_grow_too_often() {
        // Ladders whose k-th rung makes a path of its own length.
        let rungs = 200;
        let mut edges = Vec::new();
        for k in 0..rungs {
            let node = 2 + k;
            let before = if k == 0 { 0 } else { node - 1 };
            edges.push((before, node, 1000 - k as u64));
            edges.push((node, 1, 1));
        }
        assert_eq!(cut(&edges, 2 + rungs), None);
    }
}
