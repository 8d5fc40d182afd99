/* Files of token ids: see id_file.h. */
#include "09-tokenizer/id_file.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"

/* A word of the file, which begins at byte `at`. Longer ones are no id. */
enum { LONGEST_WORD = 20, PIECE = 1 << 16 };
typedef struct {
    const char *path;
    size_t n_vocab, at, n;
    char text[LONGEST_WORD + 1];
} Word;

static _Noreturn void refuse(const Word *w) {
    die("'%s': '%.*s' at byte %zu: expected a token's id, 0 to %zu", w->path, (int)w->n,
        w->text, w->at, w->n_vocab - 1);
}

/* The id that the word is; empties the word. */
static int take_id(Word *w) {
    char *end;
    w->text[w->n] = 0;
    errno = 0;
    long id = strtol(w->text, &end, 10);
    if (end != w->text + w->n || errno || id < 0 || (size_t)id >= w->n_vocab) refuse(w);
    w->n = 0;
    return (int)id;
}

void id_file_read(const char *path, size_t n_vocab, void (*take)(void *context, int id),
                  void (*pause)(void), void *context) {
    static char piece[PIECE];
    Word w = {.path = path, .n_vocab = n_vocab};
    int file = strcmp(path, "-") == 0 ? STDIN_FILENO : open(path, O_RDONLY);
    if (file < 0) die("cannot open '%s': %s", path, strerror(errno));
    ssize_t got;
    for (size_t before = 0; (got = read(file, piece, PIECE)) > 0;
         before += (size_t)got) {
        for (size_t i = 0; i < (size_t)got; i++) {
            if (isspace((unsigned char)piece[i])) {
                if (w.n) take(context, take_id(&w));
                continue;
            }
            if (w.n == 0) w.at = before + i;
            if (w.n == LONGEST_WORD) refuse(&w);
            w.text[w.n++] = piece[i];
        }
        pause();
    }
    if (got < 0) die("cannot read '%s': %s", path, strerror(errno));
    if (w.n) take(context, take_id(&w));
    if (file != STDIN_FILENO) close(file);
}
