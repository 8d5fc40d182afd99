/* Chapter 08: the number of parameters of a block, and the value of each of its
 * parts. */
#include <inttypes.h>
#include <stdio.h>

#include "08-transformer-block/experiments/experiments.h"
#include "08-transformer-block/experiments/variants.h"
#include "08-transformer-block/models.h"
#include "08-transformer-block/repair.h"
#include "base/error.h"
#include "math/fit.h"
#include "program/program.h"

/* 124439808 as "124,439,808". */
static const char *with_commas(uint64_t n) {
    static char text[4][40];
    static int which;
    char digits[32], *out = text[which = (which + 1) % 4];
    int length = snprintf(digits, sizeof digits, "%" PRIu64, n);
    for (int i = 0; i < length; i++) {
        *out++ = digits[i];
        if ((length - i) % 3 == 1 && i + 1 < length) *out++ = ',';
    }
    *out = 0;
    return text[which];
}

static void table_of_models(void) {
    printf("1. What the often written formula misses.\n\n");
    printf("   %-12s %15s %15s %15s %8s\n", "", "published", "counted", "formula",
           "off by");
    for (size_t i = 0; i < N_KNOWN_MODELS; i++) {
        const KnownModel *m = &known_models[i];
        uint64_t exact = count_parameters(&m->shape).total,
                 rough = count_parameters_roughly(&m->shape);
        printf("   %-12s %15s %15s %15s %+7.1f%%\n", m->shape.name,
               with_commas(m->published), with_commas(exact), with_commas(rough),
               100 * ((double)rough / (double)m->published - 1));
        if (exact != m->published)
            die("%s: counted %" PRIu64 ", published %" PRIu64, m->shape.name, exact,
                m->published);
    }
    printf("\n2. Where the parameters are, in percent.\n\n   %-12s %10s %10s %10s %10s "
           "%10s\n",
           "", "embeddings", "attention", "ffn", "norms", "head");
    for (size_t i = 0; i < N_KNOWN_MODELS; i++) {
        ParameterCounts c = count_parameters(&known_models[i].shape);
        double percent = 100 / (double)c.total;
        printf("   %-12s %10.1f %10.1f %10.1f %10.3f %10.1f\n",
               known_models[i].shape.name, percent * (double)c.embeddings,
               percent * (double)c.attention, percent * (double)c.ffn,
               percent * (double)c.norms, percent * (double)c.head);
    }
}

static void list_of_parameters(void) {
    Params params = {.mode = PARAMS_MAPPED};
    BlockConfig config = block_config_gpt2(768, 12);
    Block b = block_create(&params, NULL, &config, 0, 0, "h.0");
    printf("\n3. One GPT-2 block, as it registers itself: %s parameters.\n\n",
           with_commas(params_count(&params)));
    for (size_t i = 0; i < params.n; i++) {
        char shape[TENSOR_SHAPE_TEXT];
        printf("   %-24s %-14s %12s\n", params.items[i].name,
               tensor_shape_text(params.items[i].tensor, shape),
               with_commas(tensor_size(params.items[i].tensor)));
    }
    block_free(&b);
    params_free(&params);
}

/* Blocks with the same weights, wired by the numbers below; the exercise finds their
 * faults. */
static void table_of_faulty_blocks(uint64_t seed) {
    static const Fault faults[] = {WIRED_RIGHT, CUT_OFF,      FFN_FIRST, NO_SECOND_SUM,
                                   ONE_NORM,    NO_FIRST_SUM, PARALLEL};
    enum { N = sizeof faults / sizeof *faults };
    Fault found[N];
    printf("\n4. Norms of gradients in seven blocks; all but the first are wired "
           "wrongly.\n\n"
           "   block   out through    ln_1   attn attn_bias    ln_2    mlp mlp_bias\n");
    for (size_t i = 0; i < N; i++) {
        FaultyBlock *b =
            faulty_block_create(seed, faults + i, faults[i] != WIRED_RIGHT);
        BlockGradients g = faulty_block_gradients(b);
        printf("   %c     %5.1f %7.2f %7.1f %6.1f %9.1f %7.1f %6.1f %8.1f\n",
               i ? (char)('A' + i - 1) : '-', g.out, g.through, g.ln_1, g.attn,
               g.attn_bias, g.ln_2, g.mlp, g.mlp_bias);
        found[i] = find_fault(&g);
        faulty_block_free(b);
    }
    printf("\n   found:");
    for (size_t i = 1; i < N; i++)
        printf("%s %c %s", i > 1 ? "," : "", (char)('A' + i - 1), fault_name(found[i]));
    printf("\n");
}

static void short_ablation(uint64_t seed) {
    enum { STEPS = 250 };
    static double losses[STEPS];
    static const char *const names[] = {"full", "no attention", "no FFN", "no residual",
                                        "no norm"};
    printf("\n5. Two blocks learn to add neighbouring digits modulo 8; a guess has the "
           "loss %.3f.\n\n",
           ablation_guess());
    printf("   %-18s %14s %22s\n", "", "loss at the end", "steps to a loss of 0.2");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        ablation_train(
            losses, ablation_variant(names[i]),
            &(AblationRun){
                .n_layer = 2, .scaled_init = true, .steps = STEPS, .seed = seed});
        size_t steps = ablation_steps_to(losses, STEPS, SOLVED);
        printf("   %-18s %14.3f ", names[i], mean_of_last(losses, STEPS, 20));
        if (steps < STEPS)
            printf("%22zu\n", steps);
        else
            printf("%22s\n", "not reached");
    }
}

static void demo(const Settings *s) {
    table_of_models();
    list_of_parameters();
    table_of_faulty_blocks(s->seed);
    short_ablation(s->seed);
}

int main(int argc, char **argv) {
    static const Experiment experiments[] = {
        {"ablation", "one switch of the block at a time, eight blocks deep",
         experiment_ablation},
        {"language", "GPT-2's block turned into LLaMA's, with as many parameters",
         experiment_language},
        {"encoder", "the block without its mask fills gaps, with it it writes on",
         experiment_encoder},
        {"batchnorm-decoder",
         "a decoder with BatchNorm, read in other batches and byte after byte",
         experiment_batchnorm_decoder},
        {"batchnorm-leak", "what BatchNorm tells of words that are still to come",
         experiment_batchnorm_leak},
        {"cost", "multiplications and memory of a block by the length of the text",
         experiment_cost},
        {0},
    };
    static const Experiment timed[] = {
        {"cost-time", "time of attention and FFN by the length of the text",
         experiment_cost_time},
        {0},
    };
    return program_run(
        argc, argv,
        &(Program){.name = "08-transformer-block",
                   .summary = "the transformer block, its parameters and its parts",
                   .example = "--experiment ablation",
                   .experiments = experiments,
                   .timed = timed,
                   .demo = demo});
}
