// node pack.js DIRECTORY NN-name/exercise...: what a page knows of each exercise, DIRECTORY/exercises/NN-name/X.json and, apart from it,
// its solution and, as changes of it, the known wrong ones; the files that tests read; and the scripts of the page's workers.
"use strict";
const { execFileSync } = require("child_process");
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

// The symbols that the solution's object shows to other files; its path: $WASM/solutions/NN-name/X.o.
const wasm = process.env.WASM;

function exerciseOf(name) {
    const source = read(`tests/${name}.c`);
    return {
        name,
        stub: read(`exercises/${name}.c`),
        hints: read(`exercises/${name}.hints`).split("\n").filter(Boolean),
        stages: read(`exercises/${name}.stages`),
        tests: [...source.matchAll(/^Test\([a-z0-9_]*, ([a-z0-9_]*)/gm)].map(([, test]) => test),
        shown: symbolsOf(fs.readFileSync(`${wasm}/solutions/${name}.o`)),
        counted: counted.get(name) || [],
    };
}

// The known wrong solutions, [[name, test, message, from, to, text]]: text (null: nothing) in the place of the solution's lines from..to-1.
function wrongOf(name) {
    const solution = read(`solutions/${name}.c`).split("\n");
    const lines = read(`tests/${name}.mutants`).split("\n").filter((line) => line && !line.startsWith("#"));
    return lines.map((line) => {
        const [wrong, test, message, ...edit] = line.split(" | ");
        const source = execFileSync("sed", [edit.join(" | "), `solutions/${name}.c`], { encoding: "utf8" }).split("\n");
        let from = 0,
            behind = 0;
        while (from < solution.length && solution[from] === source[from]) from++;
        const most = Math.min(solution.length, source.length) - from;
        while (behind < most && solution.at(-1 - behind) === source.at(-1 - behind)) behind++;
        const to = solution.length - behind;
        return [wrong, test, message === "-" ? "" : message, from, to, from < source.length - behind ? source.slice(from, source.length - behind).join("\n") : null];
    });
}

const all = exercises.map(exerciseOf);
for (const exercise of all) {
    write(`exercises/${exercise.name}.json`, exercise);
    write(`exercises/${exercise.name}.solution.c`, read(`solutions/${exercise.name}.c`));
    write(`exercises/${exercise.name}.wrong.json`, wrongOf(exercise.name));
}
write("exercises.json", all.map(({ name, tests }) => ({ name, tests: tests.length })));

// Of each program the exercises that it is linked from, and the functions whose calls its linker leads elsewhere (chapter.mk).
const programs = read(process.env.PROGRAMS).trim().split("\n");
const wrapsOf = (name) => [...new Set([...read(`chapters/${name}/chapter.mk`).matchAll(/--wrap=(\w+)/g)].map(([, wrap]) => wrap))];
const entries = programs.map((line) => line.split(" ")).map(([name, ...linked]) => [name, { exercises: linked, wraps: wrapsOf(name) }]);
write("programs.json", Object.fromEntries(entries));

// Open problems that a page can judge, with the seconds of a core that its answer in solutions/ takes there.
const judged = read(path.join(__dirname, "problems.txt")).split("\n").filter(Boolean).map((line) => line.split(" "));
const statementOf = (name) => {
    const [comment] = read(`chapters/${name}.h`).match(/\/\*[^]*?\*\//);
    const [, number, stars, text] = comment.replace(/\n \* /g, " ").match(/^\/\* Open problem (\S*) \((\**)\): ([^]*) \*\/$/);
    return `${number} ${stars} ${text}`;
};
for (const [seconds, name] of judged) {
    if (!fs.existsSync(path.join(directory, `exercises/${name}.o.gz`))) continue;
    write(`exercises/${name}.json`, {
        name,
        seconds: Number(seconds),
        statement: statementOf(name),
        stub: read(`exercises/${name}.c`),
        hints: read(`exercises/${name}.hints`).split("\n").filter(Boolean),
        shown: symbolsOf(fs.readFileSync(`${wasm}/solutions/${name}.o`)),
        wraps: wrapsOf(name.split("/")[0]),
    });
    write(`exercises/${name}.solution.c`, read(`solutions/${name}.c`));
}
// All files that a reader may write, by their names in mine/ without .c.
write("texts.json", [...all.map(({ name }) => name), ...judged.map(([, name]) => name)]);

// The files that tests read: [[path, bytes]] of all, and each by itself.
function filesBelow(at) {
    if (!fs.statSync(at).isDirectory()) return /\.py$|README\.md$/.test(at) ? [] : [at];
    return fs.readdirSync(at).sort().flatMap((name) => filesBelow(`${at}/${name}`));
}
const files = filesBelow("tests/golden");
for (const file of files) write(`files/${file}`, fs.readFileSync(file));
write("files.json", files.map((file) => [file, fs.statSync(file).size]));

const SCRIPTS =
    "unpack.js object.js compiler.js instance.js check.js compiler-worker.js check-worker.js session.js store.js editor.js editor-problem.js archive.js progress.js editor.css".split(" ");
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
