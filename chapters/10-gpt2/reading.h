/* The options that say which model is read and what is looked at in it, and the
 * commands that do so: the programs of this chapter and of all later ones take them. */
#ifndef CHAPTER_10_READING_H
#define CHAPTER_10_READING_H

#include "09-tokenizer/tokenizer.h"
#include "10-gpt2/gpt2.h"
#include "program/program.h"

typedef struct {
    const char *model, *random; /* a path, or a size: one of them */
    const char *ids, *attention_mask;
    bool targets, grad;
    const char *dump;
    bool info, check;
    const char *text, *vocab;
    size_t stride;
    const char *out;

    /* A later chapter's change of a model that was read (14 codes it), undone before it
     * is freed; NULL: none. */
    void (*change)(Gpt2 *model);
    void (*change_back)(Gpt2 *model);
} Reading;

/* As the command line says. */
extern Reading reading;

extern const Option model_options[];  /* --model, --random */
extern const Option ids_options[];    /* --ids, --attention-mask */
extern const Option pass_options[];   /* --targets, --grad: of what is done with them */
extern const Option look_options[];   /* --dump, --info, --check */
extern const Option text_options[];   /* --text, --vocab */
extern const Option stride_options[]; /* --stride: of how a text is measured */
extern const Option out_options[];    /* --out: of what writes a model */

/* Later chapters add options of theirs. */
extern Command eval_command, keys_command, info_command, dump_command;

/* Is there a --model, or a --random one? Ends the program where there are both. */
bool model_is_named(void);

/* The model that the options name, changed by `change`; and its tokenizer, or NULL
 * where it has none. Ends the program where they name none. */
Gpt2 *reading_model(uint64_t seed, ParamsMode mode);
Tokenizer *reading_tokenizer(const Gpt2 *model);
void reading_free(Gpt2 *model);

/* The ids of a text in front of which the tokenizer's bos stands, if it has one. */
int *reading_encode(const Tokenizer *t, const char *text, size_t bytes, bool special,
                    size_t *n);

/* The ids of --text, and how many bytes it has. */
int *reading_text(const Tokenizer *t, size_t *n, size_t *bytes);

/* --info, --check, --dump, --targets or --grad: the program is to look at the model,
 * and do nothing else. */
bool look_is_asked(void);
void look_at_model(const Settings *settings);

/* Runs the model on ids [n] as --targets, --grad and --dump say, and prints the
 * results. */
void look_at_ids(Gpt2 *model, const int *ids, size_t n);

#endif
