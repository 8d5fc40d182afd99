// Where the links of a README lead in the book, and the pages of the files that they name.
"use strict";
const fs = require("fs");
const path = require("path");
const { writeHtml, html, para, str, link, header } = require("./ast");

const sources = new Set(); // files and directories of the repository that a page links to

// The page of a README: chapters/01-x/README.md is 01-x.html, and its annex y.md is 01-x-y.html.
function pageOf(readme) {
    if (readme === "README.md") return "index.html";
    const [, chapter, name] = readme.match(/^chapters\/([^/]+)\/(.+)\.md$/) || [];
    if (chapter) return name === "README" ? `${chapter}.html` : `${chapter}-${name}.html`;
    return `${path.basename(readme, ".md").toLowerCase()}.html`;
}

// The page of any other file, at a line: chapters/01-x/main.c is source/chapters/01-x/main.c.html. Both from the root.
function sourcePage(file, line) {
    sources.add(file);
    return `source/${file}.html${line ? `#l-${line}` : ""}`;
}

// What the link `target` of `readme` becomes in its page. Fails where there is no such file.
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

const language = (file) => (/\.[ch]$/.test(file) ? ["c"] : /\.sh$/.test(file) ? ["bash"] : []);

// The bodies of the source pages, as [file, blocks, html]: one run of pandoc colours all of them.
function sourcePages() {
    const cut = "<!-- next file -->";
    const blocks = [];
    const files = [...sources].sort();
    for (const file of files) {
        blocks.push(header(1, "", [str(file)]));
        if (fs.statSync(file).isDirectory()) {
            const names = fs
                .readdirSync(file)
                .filter((name) => sources.has(path.join(file, name)))
                .sort();
            names.forEach((name) => blocks.push(para(link([str(name)], `${path.basename(file)}/${name}.html`))));
        } else {
            const text = fs.readFileSync(file, "utf8").replace(/\n$/, "");
            blocks.push({ t: "CodeBlock", c: [["l", [...language(file), "numberLines", "lineAnchors"], []], text] });
        }
        blocks.push(html(cut));
    }
    // A line's number leads to itself: nothing that a keyboard need stop at.
    const numbered = writeHtml(blocks).replace(/(<a href="#l-\d+")>/g, '$1 tabindex="-1" aria-hidden="true">');
    const bodies = numbered.split(cut);
    return files.map((file, i) => ({ file, body: bodies[i] }));
}

// A directory's page lists its files, so each of them needs a page.
function addFilesOfDirectories() {
    for (const name of [...sources]) {
        if (!fs.statSync(name).isDirectory()) continue;
        fs.readdirSync(name)
            .map((n) => path.join(name, n))
            .filter((n) => fs.statSync(n).isFile())
            .forEach((n) => sources.add(n));
    }
}

module.exports = { pageOf, sourcePage, targetInBook, lineOfRegion, sourcePages, addFilesOfDirectories };
