// The page's tests, in a worker that the page ends where a test does not: answers session.js.
//   in:  { id, call: "verdict", args: [arguments, texts] }
//        { id, call: "run", args: [linked, environment, from] }: the tests from that number on
//   out: { id, result } or { id, error }; { id, tests } before the first test, { id, test } behind each
"use strict";
importScripts("wasi.js", "object.js", "instance.js", "check.js", "unpack.js");

// A file that tests read is fetched when one opens it: a test cannot wait, so neither does this.
function fetchNow(path) {
    const request = new XMLHttpRequest();
    request.open("GET", new URL(`files/${path}`, location.href), false);
    request.responseType = "arraybuffer";
    request.send();
    if (request.status !== 200) throw new Error(`${path}: the server says ${request.status}`);
    return new Uint8Array(request.response);
}

async function makeFiles() {
    const files = new Files();
    for (const [path, size] of await (await fetch("files.json")).json()) {
        files.put(path, new Uint8Array(0));
        const entry = files.byPath.get(path);
        let bytes;
        Object.defineProperty(entry, "bytes", { get: () => (bytes = bytes || fetchNow(path)), set: (changed) => (bytes = changed) });
        entry.size = size;
    }
    files.create("tmp", { directory: true });
    return files;
}

let verdict, files;

async function run(id, linked, environment, from) {
    files = files || (await makeFiles());
    const module = await WebAssembly.compile(linked);
    const tests = listTests(module);
    postMessage({ id, tests });
    for (const test of tests.slice(from))
        postMessage({ id, test: { name: test.name, ...runTest(module, test, files, environment) } });
    return tests.length;
}

const CALLS = {
    async verdict(id, args, texts) {
        verdict = verdict || verdictOf(await WebAssembly.compile(await fetchUnpacked("verdict.wasm.gz")));
        return verdict(args, texts);
    },
    run,
};

onmessage = async ({ data: { id, call, args } }) => {
    try {
        postMessage({ id, result: await CALLS[call](id, ...args) });
    } catch (error) {
        postMessage({ id, error: String((error && error.message) || error) });
    }
};
