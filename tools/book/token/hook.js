// The front page's small version of "One token": a text goes through the model, step by step, and
// the next token is written. Its frames are drawn here, for the page as it is built and for its
// motion; the numbers are those of the page's first run (hookData).
"use strict";

// What the frames need of a run: words; for each token that is followed the weights of each block,
// the largest of its heads, the size of the stream behind each block, and the likeliest tokens.
function hookData({ ids, prompt, texts, tensors }, likeliest) {
    const blocks = Object.keys(tensors).filter((name) => /^att\.\d+$/.test(name)).length,
        round = (x) => Math.round(1000 * x) / 1000;
    const weightsOf = (l, at) => {
        const {
            shape: [heads, n],
            data,
        } = tensors[`att.${l}`];
        return Array.from({ length: at + 1 }, (_, t) =>
            round(Math.max(...Array.from({ length: heads }, (_, h) => data[(h * n + at) * n + t]))),
        );
    };
    const sizeOf = (name, at) => {
        const {
            shape: [, n],
            data,
        } = tensors[name];
        return round(
            Math.sqrt(data.subarray(at * n, (at + 1) * n).reduce((sum, x) => sum + x * x, 0) / n),
        );
    };
    const vocabulary = tensors.logits.shape[1];
    const followed = Array.from({ length: ids.length - prompt + 1 }, (_, i) => {
        const at = prompt - 1 + i;
        return {
            at,
            weights: Array.from({ length: blocks }, (_, l) => weightsOf(l, at)),
            sizes: Array.from({ length: blocks + 1 }, (_, l) => sizeOf(`hidden.${l}`, at)),
            next: likeliest(
                tensors.logits.data.subarray(at * vocabulary, (at + 1) * vocabulary),
            ).map(([id, p]) => [texts[id].trim(), round(p)]),
        };
    });
    return { words: ids.map((id) => texts[id].trim()), blocks, followed };
}

const WIDE = 400,
    HIGH = 330,
    FOOT = 300;

// The phases of a token: its rows, attention and FFN of each block, the logits, and the next token.
const phasesOf = ({ blocks }) => [
    "rows",
    ...Array.from({ length: blocks }, (_, l) => [`attention ${l}`, `ffn ${l}`]).flat(),
    "logits",
    "write",
];

const PHASES = {
    rows: [() => "Two rows of tables say which token it is, and where.", "06"],
    attention: [(l, words) => `Block ${l}: attention brings something of ${words} back.`, "07"],
    ffn: [(l) => `Block ${l}: the FFN adds what its units know.`, "04"],
    logits: [() => "The stream is compared with every token there is.", "10"],
    write: [() => "One is drawn, and goes the same way.", "12"],
};

const r = (x) => Math.round(10 * x) / 10;
const escaped = (text) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

// A frame { svg, says, lesson, next }: `i` counts the followed tokens, `phase` is one of phasesOf.
function hookFrame({ words, blocks, followed }, i, phase) {
    const { at, weights, sizes, next } = followed[i],
        [kind, number] = phase.split(" "),
        l = Number(number);
    const pitch = WIDE / words.length,
        x = (t) => (t + 0.5) * pitch,
        lane = (FOOT - 34) / (blocks + 0.8),
        y = (b) => FOOT - 30 - (b + 0.5) * lane;
    const order = phasesOf({ blocks }),
        reached = order.indexOf(phase),
        isDone = (what) => order.indexOf(what) < reached;
    const most = Math.max(...sizes);
    const parts = [];
    for (let b = 0; b < blocks; b++)
        parts.push(
            `<text class="quiet" x="0" y="${y(b) - 6}">block ${b}</text><path class="lane" d="M0 ` +
                `${r(y(b))}H${WIDE}"/>`,
        );
    for (let b = 0; b < blocks; b++) {
        const now = kind === "attention" && b === l,
            arc = y(b) - 0.8 * lane;
        if (!now && !isDone(`attention ${b}`)) continue;
        weights[b].forEach((w, t) => {
            if (t === at || w < 0.03) return;
            parts.push(
                `<path class="look${now ? " now" : ""}" stroke-width="${(7 * w).toFixed(1)}" ` +
                    `d="M${r(x(t))} ${r(y(b))}C${r(x(t))} ${r(arc)} ${r(x(at))} ${r(arc)} ` +
                    `${r(x(at))} ${r(y(b))}"/>`,
            );
        });
        for (let t = 0; t < at; t++)
            parts.push(`<circle class="kept" cx="${r(x(t))}" cy="${r(y(b))}" r="3"/>`);
    }
    const width = (b) => 3 + (14 * sizes[b]) / most;
    let from = FOOT - 22;
    for (let b = 0; b <= blocks; b++) {
        const to = b < blocks ? y(b) : y(blocks);
        const drawn = b === 0 ? true : isDone(`attention ${b - 1}`);
        if (drawn)
            parts.push(
                `<path class="stream" stroke-width="${width(b).toFixed(1)}" d="M${r(x(at))} ` +
                    `${r(from)}V${r(to)}"/>`,
            );
        from = to;
    }
    if (kind === "ffn")
        parts.push(`<circle class="unit" cx="${r(x(at))}" cy="${r(y(l))}" r="13"/>`);
    words.forEach((word, t) => {
        const isHere = t <= at || (kind === "write" && t === at + 1);
        if (!isHere) return;
        const chosen = t === at || (kind === "write" && t === at + 1);
        parts.push(
            `<rect class="${chosen ? "token chosen" : "token"}" x="${x(t) - pitch / 2 + 1}" ` +
                `y="${FOOT - 20}" width="${pitch - 2}" height="26" rx="4"/>`,
        );
        parts.push(
            `<text class="${chosen ? "word chosen" : "word"}" x="${r(x(t))}" ` +
                `y="${FOOT - 3}">${escaped(word)}</text>`,
        );
    });
    const seen = weights[l] ? weights[l].slice(0, at) : [],
        best = words[seen.indexOf(Math.max(...seen))];
    const [says, lesson] = PHASES[kind];
    return {
        svg: parts.join(""),
        says: says(l, best ? `“${best}”` : "it"),
        lesson,
        next: ["logits", "write"].includes(kind) ? next : null,
    };
}

if (typeof module !== "undefined") module.exports = { hookData, hookFrame, phasesOf, WIDE, HIGH };
