// The page "One token" for build.js: its blocks, the links to it from lessons, and its files. null
// where the book has no programs or no model.
"use strict";
const fs = require("fs");
const path = require("path");
const { html, escape } = require("../ast");
const { citing } = require("../links");
const { filtered } = require("../run/model");
const { first, packed } = require("./first");
const { hookData, hookFrame, phasesOf, WIDE, HIGH } = require("./hook");
const { STEPS, section, map } = require("./steps");

const FILE = "one-token.html";
const SCRIPTS = ["draw", "stations", "source", "view", "compute", "next", "walk", "page"];

function oneToken(pages) {
    const run = first();
    if (!run) return null;
    const title = "One token";
    citing({ file: FILE, title });
    const files = Object.fromEntries(
        pages
            .filter((page) => page.chapter && !page.annex)
            .map((page) => [page.chapter.slice(0, 2), page.file]),
    );
    const blocks = [
        html(
            '<link rel="stylesheet" href="token.css"><h1>One token, through GPT-2</h1>' +
                "<p>This follows one token of a text from its bytes to the next token. Every " +
                    "number is " +
                "from the program of this course, run on this text. Beside each step are the " +
                    "lines " +
                "of C that did it, and the lesson in which you write them. Keys: → and ← go from " +
                "step to step, with Shift from token to token.</p>" +
                `<div class="token-panel"></div><div class="token-top"><div ` +
                `class="token-strip"></div>${map((step) => `#${step.id}`)}</div>`,
        ),
        ...STEPS.flatMap((step, i) => section(step, i, files)),
        html(`<script defer src="token.js"></script>`),
    ];
    return { file: FILE, title, blocks, runs: true, run, files };
}

// The front page's small version of it, as it stands before its script moves it, and the map of the
// course.
function hook({ run, files }) {
    const data = hookData(run, (logits) => filtered(logits, { temperature: 1, k: 5, p: 1 }));
    const frame = hookFrame(data, 0, phasesOf(data).at(-1)),
        short = ([word, p]) =>
            `<li><code>${escape(word)}</code><span class="track"><span class="amount plus" ` +
            `style="width: ${100 * p}%"></span></span><span>${Math.round(100 * p)} ` +
            `%</span></li>`;
    const about =
        `${data.words.slice(0, run.prompt).join(" ")}: the next token is computed from those ` +
        `before it, through ${data.blocks} blocks`;
    return (
        '<link rel="stylesheet" href="token.css">' +
        `<section class="hook" aria-label="one token through the model" ` +
        `data-run="${escape(JSON.stringify(data))}" ` +
        `data-lessons="${escape(JSON.stringify(files))}">` +
        `<svg viewBox="0 0 ${WIDE} ${HIGH}" role="img" ` +
        `aria-label="${escape(about)}">${frame.svg}</svg>` +
        `<div><p class="hook-says">${escape(frame.says)}</p><p><a class="hook-lesson" ` +
        `href="${files[frame.lesson]}">You write this in ${frame.lesson}</a></p>` +
        '<p class="hook-keys" hidden><button type="button" class="hook-play">Stop</button> ' +
        '<button type="button" class="hook-step">Step</button></p>' +
        `<p><a class="go" href="${FILE}">Go through it, number by number</a></p>` +
        `<ol class="bars" aria-label="the likeliest next tokens">` +
        `${frame.next.map(short).join("")}</ol></div></section>` +
        `<nav aria-label="the way of a token, and the lesson of each step">` +
        `${map((step) => files[(step.exercise || step.chapter).slice(0, 2)])}</nav>` +
        '<script defer src="hook.js"></script>'
    );
}

// The lessons that lead here, each to its step.
const LINKS = {
    "08-transformer-block": [
        "attention",
        "A token goes through these blocks, with its numbers and yours",
    ],
    "10-gpt2": ["logits", "A token goes through this model, step by step"],
    "13-kv-cache": ["cache", "A token enters the cache, drawn with its numbers"],
};

// In front of the first section.
function withTokenLinks(blocks, page) {
    const link = !page.annex && LINKS[page.chapter];
    if (!link) return blocks;
    const at = blocks.findIndex((block) => block.t === "Header" && block.c[0] === 2);
    return [
        ...blocks.slice(0, at),
        html(`<p class="to-token"><a href="${FILE}#${link[0]}">${link[1]}</a>.</p>`),
        ...blocks.slice(at),
    ];
}

function copyToken(out, token) {
    if (!token) return;
    const read = (name) => fs.readFileSync(path.join(__dirname, name), "utf8");
    fs.writeFileSync(`${out}/token.css`, read("token.css"));
    fs.writeFileSync(
        `${out}/token.js`,
        `(() => {\n${SCRIPTS.map((name) => read(`${name}.js`)).join("\n")}})();\n`,
    );
    fs.writeFileSync(
        `${out}/hook.js`,
        `(() => {\n${["hook", "hook-page"].map((name) => read(`${name}.js`)).join("\n")}})();\n`,
    );
    fs.writeFileSync(
        `${out}/programs/token.js`,
        `courseData("token", ${JSON.stringify(packed(token.run))});\n`,
    );
}

module.exports = { oneToken, hook, withTokenLinks, copyToken, FILE };
