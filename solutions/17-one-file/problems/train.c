/* GPT-2 trained in one file: forward, backward by hand, AdamW, the schedule. Before you
 * read on: make hint-17 P=train
 *
 *     cc -O3 train.c -lm -o train && ./train DIR TOKENS
 *
 * Arrays are row-major. Their shapes stand beside them, in the sizes of config.json:
 *
 *     V  tokens in the vocabulary       D  features of a token
 *     T  tokens in a window             H  heads, of D / H features each
 *     L  layers                         F  hidden units of the MLP
 *     B  windows in a batch             N  tokens in a batch, B T
 *
 * C11, the standard library, a processor that puts the low byte first. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// files ------------------------------------------------------------- Errors and files
/* Every error ends the program with one line. */
#define DIE(...) (fprintf(stderr, "train: " __VA_ARGS__), fputc('\n', stderr), exit(1))

/* Zeros. */
static void *allocate(size_t bytes) {
    void *memory = calloc(bytes, 1);
    if (!memory) DIE("there are no %zu bytes of memory", bytes);
    return memory;
}

/* A whole file, with a zero behind its end; directory may be NULL. */
static char *read_file(const char *directory, const char *name, size_t *size) {
    char path[4096];
    snprintf(path, sizeof path, "%s%s%s", directory ? directory : "",
             directory ? "/" : "", name);
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

static double find_number(const char *json, const char *key, double none) {
    const char *value = json_find(json, key);
    double x = value && *value != 'n' ? strtod(value, NULL) : none;
    if (!(x > 0 && x < 1 << 24)) DIE("config.json: expected a number as %s", key);
    return x;
}

// arrays ------------------------------------------- Arrays: numbers and gradients
/* Of weights and of all that is computed from them. Forward functions set x, backward
 * functions add to g, since an array may be used twice. */
typedef struct {
    float *x, *g;
} Array;

/* Each array once: what a step begins and ends with is a loop over all of them. */
typedef struct {
    Array a;
    size_t n;
    float *m, *v; /* AdamW's moments; NULL: these are no weights */
    int decays;
} Entry;

typedef struct {
    Array w, b;
} Affine;

typedef struct {
    Affine ln_1, ln_2;    /* [D] */
    Affine attn, proj;    /* [D, 3 D] for query, key and value side by side; [D, D] */
    Affine fc, out;       /* [D, F], [F, D] */
    Array norm_1, qkv;    /* [N, D], [N, 3 D] */
    Array weights, heads; /* [B, H, T, T] of attention, [N, D] what the heads read */
    Array middle, norm_2; /* [N, D] the residual stream in the middle, [N, D] */
    Array hidden, active; /* [N, F] in front of GELU and behind it */
    Array stream;         /* [N, D] the residual stream behind the layer */
} Layer;

typedef struct {
    size_t V, T, L, H, D, F, B, N;
    float eps;             /* of all LayerNorms */
    Array wte, wpe;        /* [V, D] of tokens, [T, D] of positions */
    Layer *layers;         /* [L] */
    Affine ln_f;           /* [D], [D] */
    Array stream, norm_f;  /* [N, D] in front of the layers, behind the last norm */
    Array logits;          /* [N, V] */
    int *inputs, *targets; /* [N] tokens */
    Entry *entries;        /* [n_entries] */
    size_t n_entries;
} Model;

static Array add_array(Model *m, size_t n, float *weights, int decays) {
    Entry e = {.n = n, .decays = decays};
    e.a.x = weights ? weights : allocate(n * sizeof(float));
    e.a.g = allocate(n * sizeof(float));
    if (weights) {
        e.m = allocate(n * sizeof(float));
        e.v = allocate(n * sizeof(float));
    }
    m->entries[m->n_entries++] = e;
    return e.a;
}

static Array activation(Model *m, size_t n) {
    return add_array(m, n, NULL, 0);
}

// weights ----------------------------- The weights: config.json and model.safetensors
typedef struct {
    const char *header; /* {"NAME": {"dtype": "F32", "shape": [2, 3], ...}, ...} */
    char *numbers;      /* [size] bytes */
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

/* Tensor `name` [rows, columns], or [columns] where rows is 0. It is trained where it
 * lies in the memory of the file; only matrices decay. */
static Array tensor(Model *m, const Tensors *t, const char *name, size_t rows,
                    size_t columns) {
    char shape[48], form[128];
    int n = rows ? snprintf(shape, sizeof shape, "%zu , ", rows) : 0;
    snprintf(shape + n, sizeof shape - (size_t)n, "%zu", columns);
    const char *at = json_find(t->header, name);
    size_t begin = 0, end = 0, count = (rows ? rows : 1) * columns;
    snprintf(form, sizeof form,
             "{ \"dtype\" : \"F32\" , \"shape\" : [ %s ] , "
             "\"data_offsets\" : [ %%15zu , %%15zu ]",
             shape);
    if (!at || sscanf(at, form, &begin, &end) != 2 || end > t->size ||
        end - begin != count * sizeof(float) ||
        (uintptr_t)(t->numbers + begin) % sizeof(float))
        DIE("model.safetensors: expected %s as F32 [%s]", name, shape);
    return add_array(m, count, (float *)(t->numbers + begin), rows > 0);
}

static Affine affine(Model *m, const Tensors *t, const char *s, size_t l, size_t in,
                     size_t out) {
    char name[80];
    int n = snprintf(name, sizeof name, s, l);
    snprintf(name + n, sizeof name - (size_t)n, ".weight");
    Array w = tensor(m, t, name, in, out);
    snprintf(name + n, sizeof name - (size_t)n, ".bias");
    return (Affine){w, tensor(m, t, name, 0, out)};
}

static Layer create_layer(Model *m, const Tensors *t, size_t l) {
    size_t D = m->D, F = m->F, N = m->N;
    return (Layer){.ln_1 = affine(m, t, "h.%zu.ln_1", l, 0, D),
                   .attn = affine(m, t, "h.%zu.attn.c_attn", l, D, 3 * D),
                   .proj = affine(m, t, "h.%zu.attn.c_proj", l, D, D),
                   .ln_2 = affine(m, t, "h.%zu.ln_2", l, 0, D),
                   .fc = affine(m, t, "h.%zu.mlp.c_fc", l, D, F),
                   .out = affine(m, t, "h.%zu.mlp.c_proj", l, F, D),
                   .norm_1 = activation(m, N * D),
                   .qkv = activation(m, N * 3 * D),
                   .weights = activation(m, N * m->H * m->T),
                   .heads = activation(m, N * D),
                   .middle = activation(m, N * D),
                   .norm_2 = activation(m, N * D),
                   .hidden = activation(m, N * F),
                   .active = activation(m, N * F),
                   .stream = activation(m, N * D)};
}

static Model read_model(const char *directory, size_t B) {
    Model m = {.B = B};
    size_t size;
    const char *json = read_file(directory, "config.json", &size);
    size_t *sizes[] = {&m.V, &m.T, &m.L, &m.H, &m.D};
    const char *keys[] = {"vocab_size", "n_positions", "n_layer", "n_head", "n_embd"};
    for (int i = 0; i < 5; i++) *sizes[i] = (size_t)find_number(json, keys[i], 0);
    m.F = (size_t)find_number(json, "n_inner", 4.0 * (double)m.D);
    m.eps = (float)find_number(json, "layer_norm_epsilon", 1e-5);
    if (!m.H || m.D % m.H) DIE("config.json: n_embd is no multiple of n_head");
    m.N = B * m.T;

    Tensors t = read_tensors(directory);
    m.entries = allocate((m.L * 21 + 7) * sizeof(Entry));
    m.wte = tensor(&m, &t, "wte.weight", m.V, m.D);
    m.wpe = tensor(&m, &t, "wpe.weight", m.T, m.D);
    m.layers = allocate(m.L * sizeof(Layer));
    for (size_t l = 0; l < m.L; l++) m.layers[l] = create_layer(&m, &t, l);
    m.ln_f = affine(&m, &t, "ln_f", 0, 0, m.D);
    m.stream = activation(&m, m.N * m.D);
    m.norm_f = activation(&m, m.N * m.D);
    m.logits = activation(&m, m.N * m.V);
    m.inputs = allocate(m.N * sizeof(int));
    m.targets = allocate(m.N * sizeof(int));
    return m;
}

// products -------------------------------------------------------------- The products
/* y[n] += s x[n] */
static void add_scaled(float *restrict y, float s, const float *x, size_t n) {
    for (size_t i = 0; i < n; i++) y[i] += s * x[i];
}

/* y[n, m] += a[n, k] b[k, m] */
static void multiply(float *y, const float *a, const float *b, size_t n, size_t k,
                     size_t m) {
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < k; j++)
            add_scaled(y + i * m, a[i * k + j], b + j * m, m);
}

/* a[n, m] as [m, n]; the caller frees it. */
static float *transposed(const float *a, size_t n, size_t m) {
    float *t = allocate(n * m * sizeof *t);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < m; j++) t[j * n + i] = a[i * m + j];
    return t;
}

/* y[n, m] += a[n, k] b[m, k]ᵀ */
static void multiply_by_transposed(float *y, const float *a, const float *b, size_t n,
                                   size_t k, size_t m) {
    float *t = transposed(b, m, k);
    multiply(y, a, t, n, k, m);
    free(t);
}

/* y[n, m] += a[k, n]ᵀ b[k, m] */
static void multiply_transposed(float *y, const float *a, const float *b, size_t n,
                                size_t k, size_t m) {
    float *t = transposed(a, k, n);
    multiply(y, t, b, n, k, m);
    free(t);
}

// layers ------------------------------------------ The layers, forward and backward
/* y[N, to] = x[N, from] w[from, to] + b[to] */
static void linear(Array y, Array x, Affine p, size_t N, size_t from, size_t to) {
    for (size_t n = 0; n < N; n++) memcpy(y.x + n * to, p.b.x, to * sizeof(float));
    multiply(y.x, x.x, p.w.x, N, from, to);
}

static void linear_backward(Array y, Array x, Affine p, size_t N, size_t from,
                            size_t to) {
    multiply_by_transposed(x.g, y.g, p.w.x, N, to, from);
    multiply_transposed(p.w.g, x.x, y.g, from, N, to);
    for (size_t i = 0; i < N * to; i++) p.b.g[i % to] += y.g[i];
}

/* Of a row x[D]; returns 1 / sqrt(variance + eps). */
static float mean_and_scale(float *mean, const float *x, size_t D, float eps) {
    float sum = 0, squares = 0;
    for (size_t i = 0; i < D; i++) sum += x[i];
    *mean = sum / (float)D;
    for (size_t i = 0; i < D; i++) squares += (x[i] - *mean) * (x[i] - *mean);
    return 1 / sqrtf(squares / (float)D + eps);
}

/* y[N, D] = (x - mean) / sqrt(variance + eps) * w + b, row by row */
static void layer_norm(Array y, Array x, Affine p, size_t N, size_t D, float eps) {
    for (size_t n = 0; n < N * D; n += D) {
        float mean, scale = mean_and_scale(&mean, x.x + n, D, eps);
        for (size_t i = 0; i < D; i++)
            y.x[n + i] = (x.x[n + i] - mean) * scale * p.w.x[i] + p.b.x[i];
    }
}

/* With z = (x - mean) scale and dz = dy w: dx = (dz - mean(dz) - z mean(dz z)) scale */
static void layer_norm_backward(Array y, Array x, Affine p, size_t N, size_t D,
                                float eps) {
    for (size_t n = 0; n < N * D; n += D) {
        float mean, scale = mean_and_scale(&mean, x.x + n, D, eps);
        float mean_dz = 0, mean_dz_z = 0;
        for (size_t i = 0; i < D; i++) {
            float z = (x.x[n + i] - mean) * scale, dy = y.g[n + i];
            p.w.g[i] += dy * z;
            p.b.g[i] += dy;
            mean_dz += dy * p.w.x[i] / (float)D;
            mean_dz_z += dy * p.w.x[i] * z / (float)D;
        }
        for (size_t i = 0; i < D; i++) {
            float z = (x.x[n + i] - mean) * scale, dz = y.g[n + i] * p.w.x[i];
            x.g[n + i] += (dz - mean_dz - z * mean_dz_z) * scale;
        }
    }
}

/* y = x / 2 (1 + tanh(u(x))), u(x) = sqrt(2 / pi) (x + 0.044715 x^3) */
static float gelu_tanh(float x) {
    return tanhf(0.79788456f * (x + 0.044715f * x * x * x));
}

static void gelu(Array y, Array x, size_t n) {
    for (size_t i = 0; i < n; i++) y.x[i] = 0.5f * x.x[i] * (1 + gelu_tanh(x.x[i]));
}

static void gelu_backward(Array y, Array x, size_t n) {
    for (size_t i = 0; i < n; i++) {
        float v = x.x[i], t = gelu_tanh(v);
        float du = 0.79788456f * (1 + 3 * 0.044715f * v * v);
        x.g[i] += y.g[i] * 0.5f * (1 + t + v * (1 - t * t) * du);
    }
}

static float dot(const float *a, const float *b, size_t n) {
    float sum = 0;
    for (size_t i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

/* x[n] become positive, with a sum of 1. */
static void softmax(float *x, size_t n) {
    float max = x[0], sum = 0;
    for (size_t i = 1; i < n; i++) max = fmaxf(max, x[i]);
    for (size_t i = 0; i < n; i++) sum += x[i] = expf(x[i] - max);
    for (size_t i = 0; i < n; i++) x[i] /= sum;
}

/* dx[n] is the gradient behind a softmax that gave p[n], and becomes that before it. */
static void softmax_backward(float *dx, const float *p, size_t n) {
    float mean = dot(p, dx, n);
    for (size_t i = 0; i < n; i++) dx[i] = p[i] * (dx[i] - mean);
}

/* One window with one head, which has d of the D features. The arrays begin where its
 * own numbers do: q, k, v[T, d] and y[T, d] in rows of 3 D and D, weights[T, T]. */
typedef struct {
    Array q, k, v, y, weights;
    size_t T, D, d;
} Head;

static Array from(Array a, size_t offset) {
    return (Array){a.x + offset, a.g + offset};
}

/* Head h of all windows' heads. */
static Head head_of(const Model *m, const Layer *l, size_t h) {
    size_t T = m->T, D = m->D, d = D / m->H, window = h / m->H, head = h % m->H;
    Array qkv = from(l->qkv, window * T * 3 * D + head * d);
    return (Head){.q = qkv,
                  .k = from(qkv, D),
                  .v = from(qkv, 2 * D),
                  .y = from(l->heads, window * T * D + head * d),
                  .weights = from(l->weights, h * T * T),
                  .T = T,
                  .D = D,
                  .d = d};
}

/* Token t sees those before it and itself: s <= t. */
static void attention(Head h) {
    size_t row = 3 * h.D;
    for (size_t t = 0; t < h.T; t++) {
        float *w = h.weights.x + t * h.T, *y = h.y.x + t * h.D;
        const float *q = h.q.x + t * row;
        for (size_t s = 0; s <= t; s++)
            w[s] = dot(q, h.k.x + s * row, h.d) / sqrtf((float)h.d);
        softmax(w, t + 1);
        memset(y, 0, h.d * sizeof *y);
        for (size_t s = 0; s <= t; s++) add_scaled(y, w[s], h.v.x + s * row, h.d);
    }
}

static void attention_backward(Head h) {
    size_t row = 3 * h.D;
    for (size_t t = 0; t < h.T; t++) {
        float *w = h.weights.x + t * h.T, *dw = h.weights.g + t * h.T;
        const float *dy = h.y.g + t * h.D;
        for (size_t s = 0; s <= t; s++) {
            dw[s] = dot(dy, h.v.x + s * row, h.d);
            add_scaled(h.v.g + s * row, w[s], dy, h.d);
        }
        softmax_backward(dw, w, t + 1);
        for (size_t s = 0; s <= t; s++) {
            float ds = dw[s] / sqrtf((float)h.d);
            add_scaled(h.q.g + t * row, ds, h.k.x + s * row, h.d);
            add_scaled(h.k.g + s * row, ds, h.q.x + t * row, h.d);
        }
    }
}

// model --------------------------------------------- The model, forward and backward
/* From the tokens to the logits. */
static void forward(Model *m) {
    size_t D = m->D, F = m->F, N = m->N;
    Array x = m->stream;
    for (size_t n = 0; n < N; n++)
        for (size_t i = 0; i < D; i++)
            x.x[n * D + i] =
                m->wte.x[(size_t)m->inputs[n] * D + i] + m->wpe.x[n % m->T * D + i];
    for (size_t i = 0; i < m->L; i++) {
        Layer *l = &m->layers[i];
        layer_norm(l->norm_1, x, l->ln_1, N, D, m->eps);
        linear(l->qkv, l->norm_1, l->attn, N, D, 3 * D);
        for (size_t h = 0; h < m->B * m->H; h++) attention(head_of(m, l, h));
        linear(l->middle, l->heads, l->proj, N, D, D);
        add_scaled(l->middle.x, 1, x.x, N * D);
        layer_norm(l->norm_2, l->middle, l->ln_2, N, D, m->eps);
        linear(l->hidden, l->norm_2, l->fc, N, D, F);
        gelu(l->active, l->hidden, N * F);
        linear(l->stream, l->active, l->out, N, F, D);
        add_scaled(l->stream.x, 1, l->middle.x, N * D);
        x = l->stream;
    }
    layer_norm(m->norm_f, x, m->ln_f, N, D, m->eps);
    memset(m->logits.x, 0, N * m->V * sizeof(float));
    multiply_by_transposed(m->logits.x, m->norm_f.x, m->wte.x, N, D, m->V);
}

/* The same lines from the last to the first. */
static void backward(Model *m) {
    size_t D = m->D, F = m->F, N = m->N;
    multiply_transposed(m->wte.g, m->logits.g, m->norm_f.x, m->V, N, D);
    multiply(m->norm_f.g, m->logits.g, m->wte.x, N, m->V, D);
    layer_norm_backward(m->norm_f, m->layers[m->L - 1].stream, m->ln_f, N, D, m->eps);
    for (size_t i = m->L; i-- > 0;) {
        Layer *l = &m->layers[i];
        Array x = i > 0 ? m->layers[i - 1].stream : m->stream;
        add_scaled(l->middle.g, 1, l->stream.g, N * D);
        linear_backward(l->stream, l->active, l->out, N, F, D);
        gelu_backward(l->active, l->hidden, N * F);
        linear_backward(l->hidden, l->norm_2, l->fc, N, D, F);
        layer_norm_backward(l->norm_2, l->middle, l->ln_2, N, D, m->eps);
        add_scaled(x.g, 1, l->middle.g, N * D);
        linear_backward(l->middle, l->heads, l->proj, N, D, D);
        for (size_t h = 0; h < m->B * m->H; h++) attention_backward(head_of(m, l, h));
        linear_backward(l->qkv, l->norm_1, l->attn, N, D, 3 * D);
        layer_norm_backward(l->norm_1, x, l->ln_1, N, D, m->eps);
    }
    for (size_t n = 0; n < N; n++) {
        add_scaled(m->wte.g + (size_t)m->inputs[n] * D, 1, m->stream.g + n * D, D);
        add_scaled(m->wpe.g + n % m->T * D, 1, m->stream.g + n * D, D);
    }
}

/* The mean of -ln p(target) over all tokens, and its gradient in logits.g. The logits
 * become probabilities. */
static double cross_entropy(Model *m) {
    double loss = 0;
    for (size_t n = 0; n < m->N; n++) {
        float *p = m->logits.x + n * m->V, *dx = m->logits.g + n * m->V;
        size_t target = (size_t)m->targets[n];
        softmax(p, m->V);
        loss -= log((double)p[target]) / (double)m->N;
        for (size_t v = 0; v < m->V; v++) dx[v] = p[v] / (float)m->N;
        dx[target] -= 1 / (float)m->N;
    }
    return loss;
}

// optimizer ----------------------------- The optimizer: clipping, the schedule, AdamW
static const double PEAK = 3e-3, LOWEST = 3e-4, DECAY = 0.1, MOST = 1;
static const double BETA_1 = 0.9, BETA_2 = 0.95, EPS = 1e-8, PI = 3.14159265358979;
enum { BATCH = 8, WARMUP = 10, END = 60 };

/* Up to PEAK in a line, down to LOWEST in half a cosine; steps count from 1. */
static double rate_of(size_t step) {
    if (step <= WARMUP) return PEAK * (double)step / WARMUP;
    if (step >= END) return LOWEST;
    double way = (double)(step - WARMUP) / (END - WARMUP);
    return LOWEST + (PEAK - LOWEST) * (1 + cos(PI * way)) / 2;
}

/* The factor that clips the gradients of all weights, as one vector, to a norm of
 * MOST. */
static double clip_scale(const Model *m) {
    double sum = 0;
    for (const Entry *e = m->entries; e < m->entries + m->n_entries; e++)
        for (size_t i = 0; e->m && i < e->n; i++) sum += pow(e->a.g[i], 2);
    return fmin(1, MOST / (sqrt(sum) + 1e-6));
}

static void adamw(const Entry *e, size_t step, double scale) {
    double rate = rate_of(step);
    float keep = (float)(e->decays ? 1 - rate * DECAY : 1);
    float whole_m = (float)(1 - pow(BETA_1, (double)step));
    float whole_v = (float)(1 - pow(BETA_2, (double)step));
    for (size_t i = 0; i < e->n; i++) {
        float g = e->a.g[i] * (float)scale;
        e->m[i] += (float)(1 - BETA_1) * (g - e->m[i]);
        e->v[i] += (float)(1 - BETA_2) * (g * g - e->v[i]);
        float change = e->m[i] / whole_m / (sqrtf(e->v[i] / whole_v) + (float)EPS);
        e->a.x[i] = keep * e->a.x[i] - (float)rate * change;
    }
}

static void update(const Model *m, size_t step) {
    double scale = clip_scale(m);
    for (const Entry *e = m->entries; e < m->entries + m->n_entries; e++)
        if (e->m) adamw(e, step, scale);
}

// main -------------------------------------------------------------------------- main
/* From ids[B, T + 1]: the targets are the inputs' next tokens. */
static void read_batch(Model *m, const uint16_t *ids) {
    for (size_t n = 0; n < m->N; n++) {
        const uint16_t *id = ids + n / m->T * (m->T + 1) + n % m->T;
        if (id[0] >= m->V || id[1] >= m->V) DIE("expected tokens below %zu", m->V);
        m->inputs[n] = id[0];
        m->targets[n] = id[1];
    }
}

int main(int argc, char **argv) {
    if (argc != 3) DIE("expected the directory of a model and a file of tokens");
    size_t bytes;
    Model m = read_model(argv[1], BATCH);
    const uint16_t *ids = (const uint16_t *)(void *)read_file(NULL, argv[2], &bytes);
    size_t tokens = m.B * (m.T + 1), steps = bytes / (tokens * sizeof *ids);
    if (bytes != steps * tokens * sizeof *ids)
        DIE("%s: expected batches of %zu tokens, 2 bytes each", argv[2], tokens);
    for (size_t step = 1; step <= steps; step++) {
        read_batch(&m, ids + (step - 1) * tokens);
        for (const Entry *e = m.entries; e < m.entries + m.n_entries; e++)
            memset(e->a.g, 0, e->n * sizeof(float));
        forward(&m);
        printf("%zu %.6f\n", step, cross_entropy(&m));
        fflush(stdout);
        backward(&m);
        update(&m, step);
    }
    return 0;
}
