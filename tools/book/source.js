// The pages of the project's files: coloured, with a way back to the lessons that quote or name them; what a file includes is a
// link, and the marks of a quotation (//> name) say where it is quoted.
"use strict";
const fs = require("fs");
const path = require("path");
const { writeHtml, html, para, str, link, header, escape } = require("./ast");
const { sources, citations } = require("./links");

const language = (file) => (/\.[ch]$/.test(file) ? ["c"] : /\.sh$/.test(file) ? ["bash"] : []);
const isDirectory = (file) => fs.statSync(file).isDirectory();

// The file of `#include "name"`, as the compiler looks for it.
function included(file, name) {
    const candidates = [path.join(path.dirname(file), name), ...["common", "chapters", "tests/support"].map((at) => `${at}/${name}`)];
    return candidates.find((candidate) => fs.existsSync(candidate)) || null;
}
const includesOf = (text) => [...text.matchAll(/^ *#include "([^"]+)"/gm)].map((m) => m[1]);

// A directory's page lists its files and a file's page leads to those that it includes, so each of them needs a page.
function addReached() {
    const left = [...sources];
    while (left.length) {
        const file = left.pop();
        const reached = isDirectory(file)
            ? fs
                  .readdirSync(file)
                  .map((name) => path.join(file, name))
                  .filter((name) => fs.statSync(name).isFile())
            : /\.[ch]$/.test(file)
              ? includesOf(fs.readFileSync(file, "utf8")).map((name) => included(file, name))
              : [];
        for (const next of reached.filter((name) => name && !sources.has(name))) {
            sources.add(next);
            left.push(next);
        }
    }
}

// Where a file stands: its folders, which are links where they have a page, and the lessons that quote or name it.
function wayBack(file) {
    const toRoot = "../".repeat(file.split("/").length),
        folders = file.split("/").slice(0, -1);
    const steps = folders.map((name, i) => {
        const folder = folders.slice(0, i + 1).join("/");
        return sources.has(folder) ? `<a href="${toRoot}source/${folder}.html">${escape(name)}</a>` : escape(name);
    });
    const lessons = [...(citations.get(file) || new Map())].map(([page, title]) => `<a href="${toRoot}${page}">${escape(title)}</a>`);
    const cited = lessons.length ? `<p>Quoted or named in: ${lessons.join(", ")}.</p>` : "";
    return `<div class="way-back"><p>${[...steps, escape(path.basename(file))].join(" / ")}</p>${cited}</div>`;
}

// The lines of a page: marks become links to the lesson that quotes them, or go; includes become links.
function linked(file, body, regions) {
    const toRoot = "../".repeat(file.split("/").length);
    return body
        .replace(/<span class="co">\/\/&gt; ([\w-]+)[^<]*<\/span>/g, (all, name) => {
            const page = regions.get(`${file}#${name}`);
            return page ? `<span class="co quoted">quoted in <a href="${toRoot}${page.file}">${escape(page.title)}</a></span>` : "";
        })
        .replace(/ *<span class="co">\/\/&lt; [^<]*<\/span>/g, "")
        .replace(/<span class="im">&quot;([^&]+)&quot;<\/span>/g, (all, name) => {
            const target = included(file, name);
            return target ? `<a class="include" href="${toRoot}source/${target}.html">${all}</a>` : all;
        });
}

function listing(file) {
    const names = fs
        .readdirSync(file)
        .filter((name) => sources.has(path.join(file, name)))
        .sort();
    return names.map((name) => para(link([str(name)], `${path.basename(file)}/${name}.html`)));
}

// What pandoc makes of the files of one folder, coloured, by file.
const CUT = "<!-- next file -->";
function coloured(files) {
    const blocks = files.flatMap((file) => {
        const text = isDirectory(file) ? "" : fs.readFileSync(file, "utf8").replace(/\n$/, "");
        const code = { t: "CodeBlock", c: [["l", [...language(file), "numberLines", "lineAnchors"], []], text] };
        const body = isDirectory(file) ? listing(file) : [code];
        return [header(1, "", [str(file)]), html("<!-- way back -->"), ...body, html(CUT)];
    });
    // A line's number leads to itself: nothing that a keyboard need stop at.
    const numbered = writeHtml(blocks).replace(/(<a href="#l-\d+")>/g, '$1 tabindex="-1" aria-hidden="true">');
    const bodies = numbered.split(CUT);
    return files.map((file, i) => [file, bodies[i]]);
}

// The bodies of the source pages, as { file, body }.
function sourcePages(regions) {
    addReached();
    const files = [...sources].sort(),
        folders = [...new Set(files.map((file) => path.dirname(file)))];
    const bodies = folders.flatMap((folder) => coloured(files.filter((file) => path.dirname(file) === folder)));
    return bodies.map(([file, body]) => ({
        file,
        body: linked(
            file,
            body.replace("<!-- way back -->", () => wayBack(file)),
            regions,
        ),
    }));
}

module.exports = { sourcePages };
