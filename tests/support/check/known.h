/* Facts that a test knows beside the right numbers, for explain.h: the axes, their
 * sizes, the arrays that the function under test was given or should have made.
 *
 *     AXES({"row", "rows", rows}, {"column", "dim", dim});
 *     KNOW(x, "row column");
 *     KNOW(gain, "column");                gain may be NULL: then it is not known
 *     know_shape("dgain", "column");       of what is compared under this name
 *
 * The terms of the right result are worth knowing too: KNOW_AS("dout * Phi(x)", ...)
 * lets one be named that is missing or has the wrong sign.
 *
 * AXES forgets all earlier facts. Arrays of floats are copied as they are at the call;
 * arrays of doubles must stay valid. A wrong call (an axis that is not there, too many
 * arrays) ends the test. */
#ifndef TESTS_KNOWN_H
#define TESTS_KNOWN_H

#include <stddef.h>

/* The name of an index along it ("row"), the name of its size ("rows"), and the
 * size. */
typedef struct {
    const char *index, *name;
    size_t size;
} Axis;

enum { MAX_AXES = 5, MAX_KNOWN = 24 };

/* An array over the axes whose numbers are `axes`; values is NULL where only the shape
 * is known. */
typedef struct {
    const char *name;
    const double *values;
    size_t axes[MAX_AXES], n_axes, n;
} Known;

/* An intermediate value of the function that is compared: as a test has found it by
 * inverting the function, and as it should be; NaN where it cannot be found. */
typedef struct {
    const char *name;
    const double *got, *right;
    size_t n;
    double tolerance;
} Inside;

/* A number beside the sizes: eps, a rate. */
typedef struct {
    const char *name;
    double value;
} KnownNumber;

typedef struct {
    Axis axes[MAX_AXES];
    size_t first[MAX_AXES]; /* what the first index is called: 0 */
    Known arrays[MAX_KNOWN];
    KnownNumber numbers[MAX_KNOWN];
    Inside insides[MAX_KNOWN];
    size_t n_axes, n_arrays, n_numbers, n_insides;
} Facts;

const Facts *known_facts(void);

void axes_are(const Axis *axes, size_t n);
#define AXES(...)                                                                      \
    axes_are((const Axis[]){__VA_ARGS__},                                              \
             sizeof((const Axis[]){__VA_ARGS__}) / sizeof(Axis))

/* Steps count from 1: axis_counts_from("step", 1). */
void axis_counts_from(const char *axis, size_t first);

/* Arrays, over the axes that are named by their indices, slowest first. */
void know_floats(const char *name, const float *values, const char *axes);
void know_doubles(const char *name, const double *values, const char *axes);
void know_shape(const char *name, const char *axes);
#define KNOW_AS(name, values, axes)                                                    \
    _Generic((values),                                                                 \
        float *: know_floats,                                                          \
        const float *: know_floats,                                                    \
        double *: know_doubles,                                                        \
        const double *: know_doubles)(name, values, axes)
#define KNOW(array, axes) KNOW_AS(#array, array, axes)

/* "of the angle, every number is 2 times too large": said of what stands inside of a
 * sine, where the n numbers themselves show no pattern. The tolerance is relative to
 * the largest number. */
void know_inside(const char *name, const double *got, const double *right, size_t n,
                 double tolerance);

void know_number(const char *name, double value);

/* The array whose name `what` begins with ("dx of 600 rows of 100"), else one of n
 * elements; NULL: there is none of n. */
const Known *known_shape_of(const char *what, size_t n);

#endif
