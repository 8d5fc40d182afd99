/* Stage 1 of exercise 17/gpt2: models that are opened, and changed ones that are
 * refused; and how ids and logits come back. */
#ifndef TESTS_17_DIRECTORY_H
#define TESTS_17_DIRECTORY_H

#include "run.h"
#include "tiny.h"

static const char *ids_text(const int *ids, size_t n) {
    char *text = checked_alloc(8 * n + 2, 1), *at = text;
    for (size_t i = 0; i < n; i++) at += sprintf(at, i ? ",%d" : "%d", ids[i]);
    return text;
}

/* The logits [n, V] of ids [n], from the file of a run that writes nothing. */
static char logits_name[120]; /* in messages */

static float *logits_of(const char *directory, const Tiny *m, const int *ids,
                        size_t n) {
    char path[120];
    snprintf(logits_name, sizeof logits_name, "logits of %s", directory);
    snprintf(path, sizeof path, "%s/logits-%ld", directory, (long)getpid());
    OUTPUT(directory, "--ids", ids_text(ids, n), "-n", "0", "--logits", path);
    float *logits = checked_alloc(n * m->V, sizeof *logits);
    FILE *file = fopen(path, "rb");
    CHECK(file, "--logits %s: there is no such file after the run", path);
    size_t got = fread(logits, sizeof *logits, n * m->V, file);
    bool more = fgetc(file) != EOF;
    fclose(file);
    remove(path);
    CHECK(got == n * m->V && !more,
          "--logits: expected %zu rows of %zu floats, one for each token, got %s", n,
          m->V, more ? "more" : "less");
    return logits;
}

static Tiny small(void) {
    return tiny_model(40, 12, 1, 2, 8, 20);
}

static void expect_ids_back(const char *directory) {
    char *out = OUTPUT(directory, "--ids", "3,1,39", "-n", "0");
    CHECK(strcmp(out, "3,1,39\n") == 0,
          "--ids 3,1,39 -n 0 writes \"%.60s\", expected \"3,1,39\" and a line feed",
          out);
}

/* How many lines the page has; it includes the standard library's headers alone. */
static size_t page_lines(void) {
    FILE *file = fopen(gpt2_source, "r");
    CHECK(file, "%s is missing", gpt2_source);
    char line[4000];
    size_t n = 0;
    while (fgets(line, sizeof line, file)) {
        n += strchr(line, '\n') != NULL;
        const char *include = line + strspn(line, " \t");
        if (*include != '#') continue;
        include += 1 + strspn(include + 1, " \t");
        CHECK(strncmp(include, "include", 7) != 0 || !strchr(include, '"'),
              "line %zu includes a file that is not the standard library's", n);
    }
    fclose(file);
    return n;
}

/* A model's config with one place changed. */
static void refuse_config(const char *from, const char *to, const char *word) {
    Tiny m = small();
    char text[2000], why[200], *place;
    snprintf(text, sizeof text, "%s", tiny_config(&m));
    place = strstr(text, from);
    CHECK(place, "the test knows no %s", from);
    char rest[2000];
    snprintf(rest, sizeof rest, "%s", place + strlen(from));
    snprintf(place, sizeof text - (size_t)(place - text), "%s%s", to, rest);
    const char *name = tiny_refused(*to ? to : from);
    tiny_text(name, "config.json", text);
    tiny_weights(&m, name, tiny_header(&m, "", false), 8);
    snprintf(why, sizeof why, "a config.json with %s in the place of %s",
             *to ? to : "nothing", from);
    expect_refused(RUN(name, "--ids", "3,1", "-n", "0"), why, word);
}

/* A place of the config, what stands there instead, what the line must name. */
static const char *const configs[][3] = {
    {"\"gpt2\"", "\"llama\"", "model_type"},
    {"\"gelu_new\"", "\"relu\"", "activation_function"},
    {"\"scale_attn_weights\": true", "\"scale_attn_weights\": false",
     "scale_attn_weights"},
    {"\"n_ctx\": 7", "\"tie_word_embeddings\": false", "tie_word_embeddings"},
    {"\"n_ctx\": 7", "\"scale_attn_by_inverse_layer_idx\": true",
     "scale_attn_by_inverse_layer_idx"},
    {"\"n_head\": 2", "\"n_head\": 3", "n_head"},
    {"\"n_head\": 2", "\"n_head\": 0", "n_head"},
    {"\"n_head\": 2", "\"n_head\": 0.5", "n_head"},
    {"\"n_head\": 2", "\"n_head\": 2.5", "n_head"},
    {"\"n_embd\": 8", "\"n_embd\": 8.5", "n_embd"},
    {"\"n_layer\": 1", "\"n_layer\": 1.5", "n_layer"},
    {"\"n_positions\": 12", "\"n_positions\": 12.9", "n_positions"},
    {"\"vocab_size\": 40", "\"vocab_size\": 40.7", "vocab_size"},
    {"\"n_inner\": 20", "\"n_inner\": 20.5", "n_inner"},
    {"\"n_embd\": 8,", "", "n_embd"},
    {"\"n_positions\": 12", "\"n_positions\": -12", "n_positions"},
    {"\"n_layer\": 1", "\"n_layer\": \"one\"", "n_layer"},
    {"\"vocab_size\": 40", "\"vocab_size\": 41", "wte.weight"},
    {"\"n_layer\": 1", "\"n_layer\": 2", "h.1."},
};
enum { N_CONFIGS = sizeof configs / sizeof *configs };

static void refuse_header(const char *from, const char *to, size_t cut,
                          const char *why) {
    Tiny m = small();
    char *header = tiny_header(&m, "", false), *changed = checked_alloc(1 << 16, 1);
    char *place = strstr(header, from);
    CHECK(place, "the test knows no %s", from);
    sprintf(changed, "%.*s%s%s", (int)(place - header), header, to,
            place + strlen(from));
    while (strlen(changed) % 8) strcat(changed, " ");
    const char *name = tiny_refused(why);
    tiny_text(name, "config.json", tiny_config(&m));
    tiny_weights(&m, name, changed, cut);
    expect_refused(RUN(name, "--ids", "3,1", "-n", "0"), why, "");
}

/* A tensor that the header lacks, whose entry stands in the numbers as text. */
static void refuse_entry_in_numbers(void) {
    Tiny m = tiny_model(40, 12, 1, 2, 32, 20);
    char *header = tiny_header(&m, "", false), *place = strstr(header, "ln_f.weight");
    memcpy(place, "ln_g", 4);
    static const char entry[] =
        "\"ln_f.weight\":{\"dtype\":\"F32\",\"shape\":[32],\"data_offsets\":[0,128]}";
    memcpy(m.layers[0].ln_1_w, entry, sizeof entry - 1);
    const char *name = tiny_refused("an entry in the numbers");
    tiny_text(name, "config.json", tiny_config(&m));
    tiny_weights(&m, name, header, 8);
    expect_refused(RUN(name, "--ids", "3,1", "-n", "0"),
                   "a tensor whose entry stands behind the header, in the numbers", "");
}

/* Files of 0, 4, 8 ... bytes, which say that a header of 2^63 bytes follows. */
static void refuse_short_files(const Tiny *m) {
    static const char huge[] = "\xff\xff\xff\xff\xff\xff\xff\x7f{}      ";
    for (size_t n = 0; n < sizeof huge; n += 4) {
        char size[20];
        snprintf(size, sizeof size, "%zu bytes", n);
        const char *name = tiny_refused(size);
        tiny_text(name, "config.json", tiny_config(m));
        tiny_file(name, "model.safetensors", huge, n);
        expect_refused(RUN(name, "--ids", "3,1", "-n", "0"),
                       "a file with less than its header", "");
    }
}

#endif
