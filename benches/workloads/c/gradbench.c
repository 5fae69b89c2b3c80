/* The functions of GradBench as they are written in C: see the module of the same name for each. */

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef const double *restrict floats;
typedef const size_t *restrict indices;
typedef const double *const *arrays;
typedef const size_t *const *lists;

static double log_sum_exp(floats x, size_t n) {
    double largest = x[0];
    for (size_t i = 1; i < n; i++)
        if (x[i] > largest) largest = x[i];
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) sum += exp(x[i] - largest);
    return largest + log(sum);
}

double twin_lse(arrays a, lists l, const size_t *n) {
    (void)l;
    return log_sum_exp(a[0], n[0]);
}

double twin_llsq(arrays a, lists l, const size_t *sizes) {
    (void)l;
    floats x = a[0];
    size_t m = sizes[0], n = sizes[1];
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) {
        double t = -1.0 + (double)i * 2.0 / ((double)n - 1.0);
        double missed = t > 0.0 ? 1.0 : t < 0.0 ? -1.0 : 0.0;
        double power = 1.0;
        for (size_t j = 0; j < m; j++) {
            missed -= x[j] * power;
            power *= t;
        }
        sum += missed * missed;
    }
    return 0.5 * sum;
}

double twin_gmm(arrays a, lists l, const size_t *sizes) {
    (void)l;
    floats alphas = a[0], means = a[1], triangles = a[2], x = a[3];
    double gamma = a[4][0], per_component = a[4][1];
    size_t d = sizes[0], k = sizes[1], n = sizes[2], m = sizes[3], packed = d * (d + 1) / 2;
    double *diagonals = malloc((k * d + 2 * k + 2 * d) * sizeof(double));
    double *restrict logarithms = diagonals + k * d, *restrict terms = logarithms + k;
    double *restrict centred = terms + k, *restrict scaled = centred + d;
    for (size_t c = 0; c < k; c++) {
        logarithms[c] = 0.0;
        for (size_t i = 0; i < d; i++) {
            double q = triangles[c * packed + i];
            logarithms[c] += q;
            diagonals[c * d + i] = exp(q);
        }
    }
    double total = 0.0;
    for (size_t p = 0; p < n; p++) {
        for (size_t c = 0; c < k; c++) {
            for (size_t i = 0; i < d; i++) {
                centred[i] = x[p * d + i] - means[c * d + i];
                scaled[i] = diagonals[c * d + i] * centred[i];
            }
            size_t at = c * packed + d;
            for (size_t i = 0; i < d; i++)
                for (size_t j = i + 1; j < d; j++) {
                    scaled[j] += triangles[at] * centred[i];
                    at++;
                }
            double square = 0.0;
            for (size_t i = 0; i < d; i++) square += scaled[i] * scaled[i];
            terms[c] = alphas[c] + logarithms[c] - 0.5 * square;
        }
        total += log_sum_exp(terms, k);
    }
    double wishart = 0.0;
    for (size_t c = 0; c < k; c++) {
        double square = 0.0;
        for (size_t i = 0; i < d; i++) square += diagonals[c * d + i] * diagonals[c * d + i];
        for (size_t i = d; i < packed; i++) square += triangles[c * packed + i] * triangles[c * packed + i];
        wishart += 0.5 * gamma * gamma * square - (double)m * logarithms[c];
    }
    double constant = -0.5 * (double)(n * d) * log(2.0 * 3.14159265358979323846);
    double value = constant + total - (double)n * log_sum_exp(alphas, k) + (wishart - (double)k * per_component);
    free(diagonals);
    return value;
}

double twin_kmeans(arrays a, lists l, const size_t *sizes) {
    (void)l;
    floats centroids = a[0], points = a[1];
    size_t k = sizes[0], n = sizes[1], d = sizes[2];
    double cost = 0.0;
    for (size_t p = 0; p < n; p++) {
        double closest = INFINITY;
        for (size_t c = 0; c < k; c++) {
            double distance = 0.0;
            for (size_t i = 0; i < d; i++) {
                double difference = points[p * d + i] - centroids[c * d + i];
                distance += difference * difference;
            }
            if (distance < closest) closest = distance;
        }
        cost += closest;
    }
    return cost;
}

static void cross(const double *u, const double *v, double *out) {
    out[0] = u[1] * v[2] - u[2] * v[1];
    out[1] = u[2] * v[0] - u[0] * v[2];
    out[2] = u[0] * v[1] - u[1] * v[0];
}

static double dot(const double *u, const double *v) { return u[0] * v[0] + u[1] * v[1] + u[2] * v[2]; }

static void rotate(const double *rotation, const double *x, double *rotated) {
    double square = dot(rotation, rotation), turned[3];
    if (square == 0.0) {
        cross(rotation, x, turned);
        for (int i = 0; i < 3; i++) rotated[i] = x[i] + turned[i];
        return;
    }
    double angle = sqrt(square), sine = sin(angle), cosine = cos(angle);
    double axis[3] = {rotation[0] / angle, rotation[1] / angle, rotation[2] / angle};
    cross(axis, x, turned);
    double along = dot(axis, x) * (1.0 - cosine);
    for (int i = 0; i < 3; i++) rotated[i] = x[i] * cosine + turned[i] * sine + axis[i] * along;
}

double twin_ba(arrays a, lists l, const size_t *sizes) {
    double sum = 0.0;
    for (size_t at = 0; at < sizes[0]; at++) {
        const double *camera = a[0] + 11 * l[0][2 * at], *point = a[1] + 3 * l[0][2 * at + 1];
        double weight = a[2][at], seen[3], rotated[3];
        for (int i = 0; i < 3; i++) seen[i] = point[i] - camera[3 + i];
        rotate(camera, seen, rotated);
        double projected[2] = {rotated[0] / rotated[2], rotated[1] / rotated[2]};
        double square = projected[0] * projected[0] + projected[1] * projected[1];
        double distortion = 1.0 + camera[9] * square + camera[10] * square * square;
        for (int i = 0; i < 2; i++) {
            double found = projected[i] * distortion * camera[6] + camera[7 + i];
            sum += weight * (found - a[3][2 * at + (size_t)i]);
        }
    }
    return sum;
}

static double sigmoid(double x) { return 1.0 / (1.0 + exp(-x)); }

static void layer(size_t b, floats p, double *restrict hidden, double *restrict cell, floats input) {
    for (size_t i = 0; i < b; i++) {
        double forget = sigmoid(input[i] * p[i] + p[4 * b + i]);
        double enter = sigmoid(hidden[i] * p[b + i] + p[5 * b + i]);
        double leave = sigmoid(input[i] * p[2 * b + i] + p[6 * b + i]);
        double change = tanh(hidden[i] * p[3 * b + i] + p[7 * b + i]);
        cell[i] = cell[i] * forget + enter * change;
        hidden[i] = leave * tanh(cell[i]);
    }
}

double twin_lstm(arrays a, lists l, const size_t *sizes) {
    (void)l;
    floats parameters = a[0], extra = a[1], start = a[2], letters = a[3];
    size_t layers = sizes[0], count = sizes[1], b = sizes[2];
    double *state = malloc((2 * layers + 1) * b * sizeof(double)), *output = state + 2 * layers * b;
    memcpy(state, start, 2 * layers * b * sizeof(double));
    double total = 0.0;
    for (size_t t = 0; t + 1 < count; t++) {
        for (size_t i = 0; i < b; i++) output[i] = letters[t * b + i] * extra[i];
        for (size_t k = 0; k < layers; k++) {
            layer(b, parameters + 8 * k * b, state + 2 * k * b, state + (2 * k + 1) * b, output);
            memcpy(output, state + 2 * k * b, b * sizeof(double));
        }
        double sum = 0.0;
        for (size_t i = 0; i < b; i++) {
            output[i] = output[i] * extra[b + i] + extra[2 * b + i];
            sum += exp(output[i]);
        }
        double normal = log(sum + 2.0);
        for (size_t i = 0; i < b; i++) total += letters[(t + 1) * b + i] * (output[i] - normal);
    }
    free(state);
    return -total / (double)((count - 1) * b);
}

static void slope(size_t n, floats x, floats y, double *restrict z) {
    z[0] = x[0];
    for (size_t i = 1; i < n; i++) z[i] = x[i] * y[i - 1];
}

double twin_ode(arrays a, lists l, const size_t *sizes) {
    (void)l;
    floats x = a[0];
    size_t n = sizes[0], steps = sizes[1];
    double h = 2.0 / (double)steps;
    double *restrict y = calloc(n, sizeof(double)), *restrict at = malloc(n * sizeof(double));
    double *restrict k1 = malloc(n * sizeof(double)), *restrict k2 = malloc(n * sizeof(double));
    double *restrict k3 = malloc(n * sizeof(double)), *restrict k4 = malloc(n * sizeof(double));
    for (size_t step = 0; step < steps; step++) {
        slope(n, x, y, k1);
        for (size_t i = 0; i < n; i++) at[i] = y[i] + 0.5 * h * k1[i];
        slope(n, x, at, k2);
        for (size_t i = 0; i < n; i++) at[i] = y[i] + 0.5 * h * k2[i];
        slope(n, x, at, k3);
        for (size_t i = 0; i < n; i++) at[i] = y[i] + h * k3[i];
        slope(n, x, at, k4);
        for (size_t i = 0; i < n; i++) y[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
    }
    double value = y[n - 1];
    free(y), free(at), free(k1), free(k2), free(k3), free(k4);
    return value;
}

static double minor(floats a, size_t n, size_t row, size_t columns) {
    if (row == n) return 1.0;
    double sum = 0.0, sign = 1.0;
    for (size_t c = 0; c < n; c++)
        if (columns & ((size_t)1 << c)) {
            sum += sign * a[row * n + c] * minor(a, n, row + 1, columns & ~((size_t)1 << c));
            sign = -sign;
        }
    return sum;
}

double twin_det(arrays a, lists l, const size_t *n) {
    (void)l;
    return minor(a[0], n[0], 0, ((size_t)1 << n[0]) - 1);
}
