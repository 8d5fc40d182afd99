/* Sums down the columns of a matrix: see columns.h. */
#include "kernels/columns.h"

#include "base/size.h"

/* COLUMNS: so many at a time, whose sums stay in the first cache. */
enum { MOST_PARTS = 16, FEWEST_ROWS = 64, COLUMNS = 64 };

static void add_row(float *sums, const float *a, size_t n) {
    for (size_t j = 0; j < n; j++) sums[j] += a[j];
}

static void add_row_normalized(float *sums, const float *a, const float *x,
                               float center, float scale, size_t n) {
    for (size_t j = 0; j < n; j++) sums[j] += a[j] * (x[j] - center) * scale;
}

size_t column_part(size_t rows) {
    size_t part = FEWEST_ROWS;
    while (part * MOST_PARTS < rows) part += FEWEST_ROWS;
    return part;
}

/* x NULL: the sums of a alone. */
void column_sums_normalized(float *sums, const float *a, const float *x,
                            const float *center, const float *scale, size_t rows,
                            size_t dim) {
    size_t part = column_part(rows);
#pragma omp parallel for if (rows * dim > 1 << 14)
    for (size_t start = 0; start < dim; start += COLUMNS) {
        size_t n = size_min(COLUMNS, dim - start);
        for (size_t first = 0; first < rows; first += part) {
            float of_part[COLUMNS] = {0};
            for (size_t r = first; r < size_min(first + part, rows); r++) {
                size_t at = r * dim + start;
                if (x) {
                    add_row_normalized(of_part, a + at, x + at,
                                       center ? center[r] : 0.0f, scale[r], n);
                } else {
                    add_row(of_part, a + at, n);
                }
            }
            add_row(sums + start, of_part, n);
        }
    }
}

void column_sums(float *sums, const float *a, size_t rows, size_t dim) {
    column_sums_normalized(sums, a, NULL, NULL, NULL, rows, dim);
}
