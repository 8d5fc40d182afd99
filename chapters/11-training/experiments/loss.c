/* The training of `make tour`: a model that learns the language. */
#include "11-training/experiments/experiments.h"
#include "11-training/training_run.h"
#include "program/claim.h"
#include "files/csv.h"

void experiment_loss(const Settings *settings) {
    RunOptions o = run_options;
    o.text_path = NULL;
    o.vocab_size = 512;
    o.n_layer = 4;
    o.d_model = 128;
    o.n_ctx = 64;
    o.batch = 16;
    o.warmup = 100;
    o.learning_rate = 1.5e-3;
    o.n_steps = settings->quick ? 40 : 4000;
    o.validate_every = settings->quick ? 20 : 200;
    o.log_name = "loss";
    RunResult end = run_training(&o, settings);
    Csv csv = csv_begin(settings->out, "loss-end",
                        "loss,floor,share,answers,others,others_floor,"
                        "answers_above,others_above");
    csv_row(&csv, "%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g", end.loss, end.floor,
            end.answers.share, end.answers.answers, end.answers.others,
            end.answers.others_floor, answers_above_floor(&end.answers),
            others_above_floor(&end.answers));
    csv_commit(&csv);
    claim(end.loss < 0.8, "the validation loss %.3f ends below 0.8 nats a token",
          end.loss);
}
