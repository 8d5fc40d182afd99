/* A cache of decoded rows: how often it hits, by access pattern, and the time that a
 * hit saves. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "09-tokenizer/tokenizer.h"
#include "10-gpt2/gpt2.h"
#include "14-compression/codec.h"
#include "14-compression/experiments/experiments.h"
#include "14-compression/experiments/kept_rows.h"
#include "program/claim.h"
#include "base/clock.h"
#include "text/corpus.h"
#include "files/csv.h"
#include "base/error.h"
#include "files/file.h"
#include "math/fit.h"
#include "base/memory.h"
#include "math/random.h"
#include "kernels/threads.h"

static const char text_place[] = "data/tinyshakespeare.txt";

/* --- access patterns --- */

/* The rows of a matrix of n_rows in the order in which they are read. */
typedef struct {
    const char *name;
    uint64_t seed; /* of the text */
    int *rows;
    size_t n, n_rows;
} Readings;

/* A text's tokens are the rows of the token table that it reads. */
static Readings read_text(const char *name, const char *text, size_t bytes,
                          size_t n_vocab) {
    Readings r = {.name = name};
    Tokenizer *t = tokenizer_train(text, bytes, n_vocab);
    r.rows = tokenizer_encode(t, text, bytes, true, &r.n);
    r.n_rows = tokenizer_n_vocab(t);
    tokenizer_free(t);
    return r;
}

enum { PRODUCTS = 64 };

/* A product reads every row, once a token. */
static Readings read_by_products(size_t n_rows, size_t n_products) {
    Readings r = {.name = "product",
                  .rows = checked_alloc(size_mul(n_rows, n_products), sizeof *r.rows),
                  .n = n_rows * n_products,
                  .n_rows = n_rows};
    for (size_t i = 0; i < r.n; i++) r.rows[i] = (int)(i % n_rows);
    return r;
}

/* --- how often they are held --- */

static double hits(const Readings *r, size_t capacity, KeepWhich which) {
    /* they do not change which rows are held */
    float number, *numbers = checked_alloc(r->n_rows, sizeof *numbers);
    Weight w = weight_of_floats(numbers, r->n_rows, 1);
    KeptRows k = kept_rows_create(&w, capacity, which);
    for (size_t i = 0; i < r->n; i++) kept_rows_read(&number, &k, (size_t)r->rows[i]);
    double share = (double)k.hits / (double)k.reads;
    kept_rows_free(&k);
    free(numbers);
    return share;
}

static int descending(const void *a, const void *b) {
    size_t s = *(const size_t *)a, t = *(const size_t *)b;
    return s < t ? 1 : s > t ? -1 : 0;
}

/* How often each row is read, the most frequent first. */
static size_t *frequencies(const Readings *r) {
    size_t *times = checked_alloc(r->n_rows, sizeof *times);
    for (size_t i = 0; i < r->n; i++) times[r->rows[i]]++;
    qsort(times, r->n_rows, sizeof *times, descending);
    return times;
}

/* Zipf's law, the row of rank r read in proportion to 1 / r: the share of the first
 * `capacity`. */
static double zipf_share(size_t capacity, size_t n_rows) {
    double of_first = 0, all = 0;
    for (size_t rank = 1; rank <= n_rows; rank++) {
        all += 1 / (double)rank;
        if (rank <= capacity) of_first += 1 / (double)rank;
    }
    return of_first / all;
}

/* Capacities: from n_rows / 512 each twice the one before, up to a half; all rows but
 * one; all. */
enum { SEEDS = 3, SIZES = 11, EIGHTH = 6, ALL_BUT_ONE = SIZES - 2 };

static size_t capacity_of(size_t size, size_t n_rows) {
    return size < ALL_BUT_ONE ? n_rows >> (ALL_BUT_ONE - size)
                              : n_rows - (size == ALL_BUT_ONE);
}

typedef struct {
    /* shares of the readings that find their row held, by what is kept */
    double latest, first;
    double best; /* if the most frequent rows were held from the start */
    double zipf; /* the same if they followed Zipf's law */
} Held;

static void measure_hits(Held held[SIZES], const Readings *r, Csv *csv) {
    size_t *times = frequencies(r);
    for (size_t size = 0; size < SIZES; size++) {
        size_t capacity = capacity_of(size, r->n_rows), of_best = 0;
        for (size_t i = 0; i < capacity; i++) of_best += times[i];
        Held h = {.latest = hits(r, capacity, KEEP_LATEST),
                  .first = hits(r, capacity, KEEP_FIRST),
                  .best = (double)of_best / (double)r->n,
                  .zipf = zipf_share(capacity, r->n_rows)};
        held[size] = h;
        csv_row(csv, "%s,%llu,%zu,%.6g,%.6g,%.6g,%.6g,%.6g", r->name,
                (unsigned long long)r->seed, capacity,
                (double)capacity / (double)r->n_rows, h.latest, h.first, h.best,
                h.zipf);
        printf("%-8s %6zu of %4zu %8.4f %8.4f %8.4f %8.4f\n", r->name, capacity,
               r->n_rows, h.latest, h.first, h.best, h.zipf);
    }
    free(times);
}

static const char hit_columns[] = "reader,seed,rows,share,latest,first,best,zipf";

static void measure_play(Held held[SIZES], const Settings *settings) {
    size_t bytes;
    char *text = file_read(text_place, &bytes);
    Csv csv = csv_begin(settings->out, "row-cache-play", hit_columns);
    Readings play = read_text("play", text, settings->quick ? bytes / 8 : bytes,
                              settings->quick ? 1024 : 4096);
    if (capacity_of(0, play.n_rows) == 0)
        die("file '%s': a vocabulary of %zu tokens is learned from it, expected 512 or "
            "more",
            text_place, play.n_rows);
    measure_hits(held, &play, &csv);
    csv_commit(&csv);
    free(play.rows);
    free(text);
}

/* --- what a hit saves --- */

static const char *const codecs[] = {"f16",      "q8_0",    "q4_0",
                                     "kmeans:4", "dct:177", "rbe:180"};
enum { CODECS = sizeof codecs / sizeof *codecs, Q8_0 = 1, RBE = CODECS - 1 };
enum { ROWS = 2048, COLS = 768, HELD = ROWS / 8, ROUNDS = 9 };

/* Seconds a row, on one thread's processor. */
typedef struct {
    double decode; /* read without a cache */
    double hit, miss;
    double product; /* a row's part of a product with one vector, all rows */
} RowTimes;

/* One reading of rows 0 .. n - 1, through the cache or without. */
static double seconds_a_row(float *out, const Weight *w, KeptRows *cache, size_t n) {
    double started = clock_thread_seconds();
    for (size_t r = 0; r < n; r++) {
        if (cache)
            kept_rows_read(out, cache, r);
        else
            weight_row(out, w, r);
    }
    return (clock_thread_seconds() - started) / (double)n;
}

static double product_seconds_a_row(float *out, const Weight *w, const float *x) {
    double started = clock_thread_seconds();
    weight_multiply_transposed(out, x, w, NULL, 1);
    return (clock_thread_seconds() - started) / (double)w->rows;
}

/* The four take turns, and the quickest of each counts. Misses come from reading all
 * rows again and again, as a product would. */
static RowTimes time_rows(const Weight *w, int rounds) {
    RowTimes t = {
        .decode = INFINITY, .hit = INFINITY, .miss = INFINITY, .product = INFINITY};
    KeptRows hit = kept_rows_create(w, HELD, KEEP_LATEST),
             miss = kept_rows_create(w, HELD, KEEP_LATEST);
    float *row = checked_alloc(w->cols, sizeof *row),
          *out = checked_alloc(w->rows, sizeof *out);
    seconds_a_row(row, w, &hit, HELD);
    for (int round = 0; round < rounds; round++) {
        t.decode = smaller(t.decode, seconds_a_row(row, w, NULL, w->rows));
        t.hit = smaller(t.hit, seconds_a_row(row, w, &hit, HELD));
        t.miss = smaller(t.miss, seconds_a_row(row, w, &miss, w->rows));
        t.product = smaller(t.product, product_seconds_a_row(out, w, row));
    }
    kept_rows_free(&hit);
    kept_rows_free(&miss);
    free(row);
    free(out);
    return t;
}

/* Rows as long as the token table's that GPT-2's products read for a token: the head's
 * and the blocks'. */
static double rows_a_token(void) {
    Gpt2Config c = gpt2_named_config("gpt2");
    return (double)c.n_vocab + 12 * (double)(c.n_layer * c.block.d_model);
}

/* How many times as fast rows are read, and nothing else is done, where `held` of the
 * readings are hits. */
static double reading_speedup(const RowTimes *t, double held) {
    return t->decode / (held * t->hit + (1 - held) * t->miss);
}

/* The share of a token's time, in percent, that is saved if all readings of the token
 * table are hits. */
static double token_percent(const RowTimes *t) {
    return 100 * (t->decode - t->hit) / (t->decode + rows_a_token() * t->product);
}

/* The memory of the cache beside the codes, in bits a weight. */
static double cache_bits(const Weight *w) {
    KeptRows k = kept_rows_create(w, HELD, KEEP_LATEST);
    double bits = 8 * (double)kept_rows_bytes(&k) / (double)(w->rows * w->cols);
    kept_rows_free(&k);
    return bits;
}

static void measure_times(RowTimes times[CODECS], const Settings *settings,
                          double held) {
    Csv csv = csv_begin(
        settings->out, "row-cache-time",
        "codec,bits,cache_bits,decode_us,hit_us,miss_us,product_us,decode_per_hit,"
        "decode_per_product,reading_speedup,token_percent");
    printf("microseconds a row of %d\n%-10s %6s %8s %8s %8s %8s %14s %14s\n", COLS,
           "codec", "bits", "decoded", "hit", "missed", "product", "reading, times",
           "a token, %");
    float *x = checked_alloc(ROWS * COLS, sizeof *x);
    Random random = random_create(settings->seed);
    random_fill_normal(&random, x, ROWS * COLS, 0.02f);
    threads_use(1);
    for (size_t c = 0; c < CODECS; c++) {
        double value;
        const Codec *codec = codec_find(codecs[c], &value);
        Weight w = codec_encode(codec, value,
                                &(Matrix){.data = x, .rows = ROWS, .cols = COLS});
        RowTimes t = times[c] = time_rows(&w, settings->quick ? 1 : ROUNDS);
        double speedup = reading_speedup(&t, held), percent = token_percent(&t);
        csv_row(&csv, "%s,%.6g,%.6g,%.4g,%.4g,%.4g,%.4g,%.4g,%.4g,%.4g,%.4g", codecs[c],
                codec_bits(&w), cache_bits(&w), 1e6 * t.decode, 1e6 * t.hit,
                1e6 * t.miss, 1e6 * t.product, t.decode / t.hit, t.decode / t.product,
                speedup, percent);
        printf("%-10s %6.2f %8.3f %8.3f %8.3f %8.3f %14.2f %14.4f\n", codecs[c],
               codec_bits(&w), 1e6 * t.decode, 1e6 * t.hit, 1e6 * t.miss,
               1e6 * t.product, speedup, percent);
        free((void *)(uintptr_t)w.data);
    }
    threads_use(settings->threads);
    csv_commit(&csv);
    free(x);
}

/* The measurements that need no file: stories of three seeds, and products. Returns the
 * least of the stories' hits with an eighth of the rows. */
static double measure_given(Held of_product[SIZES], const Settings *settings) {
    double least = INFINITY;
    size_t seeds = settings->quick ? 1 : SEEDS, n_rows = 0;
    Csv csv = csv_begin(settings->out, "row-cache", hit_columns);
    for (uint64_t seed = settings->seed; seed < settings->seed + seeds; seed++) {
        CorpusText text = corpus_generate(seed, settings->quick ? 100000 : 1000000);
        Readings stories = read_text("stories", text.text, text.bytes, 512);
        Held held[SIZES];
        stories.seed = seed;
        measure_hits(held, &stories, &csv);
        least = smaller(least, held[EIGHTH].latest);
        n_rows = stories.n_rows;
        free(stories.rows);
        free(text.text);
    }
    Readings product = read_by_products(n_rows, PRODUCTS);
    measure_hits(of_product, &product, &csv);
    free(product.rows);
    csv_commit(&csv);
    return least;
}

/* `play` may be NULL. */
static void claim_hits(double stories, const Held product[SIZES], const Held *play) {
    double latest = 0;
    for (size_t size = 0; size <= ALL_BUT_ONE; size++)
        latest = larger(latest, product[size].latest);
    claim(stories > 0.5,
          "with an eighth of the rows %.2f or more of the stories' readings are hits "
          "(half)",
          stories);
    if (play)
        claim(fabs(play[EIGHTH].latest - play[EIGHTH].zipf) < 0.1,
              "of the play's %.2f, by Zipf's law %.2f", play[EIGHTH].latest,
              play[EIGHTH].zipf);
    claim(
        latest == 0,
        "of a product's none, if the latest rows are kept and one of all has no room");
    claim(product[EIGHTH].first < 0.125, "and %.3f if the first are kept (an eighth)",
          product[EIGHTH].first);
}

static void claim_times(const RowTimes times[CODECS], double held) {
    double rbe = reading_speedup(&times[RBE], held),
           q8_0 = reading_speedup(&times[Q8_0], held), most = 0;
    for (size_t c = 0; c < CODECS; c++) most = larger(most, token_percent(&times[c]));
    claim(rbe > 1.5 && rbe > 1.5 * q8_0,
          "rows of stories read with an eighth held: RBE's %.1f times as fast (1.5), "
          "Q8_0's %.1f times",
          rbe, q8_0);
    claim(most < 1,
          "a token of GPT-2's is at most %.3f %% sooner if every row of the table is "
          "held (1)",
          most);
}

void experiment_row_cache(const Settings *settings) {
    Held of_product[SIZES], of_play[SIZES];
    RowTimes times[CODECS];
    bool play_there = access(text_place, R_OK) == 0;
    printf("readings that find their row held, share\n%-8s %14s %8s %8s %8s %8s\n", "",
           "rows held", "latest", "first", "best", "Zipf");
    double of_stories = measure_given(of_product, settings);
    if (play_there)
        measure_play(of_play, settings);
    else
        printf("play     skipped: there is no %s; make data fetches it\n", text_place);
    measure_times(times, settings, of_stories);
    claim_hits(of_stories, of_product, play_there ? of_play : NULL);
    claim_times(times, of_stories);
}
