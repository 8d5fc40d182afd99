// node pack.js DIRECTORY PROGRAM.small...: what run.js loads, as scripts, which a page may load from file:// too (it may not fetch files
// there): DIRECTORY/NN-name.js of each program, worker.js, model-view.js, files.js, which says what of the project's files is in which
// files-N.js, model.js with the model that make tour has trained, and figures-NN.js with the recipes and data of a chapter's
// figures, for gnuplot.js.
"use strict";
const { execFileSync } = require("child_process");
const fs = require("fs"),
    path = require("path");

const [directory, ...programs] = process.argv.slice(2);

function write(name, value) {
    fs.writeFileSync(path.join(directory, `${name}.js`), `courseData(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`);
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
const packed = (file) => execFileSync("gzip", ["-9n", "-c", file]).toString("base64");
programs.forEach((program) => write(path.basename(program, ".small"), packed(program)));

const here = __dirname;
write("worker", ["wasi.js", "worker.js"].map((name) => fs.readFileSync(path.join(here, name), "utf8")).join("\n"));

fs.copyFileSync(path.join(here, "model-view.js"), path.join(directory, "model-view.js"));

// Files of the project that lessons run programs on, each directory in a script of its own.
const wanted = new Set();
for (const chapter of fs.readdirSync("chapters").filter((name) => !name.endsWith(".md"))) {
    const lesson = fs.readFileSync(`chapters/${chapter}/README.md`, "utf8");
    for (const [, command] of lesson.matchAll(/^<!-- output: (build\/.*) -->$/gm))
        for (const [word] of command.matchAll(/\btests\/[\w/.-]+/g)) wanted.add(word);
}
const used = /(config\.json|model\.safetensors|tokenizer\.json|vocab\.json|merges\.txt)$/;
const filesOf = (at) => read(at).filter(([name]) => used.test(name));
const given = [...wanted].sort().map((at, i) => {
    write(`files-${i}`, filesOf(at));
    return [at, `files-${i}`];
});

// A trained model, under its name in a page, wherever it was trained (tools/book/model.sh).
function writeModel(name, shown, places) {
    const at = places.find((place) => fs.existsSync(`${place}/model.safetensors`));
    write(name, at ? filesOf(at).map(([file, text]) => [file.replace(at, shown), text]) : null);
    return at ? [[shown, name]] : [];
}
writeModel("model", "build/model", ["build/model", "build/book-model"]);
write("files", [...given, ...writeModel("small", "build/small", ["build/book-small"])]);

// The recipes of each chapter's figures with all CSVs that they name, and the CSVs of those that move (interactive.js).
const text = (file) => fs.readFileSync(file, "utf8");
const live = { "01": ["one-sample"], "02": ["rates"], "07": [], 12: ["filters", "logits"], 14: ["bits"] };
for (const folder of fs.readdirSync("plots").filter((name) => /^\d\d-/.test(name))) {
    const number = folder.slice(0, 2);
    const all = (ending) =>
        fs
            .readdirSync(`plots/${folder}`)
            .flatMap((file) => (file.endsWith(ending) ? [[file.slice(0, -ending.length), text(`plots/${folder}/${file}`)]] : []));
    const recipes = all(".gp").map(([name, recipe]) => [`${number}-${name}`, recipe]),
        csvs = all(".csv");
    write(`figures-${number}`, {
        style: text("plots/style.gp"),
        recipes: Object.fromEntries(recipes),
        data: Object.fromEntries(csvs.filter(([csv]) => recipes.some(([, recipe]) => recipe.includes(`/${csv}.csv`)))),
    });
    const moving = live[number];
    if (moving) write(`live-${number}`, Object.fromEntries(csvs.filter(([csv]) => moving.includes(csv))));
}

if (fs.existsSync("build/wasm/gnuplot.small")) {
    write("gnuplot", packed("build/wasm/gnuplot.small"));
    fs.copyFileSync("build/wasm/gnuplot/Copyright", path.join(directory, "gnuplot.LICENSE"));
}
