/* Tests of common/corpus: the texts repeat, their statistics meet the floor,
 * and grading sees what is wrong. */
#include "text/corpus.h"

#include "check/check.h"
#include "math/random.h"

#include <criterion/criterion.h>
#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

TestSuite(corpus, .timeout = 300);

static uint64_t fnv1a(const char *text, size_t bytes) {
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < bytes; i++)
        hash = (hash ^ (unsigned char)text[i]) * 0x100000001b3u;
    return hash;
}

Test(corpus, a_seed_gives_the_same_bytes_everywhere) {
    CorpusText c = corpus_generate(1, 100000);
    uint64_t hash = fnv1a(c.text, c.bytes);
    CHECK(hash == 0x88c364a3a2fcd91au,
          "the text of seed 1 has hash %#llx: the language has changed, or numbers "
          "differ on this machine",
          (unsigned long long)hash);
    cr_assert_eq(c.text[c.bytes], '\0');
    cr_assert_geq(c.bytes, 100000);
    free(c.text);
}

Test(corpus, a_longer_text_starts_with_the_shorter_and_another_seed_does_not) {
    CorpusText shorter = corpus_generate(7, 5000), longer = corpus_generate(7, 20000);
    CorpusText other = corpus_generate(8, 5000), none = corpus_generate(7, 0);
    cr_assert_arr_eq(longer.text, shorter.text, shorter.bytes);
    cr_assert_neq(memcmp(other.text, shorter.text, 200), 0);
    cr_assert_eq(none.bytes + none.stories, 0);
    free(shorter.text);
    free(longer.text);
    free(other.text);
    free(none.text);
}

/* The mean of `n` numbers, and how many standard errors it lies from `expected`. */
static double standard_errors(const double *x, size_t n, double expected,
                              double *mean) {
    double sum = 0, squares = 0;
    for (size_t i = 0; i < n; i++) sum += x[i];
    *mean = sum / (double)n;
    for (size_t i = 0; i < n; i++) squares += (x[i] - *mean) * (x[i] - *mean);
    return (*mean - expected) / sqrt(squares / (double)(n - 1) / (double)n);
}

/* 100 texts of 1000 stories; their means scatter normally around the exact values. */
Test(corpus, samples_meet_the_exact_entropy_and_length) {
    enum { TEXTS = 100 };
    CorpusFloor floor = corpus_floor();
    double nll[TEXTS], bytes[TEXTS], mean;
    for (size_t i = 0; i < TEXTS; i++) {
        CorpusText c =
            corpus_generate(1000 + i, (size_t)(1000 * floor.bytes_per_story));
        nll[i] = c.nll / (double)c.stories;
        bytes[i] = (double)c.bytes / (double)c.stories;
        free(c.text);
    }
    double off = standard_errors(nll, TEXTS, floor.nats_per_story, &mean);
    CHECK(fabs(off) < 3.5, "mean -ln p %.4f, entropy %.4f: %.1f standard errors", mean,
          floor.nats_per_story, off);
    off = standard_errors(bytes, TEXTS, floor.bytes_per_story, &mean);
    CHECK(fabs(off) < 3.5, "mean length %.4f, expected %.4f: %.1f standard errors",
          mean, floor.bytes_per_story, off);
    CHECK(fabs(floor.nats_per_byte * floor.bytes_per_story - floor.nats_per_story) <
              1e-12,
          "the rate is no ratio");
}

/* Each story is read back with the probability it was written with. corpus_floor proves
 * that no story has two derivations; this is the same from the other side, on 100 000
 * stories. */
Test(corpus, grading_inverts_generating) {
    CorpusText c = corpus_generate(3, 12500000);
    CorpusGrade g = corpus_grade(c.text, c.bytes);
    cr_assert_geq(c.stories, 100000);
    CHECK(g.stories == c.stories && g.grammatical == c.stories && g.right == c.stories,
          "of %zu stories %zu lines, %zu grammatical, %zu right", c.stories, g.stories,
          g.grammatical, g.right);
    CHECK(fabs(g.nll / c.nll - 1) < 1e-12, "written with %.15g nats, read with %.15g",
          c.nll, g.nll);
    free(c.text);
}

/* Without any help from the grammar: a story is 80 to 166 bytes of letters,
 * and its last words stand before. */
Test(corpus, every_answer_stands_in_its_story) {
    CorpusText c = corpus_generate(4, 300000);
    for (char *line = c.text, *end; *line; line = end + 1) {
        end = strchr(line, '\n');
        *end = '\0';
        size_t bytes = (size_t)(end + 1 - line);
        CHECK(bytes >= 80 && bytes <= 166, "a story of %zu bytes: %s", bytes, line);
        char *question = strchr(line, '?');
        cr_assert(question && question[1] == ' ' && end[-1] == '.');
        char answer[32] = {0};
        memcpy(answer, question + 2, (size_t)(end - 1 - (question + 2)));
        *question = '\0';
        bool found = strstr(line, answer);
        answer[0] = (char)tolower(answer[0]);
        CHECK(found || strstr(line, answer), "the answer '%s' is not in '%s'", answer,
              line);
    }
    free(c.text);
}

static CorpusGrade grade(const char *text) {
    return corpus_grade(text, strlen(text));
}

Test(corpus, grading_tells_form_from_memory) {
    struct {
        const char *text;
        size_t stories, grammatical, right;
    } cases[] = {
        {"Anna puts a big key in the box. Now Anna is sad and calm. Then Tom is happy. "
         "Where is the key? In "
         "the box.\n",
         1, 1, 1},
        {"Anna puts a big key in the box. Now Anna is sad and calm. Then Tom is happy. "
         "Where is the key? On "
         "the shelf.\n",
         1, 1, 0},
        {"Anna puts a big key in the box. Now Anna is sad and calm. Then Tom is happy. "
         "Where is the cup? In "
         "the box.\n",
         1, 0, 0},
        {"Anna puts a big key in the box. Now Tom is sad and calm. Then Tom is happy. "
         "Where is the key? In "
         "the box.\n",
         1, 0, 0},
        {"Tom gives Anna a big key. She keeps it. Now Tom is sad and calm. Then Ben is "
         "happy. Who has the "
         "key? Anna.\n",
         1, 1, 1},
        {"Tom gives Anna a big key. He keeps it. Now Tom is sad and calm. Then Ben is "
         "happy. Who has the "
         "key? Anna.\n",
         1, 0, 0},
        {"Tom has a red key and a blue cup. Nearby two big cats play on the hill. What "
         "colour is the cup? "
         "Blue.\n",
         1, 1, 1},
        {"Tom has a red key and a blue cup. Nearby two big cats play on the hill. What "
         "colour is the cup? "
         "Red.\n",
         1, 1, 0},
        {"Tom has a red key and a blue cup. Nearby one big cat plays on the hill. What "
         "colour is the cup? "
         "Blue.\n",
         1, 1, 1},
        {"Tom has a red key and a blue cup. Nearby one big cat play on the hill. What "
         "colour is the cup? "
         "Blue.\n",
         1, 0, 0},
        {"Tom has a red key and a blue cup. Nearby two big cat play on the hill. What "
         "colour is the cup? "
         "Blue.\n",
         1, 0, 0},
        {"Tom has a red key", 0, 0, 0},
        {"Tom has a red key\n\n \n", 3, 0, 0},
        {"", 0, 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        CorpusGrade g = grade(cases[i].text);
        CHECK(g.stories == cases[i].stories && g.grammatical == cases[i].grammatical &&
                  g.right == cases[i].right,
              "%zu stories, %zu grammatical, %zu right (expected %zu, %zu, %zu): %s",
              g.stories, g.grammatical, g.right, cases[i].stories, cases[i].grammatical,
              cases[i].right, cases[i].text);
        CHECK((g.nll > 0) == (g.right > 0) && isfinite(g.nll), "-ln p is %g: %s", g.nll,
              cases[i].text);
    }
}

/* A text with one random byte per line or so: nothing crashes, and hardly a story
 * survives. */
Test(corpus, grading_survives_garbage) {
    CorpusText c = corpus_generate(9, 200000);
    Random random = random_create(1);
    for (size_t i = 0; i < c.bytes; i += 1 + random_below(&random, 30))
        c.text[i] = (char)random_below(&random, 256);
    CorpusGrade g = corpus_grade(c.text, c.bytes);
    CHECK(g.stories > 100 && g.grammatical < g.stories / 100 &&
              g.right <= g.grammatical,
          "%zu lines, %zu grammatical, %zu right", g.stories, g.grammatical, g.right);
    free(c.text);
}

static int compare_lines(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static char **sorted_lines(const CorpusText *c) {
    char **lines = malloc(c->stories * sizeof *lines), *line = c->text;
    for (size_t i = 0; i < c->stories; i++, line = strchr(line, '\0') + 1) {
        lines[i] = line;
        *strchr(line, '\n') = '\0';
    }
    qsort(lines, c->stories, sizeof *lines, compare_lines);
    return lines;
}

Test(corpus, validation_stories_are_not_training_stories) {
    CorpusText training = corpus_generate(1, 2000000),
               validation = corpus_generate(2, 2000000);
    char **t = sorted_lines(&training), **v = sorted_lines(&validation);
    size_t common = 0;
    for (size_t i = 0; i < validation.stories; i++)
        common += bsearch(&v[i], t, training.stories, sizeof *t, compare_lines) != NULL;
    CHECK(common <= 2, "%zu of %zu stories are in both texts", common,
          validation.stories);
    free(t);
    free(v);
    free(training.text);
    free(validation.text);
}
