// node run.js PROGRAM ARGUMENT...: runs a program for WebAssembly in a terminal, as the page does. Files and directories that the
// arguments name are read before it starts, and what it has written is written behind it.
"use strict";
const fs = require("fs");
const { Files, runProgram } = require("./wasi.js");

const [program, ...args] = process.argv.slice(2);
const files = new Files(),
    before = new Map();

function read(path) {
    if (fs.statSync(path).isDirectory()) {
        for (const name of fs.readdirSync(path)) read(`${path}/${name}`);
    } else {
        files.put(path, new Uint8Array(fs.readFileSync(path)));
        before.set(path, files.byPath.get(path));
    }
}
for (const arg of args) if (fs.existsSync(arg) && arg !== "/") read(arg.replace(/\/+$/, ""));

const code = runProgram(new WebAssembly.Module(fs.readFileSync(program)), [program, ...args], files, {
    write: (descriptor, bytes) => fs.writeSync(descriptor, bytes),
    terminal: false,
});
for (const path of files.paths()) {
    if (before.get(path) === files.byPath.get(path)) continue;
    fs.mkdirSync(path.includes("/") ? path.replace(/\/[^/]*$/, "") : ".", { recursive: true });
    fs.writeFileSync(path, files.get(path));
}
process.exitCode = code;
