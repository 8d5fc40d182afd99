/* Where greedy text repeats itself, after a short training and after a longer one:
 * inside a story, or from story to story. */
#include <stdio.h>

#include "12-generation/experiments/experiments.h"
#include "12-generation/experiments/text_measure.h"
#include "files/csv.h"

enum { SEEDS = 3 };
static const size_t trainings[] = {150, 600}; /* steps; the demo's model has 150 */
enum { TRAININGS = sizeof trainings / sizeof *trainings };

static const struct {
    const char *name;
    SamplingSettings sampling;
} ways[] = {
    {"greedy", {.greedy = true, .temperature = 1, .top_p = 1, .repetition_penalty = 1}},
    {"sampling", {.temperature = 1, .top_p = 1, .repetition_penalty = 1}},
    {"corpus", {0}},
};
enum { WAYS = sizeof ways / sizeof *ways, CORPUS = WAYS - 1 };

void experiment_repeats(const Settings *settings) {
    Csv csv = csv_begin(settings->out, "repeats",
                        "steps,seed,strategy,distinct,in_texts,in_stories,openings,"
                        "all_alike");
    size_t seeds = settings->quick ? 1 : SEEDS;
    printf("%5s %5s %-10s %10s %10s %10s %10s\n", "steps", "seed", "strategy",
           "all texts", "one text", "one story", "openings");
    for (size_t i = 0; i < TRAININGS * seeds; i++) {
        size_t steps = trainings[i / seeds] / (settings->quick ? 10 : 1);
        uint64_t seed = settings->seed + i % seeds;
        const TextModel *m = trained_for(seed, steps);
        for (size_t w = 0; w < WAYS; w++) {
            TextMeasure by =
                measure_strategy(m, w == CORPUS ? NULL : &ways[w].sampling, seed);
            csv_row(&csv, "%zu,%llu,%s,%.6g,%.6g,%.6g,%.6g,%.6g", steps,
                    (unsigned long long)seed, ways[w].name, by.distinct, by.in_texts,
                    by.in_stories, by.openings, by.all_alike);
            printf("%5zu %5llu %-10s %10.3f %10.3f %10.3f %10.3f\n", steps,
                   (unsigned long long)seed, ways[w].name, by.distinct, by.in_texts,
                   by.in_stories, by.openings);
        }
    }
    csv_commit(&csv);
}
