// A README's blocks as the blocks of its page: snippets with their files, outputs that can be run, figures, boxes for
// predictions, exercises with their signature and commands, each question with its answer, formulas and links.
"use strict";
const fs = require("fs");
const path = require("path");
const katex = require("katex");
const { rewrite, visit, textOf, html, inlineHtml, div, para, str, link, isOwnLink, header, code, comment, escape } = require("./ast");
const { sourcePage, targetInBook, lineOfRegion } = require("./links");
const { figureName, inlineFigure } = require("./figure");
const { exercises } = require("./exercises");
const { predictions } = require("./predict");
const { map } = require("./map");

// --- blocks that a comment names --------------------------------------------------------------------------------------
// <!-- code: FILE#REGION -->: the snippet and, below it, its file at that line.
function snippet(where, block) {
    const [file, region] = where.split("#");
    const target = sourcePage(file, lineOfRegion(file, region));
    return div(["snippet"], [["data-file", file]], [block, div(["where"], [], [para(link([str(file)], target))])]);
}

// "build/NN-name ARGS [2>/dev/null] [| FILTER]" as { program, args, filter }; null for anything else.
function commandOf(text) {
    const match = text.match(/^build\/([0-9]{2}-[a-z0-9-]+)((?: +(?:[^\s|&;<>$'"`]+|'[^']*'|"[^"$`]*"))*) *(2>[^ |&]*)? *(?:\|(?!\|) *(.+))?$/);
    return match && { program: match[1], args: match[2].trim(), filter: match[4] };
}

// "make -s run-NN WRONG=NN/name/mistake ARGS="..."": chapter NN's program with that mistake in it.
function wrongCommandOf(text, chapters) {
    const match = text.match(/^make -s run-(\d\d) WRONG=([\w/-]+) ARGS="([^"]*)"$/);
    const program = match && chapters.find((name) => name.startsWith(match[1]));
    return match && program ? { program: `${program}@${match[2].replace(/\//g, "-")}`, args: match[3] } : null;
}

// The models that lessons train, { directory: "NN-name ARGS" }: a command that saves a model, followed by && and one that
// uses it.
let trained = null;
function trainedModels() {
    if (trained) return trained;
    trained = {};
    for (const chapter of fs.readdirSync("chapters").filter((name) => !name.endsWith(".md"))) {
        for (const file of fs.readdirSync(`chapters/${chapter}`).filter((name) => name.endsWith(".md"))) {
            const text = fs.readFileSync(`chapters/${chapter}/${file}`, "utf8");
            const pattern = /^<!-- output: build\/(\S+) (.*--save (\S+)[^>&|]*?) *>\/dev\/null 2>&1 && /gm;
            for (const [, program, args, directory] of text.matchAll(pattern)) trained[directory] = `${program} ${args}`;
        }
    }
    return trained;
}

// Seconds of "NN-name ARGS", as measured (seconds.txt).
let measuredSeconds = null;
function secondsOf(command) {
    const file = path.join(__dirname, "seconds.txt");
    measuredSeconds ??= new Map(
        (fs.existsSync(file) ? fs.readFileSync(file, "utf8").trim().split("\n") : []).map((line) => {
            const [, seconds, what] = line.match(/^(\S+) (.*)$/);
            return [what, seconds];
        }),
    );
    return measuredSeconds.get(command);
}

// The attributes of a box: what run.js needs to run the same.
function boxAttributes({ program, args, filter }) {
    const model = (args.match(/--model (\S+)/) || [])[1],
        isGiven = fs.existsSync(`build/book-${path.basename(model || "-")}/model.safetensors`), // model.sh
        before = isGiven ? undefined : trainedModels()[model],
        seconds = secondsOf(`${program} ${args}`.trim());
    return [
        ["data-program", program],
        ["data-args", args],
        ...(filter ? [["data-filter", filter]] : []),
        ...(seconds ? [["data-seconds", seconds]] : []),
        ...(before
            ? [
                  ["data-model", model],
                  ["data-before", before],
              ]
            : []),
        ...(before && secondsOf(before) ? [["data-before-seconds", secondsOf(before)]] : []),
    ];
}

// <!-- output: COMMAND -->: a box. An output of anything else, a loop or make, stays text.
function output(command, block, page) {
    const last = command.replace(/^build\/\S+ [^&|]*--save [^&|]*>\/dev\/null 2>&1 && /, "");
    const parsed = commandOf(last) || wrongCommandOf(last, page.chapters);
    return parsed ? div(["run"], boxAttributes(parsed), [block]) : div(["output"], [], [block]);
}

// "make run-NN MINE=... ARGS="..." # words" of a block of commands: one box for all of them, below it.
function commands(block, page) {
    const pattern = /^make (?:-s )?run-(\d\d) (MINE|WRONG)=("[^"]*"|\S+)(?: +ARGS="([^"]*)")? *(?:#.*)?$/gm;
    const list = [...block.c[1].matchAll(pattern)].flatMap(([line, number, kind, names, args = ""]) => {
        const program = page.chapters.find((name) => name.startsWith(number));
        if (!page.linkable || !page.linkable[program]) return [];
        const says = line.replace(/ *#.*$/, "").replace(/ +/g, " ");
        const code = { kind: kind.toLowerCase(), names: names.replace(/"/g, "") };
        return [{ says, code, ...Object.fromEntries(boxAttributes({ program, args })) }];
    });
    if (!list.some(({ code }) => code.kind === "mine")) return [];
    const attributes = [
        ["data-program", list[0]["data-program"]],
        ["data-args", list[0]["data-args"]],
        ["data-commands", JSON.stringify(list)],
    ];
    return [div(["run", "commands"], attributes, [])];
}

function figure(image, caption, page) {
    const [, words, [target]] = image.c;
    const file = path.normalize(path.join(path.dirname(page.readme), target));
    const id = `figure-${figureName(file)}`;
    const begin = `<figure id="${id}"><div class="scroll">${inlineFigure(file, textOf(words))}</div>`;
    if (!caption) return [html(`${begin}</figure>`)];
    return [html(`${begin}<figcaption>`), { t: "Plain", c: caption }, html("</figcaption></figure>")];
}

const only = (block, kind) => (block && block.t === "Para" && block.c.length === 1 && block.c[0].t === kind ? block.c[0] : null);

function namedBlocks(blocks, page) {
    const out = [];
    page.quoted = [];
    for (let i = 0; i < blocks.length; i++) {
        const block = blocks[i],
            next = blocks[i + 1];
        const region = comment(block, "code"),
            command = comment(block, "output"),
            image = only(block, "Image");
        if (region !== undefined) {
            page.quoted.push(region);
            out.push(snippet(region, next));
            i++;
        } else if (command !== undefined) (out.push(output(command, next, page)), i++);
        else if (comment(block, "given") !== undefined || comment(block, "values") !== undefined) continue;
        else if (image) {
            const caption = only(next, "Emph");
            out.push(...figure(image, caption && caption.c, page));
            if (caption) i++;
        } else if (block.t === "CodeBlock") out.push(block, ...commands(block, page));
        else out.push(block);
    }
    return out;
}

// --- questions ---------------------------------------------------------------------------------------------------------
// The answers between <details> and </details>, one list of blocks each; what stands between two items belongs to the first.
function answersOf(blocks) {
    const answers = [];
    for (const block of blocks) {
        if (block.t === "OrderedList") answers.push(...block.c[1].map((item) => [...item]));
        else if (answers.length) answers[answers.length - 1].push(block);
    }
    return answers;
}

function questions(blocks) {
    const open = blocks.findIndex((b) => b.t === "RawBlock" && /<summary>Answers<\/summary>/.test(b.c[1]));
    const list = open - 1;
    if (open < 1 || blocks[list].t !== "OrderedList") return blocks;
    const close = blocks.findIndex((b, i) => i > open && b.t === "RawBlock" && /<\/details>/.test(b.c[1]));
    const answers = answersOf(blocks.slice(open + 1, close));
    const [settings, items] = blocks[list].c;
    if (answers.length !== items.length) throw new Error(`${items.length} questions have ${answers.length} answers`);
    const asked = items.map((item, i) => [...item, html('<details class="answer"><summary>Answer</summary>'), ...answers[i], html("</details>")]);
    return [...blocks.slice(0, list), { t: "OrderedList", c: [settings, asked] }, ...blocks.slice(close + 1)];
}

// --- inside of blocks ------------------------------------------------------------------------------------------------------
function formula(element) {
    const displayMode = element.c[0].t === "DisplayMath";
    return inlineHtml(katex.renderToString(element.c[1], { displayMode, throwOnError: true, strict: "ignore" }));
}

// `name` of the map of a chapter or `common/files/file.c` anywhere: the file's page, if there is such a file.
function fileNamed(text, page) {
    const inRepository = /^(chapters|common|exercises|tests|tools|plots)\/[\w.\/-]+[\w]$/.test(text) && text;
    const inChapter = page.chapter && /^[\w-]+\.(\[ch\]|[ch])$/.test(text) && `chapters/${page.chapter}/${text.replace("[ch]", "c")}`;
    const file = inRepository || inChapter;
    return file && fs.existsSync(file) && fs.statSync(file).isFile() ? file : null;
}

// A column without a heading has one for screen readers; a row of none is left out.
function nameColumns(table) {
    const head = table.c[3];
    head[1] = head[1].filter((row) => textOf(row[1], { math: true }));
    for (const cell of head[1].flatMap((row) => row[1])) {
        if (!textOf(cell[4])) cell[4] = [{ t: "Plain", c: [inlineHtml('<span class="heard">which</span>')] }];
    }
}

// A block of code with the classes for its width (page.css): lines that are longer than the text's make it wide; without
// columns it wraps, and is no wider than the text where a line is longer than the page, as a model writes.
const MEASURE = 68; // letters of code in the width of the text
const PAGE = 104;
function fitted({ t, c: [[id, classes, attributes], text] }) {
    const longest = Math.max(...text.split("\n").map((line) => line.length)),
        wraps = !classes.length && !/\S {2,}\S/.test(text);
    const wide = longest > MEASURE && (longest <= PAGE || !wraps || /^make /m.test(text));
    return { t, c: [[id, [...classes, ...(wraps ? ["prose"] : []), ...(wide ? ["wide"] : [])], attributes], text] };
}

// A heading is not broken within "GPT-2".
const unbroken = (e) => (e.t === "Str" && e.c.includes("GPT-2") ? { t: "Span", c: [["", ["one-word"], []], [e]] } : e);

// Formulas, tables, links, files and terms of any tree of elements; comments are left out.
function inlines(tree, page, terms = new Map()) {
    return rewrite(tree, (e) => {
        if (e.t === "Math") return formula(e);
        if (e.t === "RawInline" && /^<!--/.test(e.c[1])) return [];
        if (isOwnLink(e)) return e;
        if (e.t === "Table") {
            nameColumns(e);
            return div(["scroll"], [], [{ t: "Table", c: inlines(e.c, page, terms) }]);
        }
        if (e.t === "Link") {
            return link(inLink(e.c[1], page), targetInBook(e.c[2][0], page.readme, page.readmes));
        }
        if (e.t === "CodeBlock") return fitted(e);
        if (e.t === "Header") return { ...e, c: [e.c[0], e.c[1], inlines(e.c[2], page, terms).map(unbroken)] };
        if (e.t === "Image") return figureLink(e, page);
        if (e.t === "Code") {
            const file = fileNamed(e.c[1], page);
            return file ? link([e], sourcePage(file)) : undefined;
        }
        if (e.t === "Strong" && terms.has(e)) return { t: "Span", c: [[terms.get(e), ["term"], []], [{ t: "Strong", c: inlines(e.c, page) }]] };
        return undefined;
    });
}
const inLink = (tree) => rewrite(tree, (e) => (e.t === "Math" ? formula(e) : undefined));

// A figure within a line, as the front page's tables have them: a link to where it stands in its lesson.
function figureLink(image, page) {
    const file = path.normalize(path.join(path.dirname(page.readme), image.c[2][0]));
    const chapter = path.basename(path.dirname(file));
    return link(image.c[1], `${chapter}.html#figure-${figureName(file)}`);
}

// The blocks of a page. page: { readme, text, blocks, chapter, exercises, readmes, chapters, terms }; it gets the number of
// its predictions.
const NO_PROGRAM = /^16-/; // it is many processes, and a page has one
// The options that a box begins with, where none would do nothing.
const FREE_OPTIONS = { "17-one-file": "build/model -p 'Anna puts' -n 60" };

function tryIt(page) {
    const heading = header(2, "try-it", [str("Try it")]);
    if (NO_PROGRAM.test(page.chapter)) {
        const why = "This chapter's program is several processes that MPI starts, and a page has one. In a terminal: ";
        return [heading, para(str(why), code(`make run-${page.chapter.slice(0, 2)} RANKS=4`), str("."))];
    }
    const command = { program: page.chapter, args: FREE_OPTIONS[page.chapter] || "" };
    return [...(page.running ? [heading] : []), div(["run", "free"], boxAttributes(command), [])];
}

// Below the statement of an open problem, "**`name`** ...", the place of its editor.
function problems(blocks, page) {
    const nameOf = ({ t, c }) => (t === "Para" && c[0].t === "Strong" && c[0].c[0].t === "Code" ? c[0].c[0].c[1] : "");
    return blocks.flatMap((block) => {
        const name = nameOf(block),
            takes = name && page.judgeOf && page.judgeOf(`${page.chapter}/problems/${name}`);
        if (!takes) return [block];
        const attributes = Object.entries({ "data-problem": name, "data-seconds": takes, role: "group", "aria-label": `open problem ${name}` });
        return [block, div(["problem"], attributes, [], `problem-${name}`)];
    });
}

const nameOf = (annex) => annex.title.replace(/^\d\d · (Annex: *)?/, "").replace(/^./, (letter) => letter.toUpperCase());
// Beside a paragraph that links to an annex of its lesson, what the annex is.
function notes(blocks, page) {
    return blocks.flatMap((block) => {
        if (block.t !== "Para" || /^Further/.test(textOf(block.c))) return [block];
        const linked = [];
        visit(block.c, (e) => e.t === "Link" && linked.push(path.normalize(path.join(path.dirname(page.readme), e.c[2][0]))));
        const annexes = page.pages.filter((p) => p.annex && p.chapter === page.chapter && linked.includes(p.readme));
        const note = (p) => `<div class="note annex"><p class="note-kind">Annex</p><p><a href="${p.file}">${escape(nameOf(p))}</a></p></div>`;
        return [...annexes.map((p) => html(note(p))), block];
    });
}

// What an expert would ask stands beside the text where there is room (page.css); answers are not printed.
const KINDS = [
    [/<summary>Fine print/, "note"],
    [/<summary>(By hand|Answers?)\b/, "answer"],
];
function folded(block) {
    const kind = block.t === "RawBlock" && KINDS.find(([summary]) => summary.test(block.c[1]));
    return kind ? { t: "RawBlock", c: [block.c[0], block.c[1].replace("<details>", `<details class="${kind[1]}">`)] } : block;
}

function lesson(page) {
    let blocks = namedBlocks(page.blocks.map(folded), page);
    if (page.pages && page.chapter && !page.annex) blocks = [blocks[0], html(map(page.pages, page.chapter.slice(0, 2))), ...notes(blocks.slice(1), page)];
    blocks = questions(blocks);
    if (page.chapter) blocks = problems(exercises(blocks, page), page);
    blocks = predictions(blocks, page);
    blocks = inlines(blocks, page, page.terms);
    return page.chapter && !page.annex ? [...blocks, ...tryIt(page)] : blocks;
}

module.exports = { lesson, inlines };
