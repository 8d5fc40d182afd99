/* Tests of make data (tools/data.sh) against a server on this machine: whole files, downloads that are cut
 * off and go on, wrong checksums, servers without ranges, and no server at all. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "file.h"
#include "remove_tree.h"

/* --- a small HTTP server --- */

enum { SIZE = 300000 };

typedef struct {
    const char *body;     /* [SIZE] what every path gives */
    const char *checksum; /* sent as X-Linked-Etag, or NULL */
    bool ranges;          /* understands "Range: bytes=N-" */
    int cuts;             /* so many answers break off half way */
} Site;

static void send_all(int socket, const char *data, size_t n) {
    for (ssize_t sent; n; data += sent, n -= (size_t)sent) {
        sent = write(socket, data, n);
        if (sent <= 0) return;
    }
}

static void answer(int socket, Site *site) {
    char request[4096] = "", head[1000], linked[200] = "";
    for (size_t used = 0; !strstr(request, "\r\n\r\n") && used < sizeof request - 1;) {
        ssize_t got = read(socket, request + used, sizeof request - 1 - used);
        if (got <= 0) return;
        used += (size_t)got;
        request[used] = 0;
    }
    const char *range = strstr(request, "Range: bytes=");
    size_t from = site->ranges && range ? strtoul(range + 13, NULL, 10) : 0;
    if (site->checksum) snprintf(linked, sizeof linked, "X-Linked-Etag: \"%s\"\r\n", site->checksum);
    if (from >= SIZE) {
        snprintf(head, sizeof head, "HTTP/1.1 416 Range Not Satisfiable\r\nContent-Length: 0\r\n\r\n");
        send_all(socket, head, strlen(head));
        return;
    }
    snprintf(head, sizeof head,
             "HTTP/1.1 %s\r\n%sContent-Length: %zu\r\nContent-Range: bytes %zu-%d/%d\r\n\r\n",
             from ? "206 Partial Content" : "200 OK", linked, SIZE - from, from, SIZE - 1, SIZE);
    send_all(socket, head, strlen(head));
    if (strncmp(request, "GET", 3) != 0) return;
    size_t n = SIZE - from;
    if (site->cuts > 0) n /= 2, site->cuts--;
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
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t bytes = sizeof address;
    CHECK(bind(listening, (struct sockaddr *)&address, sizeof address) == 0 && listen(listening, 8) == 0 &&
              getsockname(listening, (struct sockaddr *)&address, &bytes) == 0,
          "cannot listen on the loopback interface");
    server = fork();
    CHECK(server >= 0, "cannot fork");
    if (server == 0) {
        signal(SIGPIPE, SIG_IGN);
        for (;;) {
            int socket = accept(listening, NULL, NULL);
            if (socket < 0) _exit(1);
            answer(socket, &site);
            close(socket);
        }
    }
    close(listening);
    return ntohs(address.sin_port);
}

/* --- what is fetched, and where to --- */

static char directory[] = "/tmp/test-data-XXXXXX", body[SIZE], sum[65], said[4096];

static void prepare(void) {
    CHECK(mkdtemp(directory) != NULL, "cannot make a directory in /tmp");
    for (size_t i = 0; i < SIZE; i++) body[i] = (char)(i * 7 + i / 256);
    char path[100], command[400];
    snprintf(path, sizeof path, "%s/body", directory);
    FileWriter w = file_begin(path);
    file_write(&w, body, SIZE);
    file_commit(&w);
    snprintf(command, sizeof command, "{ sha256sum %s || shasum -a 256 %s; } 2>/dev/null", path, path);
    FILE *pipe = popen(command, "r");
    CHECK(pipe && fread(sum, 1, 64, pipe) == 64, "cannot compute a SHA-256");
    pclose(pipe);
}

static void clean(void) {
    stop_server();
    remove_tree(directory);
}

TestSuite(data, .init = prepare, .fini = clean, .timeout = 100);

static bool skipped(void) {
    if (system("command -v curl >/dev/null || command -v wget >/dev/null") == 0) return false;
    printf("SKIPPED: make data needs curl or wget\n");
    return true;
}

/* Runs data.sh for that model with all addresses on that port;
 * returns its exit code, and what it says in `said`. */
static int fetch(const char *model, int port, const char *text_sum) {
    char command[1000];
    snprintf(command, sizeof command,
             "TEXT_URL=http://127.0.0.1:%d HUB_URL=http://127.0.0.1:%d TEXT_SUM=%s DATA=%s/data "
             "no_proxy=127.0.0.1 "
             "tools/data.sh %s 2>&1",
             port, port, text_sum, directory, model);
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
    CHECK(n == SIZE && memcmp(got, body, SIZE) == 0, "%s holds other bytes than were sent", file);
    strcat(path, ".part");
    CHECK(access(path, F_OK) != 0, "%s is left", path);
    free(got);
}

/* --- one file --- */

static const char text[] = "tinyshakespeare.txt", part[] = "tinyshakespeare.txt.part";

Test(data, whole_file) {
    if (skipped()) return;
    int port = start_server((Site){.body = body, .ranges = true});
    CHECK(fetch("", port, sum) == 0, "said: %s", said);
    expect_fetched(text);
    stop_server();
    CHECK(fetch("", port, sum) == 0, "a second time nothing is fetched; said: %s", said);
    CHECK(strstr(said, "is there"), "said: %s", said);
}

/* The checksum of tiny Shakespeare is built in: another text does not pass for it. */
Test(data, wrong_checksum_is_removed) {
    if (skipped()) return;
    int port = start_server((Site){.body = body, .ranges = true});
    CHECK(fetch("", port, "") == 1, "exit code 0 for a wrong file; said: %s", said);
    CHECK(strstr(said, sum) && strstr(said, "the original is 86c4e6aa"), "the message lacks the sums: %s",
          said);
    CHECK(!is_there(text) && !is_there(part), "the wrong file is kept");
}

Test(data, own_file_is_not_overwritten) {
    if (skipped()) return;
    put(text, "mine", 4);
    int port = start_server((Site){.body = body, .ranges = true});
    CHECK(fetch("", port, sum) == 1, "exit code 0; said: %s", said);
    CHECK(strstr(said, "is there, but is not the original") && strstr(said, "remove it"), "said: %s", said);
    CHECK(is_there(text), "the file is gone");
}

Test(data, no_network) {
    if (skipped()) return;
    int port = start_server((Site){.body = body});
    stop_server(); /* nobody listens there now */
    CHECK(fetch("", port, sum) == 1, "exit code 0 without a server; said: %s", said);
    CHECK(strstr(said, "data: cannot reach 127.0.0.1") && strstr(said, "is there a network?"), "said: %s",
          said);
    char *newline = strchr(said, '\n');
    CHECK(newline && !newline[1], "expected one line, got: %s", said);
}

Test(data, unknown_model) {
    if (skipped()) return;
    CHECK(fetch("gpt3", 9, sum) == 2, "exit code of an unknown model; said: %s", said);
    CHECK(strstr(said, "MODEL=gpt3: expected gpt2, gpt2-medium"), "said: %s", said);
}

Test(data, goes_on_after_interruptions) {
    if (skipped()) return;
    int port = start_server((Site){.body = body, .ranges = true, .cuts = 3});
    CHECK(fetch("", port, sum) == 0, "said: %s", said);
    expect_fetched(text);
    CHECK(strstr(said, "going on after 150000 bytes") && strstr(said, "going on after 225000 bytes"),
          "said: %s", said);
}

/* Cut off again and again it gives up, keeps what it has, and goes on when it is started the next time. */
Test(data, goes_on_another_day) {
    if (skipped()) return;
    int port = start_server((Site){.body = body, .ranges = true, .cuts = 5});
    CHECK(fetch("", port, sum) == 1, "exit code 0; said: %s", said);
    CHECK(strstr(said, "interrupted at 290625 bytes"), "said: %s", said);
    CHECK(is_there(part) && !is_there(text), "the part is not kept");
    CHECK(fetch("", port, sum) == 0, "said: %s", said);
    CHECK(strstr(said, "going on after 290625 bytes"), "said: %s", said);
    expect_fetched(text);
}

Test(data, server_without_ranges) {
    if (skipped()) return;
    int port = start_server((Site){.body = body, .cuts = 1});
    CHECK(fetch("", port, sum) == 0, "said: %s", said);
    expect_fetched(text);
}

Test(data, damaged_part) {
    if (skipped()) return;
    put(part, "something else", 14);
    int port = start_server((Site){.body = body, .ranges = true});
    CHECK(fetch("", port, sum) == 1, "exit code 0; said: %s", said);
    CHECK(strstr(said, "what came was removed") && !is_there(part), "the damaged part is kept: %s", said);
    CHECK(fetch("", port, sum) == 0, "said: %s", said);
    expect_fetched(text);
}

/* A part that is whole already is not asked for. */
Test(data, whole_part) {
    if (skipped()) return;
    put(part, body, SIZE);
    int port = start_server((Site){.body = body, .ranges = true});
    stop_server();
    CHECK(fetch("", port, sum) == 0, "said: %s", said);
    expect_fetched(text);
}

/* --- a model: the checksums are those that the server states --- */

Test(data, model_with_the_servers_checksum) {
    if (skipped()) return;
    int port = start_server((Site){.body = body, .checksum = sum, .ranges = true, .cuts = 1});
    CHECK(fetch("gpt2-medium", port, sum) == 0, "said: %s", said);
    expect_fetched("gpt2-medium/config.json");
    expect_fetched("gpt2-medium/model.safetensors");
    CHECK(strstr(said, "checksum of the one that the server states"), "said: %s", said);
}

/* Of small files the hub states what git calls them. */
Test(data, model_with_gits_checksum) {
    if (skipped()) return;
    char command[200], git[41] = "";
    snprintf(command, sizeof command, "git hash-object %s/body", directory);
    FILE *pipe = popen(command, "r");
    CHECK(pipe && fread(git, 1, 40, pipe) == 40, "git cannot compute a checksum");
    pclose(pipe);
    int port = start_server((Site){.body = body, .checksum = git, .ranges = true});
    CHECK(fetch("gpt2-medium", port, sum) == 0, "said: %s", said);
    expect_fetched("gpt2-medium/config.json");
    CHECK(strstr(said, "checksum of the one that the server states"), "said: %s", said);
}

Test(data, model_that_is_not_what_the_server_states) {
    if (skipped()) return;
    static const char other[] = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
    int port = start_server((Site){.body = body, .checksum = other, .ranges = true});
    CHECK(fetch("gpt2-medium", port, sum) == 1, "exit code 0; said: %s", said);
    CHECK(strstr(said, "the one that the server states is 0123456789abcdef"), "said: %s", said);
    CHECK(!is_there("gpt2-medium/config.json"), "the wrong file is kept");
}

/* The published weights are known by their checksum, whatever the server states. */
Test(data, another_gpt2_does_not_pass) {
    if (skipped()) return;
    int port = start_server((Site){.body = body, .checksum = sum, .ranges = true});
    CHECK(fetch("gpt2", port, sum) == 1, "exit code 0; said: %s", said);
    CHECK(strstr(said, "the original is 0daed774"), "said: %s", said);
}
