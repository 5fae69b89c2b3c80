/* A cycle of a blast wave in a box of hexahedra as it is written in C: see the module `lulesh`. */

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef double corners[8];

static const int FACES[6][4] = {{0, 1, 2, 3}, {0, 4, 5, 1}, {1, 5, 6, 2}, {2, 6, 7, 3}, {3, 7, 4, 0}, {4, 7, 6, 5}};
static const int SIDES[6][4] = {{0, 1, 2, 3}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
static const int AROUND[8][6] = {{1, 2, 3, 4, 5, 7}, {2, 3, 0, 5, 6, 4}, {3, 0, 1, 6, 7, 5}, {0, 1, 2, 7, 4, 6},
                                 {7, 6, 5, 0, 3, 1}, {4, 7, 6, 1, 0, 2}, {5, 4, 7, 2, 1, 3}, {6, 5, 4, 3, 2, 0}};
static const double BENDS[4][8] = {{1, 1, -1, -1, -1, -1, 1, 1},
                                   {1, -1, -1, 1, -1, 1, 1, -1},
                                   {1, -1, 1, -1, 1, -1, 1, -1},
                                   {-1, 1, -1, 1, 1, -1, 1, -1}};
static const int FORTH[3][4] = {{1, 2, 6, 5}, {3, 2, 6, 7}, {4, 5, 6, 7}};
static const int BACK[3][4] = {{0, 3, 7, 4}, {0, 1, 5, 4}, {0, 1, 2, 3}};
static const double TINY = 1e-36, CUT = 1e-7;

struct mesh {
    size_t elements, nodes;
    const size_t *around, *before, *after, *fixed[3], *fixed_counts;
    const double *volumes, *masses, *node_masses;
    double dt;
};

static inline void gather(const double *of, const size_t *nodes, corners to) {
    for (int c = 0; c < 8; c++) to[c] = of[nodes[c]];
}

static inline double triple(const double *a, const double *b, const double *c) {
    return a[0] * (b[1] * c[2] - b[2] * c[1]) + b[0] * (a[2] * c[1] - a[1] * c[2]) + c[0] * (a[1] * b[2] - a[2] * b[1]);
}

static inline double part(const corners *x, int a, int b, int c, int d, int e, int f, int g, int h) {
    double first[3], second[3], third[3];
    for (int k = 0; k < 3; k++) {
        first[k] = x[k][b] - x[k][a] + (x[k][d] - x[k][c]);
        second[k] = x[k][f] - x[k][e];
        third[k] = x[k][h] - x[k][g];
    }
    return triple(first, second, third);
}

static inline double volume(const corners *x) {
    return (part(x, 1, 3, 2, 7, 3, 6, 0, 2) + part(x, 3, 4, 7, 5, 4, 6, 0, 7) + part(x, 4, 1, 5, 2, 1, 6, 0, 5)) / 12.0;
}

static inline void normals(const corners *x, corners *n) {
    for (int face = 0; face < 6; face++) {
        int a = FACES[face][0], b = FACES[face][1], c = FACES[face][2], d = FACES[face][3];
        double u[3], v[3], area[3];
        for (int k = 0; k < 3; k++) {
            u[k] = 0.5 * (x[k][d] + x[k][c] - x[k][b] - x[k][a]);
            v[k] = 0.5 * (x[k][c] + x[k][b] - x[k][d] - x[k][a]);
        }
        area[0] = 0.25 * (u[1] * v[2] - u[2] * v[1]);
        area[1] = 0.25 * (u[2] * v[0] - u[0] * v[2]);
        area[2] = 0.25 * (u[0] * v[1] - u[1] * v[0]);
        for (int corner = 0; corner < 4; corner++)
            for (int k = 0; k < 3; k++) n[k][FACES[face][corner]] += area[k];
    }
}

static inline void slopes(const double *u, const double *v, double *to) {
    for (int k = 0; k < 8; k++) {
        int a = AROUND[k][0], b = AROUND[k][1], c = AROUND[k][2], d = AROUND[k][3], e = AROUND[k][4], f = AROUND[k][5];
        to[k] = ((u[b] + u[c]) * (v[a] + v[b]) - (u[a] + u[b]) * (v[b] + v[c]) + (u[a] + u[e]) * (v[d] + v[e]) -
                 (u[d] + u[e]) * (v[a] + v[e]) - (u[c] + u[f]) * (v[d] + v[f]) + (u[d] + u[f]) * (v[c] + v[f])) /
                12.0;
    }
}

static inline void bends(const corners *x, double now, corners *shares) {
    corners s[3];
    slopes(x[1], x[2], s[0]);
    slopes(x[2], x[0], s[1]);
    slopes(x[0], x[1], s[2]);
    double inverse = 1.0 / now;
    for (int bend = 0; bend < 4; bend++) {
        double m[3] = {0.0, 0.0, 0.0};
        for (int c = 0; c < 8; c++)
            for (int k = 0; k < 3; k++) m[k] += x[k][c] * BENDS[bend][c];
        for (int c = 0; c < 8; c++)
            shares[bend][c] = BENDS[bend][c] - inverse * (s[0][c] * m[0] + s[1][c] * m[1] + s[2][c] * m[2]);
    }
}

static inline void resistance(const double *velocity, const corners *shares, double coefficient, double *force) {
    double rates[4] = {0.0, 0.0, 0.0, 0.0};
    for (int bend = 0; bend < 4; bend++)
        for (int c = 0; c < 8; c++) rates[bend] += shares[bend][c] * velocity[c];
    for (int c = 0; c < 8; c++) {
        double sum = 0.0;
        for (int bend = 0; bend < 4; bend++) sum += shares[bend][c] * rates[bend];
        force[c] = coefficient * sum;
    }
}

static inline void axes(const double *x, double *to) {
    double a = x[6] - x[0], b = x[5] - x[3], c = x[7] - x[1], d = x[4] - x[2];
    to[0] = 0.125 * (a + b - c - d);
    to[1] = 0.125 * (a - b + c - d);
    to[2] = 0.125 * (a + b + c + d);
}

static inline void cross(const double *a, const double *b, double *to) {
    to[0] = a[1] * b[2] - a[2] * b[1];
    to[1] = a[2] * b[0] - a[0] * b[2];
    to[2] = a[0] * b[1] - a[1] * b[0];
}

static inline double divergence(const corners *x, const corners *v) {
    double j[3][3], c[3][3], sum = 0.0;
    for (int k = 0; k < 3; k++) axes(x[k], j[k]);
    for (int k = 0; k < 3; k++) cross(j[(k + 1) % 3], j[(k + 2) % 3], c[k]);
    double inverse = 1.0 / (8.0 * (j[0][1] * c[0][1] + j[1][1] * c[1][1] + j[2][1] * c[2][1]));
    for (int k = 0; k < 3; k++) {
        const double *p = c[k], *u = v[k];
        sum += inverse * ((-p[0] - p[1] - p[2]) * (u[0] - u[6]) + (p[0] - p[1] - p[2]) * (u[1] - u[7]) +
                          (p[0] + p[1] - p[2]) * (u[2] - u[4]) + (-p[0] + p[1] - p[2]) * (u[3] - u[5]));
    }
    return sum;
}

static inline double length(const corners *x, double now) {
    double largest = 0.0;
    for (int side = 0; side < 6; side++) {
        int a = SIDES[side][0], b = SIDES[side][1], c = SIDES[side][2], d = SIDES[side][3];
        double ff = 0.0, gg = 0.0, fg = 0.0;
        for (int k = 0; k < 3; k++) {
            double f = (x[k][c] - x[k][a]) - (x[k][d] - x[k][b]), g = (x[k][c] - x[k][a]) + (x[k][d] - x[k][b]);
            ff += f * f;
            gg += g * g;
            fg += f * g;
        }
        double area = ff * gg - fg * fg;
        if (area > largest) largest = area;
    }
    return 4.0 * now / sqrt(largest);
}

static inline double between(const double *x, const int *f, const int *b) {
    return 0.25 * ((x[f[0]] + x[f[1]] + x[f[2]] + x[f[3]]) - (x[b[0]] + x[b[1]] + x[b[2]] + x[b[3]]));
}

static void forces(const struct mesh *m, double *const *s, double *const *f) {
    for (size_t k = 0; k < m->elements; k++) {
        const size_t *nodes = m->around + 8 * k;
        corners x[3], n[3];
        memset(n, 0, sizeof n);
        for (int d = 0; d < 3; d++) gather(s[d], nodes, x[d]);
        normals(x, n);
        double stress = -s[7][k] - s[8][k];
        for (int c = 0; c < 8; c++)
            for (int d = 0; d < 3; d++) f[d][nodes[c]] -= stress * n[d][c];
    }
    for (size_t k = 0; k < m->elements; k++) {
        const size_t *nodes = m->around + 8 * k;
        corners x[3], velocity, shares[4], h[3];
        for (int d = 0; d < 3; d++) gather(s[d], nodes, x[d]);
        double now = m->volumes[k] * s[9][k];
        bends(x, now, shares);
        double coefficient = -3.0 * 0.01 * s[10][k] * m->masses[k] / cbrt(now);
        for (int d = 0; d < 3; d++) {
            gather(s[3 + d], nodes, velocity);
            resistance(velocity, shares, coefficient, h[d]);
        }
        for (int c = 0; c < 8; c++)
            for (int d = 0; d < 3; d++) f[d][nodes[c]] += h[d][c];
    }
}

static void motion(const struct mesh *m, int d, double *restrict x, double *restrict v, double *restrict f) {
    for (size_t i = 0; i < m->nodes; i++) f[i] /= m->node_masses[i];
    for (size_t i = 0; i < m->fixed_counts[d]; i++) f[m->fixed[d][i]] = 0.0;
    for (size_t i = 0; i < m->nodes; i++) {
        double velocity = v[i] + f[i] * m->dt;
        v[i] = fabs(velocity) < CUT ? 0.0 : velocity;
    }
    for (size_t i = 0; i < m->nodes; i++) x[i] += v[i] * m->dt;
}

static double limiter(double own, double before, double after) {
    double norm = 1.0 / (own + TINY), left = before * norm, right = after * norm, phi = 0.5 * (left + right);
    if (2.0 * left < phi) phi = 2.0 * left;
    if (2.0 * right < phi) phi = 2.0 * right;
    if (phi < 0.0) phi = 0.0;
    if (phi > 1.0) phi = 1.0;
    return phi;
}

static double pressure(double energy, double stiffness, double volume) {
    double p = stiffness * energy;
    if (fabs(p) < CUT) p = 0.0;
    if (volume >= 1e9) p = 0.0;
    return p < 0.0 ? 0.0 : p;
}

static double sound(double energy, double volume, double stiffness, double p) {
    double square = 2.0 / 3.0 * energy + volume * volume * stiffness * p;
    return square <= 0.1111111e-36 ? 0.3333333e-18 : sqrt(square);
}

static double cut(double energy) {
    if (fabs(energy) < CUT) energy = 0.0;
    return energy < -1e15 ? -1e15 : energy;
}

static void state(double *const *s, size_t k, double fresh, double linear, double quadratic) {
    double change = fresh - s[9][k], energy = s[6][k], before = s[7][k] + s[8][k];
    double volume = fresh < 1e-9 ? 1e-9 : fresh > 1e9 ? 1e9 : fresh;
    double compression = 1.0 / volume - 1.0, half = 1.0 / (volume - 0.5 * change) - 1.0;
    int expands = change > 0.0;
    double e = energy - 0.5 * change * before, q = 0.0, there = 0.0;
    if (e < -1e15) e = -1e15;
    double stiffness = 2.0 / 3.0 * (half + 1.0), p_half = pressure(e, stiffness, volume);
    if (!expands) q = sound(e, 1.0 / (1.0 + half), stiffness, p_half) * linear + quadratic;
    e = cut(e + 0.5 * change * (3.0 * before - 4.0 * (p_half + q)));
    stiffness = 2.0 / 3.0 * (compression + 1.0);
    double p = pressure(e, stiffness, volume);
    if (!expands) there = sound(e, volume, stiffness, p) * linear + quadratic;
    e = cut(e - (7.0 * before - 8.0 * (p_half + q) + (p + there)) * change / 6.0);
    p = pressure(e, stiffness, volume);
    double speed = sound(e, volume, stiffness, p);
    if (!expands) {
        q = speed * linear + quadratic;
        if (fabs(q) < CUT) q = 0.0;
    }
    s[6][k] = e;
    s[7][k] = p;
    s[8][k] = q;
    s[10][k] = speed;
    s[9][k] = fabs(fresh - 1.0) < 1e-10 ? 1.0 : fresh;
}

static void elements(const struct mesh *m, double *const *s, double *fresh, double *lengths, double *vdov) {
    double(*delv)[3] = malloc(m->elements * sizeof *delv), (*delx)[3] = malloc(m->elements * sizeof *delx);
    for (size_t k = 0; k < m->elements; k++) {
        corners x[3], v[3];
        for (int d = 0; d < 3; d++) {
            gather(s[d], m->around + 8 * k, x[d]);
            gather(s[3 + d], m->around + 8 * k, v[d]);
        }
        double now = volume(x);
        fresh[k] = now / m->volumes[k];
        lengths[k] = length(x, now);
        for (int d = 0; d < 3; d++)
            for (int c = 0; c < 8; c++) x[d][c] -= 0.5 * m->dt * v[d][c];
        vdov[k] = divergence(x, v);
    }
    for (size_t k = 0; k < m->elements; k++) {
        corners x[3], v[3];
        for (int d = 0; d < 3; d++) {
            gather(s[d], m->around + 8 * k, x[d]);
            gather(s[3 + d], m->around + 8 * k, v[d]);
        }
        double now = m->volumes[k] * fresh[k], norm = 1.0 / (now + TINY);
        for (int axis = 0; axis < 3; axis++) {
            int i = (axis + 1) % 3, j = (axis + 2) % 3;
            double a[3], b[3], n[3], along = 0.0;
            for (int d = 0; d < 3; d++) {
                a[d] = between(x[d], FORTH[i], BACK[i]);
                b[d] = between(x[d], FORTH[j], BACK[j]);
            }
            cross(a, b, n);
            delx[k][axis] = now / sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2] + TINY);
            for (int d = 0; d < 3; d++) along += n[d] * norm * between(v[d], FORTH[axis], BACK[axis]);
            delv[k][axis] = along;
        }
    }
    for (size_t k = 0; k < m->elements; k++) {
        double linear = 0.0, quadratic = 0.0;
        if (!(vdov[k] > 0.0)) {
            double rho = m->masses[k] / (m->volumes[k] * fresh[k]), first = 0.0, second = 0.0;
            for (int axis = 0; axis < 3; axis++) {
                double own = delv[k][axis];
                size_t b = m->before[3 * k + (size_t)axis], a = m->after[3 * k + (size_t)axis];
                double before = b == SIZE_MAX ? own : delv[b][axis], after = a == SIZE_MAX ? 0.0 : delv[a][axis];
                double phi = limiter(own, before, after), jump = own * delx[k][axis];
                if (jump > 0.0) jump = 0.0;
                first += jump * (1.0 - phi);
                second += jump * jump * (1.0 - phi * phi);
            }
            linear = -0.5 * rho * first;
            quadratic = 2.0 / 3.0 * rho * second;
        }
        state(s, k, fresh[k], linear, quadratic);
    }
    free(delv), free(delx);
}

static double constraint(const struct mesh *m, const double *ss, const double *lengths, const double *vdov) {
    double courant = 1e20, hydro = 1e20, allowed = 1e20;
    for (size_t k = 0; k < m->elements; k++)
        if (vdov[k] != 0.0) {
            double square = ss[k] * ss[k];
            if (vdov[k] < 0.0) square += 64.0 * 2.0 * 2.0 * lengths[k] * lengths[k] * vdov[k] * vdov[k];
            double time = lengths[k] / sqrt(square);
            if (time < courant) courant = time;
            time = 0.1 / (fabs(vdov[k]) + 1e-20);
            if (time < hydro) hydro = time;
        }
    if (courant < allowed) allowed = courant / 2.0;
    if (hydro < allowed) allowed = hydro * 2.0 / 3.0;
    return allowed;
}

/* Eleven fields, volumes, masses, masses of nodes, the step; nodes, neighbours before and after, fixed nodes. */
double twin_lulesh(const double *const *a, const size_t *const *l, const size_t *sizes) {
    struct mesh m = {sizes[1], sizes[0], l[0], l[1], l[2], {l[3], l[4], l[5]}, sizes + 2, a[11], a[12], a[13], a[14][0]};
    double *s[11], *f[3], *fresh = malloc(3 * m.elements * sizeof(double));
    for (int field = 0; field < 11; field++) {
        size_t bytes = (field < 6 ? m.nodes : m.elements) * sizeof(double);
        s[field] = malloc(bytes);
        memcpy(s[field], a[field], bytes);
    }
    for (int d = 0; d < 3; d++) f[d] = calloc(m.nodes, sizeof(double));
    forces(&m, s, f);
    for (int d = 0; d < 3; d++) motion(&m, d, s[d], s[3 + d], f[d]);
    double *lengths = fresh + m.elements, *vdov = lengths + m.elements;
    elements(&m, s, fresh, lengths, vdov);
    double total = 1e6 * constraint(&m, s[10], lengths, vdov);
    for (size_t i = 0; i < m.nodes; i++) {
        double speed = s[3][i] * s[3][i] + s[4][i] * s[4][i] + s[5][i] * s[5][i];
        total += 0.5 * m.node_masses[i] * speed + s[0][i] + s[1][i] + s[2][i];
    }
    for (size_t k = 0; k < m.elements; k++)
        total += m.masses[k] * s[6][k] + 0.01 * (s[7][k] + s[8][k]) + s[9][k] + 0.1 * s[10][k];
    for (int field = 0; field < 11; field++) free(s[field]);
    for (int d = 0; d < 3; d++) free(f[d]);
    free(fresh);
    return total;
}
