// node pack.js DIRECTORY PROGRAM.small...: what run.js loads, as scripts, which a page may load from file:// too (it may not fetch files
// there): DIRECTORY/NN-name.js of each program, worker.js, look.js, files.js with the project's files that lessons run programs on, and
// model.js, the model that make tour has trained, or why it is not there.
"use strict";
const { execFileSync } = require("child_process");
const fs = require("fs"),
    path = require("path");

const [directory, ...programs] = process.argv.slice(2);

function write(name, value) {
    fs.writeFileSync(
        path.join(directory, `${name}.js`),
        `courseData(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`,
    );
}

// [[path, base64]] of files and of what is in directories.
function read(at) {
    if (fs.statSync(at).isDirectory())
        return fs
            .readdirSync(at)
            .sort()
            .flatMap((name) => read(`${at}/${name}`));
    return [[at, fs.readFileSync(at).toString("base64")]];
}

fs.mkdirSync(directory, { recursive: true });
for (const program of programs) {
    write(path.basename(program, ".small"), execFileSync("gzip", ["-9n", "-c", program]).toString("base64"));
}

const here = __dirname;
write(
    "worker",
    ["wasi.js", "worker.js"].map((name) => fs.readFileSync(path.join(here, name), "utf8")).join("\n"),
);

fs.copyFileSync(path.join(here, "look.js"), path.join(directory, "look.js"));

const wanted = new Set();
for (const chapter of fs.readdirSync("chapters")) {
    const lesson = fs.readFileSync(`chapters/${chapter}/README.md`, "utf8");
    for (const [, command] of lesson.matchAll(/^<!-- output: (build\/.*) -->$/gm))
        for (const [word] of command.matchAll(/\btests\/[\w/.-]+/g)) wanted.add(word);
}
const used = /(config\.json|model\.safetensors|vocab\.json|merges\.txt)$/;
write(
    "files",
    [...wanted].flatMap(read).filter(([name]) => used.test(name)),
);

const model = "build/model";
write(
    "model",
    fs.existsSync(`${model}/model.safetensors`) ? read(model).filter(([name]) => used.test(name)) : null,
);
