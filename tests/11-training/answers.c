/* Tests of the loss by part: answers and the rest. */
#include "11-training/answers.h"

#include <math.h>
#include <stdlib.h>

#include "check/check.h"

static TrainSettings small(const Dataset *data, size_t length) {
    Gpt2Config config = gpt2_config(data->n_vocab, length, 1, 2, 8);
    TrainSettings s = train_settings(&config);
    s.batch = 3;
    s.steps = 2;
    return s;
}

/* The two parts, each with its share of the tokens, add up to the whole loss. */
Test(answers, add_up_to_the_loss, .timeout = 60) {
    Tokenizer *bytes = tokenizer_bytes();
    Dataset data = dataset_corpus(bytes, 1, 20000, 5000);
    TrainSettings s = small(&data, 192);
    Trainer t = trainer_create(&s, &data, NULL);
    trainer_step(&t);
    double loss = trainer_validate(&t, 0);
    AnswerLoss a = answer_loss(&t, bytes);
    CHECK_NUMBER("answers and others together",
                 a.share * a.answers + (1 - a.share) * a.others, loss, 1e-5);
    CHECK_NUMBER("both above the floor",
                 answers_above_floor(&a) + others_above_floor(&a), loss - data.floor,
                 1e-4);
}

/* By hand, in bytes: "... Where? In it.\n" has the answer " In it." of 7. */
Test(answers, what_an_answer_is, .timeout = 60) {
    Tokenizer *bytes = tokenizer_bytes();
    const char text[] = "\nWhere? In it.\nWho? Ben.\n";
    enum { N = sizeof text - 1 };
    int *tokens = calloc(N, sizeof *tokens);
    for (size_t i = 0; i < N; i++) tokens[i] = (unsigned char)text[i];
    uint64_t starts[] = {0, 14};
    Dataset data = {.train = {tokens, N, NULL, 0},
                    .validation = {tokens, N, starts, 2},
                    .floor = 1};
    data.n_vocab = tokenizer_n_vocab(bytes);
    TrainSettings s = small(&data, 24);
    Trainer t = trainer_create(&s, &data, NULL);
    AnswerLoss a = answer_loss(&t, bytes);
    CHECK_NUMBER("the answers' share of 24 targets", a.share, (7 + 5) / 24.0, 1e-6,
                 {"the newline behind an answer counts", (double[]){14 / 24.0}});
    CHECK_NUMBER("the floor of the others, when that of all is 1", a.others_floor, 2,
                 1e-6);
}

Test(answers, no_share_where_stories_are_cut, .timeout = 60) {
    Tokenizer *bytes = tokenizer_bytes();
    Dataset data = dataset_corpus(bytes, 1, 20000, 5000);
    TrainSettings s = small(&data, 64);
    Trainer t = trainer_create(&s, &data, NULL);
    CHECK(isnan(answer_loss(&t, bytes).share),
          "stories of 80 bytes and more do not fit 64");
}
