/* An encoder beside a decoder: the same blocks without the causal mask, trained to fill
 * in words that were masked (Devlin et al. 2019), and with it, trained to say the next
 * word; and which questions each of them answers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "00-tensors/optimizer.h"
#include "00-tensors/softmax_layer.h"
#include "05-residual-blocks/residual_init.h"
#include "08-transformer-block/experiments/experiments.h"
#include "08-transformer-block/experiments/small_model.h"
#include "08-transformer-block/experiments/words.h"
#include "files/csv.h"
#include "math/fit.h"
#include "program/claim.h"
#include "program/progress.h"
#include "text/corpus.h"

enum { D_MODEL = 64, N_HEAD = 4, N_LAYER = 2, LENGTH = 48, BATCH = 16 };
enum { MASKED = WORDS_MOST, N_TOKENS }; /* the token in the place of a word */
enum { PERCENT_MASKED = 15 };           /* BERT's share */
enum { MAX_SEEDS = 5, QUESTIONS = 256, STORIES = 64 };

enum { STREAM_INIT = 1, STREAM_DATA, STREAM_SAMPLING };

typedef enum { DECODER, ENCODER, KINDS } Kind;

typedef struct {
    double gap;     /* right words for one that only the words behind it tell */
    double end;     /* for one that the words before it tell, with none behind */
    double stories; /* written stories that are sentences of the language */
} Answers;

/* The words that are masked are the targets, and no others. */
static void hide(int *tokens, int *targets, size_t n, Random *r) {
    for (size_t i = 0; i < n; i++) {
        bool hidden = random_below(r, 100) < PERCENT_MASKED;
        targets[i] = hidden ? tokens[i] : IGNORE_TARGET;
        if (hidden) tokens[i] = MASKED;
    }
}

/* Rows that begin with a story and end somewhere in a later one. */
static void draw(int *tokens, int *targets, Kind kind, const Words *text, Random *r) {
    for (size_t b = 0; b < BATCH; b++) {
        size_t at = random_below(r, (uint32_t)(text->n - 2 * LENGTH));
        while (text->tokens[at++] != text->end) continue;
        memcpy(tokens + b * LENGTH, text->tokens + at, LENGTH * sizeof *tokens);
        memcpy(targets + b * LENGTH, text->tokens + at + 1, LENGTH * sizeof *targets);
    }
    if (kind == ENCODER) hide(tokens, targets, BATCH * LENGTH, r);
}

static SmallModel train(Kind kind, const Words *text, size_t steps, uint64_t seed,
                        Progress *progress, size_t done) {
    const float std = 0.125f, peak = 3e-3f; /* 1 / sqrt(D_MODEL) */
    SmallModelConfig config = {.block = block_config_gpt2(D_MODEL, N_HEAD),
                               .n_layer = N_LAYER,
                               .n_tokens = N_TOKENS,
                               .length = LENGTH,
                               .std = std,
                               .std_residual = residual_init_std(std, N_LAYER)};
    config.block.causal = kind == DECODER;
    Random init = random_stream(seed, STREAM_INIT),
           data = random_stream(seed, STREAM_DATA);
    SmallModel m = small_model_create(&config, &init);
    AdamW optimizer = adamw_create(&m.params, peak, 0);
    Tape t = tape_create(seed);
    int tokens[BATCH * LENGTH], targets[BATCH * LENGTH];
    for (size_t step = 0; step < steps; step++) {
        draw(tokens, targets, kind, text, &data);
        tape_reset(&t);
        params_zero_grad(&m.params);
        Tensor *loss =
            cross_entropy(&t, small_model_logits(&t, &m, tokens, BATCH, NULL), targets);
        tape_backward(&t, loss);
        optimizer.settings.learning_rate = peak * (1 - (float)step / (float)steps);
        adamw_step(&optimizer, &m.params);
        progress_update(progress, done + step + 1, "loss %.3f", (double)loss->data[0]);
    }
    adamw_free(&optimizer);
    tape_free(&t);
    return m;
}

/* The logits [batch, length, N_TOKENS] of rows that are shorter than the model's. */
static Tensor *logits_of(Tape *t, const SmallModel *m, const int *rows, size_t batch,
                         size_t length) {
    SmallModel shorter = *m;
    shorter.config.length = length;
    return small_model_logits(t, &shorter, rows, batch, NULL);
}

/* --- the questions --- */

/* "Anna puts a small key in the box. [...] Where is the key? In the box.": the places
 * of the story, of the first "key", of the last "box". */
typedef struct {
    size_t story, gap, end;
} Question;

/* The next story behind place `from`. */
static Question next_question(const Words *text, size_t from) {
    Question q;
    while (text->tokens[from++] != text->end) continue;
    q.story = from;
    q.gap = from + 4;
    while (text->tokens[from] != text->end) from++;
    q.end = from - 2;
    return q;
}

/* The model's word for place `at` of the words from `from` to `to`: of an encoder for a
 * mask there, of a decoder behind the word before. */
static bool is_right(const SmallModel *m, Kind kind, const Words *text, size_t from,
                     size_t at, size_t to) {
    int window[LENGTH];
    size_t length = to + 1 - from, row = at - from - (kind == DECODER);
    memcpy(window, text->tokens + from, length * sizeof *window);
    window[at - from] = MASKED;
    Tape t = tape_for_inference();
    const float *logits = logits_of(&t, m, window, 1, length)->data + row * N_TOKENS;
    int best = 0;
    for (int k = 1; k < N_TOKENS; k++) {
        if (logits[k] > logits[best]) best = k;
    }
    tape_free(&t);
    return best == text->tokens[at];
}

/* --- writing --- */

/* One more word of each row [length]: the encoder's for a mask behind them. */
static void write_word(int *rows, size_t length, const SmallModel *m, Kind kind,
                       Random *r) {
    size_t read = length + (kind == ENCODER);
    int read_rows[STORIES * LENGTH];
    for (size_t b = 0; b < STORIES; b++) {
        memcpy(read_rows + b * read, rows + b * LENGTH, length * sizeof *rows);
        if (kind == ENCODER) read_rows[b * read + length] = MASKED;
    }
    Tape t = tape_for_inference();
    Tensor *p = softmax(&t, logits_of(&t, m, read_rows, STORIES, read), -1);
    for (size_t b = 0; b < STORIES; b++) {
        const float *of_row = p->data + ((b + 1) * read - 1) * N_TOKENS;
        double u = random_double(r), sum = 0;
        int word = 0;
        while (word + 1 < WORDS_MOST && (sum += (double)of_row[word]) <= u) word++;
        rows[b * LENGTH + length] = word;
    }
    tape_free(&t);
}

/* The share of stories, each written behind its first word, that the grammar can
 * produce. */
static double write_stories(const SmallModel *m, Kind kind, const Words *text,
                            uint64_t seed) {
    int rows[STORIES * LENGTH];
    Random random = random_stream(seed, STREAM_SAMPLING);
    Question q = next_question(text, 0);
    for (size_t b = 0; b < STORIES; b++) {
        rows[b * LENGTH] = text->tokens[q.story];
        q = next_question(text, q.end);
    }
    for (size_t length = 1; length + 1 < LENGTH; length++)
        write_word(rows, length, m, kind, &random);
    size_t right = 0;
    for (size_t b = 0; b < STORIES; b++) {
        char story[LENGTH * 16];
        size_t bytes = 0;
        for (size_t i = 0; i + 1 < LENGTH; i++) {
            int word = rows[b * LENGTH + i];
            if ((size_t)word >= text->n_words) break;
            bytes += words_write(story + bytes, text, word, i == 0);
            if (word == text->end) break;
        }
        right += corpus_grade(story, bytes).grammatical;
    }
    return (double)right / STORIES;
}

static Answers measure(const SmallModel *m, Kind kind, const Words *train_text,
                       uint64_t seed) {
    Words text = words_create(1000, 1 << 19, train_text);
    size_t gaps = 0, ends = 0;
    Question q = next_question(&text, 0);
    for (size_t i = 0; i < QUESTIONS; i++) {
        gaps += is_right(m, kind, &text, q.story, q.gap, q.end);
        ends += is_right(m, kind, &text, q.story, q.end, q.end);
        q = next_question(&text, q.end);
    }
    Answers a = {.gap = (double)gaps / QUESTIONS,
                 .end = (double)ends / QUESTIONS,
                 .stories = write_stories(m, kind, &text, seed)};
    words_free(&text);
    return a;
}

void experiment_encoder(const Settings *settings) {
    size_t n_seeds = settings->quick ? 1 : MAX_SEEDS,
           steps = settings->quick ? 100 : 1000;
    /* as many words to answer for both */
    const size_t steps_of[KINDS] = {steps, steps * 100 / PERCENT_MASKED};
    Words text = words_create(1, 1 << 23, NULL);
    Csv csv = csv_begin(settings->out, "encoder", "model,seed,gap,end,stories");
    Progress progress =
        progress_begin("encoder", n_seeds * (steps_of[DECODER] + steps_of[ENCODER]));
    size_t done = 0;
    bool fills = true, goes_on = true;
    for (size_t run = 0; run < n_seeds * KINDS; run++) {
        uint64_t seed = settings->seed + run / KINDS;
        Kind kind = run % KINDS;
        SmallModel m = train(kind, &text, steps_of[kind], seed, &progress, done);
        done += steps_of[kind];
        Answers a = measure(&m, kind, &text, seed);
        small_model_free(&m);
        const char *name = kind == DECODER ? "decoder" : "encoder";
        printf("%s, seed %zu: gap %.2f, end %.2f, stories %.2f\n", name,
               run / KINDS + 1, a.gap, a.end, a.stories);
        csv_row(&csv, "%s,%llu,%.6g,%.6g,%.6g", name, (unsigned long long)seed, a.gap,
                a.end, a.stories);
        fills = fills && (kind == ENCODER ? a.gap > 0.9 : a.gap < 0.3);
        goes_on = goes_on && (kind == ENCODER ? a.stories < 0.2 : a.stories > 0.5);
    }
    progress_end(&progress);
    csv_commit(&csv);
    words_free(&text);
    claim(fills, "the encoder fills more than 0.9 of the gaps, the decoder less than "
                 "0.3, with each seed");
    claim(goes_on, "the decoder writes more than 0.5 stories of the language, the "
                   "encoder less than 0.2, with each seed");
}
