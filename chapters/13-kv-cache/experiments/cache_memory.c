/* Bytes of a cache against the length of the text: measured,
 * and by the formula, with and without a window. */
#include <stdio.h>

#include "13-kv-cache/bench.h"
#include "13-kv-cache/experiments/experiments.h"
#include "13-kv-cache/kv_cache.h"
#include "program/claim.h"
#include "files/csv.h"

void experiment_cache_memory(const Settings *settings) {
    const size_t n_sink = 4, window = 252;
    Gpt2Config config = gpt2_named_config("gpt2");
    Csv csv = csv_begin(settings->out, "13-cache-memory",
                        "tokens,full_bytes,window_bytes,formula_bytes");
    bool exact = true;
    size_t points = 16, n_ctx = config.n_ctx;
    printf("%9s %15s %15s\n", "tokens", "full cache", "window (bytes)");
    for (size_t i = 1; i <= points; i++) {
        size_t tokens = n_ctx * i / points, slots = n_sink + window;
        KvCache full = kv_cache_create(&config, 1, tokens);
        KvCache part = tokens < slots
                           ? kv_cache_create(&config, 1, tokens)
                           : kv_cache_create_window(&config, 1, n_sink, window);
        exact = exact && kv_cache_bytes(&full) == formula_bytes(&config, tokens);
        exact = exact && kv_cache_bytes(&part) ==
                             formula_bytes(&config, tokens < slots ? tokens : slots);
        csv_row(&csv, "%zu,%zu,%zu,%zu", tokens, kv_cache_bytes(&full),
                kv_cache_bytes(&part), formula_bytes(&config, tokens));
        if ((i & (i - 1)) == 0)
            printf("%9zu %15zu %15zu\n", tokens, kv_cache_bytes(&full),
                   kv_cache_bytes(&part));
        kv_cache_free(&full);
        kv_cache_free(&part);
    }
    csv_commit(&csv);
    claim(exact, "each cache takes exactly 2 * %zu layers * tokens * %zu * 4 bytes",
          config.n_layer, config.block.d_model);
}
