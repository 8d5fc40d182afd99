/* Tests of the experiments' measures: 0 where nothing was coded, and for decoded floats
 * the same as for the coded form. */
#include "14-compression/experiments/measure.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "12-generation/trained_models.h"
#include "check/check.h"

enum { WINDOWS = 4 };

Test(measure, the_model_itself_has_not_changed, .timeout = 120) {
    const TextModel *m = trained_model(1, true);
    Reference r = reference_of(m, WINDOWS, 0);
    Change c = change_from(&r, m->model);
    CHECK(fabs(c.added) < 1e-12 && fabs(c.percent) < 1e-10 && c.kl == 0 &&
              c.changed == 0,
          "added %g, divergence %g, changed %g", c.added, c.kl, c.changed);
    reference_free(&r);
}

/* Windows that are skipped are those that another reference has. */
Test(measure, skipped_windows_are_others, .timeout = 120) {
    const TextModel *m = trained_model(1, true);
    Reference both = reference_of(m, 2 * WINDOWS, 0),
              last = reference_of(m, WINDOWS, WINDOWS);
    size_t n = WINDOWS * last.length;
    CHECK(memcmp(last.tokens, both.tokens + n, n * sizeof *last.tokens) == 0,
          "not the windows behind the skipped");
    reference_free(&both);
    reference_free(&last);
}

Test(measure, decoded_floats_stand_in, .timeout = 120) {
    const TextModel *m = trained_model(1, true);
    Reference r = reference_of(m, WINDOWS, 0);
    static const char *const codecs[] = {"q4_0", "dct:92", "svd:4.5"};
    for (size_t k = 0; k < sizeof codecs / sizeof *codecs; k++) {
        double value;
        const Codec *codec = codec_find(codecs[k], &value);
        Coded coded = coded_begin(m->model);
        code_model(&coded, codec, value, NULL, NULL);
        size_t floats, bytes = coded_bytes(&coded, &floats),
                       rest = params_bytes(&m->model->params) - bytes;
        Change as_coded = change_from(&r, m->model);
        coded_undo(&coded);
        coded = coded_begin(m->model);
        size_t form_bytes = form_model(&coded, &(Form){"", codecs[k], NULL}, NULL);
        Change as_floats = change_from(&r, m->model);
        coded_undo(&coded);
        CHECK(form_bytes == bytes + rest, "%s: %zu bytes, expected %zu", codecs[k],
              form_bytes, bytes + rest);
        CHECK(as_floats.kl > 0 && fabs(as_floats.kl / as_coded.kl - 1) < 1e-3,
              "%s: divergence %g, coded %g", codecs[k], as_floats.kl, as_coded.kl);
    }
    Change undone = change_from(&r, m->model);
    CHECK(undone.kl == 0, "undone, the divergence is %g", undone.kl);
    reference_free(&r);
}
