// The exercises of a lesson: each statement in a frame with signature, command and files.
"use strict";
const fs = require("fs");
const { textOf, div, code, para, str, link } = require("./ast");
const { sourcePage } = require("./links");

// The prototypes of a header with their contract, without guards and includes: those that are marked "Exercise NN/name:", where
// the header holds others as well.
function contract(file, exercise) {
    const text = fs
        .readFileSync(file, "utf8")
        .split("\n")
        .filter((l) => !/^#(ifndef|define \w+_H$|endif|include)|^ *\/\/[<>] /.test(l))
        .join("\n");
    const parts = text.trim().split(/\n{2,}/);
    const marked = parts.filter((part) => part.includes(`Exercise ${exercise}:`) && part.endsWith(";"));
    return (marked.length ? marked : parts).join("\n\n");
}

// The header of an exercise: the stub's first comment names it, unless the learner has taken it out.
function headerOf(chapter, name) {
    const stub = fs.readFileSync(`exercises/${chapter}/${name}.c`, "utf8").replace(/\n \* /g, " ");
    const named = stub.match(/contract(?:, with the formulas?,)? is in (chapters\/[\w\/-]+\.h)/);
    return named ? named[1] : `chapters/${chapter}/${name}.h`;
}

// The exercise that a block states: its first word is the name.
function exerciseOf(block, page) {
    if (!block || (block.t !== "Para" && block.t !== "Plain")) return null;
    const first = block.c[0].t === "Strong" ? block.c[0].c[0] : block.c[0];
    return first && first.t === "Code" && page.exercises.includes(first.c[1]) ? first.c[1] : null;
}

const isSnippet = (block) => block && block.t === "Div" && block.c[0][1].includes("snippet");
const fileOf = (snippetBlock) => snippetBlock.c[0][2][0][1];

// The links below a statement: the command, the learner's file and the header, quoted where the lesson does not.
function exerciseLinks(name, around, page) {
    const number = page.chapter.slice(0, 2),
        learner = process.env.LEARNER || "exercises";
    const mine = (process.env.MINE_EXERCISES || "").split(" ").includes(`${page.chapter}/${name}`);
    const stub = `exercises/${page.chapter}/${name}.c`,
        head = headerOf(page.chapter, name);
    const edited = mine ? stub.replace("exercises", learner) : stub;
    const command = { t: "CodeBlock", c: [["", [], []], `make check-${number} EX=${name}`] };
    const files = para(
        str(mine ? "Yours: " : "You edit: "),
        link([code(edited)], sourcePage(edited)),
        str(". The contract: "),
        link([code(head)], sourcePage(head)),
        str("."),
    );
    const quoted = around.some((block) => isSnippet(block) && fileOf(block) === head);
    return [...(quoted ? [] : [{ t: "CodeBlock", c: [["", ["c"], []], contract(head, `${number}/${name}`)] }]), command, files];
}

// Why an exercise has no editor in its page.
const TERMINAL_ONLY = {
    "16-data-parallel": "This exercise is written in a terminal: its tests are several processes that MPI starts, and a page has one.",
    "17-one-file": "This exercise is written in a terminal: it is a program that its tests start again and again, and a page starts none.",
};

// Each statement with the snippets around it that belong to it, in a frame.
function exercises(blocks, page) {
    const start = blocks.findIndex((b) => b.t === "Header" && /^(Your turn|Exercise)/.test(textOf(b)));
    const seen = new Set();
    function framed(name, around) {
        seen.add(name);
        const attributes = [
            ["data-exercise", name],
            ["role", "group"],
            ["aria-label", `exercise ${name}`],
        ];
        const editor = page.editorOf && page.editorOf(`${page.chapter}/${name}`);
        if (editor) attributes.push(["data-write", editor]);
        const why = page.writing && !editor && TERMINAL_ONLY[page.chapter] ? [para(str(TERMINAL_ONLY[page.chapter]))] : [];
        return div(["exercise"], attributes, [...around, ...exerciseLinks(name, around, page), ...why], `exercise-${name}`);
    }
    const headers = page.exercises.map((name) => [name, headerOf(page.chapter, name)]);
    const ofAnother = (block, name) => headers.some(([other, head]) => other !== name && fileOf(block) === head);
    // The last block of a statement at `from`: a snippet of its header before the next exercise, or those right below it.
    function lastOf(list, from, name, head) {
        let last = from;
        while (isSnippet(list[last + 1]) && !ofAnother(list[last + 1], name)) last++;
        for (let j = from + 1; j < list.length && list[j].t !== "Header" && !exerciseOf(list[j], page); j++) {
            if (isSnippet(list[j]) && fileOf(list[j]) === head) last = j;
        }
        return last;
    }
    const nameOf = (block) => [exerciseOf(block, page)].filter((name) => name && !seen.has(name))[0];
    const inItem = (block) => (nameOf(block) ? framed(nameOf(block), [block]) : block);
    const out = blocks.slice(0, start + 1);
    for (let i = start + 1; i < blocks.length; i++) {
        const name = nameOf(blocks[i]),
            around = [blocks[i]];
        if (blocks[i].t === "BulletList") out.push({ t: "BulletList", c: blocks[i].c.map((item) => item.map(inItem)) });
        else if (!name) out.push(blocks[i]);
        else {
            const head = headerOf(page.chapter, name);
            while (isSnippet(out[out.length - 1]) && fileOf(out[out.length - 1]) === head) around.unshift(out.pop());
            const last = lastOf(blocks, i, name, head);
            around.push(...blocks.slice(i + 1, last + 1));
            i = last;
            out.push(framed(name, around));
        }
    }
    const missing = page.exercises.filter((name) => !seen.has(name));
    if (missing.length) throw new Error(`"Your turn" does not state ${missing.join(", ")}`);
    return out;
}

module.exports = { exercises };
