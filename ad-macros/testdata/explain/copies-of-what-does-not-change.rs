fn f(x: &[f64; 8], faces: &[[usize; 4]; 6], changing: &mut [[usize; 4]; 6], mesh: &Mesh, u: &mut [f64]) -> f64 {
    let mut s = 0.0;
    for face in 0..6 {
        let [a, b, c, d] = FACES[face];
        s += x[a] * x[b] * x[c] * x[d];
    }
    for face in 0..6 {
        let [a, b, c, d] = faces[face];
        s += x[a] * x[b] * x[c] * x[d];
    }
    for face in 0..6 {
        let [a, b, c, d] = changing[face];
        changing[face] = [d, a, a, b];
        s += x[a] * x[b] * x[c] * x[d];
    }
    for k in 0..6 {
        let nodes = mesh.nodes[k];
        for i in 0..4 {
            u[nodes[i]] *= s;
        }
    }
    s
}
