/* Time of a token by the width of the model, in one file and in chapter 13. */
#include <stdio.h>

#include "17-one-file/experiments/experiments.h"
#include "17-one-file/one_file.h"
#include "files/csv.h"
#include "kernels/threads.h"
#include "program/claim.h"

void experiment_sizes(const Settings *settings) {
    static const size_t widths[] = {64, 128, 256, 512, 768};
    const int prompt[] = {1, 2, 3};
    size_t n_widths = settings->quick ? 3 : 5;
    double last = 0;
    threads_use(1); /* as many as the one file has */
    Csv csv = csv_begin(settings->out, "sizes", "width,one_file_ms,course_ms,ratio");
    printf("%6s %12s %12s %7s\n", "width", "one file, ms", "course, ms", "ratio");
    for (size_t i = 0; i < n_widths; i++) {
        OneFileModel m = one_file_random(widths[i], settings->seed);
        OneFileRun one = one_file_run(&m, prompt, 3, 60);
        OneFileRun course = one_file_reference(m.model, prompt, 3, 60);
        last = one.seconds / course.seconds;
        csv_row(&csv, "%zu,%.6g,%.6g,%.6g", widths[i], 1e3 * one.seconds,
                1e3 * course.seconds, last);
        printf("%6zu %12.3f %12.3f %7.1f\n", widths[i], 1e3 * one.seconds,
               1e3 * course.seconds, last);
        one_file_run_free(&one);
        one_file_run_free(&course);
        one_file_model_free(&m);
    }
    csv_commit(&csv);
    claim(last > 1.2,
          "a token of the widest model takes one file %.1f times as long (above 1.2)",
          last);
}
