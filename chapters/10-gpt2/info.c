/* A model in numbers: see info.h. */
#include "10-gpt2/info.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"

const char *const gpt2_part_names[GPT2_PARTS] = {"wte", "wpe", "attention", "FFN",
                                                 "norms"};

size_t gpt2_count_parts(const Gpt2 *model, size_t counts[GPT2_PARTS]) {
    static const char *const in_name[GPT2_PARTS] = {"wte", "wpe", ".attn.", ".mlp.",
                                                    "ln_"};
    size_t total = 0;
    memset(counts, 0, GPT2_PARTS * sizeof *counts);
    for (size_t i = 0; i < model->params.n; i++) {
        const Param *p = &model->params.items[i];
        size_t part = 0;
        total += tensor_size(p->tensor);
        if (p->tensor == model->head_table && model->config.own_head) continue;
        while (part < GPT2_PARTS && !strstr(p->name, in_name[part])) part++;
        if (part == GPT2_PARTS) die("parameter '%s' belongs to no part", p->name);
        counts[part] += tensor_size(p->tensor);
    }
    return total;
}

static double megabytes(double numbers) {
    return 4e-6 * numbers;
}

void gpt2_print_info(const Gpt2 *model) {
    const Gpt2Config *c = &model->config;
    const BlockConfig *b = &c->block;
    printf(
        "layers %zu, heads %zu, d_model %zu, d_ff %zu, vocabulary %zu, context %zu,\n"
        "  %s, eps %g\n",
        c->n_layer, b->n_head, b->d_model, b->d_ff, c->n_vocab, c->n_ctx,
        ffn_name(b->ffn), (double)b->norm_eps);
    size_t counts[GPT2_PARTS], total = gpt2_count_parts(model, counts);
    size_t n_kv_head = b->n_kv_head ? b->n_kv_head : b->n_head,
           kv_width = b->d_model / b->n_head * n_kv_head;
    for (size_t i = 0; i < GPT2_PARTS; i++) {
        printf("  %-9s %11zu  %4.1f %%%s\n", gpt2_part_names[i], counts[i],
               100 * (double)counts[i] / (double)total,
               i == 0 && !c->own_head ? "  (the output head too)" : "");
    }
    if (c->own_head)
        printf("  %-9s %11zu  %4.1f %%\n", "head", tensor_size(model->head_table),
               100 * (double)tensor_size(model->head_table) / (double)total);
    printf("  %-9s %11zu  parameters\n", "all", total);
    printf("memory in MB: weights %.1f%s; in training %.1f with gradients and two "
           "moments;\n"
           "  keys and values of a full context %.1f\n",
           1e-6 * (double)params_bytes(&model->params), model->file ? " (mapped)" : "",
           megabytes(4 * (double)total),
           megabytes(2 * (double)c->n_layer * (double)c->n_ctx * (double)kv_width));
}
