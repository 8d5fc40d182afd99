/* GPT-2 on one page, fast: exercise gpt2's solution with other products. A token reads
 * every weight once, from memory, and the sums must not take longer than that. Before
 * you read on: make hint-17 P=fast_page
 *
 *     cc -O3 -march=native fast_page.c -lm -o gpt2 && ./gpt2 DIR -p "Once upon a time"
 *
 * Arrays are row-major; comments give their shapes. C11 with vectors as gcc and clang
 * have them, on a little-endian machine. */
#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// model ---------------------------------------------------------------- 1  The model
/* A norm, whose weight is its gain: [D], [D]. Or a linear layer: [in, out], [out]. */
typedef struct {
    const float *weight, *bias;
} Affine;

typedef struct {
    Affine ln_1, c_attn, attn_proj; /* c_attn is D to 3 D, attn_proj D to D, */
    Affine ln_2, c_fc, mlp_proj;    /* c_fc D to F, mlp_proj F to D */
} Layer;

typedef struct {
    size_t V, P; /* tokens in the vocabulary, positions in the context */
    size_t L, H; /* layers, heads */
    size_t D, F; /* features of a token (D / H of a head), hidden units of the MLP */
    float eps;
    const float *wte, *wpe; /* [V, D], [P, D]: a row for each token, each position */
    Layer *layers;          /* [L] */
    Affine ln_f;
    float *keys, *values;   /* [L, P, D] of all tokens so far: the cache */
    float *x, *norm, *add;  /* [D] the residual stream; normalized; a layer's addend */
    float *qkv, *scores;    /* [3 D] query, key, value; [P] of one head */
    float *heads, *hidden;  /* [D] what all heads found, side by side; [F] */
    float *logits, *sorted; /* [V]; [V] the same, the largest first */
} Model;

// layers -------------------------------------------------------------- its functions
/* y[n] = (x - mean) / sqrt(variance + eps) * weight + bias */
static void layer_norm(float *y, const float *x, Affine w, size_t n, float eps) {
    float sum = 0, squares = 0;
    for (size_t i = 0; i < n; i++) sum += x[i];
    float mean = sum / (float)n;
    for (size_t i = 0; i < n; i++) squares += (x[i] - mean) * (x[i] - mean);
    float deviation = sqrtf(squares / (float)n + eps);
    for (size_t i = 0; i < n; i++)
        y[i] = (x[i] - mean) / deviation * w.weight[i] + w.bias[i];
}

/* Sixteen floats, wherever they are. */
typedef float Vector __attribute__((vector_size(64), aligned(4), may_alias));
#define VECTOR(at) (*(Vector *)(at))
enum { LANES = 16, ROWS = 8 };

/* A loop through a matrix begins a new page of memory every few rows, and the processor
 * does not guess across pages: it is told what it will need. */
static void fetch_ahead(const float *at) {
    __builtin_prefetch(at + 256);
}

/* y[out] = x[in] weight + bias, in the order in which the weights are stored. Of these
 * eight rows at a time: y is read and written once for all of them. */
static void linear(float *y, const float *x, Affine w, size_t in, size_t out) {
    size_t i = 0;
    memcpy(y, w.bias, out * sizeof *y);
    for (; i + ROWS <= in && out % LANES == 0; i += ROWS)
        for (size_t o = 0; o < out; o += LANES) {
            Vector sum = VECTOR(y + o);
            for (size_t k = i; k < i + ROWS; k++) {
                const float *row = w.weight + k * out + o;
                fetch_ahead(row);
                sum += x[k] * VECTOR(row);
            }
            VECTOR(y + o) = sum;
        }
    for (; i < in; i++)
        for (size_t o = 0; o < out; o++) y[o] += x[i] * w.weight[i * out + o];
}

/* An addition waits for the one before it; here are four times sixteen that do not wait
 * for each other. */
static float dot(const float *a, const float *b, size_t n) {
    Vector sums[4] = {{0}};
    size_t i = 0;
    for (; i + 4 * LANES <= n; i += 4 * LANES)
        for (size_t k = 0; k < 4; k++) {
            size_t at = i + k * LANES;
            fetch_ahead(b + at);
            sums[k] += VECTOR(a + at) * VECTOR(b + at);
        }
    Vector all = (sums[0] + sums[1]) + (sums[2] + sums[3]);
    float sum = 0;
    for (size_t k = 0; k < LANES; k++) sum += all[k];
    for (; i < n; i++) sum += a[i] * b[i];
    return sum;
}

static float gelu(float x) {
    return 0.5f * x * (1 + tanhf(0.79788456f * (x + 0.044715f * x * x * x)));
}

/* Of x[n], in place. */
static void softmax(float *x, size_t n) {
    float max = x[0], sum = 0;
    for (size_t i = 1; i < n; i++) max = fmaxf(max, x[i]);
    for (size_t i = 0; i < n; i++) sum += x[i] = expf(x[i] - max);
    for (size_t i = 0; i < n; i++) x[i] /= sum;
}

/* Token n adds a row to keys[P, D] and values[P, D], then looks at rows 0 to n: out[D]
 * is each head's mean of the values, weighted by how well their keys fit the query. */
static void attention(float *out, const float *qkv, float *keys, float *values,
                      float *scores, size_t D, size_t H, size_t n) {
    size_t d = D / H;
    memcpy(keys + n * D, qkv + D, D * sizeof *keys);
    memcpy(values + n * D, qkv + 2 * D, D * sizeof *values);
    memset(out, 0, D * sizeof *out);
    for (size_t head = 0; head < H; head++) {
        const float *q = qkv + head * d, *k = keys + head * d, *v = values + head * d;
        for (size_t j = 0; j <= n; j++)
            scores[j] = dot(q, k + j * D, d) / sqrtf((float)d);
        softmax(scores, n + 1);
        for (size_t j = 0; j <= n; j++)
            for (size_t i = 0; i < d; i++)
                out[head * d + i] += scores[j] * v[j * D + i];
    }
}

// forward ------------------------------------------------------------ a forward pass
/* Runs token n of a text through the model; logits[V] then score the one after it. */
static void forward(const Model *m, int token, size_t n) {
    size_t D = m->D, F = m->F;
    float *x = m->x, *norm = m->norm, *add = m->add;
    for (size_t i = 0; i < D; i++)
        x[i] = m->wte[(size_t)token * D + i] + m->wpe[n * D + i];
    for (size_t l = 0; l < m->L; l++) {
        const Layer *w = &m->layers[l];
        float *keys = m->keys + l * m->P * D, *values = m->values + l * m->P * D;
        layer_norm(norm, x, w->ln_1, D, m->eps);
        linear(m->qkv, norm, w->c_attn, D, 3 * D);
        attention(m->heads, m->qkv, keys, values, m->scores, D, m->H, n);
        linear(add, m->heads, w->attn_proj, D, D);
        for (size_t i = 0; i < D; i++) x[i] += add[i];

        layer_norm(norm, x, w->ln_2, D, m->eps);
        linear(m->hidden, norm, w->c_fc, D, F);
        for (size_t i = 0; i < F; i++) m->hidden[i] = gelu(m->hidden[i]);
        linear(add, m->hidden, w->mlp_proj, F, D);
        for (size_t i = 0; i < D; i++) x[i] += add[i];
    }
    layer_norm(norm, x, m->ln_f, D, m->eps);
    for (size_t v = 0; v < m->V; v++) m->logits[v] = dot(norm, m->wte + v * D, D);
}

// choosing -------------------------------------------------------------- 2  Choosing
static int larger_first(const void *a, const void *b) {
    float x = *(const float *)a, y = *(const float *)b;
    return (x < y) - (x > y);
}

/* The next token. At temperature 0 it is the likeliest; else it is drawn from the k
 * likeliest (0: all) by softmax(logits / temperature), which replaces the logits. */
static int choose(float *logits, float *sorted, size_t V, float temperature, size_t k,
                  uint64_t *state) {
    size_t token = 0;
    for (size_t v = 1; v < V; v++)
        if (logits[v] > logits[token]) token = v;
    if (temperature == 0) return (int)token;

    float largest = logits[token], least = -INFINITY, *p = logits;
    if (k > 0 && k < V) {
        memcpy(sorted, logits, V * sizeof *sorted);
        qsort(sorted, V, sizeof *sorted, larger_first);
        least = sorted[k - 1];
    }
    for (size_t v = 0; v < V; v++)
        p[v] = logits[v] < least ? -INFINITY : (logits[v] - largest) / temperature;
    softmax(p, V);

    *state = *state * 6364136223846793005 + 1442695040888963407; /* Knuth's MMIX */
    double u = (double)(*state >> 11) * 0x1p-53, sum = 0;        /* u is in [0, 1) */
    for (size_t v = 0; v < V && sum <= u; sum += p[v++])
        if (p[v] > 0) token = v; /* the last one, if rounding leaves the sum below u */
    return (int)token;
}

// files -------------------------------------------------------------------- 3  Files
/* Every error ends the program with one line. */
#define DIE(...) (fprintf(stderr, "gpt2: " __VA_ARGS__), fputc('\n', stderr), exit(1))

/* Zeros, which stay to the end of the program. */
static void *allocate(size_t n, size_t size) {
    void *memory = calloc(n, size);
    if (!memory) DIE("out of memory (%zu times %zu bytes)", n, size);
    return memory;
}
#define FLOATS(n) allocate(n, sizeof(float))

/* All of a regular file, and a zero after it. */
static char *read_file(const char *directory, const char *name, size_t *size) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "rb");
    long end = file && fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    char *bytes = end < 0 ? NULL : malloc((size_t)end + 1);
    if (!bytes) DIE("%s: cannot be opened", path);
    rewind(file);
    *size = fread(bytes, 1, (size_t)end, file);
    if (*size != (size_t)end) DIE("%s: cannot be read", path);
    bytes[end] = 0;
    fclose(file);
    return bytes;
}

/* The value of a key in JSON, or NULL: what follows the first "key" and its colon. */
static const char *json_find(const char *json, const char *key) {
    size_t n = strlen(key);
    for (const char *at = json; (at = strstr(at, key)); at += n) {
        if (at == json || at[-1] != '"' || at[n] != '"') continue;
        const char *colon = at + n + 1 + strspn(at + n + 1, " \t\r\n");
        if (*colon == ':') return colon + 1 + strspn(colon + 1, " \t\r\n");
    }
    return NULL;
}

/* A whole number, which a value of JSON or an option is. */
static size_t whole(const char *name, const char *text, double least, double most) {
    char *end = NULL;
    double x = text ? strtod(text, &end) : NAN;
    if (!(x >= least && x <= most) || x != floor(x) || !strchr(",} \t\r\n", *end))
        DIE("%s: expected a whole number from %g to %g", name, least, most);
    return (size_t)x;
}

// tensors ------------------------------------------------------------ 4  The weights
typedef struct {
    const char *header;  /* {"NAME": {"dtype": "F32", "shape": [2, 3], ...}, ...} */
    const char *numbers; /* [size] bytes */
    size_t size;
} Tensors;

/* The file is 8 bytes, the length of the header; the header; the numbers. */
static Tensors read_tensors(const char *directory) {
    size_t size;
    uint64_t length = 0;
    char *file = read_file(directory, "model.safetensors", &size);
    if (size >= 8) memcpy(&length, file, 8);
    if (size < 9 || length > size - 8 || file[8] != '{') DIE("bad model.safetensors");
    memmove(file, file + 8, (size_t)length);
    file[length] = 0; /* now the header is a string */
    return (Tensors){file, file + 8 + length, size - 8 - (size_t)length};
}

/* Tensor NAME.PART, [rows, columns], or [columns] where rows is 0. */
static const float *tensor(const Tensors *file, const char *name, const char *part,
                           size_t rows, size_t columns) {
    char full[96], first[24] = "", form[160];
    snprintf(full, sizeof full, "transformer.%s.%s", name, part); /* or without that */
    const char *at = json_find(file->header, full);
    if (!at) at = json_find(file->header, full + strlen("transformer."));
    if (rows) snprintf(first, sizeof first, "%zu , ", rows);
    snprintf(form, sizeof form,
             "{ \"dtype\" : \"F32\" , \"shape\" : [ %s%zu ] , "
             "\"data_offsets\" : [ %%15zu , %%15zu ]",
             first, columns);
    size_t begin, end, bytes = (rows ? rows : 1) * columns * sizeof(float);
    if (!at || sscanf(at, form, &begin, &end) != 2 || begin > end || end > file->size ||
        end - begin != bytes || (uintptr_t)(file->numbers + begin) % sizeof(float))
        DIE("model.safetensors: expected %s: F32 [%s%zu]", full, first, columns);
    return (const float *)(file->numbers + begin);
}

/* A linear layer, or a norm if `in` is 0. Its name has %zu for the layer, or none. */
static Affine affine(const Tensors *file, const char *name, size_t layer, size_t in,
                     size_t out) {
    char full[64];
    snprintf(full, sizeof full, name, layer);
    const float *weight = tensor(file, full, "weight", in, out);
    return (Affine){weight, tensor(file, full, "bias", 0, out)};
}

/* This program knows one value of the key, and takes it where the key is missing. */
static void expect(const char *json, const char *key, const char *only) {
    const char *v = json_find(json, key);
    if (v && strncmp(v, only, strlen(only))) DIE("config.json: no %s: %s", key, only);
}

static Model read_config(const char *directory) {
    Model m;
    const char *json = read_file(directory, "config.json", &(size_t){0});
    expect(json, "model_type", "\"gpt2\"");
    expect(json, "activation_function", "\"gelu_new\"");
    expect(json, "scale_attn_weights", "true");
    expect(json, "scale_attn_by_inverse_layer_idx", "false");
    expect(json, "tie_word_embeddings", "true");
    size_t *sizes[] = {&m.V, &m.P, &m.L, &m.H, &m.D};
    const char *keys[] = {"vocab_size", "n_positions", "n_layer", "n_head", "n_embd"};
    for (size_t i = 0; i < 5; i++)
        *sizes[i] = whole(keys[i], json_find(json, keys[i]), 1, 1e7);
    if (m.D % m.H) DIE("config.json: n_embd is no multiple of n_head");
    const char *F = json_find(json, "n_inner");
    m.F = F && *F != 'n' ? whole("n_inner", F, 1, 1e7) : 4 * m.D; /* n: null */
    const char *eps = json_find(json, "layer_norm_epsilon");
    m.eps = eps ? strtof(eps, NULL) : 1e-5f;
    if (!(m.eps > 0)) DIE("config.json: expected layer_norm_epsilon above 0");
    return m;
}

static Model read_model(const char *directory) {
    Model m = read_config(directory);
    size_t V = m.V, D = m.D, F = m.F;
    Tensors file = read_tensors(directory);
    m.layers = allocate(m.L, sizeof(Layer));
    for (size_t l = 0; l < m.L; l++)
        m.layers[l] = (Layer){.ln_1 = affine(&file, "h.%zu.ln_1", l, 0, D),
                              .c_attn = affine(&file, "h.%zu.attn.c_attn", l, D, 3 * D),
                              .attn_proj = affine(&file, "h.%zu.attn.c_proj", l, D, D),
                              .ln_2 = affine(&file, "h.%zu.ln_2", l, 0, D),
                              .c_fc = affine(&file, "h.%zu.mlp.c_fc", l, D, F),
                              .mlp_proj = affine(&file, "h.%zu.mlp.c_proj", l, F, D)};
    m.ln_f = affine(&file, "ln_f", 0, 0, D);
    m.wte = tensor(&file, "wte", "weight", V, D);
    m.wpe = tensor(&file, "wpe", "weight", m.P, D);
    if (json_find(file.header, "lm_head.weight")) /* then it is the table once more */
        if (memcmp(tensor(&file, "lm_head", "weight", V, D), m.wte, 4 * V * D))
            DIE("model.safetensors: expected lm_head.weight to be wte.weight");
    m.keys = FLOATS(m.L * m.P * D), m.values = FLOATS(m.L * m.P * D);
    m.x = FLOATS(D), m.norm = FLOATS(D), m.add = FLOATS(D);
    m.qkv = FLOATS(3 * D), m.scores = FLOATS(m.P), m.heads = FLOATS(D);
    m.hidden = FLOATS(F), m.logits = FLOATS(V), m.sorted = FLOATS(V);
    return m;
}

// table ------------------------------------------- 5  The tokenizer: byte-level BPE
typedef struct {
    const char *text;
    size_t number;
} Entry;

/* One table for both files: a merge has a space in it, and no token of a word has. */
typedef struct {
    const char **text; /* [V] the token of each id, NULL where there is none */
    Entry *entries;    /* [n], sorted: "token" and its id, "left right" and its line */
    size_t n;
} Bpe;

static int by_text(const void *a, const void *b) {
    return strcmp(((const Entry *)a)->text, ((const Entry *)b)->text);
}

/* The entry of three texts in a row. */
static const Entry *find(const Bpe *bpe, const char *a, const char *b, const char *c) {
    char text[1024];
    if (snprintf(text, sizeof text, "%s%s%s", a, b, c) > 1023) DIE("too long: %s", a);
    return bsearch(&(Entry){text, 0}, bpe->entries, bpe->n, sizeof(Entry), by_text);
}

/* The files write a byte as a character that one can see: as itself, or as the next one
 * from 256 on. A space is 256 + 32, a G with a dot. */
static unsigned code_of(unsigned byte) {
    if (byte <= 32) return 256 + byte;
    if (byte >= 127 && byte <= 160) return 256 + 33 + byte - 127;
    return byte == 173 ? 256 + 67 : byte;
}

/* A character as UTF-8, where that is at most two bytes. */
static char *put_code(char *to, unsigned long code) {
    if (code >= 128) *to++ = (char)(0xC0 | code >> 6);
    *to++ = (char)(code < 128 ? code : 0x80 | (code & 63));
    return to;
}

/* Decodes a string of JSON in its place, up to ", and returns what is behind that. It
 * knows \u, \" and \\: GPT-2's files have no other escapes. */
static char *decode_string(char *at) {
    char *to = at, hex[5];
    for (; *at && *at != '"'; at++) {
        if (*at == '\\' && at[1] == 'u') {
            snprintf(hex, sizeof hex, "%.4s", at + 2);
            to = put_code(to, strtoul(hex, NULL, 16));
            at += 1 + strlen(hex);
        } else {
            if (*at == '\\' && at[1]) at++;
            *to++ = *at;
        }
    }
    if (!*at) DIE("vocab.json: ends within a token");
    *to = 0;
    return at + 1;
}

/* vocab.json is {"!": 0, "\"": 1, ...}; merges.txt has a line for each merge. */
static Bpe read_tokenizer(const char *directory, size_t V) {
    size_t size, rank = 0;
    char *at = read_file(directory, "vocab.json", &size);
    char *line = read_file(directory, "merges.txt", &size);
    Bpe bpe = {allocate(V, sizeof *bpe.text), allocate(V + size, sizeof(Entry)), 0};
    while ((at = strchr(at, '"'))) {
        char *text = at + 1;
        at = decode_string(text);
        size_t id = strtoul(at + strspn(at, ": \t\r\n"), &at, 10);
        if (id >= V || bpe.text[id])
            DIE("vocab.json: expected tokens with an id each, below %zu", V);
        bpe.text[id] = text;
        if (!strchr(text, ' ')) bpe.entries[bpe.n++] = (Entry){text, id}; /* no mark */
    }
    if (strncmp(line, "#version", 8) == 0) line += strcspn(line, "\n");
    for (line = strtok(line, "\r\n"); line; line = strtok(NULL, "\r\n")) {
        if (!strchr(line, ' ')) DIE("merges.txt: expected two tokens in each line");
        bpe.entries[bpe.n++] = (Entry){line, rank++};
    }
    qsort(bpe.entries, bpe.n, sizeof(Entry), by_text);
    return bpe;
}

// words ---------------------------------------------------- from text to ids and back
/* A byte that is not ASCII counts as a letter. */
static char kind_of(char c) {
    return c & 0x80 || isalpha(c) ? 'a' : isdigit(c) ? '0' : isspace(c) ? ' ' : '.';
}

/* The length of a text's first word: 's 't 're 've 'm 'll 'd; letters, digits or signs,
 * perhaps after a space; white space, whose last character is left to the next word. */
static size_t word_length(const char *text) {
    static const char *const endings[] = {"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (!strncmp(text, endings[i], strlen(endings[i]))) return strlen(endings[i]);
    size_t n = *text == ' ' && text[1] && kind_of(text[1]) != ' ';
    char kind = kind_of(text[n]);
    while (text[n] && kind_of(text[n]) == kind) n++;
    return kind == ' ' && n > 1 && text[n] ? n - 1 : n;
}

/* Merges neighbours in ids[n], by the first line of merges.txt first; the new n. */
static size_t merge(const Bpe *bpe, int *ids, size_t n) {
    for (;;) {
        const Entry *best = NULL;
        int *at = ids;
        for (int *id = ids; id + 1 < ids + n; id++) {
            const Entry *line = find(bpe, bpe->text[id[0]], " ", bpe->text[id[1]]);
            if (!line || (best && line->number >= best->number)) continue;
            best = line;
            at = id;
        }
        if (!best) return n;
        const Entry *both = find(bpe, bpe->text[at[0]], bpe->text[at[1]], "");
        if (!both) DIE("merges.txt: merge %zu makes no token", best->number);
        *at = (int)both->number;
        memmove(at + 1, at + 2, (size_t)(ids + n - at - 2) * sizeof *ids);
        n--;
    }
}

/* A text as ids [n], of which there are at most as many as bytes. */
static size_t encode(const Bpe *bpe, const char *text, int *ids) {
    size_t n = 0;
    while (*text) {
        size_t length = word_length(text);
        for (size_t i = 0; i < length; i++) {
            char byte[3] = "";
            put_code(byte, code_of((unsigned char)text[i]));
            const Entry *token = find(bpe, byte, "", "");
            if (!token) DIE("vocab.json: has no token %s", byte);
            ids[n + i] = (int)token->number;
        }
        n += merge(bpe, ids + n, length);
        text += length;
    }
    return n;
}

static void print_token(const Bpe *bpe, int id) {
    for (const char *at = bpe->text[id] ? bpe->text[id] : ""; *at; at++) {
        unsigned code = (unsigned char)*at, byte = 0;
        if (code >= 128 && at[1]) code = (code & 31) << 6 | (*++at & 63);
        while (byte < 256 && code_of(byte) != code) byte++;
        putchar((int)(byte < 256 ? byte : code));
    }
}

// program ------------------------------------------------------------ 6  The program
int main(int argc, char **argv) {
    const char *names[] = {"-p", "--ids", "--logits", "-n", "-t", "-k", "-s"};
    enum { PROMPT, IDS, LOGITS, N, TEMPERATURE, TOP_K, SEED, OPTIONS };
    char *rest, *given[] = {"\n", NULL, NULL, "100", "0", "0", "1"};
    if (argc < 2 || argc % 2) DIE("expected a directory, and a value for each option");
    for (int i = 2; i < argc; i += 2) {
        int o = 0;
        while (o < OPTIONS && strcmp(argv[i], names[o]) != 0) o++;
        if (o == OPTIONS) DIE("%s: expected -p -n -t -k -s --ids --logits", argv[i]);
        given[o] = argv[i + 1];
    }
    size_t n_new = whole("-n", given[N], 0, 1e9), k = whole("-k", given[TOP_K], 0, 1e9);
    float temperature = strtof(given[TEMPERATURE], &rest);
    if (*rest || !(temperature >= 0)) DIE("-t: expected a number, 0 or more");
    uint64_t state = whole("-s", given[SEED], 0, 4e9);
    Model m = read_model(argv[1]);
    Bpe bpe = given[IDS] ? (Bpe){0} : read_tokenizer(argv[1], m.V);
    char *text = given[IDS] ? given[IDS] : given[PROMPT];
    int *ids = allocate(strlen(text) + m.P + 2, sizeof *ids);
    size_t n = given[IDS] ? 0 : encode(&bpe, text, ids);
    for (char *id = given[IDS] ? strtok(text, ",") : NULL; id; id = strtok(NULL, ","))
        ids[n++] = (int)whole("--ids", id, 0, (double)m.V - 1);
    if (n == 0 || n > m.P) DIE("the prompt has %zu tokens, expected 1 to %zu", n, m.P);
    FILE *logits = given[LOGITS] ? fopen(given[LOGITS], "wb") : NULL;
    if (given[LOGITS] && !logits) DIE("%s: cannot be written", given[LOGITS]);

    int as_ids = given[IDS] || n_new == 0;
    clock_t start = clock();
    for (size_t i = 0, end = n + n_new; i < n; i++) { /* n grows up to end */
        if (as_ids) printf(i ? ",%d" : "%d", ids[i]);
        if (!as_ids) print_token(&bpe, ids[i]);
        fflush(stdout);
        if (i == m.P) break; /* the context is full: this token cannot be read */
        forward(&m, ids[i], i);
        if (logits) fwrite(m.logits, sizeof(float), m.V, logits);
        if (i + 1 == n && n < end)
            ids[n++] = choose(m.logits, m.sorted, m.V, temperature, k, &state);
    }
    putchar('\n');
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    fprintf(stderr, "%zu tokens, %.1f a second\n", n, (double)n / seconds);
    if (logits && fclose(logits) != 0) DIE("%s: cannot be written", given[LOGITS]);
    return 0;
}
