/* Where the parameters of GPT-2's four sizes are. */
#include <stdio.h>

#include "10-gpt2/experiments/experiments.h"
#include "10-gpt2/info.h"
#include "program/claim.h"
#include "files/csv.h"

void experiment_sizes(const Settings *settings) {
    /* The numbers of elements in the published checkpoints, without masks. */
    static const struct {
        const char *name;
        size_t published;
    } sizes[] = {{"gpt2", 124439808},
                 {"gpt2-medium", 354823168},
                 {"gpt2-large", 774030080},
                 {"gpt2-xl", 1557611200}};
    enum { N = sizeof sizes / sizeof *sizes };
    double tables[N];
    Csv csv = csv_begin(settings->out, "sizes", "size,part,parameters,share");
    printf("%-12s", "");
    for (size_t p = 0; p < GPT2_PARTS; p++) printf("%12s", gpt2_part_names[p]);
    printf("%12s\n", "all");
    for (size_t i = 0; i < N; i++) {
        Gpt2Config config = gpt2_named_config(sizes[i].name);
        /* shapes only: no memory for the weights */
        Gpt2 *model = gpt2_create(&config, PARAMS_MAPPED, NULL);
        size_t counts[GPT2_PARTS], total = gpt2_count_parts(model, counts);
        printf("%-12s", sizes[i].name);
        for (size_t p = 0; p < GPT2_PARTS; p++) {
            printf("%12zu", counts[p]);
            csv_row(&csv, "%s,%s,%zu,%.6g", sizes[i].name, gpt2_part_names[p],
                    counts[p], (double)counts[p] / (double)total);
        }
        printf("%12zu\n", total);
        csv_row(&csv, "%s,all,%zu,1", sizes[i].name, total);
        tables[i] = (double)(counts[0] + counts[1]) / (double)total;
        claim(total == sizes[i].published,
              "%s has %zu parameters, the published checkpoint %zu", sizes[i].name,
              total, sizes[i].published);
        gpt2_free(model);
    }
    csv_commit(&csv);
    claim(tables[0] > 0.3 && tables[N - 1] < 0.06,
          "the two tables are %.1f %% of the smallest and %.1f %% of the largest model",
          100 * tables[0], 100 * tables[N - 1]);
}
