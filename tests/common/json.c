/* Tests of common/json: members of every type, and files that end the program with one
 * line. */
#include "files/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "check/remove_tree.h"
#include "check/check.h"
#include "check/dies.h"
#include "base/error.h"
#include "files/file.h"

static char *const path = scratch_file;
TestSuite(json, .init = scratch_begin, .fini = scratch_end, .timeout = 60);

static void write_text(const char *text) {
    put_file(path, text, strlen(text));
}

Test(json, members) {
    write_text(" {\"n\": 12, \"x\": -1.5e3, \"yes\": true, \"text\": "
               "\"a\\u00e9\\\\u0000\"}\n");
    cJSON *o = json_read_object(path);
    CHECK(json_size(o, path, "n", 7, 0, 100) == 12, "n is not 12");
    CHECK(json_size(o, path, "absent", 7, 0, 100) == 7,
          "what is absent is not the default");
    CHECK(json_number(o, path, "x", 0, -1e9, 1e9) == -1500, "x is not -1500");
    CHECK(json_bool(o, path, "yes", false), "yes is not true");
    CHECK(json_bool(o, path, "absent", true), "what is absent is not the default");
    CHECK(strcmp(json_text(o, path, "text", ""), "a\xc3\xa9\\u0000") == 0,
          "text is '%s'", json_text(o, path, "text", ""));
    CHECK(strcmp(json_text(o, path, "absent", "other"), "other") == 0,
          "what is absent is not the default");
    cJSON_Delete(o);
}

/* Reads the members "n", "x", "b" and "t", of any type. */
static void read_all(void *unused) {
    (void)unused;
    cJSON *o = json_read_object(path);
    json_size(o, path, "n", 1, 1, 100);
    json_number(o, path, "x", 0, -1, 1);
    json_bool(o, path, "b", false);
    json_text(o, path, "t", "");
    cJSON_Delete(o);
}

Test(json, refuses_with_one_line) {
    const struct {
        const char *text, *says;
    } bad[] = {
        {"", "is not valid JSON, near byte 0"},
        {"{", "is not valid JSON"},
        {"{\"n\": }", "is not valid JSON, near byte 6"},
        {"{\"n\": 1} {", "goes on after its JSON, at byte 9"},
        {"[1]", "is not a JSON object"},
        {"\"n\"", "is not a JSON object"},
        {"{\"n\": \"1\"}", "\"n\" is not a number"},
        {"{\"n\": true}", "\"n\" is not a number"},
        {"{\"x\": null}", "\"x\" is not a number"},
        {"{\"n\": 0}", "\"n\" is 0, expected 1 to 100"},
        {"{\"n\": 101}", "\"n\" is 101, expected 1 to 100"},
        {"{\"n\": -1}", "\"n\" is -1, expected 1 to 100"},
        {"{\"n\": 1e999}", "\"n\" is inf, expected 1 to 100"},
        {"{\"n\": 12345678}", "\"n\" is 12345678, expected 1 to 100"},
        {"{\"n\\u0000\": 1}", "has a NUL at byte 3"},
        {"{\"t\": \"\\\\\\u0000\"}", "has a NUL at byte 9"},
        {"{\"n\": 1.5}", "\"n\" is 1.5, expected a whole number"},
        {"{\"x\": 2}", "\"x\" is 2, expected -1 to 1"},
        {"{\"b\": 0}", "\"b\" is neither true nor false"},
        {"{\"t\": 0}", "\"t\" is not a string"},
        {"{\"n\": 1, \"x\": 0, \"n\": 1}", "\"n\" is there twice"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        write_text(bad[i].text);
        expect_exit(EXIT_INPUT, bad[i].says, read_all, NULL);
    }
    put_file(path, "{\"n\": 1}\0{", 10);
    expect_exit(EXIT_INPUT, "has a NUL at byte 8", read_all, NULL);
    remove(path);
    expect_exit(EXIT_INPUT, "No such file", read_all, NULL);
}

Test(json, deep_nesting) {
    enum { DEPTH = 1 << 20 };
    char *text = malloc(DEPTH);
    memset(text, '[', DEPTH);
    memcpy(text, "{\"n\":", 5);
    put_file(path, text, DEPTH);
    expect_exit(EXIT_INPUT, "is not valid JSON", read_all, NULL);
    free(text);
}

/* Allows this process 200 MB of addresses, or as many as before. */
static void limit_memory(bool limited) {
    static struct rlimit before;
    if (!before.rlim_max) getrlimit(RLIMIT_AS, &before);
    setrlimit(RLIMIT_AS,
              &(struct rlimit){limited ? 200 << 20 : before.rlim_cur, before.rlim_max});
}

/* AddressSanitizer takes terabytes of addresses before the first test, and an emulated
 * processor knows no limit. */
static bool memory_can_be_limited(void) {
#ifdef __SANITIZE_ADDRESS__
    return false;
#endif
    limit_memory(true);
    void *too_much = malloc(1 << 30);
    limit_memory(false);
    free(too_much);
    return !too_much;
}

/* A text of 8 MB whose tree takes 300 MB, in a process that may have less. */
static void parse_without_memory(void *unused) {
    (void)unused;
    enum { NUMBERS = 4 << 20 };
    char *text = malloc(2 * NUMBERS + 10);
    strcpy(text, "{\"n\":[");
    for (size_t i = 0; i < NUMBERS; i++) memcpy(text + 6 + 2 * i, "1,", 2);
    strcpy(text + 5 + 2 * NUMBERS, "]}");
    limit_memory(true);
    json_parse_object("file", "", text, 5 + 2 * NUMBERS + 2);
}

Test(json, out_of_memory_is_not_bad_json) {
    if (!memory_can_be_limited())
        cr_skip_test("the memory of a process cannot be limited here");
    expect_exit(EXIT_INPUT, "out of memory: ", parse_without_memory, NULL);
}

static void say(void *text) {
    die("file '%s': a message", (const char *)text);
}

/* A file decides what its names are; the message stays one line, and the terminal as it
 * was. */
Test(json, messages_are_one_line) {
    expect_exit(EXIT_INPUT, "file 'a\\x0ab\\x1b[31m\\x7f': a message", say,
                "a\nb\x1b[31m\x7f");
    char *longer = calloc(100001, 1);
    memset(longer, 'x', 100000);
    expect_exit(EXIT_INPUT, "xxxx", say, longer);
    free(longer);
}

/* The fewest digits that give the same float. */
Test(json, floats_are_short) {
    static const struct {
        float x;
        const char *text;
    } cases[] = {{1e-5f, "{\n\t\"x\":\t1e-05\n}\n"},
                 {0.1f, "{\n\t\"x\":\t0.1\n}\n"},
                 {100000, "{\n\t\"x\":\t100000\n}\n"},
                 {0.333333343f, "{\n\t\"x\":\t0.33333334\n}\n"}};
    char file[] = "/tmp/json-XXXXXX";
    close(mkstemp(file));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cJSON *object = cJSON_CreateObject();
        json_add_float(object, "x", cases[i].x);
        FileWriter w = file_begin(file);
        json_print(object, &w);
        file_commit(&w);
        size_t n;
        char *text = file_read(file, &n);
        CHECK(strcmp(text, cases[i].text) == 0, "got %s, expected %s", text,
              cases[i].text);
        free(text);
    }
    unlink(file);
}
