/* Tests of files of token ids, as `decode` reads them. */
#include "09-tokenizer/id_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "check/check.h"
#include "check/dies.h"
#include "base/error.h"
#include "files/file.h"

enum { N = 100000 };

typedef struct {
    int n, wrong, pauses;
} Taken;
static Taken taken;

/* The ids of the file below are 0, 1, 2, ... */
static void take(void *context, int id) {
    Taken *t = context;
    t->wrong += id != t->n++;
}

static void count_pause(void) {
    taken.pauses++;
}

/* The file is read in pieces: an id that two of them share is one id. */
Test(id_file, ids_across_pieces, .timeout = 10) {
    char path[] = "/tmp/id-file-XXXXXX";
    close(mkstemp(path));
    FileWriter w = file_begin(path);
    for (int i = 0; i < N; i++) file_printf(&w, i % 7 ? "%d " : "%d\r\n", i);
    file_commit(&w);
    id_file_read(path, N, take, count_pause, &taken);
    remove(path);
    CHECK(taken.n == N && taken.wrong == 0, "%d ids of %d, %d of them wrong", taken.n,
          N, taken.wrong);
    CHECK(taken.pauses > 1, "588890 bytes came in one piece");
}

/* An id is given as soon as it is complete, while the other end is still open. */
Test(id_file, ids_as_they_come, .timeout = 10) {
    int ends[2];
    cr_assert_eq(pipe(ends), 0);
    if (fork() == 0) {
        close(ends[0]);
        for (int i = 0; i < 3; i++) {
            if (write(ends[1], (char[]){(char)('0' + i), ' '}, 2) != 2) _exit(1);
            usleep(100000);
        }
        _exit(0);
    }
    close(ends[1]);
    dup2(ends[0], STDIN_FILENO);
    id_file_read("-", N, take, count_pause, &taken);
    CHECK(taken.n == 3 && taken.wrong == 0 && taken.pauses == 3, "%d ids in %d pieces",
          taken.n, taken.pauses);
}

static void read_file(void *path) {
    id_file_read(path, N, take, count_pause, &taken);
}

Test(id_file, errors, .timeout = 10) {
    expect_exit(EXIT_INPUT, "cannot open 'nowhere': No such file or directory",
                read_file, "nowhere");
    expect_exit(EXIT_INPUT, "cannot read '.': Is a directory", read_file, ".");
}
