/* Notes on tests that failed, from further runs and from other tests: "test: note"
 * lines for the verdict. A test that passes in another run, or fails with other numbers
 * where fresh memory holds others, gets a note on the cause. Where runs and numbers say
 * nothing, sizes may: all failing comparisons may be larger than all passing ones. */
#ifndef TESTS_NOTES_H
#define TESTS_NOTES_H

typedef struct {
    const char *many;   /* the run with several threads, and CHECK_BITS */
    const char *one;    /* on one thread; NULL here and below: it did not run */
    const char *zeros;  /* where outputs and gradients start as 0 (CHECK_ZEROS) */
    const char *filled; /* on one thread, where fresh memory holds other numbers */
    const char *races;  /* "test: what is wrong" where two threads write to one place */
} FurtherRuns;

/* The caller frees it, as what the functions below return. */
char *notes_of(const FurtherRuns *runs);

/* From the runs on one number of threads and on another: "test: what has other bytes".
 * threads: "with 3 threads than with 1". */
char *other_bits(const char *output, const char *other, const char *threads);

#endif
