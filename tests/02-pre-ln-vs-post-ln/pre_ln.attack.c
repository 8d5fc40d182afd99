/* An attack on 02/pre_ln: which tensor goes where. Norm, sublayer and join keep what
 * they were given and what they gave back. */
#include "02-pre-ln-vs-post-ln/pre_ln.h"

#include "check/check.h"

typedef struct {
    const Tensor *in, *out;
    int calls;
} Seen;

static Seen norm, sublayer, join;
static const Tensor *joined_branch;

static Tensor *keep(Tape *t, const void *self, Tensor *x) {
    Seen *seen = self == &norm ? &norm : &sublayer;
    Tensor *out = tape_scale(t, x, 2);
    *seen = (Seen){x, out, seen->calls + 1};
    return out;
}

static Tensor *keep_join(Tape *t, const void *self, Tensor *x, Tensor *branch) {
    (void)self;
    Tensor *out = tape_add(t, x, branch);
    join = (Seen){x, out, join.calls + 1};
    joined_branch = branch;
    return out;
}

static void check_wires(bool has_norm) {
    Tape t = tape_create(1);
    Tensor *x = tape_input(&t, 1, (size_t[]){2}, (float[]){1, 2});
    Residual r = {.placement = PRE_LN,
                  .norm = has_norm ? (Layer){keep, &norm} : (Layer){0},
                  .sublayer = {keep, &sublayer},
                  .join = {keep_join, NULL}};
    norm = sublayer = join = (Seen){0};
    const Tensor *out = residual_pre_ln(&t, &r, x);
    CHECK(norm.calls == has_norm && sublayer.calls == 1 && join.calls == 1,
          "norm, sublayer, join: %d, %d, %d", norm.calls, sublayer.calls, join.calls);
    CHECK(!has_norm || norm.in == x, "the norm does not read x");
    CHECK(sublayer.in == (has_norm ? norm.out : x),
          "the sublayer does not read what the norm gives");
    CHECK(join.in == x && joined_branch == sublayer.out,
          "the join is not of x and the branch");
    CHECK(out == join.out, "what comes out is not the join");
}

Test(attack, wires) {
    check_wires(true);
    check_wires(false);
}
