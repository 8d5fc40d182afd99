/* Tests of exercise 17/gpt2, stage by stage: a directory, text, embeddings and head, a
 * block, attention, layers, the choice of tokens. They run the program on small models
 * that stay in build/one-file. */
#include "17-one-file/gpt2.h"

#include <math.h>
#include <stdlib.h>

#include "check/check.h"
#include "directory.h"
#include "draws.h"
#include "encoding.h"
#include "stages.h"

/* --- stage 1: a directory --- */

Test(gpt2, stage1_opens_a_model, .timeout = 30) {
    Tiny m = small();
    expect_ids_back(tiny_save(&m, "small"));
    page_lines();
}

/* With the prefix, with what else is in files, and keys that may be missing. Each file
 * is written once: another process may be reading it. */
Test(gpt2, stage1_opens_other_files, .timeout = 30) {
    Tiny m = tiny_model(40, 12, 2, 2, 8, 32);
    const char *directory = "build/one-file/older";
    tiny_weights(&m, directory, tiny_header(&m, "transformer.", true), 0);
    tiny_text(directory, "config.json",
              "{\"n_inner\":null,\"vocab_size\":40,\"n_positions\":12,\"n_layer\":2,"
              "\"n_head\":2,\"n_embd\":8}");
    expect_ids_back(directory);
}

Test(gpt2, stage1_refuses_other_models, .timeout = 60) {
    Tiny m = small();
    expect_ids_back(tiny_save(&m, "small"));
    for (size_t i = 0; i < N_CONFIGS; i++)
        refuse_config(configs[i][0], configs[i][1], configs[i][2]);
}

Test(gpt2, stage1_refuses_damaged_weights, .timeout = 60) {
    Tiny m = small();
    expect_ids_back(tiny_save(&m, "small"));
    refuse_header("\"F32\",\"shape\":[40,8]", "\"F16\",\"shape\":[40,8]", 0,
                  "a tensor of another type than F32");
    refuse_header("\"shape\":[40,8]", "\"shape\":[8,40]", 0, "a matrix turned round");
    refuse_header("\"shape\":[40,8]", "\"shape\":[320]", 0,
                  "a matrix that is a vector");
    refuse_header("\"ln_f.weight\"", "\"ln_g.weight\"", 0, "a tensor that is missing");
    refuse_header("{", "[", 0, "a header that is no JSON object");
    refuse_header("\"data_offsets\":[0,", "\"data_offsets\":[4,", 0,
                  "offsets that do not fit the shape");
    refuse_header("\"data_offsets\":[0,32]", "\"data_offsets\":[99999992,100000024]", 0,
                  "offsets behind the end");
    refuse_header("\"data_offsets\":[0,32]",
                  "\"data_offsets\":[18446744073709551600,16]", 0, "negative offsets");
    refuse_header("\"data_offsets\":[0,32]", "\"data_offsets\":[-16,16]", 0,
                  "an offset with a minus");
    refuse_header("{", "{", 9, "a file without its last byte");
    refuse_short_files(&m);
    refuse_entry_in_numbers();
    expect_refused(RUN("build/one-file/nowhere", "--ids", "3", "-n", "0"),
                   "a directory that is not there", "");
}

/* As files without a head do, one with the table for a head means the table. */
Test(gpt2, stage1_refuses_another_head, .timeout = 30) {
    Tiny m = tiny_model(40, 12, 1, 2, 8, 20);
    expect_ids_back(tiny_save(&m, "small"));
    float *head = tiny_add(&m, "lm_head.weight", m.V, m.D);
    memcpy(head, m.wte, m.V * m.D * sizeof *head);
    expect_ids_back(tiny_save(&m, "head-is-table"));
    head[m.V * m.D - 1] += 1;
    expect_refused(
        RUN(tiny_save(&m, "refused-another-head"), "--ids", "3,1", "-n", "0"),
        "an lm_head.weight that is not wte.weight", "lm_head.weight");
}

Test(gpt2, stage1_refuses_other_ids, .timeout = 30) {
    Tiny m = small();
    const char *directory = tiny_save(&m, "small");
    expect_ids_back(directory);
    static const char *const wrong[] = {"40", "3,-1", "3,x", "2.5",
                                        "99999999999999999999"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        expect_refused(RUN(directory, "--ids", wrong[i], "-n", "0"),
                       "ids that are not below 40", "");
    expect_refused(RUN(directory, "--ids", "1,2,3,4,5,6,7,8,9,10,11,12,13", "-n", "0"),
                   "a prompt of 13 tokens where there are 12 positions", "");
    expect_refused(RUN(directory, "--ids", "1", "--what", "0"), "an unknown option",
                   "");
    expect_refused(RUN(directory, "--ids", "1", "-n"), "an option without its value",
                   "");
}

/* --- stage 2: text to ids --- */

Test(gpt2, stage2_bytes, .timeout = 30) {
    CHECK_WORDS(words_model("words", false), "xQ#~j|Z", "\\\"x\"");
}

Test(gpt2, stage2_merges_by_rank, .timeout = 30) {
    CHECK_WORDS(words_model("words", false), "here", "abc", "inging", "one", "zzzzzzz",
                "hererher", "ther", "xyz", " ab");
}

Test(gpt2, stage2_words, .timeout = 30) {
    CHECK_WORDS(words_model("words", false), "the other an abc", "as one s the",
                "in 1919 192abc 2a", "one!! one !!!one #!!");
}

Test(gpt2, stage2_white_space, .timeout = 30) {
    CHECK_WORDS(words_model("words", false), "an the", "   ", "a\t the\r\n !!",
                "the   the  a\n\n\nthe  \n an ", "s s\tt");
}

Test(gpt2, stage2_contractions, .timeout = 30) {
    CHECK_WORDS(words_model("words", false), "he's he'll one'd 'sing 'ring re'sre",
                "HE'S HE'LL", "the 's ' s''s");
}

Test(gpt2, stage2_bytes_above_127, .timeout = 30) {
    CHECK_WORDS(words_model("words", false),
                "m\xc3\xbcnchen \xc3\xbc!\xc3\xbc\xe2\x80\x93");
}

/* \u0120 in the place of the character, blanks, a first line "#version", a mark. */
Test(gpt2, stage2_escapes_of_json, .timeout = 30) {
    CHECK_WORDS(words_model("words-escaped", true), "<|a mark|>",
                "the other \"\\\" m\xc3\xbcn\n\n an abc  19");
}

Test(gpt2, stage2_refuses_damaged_vocabularies, .timeout = 30) {
    CHECK_WORDS(words_model("words", false), "the abc");
    expect_refused(RUN(words_refused("no vocab.json"), "-p", "a", "-n", "0"),
                   "a missing vocab.json", "vocab.json");
    static const char *const vocabularies[] = {"{\"a\":307}",
                                               "{\"a\":0,\"b\":0}",
                                               "{\"a",
                                               "{\"a\":0,\"\\u01",
                                               "{\"b\":0}",
                                               "{\"a\\",
                                               "",
                                               "{\"a\":-1}"};
    for (size_t i = 0; i < sizeof vocabularies / sizeof *vocabularies; i++) {
        char why[40];
        snprintf(why, sizeof why, "vocab.json of %zu", i);
        const char *directory = words_refused(why);
        words_merges_save(directory, false);
        tiny_text(directory, "vocab.json", vocabularies[i]);
        expect_refused(RUN(directory, "-p", "a", "-n", "0"), vocabularies[i], "");
    }
    const char *directory = words_refused("merges.txt");
    words_vocabulary_save(directory, false);
    tiny_text(directory, "merges.txt", "x Q\n");
    expect_refused(RUN(directory, "-p", "xQ", "-n", "0"),
                   "a merge whose token is not in vocab.json", "");
}

/* --- stage 3: embeddings, the last norm, the tied head --- */

static const int some_ids[] = {3, 1, 39, 1, 0, 22, 17, 3, 8, 30, 31, 2};

static void check_without_layers(size_t n) {
    Tiny m = small();
    tiny_silence(&m);
    float *got = logits_of(tiny_save(&m, "no-layers"), &m, some_ids, n);
    CHECK_LOGITS(got, &m, some_ids, n, embedding_mistakes);
}

Test(gpt2, stage3_one_token, .timeout = 30) {
    check_without_layers(1);
}

Test(gpt2, stage3_positions, .timeout = 30) {
    check_without_layers(7);
}

/* A stream of large mean and small deviation: the mean of squares less the square of
 * the mean loses all digits. */
Test(gpt2, stage3_large_mean, .timeout = 30) {
    Tiny m = small();
    tiny_silence(&m);
    for (size_t i = 0; i < m.P * m.D; i++) m.wpe[i] += 4096;
    m.eps = 1e-6;
    const char *directory = tiny_save(&m, "large-mean");
    float *got = logits_of(directory, &m, some_ids, 2);
    double *right = plain_logits(&m, some_ids, 2, RIGHT);
    CHECK_CLOSE(logits_name, got, right, 2 * m.V, 5e-2);
}

/* --- stage 4: a block, for one token --- */

Test(gpt2, stage4_block, .timeout = 30) {
    Tiny m = small();
    float *got = logits_of(tiny_save(&m, "one-layer"), &m, some_ids, 1);
    CHECK_LOGITS(got, &m, some_ids, 1, block_mistakes);
}

/* Each half alone: the other's last matrix is 0. */
Test(gpt2, stage4_attention_half, .timeout = 30) {
    Tiny m = small();
    silence_mlp(&m);
    float *got = logits_of(tiny_save(&m, "attention-half"), &m, some_ids, 1);
    CHECK_LOGITS(got, &m, some_ids, 1, block_mistakes);
}

Test(gpt2, stage4_mlp_half, .timeout = 30) {
    Tiny m = small();
    silence_attention(&m);
    float *got = logits_of(tiny_save(&m, "mlp-half"), &m, some_ids, 1);
    CHECK_LOGITS(got, &m, some_ids, 1, block_mistakes);
}

/* --- stage 5: attention --- */

Test(gpt2, stage5_two_tokens, .timeout = 30) {
    Tiny m = small();
    float *got = logits_of(tiny_save(&m, "one-layer"), &m, some_ids, 2);
    CHECK_LOGITS(got, &m, some_ids, 2, attention_mistakes);
}

Test(gpt2, stage5_many_tokens, .timeout = 30) {
    Tiny m = tiny_model(40, 31, 1, 3, 12, 10);
    float *got = logits_of(tiny_save(&m, "three-heads"), &m, some_ids, 12);
    CHECK_LOGITS(got, &m, some_ids, 12, attention_mistakes);
}

/* Scores of several hundreds, whose exponentials are no floats. */
Test(gpt2, stage5_large_scores, .timeout = 30) {
    Tiny m = small();
    TinyLayer *w = &m.layers[0];
    for (size_t i = 0; i < m.D; i++)
        for (size_t o = 0; o < 2 * m.D; o++) w->attn_w[i * 3 * m.D + o] *= 12;
    const char *directory = tiny_save(&m, "large-scores");
    float *got = logits_of(directory, &m, some_ids, 12);
    double *right = plain_logits(&m, some_ids, 12, RIGHT);
    for (size_t i = 0; i < 12 * m.V; i++)
        CHECK(isfinite(got[i]),
              "logits[%zu] is %g where scores are large: this is what you get when the "
              "softmax does not take off the largest score first",
              i, (double)got[i]);
    CHECK_CLOSE(logits_name, got, right, 12 * m.V, 1e-3);
}

/* --- stage 6: layers, the whole context --- */

Test(gpt2, stage6_layers, .timeout = 30) {
    Tiny m = tiny_model(40, 31, 3, 2, 8, 20);
    float *got = logits_of(tiny_save(&m, "three-layers"), &m, some_ids, 9);
    CHECK_LOGITS(got, &m, some_ids, 9, layer_mistakes);
}

Test(gpt2, stage6_to_the_last_position, .timeout = 30) {
    Tiny m = tiny_model(40, 12, 3, 2, 8, 20);
    float *got = logits_of(tiny_save(&m, "twelve-positions"), &m, some_ids, 12);
    CHECK_LOGITS(got, &m, some_ids, 12, layer_mistakes);
}

Test(gpt2, stage6_equals_pytorch, .timeout = 60) {
    check_golden(golden_copy("model.safetensors"));
}

Test(gpt2, stage6_equals_pytorch_with_prefix_and_masks, .timeout = 60) {
    check_golden(golden_copy("model_old_full.safetensors"));
}

/* --- stage 7: the next token --- */

Test(gpt2, stage7_greedy_equals_pytorch, .timeout = 60) {
    const char *family = "tiny_gpt2/golden_f64",
               *directory = golden_copy("model.safetensors");
    static const char *const names[] = {"greedy_new", "greedy_full_context"};
    size_t n_prompt;
    const int *prompt = golden_int(family, NULL, "prompt", &n_prompt);
    for (size_t i = 0; i < 2; i++) {
        size_t n_new;
        const int *right = golden_int(family, NULL, names[i], &n_new);
        int all[200];
        memcpy(all, prompt, n_prompt * sizeof *all);
        memcpy(all + n_prompt, right, n_new * sizeof *all);
        char count[20];
        snprintf(count, sizeof count, "%zu", n_new);
        char *out = OUTPUT(directory, "--ids", ids_text(prompt, n_prompt), "-n", count);
        size_t length = strcspn(out, "\n");
        const char *expected = ids_text(all, n_prompt + n_new);
        CHECK(strcmp(out, ids_text(prompt, n_prompt)) != 0,
              "only the prompt came back");
        CHECK(length == strlen(expected) && strncmp(out, expected, length) == 0,
              "greedy ids are %.*s, expected %.300s",
              (int)(length < 300 ? length : 300), out, expected);
    }
}

Test(gpt2, stage7_how_many_tokens, .timeout = 60) {
    Tiny m = tiny_model(40, 150, 1, 2, 8, 20);
    const char *directory = tiny_save(&m, "long-context");
    static const struct {
        const char *n;
        size_t expected;
    } cases[] = {{"1", 3}, {"5", 7}, {"148", 150}, {"149", 151}, {"1000", 151}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *out = OUTPUT(directory, "--ids", "3,1", "-n", cases[i].n);
        CHECK(count_ids(out) == cases[i].expected,
              "a prompt of 2 tokens, -n %s and 150 positions give %zu ids, expected "
              "%zu",
              cases[i].n, count_ids(out), cases[i].expected);
    }
    char *out = OUTPUT(directory, "--ids", "3,1");
    CHECK(count_ids(out) == 102, "without -n there are %zu ids, expected 2 and 100 new",
          count_ids(out));
}

Test(gpt2, stage7_each_position_once, .timeout = 30) {
    check_each_position_once();
}

Test(gpt2, stage7_temperature, .timeout = 60) {
    double shares[CHAIN_V];
    draw(shares, "1", "0", "1");
    check_shares(shares, 1, CHAIN_V);
    draw(shares, "0.5", "0", "2");
    check_shares(shares, 0.5, CHAIN_V);
    draw(shares, "2", "0", "3");
    check_shares(shares, 2, CHAIN_V);
    draw(shares, "0.00001", "0", "4");
    check_shares(shares, 1e-5, CHAIN_V);
}

Test(gpt2, stage7_top_k, .timeout = 60) {
    double shares[CHAIN_V];
    draw(shares, "0.7", "3", "1");
    check_shares(shares, 0.7, 3);
    draw(shares, "2", "2", "1");
    check_shares(shares, 2, 2);
    draw(shares, "2", "1", "1");
    check_shares(shares, 2, 1);
    draw(shares, "2", "100", "1");
    check_shares(shares, 2, CHAIN_V);
}

/* Sorting once is a thousand times as fast as a pass over the logits for each of k. */
Test(gpt2, stage7_top_k_of_many, .timeout = 60) {
    Tiny m = tiny_model(60000, 12, 1, 2, 4, 4);
    const char *directory = tiny_save(&m, "many-tokens");
    too_slow = "each of the k largest logits must not take a pass over all of them";
    static const char *const temperatures[] = {"1", "0"};
    for (size_t i = 0; i < 2; i++) {
        char *out = OUTPUT(directory, "--ids", "3", "-n", "11", "-k", "40000", "-t",
                           temperatures[i]);
        CHECK(count_ids(out) == 12, "-n 11 behind one id writes \"%.60s\"", out);
    }
}

/* Draws that follow each other know nothing of each other. */
Test(gpt2, stage7_seeds, .timeout = 60) {
    Tiny m = chain();
    const char *directory = tiny_save(&m, "chain");
    char *texts[8];
    for (size_t i = 0; i < 8; i++) {
        char seed[20];
        snprintf(seed, sizeof seed, "%zu", i / 2);
        texts[i] = OUTPUT(directory, "--ids", "0", "-n", "40", "-t", "2", "-s", seed);
    }
    for (size_t i = 0; i < 8; i += 2) {
        CHECK(strcmp(texts[i], texts[i + 1]) == 0, "the same seed writes two texts");
        for (size_t j = 0; j < i; j++)
            CHECK(strcmp(texts[i], texts[j]) != 0, "seeds %zu and %zu write one text",
                  j / 2, i / 2);
    }
    check_independent(directory);
}

Test(gpt2, stage7_text, .timeout = 60) {
    static const char text[] =
        "he's m\xc3\xbcnchen \"abc\\\" \xe2\x80\x93 the\n\n other  1919!!";
    size_t n = by_heart(text);
    char count[20], expected[100];
    snprintf(count, sizeof count, "%zu", n - 2);
    snprintf(expected, sizeof expected, "%s\n", text);
    Ran ran = RUN("build/one-file/by-heart", "-p", "he's", "-n", count);
    CHECK(strncmp(output_of(ran), "he's", 4) == 0,
          "the prompt is not written first: \"%.60s\"", ran.out);
    CHECK(strcmp(ran.out, expected) == 0,
          "the text is \"%.100s\", expected \"%s\": each character of a token stands "
          "for a byte",
          ran.out, text);
    check_streamed();
}

/* --- in no stage: all of it --- */

Test(gpt2, page_is_short_enough, .timeout = 30) {
    Tiny m = small();
    RUN(tiny_save(&m, "small"), "--ids", "3", "-n", "0"); /* is anything written? */
    size_t n = page_lines();
    CHECK(n <= GPT2_LINES,
          "your page has %zu lines; at most %d: most of a page is files and text, so "
          "look there for lines that are nearly the same",
          n, GPT2_LINES);
}
