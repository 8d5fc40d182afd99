// What each step of the page "One token" shows of a run { ids, texts, tensors, merges } at a view {
// at, block, head }, which may name a base: the run whose largest numbers are chosen. Rows for
// draw.js, and a sentence with the numbers of this very token. Every number is of --dump; only sums
// over heads' values are added up here.
"use strict";

const vectorAt = ({ tensors }, name, t) => {
    const { shape, data } = tensors[name],
        n = shape[1];
    return data.subarray(t * n, (t + 1) * n);
};
const headRow = ({ tensors }, name, h, t) => {
    const {
        shape: [, length, n],
        data,
    } = tensors[name];
    return data.subarray((h * length + t) * n, (h * length + t + 1) * n);
};
const stripOf = (label, values) => ({ kind: "strip", label, values });
const headsOf = (run) => run.tensors["att.0"].shape[0];
const blocksOf = (run) => Object.keys(run.tensors).filter((name) => /^att\.\d+$/.test(name)).length;
// Where key heads are shared, the one of a query head.
const keyHead = (run, block, h) =>
    Math.floor((h * run.tensors[`key.${block}`].shape[0]) / headsOf(run));
const tokenText = (run, t) => run.texts[run.ids[t]] ?? String(run.ids[t]);
const visible = (text) => text.replaceAll(" ", "␣");
const wordsUpTo = (run, at) => run.ids.slice(0, at + 1).map((_, t) => visible(tokenText(run, t)));

// The indices of the n largest numbers.
const largestOf = (values, n, by = (x) => x) =>
    Array.from(values, (x, i) => [by(x), i])
        .sort((a, b) => b[0] - a[0])
        .slice(0, n)
        .map(([, i]) => i);

function headTable(run, { at, block }, name, what, scale, shown) {
    return Array.from({ length: headsOf(run) }, (_, head) => ({
        kind: "heads",
        head,
        what,
        label: `head ${head}`,
        names: wordsUpTo(run, at),
        values: headRow(run, name + block, head, at)
            .slice(0, at + 1)
            .map((x) => x * scale),
        shown,
    }));
}

// The stream before a branch, the branch, and their sum: how long, and each number.
function added(run, t, before, branch, after) {
    const vectors = [
        ["before", before],
        ["added", branch],
        ["after", after],
    ].map(([label, name]) => [label, vectorAt(run, name, t)]);
    const sizes = vectors.map(([, values]) => sizeOf(values));
    return {
        rows: [
            {
                kind: "bars",
                label: "size of the stream and of the branch",
                plain: true,
                names: vectors.map(([label]) => label),
                values: sizes,
            },
            ...vectors.map(([label, values]) => stripOf(label, values)),
        ],
        says:
            `The branch is ${percent(sizes[1] / sizes[0])} as large as the stream it is added ` +
            `to.`,
    };
}

// --- bytes and merges, as the vocabulary files have them (chapter 09): a byte is a letter ---
const letterOfByte = (() => {
    const printable = (b) => (b >= 33 && b <= 126) || (b >= 161 && b <= 172) || b >= 174;
    let next = 256;
    return Array.from({ length: 256 }, (_, b) => String.fromCharCode(printable(b) ? b : next++));
})();
const WORDS = /'(?:s|t|re|ve|m|ll|d)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+/gu;

// The merges of a word: [[parts]], from bytes to tokens.
function mergesOf(word, ranks) {
    let parts = [...new TextEncoder().encode(word)].map((b) => letterOfByte[b]);
    const all = [parts];
    for (;;) {
        const rank = (i) => ranks.get(`${parts[i]} ${parts[i + 1]}`) ?? Infinity;
        let best = 0;
        for (let i = 1; i < parts.length - 1; i++) if (rank(i) < rank(best)) best = i;
        if (parts.length < 2 || rank(best) === Infinity) return all;
        parts = [...parts.slice(0, best), parts[best] + parts[best + 1], ...parts.slice(best + 2)];
        all.push(parts);
    }
}

// The word of the text in which token `at` is, and which of its tokens; null where the text does
// not show it (a part of a letter).
function wordAt(run, at) {
    const text = run.ids.map((_, t) => tokenText(run, t)).join(""),
        start = run.ids.slice(0, at).reduce((sum, _, t) => sum + tokenText(run, t).length, 0);
    for (const match of text.matchAll(WORDS))
        if (match.index <= start && start < match.index + match[0].length) return match[0];
    return null;
}

function bytes(run, { at }) {
    const word = wordAt(run, at),
        ranks = new Map(
            run.merges
                .split("\n")
                .filter((line) => line && !line.startsWith("#version"))
                .map((line, i) => [line, i]),
        );
    const all = word ? mergesOf(word, ranks) : [];
    const clear = (part) => visible(part.replaceAll("Ġ", " ").replaceAll("Ċ", "↵"));
    const lines = all.map((parts, i) =>
        element(
            "li",
            {},
            ...parts.map((part) =>
                element("code", {
                    textContent: clear(part),
                    className: i && !all[i - 1].includes(part) ? "fresh" : "",
                }),
            ),
        ),
    );
    const numbers = word ? [...new TextEncoder().encode(word)].join(" ") : "";
    return {
        rows: [],
        more: [
            element("p", { className: "row-name", textContent: `bytes ${numbers}` }),
            element("ol", { className: "merges" }, ...lines),
        ],
        says:
            `${visible(tokenText(run, at))} is token ${run.ids[at]} of ${run.texts.length}, at ` +
            `position ${at}. Its word took ${Math.max(all.length - 1, 0)} merges.`,
    };
}

const stations = {
    bytes,
    rows: (run, { at }) => ({
        rows: [
            stripOf(`row ${run.ids[at]} of the tokens`, vectorAt(run, "token", at)),
            ...(run.tensors.position
                ? [stripOf(`row ${at} of the positions`, vectorAt(run, "position", at))]
                : []),
            stripOf("their sum, the stream", vectorAt(run, "hidden.0", at)),
        ],
        says:
            `Each is ${run.tensors.token.shape[1]} numbers. Blue is above 0, orange below, and ` +
            `strong is large.`,
    }),
    norm(run, { at, block }) {
        const x = vectorAt(run, `hidden.${block}`, at),
            mean = x.reduce((sum, v) => sum + v, 0) / x.length;
        return {
            rows: [
                stripOf("the stream", x),
                stripOf("after the norm", vectorAt(run, `ln_1.${block}`, at)),
            ],
            says: `The row's mean is ${short(mean)} and its size ${short(sizeOf(x))}.`,
        };
    },
    qkv: (run, { at, block, head }) => ({
        rows: ["query", "key", "value"].map((name) =>
            stripOf(
                `${name} of head ${head}`,
                headRow(
                    run,
                    `${name}.${block}`,
                    name === "query" ? head : keyHead(run, block, head),
                    at,
                ),
            ),
        ),
        says:
            `Head ${head} of ${headsOf(run)} in block ${block}: ` +
            `${run.tensors[`query.${block}`].shape[2]} numbers each.`,
    }),
    scores(run, view) {
        const root = Math.sqrt(run.tensors[`query.${view.block}`].shape[2]);
        const rows = headTable(
            run,
            view,
            "scores.",
            "scores: a line is a head, a column a token",
            1 / root,
            (x) => x.toFixed(1),
        );
        const best = largestOf(rows[view.head].values, 1)[0];
        return {
            rows,
            says:
                `Head ${view.head} of block ${view.block} scores ` +
                `${visible(tokenText(run, best))} highest.`,
        };
    },
    weights(run, view) {
        const rows = headTable(
            run,
            view,
            "att.",
            "weights: a line is a head, a column a token",
            1,
            (x) => x.toFixed(2),
        );
        const best = largestOf(rows[view.head].values, 1)[0];
        return {
            rows,
            says:
                `Head ${view.head} of block ${view.block} gives ` +
                `${percent(rows[view.head].values[best])} of its weight to ` +
                `${visible(tokenText(run, best))}.`,
        };
    },
    heads(run, { at, block, head, base = run }) {
        const weights = headRow(run, `att.${block}`, head, at).slice(0, at + 1),
            h = keyHead(run, block, head),
            n = run.tensors[`value.${block}`].shape[2];
        const order = largestOf(headRow(base, `att.${block}`, head, at).slice(0, at + 1), 4);
        return {
            rows: [
                ...order.map((t) =>
                    stripOf(
                        `${weights[t].toFixed(2)} × ${visible(tokenText(run, t))}`,
                        headRow(run, `value.${block}`, h, t).map((x) => x * weights[t]),
                    ),
                ),
                stripOf(
                    `head ${head}: the sum of all`,
                    vectorAt(run, `heads.${block}`, at).subarray(head * n, (head + 1) * n),
                ),
            ],
            says:
                at < 4
                    ? "These are all tokens so far."
                    : "The four that are weighted most, and the sum over all tokens so far.",
        };
    },
    attention: (run, { at, block }) =>
        added(run, at, `hidden.${block}`, `attn_branch.${block}`, `middle.${block}`),
    units(run, { at, block, base = run }) {
        const before = vectorAt(run, `ffn_up.${block}`, at),
            units = vectorAt(run, `ffn_units.${block}`, at),
            order = largestOf(vectorAt(base, `ffn_units.${block}`, at), 10, Math.abs);
        const on = units.reduce((sum, x) => sum + (x > 0), 0);
        const row = (label, values) => ({
            kind: "bars",
            label,
            names: order.map((i) => `unit ${i}`),
            values: order.map((i) => values[i]),
            all: values,
        });
        return {
            rows: [row("before GELU", before), row("after GELU", units)],
            says: `${on} of ${units.length} units are above 0; these are the ten largest.`,
        };
    },
    ffn: (run, { at, block }) =>
        added(run, at, `middle.${block}`, `ffn_branch.${block}`, `hidden.${block + 1}`),
    blocks(run, { at }) {
        const all = Array.from({ length: blocksOf(run) }, (_, l) => [
                `attn_branch.${l}`,
                `ffn_branch.${l}`,
                `hidden.${l + 1}`,
            ]).flat(),
            vectors = ["hidden.0", ...all].map((name) => vectorAt(run, name, at));
        const named = (name) =>
            name.startsWith("hidden")
                ? `stream after block ${name.split(".")[1] - 1}`
                : `${name.startsWith("attn") ? "attention" : "FFN"} of ${name.split(".")[1]}`;
        const values = vectors.map(sizeOf);
        return {
            rows: [
                {
                    kind: "bars",
                    label: "size of the stream and of each branch",
                    plain: true,
                    names: ["the two rows", ...all.map(named)],
                    values,
                    all: vectors.reduce((list, v) => [...list, ...v], []),
                },
            ],
            says:
                `From ${short(values[0])} the stream has grown to ` +
                `${short(values[values.length - 1])}.`,
        };
    },
    logits(run, { at }) {
        const logits = vectorAt(run, "logits", at),
            order = largestOf(logits, 10);
        const last = `hidden.${blocksOf(run)}`;
        return {
            rows: [
                stripOf("the stream", vectorAt(run, last, at)),
                stripOf("after the last norm", vectorAt(run, "hidden_norm", at)),
                {
                    kind: "bars",
                    label: "the ten largest logits",
                    names: order.map((id) => visible(run.texts[id])),
                    values: order.map((id) => logits[id]),
                    all: logits,
                },
            ],
            says: `${logits.length} logits, one for each token of the vocabulary.`,
        };
    },
    draw(run, { at, temperature }) {
        const kept = filtered(vectorAt(run, "logits", at), { temperature, k: 0, p: 1 }),
            shown = kept.slice(0, 10),
            all = new Float64Array(kept.length);
        for (const [id, p] of kept) all[id] = p;
        return {
            rows: [
                {
                    kind: "bars",
                    label: "the ten likeliest tokens",
                    names: shown.map(([id]) => visible(run.texts[id])),
                    values: shown.map(([, p]) => p),
                    shown: percent,
                    most: 1,
                    all,
                },
            ],
            says: `At temperature ${temperature} the likeliest has ${percent(shown[0][1])}.`,
        };
    },
    cache(run, { at, block, head }) {
        const h = keyHead(run, block, head),
            from = Math.max(0, at - 5);
        const rows = ["key", "value"].flatMap((name) =>
            run.ids
                .slice(from, at + 1)
                .map((_, i) =>
                    stripOf(
                        `${name} of ${visible(tokenText(run, from + i))}`,
                        headRow(run, `${name}.${block}`, h, from + i),
                    ),
                ),
        );
        const [heads, , dim] = run.tensors[`key.${block}`].shape;
        return {
            rows,
            says:
                `A token leaves ${2 * blocksOf(run) * heads * dim} numbers in the cache: in ` +
                `each of ${blocksOf(run)} blocks ${heads} keys and values of ${dim}.`,
        };
    },
};
