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

const WRONG = [
    [/katex-error|ParseError/, "a formula is not rendered"],
    [/<!-- ?(code|output|value|given|predict)/, "a mark of the README is left"],
    [/<img(?![^>]*\salt=")/, "an image without an alternative text"],
    [/<svg(?![^>]*(aria-label="[^"]+"|aria-hidden|xmlns|height=))/, "a figure without an alternative text"],
    [/\s(src|href)="(https?:)?\/\/(?!arxiv)[^"]*\.(js|css|png|svg|woff2)"/, "something comes from another host"],
];
const decode = (text) => decodeURIComponent(text.replace(/&amp;/g, "&"));
for (const [file, { text, ids }] of pages) {
    const twice = ids.filter((id, i) => ids.indexOf(id) < i);
    check(!twice.length, `${file}: ids that are there twice: ${twice.slice(0, 3)}`);
    for (const [pattern, what] of WRONG) check(!pattern.test(text), `${file}: ${what}`);
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
}

// Every lesson has a page; every exercise its statement, a signature and its command; every quoted output its text.
const chapters = fs.readdirSync("chapters").filter((name) => fs.existsSync(`chapters/${name}/README.md`));
for (const chapter of chapters) {
    const page = pages.get(`${chapter}.html`),
        stated = [...pages].filter(([file]) => file.startsWith(chapter)).map(([, { text }]) => text).join("\n"),
        readme = fs.readFileSync(`chapters/${chapter}/README.md`, "utf8");
    check(page, `${chapter}: no page`);
    if (!page) continue;
    const folder = fs.existsSync(`solutions/${chapter}`) ? fs.readdirSync(`solutions/${chapter}`) : [];
    for (const name of folder.filter((file) => file.endsWith(".c")).map((file) => file.slice(0, -2))) {
        const begin = stated.indexOf(`id="exercise-${name}"`),
            frame = stated.slice(begin).split(/id="exercise-|<h2/, 2).join("");
        check(begin >= 0, `${chapter}: no exercise ${name}`);
        check(frame.includes(`make check-${chapter.slice(0, 2)} EX=${name}`), `${chapter}: ${name} without its command`);
        check(/<code class="sourceCode c">/.test(frame), `${chapter}: ${name} without a signature`);
    }
    const program = chapter.startsWith("16-") ? 0 : 1; // that is many processes, and a page has one
    for (const [kind, inPage, inReadme, more] of [
        ["outputs", /<div class="(run|run free|output)"/g, /^<!-- output: /gm, program],
        ["snippets", /<div class="snippet"/g, /^<!-- code: /gm, 0],
        ["figures", /<figure id=/g, /^!\[/gm, 0],
    ])
        check([...page.text.matchAll(inPage)].length === [...readme.matchAll(inReadme)].length + more, `${chapter}: ${kind} are missing`);
    const runs = page.text.includes(`<div class="run free" data-program="${chapter}" data-args="`);
    check(runs === (program === 1), `${chapter}: nothing to run at its end`);
}

for (const [sheet, entry] of [
    ["notation", /<dt>/g],
    ["glossary", /<dt>/g],
    ["papers", /<li>[^]*?<em>/g],
]) {
    const entries = [...(pages.get(`${sheet}.html`) || { text: "" }).text.matchAll(entry)].length;
    check(entries >= 40, `${sheet}: ${entries} entries, expected 40 or more`);
}
console.log(`  ${pages.size} pages of ${chapters.length} lessons`);
finish();
