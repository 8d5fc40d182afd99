/* Chapter 10: the model. Loads a Hugging Face directory or makes a random model, runs it forward and
 * backward, and writes what it computed. Without --model, a demonstration on a small random model. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "10-gpt2/checkpoint.h"
#include "10-gpt2/dump.h"
#include "10-gpt2/ids.h"
#include "error.h"
#include "program.h"

static const char *model_directory, *ids_text, *dump_path, *random_size, *save_directory;
static bool with_targets, with_grad, with_info;

static double megabytes(size_t bytes) {
    return (double)bytes / 1e6;
}

/* Parameters of all names that contain `part`. */
static size_t count_part(const Gpt2 *model, const char *part) {
    size_t count = 0;
    for (size_t i = 0; i < model->params.n; i++) {
        if (strstr(model->params.items[i].name, part)) count += tensor_size(model->params.items[i].tensor);
    }
    return count;
}

static void print_info(const Gpt2 *model) {
    const Gpt2Config *c = &model->config;
    size_t total = params_count(&model->params);
    printf("layers %zu, heads %zu, d_model %zu, d_ff %zu, vocabulary %zu, context %zu, %s, eps %g\n",
           c->n_layer, c->block.n_head, c->block.d_model, c->block.d_ff, c->n_vocab, c->n_ctx,
           ffn_name(c->block.ffn), (double)c->block.norm_eps);
    static const char *const parts[] = {"wte", "wpe", ".attn.", ".mlp.", "ln_"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        printf("  %-8s %11zu\n", parts[i], count_part(model, parts[i]));
    printf("  %-8s %11zu parameters, %.1f MB as float32; training holds four times that: %.1f MB\n", "all",
           total, megabytes(4 * total), megabytes(16 * total));
}

/* ln V is what a model that knows nothing pays for each token. */
static void run(Gpt2 *model, int *ids, size_t n) {
    size_t length = with_targets ? n - 1 : n;
    if (with_targets && n < 2) die("--targets needs at least two ids: each is the target of the one before");
    DumpResult r = gpt2_dump(model, ids, length, with_targets ? ids + 1 : NULL, with_grad, dump_path);
    if (with_targets) {
        printf("loss %.4f nats a token; ln(vocabulary) is %.4f\n", r.loss,
               log((double)model->config.n_vocab));
    }
    if (with_grad) printf("gradient norm %.4f\n", params_grad_norm(&model->params));
    printf("activations: %.2f MB for %zu tokens\n", megabytes(r.activation_bytes), length);
    if (dump_path) printf("written: %s\n", dump_path);
}

static void demo_random(uint64_t seed) {
    Gpt2Config config = gpt2_config(257, 64, 4, 4, 64);
    Random init = random_create(seed);
    Gpt2 *model = gpt2_create(&config, PARAMS_TRAIN, &init);
    print_info(model);
    int ids[33];
    for (size_t i = 0; i < 33; i++) ids[i] = (int)(random_below(&init, 257));
    with_targets = with_grad = true;
    run(model, ids, 33);
    printf("\n%-24s %12s %14s\n", "tensor", "parameters", "gradient norm");
    for (size_t i = 0; i < model->params.n; i++) {
        const Param *p = &model->params.items[i];
        if (strstr(p->name, "h.1.") || strstr(p->name, "h.2.") || strstr(p->name, ".bias")) continue;
        printf("%-24s %12zu %14.4f\n", p->name, tensor_size(p->tensor), tensor_grad_norm(p->tensor));
    }
    gpt2_free(model);
}

static void demo(const Settings *settings) {
    if (with_grad) with_targets = true;
    if (random_size) {
        Gpt2Config config = gpt2_named_config(random_size);
        Random init = random_create(settings->seed);
        Gpt2 *model = gpt2_create(&config, PARAMS_INFER, &init);
        print_info(model);
        if (save_directory) {
            gpt2_save(model, save_directory);
            printf("written: %s\n", save_directory);
        }
        gpt2_free(model);
    } else if (model_directory) {
        Gpt2 *model = gpt2_load(model_directory, with_grad ? PARAMS_TRAIN : PARAMS_MAPPED);
        if (with_info || !ids_text) print_info(model);
        if (ids_text) {
            size_t n;
            int *ids = ids_parse(ids_text, model->config.n_vocab, &n);
            run(model, ids, n);
            free(ids);
        }
        gpt2_free(model);
    } else {
        demo_random(settings->seed);
    }
}

int main(int argc, char **argv) {
    static const Option options[] = {
        {"model", OPTION_TEXT, &model_directory, "a Hugging Face GPT-2 directory", 0, 0},
        {"ids", OPTION_TEXT, &ids_text, "token ids to run it on, e.g. \"1 2 3\"", 0, 0},
        {"targets", OPTION_FLAG, &with_targets, "each id is the target of the one before: print the loss", 0,
         0},
        {"grad", OPTION_FLAG, &with_grad, "go backwards too (implies --targets)", 0, 0},
        {"dump", OPTION_TEXT, &dump_path, "write logits, hidden states, attentions, gradients to this file",
         0, 0},
        {"info", OPTION_FLAG, &with_info, "print config, parameters by part and memory", 0, 0},
        {"random", OPTION_TEXT, &random_size, "a random model: gpt2, gpt2-medium, gpt2-large, gpt2-xl", 0, 0},
        {"save", OPTION_TEXT, &save_directory, "write the --random model to this directory", 0, 0},
        {0},
    };
    return program_run(argc, argv,
                       &(Program){
                           .name = "10-gpt2",
                           .summary = "the complete model, forward and backward",
                           .example = "--model tests/golden/tiny_gpt2 --ids \"1 2 3 4\" --grad",
                           .options = options,
                           .demo = demo,
                       });
}
