/* Tests of the measurements: which positions are timed, and what is logged of the
 * cache's memory. */
#include "13-kv-cache/bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check/check.h"
#include "files/file.h"
#include "check/remove_tree.h"

enum { N_CTX = 24, N_LAYER = 2, WIDTH = 8 };

/* Asked for n positions, the CSV has `expected` rows, from position 1 to the last and
 * none of them twice. */
static void check_positions(size_t n, size_t expected) {
    char *directory = new_directory();
    Gpt2Config config = gpt2_config(11, N_CTX, N_LAYER, 2, WIDTH);
    Random init = random_create(1);
    Gpt2 *model = gpt2_create(&config, PARAMS_INFER, &init);
    bench_cache(model, n, directory, "times", 0);
    size_t bytes, rows = 0, last = 0;
    char *text = file_read(path_join(directory, "times.csv"), &bytes);
    for (char *line = strtok(strchr(text, '\n'), "\n"); line;
         line = strtok(NULL, "\n"), rows++) {
        size_t position, cache;
        double with, without;
        CHECK(sscanf(line, "%zu,%lf,%lf,%zu", &position, &with, &without, &cache) == 4,
              "'%s'", line);
        CHECK(position > last && (rows > 0 || position == 1), "position %zu behind %zu",
              position, last);
        CHECK(with > 0 && without > 0, "'%s': a time is not above 0", line);
        CHECK(cache == 2 * N_LAYER * position * WIDTH * 4, "%zu bytes for %zu tokens",
              cache, position);
        last = position;
    }
    CHECK(rows == expected && last == N_CTX,
          "asked for %zu: %zu positions up to %zu, expected %zu", n, rows, last,
          expected);
    remove_tree(directory);
    free(text);
    gpt2_free(model);
}

Test(bench, positions, .timeout = 60) {
    check_positions(2, 2);
    check_positions(5, 5);
    check_positions(13, 13);
    check_positions(1000, 13);
}
