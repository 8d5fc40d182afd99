// The report of make check on a learner's file, in a page's worker and in node; object.js stands before it.
//
//   checkFile(exercise, source, tools, tell)  ->  { state, passed, all, report, said, tests }
//
// exercise: what pack.js knows of it. tools: compiler (compiler.js), rest(exercise), the object of all but the learner's,
// run(linked, environment), which runs all tests, and verdict(arguments, texts), the program of tests/harness/verdict.c.
// tell(words) is told what is being done. said: what the compiler says; tests: [{ name, passed }].
"use strict";

const DATA = ["CHECK_DATA=1", "CHECK_BITS=1"];
// A right solution's test runs through 18 million basic blocks at most; see tests/harness/page_memory.c. Where several tests do not end,
// the others get less.
const MOST_ENDLESS = 2;
const limitsOf = (endless) =>
    endless < MOST_ENDLESS ? ["CHECK_BLOCKS=400", "CHECK_SECONDS=20"] : ["CHECK_BLOCKS=40", "CHECK_SECONDS=5"];
const isEndless = (test) => /^ran out of time/m.test(test.output);
const COLUMNS = 80,
    MOST_COMPLAINTS = 5;

// The compiler's messages on a file: the lines of one kind.
function complaints(said, kind) {
    return said.split("\n").filter((line) => line.includes(`${kind}:`)).slice(0, MOST_COMPLAINTS).join("\n");
}

const indented = (text) => text.replace(/^(?=.)/gm, "    ");
const outputOf = (tests) => tests.map((test) => test.output).join("");

// A function that the tests call is missing, or a helper can be seen by other files.
function helpers(exercise, object, file) {
    const shown = symbolsOf(object);
    const missing = exercise.shown.filter((name) => !shown.includes(name)),
        open = shown.filter((name) => !exercise.shown.includes(name));
    const first = (words) => `${words} ${exercise.name}: no test runs before this:\n`;
    if (missing.length)
        return {
            state: "missing",
            report: first("not defined ") + missing.map((f) => `    ${file}: define \`${f}\`: the tests call it\n`).join(""),
        };
    const mend = (f) => `    ${file}: make \`${f}\` static: only the exercise's own functions may be seen by other files\n`;
    return open.length ? { state: "open", report: first("not static  ") + open.map(mend).join("") } : null;
}

// Tests that fail say more where all outputs begin as 0, or where fresh memory holds other bytes: further_runs in
// tools/learner/thorough.sh.
async function notesOf(exercise, source, linked, output, tools) {
    const further = {};
    if (/ is wrong in \d+ of \d+ places/.test(output))
        further.zeros = outputOf(await tools.run(linked, [...DATA, "CHECK_ZEROS=1"]));
    if (!/^ran out of time/m.test(output)) {
        const filled = await build(exercise, source, tools, true);
        if (filled.linked) further.filled = outputOf(await tools.run(filled.linked, DATA));
    }
    return tools.verdict(["notes"], { output, ...further });
}

async function build(exercise, source, tools, filled) {
    const { object, said } = await tools.compiler.compile(`exercises/${exercise.name}.c`, source, {
        counted: exercise.counted,
        filled,
    });
    if (!object) return { said };
    const link = await tools.compiler.link(await tools.rest(exercise), object);
    return { object, linked: link.linked, said: said + link.said };
}

// An address, a function and a place for each address of all stacks, as verdict.c reads them.
async function placesOf(linked, tests, compiler) {
    const addresses = [...new Set(tests.flatMap((test) => test.stack))];
    const found = await compiler.places(linked, addresses);
    return addresses.map((at, i) => [`0x${at.toString(16)}`, ...found[i], ""].join("\n")).join("");
}

async function checkFile(exercise, source, tools, tell = () => {}) {
    const file = `exercises/${exercise.name}.c`,
        all = exercise.tests.length;
    tell("compiling");
    const { object, linked, said } = await build(exercise, source, tools, false);
    const result = { passed: 0, all, said, tests: [], output: "" };
    const broken = {
        state: "broken",
        report: `does not compile  ${exercise.name}\n${indented(complaints(said, "error"))}\n`,
    };
    if (!object) return { ...result, ...broken };
    const unfit = helpers(exercise, object, file);
    if (unfit) return { ...result, ...unfit };
    if (!linked) return { ...result, ...broken };
    tell("testing");
    const tests = await tools.run(linked, DATA),
        output = outputOf(tests),
        passed = tests.filter((test) => test.passed).length;
    Object.assign(result, { passed, output, tests: tests.map(({ name, passed: ok }) => ({ name, passed: ok })) });
    if (tests.every((test) => test.skipped || !test.passed) && output.includes(" is not written yet") && source === exercise.stub)
        return { ...result, state: "unattempted", report: `not started  ${exercise.name} (${all} tests)\n` };
    const right = passed === all;
    if (!right) tell("looking for the reason");
    const notes = right ? "" : await notesOf(exercise, source, linked, output, tools);
    const places = await placesOf(linked, tests, tools.compiler);
    const texts = { output, notes, places, stages: exercise.stages, warnings: complaints(said, "warning") };
    const settings = [`binary=${exercise.name}`, `names=${exercise.tests.join(" ")}`, `columns=${COLUMNS}`];
    const first = await tools.verdict(["first", ...settings], texts);
    const line = right ? `right        ${exercise.name}: all ${all} tests pass\n` : `wrong        ${exercise.name}: ${passed} of ${all} tests pass\n`;
    const full = right ? "" : await tools.verdict(["list", "full=1", ...settings], texts);
    return { ...result, state: right ? "right" : "wrong", report: line + first.replace(/\s\(FULL=1\s+shows\s+all\)/, ""), full };
}

// The program of verdict.c: verdict(arguments, texts) gives each text as a file.
function verdictOf(module) {
    return (args, texts) => {
        const files = new Files(),
            parts = [];
        const given = Object.entries(texts).filter(([, text]) => text);
        for (const [name, text] of given) files.put(name, new TextEncoder().encode(text));
        const code = runProgram(module, ["verdict", ...args, ...given.map(([name]) => `${name}=${name}`)], files, {
            write: (_, part) => parts.push(...part),
        });
        const text = new TextDecoder().decode(new Uint8Array(parts));
        if (code !== 0) throw new Error(`the verdict: ${text}`);
        return text;
    };
}

if (typeof module !== "undefined") {
    Object.assign(globalThis, require("../wasm/wasi.js"), require("./object.js"));
    module.exports = { checkFile, verdictOf, limitsOf, isEndless };
}
