// What the page "One token" draws from: a run { model, ids, texts, merges, tensors } of chapter
// 10's program on a text, and one of the same program with other code in it: a known mistake, or
// the reader's exercises. The first run comes with the book.
"use strict";

const PROGRAM = "10-gpt2";
const BUILT_IN = "build/model";
const OWN = "build/look-model"; // of the reader's directory; pages keep it as long as they are open
const NEEDED = ["config.json", "model.safetensors", "vocab.json", "merges.txt"];

async function firstRun() {
    const { ids, texts, merges, dump, prompt, wrong } = await courseLoad("token");
    return {
        run: {
            model: BUILT_IN,
            ids,
            texts,
            merges,
            tensors: readTensors(fromBase64(dump)),
            given: true,
        },
        prompt,
        wrong,
    };
}

// The models that there are: the built-in one, those that programs have written in this browser,
// and a directory of the reader's.
function knownModels() {
    const kept = [...pageFiles.keys()]
        .filter((path) => path.endsWith("/model.safetensors"))
        .map((path) => path.slice(0, -"/model.safetensors".length));
    return [
        ...new Set([
            BUILT_IN,
            ...kept.filter((model) => NEEDED.every((name) => pageFiles.has(`${model}/${name}`))),
        ]),
    ];
}

// Takes the files of a directory that the reader chose; fails where one is missing.
async function takeDirectory(files) {
    const found = new Map([...files].map((file) => [file.name, file]));
    const missing = NEEDED.filter((name) => !found.has(name));
    if (missing.length)
        throw new Error(
            `the directory has no ${missing.join(", no ")}: expected a model as Hugging Face ` +
                `stores GPT-2`,
        );
    for (const name of NEEDED)
        pageFiles.set(`${OWN}/${name}`, new Uint8Array(await found.get(name).arrayBuffer()));
    return OWN;
}

async function loadModel(model) {
    await readKept();
    if (model === BUILT_IN && !(await takeFiles("model")))
        throw new Error("this book was built without a model");
    return {
        texts: vocabularyOf(model),
        merges: new TextDecoder().decode(fileOf(`${model}/merges.txt`)),
    };
}

// The program with the chosen code in it: { program, linked }. What the book has built needs no
// compiler.
async function programOf(code, built, tell) {
    if (!code) return { program: PROGRAM };
    if (code.kind === "wrong" && code.names === built)
        return { program: `${PROGRAM}@${built.replaceAll("/", "-")}` };
    const end = await linkHere(PROGRAM, code, tell);
    if (end.code !== 0) throw new Error([end.failed, end.said].filter(Boolean).join(": "));
    return { program: PROGRAM, linked: end.linked };
}

async function runOn(ids, model, made = { program: PROGRAM }) {
    const loaded = await loadModel(model);
    return {
        model,
        ids,
        ...loaded,
        tensors: await tensorsOf(ids, model, made.program, made.linked),
    };
}

// The exercises that the drawn pass goes through: their known mistakes can be chosen.
const OF_THE_PASS = new RegExp(
    "^(01-.*/layernorm|04-.*/gelu|06-.*/embedding|07-.*|08-.*/block_forward|" +
        "10-.*/(gpt2_forward|tied_head))$",
);
