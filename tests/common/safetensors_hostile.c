/* Tests of common/safetensors with files that lie:
 * each must end with one line and exit code 1, never with a crash. */
#include "checkpoints/safetensors.h"

#include <criterion/criterion.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check/remove_tree.h"
#include "check/dies.h"
#include "base/error.h"

static char *const path = scratch_file;
TestSuite(safetensors_hostile, .init = scratch_begin, .fini = scratch_end,
          .timeout = 120);

static void open_and_close(void *name) {
    SafeTensors file = safetensors_open(name);
    safetensors_close(&file);
}

/* A file of that header and `data_bytes` zeros. */
static void write_file(const char *header, size_t data_bytes) {
    uint64_t length = strlen(header);
    char *bytes = calloc(1, 8 + length + data_bytes);
    memcpy(bytes, &length, 8);
    memcpy(bytes + 8, header, length);
    put_file(path, bytes, 8 + length + data_bytes);
    free(bytes);
}

typedef struct {
    const char *header;
    size_t data_bytes;
    const char *message;
} Bad;

static void check_all(const Bad *bad, size_t count) {
    for (size_t i = 0; i < count; i++) {
        write_file(bad[i].header, bad[i].data_bytes);
        expect_exit(EXIT_INPUT, bad[i].message, open_and_close, path);
    }
}
#define CHECK_ALL(bad) check_all(bad, sizeof(bad) / sizeof *(bad))

/* `one` is the entry of a good tensor of 8 bytes; the tests below change one thing
 * each. */
#define ONE "\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]"

Test(safetensors_hostile, good_files_pass) {
    const char *good[] = {
        "{\"a\":{" ONE "}}",
        "{\"a\":{" ONE "}}   \n\t\r ",
        "{\"a\":{" ONE ",\"more\":[1,{}]}}",
        "{\"__metadata__\":{\"k\":\"v\"},\"a\":{" ONE "}}",
        "{\"__metadata__\":null,\"a\":{" ONE "}}",
        "{\"b\":{\"dtype\":\"F32\",\"shape\":[0,3],\"data_offsets\":[4,4]},"
        "\"c\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[4,8]},"
        "\"a\":{\"dtype\":\"F32\",\"shape\":[],\"data_offsets\":[0,4]}}"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        write_file(good[i], 8);
        expect_exit(0, "", open_and_close, path);
    }
    write_file("{}", 0);
    expect_exit(0, "", open_and_close, path);
}

Test(safetensors_hostile, files_that_are_none) {
    expect_exit(EXIT_INPUT, "No such file", open_and_close,
                (void *)"/nonexistent/model.safetensors");
    expect_exit(EXIT_INPUT, "file '/tmp': is a directory", open_and_close,
                (void *)"/tmp");
    expect_exit(EXIT_INPUT, "not a regular file", open_and_close, (void *)"/dev/null");
    put_file(path, "", 0);
    expect_exit(EXIT_INPUT, "is empty, expected a safetensors file", open_and_close,
                path);
    put_file(path, "1234567", 7);
    expect_exit(EXIT_INPUT, "has 7 bytes, expected a safetensors file", open_and_close,
                path);
    remove(path);
    cr_assert_eq(mkfifo(path, 0600), 0);
    expect_exit(EXIT_INPUT, "not a regular file", open_and_close, path);
}

/* Another program writes the file in place while it is mapped. */
static void read_while_it_is_cut(void *unused) {
    (void)unused;
    SafeTensors file = safetensors_open(path);
    cr_assert_eq(truncate(path, 100), 0);
    float *all = malloc(file.tensors[0].bytes);
    safetensors_to_float(all, &file.tensors[0]);
}

Test(safetensors_hostile, cut_while_it_is_mapped) {
    enum { N = 1 << 16 };
    static float zeros[N];
    SafetensorsWriter *w = safetensors_begin(path);
    safetensors_add(w, "zeros", DTYPE_F32, 1, (size_t[]){N}, zeros);
    safetensors_commit(w);
    expect_exit(EXIT_INPUT, "': was cut short while it was being read",
                read_while_it_is_cut, NULL);
}

Test(safetensors_hostile, header_lengths) {
    const struct {
        uint64_t length;
        const char *message;
    } bad[] = {{0, "is not a JSON object"},
               {1, "is not valid JSON"},
               {3, "header has 3 bytes, but only 2 follow"},
               {UINT64_MAX, "header has 18446744073709551615 bytes, but only 2 follow"},
               {UINT64_MAX - 7, "but only 2 follow"},
               {UINT64_C(1) << 63, "but only 2 follow"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char bytes[10] = {0};
        memcpy(bytes, &bad[i].length, 8);
        memcpy(bytes + 8, "{}", 2);
        put_file(path, bytes, sizeof bytes);
        expect_exit(EXIT_INPUT, bad[i].message, open_and_close, path);
    }
    /* a file with holes: it takes no room on the disk */
    uint64_t large = (16 << 20) + 1;
    put_file(path, &large, 8);
    cr_assert_eq(truncate(path, 8 + (off_t)large), 0);
    expect_exit(EXIT_INPUT, "header of 16777217 bytes, expected at most 16777216",
                open_and_close, path);
}

Test(safetensors_hostile, headers_that_are_no_object_of_tensors) {
    const Bad bad[] = {
        {"[]", 0, "is not a JSON object"},
        {"  {}", 0, "is not a JSON object"},
        {"null", 0, "is not a JSON object"},
        {"{\"a\":{" ONE "}", 8, "is not valid JSON, near byte"},
        {"{\"a\":}", 0, "is not valid JSON, near byte 5"},
        {"{\"a", 0, "is not valid JSON"},
        {"{\"a\":{" ONE "}} x", 8, "goes on after its JSON"},
        {"{\"a\\u0000\":{" ONE "}}", 8, "its header has a NUL at byte 3"},
        {"{}{}", 0, "goes on after its JSON, at byte 2"},
        {"{\"a\":1}", 0, "tensor 'a': its entry is not a JSON object"},
        {"{\"a\":[]}", 0, "tensor 'a': its entry is not a JSON object"},
        {"{\"a\":{}}", 0, "tensor 'a': has no 'dtype'"},
        {"{\"a\":{\"dtype\":\"F32\",\"data_offsets\":[0,8]}}", 8,
         "tensor 'a': has no 'shape'"},
        {"{\"a\":{\"dtype\":\"F32\",\"shape\":[2]}}", 8,
         "tensor 'a': has no 'data_offsets'"},
        {"{\"a\":{" ONE ",\"dtype\":\"I32\"}}", 8, "tensor 'a': has 'dtype' twice"},
        {"{\"a\":{" ONE "},\"b\":{" ONE "},\"a\":{" ONE "}}", 8,
         "tensor 'a': is there twice"},
        {"{\"__metadata__\":[]}", 0, "__metadata__ is not a JSON object"},
        {"{\"__metadata__\":{\"k\":1}}", 0,
         "__metadata__: the value of 'k' is not a text"},
        {"{\"__metadata__\":{},\"__metadata__\":{}}", 0, "has __metadata__ twice"},
    };
    CHECK_ALL(bad);
}

Test(safetensors_hostile, dtypes_and_shapes) {
#define WITH(dtype, shape)                                                             \
    "{\"a\":{\"dtype\":" dtype ",\"shape\":" shape ",\"data_offsets\":[0,8]}}"
    const Bad bad[] = {
        {WITH("\"F8_E4M3\"", "[8]"), 8, "tensor 'a': unknown dtype 'F8_E4M3'"},
        {WITH("\"f32\"", "[2]"), 8, "tensor 'a': unknown dtype 'f32'"},
        {WITH("\"\"", "[2]"), 8, "tensor 'a': unknown dtype ''"},
        {WITH("\"F\\n32\"", "[2]"), 8, "tensor 'a': unknown dtype 'F\\x0a32'"},
        {WITH("32", "[2]"), 8, "tensor 'a': its dtype is not a text"},
        {WITH("\"F32\"", "2"), 8, "tensor 'a': its shape is not a list"},
        {WITH("\"F32\"", "{\"a\":2}"), 8, "tensor 'a': its shape is not a list"},
        {WITH("\"F32\"", "[\"2\"]"), 8,
         "tensor 'a': its shape holds something that is not a number"},
        {WITH("\"F32\"", "[null]"), 8,
         "tensor 'a': its shape holds something that is not a number"},
        {WITH("\"F32\"", "[-2]"), 8,
         "tensor 'a': its shape holds -2, expected an integer"},
        {WITH("\"F32\"", "[2.5]"), 8,
         "tensor 'a': its shape holds 2.5, expected an integer"},
        {WITH("\"F32\"", "[9007199254740993]"), 8,
         "expected an integer from 0 to 2^53"},
        {WITH("\"F32\"", "[1e999]"), 8, "expected an integer from 0 to 2^53"},
        {WITH("\"F32\"", "[-1e999]"), 8, "expected an integer from 0 to 2^53"},
        {WITH("\"F32\"", "[3]"), 8,
         "tensor 'a': has 8 bytes of data, expected 12 for F32 [3]"},
        {WITH("\"F32\"", "[1,1,1]"), 8,
         "tensor 'a': has 8 bytes of data, expected 4 for F32 [1, 1, 1]"},
        {WITH("\"F64\"", "[2]"), 8, "expected 16 for F64 [2]"},
        {WITH("\"BF16\"", "[]"), 8, "expected 2 for BF16 []"},
        {WITH("\"F32\"", "[0]"), 8, "expected 0 for F32 [0]"},
        {WITH("\"F32\"", "[1,1,1,1,1,1,1,1,2]"), 8,
         "tensor 'a': its shape has more than 8 axes"},
        /* 2^32 * 2^32 wraps to 0, 2^62 * 4 bytes to 0, and (2^33 + 1) * 2^31 elements
           to 2^31 */
        {WITH("\"F32\"", "[4294967296,4294967296]"), 8,
         "tensor 'a': its shape is too large"},
        {WITH("\"F32\"", "[4503599627370496,1024]"), 8,
         "tensor 'a': its shape is too large"},
        {WITH("\"F32\"", "[8589934593,2147483648]"), 8,
         "tensor 'a': its shape is too large"},
    };
    CHECK_ALL(bad);
}

Test(safetensors_hostile, offsets) {
#define AT(offsets)                                                                    \
    "{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":" offsets "}}"
#define TWO(first, second)                                                             \
    "{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":" first "},"             \
    "\"b\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":" second "}}"
    const Bad bad[] = {
        {AT("[8,0]"), 8, "tensor 'a': data_offsets [8, 0] are reversed"},
        {AT("[0,8]"), 7,
         "tensor 'a': its data ends at byte 8, but the file has only 7 bytes of data"},
        {AT("[0,8]"), 0, "but the file has only 0 bytes of data"},
        {AT("[4503599627370496,4503599627370504]"), 8,
         "but the file has only 8 bytes of data"},
        {AT("[-8,0]"), 8, "tensor 'a': data_offsets holds -8"},
        {AT("[0.5,8.5]"), 9, "tensor 'a': data_offsets holds 0.5"},
        {AT("[0,1e300]"), 8, "tensor 'a': data_offsets holds 1.0000000000000001e+300"},
        /* 2^64 + 8 */
        {AT("[0,18446744073709551624]"), 8, "tensor 'a': data_offsets holds"},
        {AT("[0,true]"), 8, "data_offsets holds something that is not a number"},
        {AT("[0]"), 8, "tensor 'a': its data_offsets are not a list of two numbers"},
        {AT("[0,4,8]"), 8,
         "tensor 'a': its data_offsets are not a list of two numbers"},
        {AT("[]"), 8, "tensor 'a': its data_offsets are not a list of two numbers"},
        {AT("8"), 8, "tensor 'a': its data_offsets are not a list of two numbers"},
        {AT("[0,4]"), 8, "tensor 'a': has 4 bytes of data, expected 8 for F32 [2]"},
        {AT("[0,8]"), 9, "has 1 bytes behind its last tensor"},
        {AT("[4,12]"), 12,
         "tensor 'a': its data begins at byte 4, but the data before it ends at byte "
         "0"},
        {TWO("[0,8]", "[0,8]"), 16,
         "its data begins at byte 0, but the data before it ends at byte 8"},
        {TWO("[4,12]", "[0,8]"), 12,
         "tensor 'a': its data begins at byte 4, but the data before it ends at byte "
         "8"},
        {TWO("[0,8]", "[12,20]"), 20,
         "tensor 'b': its data begins at byte 12, but the data before it ends at byte "
         "8"},
    };
    CHECK_ALL(bad);
}

/* Names with any bytes are shown on one line, and long ones are cut. */
Test(safetensors_hostile, names_of_odd_bytes) {
    const Bad bad[] = {
        {"{\"a\\nb\\u0007\\\\\":1}", 0, "tensor 'a\\x0ab\\x07\\': its entry"},
        {"{\"a\nb\":1}", 0, "tensor 'a\\x0ab': its entry"},
        {"{\"\xff\xfe\":1}", 0, "tensor '\\xff\\xfe': its entry"},
        {"{\"%s%n\":1}", 0, "tensor '%s%n': its entry"},
        {"{\"\":1}", 0, "tensor '': its entry"},
    };
    CHECK_ALL(bad);
    char header[4096] = "{\"";
    memset(header + 2, 'x', 4000);
    strcpy(header + 4002, "\":1}");
    write_file(header, 0);
    expect_exit(EXIT_INPUT, "xxx...': its entry is not a JSON object", open_and_close,
                path);
}
