// build.js OUT: the book, from the READMEs (tools/book/book.sh). Run from the project's root.
"use strict";
const fs = require("fs");
const path = require("path");
const { forgetUnused, readMarkdown, writeHtml, textOf, html, inlineHtml, escape } = require("./ast");
const { pageOf, citing } = require("./links");
const { sourcePages } = require("./source");
const { lesson } = require("./lesson");
const { glossary, notation, papers } = require("./sheets");
const { front } = require("./front");
const { oneToken, hook, copyToken, withTokenLinks } = require("./token/build");
const { searchScript } = require("./search-index");
const { writeFonts } = require("./fonts");

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
const running = fs.existsSync(`${here}/run`);
const writing = fs.existsSync(`${out}/write/about.json`) ? JSON.parse(fs.readFileSync(`${out}/write/about.json`, "utf8")) : null;
// The download of an exercise's editor, in MB; undefined for an exercise without one (write/build.sh).
const editorOf = (exercise) => {
    const there = writing && fs.existsSync(`${out}/write/exercises/${exercise}.json`);
    return there ? String(Math.ceil(writing.bytes / 1e6)) : undefined;
};

// The time of an open problem's judge, in words; undefined where no page can judge it.
const judgeOf = (problem) => {
    const file = `${out}/write/exercises/${problem}.json`;
    if (!fs.existsSync(file)) return undefined;
    const { seconds } = JSON.parse(fs.readFileSync(file, "utf8"));
    return seconds < 2 ? "a second or two" : `about ${seconds < 10 ? Math.round(seconds) : 5 * Math.round(seconds / 5)} seconds`;
};
// The programs that can run on the reader's exercises: their names, with the exercises that each is linked from (write/pack.js).
const linkable = writing ? JSON.parse(fs.readFileSync(`${out}/write/programs.json`, "utf8")) : {};

// The exercises of a lesson, or of one of its annexes: those that a paragraph of the annex begins with.
function exercisesOf(chapter, annex) {
    const names = (folder) => (fs.existsSync(folder) ? fs.readdirSync(folder) : []);
    const solved = names(`solutions/${chapter}`).flatMap((name) => (name.endsWith(".c") ? [name.slice(0, -2)] : []));
    const stated = (file) => solved.filter((name) => fs.readFileSync(file, "utf8").includes(`\n**\`${name}\`**`));
    if (annex) return stated(annex);
    const annexes = names(`chapters/${chapter}`).filter((name) => name.endsWith(".md") && name !== "README.md");
    const elsewhere = annexes.flatMap((name) => stated(`chapters/${chapter}/${name}`));
    return solved.filter((name) => !elsewhere.includes(name));
}

function readPage(readme) {
    const text = fs.readFileSync(readme, "utf8"),
        blocks = readMarkdown(text);
    const chapter = (readme.match(/^chapters\/([^/]+)\//) || [])[1];
    const annex = chapter && !readme.endsWith("/README.md");
    const exercises = chapter ? exercisesOf(chapter, annex && readme) : [];
    return {
        readme,
        text,
        blocks,
        chapter,
        annex,
        exercises,
        editorOf,
        judgeOf,
        writing: Boolean(writing),
        linkable,
        running,
        readmes,
        chapters,
        file: pageOf(readme),
        title: textOf(blocks[0]),
    };
}

// The navigation of every page: all lessons with their hours, the annexes of this one, and the sheets; and which of them this page is.
// Its own contents stand below its entry, so there are entries before and behind them.
function navigation(pages, page, root) {
    const shown = pages.filter((p) => !p.annex || p.chapter === page.chapter),
        at = shown.findIndex((p) => p.file === page.file);
    const items = shown.map(
        (p) =>
            `<li${p.annex ? ' class="annex"' : ""}><a href="${root}${p.file}"${p.file === page.file ? ' aria-current="page"' : ""}` +
            `${p.chapter && !p.annex ? ` data-progress="${p.chapter}"` : ""}>${escape(p.title)}</a></li>`,
    );
    const own = at < 0 ? "" : items[at].replace("</li>", "");
    return {
        before: items.slice(0, Math.max(at, 0)).join("") + own,
        after: (at < 0 ? "" : "</li>") + items.slice(at + 1).join(""),
    };
}

// The first sentences of a page, as a search engine or a link elsewhere shows them.
function description(page) {
    const first = page.blocks && page.blocks.find((block) => block.t === "Para");
    return (first ? textOf(first).replace(/^Goal: /, "") : page.title).slice(0, 220);
}

function neighbour(kind, page, root) {
    const name = kind === "prev" ? "Previous" : "Next";
    return page ? `<a rel="${kind}" href="${root}${page.file}"><span>${name}</span> ${escape(page.title)}</a>` : "";
}

// The pages before and behind one: lessons follow each other, and an annex leads back to its lesson.
function neighbours(page, pages) {
    const lessons = pages.filter((p) => p.chapter && !p.annex);
    if (page.annex) return [lessons.find((p) => p.chapter === page.chapter), null];
    const row = [pages[0], ...lessons],
        at = row.findIndex((p) => p.file === page.file);
    return at < 0 ? [null, null] : [row[at - 1], row[at + 1]];
}

// Sets blocks into page.html.
function setPage(page, blocks, pages, root) {
    const [before, behind] = neighbours(page, pages);
    const entries = navigation(pages, page, root);
    const raw = (text) => ({ t: "MetaInlines", c: text ? [inlineHtml(text)] : [] });
    const meta = {
        pagetitle: raw(escape(page.title)),
        root: raw(root),
        before: raw(entries.before),
        after: raw(entries.after),
        description: raw(escape(description(page))),
        prev: raw(neighbour("prev", before, root)),
        next: raw(neighbour("next", behind, root)),
        chapter: raw(page.chapter),
        front: raw(page.front && "yes"),
        run: raw(running && (page.chapter || page.runs) && "yes"),
        write: raw(writing && (page.chapter || page.runs) && "yes"),
    };
    const options = ["--template", `${here}/page.html`, "--wrap=none"];
    if (blocks.some((b) => b.t === "Header" && b.c[0] > 1)) options.push("--toc", "--toc-depth=3");
    const set = writeHtml(blocks, meta, options);
    return set.includes('class="katex') ? set : set.replace(/<link [^>]*katex\.css">\n/, "");
}

function write(file, text) {
    fs.mkdirSync(path.dirname(path.join(out, file)), { recursive: true });
    fs.writeFileSync(path.join(out, file), text);
}

// One page for each cited file. They differ in title, text and the way to the root only, so pandoc sets one, with marks.
function writeSources(sources, pages) {
    const frame = setPage({ file: "", title: "@title@", blocks: null }, [html("@body@")], pages, "@root@");
    for (const { file, body } of sources) {
        const parts = { title: escape(file), body, root: "../".repeat(file.split("/").length) };
        write(
            `source/${file}.html`,
            frame.replace(/@(title|body|root)@/g, (all, name) => parts[name]),
        );
    }
}

// On the front page: what passes of what was written in this browser.
function progress() {
    const scripts = ["store.js", "archive.js", "progress.js"].map((name) => `<script defer src="write/${name}"></script>`);
    return writing ? [html(`<div id="progress"></div>${scripts.join("")}`)] : [];
}

// KaTeX's style sheet with the one kind of font that all browsers of today read.
function copyKatex() {
    const katex = path.dirname(require.resolve("katex/dist/katex.min.css"));
    const css = fs.readFileSync(`${katex}/katex.min.css`, "utf8").replace(/,url\([^)]*\) format\("(woff|truetype)"\)/g, "");
    fs.writeFileSync(`${out}/katex.css`, css);
    fs.mkdirSync(`${out}/fonts`, { recursive: true });
    for (const font of fs.readdirSync(`${katex}/fonts`).filter((name) => name.endsWith(".woff2"))) {
        fs.copyFileSync(`${katex}/fonts/${font}`, `${out}/fonts/${font}`);
    }
}

// The programs' part of a page is one script.
const runParts = ["load", "time", "files", "program", "model", "plot", "mine", "program-box"].map((name) => `run/${name}.js`);
runParts.splice(5, 0, "svg.js");
runParts.push("interactive-rates.js", "interactive.js");

function copyScripts() {
    for (const name of ["page.css", "page.js", "theme.js", "predict-page.js", "front-page.js", "search.js", ...(running ? ["run.css"] : [])]) {
        fs.copyFileSync(`${here}/${name}`, `${out}/${name}`);
    }
    if (writing) fs.copyFileSync(`${here}/write/loader.js`, `${out}/write.js`);
    if (running) fs.writeFileSync(`${out}/run.js`, runParts.map((name) => fs.readFileSync(`${here}/${name}`, "utf8")).join("\n"));
    for (const name of ["katex", "lunr"]) {
        fs.copyFileSync(path.join(path.dirname(require.resolve(`${name}/package.json`)), "LICENSE"), `${out}/${name}.LICENSE`);
    }
    fs.copyFileSync(require.resolve("lunr/lunr.min.js"), `${out}/lunr.js`);
}

// An error in a lesson is reported with the lesson's name.
function lessonOf(page) {
    citing(page);
    try {
        return lesson(page);
    } catch (error) {
        error.message = `${page.readme}: ${error.message}`;
        throw error;
    }
}

async function build() {
    const pages = readmes.map(readPage);
    pages.forEach((page) => (page.pages = pages));
    const sheets = [
        ["notation.html", notation],
        ["glossary.html", glossary],
        ["papers.html", papers],
    ].map(([file, make]) => {
        const blocks = make(pages);
        return { file, blocks, title: textOf(blocks[0]) };
    });
    const home = { file: "index.html", title: pages[0].title };
    pages[0].title = "In a terminal";
    const token = oneToken(pages);
    const listed = [home, ...(token ? [token] : []), ...pages.slice(1), pages[0], ...sheets];
    for (const page of pages) {
        const blocks = token ? withTokenLinks(lessonOf(page), page) : lessonOf(page);
        write(page.file, setPage(page, blocks, listed, ""));
    }
    const first = front(pages, token ? hook(token) : "");
    first.blocks.push(...progress());
    write("index.html", setPage(first, first.blocks, listed, ""));
    if (token) write(token.file, setPage(token, token.blocks, listed, ""));
    sheets.forEach((sheet) => write(sheet.file, setPage(sheet, sheet.blocks, listed, "")));
    citing(null);
    const sources = sourcePages(new Map(pages.flatMap((page) => page.quoted.map((region) => [region, page]))));
    writeSources(sources, listed);
    const terms = pages.flatMap((page) => page.defines);
    fs.writeFileSync(
        `${out}/search-index.js`,
        searchScript(
            pages,
            terms,
            sources.map((s) => s.file),
        ),
    );
    copyKatex();
    await writeFonts(`${out}/fonts`);
    copyScripts();
    copyToken(out, token);
    forgetUnused();
    const predictions = pages.reduce((sum, p) => sum + p.predictions, 0);
    const exercises = pages.reduce((sum, p) => sum + p.exercises.length, 0);
    console.log(`${out}/index.html: ${listed.length} pages, ${sources.length} files, ${predictions} predictions, ${exercises} exercises`);
}

build().catch((error) => {
    console.error(`book: ${process.env.V ? error.stack : error.message}`);
    process.exit(1);
});
