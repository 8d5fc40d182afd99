// The book as files: no broken link, anchor or image, no id twice, every formula rendered, every exercise complete.
"use strict";
const fs = require("fs");
const path = require("path");
const { book, check, finish } = require("./support/browser");

const pages = new Map(); // file -> { text, ids }
function collect(folder) {
    for (const entry of fs.readdirSync(path.join(book, folder), { withFileTypes: true })) {
        const file = path.join(folder, entry.name);
        if (entry.isDirectory()) collect(file);
        else if (file.endsWith(".html")) {
            const text = fs.readFileSync(path.join(book, file), "utf8");
            pages.set(file, { text, ids: [...text.matchAll(/\sid="([^"]*)"/g)].map((m) => m[1]) });
        }
    }
}
collect("");

const decode = (text) => decodeURIComponent(text.replace(/&amp;/g, "&"));
for (const [file, { text, ids }] of pages) {
    const twice = ids.filter((id, i) => ids.indexOf(id) < i);
    check(!twice.length, `${file}: ids that are there twice: ${twice.slice(0, 3)}`);
    check(!/katex-error|ParseError/.test(text), `${file}: a formula is not rendered`);
    check(!/<!-- ?(code|output|value|given|predict)/.test(text), `${file}: a mark of the README is left`);
    check(!/<img(?![^>]*\salt=")/.test(text), `${file}: an image without an alternative text`);
    check(
        !/<svg(?![^>]*(aria-label="[^"]+"|aria-hidden|xmlns|height=))/.test(text),
        `${file}: a figure without an alternative text`,
    );
    const known = new Set(ids),
        broken = [];
    for (const [, reference] of text.matchAll(/\s(?:href|src|xlink:href)="([^"]*)"/g)) {
        if (/^(https?:|data:|mailto:)/.test(reference)) continue;
        const [name, anchor] = decode(reference).split("#");
        const target = name ? path.join(path.dirname(file), name) : file;
        const exists = pages.has(target) || fs.existsSync(path.join(book, target));
        const anchors = target === file ? known : new Set(pages.has(target) ? pages.get(target).ids : []);
        if (!exists || (anchor && !anchors.has(anchor))) broken.push(reference);
    }
    check(!broken.length, `${file}: ${broken.length} broken links, the first to ${broken[0]}`);
    check(
        !/\s(src|href)="(https?:)?\/\/(?!arxiv)[^"]*\.(js|css|png|svg|woff2)"/.test(text),
        `${file}: something comes from another host`,
    );
}

// Every lesson has a page; every exercise its statement, a signature and its command; every quoted output its text.
const chapters = fs.readdirSync("chapters").filter((name) => fs.existsSync(`chapters/${name}/README.md`));
for (const chapter of chapters) {
    const page = pages.get(`${chapter}.html`),
        readme = fs.readFileSync(`chapters/${chapter}/README.md`, "utf8");
    check(page, `${chapter}: no page`);
    if (!page) continue;
    const stubs = fs.existsSync(`solutions/${chapter}`)
        ? fs.readdirSync(`solutions/${chapter}`).filter((name) => name.endsWith(".c"))
        : [];
    for (const name of stubs.map((stub) => stub.slice(0, -2))) {
        const begin = page.text.indexOf(`id="exercise-${name}"`),
            frame = page.text
                .slice(begin)
                .split(/id="exercise-|<h2/, 2)
                .join("");
        check(begin >= 0, `${chapter}: no exercise ${name}`);
        check(
            frame.includes(`make check-${chapter.slice(0, 2)} EX=${name}`),
            `${chapter}: ${name} without its command`,
        );
        check(/<code class="sourceCode c">/.test(frame), `${chapter}: ${name} without a signature`);
    }
    const program = chapter.startsWith("16-") ? 0 : 1; // that is many processes, and a page has one
    const count = (text, pattern) => [...text.matchAll(pattern)].length;
    check(
        count(page.text, /<div class="(run|run free|output)"/g) === count(readme, /^<!-- output: /gm) + program,
        `${chapter}: outputs are missing`,
    );
    check(
        count(page.text, /<div class="snippet"/g) === count(readme, /^<!-- code: /gm),
        `${chapter}: snippets are missing`,
    );
    check(count(page.text, /<figure id=/g) === count(readme, /^!\[/gm), `${chapter}: figures are missing`);
    check(
        page.text.includes(`<div class="run free" data-program="${chapter}" data-args="`) === (program === 1),
        `${chapter}: nothing to run at its end`,
    );
}

for (const [sheet, least] of [
    ["notation", 40],
    ["glossary", 40],
]) {
    const terms = [...(pages.get(`${sheet}.html`) || { text: "" }).text.matchAll(/<dt>/g)].length;
    check(terms >= least, `${sheet}: ${terms} entries, expected ${least} or more`);
}
const papers = [...pages.get("papers.html").text.matchAll(/<li>[^]*?<em>/g)].length;
check(papers >= 40, `papers: ${papers} entries, expected 40 or more`);
console.log(`  ${pages.size} pages of ${chapters.length} lessons, ${papers} papers`);
finish();
