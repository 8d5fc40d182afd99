/* Tests of common/mapped_file: pages given back come back, and other memory is left
 * alone. */
#include "files/mapped_file.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "check/check.h"
#include "check/remove_tree.h"
#include "files/file.h"

enum { BYTES = 1 << 20 };

TestSuite(mapped_file, .init = scratch_enter, .fini = scratch_end, .timeout = 10);

static char expected(size_t i) {
    return (char)(i % 251);
}

static size_t wrong_bytes(const char *data) {
    size_t wrong = 0;
    for (size_t i = 0; i < BYTES; i++) wrong += data[i] != expected(i);
    return wrong;
}

static char *some_bytes(void) {
    char *data = checked_aligned_alloc(BYTES, 1);
    for (size_t i = 0; i < BYTES; i++) data[i] = expected(i);
    return data;
}

Test(mapped_file, what_was_given_back_is_read_again) {
    char *data = some_bytes();
    put_file("file", data, BYTES);
    size_t bytes;
    char *map = file_map("file", "a file", &bytes);
    const size_t parts[][2] = {{0, BYTES}, {1, 5000}, {4095, 1}, {8192, 0}, {7, 99999}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        file_map_release(map + parts[i][0], parts[i][1]);
        CHECK(wrong_bytes(map) == 0,
              "after bytes %zu .. were given back, %zu are wrong", parts[i][0],
              wrong_bytes(map));
    }
    file_unmap(map, bytes);
    free(data);
}

Test(mapped_file, a_place_that_is_free_again) {
    FileWriter w = file_begin("file");
    file_printf(&w, "some bytes");
    file_commit(&w);
    size_t bytes, more;
    char *first = file_map("file", "a file", &bytes),
         *second = file_map("file", "a file", &more);
    file_unmap(first, bytes);
    file_map_release(second, more); /* looks at the place of the first, too */
    CHECK(memcmp(second, "some bytes", more) == 0, "other bytes");
    file_unmap(second, more);
}

/* Anonymous memory that is given back is full of zeros. */
Test(mapped_file, other_memory_is_left_alone) {
    char *data = some_bytes();
    file_map_release(data, BYTES);
    CHECK(wrong_bytes(data) == 0, "%zu bytes that no file has are lost",
          wrong_bytes(data));
    free(data);
}
