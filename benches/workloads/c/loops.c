/* Loops of simulations, filters and alignments as they are written in C: see the module of the same name for each. */

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef const double *restrict floats;
typedef const size_t *restrict indices;
typedef const double *const *arrays;
typedef const size_t *const *lists;

static double *copy(floats of, size_t n) {
    double *to = malloc(n * sizeof(double));
    memcpy(to, of, n * sizeof(double));
    return to;
}

double twin_power(arrays a, lists l, const size_t *sizes) {
    floats values = a[0];
    indices rows = l[0], columns = l[1];
    size_t n = sizes[0], steps = sizes[1];
    double *restrict x = copy(a[1], n), *restrict y = malloc(n * sizeof(double)), quotient = 0.0;
    for (size_t step = 0; step < steps; step++) {
        double along = 0.0, square = 0.0;
        for (size_t i = 0; i < n; i++) {
            double sum = 0.0;
            for (size_t e = rows[i]; e < rows[i + 1]; e++) sum += values[e] * x[columns[e]];
            y[i] = sum;
            along += sum * x[i];
            square += sum * sum;
        }
        quotient = along;
        double norm = sqrt(square);
        for (size_t i = 0; i < n; i++) x[i] = y[i] / norm;
    }
    free(x), free(y);
    return quotient;
}

double twin_convolution(arrays a, lists l, const size_t *sizes) {
    enum { K = 5 };
    (void)l;
    floats image = a[0], filters = a[1], biases = a[2], weights = a[3];
    size_t width = sizes[1], rows = sizes[0] - (K - 1), cols = width - (K - 1);
    double *restrict layer = malloc(rows * cols * sizeof(double)), total = 0.0;
    for (size_t f = 0; f < sizes[2]; f++) {
        for (size_t r = 0; r < rows; r++)
            for (size_t c = 0; c < cols; c++) {
                double sum = biases[f];
                for (size_t i = 0; i < K; i++)
                    for (size_t j = 0; j < K; j++)
                        sum += filters[(f * K + i) * K + j] * image[(r + i) * width + c + j];
                layer[r * cols + c] = sum;
            }
        for (size_t r = 0; r < rows / 2; r++)
            for (size_t c = 0; c < cols / 2; c++) {
                double largest = layer[2 * r * cols + 2 * c];
                for (size_t i = 0; i < 2; i++)
                    for (size_t j = 0; j < 2; j++) {
                        double v = layer[(2 * r + i) * cols + 2 * c + j];
                        if (v > largest) largest = v;
                    }
                total += weights[(f * (rows / 2) + r) * (cols / 2) + c] * tanh(largest);
            }
    }
    free(layer);
    return total;
}

double twin_forces(arrays a, lists l, const size_t *sizes) {
    floats x = a[0];
    indices starts = l[0], list = l[1];
    size_t n = sizes[0];
    double cutoff = a[1][0], energy = 0.0, squares = 0.0, *restrict force = calloc(3 * n, sizeof(double));
    for (size_t i = 0; i < n; i++)
        for (size_t e = starts[i]; e < starts[i + 1]; e++) {
            size_t j = list[e];
            double dx = x[3 * i] - x[3 * j], dy = x[3 * i + 1] - x[3 * j + 1], dz = x[3 * i + 2] - x[3 * j + 2];
            double square = dx * dx + dy * dy + dz * dz;
            if (square < cutoff * cutoff) {
                double inverse = 1.0 / square, sixth = inverse * inverse * inverse;
                energy += 4.0 * sixth * (sixth - 1.0);
                double strength = 24.0 * inverse * sixth * (2.0 * sixth - 1.0);
                force[3 * i] += strength * dx;
                force[3 * i + 1] += strength * dy;
                force[3 * i + 2] += strength * dz;
                force[3 * j] -= strength * dx;
                force[3 * j + 1] -= strength * dy;
                force[3 * j + 2] -= strength * dz;
            }
        }
    for (size_t k = 0; k < 3 * n; k++) squares += force[k] * force[k];
    free(force);
    return energy + 0.01 * squares;
}

static double minmod(double p, double q) { return p * q <= 0.0 ? 0.0 : fabs(p) < fabs(q) ? p : q; }

double twin_upwind(arrays a, lists l, const size_t *sizes) {
    (void)l;
    floats target = a[1];
    double courant = a[2][0], distance = 0.0;
    size_t n = sizes[0], steps = sizes[1];
    double *restrict u = copy(a[0], n), *restrict flux = malloc((n + 1) * sizeof(double));
    for (size_t step = 0; step < steps; step++) {
        flux[1] = u[0];
        flux[n] = u[n - 1];
        for (size_t i = 1; i < n - 1; i++) {
            double slope = minmod(u[i] - u[i - 1], u[i + 1] - u[i]);
            flux[i + 1] = u[i] + 0.5 * (1.0 - courant) * slope;
        }
        for (size_t i = 1; i < n; i++) u[i] -= courant * (flux[i + 1] - flux[i]);
    }
    for (size_t i = 0; i < n; i++) distance += (u[i] - target[i]) * (u[i] - target[i]);
    free(u), free(flux);
    return distance;
}

double twin_recurrence(arrays a, lists l, const size_t *sizes) {
    (void)l;
    floats returns = a[0];
    double omega = a[1][0], alpha = a[1][1], beta = a[1][2];
    double variance = omega / (1.0 - alpha - beta), sum = 0.0;
    for (size_t i = 0; i < sizes[0]; i++) {
        double square = returns[i] * returns[i];
        sum += log(variance) + square / variance;
        variance = omega + alpha * square + beta * variance;
    }
    return sum;
}

double twin_smoother(arrays a, lists l, const size_t *sizes) {
    floats loads = a[1];
    indices starts = l[0], list = l[1];
    size_t n = sizes[0];
    double relaxation = a[2][0], energy = 0.0, *restrict u = copy(a[0], n);
    for (size_t sweep = 0; sweep < sizes[1]; sweep++)
        for (size_t i = 0; i < n; i++) {
            double sum = loads[i];
            for (size_t e = starts[i]; e < starts[i + 1]; e++) sum += u[list[e]];
            double mean = sum / ((double)(starts[i + 1] - starts[i]) + 1.0);
            u[i] = (1.0 - relaxation) * u[i] + relaxation * mean;
        }
    for (size_t i = 0; i < n; i++) energy += (double)(i % 7) * u[i] * u[i];
    free(u);
    return energy;
}

double twin_spline(arrays a, lists l, const size_t *sizes) {
    (void)l;
    floats coefficients = a[0], places = a[1], measured = a[2];
    double sum = 0.0;
    for (size_t k = 0; k < sizes[0]; k++) {
        double cell = floor(places[k]), t = places[k] - cell, s = 1.0 - t, value = 0.0;
        size_t first = (size_t)cell;
        double basis[4] = {s * s * s / 6.0, (3.0 * t * t * t - 6.0 * t * t + 4.0) / 6.0,
                           (3.0 * s * s * s - 6.0 * s * s + 4.0) / 6.0, t * t * t / 6.0};
        for (size_t b = 0; b < 4; b++) value += coefficients[first + b] * basis[b];
        double missed = value - measured[k];
        sum += missed * missed;
    }
    return sum;
}

double twin_alignment(arrays a, lists l, const size_t *sizes) {
    (void)l;
    floats x = a[0], y = a[1];
    double gamma = a[2][0];
    size_t n = sizes[0], m = sizes[1], width = m + 1;
    double *restrict table = malloc((n + 1) * width * sizeof(double));
    for (size_t k = 0; k < (n + 1) * width; k++) table[k] = INFINITY;
    table[0] = 0.0;
    for (size_t i = 1; i <= n; i++)
        for (size_t j = 1; j <= m; j++) {
            double both = table[(i - 1) * width + j - 1], up = table[(i - 1) * width + j];
            double left = table[i * width + j - 1], least = fmin(fmin(both, up), left);
            double sum = exp(-(both - least) / gamma) + exp(-(up - least) / gamma) + exp(-(left - least) / gamma);
            double difference = x[i - 1] - y[j - 1];
            table[i * width + j] = difference * difference + least - gamma * log(sum);
        }
    double value = table[n * width + m];
    free(table);
    return value;
}

double twin_kalman(arrays a, lists l, const size_t *sizes) {
    (void)l;
    double of_level = a[0][0], of_trend = a[0][1], noise = a[0][2], level = a[0][3], trend = a[0][4];
    double p00 = 1.0, p01 = 0.0, p11 = 1.0, sum = 0.0;
    for (size_t t = 0; t < sizes[0]; t++) {
        level += trend;
        p00 += 2.0 * p01 + p11 + of_level;
        p01 += p11;
        p11 += of_trend;
        double missed = a[1][t] - level, spread = p00 + noise, gain0 = p00 / spread, gain1 = p01 / spread;
        level += gain0 * missed;
        trend += gain1 * missed;
        p11 -= gain1 * p01;
        p01 -= gain0 * p01;
        p00 -= gain0 * p00;
        sum += log(spread) + missed * missed / spread;
    }
    return sum;
}

double twin_filter(arrays a, lists l, const size_t *sizes) {
    (void)l;
    floats target = a[2];
    size_t n = sizes[0];
    double *restrict x = copy(a[0], n), distance = 0.0;
    for (size_t s = 0; s < sizes[1]; s++) {
        const double *section = a[1] + 5 * s;
        double s1 = 0.0, s2 = 0.0;
        for (size_t t = 0; t < n; t++) {
            double y = section[0] * x[t] + s1;
            s1 = section[1] * x[t] - section[3] * y + s2;
            s2 = section[2] * x[t] - section[4] * y;
            x[t] = y;
        }
    }
    for (size_t t = 0; t < n; t++) distance += (x[t] - target[t]) * (x[t] - target[t]);
    free(x);
    return distance;
}

double twin_tridiagonal(arrays a, lists l, const size_t *sizes) {
    (void)l;
    floats lower = a[0], upper = a[2], target = a[4];
    size_t n = sizes[0];
    double *restrict pivots = copy(a[1], n), *restrict x = copy(a[3], n), distance = 0.0;
    for (size_t i = 1; i < n; i++) {
        double factor = lower[i] / pivots[i - 1];
        pivots[i] -= factor * upper[i - 1];
        x[i] -= factor * x[i - 1];
    }
    x[n - 1] /= pivots[n - 1];
    for (size_t i = n - 1; i-- > 0;) x[i] = (x[i] - upper[i] * x[i + 1]) / pivots[i];
    for (size_t i = 0; i < n; i++) distance += (x[i] - target[i]) * (x[i] - target[i]);
    free(pivots), free(x);
    return distance;
}

double twin_lu(arrays a, lists l, const size_t *sizes) {
    (void)l;
    size_t n = sizes[0];
    double *restrict m = copy(a[0], n * n), logarithm = 0.0;
    for (size_t k = 0; k < n; k++)
        for (size_t i = k + 1; i < n; i++) {
            double factor = m[i * n + k] / m[k * n + k];
            m[i * n + k] = factor;
            for (size_t j = k + 1; j < n; j++) m[i * n + j] -= factor * m[k * n + j];
        }
    for (size_t i = 0; i < n; i++) logarithm += log(fabs(m[i * n + i]));
    free(m);
    return logarithm;
}
