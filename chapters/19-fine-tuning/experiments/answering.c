/* Models that answer questions: see answering.h. */
#include "19-fine-tuning/experiments/answering.h"

#include <math.h>
#include <stdlib.h>

#include "11-training/clip_grad_norm.h"
#include "11-training/cosine.h"
#include "base/error.h"
#include "base/memory.h"
#include "kernels/softmax.h"
#include "math/random.h"

/* --- questions --- */

/* Its answer is a name, and its end a full stop and a line feed. */
static bool asks_for_a_name(const Stories *s, size_t i) {
    size_t answer = s->starts[i] + s->prompts[i];
    return answer + 3 == s->starts[i + 1] && s->parts[answer] == OTHER_NAMES;
}

static size_t longest_prompt(const Stories *s) {
    size_t longest = 0;
    for (size_t i = 0; i < s->n; i++) {
        if (asks_for_a_name(s, i) && s->prompts[i] > longest) longest = s->prompts[i];
    }
    return longest;
}

static void add_question(Questions *q, const Stories *s, size_t i) {
    const int *tokens = s->tokens + s->starts[i];
    int *row = q->inputs + q->n * q->length;
    for (size_t j = 0; j < q->length; j++) row[j] = tokens[j < s->prompts[i] ? j : 0];
    q->at[q->n] = s->prompts[i] - 1;
    q->answers[q->n++][0] = tokens[s->prompts[i]];
}

/* The right answer of another question, and not of this one. */
static void add_wrong_answers(Questions *q, uint64_t seed) {
    Random random = random_create(seed);
    size_t other = 0;
    while (other < q->n && q->answers[other][0] == q->answers[0][0]) other++;
    if (other == q->n) die("all of %zu questions have the same answer", q->n);
    for (size_t i = 0; i < q->n; i++) {
        do q->answers[i][1] = q->answers[random_below(&random, (uint32_t)q->n)][0];
        while (q->answers[i][1] == q->answers[i][0]);
    }
}

Questions questions_create(const Stories *s, size_t n, uint64_t seed) {
    size_t length = longest_prompt(s);
    Questions q = {.length = length,
                   .inputs = checked_alloc(size_mul(n, length), sizeof(int)),
                   .at = checked_alloc(n, sizeof(size_t)),
                   .answers = checked_alloc(n, sizeof *q.answers)};
    for (size_t i = 0; i < s->n && q.n < n; i++) {
        if (asks_for_a_name(s, i)) add_question(&q, s, i);
    }
    if (q.n < n) die("%zu questions for a name: expected %zu", q.n, n);
    add_wrong_answers(&q, seed);
    return q;
}

void questions_free(Questions *q) {
    free(q->inputs);
    free(q->at);
    free(q->answers);
    *q = (Questions){0};
}

static Tensor *ask(Tape *t, const Gpt2 *model, const Questions *q, size_t first) {
    tape_reset(t);
    Gpt2Input input = {.tokens = q->inputs + first * q->length,
                       .batch = ASKED_AT_ONCE,
                       .length = q->length};
    return gpt2_logits(t, model, &input);
}

float *answers_log_p(const Gpt2 *model, const Questions *q) {
    size_t n_vocab = model->config.n_vocab;
    float *log_p = checked_alloc(size_mul(q->n, n_vocab), sizeof *log_p), *out = log_p;
    Tape tape = tape_for_inference();
    for (size_t first = 0; first < q->n; first += ASKED_AT_ONCE) {
        const float *logits = ask(&tape, model, q, first)->data;
        for (size_t i = 0; i < ASKED_AT_ONCE; i++, out += n_vocab) {
            const float *row = logits + (i * q->length + q->at[first + i]) * n_vocab;
            float logsumexp = row_logsumexp(row, n_vocab);
            for (size_t v = 0; v < n_vocab; v++) out[v] = row[v] - logsumexp;
        }
    }
    tape_free(&tape);
    return log_p;
}

/* --- a policy --- */

Policy policy_create(const Base *base, size_t steps) {
    Policy p = {.model = gpt2_copy(base->model->model),
                .tape = tape_for_training(base->seed),
                .steps = steps};
    p.optimizer = adamw_create(&p.model->params, 0, 0);
    p.optimizer.settings.beta2 = 0.95f;
    return p;
}

void policy_free(Policy *p) {
    adamw_free(&p->optimizer);
    tape_free(&p->tape);
    gpt2_free(p->model);
}

Tensor *policy_ask(Policy *p, const Questions *q, size_t first) {
    params_zero_grad(&p->model->params);
    return ask(&p->tape, p->model, q, first);
}

void policy_learn(Policy *p, Tensor *log_p, const float *weights) {
    const float highest = 1e-3f;
    tape_backward(&p->tape, tape_weighted_sum(&p->tape, log_p, weights));
    double norm = clip_grad_norm(&p->model->params, 1);
    if (!isfinite(norm)) die("step %zu: the gradients are not finite", p->step + 1);
    p->step++;
    p->optimizer.settings.learning_rate =
        cosine_rate(highest, highest / 10, p->step, p->steps / 10, p->steps);
    adamw_step(&p->optimizer, &p->model->params);
}
