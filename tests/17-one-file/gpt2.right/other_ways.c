/* The same with sums in double, matrices turned round, attention in one sweep over keys
 * [P, D] of all layers at a position, draws by a running sum, all places of a pair
 * merged at a time and words cut by a small automaton. GPT-2 in one file:
 *
 *     cc -O2 gpt2.c -lm -o gpt2 && ./gpt2 DIR -p "Once upon a time"
 *
 * Arrays are row-major. Their shapes stand beside them, in the sizes of config.json:
 *
 *     V  tokens in the vocabulary       D  features of a token
 *     P  positions, the context         H  heads, of D / H features each
 *     L  layers                         F  hidden units of the MLP
 *
 * C11, the standard library, a processor that puts the low byte first. */
#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

//> files ------------------------------------------------------------- Errors and files
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

/* What stands behind "key": in a text of JSON; NULL: the key is not there. */
static const char *json_find(const char *json, const char *key) {
    size_t n = strlen(key);
    for (const char *at = json; (at = strstr(at, key)); at += n) {
        if (at == json || at[-1] != '"' || at[n] != '"') continue;
        const char *colon = at + n + 1 + strspn(at + n + 1, " \t\r\n");
        if (*colon == ':') return colon + 1 + strspn(colon + 1, " \t\r\n");
    }
    return NULL;
}

//> tokenizer -------------------------------------------- The tokenizer: byte-level BPE
typedef struct {
    const char *text;
    size_t number;
} Entry;

/* A line of merges.txt has a space in it, and no token has. */
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
        if (id >= V || t.text[id] || strchr(text, ' '))
            DIE("vocab.json: expected tokens with an id each, below %zu", V);
        at = end;
        t.text[id] = text;
        t.entries[t.n++] = (Entry){text, id};
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

static char kind_of(unsigned char c) {
    if (c >= 128 || isalpha(c)) return 'a';
    return isdigit(c) ? '0' : isspace(c) ? ' ' : '.';
}

static size_t word_length(const char *text) {
    if (text[0] == '\'' && text[1]) {
        if (strchr("stmd", text[1])) return 2;
        if (strchr("rv", text[1]) && text[2] == 'e') return 3;
        if (text[1] == 'l' && text[2] == 'l') return 3;
    }
    size_t begin = text[0] == ' ' ? 1 : 0, n = begin;
    char kind = text[n] ? kind_of((unsigned char)text[n]) : ' ';
    if (kind == ' ') {
        for (n = 0; text[n] && kind_of((unsigned char)text[n]) == ' '; n++) continue;
        return text[n] && n > 1 ? n - 1 : n;
    }
    do n++;
    while (text[n] && kind_of((unsigned char)text[n]) == kind);
    return n;
}

static size_t merge(const Bpe *t, int *ids, size_t n) {
    for (;;) {
        const Entry *best = NULL;
        int left, right;
        for (size_t i = 1; i < n; i++) {
            const Entry *e = find(t, t->text[ids[i - 1]], " ", t->text[ids[i]]);
            if (!e || (best && best->number <= e->number)) continue;
            best = e;
            left = ids[i - 1];
            right = ids[i];
        }
        if (!best) return n;
        const Entry *both = find(t, t->text[left], t->text[right], "");
        if (!both) DIE("merges.txt: no token for %s", best->text);
        size_t kept = 0;
        for (size_t i = 0; i < n; i++) {
            int here = i + 1 < n && ids[i] == left && ids[i + 1] == right;
            ids[kept++] = here ? (int)both->number : ids[i];
            i += (size_t)here;
        }
        n = kept;
    }
}

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
        while (byte < 255 && code_of(byte) != code) byte++;
        putchar((int)byte);
    }
}

//> weights ----------------------------- The weights: config.json and model.safetensors
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
    float *logits;          /* [V] */
} Model;

/* `none` is for a key that is missing or null. Nothing here is as large as 2^24. */
static double find_number(const char *json, const char *key, double none) {
    const char *value = json_find(json, key);
    double x = value && *value != 'n' ? strtod(value, NULL) : none;
    if (!(x > 0 && x < 1 << 24)) DIE("config.json: expected a number as %s", key);
    return x;
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
    char full[80], shape[48], form[128];
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
        DIE("model.safetensors: expected %s as F32 [%s]", full, shape);
    return (const float *)(t->numbers + begin);
}

static Affine affine(const Tensors *t, const char *s, size_t l, size_t in, size_t out) {
    char name[64];
    snprintf(name, sizeof name, s, l);
    const float *w = tensor(t, name, "weight", in, out);
    float *turned = allocate(4 * (in ? in : 1) * out);
    for (size_t i = 0; i < in; i++)
        for (size_t o = 0; o < out; o++) turned[o * in + i] = w[i * out + o];
    if (in) w = turned;
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
    for (int i = 0; i < 5; i++) *sizes[i] = (size_t)find_number(json, keys[i], 0);
    m.F = (size_t)find_number(json, "n_inner", 4.0 * (double)m.D);
    m.eps = (float)find_number(json, "layer_norm_epsilon", 1e-5);
    if (!m.H || m.D % m.H) DIE("config.json: n_embd is no multiple of n_head");

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
    m.keys = allocate(4 * m.L * m.P * m.D);
    m.values = allocate(4 * m.L * m.P * m.D);
    m.x = allocate(4 * m.D);
    m.h = allocate(4 * m.D);
    m.qkv = allocate(4 * 3 * m.D);
    m.hidden = allocate(4 * m.F);
    m.weights = allocate(4 * m.P);
    m.logits = allocate(4 * m.V);
    return m;
}

//> layers ------------------------------------------------------------------ The layers
static void layer_norm(float *y, const float *x, Affine p, size_t n, float eps) {
    double mean = 0, squares = 0;
    for (size_t i = 0; i < n; i++) {
        double before = x[i] - mean;
        mean += before / (double)(i + 1);
        squares += before * (x[i] - mean);
    }
    double scale = pow(squares / (double)n + eps, -0.5);
    for (size_t i = n; i-- > 0;)
        y[i] = (float)(p.w[i] * ((x[i] - mean) * scale) + p.b[i]);
}

static void linear(float *y, const float *x, Affine p, size_t from, size_t to) {
    for (size_t o = 0; o < to; o++) {
        double sum = p.b[o];
        for (size_t i = 0; i < from; i++) sum += (double)x[i] * p.w[o * from + i];
        y[o] = (float)sum;
    }
}

static float dot(const float *a, const float *b, size_t n) {
    float sum = 0;
    for (size_t i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

static float gelu(float x) {
    return 0.5f * x * (1 + tanhf(0.79788456f * (x + 0.044715f * x * x * x)));
}

static void attention(Model *m, size_t layer, size_t n) {
    size_t D = m->D, d = D / m->H, cache = layer * D, R = m->L * D;
    float *keys = m->keys + cache, *values = m->values + cache; /* rows R apart */
    memcpy(keys + n * R, m->qkv + D, D * sizeof *keys);
    memcpy(values + n * R, m->qkv + 2 * D, D * sizeof *values);
    for (size_t head = 0; head < D; head += d) {
        double most = -INFINITY, sum = 0, out[4096] = {0};
        for (size_t row = n + 1; row-- > 0;) {
            double score =
                dot(m->qkv + head, keys + row * R + head, d) / sqrt((double)d);
            double shrink = score > most ? exp(most - score) : 1;
            if (score > most) most = score;
            double weight = exp(score - most);
            sum = sum * shrink + weight;
            for (size_t i = 0; i < d; i++)
                out[i] = out[i] * shrink + weight * values[row * R + head + i];
        }
        for (size_t i = 0; i < d; i++) m->h[head + i] = (float)(out[i] / sum);
    }
}

//> model -------------------------------------------------------------------- The model
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

static const float *compared;
static int likelier(const void *a, const void *b) {
    int i = *(const int *)a, j = *(const int *)b;
    if (compared[i] != compared[j]) return compared[i] < compared[j] ? 1 : -1;
    return i - j;
}

static int choose(const float *logits, size_t V, double t, size_t k, uint64_t *state) {
    int *order = allocate(V * sizeof *order);
    for (size_t v = 0; v < V; v++) order[v] = (int)v;
    compared = logits;
    qsort(order, V, sizeof *order, likelier);
    if (k == 0 || k > V) k = V;
    if (t == 0) k = 1;
    *state ^= 0x9E3779B97F4A7C15; /* xorshift64* */
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    *state *= 0x2545F4914F6CDD1D;
    double sum = 0, u = (double)(*state >> 11) * 0x1p-53;
    for (size_t i = 0; i < k && t > 0; i++)
        sum += exp((logits[order[i]] - logits[order[0]]) / t);
    size_t i = 0;
    for (double rest = u * sum; i + 1 < k; i++) {
        rest -= exp((logits[order[i]] - logits[order[0]]) / t);
        if (rest < 0) break;
    }
    int chosen = order[i];
    free(order);
    return chosen;
}

//> main -------------------------------------------------------------------------- main
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
    size_t n_new = (size_t)number(given[N], 1e9), k = (size_t)number(given[TOP_K], 1e9);
    double temperature = number(given[TEMPERATURE], 1e9);
    uint64_t state = (uint64_t)number(given[SEED], 1e15);
    Model m = read_model(argv[1]);
    Bpe t = given[IDS] ? (Bpe){0} : read_tokenizer(argv[1], m.V);
    int *ids = allocate((strlen(text) + m.P + 2) * sizeof *ids);
    size_t n = given[IDS] ? 0 : encode(&t, text, ids);
    for (char *id = given[IDS] ? strtok(text, ",") : NULL; id; id = strtok(NULL, ","))
        ids[n++] = (int)number(id, (double)m.V - 1);
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
            ids[n++] = choose(m.logits, m.V, temperature, k, &state);
            n_new--;
        }
    }
    putchar('\n');
    if (logits && fclose(logits) != 0) DIE("%s: cannot be written", given[LOGITS]);
    return 0;
}
