// Pages of READMEs, on small texts with a known result; and an error in a lesson is refused with the lesson's name.
"use strict";
const path = require("path");
const { check, finish } = require("./support/browser");

const from = (name) => require(path.resolve("tools/book", name));
const { readMarkdown, writeHtml } = from("ast");
const { lesson } = from("lesson");
const { inlineFigure } = from("figure");

const chapter = "01-layernorm-vs-batchnorm";
const readmes = ["README.md", `chapters/${chapter}/README.md`];

// The page of a text as HTML, or what is said against it.
function pageOf(text, more = {}) {
    const page = {
        text,
        blocks: readMarkdown(text),
        readme: readmes[1],
        readmes,
        chapters: [chapter],
        exercises: [],
        terms: new Map(),
        ...more,
    };
    try {
        return writeHtml(lesson(page), {}, ["--wrap=none"]);
    } catch (error) {
        return `refused: ${error.message}`;
    }
}
const has = (html, part, what) => check(html.includes(part), `${what}: no ${part} in ${html.slice(0, 600)}`);
const hasNot = (html, part, what) => check(!html.includes(part), `${what}: ${part} in ${html.slice(0, 600)}`);

function outputs() {
    const quoted = (command) => pageOf(`<!-- output: ${command} -->\n\`\`\`\nhello\n\`\`\`\n`);
    const plain = quoted(`build/${chapter} --threads 1`);
    has(plain, `<div class="run" data-program="${chapter}" data-args="--threads 1"`, "an output");
    has(plain, "hello", "an output");
    hasNot(plain, "output:", "an output");
    const filtered = quoted(`build/${chapter} --threads 1 2>/dev/null | tail -n 2`);
    has(filtered, 'data-args="--threads 1" data-filter="tail -n 2"', "an output with a filter");
    has(quoted(`build/10-gpt2 --ids "1 2" --grad`), 'data-args="--ids &quot;1 2&quot; --grad"', "an output with quotes");
    for (const command of ["make -s run-01 WRONG=x", "for a in 1; do build/01-x; done", "build/11-a >x && build/12-b"]) {
        has(quoted(command), '<div class="output">', command);
        hasNot(quoted(command), 'class="run"', command);
    }
}

function predictions() {
    const text = (...marks) => `**Predict.** What comes?\n${marks.join("\n")}\n\nThis.\n\n## Next\n\nShown.\n`;
    const choice = pageOf(text("<!-- predict: It: falls | *rises -->"));
    has(choice, 'data-right="1"', "a choice");
    check(/<div class="rest" data-for="predict-1">\s*<p>This.<\/p>\s*<\/div>/.test(choice), "the rest ends at a heading");
    const number = pageOf(text("<!-- predict: It: 0 to 2 = tests/tools/values.csv loss %.2f where norm=none -->"));
    has(number, "refused: predict: It: 0 to 2", "a number from elsewhere than plots/");
    const source = "plots/01-layernorm-vs-batchnorm/padding.csv mean(batchnorm) %.2f where length=32";
    const slider = pageOf(text(`<!-- predict: It: 0.1 to 2 log = ${source} -->`, "<!-- predict: Or: *a | b -->"));
    check(/data-low="0.1" data-high="2" data-measured="0\.\d+" data-log/.test(slider), `a slider: ${slider.slice(0, 500)}`);
    has(slider, "<legend>Or</legend>", "two questions");
    has(pageOf(text()), "<textarea", "a prediction in words");
    for (const [mark, said] of [
        ["It: falls | rises", "expected CHOICE | *THE RIGHT ONE"],
        ["It falls", "expected LABEL: CHOICE"],
        [`It: 2 to 1 = ${source}`, "expected LOW to HIGH"],
        [`It: 0 to 2 log = ${source}`, "expected LOW to HIGH"],
        [`It: 5 to 6 = ${source}`, "not within 5 to 6"],
    ]) {
        const html = pageOf(text(`<!-- predict: ${mark} -->`));
        check(html.startsWith("refused: ") && html.includes(said), `${mark} is taken, or not refused with '${said}'`);
    }
    has(pageOf("Text.\n\n<!-- predict: It: a | *b -->\n"), "refused: no **Predict** above", "a mark without a prediction");
}

function questions() {
    const text = (answers) => `1. One?\n2. Two?\n\n<details><summary>Answers</summary>\n\n${answers}\n\n</details>\n`;
    const html = pageOf(text("1. First.\n\n```\ncode\n```\n\n2. Second."));
    const parts = html.split('<details class="answer">');
    check(parts.length === 3, `two questions have ${parts.length - 1} answers`);
    check(/First[^]*code/.test(parts[1]) && /Second/.test(parts[2]), "what stands between two answers belongs to the first");
    has(pageOf(text("1. Only one.")), "refused: 2 questions have 1 answers", "an answer too few");
}

function exercises() {
    const text = "## Your turn\n\n**`welford`**, easy: write it.\n\n- **`layernorm`**, hard: and this.\n";
    const html = pageOf(text, { chapter, exercises: ["layernorm", "welford"] });
    for (const name of ["layernorm", "welford"]) {
        has(html, `id="exercise-${name}"`, name);
        has(html, `make check-01 EX=${name}`, name);
        has(html, `source/exercises/${chapter}/${name}.c.html`, name);
    }
    has(html, "welford_update", "a signature that the lesson does not quote");
    process.env.MINE_EXERCISES = `${chapter}/welford`;
    process.env.LEARNER = "exercises";
    has(pageOf(text, { chapter, exercises: ["layernorm", "welford"] }), "Yours: ", "MINE=01/welford");
    delete process.env.MINE_EXERCISES;
    has(pageOf("## Your turn\n", { chapter, exercises: ["welford"] }), "does not state welford", "an exercise left out");
}

function inside() {
    has(pageOf("See [it](../../README.md#how-to-work)."), 'href="terminal.html#how-to-work"', "a link to a page");
    has(pageOf("See `common/tensor/tape.h`."), 'href="source/common/tensor/tape.h.html"', "a file's name");
    has(pageOf("$x_1$ and 12.\n<!-- values\n12 a b %d\n-->"), "katex", "a formula");
    hasNot(pageOf("a 2.\n<!-- values\n2 a b %d\n-->"), "<!--", "a list of values");
    has(pageOf("| | b |\n|---|---|\n| 1 | 2 |\n"), '<span class="heard">', "a column without a heading");
    has(pageOf("$\\nothing{x}$"), "refused: KaTeX parse error: Undefined control sequence: \\nothing", "a wrong formula");
    has(pageOf("[gone](gone.md)"), "refused: the link to gone.md leads nowhere", "a broken link");
    has(pageOf("<!-- code: common/tensor/tape.h#gone -->\n```c\n```\n"), "refused: no region //> gone", "a region");
}

function figures() {
    const [a, b] = ["padding", "batch-size"].map((name) => inlineFigure(`plots/${chapter}/${name}.svg`, 'a "figure"'));
    const ids = (svg) => [...svg.matchAll(/ id="([^"]*)"/g)].map((m) => m[1]);
    check(ids(a).length > 0 && !ids(a).some((id) => ids(b).includes(id)), "two figures share no id");
    const missing = [...a.matchAll(/href="#([^"]*)"/g)].filter(([, id]) => !ids(a).includes(id));
    check(!missing.length, `marks that are not there: ${missing}`);
    check(!/(fill|stroke|color)\s?=\s?['"](black|white|gray|#fff)/i.test(a), "a structural colour is left");
    has(a, 'aria-label="a &quot;figure&quot;"', "an alternative text");
    check(/rgb\(213,94,0\)/.test(a), "the data's colours stay");
}

[outputs, predictions, questions, exercises, inside, figures].forEach((test) => test());
finish();
