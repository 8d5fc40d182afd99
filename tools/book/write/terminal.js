// node terminal.js DIRECTORY NN-name/exercise FILE...: what a page says of each file, from what build.sh has put into DIRECTORY. V=1 also
// says what the compiler said, and when; V=2 all that the tests printed.
"use strict";
const fs = require("fs"),
    path = require("path"),
    zlib = require("zlib");
const { pathToFileURL } = require("url");
Object.assign(globalThis, require("../wasm/wasi.js"));
const { Compiler } = require("./compiler.js");
const { runTest, listTests } = require("./instance.js");
const { checkFile, verdictOf, limitsOf, isEndless } = require("./check.js");

// The package's runLLVM, whose files lie compressed in the directory.
async function loadCompiler(directory) {
    const scratch = fs.mkdtempSync(path.join(directory, "terminal-"));
    for (const name of fs.readdirSync(directory))
        if (/^llvm.*\.gz$/.test(name))
            fs.writeFileSync(path.join(scratch, name.slice(0, -3)), zlib.gunzipSync(fs.readFileSync(path.join(directory, name))));
    fs.copyFileSync(path.join(directory, "bundle.js"), path.join(scratch, "bundle.mjs"));
    const { runLLVM } = await import(pathToFileURL(path.join(scratch, "bundle.mjs")));
    await runLLVM(["size", "--version"], {}, { stdout() {}, stderr() {}, fetchProgress() {} });
    fs.rmSync(scratch, { recursive: true });
    return new Compiler(runLLVM);
}

function testFiles(directory) {
    const files = new Files();
    for (const [name] of JSON.parse(fs.readFileSync(path.join(directory, "files.json")))) files.put(name, new Uint8Array(fs.readFileSync(name)));
    files.create("tmp", { directory: true });
    return files;
}

async function loadTools(directory) {
    const unpack = (name) => new Uint8Array(zlib.gunzipSync(fs.readFileSync(path.join(directory, name))));
    const files = testFiles(directory);
    return {
        compiler: await loadCompiler(directory),
        rest: (exercise) => unpack(`exercises/${exercise.name}.o.gz`),
        run(linked, environment) {
            const module = new WebAssembly.Module(linked);
            let slow = 0;
            return listTests(module).map((test) => {
                const ran = { name: test.name, ...runTest(module, test, files, [...environment, ...limitsOf(slow)]) };
                slow += isEndless(ran);
                return ran;
            });
        },
        verdict: verdictOf(new WebAssembly.Module(unpack("verdict.wasm.gz"))),
    };
}

const exerciseNamed = (directory, name) => JSON.parse(fs.readFileSync(path.join(directory, "exercises", `${name}.json`), "utf8"));

async function main([directory, name, ...files]) {
    const tools = await loadTools(directory),
        exercise = exerciseNamed(directory, name);
    for (const file of files) {
        const begin = performance.now();
        const result = await checkFile(exercise, fs.readFileSync(file, "utf8"), tools, (words) => {
            if (process.env.V) console.error(words, Math.round(performance.now() - begin));
        });
        process.stdout.write(result.report);
        if (process.env.V) console.error(result.said + (process.env.V > 1 ? result.output : ""), Math.round(performance.now() - begin), "ms");
    }
}

if (require.main === module) main(process.argv.slice(2));
else module.exports = { loadTools, exerciseNamed };
