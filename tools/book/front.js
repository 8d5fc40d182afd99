// The book's front page: one sentence written by one model under a right and a wrong LayerNorm, the ways in, some figures, and the
// chapters as cards. The README, which is for a terminal, is a page of its own.
"use strict";
const { execFileSync } = require("child_process");
const fs = require("fs");
const path = require("path");
const { textOf, sentences, html, escape, readMarkdown, writeHtml } = require("./ast");
const { figureName, inlineFigure } = require("./figure");
const { map } = require("./map");

const MOST_LETTERS = 70000; // of a figure: the first page shall be small
const PROMPT = "Lily sees";
const WRITING = "--temperature 0.6 --max-new-tokens 42 --threads 1";
const norms = [
    { name: "LayerNorm, over the features of one token", program: "13-kv-cache" },
    { name: "the same over columns: a known mistake", program: "13-kv-cache@01-layernorm-columns" },
];

// The text of the packed model, run here as the page runs it; null where there are no programs.
function written({ program }) {
    const wasm = `build/wasm/small/${program}.small`,
        model = fs.existsSync("build/model/model.safetensors") ? "build/model" : "build/book-model";
    if (!fs.existsSync(wasm) || !fs.existsSync(`${model}/model.safetensors`)) return null;
    const args = ["tools/book/wasm/run.js", wasm, "--model", model, "--prompt", PROMPT, ...WRITING.split(" ")];
    return execFileSync("node", args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
}

// Otherwise the two texts that lesson 01 quotes.
function quotedTexts() {
    const lesson = fs.readFileSync("chapters/01-layernorm-vs-batchnorm/README.md", "utf8");
    const outputs = [...lesson.matchAll(/^<!-- output: .*'Lily sees'.*-->\n```\n([^\n]*)/gm)];
    return outputs.slice(0, norms.length).map((m) => m[1]);
}

function demonstration() {
    const ours = norms.map(written),
        live = ours.every(Boolean),
        texts = live ? ours : quotedTexts();
    const panes = norms.map(
        ({ name, program }, i) =>
            `<section aria-label="${escape(name)}"><h2>${escape(name)}</h2>` +
            `<p class="written" data-program="${escape(program)}">${escape(texts[i].trim())}</p></section>`,
    );
    const form = live
        ? `<form class="write-live" hidden data-options="${escape(`--model build/model ${WRITING}`)}">` +
          `<label>It begins with <input type="text" value="${PROMPT}" maxlength="60" required></label> ` +
          '<label>seed <input type="number" value="1" min="0" max="9999"></label> ' +
          '<button type="submit">Write another, through both</button> ' +
          '<span class="run-state" role="status">This fetches two programs and a model: 5.2 MB, once.</span></form>'
        : "";
    return (
        '<div class="live"><p>One small language model, trained once, continues two words; the same weights, the same random ' +
        "numbers. One thing differs: the second LayerNorm takes mean and deviation of each column instead of each row.</p>" +
        `<div class="pair">${panes.join("")}</div>${form}` +
        "<p>Give it another beginning: the first text follows it, the second has the same words as before, but for the first of them.</p>" +
        '<p>Why that destroys a text is the question of <a href="01-layernorm-vs-batchnorm.html">lesson 01</a>.</p></div>'
    );
}

// writes: the pages have editors.
const doors = (first, writes) =>
    '<div class="doors">' +
    `<section aria-label="in the browser"><h2>Read, run and write here</h2><p>Every lesson's program runs in its page, on your machine, ` +
    "with nothing installed. Each lesson asks you to predict before it shows.</p>" +
    (writes
        ? "<p>You write the exercises in the page, too: clang compiles them there, the course's tests say what is wrong, and the programs run " +
          "on your code. Save them as the files of <code>mine/</code> and go on in a terminal.</p>"
        : "") +
    `<p><a class="go" href="${first.file}">Begin with lesson 00</a></p></section>` +
    '<section aria-label="in a terminal"><h2>Work in a terminal</h2><p>The exercises with your own editor, compiler and debugger: ' +
    "<code>make tour</code>, <code>make next</code>, <code>make check-00</code>.</p>" +
    '<p><a class="go" href="terminal.html">How to set it up</a></p></section></div>';

// The figures that the README shows, with what it says of each.
function figures(readme) {
    const rows = [...readme.matchAll(/^\| !\[([^\]]*)\]\((plots\/([\w-]+)\/[\w-]+\.svg)\) \| (.*) \|$/gm)];
    const items = rows.map(([, alternative, file, chapter, words]) => {
        const drawing = inlineFigure(file, alternative),
            id = `figure-${figureName(file)}`;
        if (drawing.length > MOST_LETTERS) return "";
        return (
            `<figure id="${id}"><div class="scroll">${drawing}</div>` +
            `<figcaption>${escape(words)} <a href="${chapter}.html#${id}">In its lesson</a></figcaption></figure>`
        );
    });
    return `<h2 id="what-you-will-see">What you will see</h2><div class="gallery">${items.join("")}</div>`;
}

const numbers = { a: 1, an: 1, one: 1, two: 2, three: 3, four: 4, five: 5, six: 6, seven: 7, eight: 8 };
// The README's hours for a part that is this chapter alone, else "About two and a half hours" at the head of a lesson.
function hoursOf(page, readme) {
    const row = readme.match(new RegExp(`^\\|[^|]*\\| ${page.chapter.slice(0, 2)} \\| (\\d+) \\|`, "m"));
    if (row) return Number(row[1]);
    const head = page.text.split("\n## ")[0];
    const said = head.match(/\b(an?|one|two|three|four|five|six|seven|eight)( and a half)? hours?( and a half)?/i);
    return said ? numbers[said[1].toLowerCase()] + (said[2] || said[3] ? 0.5 : 0) : null;
}

function card(page, readme) {
    const first = page.blocks.find((block) => block.t === "Para");
    const says = textOf(sentences(first.c)[0]).replace(/^Goal: */, "");
    const hours = hoursOf(page, readme),
        exercises = page.exercises.length;
    const facts = [hours && `${hours} h`, exercises && `${exercises} exercise${exercises > 1 ? "s" : ""}`].filter(Boolean);
    return (
        `<li><a href="${page.file}"><b>${escape(page.title)}</b></a><p>${escape(says[0].toUpperCase() + says.slice(1))}</p>` +
        `<p class="facts">${facts.join(" · ")}</p>` +
        `<p class="progress" data-progress="${page.chapter}" data-predictions="${page.predictions}" ` +
        `data-exercises="${page.exercises.join(" ")}"></p></li>`
    );
}

// The front page, as { file, title, blocks }.
function front(pages, hook) {
    const readme = fs.readFileSync("README.md", "utf8"),
        lessons = pages.filter((page) => page.chapter && !page.annex);
    const intro = writeHtml([readMarkdown(readme).find((block) => block.t === "Para")]).replace(/<a\s[^>]*>|<\/a>/g, "");
    const cards = lessons.map((page) => card(page, readme)).join("");
    const body = [
        '<h1 id="front">From LayerNorm to <span class="one-word">GPT-2</span>, in C</h1>',
        intro,
        hook,
        doors(lessons[0], lessons[0].writing),
        demonstration(),
        `<h2 id="chapters">The chapters</h2>${map(pages)}<ol class="cards">${cards}</ol>`,
        '<p class="mine" hidden><button type="button" class="forget">Forget my answers</button></p>',
        figures(readme),
    ];
    return { file: "index.html", title: textOf(pages[0].blocks[0]), blocks: [html(body.join("\n"))], front: true };
}

module.exports = { front };
