/* Tests of the sister language. */
#include "19-fine-tuning/sister.h"

#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "text/corpus.h"

static void expect_text(const char *text, const char *expected) {
    size_t n;
    char *out = sister_text(text, strlen(text), &n);
    CHECK(strcmp(out, expected) == 0 && n == strlen(expected), "'%s' became '%s'", text,
          out);
    free(out);
}

Test(sister, names_alone_change, .timeout = 10) {
    expect_text("Anna sees Tom. Who? Paul.\n", "Ada sees Leo. Who? Hal.\n");
    expect_text("Ada sees Leo. Who? Hal.\n", "Anna sees Tom. Who? Paul.\n");
    expect_text("Annas, annA, XAnna: Ann a", "Annas, annA, XAnna: Ann a");
    expect_text("Mia", "Ivy");
    expect_text("", "");
}

/* Twice it is the text, and no story is of both languages. */
Test(sister, another_language, .timeout = 60) {
    CorpusText text = corpus_generate(5, 50000);
    size_t n, back;
    char *other = sister_text(text.text, text.bytes, &n),
         *again = sister_text(other, n, &back);
    CHECK(back == text.bytes && memcmp(again, text.text, back) == 0,
          "the sister's sister is another text");
    CorpusGrade grade = corpus_grade(other, n);
    CHECK(grade.stories == text.stories && grade.grammatical == 0,
          "%zu of %zu stories are of the old language", grade.grammatical,
          grade.stories);
    free(text.text);
    free(other);
    free(again);
}
