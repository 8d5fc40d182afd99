// node pack.js DIRECTORY NN-name/exercise...: what a page knows of each exercise, DIRECTORY/exercises/NN-name/X.json and, apart from it,
// its solution; the files that tests read; and the scripts of the page's workers.
"use strict";
const fs = require("fs"),
    crypto = require("crypto"),
    path = require("path");
const { symbolsOf } = require("./object.js");

const [directory, ...exercises] = process.argv.slice(2);
const read = (file) => (fs.existsSync(file) ? fs.readFileSync(file, "utf8") : "");

function write(name, contents) {
    const file = path.join(directory, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, typeof contents === "string" || Buffer.isBuffer(contents) ? contents : JSON.stringify(contents));
}

// Functions whose calls the tests count: COUNTED_NN-name/X in tools/make/tests.mk.
const counted = new Map(
    [...read("tools/make/tests.mk").matchAll(/^COUNTED_(\S+) := (.*)$/gm)].map(([, name, list]) => [name, list.split(" ")]),
);

// What the object of the solution shows to other files; its path: $WASM/solutions/NN-name/X.o.
const wasm = process.env.WASM;

function exerciseOf(name) {
    const source = read(`tests/${name}.c`);
    return {
        name,
        stub: read(`exercises/${name}.c`),
        hints: read(`exercises/${name}.hints`).split("\n").filter(Boolean),
        stages: read(`exercises/${name}.stages`),
        tests: [...source.matchAll(/^Test\([a-z0-9_]*, ([a-z0-9_]*)/gm)].map(([, test]) => test),
        shown: symbolsOf(fs.readFileSync(`${wasm}/solutions/${name}.o`)).defined,
        counted: counted.get(name) || [],
    };
}

const all = exercises.map(exerciseOf);
for (const exercise of all) {
    write(`exercises/${exercise.name}.json`, exercise);
    write(`exercises/${exercise.name}.solution.c`, read(`solutions/${exercise.name}.c`));
}
write("exercises.json", all.map(({ name, tests }) => ({ name, tests: tests.length })));

// The files that tests read: [[path, bytes]] of all, and each by itself.
function filesBelow(at) {
    if (!fs.statSync(at).isDirectory()) return /\.py$|README\.md$/.test(at) ? [] : [at];
    return fs.readdirSync(at).sort().flatMap((name) => filesBelow(`${at}/${name}`));
}
const files = filesBelow("tests/golden");
for (const file of files) write(`files/${file}`, fs.readFileSync(file));
write("files.json", files.map((file) => [file, fs.statSync(file).size]));

const SCRIPTS =
    "unpack.js object.js compiler.js instance.js check.js compiler-worker.js check-worker.js session.js store.js editor.js archive.js progress.js editor.css".split(" ");
for (const name of SCRIPTS) write(name, read(path.join(__dirname, name)));
write("wasi.js", read(path.join(__dirname, "../wasm/wasi.js")));

// The compiler's files, in bytes, and a version of them, which the browser's cache knows them by.
const compiler = fs.readdirSync(directory).filter((name) => /^llvm.*\.gz$/.test(name)).sort();
const sum = crypto.createHash("sha256");
compiler.forEach((name) => sum.update(fs.readFileSync(path.join(directory, name))));
write("about.json", {
    bytes: compiler.reduce((all, name) => all + fs.statSync(path.join(directory, name)).size, 0),
    version: sum.digest("hex").slice(0, 16),
});
