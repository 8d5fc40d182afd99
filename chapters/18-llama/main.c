/* Chapter 18: the models after GPT-2. Loads a model of LLaMA's family, or GPT-2, and
 * writes text with it, or saves it in another form; trains one. */
#include <stdio.h>
#include <string.h>

#include "18-llama/experiments/experiments.h"
#include "18-llama/front_end.h"
#include "18-llama/options.h"
#include "18-llama/permute_rope.h"
#include "18-llama/rope.h"
#include "math/random.h"
#include "program/program.h"

/* --- without a model: what a rotation leaves of the positions --- */

enum { DIM = 64 }; /* features of a head of SmolLM2, whose base is 100000 */

static void table_of_turns(const float *frequencies) {
    printf("1. How many tokens a pair of a head takes to turn once.\n\n   pair     "
           "tokens\n");
    for (size_t i = 0; i < DIM / 2; i += i < 24 ? 8 : 7)
        printf("   %4zu %10.1f\n", i, 2 * 3.14159265358979 / (double)frequencies[i]);
}

/* q at position p times k at position j; qk is q | k, and v is not looked at. */
static double score_at(const float *qk, int p, int j, const float *frequencies) {
    float rows[2 * 3 * DIM] = {0}, turned[2 * 3 * DIM];
    memcpy(rows, qk, DIM * sizeof *qk);
    memcpy(rows + 4 * DIM, qk + DIM, DIM * sizeof *qk);
    rope_forward(turned, rows,
                 &(RopeShape){.rows = 2,
                              .n_head = 1,
                              .n_kv_head = 1,
                              .head_dim = DIM,
                              .positions = (int[]){p, j},
                              .frequencies = frequencies});
    double score = 0;
    for (size_t i = 0; i < DIM; i++)
        score += (double)turned[i] * (double)turned[4 * DIM + i];
    return score;
}

static void table_of_scores(const float *frequencies, uint64_t seed) {
    static const int places[][2] = {{0, 0},     {700, 700}, {5, 0},    {105, 100},
                                    {705, 700}, {40, 0},    {140, 100}};
    float right[2 * DIM], other[2 * DIM];
    Random random = random_create(seed);
    random_fill_normal(&random, right, 2 * DIM, 1);
    rope_to_gguf(other, right, 2, DIM, sizeof *right);
    printf("\n2. A random q at position p times a random k at position j; the last\n"
           "   column has both in the order of GGUF, and rotates as before.\n\n"
           "   %5s %5s %9s %10s %12s\n",
           "p", "j", "distance", "score", "other order");
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        int p = places[i][0], j = places[i][1];
        printf("   %5d %5d %9d %10.3f %12.3f\n", p, j, p - j,
               score_at(right, p, j, frequencies), score_at(other, p, j, frequencies));
    }
}

static void demo_rotation(uint64_t seed) {
    float frequencies[DIM / 2];
    rope_frequencies(frequencies, DIM, 1, 100000);
    table_of_turns(frequencies);
    table_of_scores(frequencies, seed);
}

static void demo(const Settings *settings) {
    if (!use_model_of_any_family(settings)) demo_rotation(settings->seed);
}

int main(int argc, char **argv) {
    static const Experiment experiments[] = {
        {"five-steps", "from GPT-2 to LLaMA, and past the trained length",
         experiment_five_steps},
        {"lengths", "five kinds of positions inside of the trained length and past it",
         experiment_lengths},
        {"stretch", "rotary positions past the trained length, stretched or not",
         experiment_stretch},
        {"groups", "heads that share keys and values: loss and cache",
         experiment_groups},
        {"published-heads", "with --model: what each head looks at",
         experiment_published_heads},
        {"published-codecs", "with --model: what chapter 14's codecs cost it",
         experiment_published_codecs},
        {"published-positions", "with --model: loss by the tokens before",
         experiment_published_positions},
        {0},
    };
    return front_end_run(
        argc, argv,
        (Program){
            .name = "18-llama",
            .summary = "uses GPT-2 and LLaMA models of directories and GGUF files",
            .example = "--model DIR --prompt \"The capital of France is\" --greedy",
            .experiments = experiments,
            .demo = demo,
        });
}
