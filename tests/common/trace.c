/* Tests of common/trace and of what the tape says of itself. */
#include "tensor/trace.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check/check.h"
#include "check/dies.h"
#include "base/error.h"
#include "files/file.h"
#include "files/json.h"
#include "weights/params.h"

/* weight * x + weight, of six numbers: the parameter is used twice. */
static Tensor *run(Tape *t, Tensor *weight, const float *x) {
    Tensor *product = tape_mul(t, weight, tape_input(t, 2, (size_t[]){2, 3}, x));
    return tape_weighted_sum(t, tape_add(t, product, weight),
                             (float[]){1, 1, 1, 1, 1, 1});
}

static Tensor *add_weight(Params *params) {
    params_push(params, "h.%d", 3);
    Tensor *weight = params_add(params, 2, (size_t[]){2, 3}, "weight");
    params_pop(params);
    for (size_t i = 0; i < 6; i++) weight->data[i] = 1;
    return weight;
}

static const float ones[6] = {1, 1, 1, 1, 1, 1}, with_nan[6] = {1, 1, 1, 1, NAN, 1};

/* The output of `f` to the stream, in static memory. */
static const char *printed(FILE *stream, void (*f)(void)) {
    static char text[4000];
    FILE *file = tmpfile();
    int kept = dup(fileno(stream));
    fflush(stream);
    dup2(fileno(file), fileno(stream));
    f();
    fflush(stream);
    dup2(kept, fileno(stream));
    rewind(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    close(kept);
    return text;
}

#define CHECK_SAYS(text, line)                                                         \
    CHECK(strstr(text, line) != NULL, "'%s' is not in:\n%s", line, text)

static void print_tape(void) {
    Params params = {.mode = PARAMS_TRAIN};
    Tape t = tape_create(1);
    run(&t, add_weight(&params), ones);
    tape_print(&t);
}

Test(trace, the_tape_prints_its_operations, .timeout = 10) {
    const char *text = printed(stdout, print_tape);
    CHECK_SAYS(
        text,
        "   1  multiply       [2, 3]         from h.3.weight [2, 3], input [2, 3]\n");
    CHECK_SAYS(text, "   2  add            [2, 3]         from 1, h.3.weight [2, 3]\n");
    CHECK_SAYS(text, "   3  weighted sum   [1]            from 2\n");
}

static void trace_two_passes(void) {
    Params params = {.mode = PARAMS_TRAIN};
    Tensor *weight = add_weight(&params);
    trace_start(TRACE_ALL, NULL);
    Tape t = tape_create(1), inference = tape_for_inference();
    double started = trace_clock();
    tape_backward(&t, run(&t, weight, ones));
    trace_span("optimizer", started);
    tape_reset(&t);
    run(&inference, weight, ones);
    tape_free(&inference);
    tape_free(&t);
    trace_finish();
}

/* The table is of the pass that also went backwards. Norms: of six ones the root of 6,
 * of the gradient of the weight's two uses likewise. */
Test(trace, a_table_of_the_largest_pass, .timeout = 10) {
    const char *text = printed(stderr, trace_two_passes);
    CHECK_SAYS(text, "trace: pass 1 of 2");
    CHECK_SAYS(text, "forward backward     norm gradient\n");
    CHECK_SAYS(text, "  1 multiply      h.3              2x3  ");
    CHECK_SAYS(text, "     2.45     2.45\n");
    CHECK_SAYS(text, "  3 weighted sum  h.3              1  ");
    CHECK_SAYS(text, "       12        1\n");
    CHECK_SAYS(text, "    optimizer ");
    CHECK_SAYS(text, "        2\n"); /* calls of an operation in both passes */
    CHECK(strstr(text, "not finite") == NULL, "a number is said not to be finite:\n%s",
          text);
}

static void trace_nan(void) {
    Params params = {.mode = PARAMS_TRAIN};
    Tensor *weight = add_weight(&params);
    trace_start(TRACE_ALL, NULL);
    Tape t = tape_create(1);
    run(&t, weight, ones);
    tape_reset(&t);
    run(&t, weight, with_nan);
    tape_free(&t);
}

Test(trace, names_the_first_number_that_is_not_finite, .timeout = 10) {
    const char *text = printed(stderr, trace_nan);
    CHECK_SAYS(text, "trace: pass 2: the first number that is not finite is nan, at "
                     "[1, 1] of the output of "
                     "multiply [2, 3] (h.3)\n");
    CHECK(strstr(strstr(text, "finite") + 1, "finite") == NULL,
          "it is said more than once:\n%s", text);
}

static void wrong_backward(const TapeNode *node) {
    node->inputs[0]->grad[4] = INFINITY;
}

static void trace_bad_gradient(void) {
    Params params = {.mode = PARAMS_TRAIN};
    Tensor *weight = add_weight(&params);
    trace_start(TRACE_ALL, NULL);
    Tape t = tape_create(1);
    Tensor *out = tape_output(&t, "copy", 2, weight->shape, TAPE_INPUTS(weight));
    memcpy(out->data, weight->data, 6 * sizeof(float));
    tape_record(&t, out, wrong_backward);
    tape_backward(&t, tape_weighted_sum(&t, out, ones));
}

Test(trace, names_a_gradient_that_is_not_finite, .timeout = 10) {
    CHECK_SAYS(printed(stderr, trace_bad_gradient),
               "is inf, at [1, 1] of the gradient that leaves the backward pass of "
               "copy [2, 3] (h.3)\n");
}

static char path[] = "/tmp/trace-XXXXXX";

static void trace_to_file(void) {
    Params params = {.mode = PARAMS_TRAIN};
    Tensor *weight = add_weight(&params);
    close(mkstemp(path));
    trace_start(TRACE_ALL, path);
    Tape t = tape_create(1);
    tape_backward(&t, run(&t, weight, ones));
    tape_free(&t);
    trace_finish();
}

/* Three operations forward and three backward, in the order in which they ran. */
Test(trace, a_file_for_the_viewers, .timeout = 10) {
    printed(stderr, trace_to_file);
    cJSON *object = json_read_object(path),
          *events = cJSON_GetObjectItem(object, "traceEvents"), *event;
    static const char *const names[] = {"multiply",     "add", "weighted sum",
                                        "weighted sum", "add", "multiply"};
    CHECK(cJSON_GetArraySize(events) == 6, "%d events, expected 6",
          cJSON_GetArraySize(events));
    double last = 0;
    int i = 0;
    cJSON_ArrayForEach(event, events) {
        const char *name = json_text(event, path, "name", ""),
                   *phase = json_text(event, path, "ph", "");
        const char *category = json_text(event, path, "cat", "");
        double at = json_number(event, path, "ts", -1, 0, 1e12);
        CHECK(strcmp(name, names[i]) == 0 && strcmp(phase, "X") == 0,
              "event %d is '%s', '%s'", i, name, phase);
        CHECK(strcmp(category, i < 3 ? "forward" : "backward") == 0, "event %d is %s",
              i, category);
        CHECK(at >= last, "event %d begins before the one before it", i);
        /* rounded to nanoseconds */
        last = at + json_number(event, path, "dur", -1, 0, 1e12) - 0.002;
        i++;
    }
    unlink(path);
}

static void trace_to_nowhere(void *unused) {
    (void)unused;
    trace_start(TRACE_ALL, "/no/such/directory/trace.json");
}

Test(trace, a_file_that_cannot_be_written, .timeout = 10) {
    expect_exit(EXIT_INPUT, "cannot write '/no/such/directory/trace.json'",
                trace_to_nowhere, NULL);
}

/* Totals count all passes, without norms or tables. */
Test(trace, totals_by_operation, .timeout = 10) {
    Params params = {.mode = PARAMS_TRAIN};
    Tensor *weight = add_weight(&params);
    trace_start(TRACE_TIMES, NULL);
    Tape t = tape_create(1);
    for (int i = 0; i < 5; i++) {
        tape_backward(&t, run(&t, weight, ones));
        tape_reset(&t);
    }
    size_t n;
    const TraceTotal *totals = trace_totals(&n);
    CHECK(n == 3 && strcmp(totals[1].name, "add") == 0 && totals[1].calls == 5,
          "%zu operations, the second '%s', %zu times", n, totals[1].name,
          totals[1].calls);
    CHECK(totals[1].forward > 0 && totals[1].backward > 0,
          "an operation that took no time");
    trace_clear_totals();
    trace_totals(&n);
    CHECK(n == 0, "%zu operations after trace_clear_totals", n);
}
