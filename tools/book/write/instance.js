// One test in an instance of its own, in a page's worker and in node; wasi.js stands before it.
//
//   runTest(module, test, files, environment)  ->  { output, passed, skipped, stack }
//
// output is what tests/support/verdict reads: "[RUN ] suite::name", what the test printed, how it ended. stack: where the machine
// stopped it, innermost first, as offsets in the module.
"use strict";

const ENDED = { PASSED: 0, CRASHED: 97, FAILED: 98, SKIPPED: 99 }; // tests/harness/page_harness.c
const STOPPED = { OUTSIDE: 0, NO_STACK: 1, DIVISION: 2, UNREACHABLE: 3 }; // tests/harness/page_memory.c
const MOST_OUTPUT = 1 << 20; // bytes

function kindOf(error) {
    const words = String(error && error.message);
    if (error instanceof RangeError || /call stack|recursion/i.test(words)) return STOPPED.NO_STACK;
    if (/divi|remainder/i.test(words)) return STOPPED.DIVISION;
    return /unreachable/i.test(words) ? STOPPED.UNREACHABLE : STOPPED.OUTSIDE;
}

// "... wasm-function[12]:0x34": Chromium, Firefox and node write it alike.
function stackOf(error) {
    const places = String(error && error.stack).matchAll(/wasm-function\[\d+\]:(0x[0-9a-f]+)/g);
    return [...places].map(([, offset]) => Number(offset));
}

// Runs an action of C in this instance, and takes all back that it changed in memory: { code, said }, of exit() and standard error.
function runApart(instance, action, argument, hear) {
    const { memory, __indirect_function_table: table, __stack_pointer: stack, flush_all: flush } = instance.exports;
    const before = new Uint8Array(memory.buffer).slice(),
        top = stack.value;
    let code = 0;
    const said = hear(() => {
        try {
            table.get(action)(argument);
            flush();
        } catch (error) {
            if (!(error instanceof Exit)) throw error;
            code = error.code;
        }
    });
    new Uint8Array(memory.buffer).fill(0, before.length);
    new Uint8Array(memory.buffer).set(before);
    stack.value = top;
    return { code, said };
}

function runTest(module, { suite, name, code: expected }, files, environment) {
    const title = `${suite}::${name}`,
        parts = [];
    let instance,
        apart = null, // what goes to standard error there
        bytes = 0;
    const hear = (run) => {
        apart = [];
        try {
            run();
            return apart;
        } finally {
            apart = null;
        }
    };
    const host = {
        environment,
        terminal: false,
        write(stream, part) {
            if (stream === 2 && apart) apart.push(part);
            else if ((bytes += part.length) <= MOST_OUTPUT) parts.push(part);
        },
        started(made) {
            instance = made;
        },
        imports: {
            page: {
                run_apart(action, argument, message, room) {
                    const { code, said } = runApart(instance, action, argument, hear);
                    const all = said.flatMap((part) => [...part]).slice(0, room - 1);
                    new Uint8Array(instance.exports.memory.buffer, message, room).set([...all, 0]);
                    return code;
                },
            },
        },
    };
    let code,
        stack = null;
    try {
        code = runProgram(module, ["test", name], files, host);
        if (code === ENDED.CRASHED) stack = []; // the place is unknown
    } catch (error) {
        if (!instance) throw error;
        stack = stackOf(error);
        instance.exports.trapped(kindOf(error));
    }
    const decoder = new TextDecoder();
    const printed = parts.map((part) => decoder.decode(part, { stream: true })).join("");
    const passed = stack === null && (code === expected || (!expected && code === ENDED.SKIPPED));
    const skipped = stack === null && code === ENDED.SKIPPED;
    const end = passed ? `[${skipped ? "SKIP" : "PASS"}] ${title}` : `[FAIL] ${title}: ${stack ? "CRASH!" : "(0.00s)"}`;
    const line = printed && !printed.endsWith("\n") ? "\n" : "";
    const frames = stack && stack.length ? `stack: ${stack.map((at) => `0x${at.toString(16)}`).join(" ")}\n` : "";
    return { output: `[RUN ] ${title}\n${printed}${line}${frames}${end}\n`, passed, skipped, stack: stack || [] };
}

// The tests of a linked module: [{ suite, name, code }].
function listTests(module) {
    const parts = [];
    runProgram(module, ["test", "list"], new Files(), {
        write: (_, part) => parts.push(...part),
        imports: { page: { run_apart: () => 0 } },
    });
    const lines = new TextDecoder().decode(new Uint8Array(parts)).trim().split("\n");
    return lines.map((line) => line.split(" ")).map(([suite, name, code]) => ({ suite, name, code: Number(code) }));
}

if (typeof module !== "undefined") {
    Object.assign(globalThis, require("../wasm/wasi.js"));
    module.exports = { runTest, listTests };
}
