/* The network's regions of the plane: the border between those of the two classes,
 * after training with the right and with the wrong gradient. */
#include "00-tensors/experiments/experiments.h"
#include "00-tensors/experiments/spiral_training.h"
#include "00-tensors/spiral_net.h"
#include "files/csv.h"
#include "program/claim.h"

enum { SIDE = 121 };
static const float EDGE = 1.2f; /* the grid goes from -EDGE to EDGE on both axes */

static float grid_at(size_t i) {
    return EDGE * (2 * (float)i / (SIDE - 1) - 1);
}

static int class_of(SpiralRun *run, float x, float y) {
    double is_first;
    const SpiralData point = {.x = (float[]){x, y}, .classes = (int[]){0}, .n = 1};
    spiral_loss(run, &point, 1, &is_first);
    tape_reset(&run->tape);
    return is_first > 0 ? 0 : 1;
}

/* Where the class changes between neighbours of the grid, along rows and columns. */
static void write_border(Csv *csv, SpiralRun *run, bool wrong) {
    static int class[SIDE][SIDE];
    const char *name = wrong ? "wrong" : "right";
    for (size_t i = 0; i < SIDE; i++) {
        for (size_t j = 0; j < SIDE; j++) {
            float x = grid_at(i), y = grid_at(j), half = EDGE / (SIDE - 1);
            class[i][j] = class_of(run, x, y);
            if (i && class[i - 1][j] != class[i][j])
                csv_row(csv, "%s,%.2f,%.2f", name, (double)(x - half), (double)y);
            if (j && class[i][j - 1] != class[i][j])
                csv_row(csv, "%s,%.2f,%.2f", name, (double)x, (double)(y - half));
        }
    }
}

/* Trains, writes the border, and returns the share of `data` that is classified
 * rightly. */
static double train_and_write(Csv *csv, const SpiralData *data, bool wrong,
                              uint64_t seed, size_t steps) {
    SpiralRun run = spiral_run_create(SPIRAL_HIDDEN, 0.02, seed);
    double right;
    run.net.wrong_backward = wrong;
    for (size_t step = 0; step < steps; step++) {
        spiral_gradients(&run, data, SPIRAL_POINTS, NULL);
        adamw_step(&run.adamw, &run.params);
    }
    spiral_gradients(&run, data, SPIRAL_POINTS, &right);
    write_border(csv, &run, wrong);
    spiral_run_free(&run);
    return right;
}

void experiment_regions(const Settings *settings) {
    size_t steps = settings->quick ? SPIRAL_QUICK_STEPS : SPIRAL_STEPS;
    SpiralData data = spiral_data_create(SPIRAL_POINTS, settings->seed);
    Csv points = csv_begin(settings->out, "points", "x,y,class");
    for (size_t i = 0; i < data.n; i++)
        csv_row(&points, "%.4f,%.4f,%d", (double)data.x[2 * i],
                (double)data.x[2 * i + 1], data.classes[i]);
    Csv csv = csv_begin(settings->out, "regions", "backward,x,y");
    double right = train_and_write(&csv, &data, false, settings->seed, steps),
           wrong = train_and_write(&csv, &data, true, settings->seed, steps);
    csv_commit(&points);
    csv_commit(&csv);
    spiral_data_free(&data);
    claim(right > 0.95 && wrong < 0.9,
          "a share of %.3f of the points is classified rightly after training with the "
          "right gradient (above 0.95), of %.3f with the wrong one (below 0.9)",
          right, wrong);
}
