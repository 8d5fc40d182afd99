// The report of make attack on a learner's own tests, in a page's worker and in node; instance.js and check.js stand before it.
//
//   runAttack(attack, source, tools, tell)  ->  { state, report, said, accepted, caught }
//
// attack: what pack.js knows of it. tools: compiler, attackObject(attack), and attack(linked, variants, environment, take). The tests are
// compiled and linked once; attack_variant chooses the solution that they meet.
"use strict";

const ATTACK_LIMITS = ["CHECK_BLOCKS=400", "CHECK_SECONDS=20"];
const MOST_SAID = 4;

// The message of a failed test, from the output of tests/harness/test_harness.c.
function saidBy({ name, output }) {
    const said = [];
    let message = null;
    for (const line of output.split("\n")) {
        if (/^\[(RUN |PASS|SKIP|FAIL)\] |^stack: /.test(line)) continue;
        if (/^\[----\] .*: Assertion Failed$/.test(line)) message = [];
        else if (message && line.startsWith("[----]")) {
            const text = line.slice("[----]   ".length);
            if (text) message.push(text);
            if (text) said.push(message.length === 1 ? `${name}: a check fails: ${text}` : text);
        } else if (/^ran out of time/.test(line)) said.push(`${name}: is not done: an endless loop?`);
        else if (line) said.push(line);
    }
    if (/ CRASH!$/m.test(output) && !isEndless({ output })) said.push(`${name}: ended the program`);
    return said;
}

// The tests on one variant, until one fails; whole: all of them.
function attackVariant(module, tests, { number, whole }, files, environment) {
    let failed = false;
    const said = [];
    for (const test of tests) {
        const ran = runTest(module, test, files, [...environment, `ATTACK_VARIANT=${number}`]);
        if (ran.passed) continue;
        failed = true;
        said.push(...saidBy({ name: test.name, ...ran }));
        if (!whole || isEndless(ran)) break;
    }
    return { number, failed, said };
}

function nextToCatch({ name, test, message }) {
    return `    the next to catch: ${name}; look at what the test ${test} catches${message ? `, which says "${message}"` : ""}\n`;
}

async function runAttack(attack, source, tools, tell = () => {}) {
    const { name, right, wrong } = attack,
        file = `exercises/${name}.attack.c`;
    const ends = (state, report, said = "") => ({ state, report, said, accepted: 0, caught: 0 });
    if (source.includes("ATTACK_TODO")) return ends("unattempted", `not started  ${name}: ${wrong.length} wrong ones to catch\n`);
    if (!/^Test\(/m.test(source)) return ends("broken", `no binary    ${name}: ${file} has no line that begins with Test(\n`);
    tell("compiling");
    const { object, said } = await tools.compiler.compile(file, source, { kind: "attack" });
    const link = object ? await tools.compiler.link(await tools.attackObject(attack), object) : { said: "" };
    const all = said + link.said,
        warnings = (kind) => indented(complaints(all, kind)).replace(/(?<=.)$/, "\n");
    if (!link.linked) return ends("broken", `no binary    ${name}: ${file} does not compile\n${warnings("error")}`, all);
    let accepted = 0,
        refused = null;
    tell(`${right.length} right ones and ${wrong.length} wrong ones`);
    await tools.attack(link.linked, right.map(({ number }) => ({ number, whole: true })), ATTACK_LIMITS, ({ number, failed, said: why }) => {
        if (!failed) accepted++;
        else refused = refused || { ...right.find((one) => one.number === number), why };
        tell(`${accepted} of ${right.length} right ones accepted`);
    });
    if (refused) {
        const where = refused.name === "reference" ? `solutions/${name}.c` : `tests/${name}.right/${refused.name}.c`;
        const why = refused.why.slice(0, MOST_SAID).map((line) => `    ${line}\n`).join("");
        const line = `${name}: refuses right code, accepts ${accepted} of ${right.length} right ones\n`;
        return { state: "refuses", report: `${line}    the first to accept: ${where}\n${why}${warnings("warning")}`, said: all, accepted, caught: 0 };
    }
    let caught = 0,
        tried = 0,
        missed = null;
    await tools.attack(link.linked, wrong, ATTACK_LIMITS, ({ number, failed }) => {
        tried++;
        if (failed) caught++;
        else missed = missed || wrong.find((one) => one.number === number);
        tell(`${tried} of ${wrong.length} wrong ones tried, ${caught} caught`);
    });
    const line = `${name}: accepts ${accepted} of ${right.length} right ones, catches ${caught} of ${wrong.length} wrong ones\n`;
    const report = line + (missed ? nextToCatch(missed) : "") + warnings("warning");
    return { state: missed ? "misses" : "right", report, said: all, accepted, caught };
}

if (typeof module !== "undefined") {
    Object.assign(globalThis, require("./instance.js"), require("./check.js"));
    module.exports = { runAttack, attackVariant };
}
