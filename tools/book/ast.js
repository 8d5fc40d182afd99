// pandoc's documents as JSON: every element is { t: its kind, c: its contents }.
"use strict";
const { execFileSync } = require("child_process");
const { createHash } = require("crypto");
const fs = require("fs");

// What pandoc made of the same input before is read again: nearly all of a build's time is pandoc's.
const kept = "build/book-pandoc",
    used = new Set();
function pandoc(args, input) {
    const hash = createHash("sha256").update(JSON.stringify(args)).update(template(args)).update(input);
    const name = hash.digest("hex"),
        file = `${kept}/${name}`;
    used.add(name);
    if (fs.existsSync(file)) return fs.readFileSync(file, "utf8");
    const made = execFileSync("pandoc", args, { input, maxBuffer: 1 << 28, encoding: "utf8" });
    fs.mkdirSync(kept, { recursive: true });
    fs.writeFileSync(`${file}.new`, made);
    fs.renameSync(`${file}.new`, file);
    return made;
}
const template = (args) => (args.includes("--template") ? fs.readFileSync(args[args.indexOf("--template") + 1]) : "");

// Behind a build: what it did not need is gone.
function forgetUnused() {
    for (const name of fs.readdirSync(kept)) if (!used.has(name)) fs.rmSync(`${kept}/${name}`);
}

// The blocks of a Markdown text as GitHub reads it, with $...$ for formulas.
let version; // of the JSON that this pandoc writes, and reads
function readMarkdown(text) {
    const read = JSON.parse(pandoc(["-f", "gfm+tex_math_dollars", "-t", "json"], text));
    version = read["pandoc-api-version"];
    return read.blocks;
}

// Blocks as HTML. meta: the variables of a template, as pandoc's MetaValues.
function writeHtml(blocks, meta = {}, options = []) {
    const json = JSON.stringify({ "pandoc-api-version": version, meta, blocks });
    return pandoc(["-f", "json", "-t", "html5", ...options], json);
}

// Copies a tree of elements. change(element) returns what takes its place: an element, a list of them, or undefined to keep
// it and go on inside.
function rewrite(node, change) {
    if (Array.isArray(node)) {
        return node.flatMap((child) => {
            const changed = child && child.t ? change(child) : undefined;
            return changed === undefined ? [rewrite(child, change)] : changed;
        });
    }
    if (!node || typeof node !== "object") return node;
    return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, rewrite(value, change)]));
}

// Calls see(element) for every element below node, from the first to the last.
function visit(node, see) {
    if (Array.isArray(node)) node.forEach((child) => visit(child, see));
    else if (node && typeof node === "object") {
        if (node.t) see(node);
        Object.values(node).forEach((child) => visit(child, see));
    }
}

// The words of a tree; formulas as TeX, between dollars where `math`, or what math(tex) makes of them; without blocks of code unless `code`.
function textOf(node, { math = false, code = false } = {}) {
    let text = "";
    const blocks = new Set(["Para", "Plain", "Header", "CodeBlock"]);
    visit(node, (e) => {
        if (blocks.has(e.t)) text += " ";
        if (e.t === "Str") text += e.c;
        else if (e.t === "Space" || e.t === "SoftBreak" || e.t === "LineBreak") text += " ";
        else if (e.t === "Code" || (e.t === "CodeBlock" && code)) text += e.c[1];
        else if (e.t === "Math") text += typeof math === "function" ? math(e.c[1]) : math ? `$${e.c[1]}$` : e.c[1];
    });
    return text.replace(/\s+/g, " ").trim();
}

// The inlines of a paragraph, cut behind each sentence.
function sentences(inlines) {
    const list = [[]];
    inlines.forEach((e, i) => {
        list[list.length - 1].push(e);
        const [next, word] = inlines.slice(i + 1, i + 3);
        const goesOn = /[?!]/.test(e.c) && word && word.t === "Str" && /^[a-z]/.test(word.c); // "(what am I?) and a value"
        const ends = e.t === "Str" && /[.?!][)”"]*$/.test(e.c) && !/^(e\.g|i\.e|al|vs|cf)\.$/.test(e.c);
        if (ends && !goesOn && next && (next.t === "Space" || next.t === "SoftBreak")) list.push([]);
    });
    return list.map((s) => (s[0] && /^(Space|SoftBreak)$/.test(s[0].t) ? s.slice(1) : s)).filter((s) => s.length);
}

const html = (text) => ({ t: "RawBlock", c: ["html", text] });
const inlineHtml = (text) => ({ t: "RawInline", c: ["html", text] });
const para = (...inlines) => ({ t: "Para", c: inlines });
const str = (text) => ({ t: "Str", c: text });
// A link that is the book's own: its target is a page already.
const own = new WeakSet();
function link(inlines, target) {
    const element = { t: "Link", c: [["", [], []], inlines, [target, ""]] };
    own.add(element);
    return element;
}
const isOwnLink = (element) => own.has(element);
const header = (level, id, inlines) => ({ t: "Header", c: [level, [id, [], []], inlines] });
const div = (classes, attributes, blocks, id = "") => ({ t: "Div", c: [[id, classes, attributes], blocks] });
const code = (text) => ({ t: "Code", c: [["", [], []], text] });
const escape = (text) =>
    String(text).replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);

// "<!-- kind: text -->": the text, or undefined where a block is none of that kind.
function comment(block, kind) {
    const match = block && block.t === "RawBlock" && block.c[1].match(/^<!-- ([a-z]+):?\s([^]*)-->\s*$/);
    return match && match[1] === kind ? match[2].trim() : undefined;
}

module.exports = {
    forgetUnused,
    readMarkdown,
    writeHtml,
    rewrite,
    visit,
    textOf,
    sentences,
    html,
    inlineHtml,
    para,
    str,
    link,
    isOwnLink,
    header,
    div,
    code,
    escape,
    comment,
};
