// build.js OUT: the book, from the READMEs (tools/book/book.sh). Run from the project's root.
"use strict";
const fs = require("fs");
const path = require("path");
const { readMarkdown, writeHtml, textOf, html, inlineHtml, escape } = require("./ast");
const { pageOf, sourcePages, addFilesOfDirectories } = require("./links");
const { lesson } = require("./lesson");
const { glossary, notation, papers } = require("./sheets");
const { searchScript } = require("./search-index");

const out = process.argv[2];
const here = path.relative(process.cwd(), __dirname);
const chapters = fs
    .readdirSync("chapters")
    .filter((name) => fs.existsSync(`chapters/${name}/README.md`))
    .sort();
// A lesson, and behind it its annexes.
const lessonsOf = (name) => {
    const pages = fs.readdirSync(`chapters/${name}`).filter((file) => file.endsWith(".md") && file !== "README.md");
    return ["README.md", ...pages.sort()].map((file) => `chapters/${name}/${file}`);
};
const readmes = ["README.md", ...chapters.flatMap(lessonsOf), "CONTRIBUTING.md"];
const running = fs.existsSync(`${here}/run.js`);
const writing = fs.existsSync(`${out}/write/about.json`) ? JSON.parse(fs.readFileSync(`${out}/write/about.json`, "utf8")) : null;
// What an exercise's editor fetches, in MB; undefined for one that has none (write/build.sh).
const editorOf = (exercise) => {
    const there = writing && fs.existsSync(`${out}/write/exercises/${exercise}.json`);
    return there ? String(Math.ceil(writing.bytes / 1e6)) : undefined;
};

function readPage(readme) {
    const text = fs.readFileSync(readme, "utf8"),
        blocks = readMarkdown(text);
    const chapter = (readme.match(/^chapters\/([^/]+)\//) || [])[1];
    const annex = chapter && !readme.endsWith("/README.md");
    const folder = chapter && !annex && fs.existsSync(`solutions/${chapter}`) ? fs.readdirSync(`solutions/${chapter}`) : [];
    const exercises = folder.filter((name) => name.endsWith(".c")).map((name) => name.slice(0, -2));
    return {
        readme,
        text,
        blocks,
        chapter,
        annex,
        exercises,
        editorOf,
        running,
        readmes,
        chapters,
        file: pageOf(readme),
        title: textOf(blocks[0]),
    };
}

// What every page shows: all pages, and which of them this one is.
function navigation(pages, file, root) {
    const items = pages.map(
        (p) =>
            `<li><a href="${root}${p.file}"${p.file === file ? ' aria-current="page"' : ""}>${escape(p.title)}</a></li>`,
    );
    return `<ul>${items.join("")}</ul>`;
}

function neighbour(kind, page, root) {
    const name = kind === "prev" ? "Previous" : "Next";
    return page ? `<a rel="${kind}" href="${root}${page.file}"><span>${name}</span> ${escape(page.title)}</a>` : "";
}

// Sets blocks into page.html.
function setPage(page, blocks, pages, root) {
    const at = pages.findIndex((p) => p.file === page.file),
        ordered = at === 0 || Boolean(page.chapter);
    const raw = (text) => ({ t: "MetaInlines", c: text ? [inlineHtml(text)] : [] });
    const meta = {
        pagetitle: raw(escape(page.title)),
        root: raw(root),
        navigation: raw(navigation(pages, page.file, root)),
        prev: raw(ordered && at > 0 && neighbour("prev", pages[at - 1], root)),
        next: raw(ordered && pages[at + 1].chapter && neighbour("next", pages[at + 1], root)),
        chapter: raw(page.chapter),
        run: raw(running && page.chapter && "yes"),
        write: raw(writing && page.exercises && page.exercises.length > 0 && "yes"),
    };
    const options = ["--template", `${here}/page.html`, "--wrap=none"];
    if (blocks.some((b) => b.t === "Header" && b.c[0] > 1)) options.push("--toc", "--toc-depth=3");
    return writeHtml(blocks, meta, options);
}

function write(file, text) {
    fs.mkdirSync(path.dirname(path.join(out, file)), { recursive: true });
    fs.writeFileSync(path.join(out, file), text);
}

// One page for each cited file. They differ in title, text and the way to the root only, so pandoc sets one, with marks.
function writeSources(sources, pages) {
    const frame = setPage({ file: "", title: "@title@" }, [html("@body@")], pages, "@root@");
    for (const { file, body } of sources) {
        const parts = { title: escape(file), body, root: "../".repeat(file.split("/").length) };
        write(
            `source/${file}.html`,
            frame.replace(/@(title|body|root)@/g, (all, name) => parts[name]),
        );
    }
}

// The front page's map, behind its first paragraph: every lesson with its goal, the first paragraph of each.
function map(pages) {
    const items = pages.filter((p) => p.chapter && !p.annex).map((p) => `<li><a href="${p.file}">${escape(p.title)}</a></li>`);
    return html(`<nav class="map" aria-label="lessons"><ol>${items.join("")}</ol></nav>`);
}

// Below it, what passes of what was written in this browser.
function progress() {
    const scripts = ["store.js", "archive.js", "progress.js"].map((name) => `<script defer src="write/${name}"></script>`);
    return writing ? [html(`<div id="progress"></div>${scripts.join("")}`)] : [];
}

// KaTeX's style sheet with the one kind of font that all browsers of today read.
function copyKatex() {
    const katex = path.dirname(require.resolve("katex/dist/katex.min.css"));
    const css = fs
        .readFileSync(`${katex}/katex.min.css`, "utf8")
        .replace(/,url\([^)]*\) format\("(woff|truetype)"\)/g, "");
    fs.writeFileSync(`${out}/katex.css`, css);
    fs.mkdirSync(`${out}/fonts`, { recursive: true });
    for (const font of fs.readdirSync(`${katex}/fonts`).filter((name) => name.endsWith(".woff2"))) {
        fs.copyFileSync(`${katex}/fonts/${font}`, `${out}/fonts/${font}`);
    }
}

function copyScripts() {
    for (const name of [
        "page.css",
        "page.js",
        "theme.js",
        "predict-page.js",
        "search.js",
        ...(running ? ["run.js", "run.css"] : []),
    ]) {
        fs.copyFileSync(`${here}/${name}`, `${out}/${name}`);
    }
    if (writing) fs.copyFileSync(`${here}/write/open.js`, `${out}/write.js`);
    for (const name of ["katex", "lunr"]) {
        fs.copyFileSync(
            path.join(path.dirname(require.resolve(`${name}/package.json`)), "LICENSE"),
            `${out}/${name}.LICENSE`,
        );
    }
    fs.copyFileSync(require.resolve("lunr/lunr.min.js"), `${out}/lunr.js`);
}

// What is wrong in a lesson is said with its name.
function lessonOf(page) {
    try {
        return lesson(page);
    } catch (error) {
        error.message = `${page.readme}: ${error.message}`;
        throw error;
    }
}

function build() {
    const pages = readmes.map(readPage);
    const sheets = [
        ["notation.html", notation],
        ["glossary.html", glossary],
        ["papers.html", papers],
    ].map(([file, make]) => {
        const blocks = make(pages);
        return { file, blocks, title: textOf(blocks[0]) };
    });
    const listed = [...pages, ...sheets];
    for (const page of pages) {
        const blocks = lessonOf(page);
        if (page.file === "index.html") blocks.splice(2, 0, map(pages), ...progress());
        write(page.file, setPage(page, blocks, listed, ""));
    }
    sheets.forEach((sheet) => write(sheet.file, setPage(sheet, sheet.blocks, listed, "")));
    addFilesOfDirectories();
    const sources = sourcePages();
    writeSources(sources, listed);
    fs.writeFileSync(`${out}/search-index.js`, searchScript(pages));
    copyKatex();
    copyScripts();
    const predictions = pages.reduce((sum, p) => sum + p.predictions, 0);
    const exercises = pages.reduce((sum, p) => sum + p.exercises.length, 0);
    console.log(
        `${out}/index.html: ${listed.length} pages, ${sources.length} files, ${predictions} predictions, ${exercises} exercises`,
    );
}

try {
    build();
} catch (error) {
    if (process.env.V) throw error;
    console.error(`book: ${error.message}`);
    process.exit(1);
}
