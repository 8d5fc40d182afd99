/* Tests of what a training costs. */
#include "11-training/cost.h"

#include "check/check.h"

/* One block of width 8 and d_ff 32, 257 tokens, windows of 16, 3 a batch: matrices of
 * 12 * 8 * 8 and 257 * 8 numbers, and 6 * 16 * 8 for attention. */
Test(cost, operations_by_hand, .timeout = 60) {
    Tokenizer *bytes = tokenizer_bytes();
    Dataset data = dataset_corpus(bytes, 1, 20000, 5000);
    Gpt2Config config = gpt2_config(data.n_vocab, 16, 1, 2, 8);
    TrainSettings s = train_settings(&config);
    s.batch = 3;
    s.steps = 1;
    Trainer t = trainer_create(&s, &data, NULL);
    double by_hand = 6.0 * (12 * 64 + (double)data.n_vocab * 8 + 16 * 8) * 3 * 16,
           position_table = 6.0 * 16 * 8 * 3 * 16;
    CHECK_NUMBER("the operations of a step", train_flops(&t), by_hand, 1e-6,
                 {"the position table counts as a matrix",
                  (double[]){by_hand + position_table}});
    TrainMemory m = train_memory(&t);
    size_t n = params_count(&t.model->params);
    CHECK(m.weights == 4 * n && m.gradients == 4 * n && m.moments == 8 * n,
          "16 bytes a parameter: got %zu, %zu and %zu of %zu parameters", m.weights,
          m.gradients, m.moments, n);
    CHECK(m.activations == 0, "no activations before the first step");
    trainer_step(&t);
    CHECK(train_memory(&t).activations > 0, "a step has activations");
    CHECK(machine_flops() > 1e6, "a machine makes %.3g operations a second",
          machine_flops());
}
