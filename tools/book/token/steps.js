// The page "One token": its steps with the lines of C that did them, by their marks (//> name), and
// the lessons in which a reader writes them. What is drawn in each step is stations.js's.
"use strict";
const fs = require("fs");
const { html, escape } = require("../ast");
const { sourcePage, lineOfRegion } = require("../links");

// [id, title, chapter, what it does, lines, exercise]: the lines of an exercise's solution are
// shown on a click.
const STEPS = [
    [
        "bytes",
        "Bytes become tokens",
        "09",
        "A text is bytes. The pair of neighbours that was merged first in training is merged " +
            "first here, until no pair is left. What remains are the tokens, each a row number " +
            "of a table.",
        ["solutions/09-tokenizer/bpe_encode.c#merge"],
        "09/bpe_encode",
    ],
    [
        "rows",
        "Two rows are added",
        "06",
        "The token's row of one table says what it is, the row of another where it is. Their sum " +
            "is the stream: from here on, everything is added to it.",
        ["solutions/10-gpt2/gpt2_forward.c#embeddings"],
        "10/gpt2_forward",
    ],
    [
        "norm",
        "The norm",
        "01",
        "Attention reads the stream through LayerNorm: the mean of the row is taken off, and " +
            "what is left is divided by its deviation. The stream itself stays as it is.",
        ["solutions/01-layernorm-vs-batchnorm/layernorm.c#row"],
        "01/layernorm",
    ],
    [
        "qkv",
        "A query, a key and a value",
        "07",
        "One matrix makes three vectors for each head: what the token looks for, what it can be " +
            "found by, and what it hands over.",
        ["chapters/07-attention/attention.c#qkv"],
    ],
    [
        "scores",
        "Scores",
        "07",
        "The query is multiplied with the key of every token so far, and divided by the root of " +
            "their length. Each head does so on its own.",
        ["solutions/07-attention/causal_attention.c#scores"],
        "07/causal_attention",
    ],
    [
        "weights",
        "Weights",
        "07",
        "A softmax turns the scores of a head into shares of one. They say where the head looks.",
        ["solutions/07-attention/causal_attention.c#weights"],
        "07/causal_attention",
    ],
    [
        "heads",
        "What the heads bring back",
        "07",
        "Each head adds up the values of the tokens, times their weights. Nothing else moves " +
            "from one token to another in the whole model.",
        ["solutions/07-attention/causal_attention.c#values"],
        "07/causal_attention",
    ],
    [
        "attention",
        "Attention adds to the stream",
        "08",
        "A matrix mixes what the heads brought, and the result is added. This is the first of " +
            "the block's two branches.",
        ["chapters/07-attention/attention.c#back", "chapters/05-residual-blocks/join.c#plain"],
    ],
    [
        "units",
        "The FFN's units",
        "04",
        "The stream, through a second norm, is compared with a pattern for each unit. GELU lets " +
            "through what fits.",
        ["solutions/04-ffn-swiglu/gelu.c#tanh"],
        "04/gelu",
    ],
    [
        "ffn",
        "The FFN adds to the stream",
        "04",
        "Each unit that was let through adds a vector of its own, as much of it as it fits. That " +
            "is the second branch.",
        ["chapters/04-ffn-swiglu/ffn.c#ffn"],
    ],
    [
        "blocks",
        "Block after block",
        "08",
        "The same again in each block, with other weights. A branch adds; it never takes the " +
            "stream away.",
        ["solutions/10-gpt2/gpt2_forward.c#blocks"],
        "10/gpt2_forward",
    ],
    [
        "logits",
        "A logit for each token",
        "10",
        "After a last norm the stream is compared with every row of the token table, the same " +
            "that it began with. The better the fit, the higher the logit.",
        ["solutions/10-gpt2/gpt2_forward.c#last_norm", "solutions/10-gpt2/tied_head.c#logits"],
        "10/tied_head",
    ],
    [
        "draw",
        "The draw",
        "12",
        "A softmax makes probabilities of the logits. A random number between 0 and 1 falls on " +
            "one of them.",
        ["chapters/12-generation/sampling.c#draw"],
    ],
    [
        "cache",
        "The next token enters",
        "13",
        "The token that was drawn is written, and goes the same way. Keys and values of those " +
            "before it are the same as ever, so a cache keeps them.",
        ["solutions/13-kv-cache/kv_append.c#keep"],
        "13/kv_append",
    ],
].map(([id, title, chapter, text, lines, exercise]) => ({
    id,
    title,
    chapter,
    text,
    lines,
    exercise,
}));

// The lines between //> name and //< name, without their indentation.
function linesOf(place) {
    const [file, name] = place.split("#"),
        all = fs.readFileSync(file, "utf8").split("\n"),
        from = lineOfRegion(file, name) - 1,
        to = all.findIndex((line, i) => i > from && line.trim() === `//< ${name}`);
    if (to < 0) throw new Error(`no end of region //> ${name} in ${file}`);
    const lines = all.slice(from, to),
        indent = Math.min(...lines.filter(Boolean).map((line) => line.search(/\S/)));
    return lines.map((line) => line.slice(indent)).join("\n");
}

const code = (place) => {
    const [file, name] = place.split("#"),
        given = file.startsWith("chapters/");
    const where = given
        ? `<a href="${sourcePage(file, lineOfRegion(file, name))}">${escape(file)}</a>`
        : escape(file);
    return [
        { t: "CodeBlock", c: [["", ["c"], []], linesOf(place)] },
        html(`<p class="where">${where}</p>`),
    ];
};

// A step's section: title, place of the drawing, text, lines and lesson. files: { "07": its page }.
function section({ id, title, chapter, text, lines, exercise }, i, files) {
    const solved = lines.filter((place) => place.startsWith("solutions/")).flatMap(code),
        given = lines.filter((place) => place.startsWith("chapters/")).flatMap(code);
    const folded = solved.length
        ? [
              html(
                  `<details class="answer"><summary>The line that did it: our answer to ` +
                      `${exercise}</summary>`,
              ),
              ...solved,
              html("</details>"),
          ]
        : [];
    const verb = exercise ? `You write this in ${exercise.slice(0, 2)}` : `Read it in ${chapter}`;
    const lesson = exercise ? exercise.slice(0, 2) : chapter;
    return [
        html(
            `<section class="station" data-step="${id}"><h2 id="${id}" tabindex="-1"><span ` +
                `class="count">${i + 1}</span> ${escape(title)} ` +
                '<span class="differs" hidden></span></h2><div class="drawn" ' +
                'aria-live="off"></div><div class="beside">' +
                `<p>${escape(text)}</p>`,
        ),
        ...given,
        ...folded,
        html(`<p class="to-lesson"><a href="${files[lesson]}">${verb}</a></p></div></section>`),
    ];
}

// The course's map: every step with its lesson, as links within this page or to the lessons.
const map = (href) => {
    const item = (step) =>
        `<li><a href="${href(step)}" data-to="${step.id}"><b>${step.chapter}</b> ` +
        `${escape(step.title)}</a></li>`;
    return `<ol class="token-map">${STEPS.map(item).join("")}</ol>`;
};

module.exports = { STEPS, section, map };
