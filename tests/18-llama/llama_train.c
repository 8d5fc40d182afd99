/* Tests of the family in a training: its sizes, and that a training's directory is the
 * model that was trained. */
#include "18-llama/llama_train.h"

#include <stdlib.h>

#include "18-llama/llama_load.h"
#include "18-llama/llama_tokenizer.h"
#include "base/error.h"
#include "base/memory.h"
#include "check/check.h"
#include "check/dies.h"
#include "check/remove_tree.h"

Test(llama_train, sizes, .timeout = 10) {
    Gpt2Config gpt2 = gpt2_config(49152, 8192, 30, 9, 576);
    llama_training = (LlamaTraining){.n_kv_head = 3, .rope_base = 100000};
    Gpt2Config c = llama_family.config(&gpt2);
    CHECK(c.block.d_ff == 1536 && c.block.n_kv_head == 3, "FFN %zu, key heads %zu",
          c.block.d_ff, c.block.n_kv_head);
    Gpt2 *model = gpt2_create(&c, PARAMS_MAPPED, NULL);
    CHECK(params_count(&model->params) == 134515008,
          "%zu parameters, SmolLM2-135M has 134515008", params_count(&model->params));
    gpt2_free(model);
    llama_training = (LlamaTraining){.d_ff = 100, .rope_base = 10000};
    c = llama_family.config(&gpt2);
    CHECK(c.block.d_ff == 100 && c.block.n_kv_head == 9, "FFN %zu, key heads %zu",
          c.block.d_ff, c.block.n_kv_head);
}

Test(llama_train, dropout_stays, .timeout = 10) {
    Gpt2Config gpt2 = gpt2_config(300, 32, 2, 4, 32);
    gpt2.embd_dropout = gpt2.block.attn_dropout = gpt2.block.resid_dropout = 0.1f;
    llama_training = (LlamaTraining){.rope_base = 10000};
    Gpt2Config c = llama_family.config(&gpt2);
    CHECK(c.embd_dropout == 0.1f && c.block.attn_dropout == 0.1f &&
              c.block.resid_dropout == 0.1f,
          "dropout %g %g %g", (double)c.embd_dropout, (double)c.block.attn_dropout,
          (double)c.block.resid_dropout);
}

static void make_config(void *gpt2) {
    llama_family.config(gpt2);
}

Test(llama_train, refusals, .timeout = 10) {
    Gpt2Config post = gpt2_config(300, 32, 2, 4, 32),
               heads = gpt2_config(300, 32, 2, 4, 32);
    post.block.placement = POST_LN;
    expect_exit(EXIT_USAGE, "this family's is pre", make_config, &post);
    llama_training.n_kv_head = 3;
    expect_exit(EXIT_USAGE, "--kv-heads 3", make_config, &heads);
}

/* A directory of a training is loaded as a model with its tokenizer. */
Test(llama_train, trained_and_loaded, .timeout = 60) {
    char *directory = new_directory();
    llama_training = (LlamaTraining){.n_kv_head = 1, .rope_base = 10000};
    RunOptions o = run_options;
    o.n_steps = 3;
    o.n_layer = 1;
    o.n_head = 2;
    o.d_model = 16;
    o.n_ctx = 16;
    o.batch = 2;
    o.save_directory = directory;
    o.family = &llama_family;
    family_add(&llama_family);
    run_training(&o, &(Settings){.seed = 1, .threads = 1, .out = directory});
    Gpt2 *model = llama_load(directory, PARAMS_TRAIN);
    Tokenizer *t = llama_tokenizer_load(directory, model->config.n_vocab);
    CHECK(model->config.block.n_kv_head == 1 && model->config.block.rotary.n_pairs == 4,
          "key heads %zu, pairs %zu", model->config.block.n_kv_head,
          model->config.block.rotary.n_pairs);
    CHECK(t && tokenizer_n_vocab(t) == model->config.n_vocab, "no tokenizer");
    tokenizer_free(t), gpt2_free(model);
    remove_tree(directory);
}
