// Where the links of a README lead in the book; source.js makes the pages of the files that they name.
"use strict";
const fs = require("fs");
const path = require("path");

const sources = new Set(); // files and directories of the repository that a page links to
const citations = new Map(); // of each of them the pages that do, {file: title}
let reader = null;

// From here on it is this page that links.
function citing(page) {
    reader = page;
}

// The page of a README: chapters/01-x/README.md is 01-x.html, and its annex y.md is 01-x-y.html.
function pageOf(readme) {
    if (readme === "README.md") return "terminal.html"; // index.html is front.js's
    const [, chapter, name] = readme.match(/^chapters\/([^/]+)\/(.+)\.md$/) || [];
    if (chapter) return name === "README" ? `${chapter}.html` : `${chapter}-${name}.html`;
    return `${path.basename(readme, ".md").toLowerCase()}.html`;
}

// The page of any other file, at a line: chapters/01-x/main.c is source/chapters/01-x/main.c.html. Both from the root.
function sourcePage(file, line) {
    sources.add(file);
    if (reader) citations.set(file, (citations.get(file) || new Map()).set(reader.file, reader.title));
    return `source/${file}.html${line ? `#l-${line}` : ""}`;
}

// The link `target` of `readme` as its page has it. Fails where there is no such file.
function targetInBook(target, readme, readmes) {
    if (/^([a-z]+:|#)/.test(target)) return target;
    const [name, anchor] = target.split("#");
    const file = path.normalize(path.join(path.dirname(readme), name)).replace(/\/$/, "");
    if (!fs.existsSync(file)) throw new Error(`the link to ${target} leads nowhere`);
    if (readmes.includes(file)) return pageOf(file) + (anchor ? `#${anchor}` : "");
    return sourcePage(file);
}

// The line behind //> region in a file; 1 where the whole file is meant.
function lineOfRegion(file, region) {
    const lines = fs.readFileSync(file, "utf8").split("\n");
    const at = lines.findIndex((line) => line.trim() === `//> ${region}` || line.startsWith(`//> ${region} --`));
    if (at < 0) throw new Error(`no region //> ${region} in ${file}`);
    return at + 2;
}

module.exports = { sources, citations, citing, pageOf, sourcePage, targetInBook, lineOfRegion };
