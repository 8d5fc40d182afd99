// A page's report on right and wrong solutions is that of make check without the sanitizers. The code that runs here is a page's
// (tools/book/write), in node. A sample of the known wrong solutions; with ALL=1 all of them, with EXERCISE=01/layernorm those of one
// exercise.
"use strict";
const { execFileSync } = require("child_process");
const crypto = require("crypto");
const fs = require("fs");
const path = require("path");
const { book, check, finish, makeSays } = require("./support/browser");

const from = path.join(book, "write");
const SAMPLE = 60; // every so many of the known wrong solutions
const kept = "build/book-verdicts";

const shortName = (name) => name.replace(/^(\d+)-[^/]*/, "$1");
function wanted(name) {
    return !process.env.EXERCISE || process.env.EXERCISE.split(" ").includes(shortName(name));
}

// [{ name, source }] of a line of tests/NN-name/X.mutants: "name | test | message | sed expression".
function wrongOf(exercise) {
    const file = `tests/${exercise}.mutants`;
    const lines = fs.existsSync(file) ? fs.readFileSync(file, "utf8").split("\n") : [];
    return lines
        .filter((line) => line && !line.startsWith("#"))
        .map((line) => {
            const [name, , , ...edit] = line.split(" | ");
            return { exercise, name, edit: edit.join(" | ") };
        });
}

function sourceOf({ exercise, edit }) {
    return execFileSync("sed", [edit, `solutions/${exercise}.c`], { encoding: "utf8" });
}

// The report of make check on a source. It stays in build/ as long as the tests are the same.
const binaries = execFileSync("make", ["-s", "print-build"], { encoding: "utf8" }).trim();
function native(exercise, source) {
    const [chapter, name] = exercise.split("/");
    const rest = path.join(binaries, "rest", `${exercise}.o`);
    const sum = crypto.createHash("sha256").update(source).update(exercise);
    if (fs.existsSync(rest)) sum.update(fs.readFileSync(rest));
    const file = path.join(kept, sum.digest("hex"));
    if (fs.existsSync(file)) return fs.readFileSync(file, "utf8");
    const goal = [`check-${chapter.slice(0, 2)}`, `EX=${name}`];
    const said = makeSays(`${kept}/learner`, `${exercise}.c`, source, goal, { NO_SANITIZERS: "1" });
    fs.writeFileSync(file, said);
    return said;
}

// A report without what only a terminal has: commands, where all was printed, how lines are broken.
function plain(report) {
    return report
        .split("\n")
        .filter((line) => !/^ +(step through it|for a hint|compare|edit|all that was printed):? /.test(line) && !/exercises? pass$/.test(line))
        .join(" ")
        .replace(" (FULL=1 shows all)", "")
        .replaceAll(`${kept}/learner/`, "exercises/")
        .replace(/\s+/g, " ")
        .replace(/ \S+\.c:\d+:\d+: warning: .*? \[-W[\w=-]+\]/g, "") // each compiler has its own
        .replace(/ \(\d+ more warnings?\)/g, "")
        .trim();
}
// How many tests pass, and the first sentence: which test, and why.
function firstOf(report) {
    const text = plain(report).replace(/ and \d+ more tests? .*$/, "").replace(/ printed: .*$/, "");
    return text;
}

// Where a function that the learner's file calls writes to NULL, the page knows no line.
const LATE = " outside of your file, perhaps inside a function that it calls";
function sameFirst(page, native) {
    const [here, there] = [page, native].map(firstOf);
    return here === there || (here.includes(LATE) && here.replace(LATE, "") === there.replace(/ in \w+, exercises\/\S+?:\d+(?=[:;,])/, ""));
}

// The solutions on which a page's report may differ, and its first word: right, wrong or does not compile.
const otherwise = new Map(
    fs
        .readFileSync("tests/book/otherwise.txt", "utf8")
        .split("\n")
        .filter((line) => line && !line.startsWith("#"))
        .map((line) => line.split(" | "))
        .map(([exercise, name, state]) => [`${exercise} ${name}`, state]),
);

async function main() {
    if (!fs.existsSync(path.join(from, "verdict.wasm.gz"))) {
        console.log("  SKIPPED: the book has no editors");
        process.exit(0);
    }
    const { loadTools, exerciseNamed } = require(path.resolve("tools/book/write/terminal.js"));
    const { checkFile } = require(path.resolve("tools/book/write/check.js"));
    const tools = await loadTools(from);
    const exercises = JSON.parse(fs.readFileSync(path.join(from, "exercises.json"), "utf8"))
        .map(({ name }) => name)
        .filter(wanted);
    for (const name of exercises) {
        const exercise = exerciseNamed(from, name);
        const solution = fs.readFileSync(`solutions/${name}.c`, "utf8");
        const right = await checkFile(exercise, solution, tools);
        check(right.state === "right", `${name}: the solution: ${right.report}${right.said}`);
        const stub = await checkFile(exercise, exercise.stub, tools);
        check(stub.state === "unattempted" || !exercise.stub.includes("EXERCISE_TODO"), `${name}: the stub: ${stub.report}`);
    }
    const every = process.env.ALL || process.env.EXERCISE ? 1 : SAMPLE;
    const wrong = exercises.flatMap(wrongOf).filter((_, i) => i % every === 0);
    let same = 0,
        listed = 0;
    for (const one of wrong) {
        const source = sourceOf(one);
        const here = await checkFile(exerciseNamed(from, one.exercise), source, tools);
        const there = native(one.exercise, source);
        // The wrong numbers of tiles depend on the width of the machine's vectors.
        const tiled = one.exercise.startsWith("15-") && /^wrong/.test(here.report) && /^wrong/.test(there);
        const equal = tiled || sameFirst(here.report, there);
        same += equal;
        const state = otherwise.get(`${one.exercise} ${one.name}`);
        if (!equal && state && here.report.startsWith(state)) listed++;
        else if (!equal) console.log(`  ${one.exercise} ${one.name}\n    page:   ${firstOf(here.report)}\n    native: ${firstOf(there)}`);
    }
    console.log(`  ${same} of ${wrong.length} wrong solutions have the same verdict, ${listed} another for a reason in otherwise.txt`);
    const other = wrong.length - same - listed;
    check(wrong.length > 0 && other === 0, `${other} wrong solutions have another verdict`);
    finish();
}
main().catch((error) => {
    check(false, error.stack);
    finish();
});
