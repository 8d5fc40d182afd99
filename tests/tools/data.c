/* Tests of make data (tools/learner/data.sh) against a server on this machine: whole
 * files, downloads that are cut off and go on, wrong checksums, servers without ranges,
 * and no server at all. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check/check.h"
#include "files/file.h"
#include "check/remove_tree.h"

/* --- a small HTTP server --- */

enum { SIZE = 300000 };

typedef struct {
    const char *body; /* [SIZE] what every path gives */
    bool ranges;      /* understands "Range: bytes=N-" */
    int cuts;         /* so many answers break off half way */
    bool moved;       /* leads on to the same path behind /there, without TLS */
} Site;

static void send_all(int socket, const char *data, size_t n) {
    for (ssize_t sent; n; data += sent, n -= (size_t)sent) {
        sent = write(socket, data, n);
        if (sent <= 0) return;
    }
}

static void answer(int socket, Site *site, int port) {
    char request[4096] = "", head[1000];
    for (size_t used = 0; !strstr(request, "\r\n\r\n") && used < sizeof request - 1;) {
        ssize_t got = read(socket, request + used, sizeof request - 1 - used);
        if (got <= 0) return;
        used += (size_t)got;
        request[used] = 0;
    }
    const char *range = strstr(request, "Range: bytes=");
    size_t from = site->ranges && range ? strtoul(range + 13, NULL, 10) : 0;
    if (site->moved && !strstr(request, " /there")) {
        snprintf(head, sizeof head,
                 "HTTP/1.1 302 Found\r\nLocation: "
                 "http://127.0.0.1:%d/there\r\nContent-Length: 0\r\n\r\n",
                 port);
        send_all(socket, head, strlen(head));
        return;
    }
    if (from >= SIZE) {
        snprintf(head, sizeof head,
                 "HTTP/1.1 416 Range Not Satisfiable\r\nContent-Length: 0\r\n\r\n");
        send_all(socket, head, strlen(head));
        return;
    }
    snprintf(
        head, sizeof head,
        "HTTP/1.1 %s\r\nContent-Length: %zu\r\nContent-Range: bytes %zu-%d/%d\r\n\r\n",
        from ? "206 Partial Content" : "200 OK", SIZE - from, from, SIZE - 1, SIZE);
    send_all(socket, head, strlen(head));
    if (strncmp(request, "GET", 3) != 0) return;
    size_t n = SIZE - from;
    if (site->cuts > 0) {
        n /= 2;
        site->cuts--;
    }
    send_all(socket, site->body + from, n);
}

static pid_t server;

static void stop_server(void) {
    if (server > 0) {
        kill(server, SIGKILL);
        waitpid(server, NULL, 0);
    }
    server = 0;
}

/* Starts it on a free port of the loopback interface and returns the port. */
static int start_server(Site site) {
    int listening = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t bytes = sizeof address;
    CHECK(bind(listening, (struct sockaddr *)&address, sizeof address) == 0 &&
              listen(listening, 8) == 0 &&
              getsockname(listening, (struct sockaddr *)&address, &bytes) == 0,
          "cannot listen on the loopback interface");
    server = fork();
    CHECK(server >= 0, "cannot fork");
    if (server == 0) {
        signal(SIGPIPE, SIG_IGN);
        for (;;) {
            int socket = accept(listening, NULL, NULL);
            if (socket < 0) _exit(1);
            answer(socket, &site, ntohs(address.sin_port));
            close(socket);
        }
    }
    close(listening);
    return ntohs(address.sin_port);
}

/* --- what is fetched, and where to --- */

static char directory[] = "/tmp/test-data-XXXXXX", body[SIZE], sum[65], said[4096];

/* What data.sh goes by: the sums of tools/learner/data.sums for the files whose names
 * match the pattern (of awk), and that of the body for all others. */
static void write_sums(const char *pinned) {
    char command[500];
    snprintf(command, sizeof command,
             "awk '/^#/ { next } $2 !~ /%s/ { $1 = \"%s\" } { print $1 \"  \" $2 }' "
             "<tools/learner/data.sums >%s/sums",
             pinned, sum, directory);
    CHECK(system(command) == 0, "cannot write the sums");
}

static void prepare(void) {
    CHECK(mkdtemp(directory) != NULL, "cannot make a directory in /tmp");
    for (size_t i = 0; i < SIZE; i++) body[i] = (char)(i * 7 + i / 256);
    char path[100], command[400];
    snprintf(path, sizeof path, "%s/body", directory);
    FileWriter w = file_begin(path);
    file_write(&w, body, SIZE);
    file_commit(&w);
    snprintf(command, sizeof command,
             "{ sha256sum %s || shasum -a 256 %s; } 2>/dev/null", path, path);
    FILE *pipe = popen(command, "r");
    CHECK(pipe && fread(sum, 1, 64, pipe) == 64, "cannot compute a SHA-256");
    pclose(pipe);
    write_sums("^$");
}

static void clean(void) {
    stop_server();
    remove_tree(directory);
}

TestSuite(data, .init = prepare, .fini = clean, .timeout = 100);

static bool skipped(void) {
    if (system("command -v curl >/dev/null || command -v wget >/dev/null") == 0)
        return false;
    printf("SKIPPED: make data needs curl or wget\n");
    return true;
}

/* Runs data.sh for that model with all addresses on that port;
 * returns its exit code, and what it says in `said`. */
static int fetch(const char *model, int port) {
    char command[1000];
    snprintf(command, sizeof command,
             "TEXT_URL=http://127.0.0.1:%d HUB_URL=http://127.0.0.1:%d SUMS=%s/sums "
             "DATA=%s/data "
             "no_proxy=127.0.0.1 "
             "tools/learner/data.sh %s 2>&1",
             port, port, directory, directory, model);
    FILE *pipe = popen(command, "r");
    size_t n = fread(said, 1, sizeof said - 1, pipe);
    said[n] = 0;
    return WEXITSTATUS(pclose(pipe));
}

static bool is_there(const char *name) {
    char path[200];
    snprintf(path, sizeof path, "%s/data/%s", directory, name);
    return access(path, F_OK) == 0;
}

static void put(const char *name, const char *data, size_t n) {
    char path[200];
    snprintf(path, sizeof path, "%s/data/%s", directory, name);
    *strrchr(path, '/') = 0;
    make_directory(path);
    path[strlen(path)] = '/';
    FileWriter w = file_begin(path);
    file_write(&w, data, n);
    file_commit(&w);
}

static void expect_fetched(const char *file) {
    char path[200];
    size_t n;
    snprintf(path, sizeof path, "%s/data/%s", directory, file);
    CHECK(is_there(file), "%s is not there; said: %s", file, said);
    char *got = file_read(path, &n);
    CHECK(n == SIZE && memcmp(got, body, SIZE) == 0,
          "%s holds other bytes than were sent", file);
    strcat(path, ".part");
    CHECK(access(path, F_OK) != 0, "%s is left", path);
    free(got);
}

/* --- one file --- */

static const char text[] = "tinyshakespeare.txt", part[] = "tinyshakespeare.txt.part";

Test(data, whole_file) {
    if (skipped()) return;
    int port = start_server((Site){.body = body, .ranges = true});
    CHECK(fetch("", port) == 0, "said: %s", said);
    expect_fetched(text);
    stop_server();
    CHECK(fetch("", port) == 0, "a second time nothing is fetched; said: %s", said);
    CHECK(strstr(said, "is there"), "said: %s", said);
}

/* The checksum of tiny Shakespeare is known: another text does not pass for it. */
Test(data, wrong_checksum_is_removed) {
    if (skipped()) return;
    write_sums("^tinyshakespeare.txt$");
    int port = start_server((Site){.body = body, .ranges = true});
    CHECK(fetch("", port) == 1, "exit code 0 for a wrong file; said: %s", said);
    CHECK(strstr(said, sum) && strstr(said, "the original's is 86c4e6aa"),
          "the message lacks the sums: %s", said);
    CHECK(!is_there(text) && !is_there(part), "the wrong file is kept");
}

Test(data, own_file_is_not_overwritten) {
    if (skipped()) return;
    put(text, "mine", 4);
    int port = start_server((Site){.body = body, .ranges = true});
    CHECK(fetch("", port) == 1, "exit code 0; said: %s", said);
    CHECK(strstr(said, "is there, but is not the original") &&
              strstr(said, "remove it"),
          "said: %s", said);
    CHECK(is_there(text), "the file is gone");
}

Test(data, no_network) {
    if (skipped()) return;
    int port = start_server((Site){.body = body});
    stop_server(); /* nobody listens there now */
    CHECK(fetch("", port) == 1, "exit code 0 without a server; said: %s", said);
    CHECK(strstr(said, "data: cannot reach 127.0.0.1") &&
              strstr(said, "is there a network?"),
          "said: %s", said);
    char *newline = strchr(said, '\n');
    CHECK(newline && !newline[1], "expected one line, got: %s", said);
}

Test(data, unknown_model) {
    if (skipped()) return;
    CHECK(fetch("gpt3", 9) == 2, "exit code of an unknown model; said: %s", said);
    CHECK(strstr(said, "MODEL=gpt3: expected gpt2, gpt2-medium"), "said: %s", said);
}

Test(data, goes_on_after_interruptions) {
    if (skipped()) return;
    int port = start_server((Site){.body = body, .ranges = true, .cuts = 3});
    CHECK(fetch("", port) == 0, "said: %s", said);
    expect_fetched(text);
    CHECK(strstr(said, "going on after 150000 bytes") &&
              strstr(said, "going on after 225000 bytes"),
          "said: %s", said);
}

/* Cut off again and again it gives up, keeps what it has, and goes on when it is
 * started the next time. */
Test(data, goes_on_another_day) {
    if (skipped()) return;
    int port = start_server((Site){.body = body, .ranges = true, .cuts = 5});
    CHECK(fetch("", port) == 1, "exit code 0; said: %s", said);
    CHECK(strstr(said, "interrupted at 290625 bytes"), "said: %s", said);
    CHECK(is_there(part) && !is_there(text), "the part is not kept");
    CHECK(fetch("", port) == 0, "said: %s", said);
    CHECK(strstr(said, "going on after 290625 bytes"), "said: %s", said);
    expect_fetched(text);
}

Test(data, server_without_ranges) {
    if (skipped()) return;
    int port = start_server((Site){.body = body, .cuts = 1});
    CHECK(fetch("", port) == 0, "said: %s", said);
    expect_fetched(text);
}

Test(data, damaged_part) {
    if (skipped()) return;
    put(part, "something else", 14);
    int port = start_server((Site){.body = body, .ranges = true});
    CHECK(fetch("", port) == 1, "exit code 0; said: %s", said);
    CHECK(strstr(said, "what came was removed") && !is_there(part),
          "the damaged part is kept: %s", said);
    CHECK(fetch("", port) == 0, "said: %s", said);
    expect_fetched(text);
}

/* A part that is whole already is not asked for. */
Test(data, whole_part) {
    if (skipped()) return;
    put(part, body, SIZE);
    int port = start_server((Site){.body = body, .ranges = true});
    stop_server();
    CHECK(fetch("", port) == 0, "said: %s", said);
    expect_fetched(text);
}

/* What a server leads on to must be https: what may be changed on its way may as well
 * lead elsewhere. */
Test(data, redirection_without_tls) {
    if (system("command -v curl >/dev/null") != 0) {
        printf("SKIPPED: only curl refuses a redirection without TLS\n");
        return;
    }
    int port = start_server((Site){.body = body, .ranges = true, .moved = true});
    CHECK(fetch("", port) == 1, "exit code 0; said: %s", said);
    CHECK(strstr(said, "not supported") && !is_there(text), "said: %s", said);
}

/* --- checksums --- */

/* A file without one is not fetched, and the message says how one is given. */
Test(data, no_checksum) {
    if (skipped()) return;
    char command[200];
    snprintf(command, sizeof command, "sed -i.old /medium.vocab/d %s/sums", directory);
    CHECK(system(command) == 0, "cannot remove a sum");
    int port = start_server((Site){.body = body, .ranges = true});
    CHECK(fetch("gpt2-medium", port) == 1, "exit code 0; said: %s", said);
    CHECK(strstr(said, "gpt2-medium/vocab.json: ") &&
              strstr(said, "has no checksum of it") && strstr(said, "SUMS=FILE"),
          "said: %s", said);
    CHECK(!is_there("gpt2-medium/vocab.json"), "it was fetched");
    snprintf(command, sizeof command, "rm %s/sums", directory);
    CHECK(system(command) == 0 && fetch("", port) == 1 &&
              strstr(said, "cannot be read"),
          "said: %s", said);
}

/* A model of LLaMA's family comes with tokenizer.json. */
Test(data, model_of_llamas_family) {
    if (skipped()) return;
    int port = start_server((Site){.body = body, .ranges = true});
    CHECK(fetch("smollm2-135m", port) == 0, "said: %s", said);
    expect_fetched("smollm2-135m/config.json");
    expect_fetched("smollm2-135m/tokenizer.json");
    expect_fetched("smollm2-135m/model.safetensors");
    CHECK(!is_there("smollm2-135m/vocab.json"), "more was fetched: %s", said);
}

/* The list of sums is where data.sh looks for it by itself. */
Test(data, own_sums) {
    if (skipped()) return;
    char command[300];
    snprintf(command, sizeof command,
             "DATA=%s/data TEXT_URL=http://127.0.0.1:9 tools/learner/data.sh 2>&1 | "
             "grep -q 'cannot reach'",
             directory);
    CHECK(system(command) == 0, "it does not come as far as the network");
}

Test(data, model) {
    if (skipped()) return;
    int port = start_server((Site){.body = body, .ranges = true, .cuts = 1});
    CHECK(fetch("gpt2-xl", port) == 0, "said: %s", said);
    expect_fetched("gpt2-xl/config.json");
    expect_fetched("gpt2-xl/model.safetensors");
    CHECK(fetch("gpt2-xl", port) == 0 && !strstr(said, "fetched"),
          "a second time nothing is: %s", said);
}

/* Each file of each model is known by its checksum, on its way and where it is there
 * already. */
Test(data, other_files_do_not_pass) {
    if (skipped()) return;
    static const char *const models[] = {"gpt2",    "gpt2-medium",  "gpt2-large",
                                         "gpt2-xl", "smollm2-135m", "qwen2.5-0.5b"};
    static const char *const names[][4] = {
        {"config.json", "vocab.json", "merges.txt", "model.safetensors"},
        {"config.json", "tokenizer.json", "model.safetensors"}};
    int port = start_server((Site){.body = body, .ranges = true});
    for (int m = 0; m < 6; m++) {
        const char *const *files = names[m >= 4];
        for (int i = 0; i < 4 && files[i]; i++) {
            char name[100], pattern[100];
            snprintf(name, sizeof name, "%s/%s", models[m], files[i]);
            snprintf(pattern, sizeof pattern, "^%s.%s$", models[m], files[i]);
            write_sums(pattern);
            CHECK(fetch(models[m], port) == 1 && strstr(said, files[i]) &&
                      strstr(said, "the original's is"),
                  "another %s passes: %s", name, said);
            CHECK(!is_there(name), "the wrong %s is kept", name);
            put(name, body, SIZE);
            CHECK(fetch(models[m], port) == 1 && strstr(said, name) &&
                      strstr(said, "is not the original"),
                  "another %s passes where it is there: %s", name, said);
        }
    }
}

Test(data, known_text) {
    char command[300];
    const char *file = getenv("TINYSHAKESPEARE");
    if (!file) {
        printf("SKIPPED: TINYSHAKESPEARE names no file\n");
        return;
    }
    snprintf(command, sizeof command,
             "grep -q \"^$(sha256sum <'%s' | cut -d ' ' -f 1)  tiny\" "
             "tools/learner/data.sums",
             file);
    CHECK(system(command) == 0, "the checksum of '%s' is not the one that is known",
          file);
}
