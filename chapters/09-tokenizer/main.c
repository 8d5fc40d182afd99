/* Chapter 09: the tokenizer as a program. It encodes, decodes,
 * shows and learns; without a command, a demo. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "09-tokenizer/bpe_train_naive.h"
#include "09-tokenizer/experiments/experiments.h"
#include "09-tokenizer/id_file.h"
#include "09-tokenizer/tokenizer.h"
#include "09-tokenizer/utf8.h"
#include "program/claim.h"
#include "text/corpus.h"
#include "base/error.h"
#include "files/file.h"
#include "program/program.h"
#include "math/random.h"
#include "base/unicode.h"

static const char *vocab_directory, *train_path, *binary_path, *command;
static size_t vocab_size = 1024;
static bool special, by_lines;

static Tokenizer *chosen_tokenizer(void) {
    return vocab_directory ? tokenizer_load(vocab_directory) : tokenizer_bytes();
}

static const char *input_path(const Settings *s) {
    if (s->n_arguments > 1) die_usage("'%s': one file is enough", s->arguments[1]);
    return s->n_arguments ? s->arguments[0] : "-";
}

/* --- the commands --------------------------------------------------------- */

static void print_ids(const Tokenizer *t, const char *text, size_t n) {
    size_t n_tokens;
    int *ids = tokenizer_encode(t, text, n, special, &n_tokens);
    for (size_t i = 0; i < n_tokens; i++) printf(i ? " %d" : "%d", ids[i]);
    putchar('\n');
    free(ids);
}

/* The ids one after another, little-endian, in two bytes each if the vocabulary allows,
 * else in four. */
static void write_binary(const Tokenizer *t, const char *text, size_t n) {
    enum { TWO_BYTES_HOLD = 1 << 16 };
    size_t n_tokens, width = tokenizer_n_vocab(t) <= TWO_BYTES_HOLD ? 2 : 4;
    int *ids = tokenizer_encode(t, text, n, special, &n_tokens);
    FileWriter w = file_begin(binary_path);
    for (size_t i = 0; i < n_tokens; i++) {
        unsigned id = (unsigned)ids[i];
        char bytes[4] = {(char)id, (char)(id >> 8), (char)(id >> 16), (char)(id >> 24)};
        file_write(&w, bytes, width);
    }
    file_commit(&w);
    /* Not on standard output: that may be the file. */
    fprintf(stderr, "%s: %zu tokens, %zu bytes each\n",
            printable(binary_path, PRINTABLE_MOST).text, n_tokens, width);
    free(ids);
}

static void encode(const Settings *s) {
    size_t n;
    char *text = file_read(input_path(s), &n);
    Tokenizer *t = chosen_tokenizer();
    if (binary_path) {
        write_binary(t, text, n);
    } else if (by_lines) {
        for (size_t at = 0; at < n;) {
            const char *end = memchr(text + at, '\n', n - at);
            size_t length = end ? (size_t)(end - text) - at : n - at;
            print_ids(t, text + at, length);
            at += length + 1;
        }
    } else {
        print_ids(t, text, n);
    }
    tokenizer_free(t);
    free(text);
}

static void write_token(void *tokenizer, int id) {
    size_t length;
    const char *bytes = tokenizer_token(tokenizer, id, &length);
    fwrite(bytes, 1, length, stdout);
    if (length) error_open_line(bytes[length - 1] == '\n' ? NULL : stdout);
}

static void decode(const Settings *s) {
    Tokenizer *t = chosen_tokenizer();
    id_file_read(input_path(s), tokenizer_n_vocab(t), write_token, output_flush, t);
    tokenizer_free(t);
}

/* Bytes in quotes: visible characters as they are; line feeds, broken characters and
 * the like escaped. */
static void print_visible(const char *bytes, size_t n) {
    putchar('"');
    for (size_t i = 0; i < n;) {
        unsigned char c = (unsigned char)bytes[i];
        int length = utf8_visible_length(bytes + i, n - i);
        if (c == '\n') {
            fputs("\\n", stdout);
        } else if (c == '"' || c == '\\') {
            printf("\\%c", c);
        } else if (length <= 0) {
            printf("\\x%02x", c);
        } else {
            fwrite(bytes + i, 1, (size_t)length, stdout);
        }
        i += length > 0 ? (size_t)length : 1;
    }
    putchar('"');
}

static void show(const Settings *s) {
    size_t n, n_tokens, length;
    char *text = file_read(input_path(s), &n);
    Tokenizer *t = chosen_tokenizer();
    int *ids = tokenizer_encode(t, text, n, special, &n_tokens);
    for (size_t i = 0; i < n_tokens; i++) {
        printf("%6d ", ids[i]);
        const char *bytes = tokenizer_token(t, ids[i], &length);
        print_visible(bytes, length);
        putchar('\n');
    }
    free(ids);
    tokenizer_free(t);
    free(text);
}

static void train(const Settings *s) {
    enum { BUILT_IN_BYTES = 1000000 };
    size_t n, n_tokens;
    char *text;
    if (train_path && s->n_arguments)
        die_usage("'%s': --train has named the text", s->arguments[0]);
    if (train_path || s->n_arguments) {
        text = file_read(train_path ? train_path : input_path(s), &n);
    } else {
        CorpusText corpus = corpus_generate(s->seed, BUILT_IN_BYTES);
        text = corpus.text;
        n = corpus.bytes;
    }
    const char *out = vocab_directory ? vocab_directory : s->out;
    Directory *directory = directory_open(out);
    Tokenizer *t = tokenizer_train(text, n, vocab_size);
    tokenizer_save(t, directory);
    directory_close(directory);
    free(tokenizer_encode(t, text, n, true, &n_tokens));
    Printable where = printable(out, PRINTABLE_MOST);
    printf("%s/vocab.json, %s/merges.txt: %zu tokens, %zu merges", where.text,
           where.text, tokenizer_n_vocab(t), t->merges.n);
    if (tokenizer_n_vocab(t) < vocab_size)
        printf(" (no pair is left that occurs twice)");
    printf("\n%zu bytes of text are %zu tokens: %.3f bytes a token\n", n, n_tokens,
           n_tokens ? (double)n / (double)n_tokens : 0.0);
    tokenizer_free(t);
    free(text);
}

/* --- the demo ------------------------------------------------------------- */

/* A text as its tokens, each in its own brackets. */
static void print_tokens(const Tokenizer *t, const int *ids, size_t n_tokens) {
    for (size_t i = 0; i < n_tokens; i++) {
        size_t length;
        const char *bytes = tokenizer_token(t, ids[i], &length);
        printf("[%.*s]", (int)length, bytes);
    }
    putchar('\n');
}

static void demo_words(void) {
    static const char text[] = "It's 3 o'clock,  said Zo\xc3\xab -- isn't it?";
    const char *word;
    size_t n;
    printf(
        "1. Words. The pre-tokenizer cuts first; no token crosses a cut.\n\n   %s\n   ",
        text);
    Pretokenizer *p = pretokenizer_create(&gpt2_words);
    WordWalk walk = words_begin(p, text, strlen(text));
    while (words_next(&walk, &word, &n)) printf("[%.*s]", (int)n, word);
    words_end(&walk);
    pretokenizer_free(p);
    printf("\n\n");
}

/* A token in letters. */
static void print_spelled(const Pair *merges, int token) {
    if (token < 256) {
        putchar(token);
        return;
    }
    print_spelled(merges, merges[token - 256].left);
    print_spelled(merges, merges[token - 256].right);
}

static void demo_ten_letters(void) {
    enum { MOST = 5 };
    static int64_t counts[(256 + MOST) * (256 + MOST)];
    int tokens[] = {'n', 'a', 'n', 'o', 'n', 'a', 'n', 'o', 'n', 'a'};
    BpeWord word = {tokens, sizeof tokens / sizeof *tokens, 1};
    Pair merges[MOST];
    printf("2. Learning from ten letters, nanonanona, with bpe_train_naive:\n\n ");
    size_t n = bpe_train_naive(merges, MOST, &word, 1, counts);
    for (size_t m = 0; m < n; m++) {
        printf("  [");
        print_spelled(merges, merges[m].left);
        printf("]+[");
        print_spelled(merges, merges[m].right);
        printf("]");
    }
    printf("\n   They are now ");
    for (size_t i = 0; i < word.n; i++) {
        putchar('[');
        print_spelled(merges, tokens[i]);
        putchar(']');
    }
    printf("\n\n");
}

static void demo_merges(const Tokenizer *t, size_t n_bytes) {
    enum { FIRST = 12 };
    printf("3. Learning from more. The first merges from %zu bytes of stories:\n\n   ",
           n_bytes);
    for (size_t i = 0; i < FIRST; i++) {
        const Merge *m = &t->merges.items[i];
        size_t n_left, n_right;
        const char *left = tokenizer_token(t, m->left, &n_left),
                   *right = tokenizer_token(t, m->right, &n_right);
        printf("[%.*s]+[%.*s]%s", (int)n_left, left, (int)n_right, right,
               i + 1 == FIRST ? "\n\n"
               : i % 6 == 5   ? "\n   "
                              : "  ");
    }
}

static void demo_encoding(uint64_t seed) {
    static const size_t sizes[] = {257, 288, 320, 512};
    CorpusText learned = corpus_generate(seed, 200000),
               story = corpus_generate(seed + 1, 1);
    size_t n = strcspn(story.text, ".") + 1;
    printf("4. Encoding. A new sentence of %zu bytes, with vocabularies of growing "
           "size:\n\n",
           n);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        size_t n_tokens;
        Tokenizer *t = tokenizer_train(learned.text, learned.bytes, sizes[i]);
        int *ids = tokenizer_encode(t, story.text, n, false, &n_tokens);
        printf("   vocabulary %zu: %zu tokens\n   ", tokenizer_n_vocab(t), n_tokens);
        print_tokens(t, ids, n_tokens);
        free(ids);
        tokenizer_free(t);
    }
    free(learned.text);
    free(story.text);
}

/* Random bytes are hardly ever valid UTF-8. They come back all the same. */
static void demo_round_trip(const Tokenizer *t, uint64_t seed) {
    enum { N = 10000 };
    static char bytes[N];
    Random random = random_create(seed);
    for (size_t i = 0; i < N; i++) bytes[i] = (char)random_below(&random, 256);
    size_t n_tokens, n_back;
    int *ids = tokenizer_encode(t, bytes, N, false, &n_tokens);
    char *back = tokenizer_decode(t, ids, n_tokens, &n_back);
    claim(n_back == N && memcmp(back, bytes, N) == 0,
          "%d random bytes -> %zu tokens -> the same bytes", N, n_tokens);
    free(ids);
    free(back);
}

static void demo(const Settings *s) {
    demo_words();
    demo_ten_letters();
    CorpusText learned = corpus_generate(s->seed, 200000);
    Tokenizer *t = tokenizer_train(learned.text, learned.bytes, 512);
    demo_merges(t, learned.bytes);
    demo_encoding(s->seed);
    printf("\n5. Round trip.\n\n   ");
    demo_round_trip(t, s->seed);
    tokenizer_free(t);
    free(learned.text);
}

/* An option that the command does not read would be lost without a word. */
static void check_options(void) {
    bool encodes = command && strcmp(command, "encode") == 0,
         shows = command && strcmp(command, "show") == 0;
    if (by_lines && !encodes) die_usage("--lines: belongs to encode");
    if (binary_path && !encodes)
        die_usage("--binary '%s': belongs to encode", binary_path);
    if (by_lines && binary_path) die_usage("--lines and --binary do not go together");
    if (special && !encodes && !shows)
        die_usage("--special: belongs to encode and show");
}

static void run(const Settings *settings) {
    static const struct {
        const char *name;
        void (*run)(const Settings *settings);
    } commands[] = {
        {"encode", encode}, {"decode", decode}, {"show", show}, {"train", train}};
    Settings s = *settings;
    if (!command && train_path) command = "train";
    if (!command && s.n_arguments) { /* the command behind the options */
        command = s.arguments[0];
        s.arguments++;
        s.n_arguments--;
    }
    check_options();
    if (!command) {
        demo(&s);
        return;
    }
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (strcmp(commands[i].name, command) == 0) {
            commands[i].run(&s);
            return;
        }
    }
    die_usage("'%s': expected encode, decode, show or train", command);
}

int main(int argc, char **argv) {
    static const Option options[] = {
        {"vocab", OPTION_TEXT, &vocab_directory,
         "directory of vocab.json and merges.txt; without: bytes", 0, 0},
        {"special", OPTION_FLAG, &special, "encode, show: " END_OF_TEXT " is one token",
         0, 0},
        {"lines", OPTION_FLAG, &by_lines, "encode: each line for itself", 0, 0},
        {"binary", OPTION_TEXT, &binary_path,
         "encode: to this file, 2 bytes an id (4 above 65536 ids)", 0, 0},
        {"train", OPTION_TEXT, &train_path,
         "learn from this text: the command train FILE as an option", 0, 0},
        {"vocab-size", OPTION_SIZE, &vocab_size,
         "train: tokens of the vocabulary, written to --vocab or --out",
         TOKENIZER_MIN_VOCAB, 1e6},
        {0}};
    static const Experiment experiments[] = {
        {"compression", "bytes per token against the size of the vocabulary",
         experiment_compression},
        {0},
    };
    static const Experiment timed[] = {
        {"encode-time", "seconds against the length of a word", experiment_encode_time},
        {0},
    };
    return program_run(
        argc, argv,
        &(Program){
            .name = "09-tokenizer",
            .summary =
                "byte-level BPE. COMMAND: encode, decode, show, train; none: a demo",
            .example = "show --vocab data/gpt2 README.md",
            .arguments = "[COMMAND] [FILE, or - for standard input]",
            .options = {options},
            .experiments = experiments,
            .timed = timed,
            .demo = run});
}
