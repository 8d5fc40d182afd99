/* GPT-2 in one file, fast: exercise gpt2's solution with other products. A token reads
 * every weight once, from memory, and the sums must not take longer than that. Before
 * you read on: make hint-17 P=fast_page
 *
 *     cc -O3 -march=native fast_page.c -lm -o gpt2 && ./gpt2 DIR -p "Once upon a time"
 *
 * Arrays are row-major. Their shapes stand beside them, in the sizes of config.json:
 *
 *     V  tokens in the vocabulary       D  features of a token
 *     P  positions, the context         H  heads, of D / H features each
 *     L  layers                         F  hidden units of the MLP
 *
 * C11, the standard library, vectors as gcc and clang have them, a processor that puts
 * the low byte first. */
#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// files ------------------------------------------------------------- Errors and files
/* Every error ends the program with one line. */
#define DIE(...) (fprintf(stderr, "gpt2: " __VA_ARGS__), fputc('\n', stderr), exit(1))

/* Zeros, which stay to the end of the program. */
static void *allocate(size_t bytes) {
    void *memory = calloc(bytes, 1);
    if (!memory) DIE("there are no %zu bytes of memory", bytes);
    return memory;
}

/* A whole file, with a zero behind its end. */
static char *read_file(const char *directory, const char *name, size_t *size) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "rb");
    long end = file && fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    if (end < 0) DIE("%s: cannot be opened", path);
    rewind(file);
    char *bytes = allocate((size_t)end + 1);
    *size = fread(bytes, 1, (size_t)end, file);
    if (*size != (size_t)end) DIE("%s: cannot be read", path);
    fclose(file);
    return bytes;
}

/* The value after "key": in a text of JSON; NULL: the key is not there. */
static const char *json_find(const char *json, const char *key) {
    size_t n = strlen(key);
    for (const char *at = json; (at = strstr(at, key)); at += n) {
        if (at == json || at[-1] != '"' || at[n] != '"') continue;
        const char *colon = at + n + 1 + strspn(at + n + 1, " \t\r\n");
        if (*colon == ':') return colon + 1 + strspn(colon + 1, " \t\r\n");
    }
    return NULL;
}

// tokenizer -------------------------------------------- The tokenizer: byte-level BPE
typedef struct {
    const char *text;
    size_t number;
} Entry;

/* A line of merges.txt has a space in it, and no token of a word has. */
typedef struct {
    const char **text; /* [V] the token of each id, NULL where there is none */
    Entry *entries;    /* [n], sorted: "token" to its id, "left right" to its line */
    size_t n;
} Bpe;

static int by_text(const void *a, const void *b) {
    return strcmp(((const Entry *)a)->text, ((const Entry *)b)->text);
}

/* The entry of three texts in a row. */
static const Entry *find(const Bpe *t, const char *a, const char *b, const char *c) {
    char text[1024];
    int n = snprintf(text, sizeof text, "%s%s%s", a, b, c);
    if (n >= (int)sizeof text) return NULL;
    return bsearch(&(Entry){text, 0}, t->entries, t->n, sizeof(Entry), by_text);
}

/* The files write a byte as a character that one can see: as itself, or as the next one
 * from 256 on. A space is 256 + 32, a G with a dot. */
static unsigned code_of(unsigned byte) {
    if (byte <= 32) return 256 + byte;
    if (byte >= 127 && byte <= 160) return 256 + 33 + byte - 127;
    return byte == 173 ? 256 + 67 : byte;
}

/* A character as UTF-8. */
static char *put_code(char *to, unsigned long code) {
    if (code >= 128) *to++ = (char)(0xC0 | code >> 6);
    *to++ = (char)(code < 128 ? code : 0x80 | (code & 63));
    return to;
}

/* Decodes a string of JSON in its place, up to ", and returns what is behind that. */
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

/* vocab.json is {"!": 0, "\"": 1, ...}, merges.txt a line for each merge. */
static Bpe read_tokenizer(const char *directory, size_t V) {
    size_t size;
    char *at = read_file(directory, "vocab.json", &size), *end;
    char *line = read_file(directory, "merges.txt", &size);
    Bpe t = {.text = allocate(V * sizeof *t.text)};
    t.entries = allocate((V + size) * sizeof(Entry));
    while ((at = strchr(at, '"'))) {
        char *text = at + 1;
        at = decode_string(text);
        size_t id = strtoul(at + strspn(at, ": \t\r\n"), &end, 10);
        if (id >= V || t.text[id])
            DIE("vocab.json: expected tokens with an id each, below %zu", V);
        at = end;
        t.text[id] = text;
        if (!strchr(text, ' ')) t.entries[t.n++] = (Entry){text, id}; /* else a mark */
    }
    if (strncmp(line, "#version", 8) == 0) line += strcspn(line, "\n");
    line = strtok(line, "\r\n");
    for (size_t rank = 0; line; line = strtok(NULL, "\r\n")) {
        if (!strchr(line, ' ')) DIE("merges.txt: expected two tokens in each line");
        t.entries[t.n++] = (Entry){line, rank++};
    }
    qsort(t.entries, t.n, sizeof(Entry), by_text);
    return t;
}

/* A byte that is not ASCII counts as a letter. */
static char kind_of(unsigned char c) {
    if (c >= 128 || isalpha(c)) return 'a';
    return isdigit(c) ? '0' : isspace(c) ? ' ' : '.';
}

/* The bytes of a text's first word: 's 't 're 've 'm 'll 'd; signs of a kind, perhaps
 * after a space; white space, of which the last goes to the next word. */
static size_t word_length(const char *text) {
    static const char *const endings[] = {"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (!strncmp(text, endings[i], strlen(endings[i]))) return strlen(endings[i]);
    size_t n = *text == ' ' && text[1] && kind_of(text[1]) != ' ';
    char kind = kind_of(text[n]);
    while (text[n] && kind_of(text[n]) == kind) n++;
    return kind == ' ' && n > 1 && text[n] ? n - 1 : n;
}

/* Joins neighbours, those of the first line of merges.txt first; returns the new n. */
static size_t merge(const Bpe *t, int *ids, size_t n) {
    for (;;) {
        const Entry *best = NULL;
        int *at = ids;
        for (int *id = ids; id + 1 < ids + n; id++) {
            const Entry *e = find(t, t->text[id[0]], " ", t->text[id[1]]);
            if (!e || (best && e->number >= best->number)) continue;
            best = e;
            at = id;
        }
        if (!best) return n;
        const Entry *both = find(t, t->text[at[0]], t->text[at[1]], "");
        if (!both) DIE("merges.txt: merge %zu makes no token", best->number);
        *at = (int)both->number;
        memmove(at + 1, at + 2, (size_t)(ids + n - at - 2) * sizeof *ids);
        n--;
    }
}

/* A text as ids [n], of which there are at most as many as bytes. */
static size_t encode(const Bpe *t, const char *text, int *ids) {
    size_t n = 0;
    while (*text) {
        size_t length = word_length(text);
        for (size_t i = 0; i < length; i++) {
            char byte[3] = "";
            put_code(byte, code_of((unsigned char)text[i]));
            const Entry *token = find(t, byte, "", "");
            if (!token) DIE("vocab.json: has no token %s", byte);
            ids[n + i] = (int)token->number;
        }
        n += merge(t, ids + n, length);
        text += length;
    }
    return n;
}

static void print_token(const Bpe *t, int id) {
    for (const char *at = t->text[id] ? t->text[id] : ""; *at; at++) {
        unsigned code = (unsigned char)*at, byte = 0;
        if (code >= 128 && at[1]) code = (code & 31) << 6 | (*++at & 63);
        while (byte < 256 && code_of(byte) != code) byte++;
        putchar((int)(byte < 256 ? byte : code));
    }
}

// weights ----------------------------- The weights: config.json and model.safetensors
typedef struct {
    const float *w, *b;
} Affine;

typedef struct {
    Affine ln_1, ln_2; /* [D] */
    Affine attn, proj; /* [D, 3 D] for query, key and value side by side; [D, D] */
    Affine fc, out;    /* [D, F], [F, D] */
} Layer;

typedef struct {
    size_t V, P, L, H, D, F;
    float eps;              /* of all LayerNorms */
    const float *wte, *wpe; /* [V, D] of tokens, [P, D] of positions */
    Layer *layers;          /* [L] */
    Affine ln_f;            /* [D], [D] */
    float *keys, *values;   /* [L, P, D] of all tokens so far: the cache */
    float *x, *h;           /* [D] the residual stream, [D] what a layer makes of it */
    float *qkv, *hidden;    /* [3 D], [F] */
    float *weights;         /* [P] of one head's attention */
    float *logits, *sorted; /* [V], [V] the largest first */
} Model;

/* `none` is for a key that is missing or null. Nothing here is as large as 2^24. */
static double find_number(const char *json, const char *key, double none) {
    const char *value = json_find(json, key);
    double x = value && *value != 'n' ? strtod(value, NULL) : none;
    if (!(x > 0 && x < 1 << 24)) DIE("config.json: expected a number as %s", key);
    return x;
}

/* Half a head is none. */
static size_t whole(double x, const char *name) {
    if (x != floor(x)) DIE("%s: expected a whole number", name);
    return (size_t)x;
}

/* Where a key is missing it has the only value that this program knows. */
static void expect(const char *json, const char *key, const char *only) {
    const char *v = json_find(json, key);
    if (v && strncmp(v, only, strlen(only))) DIE("config.json: no %s: %s", key, only);
}

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
    memmove(file, file + 8, length);
    file[length] = 0; /* now the header is a string */
    return (Tensors){file, file + 8 + length, size - 8 - length};
}

/* Tensor NAME.PART [rows, columns], or [columns] where rows is 0. */
static const float *tensor(const Tensors *t, const char *name, const char *part,
                           size_t rows, size_t columns) {
    char full[96], shape[48], form[128];
    int n = rows ? snprintf(shape, sizeof shape, "%zu , ", rows) : 0;
    snprintf(shape + n, sizeof shape - (size_t)n, "%zu", columns);
    snprintf(full, sizeof full, "transformer.%s.%s", name, part); /* or without that */
    const char *at = json_find(t->header, full);
    if (!at) at = json_find(t->header, full + strlen("transformer."));
    size_t begin = 0, end = 0;
    snprintf(form, sizeof form,
             "{ \"dtype\" : \"F32\" , \"shape\" : [ %s ] , "
             "\"data_offsets\" : [ %%15zu , %%15zu ]",
             shape);
    if (!at || sscanf(at, form, &begin, &end) != 2 || end > t->size ||
        end - begin != 4 * (rows ? rows : 1) * columns ||
        (uintptr_t)(t->numbers + begin) % sizeof(float))
        DIE("model.safetensors: expected %s with dtype F32, then shape [%s], then "
            "data_offsets",
            full, shape);
    return (const float *)(t->numbers + begin);
}

static Affine affine(const Tensors *t, const char *s, size_t l, size_t in, size_t out) {
    char name[64];
    snprintf(name, sizeof name, s, l);
    const float *w = tensor(t, name, "weight", in, out);
    return (Affine){w, tensor(t, name, "bias", 0, out)};
}

static Model read_model(const char *directory) {
    Model m;
    size_t size;
    const char *json = read_file(directory, "config.json", &size);
    expect(json, "model_type", "\"gpt2\"");
    expect(json, "activation_function", "\"gelu_new\"");
    expect(json, "scale_attn_weights", "true");
    expect(json, "scale_attn_by_inverse_layer_idx", "false");
    expect(json, "tie_word_embeddings", "true");
    size_t *sizes[] = {&m.V, &m.P, &m.L, &m.H, &m.D};
    const char *keys[] = {"vocab_size", "n_positions", "n_layer", "n_head", "n_embd"};
    for (int i = 0; i < 5; i++)
        *sizes[i] = whole(find_number(json, keys[i], 0), keys[i]);
    m.F = whole(find_number(json, "n_inner", 4.0 * (double)m.D), "n_inner");
    m.eps = (float)find_number(json, "layer_norm_epsilon", 1e-5);
    if (m.D % m.H) DIE("config.json: n_embd is no multiple of n_head");

    Tensors t = read_tensors(directory);
    m.layers = allocate(m.L * sizeof(Layer));
    for (size_t l = 0; l < m.L; l++)
        m.layers[l] = (Layer){.ln_1 = affine(&t, "h.%zu.ln_1", l, 0, m.D),
                              .attn = affine(&t, "h.%zu.attn.c_attn", l, m.D, 3 * m.D),
                              .proj = affine(&t, "h.%zu.attn.c_proj", l, m.D, m.D),
                              .ln_2 = affine(&t, "h.%zu.ln_2", l, 0, m.D),
                              .fc = affine(&t, "h.%zu.mlp.c_fc", l, m.D, m.F),
                              .out = affine(&t, "h.%zu.mlp.c_proj", l, m.F, m.D)};
    m.ln_f = affine(&t, "ln_f", 0, 0, m.D);
    m.wte = tensor(&t, "wte", "weight", m.V, m.D);
    m.wpe = tensor(&t, "wpe", "weight", m.P, m.D);
    if (json_find(t.header, "lm_head.weight")) /* then it is the table once more */
        if (memcmp(tensor(&t, "lm_head", "weight", m.V, m.D), m.wte, 4 * m.V * m.D))
            DIE("model.safetensors: expected lm_head.weight to be wte.weight");
    m.keys = allocate(4 * m.L * m.P * m.D);
    m.values = allocate(4 * m.L * m.P * m.D);
    m.x = allocate(4 * m.D);
    m.h = allocate(4 * m.D);
    m.qkv = allocate(4 * 3 * m.D);
    m.hidden = allocate(4 * m.F);
    m.weights = allocate(4 * m.P);
    m.logits = allocate(4 * m.V);
    m.sorted = allocate(4 * m.V);
    return m;
}

// layers ------------------------------------------------------------------ The layers
/* y[n] = (x - mean) / sqrt(variance + eps) * w + b */
static void layer_norm(float *y, const float *x, Affine p, size_t n, float eps) {
    float mean = 0, variance = 0;
    for (size_t i = 0; i < n; i++) mean += x[i] / (float)n;
    for (size_t i = 0; i < n; i++) variance += (x[i] - mean) * (x[i] - mean) / (float)n;
    float deviation = sqrtf(variance + eps);
    for (size_t i = 0; i < n; i++) y[i] = (x[i] - mean) / deviation * p.w[i] + p.b[i];
}

/* Sixteen floats, wherever they lie. */
typedef float Vector __attribute__((vector_size(64), aligned(4), may_alias));
#define VECTOR(at) (*(Vector *)(at))
enum { LANES = 16, ROWS = 8 };

/* A loop through a matrix begins a new page of memory every few rows, and the processor
 * does not guess across pages: it is told what it will need. */
static void fetch_ahead(const float *at) {
    __builtin_prefetch(at + 256);
}

/* y[to] = x[from] w[from, to] + b[to], in the order in which w is stored. Eight rows at
 * a time: y is read and written once for all of them. */
static void linear(float *y, const float *x, Affine p, size_t from, size_t to) {
    size_t i = 0;
    memcpy(y, p.b, to * sizeof *y);
    for (; i + ROWS <= from && to % LANES == 0; i += ROWS)
        for (size_t o = 0; o < to; o += LANES) {
            Vector sum = VECTOR(y + o);
            for (size_t k = i; k < i + ROWS; k++) {
                const float *w = p.w + k * to + o;
                fetch_ahead(w);
                sum += x[k] * VECTOR(w);
            }
            VECTOR(y + o) = sum;
        }
    for (; i < from; i++)
        for (size_t o = 0; o < to; o++) y[o] += x[i] * p.w[i * to + o];
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

/* x[n] become positive, with a sum of 1. */
static void softmax(float *x, size_t n) {
    float max = x[0], sum = 0;
    for (size_t i = 1; i < n; i++) max = fmaxf(max, x[i]);
    for (size_t i = 0; i < n; i++) sum += x[i] = expf(x[i] - max);
    for (size_t i = 0; i < n; i++) x[i] /= sum;
}

/* From qkv[3 D] to h[D]: token n of a text sees those before it and itself. Its key and
 * its value become row n of the layer's cache. */
static void attention(Model *m, size_t layer, size_t n) {
    size_t D = m->D, d = D / m->H, cache = layer * m->P * D;
    float *keys = m->keys + cache, *values = m->values + cache; /* [P, D] */
    memcpy(keys + n * D, m->qkv + D, D * sizeof *keys);
    memcpy(values + n * D, m->qkv + 2 * D, D * sizeof *values);
    memset(m->h, 0, D * sizeof *m->h);
    for (size_t head = 0; head < D; head += d) { /* the first of its d features */
        for (size_t s = 0; s <= n; s++)
            m->weights[s] = dot(m->qkv + head, keys + s * D + head, d) / sqrtf(d);
        softmax(m->weights, n + 1);
        for (size_t s = 0; s <= n; s++)
            for (size_t i = head; i < head + d; i++)
                m->h[i] += m->weights[s] * values[s * D + i];
    }
}

// model -------------------------------------------------------------------- The model
/* Reads token n of a text, behind those before it; logits[V] say which one follows. */
static void forward(Model *m, int token, size_t n) {
    size_t D = m->D, F = m->F;
    float *x = m->x, *h = m->h;
    memcpy(x, m->wte + (size_t)token * D, D * sizeof *x);
    for (size_t i = 0; i < D; i++) x[i] += m->wpe[n * D + i];
    for (size_t l = 0; l < m->L; l++) {
        const Layer *w = &m->layers[l];
        layer_norm(h, x, w->ln_1, D, m->eps);
        linear(m->qkv, h, w->attn, D, 3 * D);
        attention(m, l, n);
        linear(m->qkv, h, w->proj, D, D);
        for (size_t i = 0; i < D; i++) x[i] += m->qkv[i];
        layer_norm(h, x, w->ln_2, D, m->eps);
        linear(m->hidden, h, w->fc, D, F);
        for (size_t i = 0; i < F; i++) m->hidden[i] = gelu(m->hidden[i]);
        linear(h, m->hidden, w->out, F, D);
        for (size_t i = 0; i < D; i++) x[i] += h[i];
    }
    layer_norm(h, x, m->ln_f, D, m->eps);
    for (size_t v = 0; v < m->V; v++) m->logits[v] = dot(h, m->wte + v * D, D);
}

static int larger_first(const void *a, const void *b) {
    float x = *(const float *)a, y = *(const float *)b;
    return (x < y) - (x > y);
}

/* One of the k likeliest tokens, or of all; its probability is softmax(logits / t), for
 * it has the largest logit + t noise, with Gumbel's distribution. t = 0 is greedy. */
static int choose(const Model *m, double t, size_t k, uint64_t *state) {
    const float *logits = m->logits;
    float least = -INFINITY; /* the k-th largest logit */
    if (t > 0 && k > 0 && k < m->V) {
        memcpy(m->sorted, logits, 4 * m->V);
        qsort(m->sorted, m->V, sizeof(float), larger_first);
        least = m->sorted[k - 1];
    }
    int best = 0;
    double most = -INFINITY;
    for (size_t v = 0; v < m->V; v++) {
        *state = *state * 6364136223846793005 + 1442695040888963407; /* Knuth's MMIX */
        double u = ((double)(*state >> 12) + 0.5) * 0x1p-52;         /* in (0, 1) */
        double score = logits[v] - t * log(-log(u));
        if (logits[v] < least || score <= most) continue;
        most = score;
        best = (int)v;
    }
    return best;
}

// main -------------------------------------------------------------------------- main
static double number(const char *text, double most) {
    char *end;
    double x = strtod(text, &end);
    if (end == text || *end || !(x >= 0 && x <= most))
        DIE("%s: expected 0 to %g", text, most);
    return x;
}

int main(int argc, char **argv) {
    const char *names[] = {"-p", "--ids", "--logits", "-n", "-t", "-k", "-s"};
    enum { PROMPT, IDS, LOGITS, N, TEMPERATURE, TOP_K, SEED, OPTIONS };
    char *given[] = {"\n", NULL, NULL, "100", "0", "0", "1"};
    if (argc < 2) DIE("expected the directory of a model");
    for (int i = 2; i < argc; i += 2) {
        int o = 0;
        while (o < OPTIONS && strcmp(argv[i], names[o]) != 0) o++;
        if (o == OPTIONS || i + 1 == argc)
            DIE("expected -p, -n, -t, -k, -s, --ids or --logits and its value");
        given[o] = argv[i + 1];
    }
    char *text = given[IDS] ? given[IDS] : given[PROMPT];
    size_t n_new = whole(number(given[N], 1e9), "-n"),
           k = whole(number(given[TOP_K], 1e9), "-k");
    double temperature = number(given[TEMPERATURE], 1e9);
    uint64_t state = (uint64_t)number(given[SEED], 1e15);
    Model m = read_model(argv[1]);
    Bpe t = given[IDS] ? (Bpe){0} : read_tokenizer(argv[1], m.V);
    int *ids = allocate((strlen(text) + m.P + 2) * sizeof *ids);
    size_t n = given[IDS] ? 0 : encode(&t, text, ids);
    for (char *id = given[IDS] ? strtok(text, ",") : NULL; id; id = strtok(NULL, ","))
        ids[n++] = (int)whole(number(id, (double)m.V - 1), id);
    if (n == 0 || n > m.P) DIE("the prompt has %zu tokens, expected 1 to %zu", n, m.P);
    FILE *logits = given[LOGITS] ? fopen(given[LOGITS], "wb") : NULL;
    if (given[LOGITS] && !logits) DIE("%s: cannot be written", given[LOGITS]);
    int as_ids = given[IDS] || n_new == 0;
    for (size_t i = 0; i < n; i++) { /* n grows with each token that is chosen */
        if (as_ids) printf(i ? ",%d" : "%d", ids[i]);
        if (!as_ids) print_token(&t, ids[i]);
        fflush(stdout);
        if (i == m.P) break; /* the context is full: nothing can be read any more */
        forward(&m, ids[i], i);
        if (logits) fwrite(m.logits, sizeof(float), m.V, logits);
        if (i + 1 == n && n_new > 0) {
            ids[n++] = choose(&m, temperature, k, &state);
            n_new--;
        }
    }
    putchar('\n');
    if (logits && fclose(logits) != 0) DIE("%s: cannot be written", given[LOGITS]);
    return 0;
}
