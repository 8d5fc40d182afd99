// The page's worker (see run.js): runs one program to its end. wasi.js stands before it.
//   in:  {program: bytes, of gzip or as they are, args, files: [[path, bytes]]}
//   out: {stream, bytes} as it writes; {path, bytes} of a CSV while it grows; {code, files, gone, trap} at the end: what it has
//   written, and what it has removed
"use strict";

onmessage = async ({ data: { program, args, files: given } }) => {
    const files = new Files(),
        sent = new Map();
    for (const [path, bytes] of given) files.put(path, bytes);
    const before = new Map(files.byPath);
    const host = {
        terminal: true,
        write: (stream, bytes) => postMessage({ stream, bytes }),
        fileWritten(path, file) {
            const name = path.replace(/\.tmp-[0-9]+-[0-9]+$/, ""),
                now = performance.now();
            if (!name.endsWith(".csv") || (name !== path && now - (sent.get(name) || 0) < 100)) return;
            sent.set(name, now);
            postMessage({ path: name, bytes: file.bytes.slice(0, file.size) });
        },
    };
    let code, trap;
    try {
        const isPacked = program[0] === 0x1f && program[1] === 0x8b;
        const unpacked = () => new Blob([program]).stream().pipeThrough(new DecompressionStream("gzip"));
        const module = new WebAssembly.Module(isPacked ? await new Response(unpacked()).arrayBuffer() : program);
        code = runProgram(module, args, files, host);
    } catch (error) {
        trap = String((error && error.message) || error);
    }
    const written = files.paths().filter((path) => before.get(path) !== files.byPath.get(path));
    const gone = [...before.keys()].filter((path) => !files.byPath.has(path));
    postMessage({ code, trap, gone, files: written.map((path) => [path, files.get(path).slice()]) });
};
