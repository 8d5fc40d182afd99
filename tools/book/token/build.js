// The page "One token" for build.js: its blocks, the links to it from lessons, and its files. null where the book has no programs or
// no model.
"use strict";
const fs = require("fs");
const path = require("path");
const { html } = require("../ast");
const { citing } = require("../links");
const { first, packed } = require("./first");
const { STEPS, section, map } = require("./steps");

const FILE = "one-token.html";
const SCRIPTS = ["draw", "stations", "source", "page"];

function oneToken(pages) {
    const run = first();
    if (!run) return null;
    const title = "One token";
    citing({ file: FILE, title });
    const files = Object.fromEntries(pages.filter((page) => page.chapter && !page.annex).map((page) => [page.chapter.slice(0, 2), page.file]));
    const blocks = [
        html(
            '<link rel="stylesheet" href="token.css"><h1>One token, through GPT-2</h1>' +
                "<p>This follows one token of a text from its bytes to the token behind it. Every number is from the program of this course, run on this text; " +
                "beside each step is the line of C that did it, and the lesson in which you write that line. Keys: → and ← go from step to step, with Shift from token to token.</p>" +
                `<div class="token-panel"></div><div class="token-top"><div class="token-strip"></div>${map((step) => `#${step.id}`)}</div>`,
        ),
        ...STEPS.flatMap((step, i) => section(step, i, files)),
        html(`<script defer src="token.js"></script>`),
    ];
    return { file: FILE, title, blocks, runs: true, run };
}

// The lessons that lead here, each to its step.
const LINKS = {
    "08-transformer-block": ["attention", "A token goes through these blocks, with its numbers and yours"],
    "10-gpt2": ["logits", "A token goes through this model, step by step"],
    "13-kv-cache": ["cache", "A token enters the cache, drawn with its numbers"],
};

// In front of the first section.
function withTokenLinks(blocks, page) {
    const link = !page.annex && LINKS[page.chapter];
    if (!link) return blocks;
    const at = blocks.findIndex((block) => block.t === "Header" && block.c[0] === 2);
    return [...blocks.slice(0, at), html(`<p class="to-token"><a href="${FILE}#${link[0]}">${link[1]}</a>.</p>`), ...blocks.slice(at)];
}

function copyToken(out, token) {
    if (!token) return;
    const read = (name) => fs.readFileSync(path.join(__dirname, name), "utf8");
    fs.writeFileSync(`${out}/token.css`, read("token.css"));
    fs.writeFileSync(`${out}/token.js`, `(() => {\n${SCRIPTS.map((name) => read(`${name}.js`)).join("\n")}})();\n`);
    fs.writeFileSync(`${out}/programs/token.js`, `courseData("token", ${JSON.stringify(packed(token.run))});\n`);
}

module.exports = { oneToken, withTokenLinks, copyToken, FILE };
