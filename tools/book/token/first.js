// The text that the page "One token" and the front page begin with: its dump and what the model
// wrote, by the very programs that a page runs (tools/book/wasm/run.js). Where there is no program
// or model, null.
"use strict";
const { execFileSync } = require("child_process");
const fs = require("fs");
const { readTensors, readVocabulary } = require("../run/model.js");

const PROMPT = "Anna puts a map in the";
const MOST = 10; // tokens
const WRONG = "01/layernorm/columns"; // needs no compiler: programs.sh builds 10-gpt2 with it
const dump = "build/book-token.safetensors";

const model = ["build/model", "build/book-model"].find((at) =>
    fs.existsSync(`${at}/model.safetensors`),
);
const program = (name) => `build/wasm/small/${name}.small`;
const run = (name, ...args) =>
    execFileSync("node", ["tools/book/wasm/run.js", program(name), ...args], {
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
    });

function encode(text) {
    fs.writeFileSync("build/book-token.txt", text);
    return run("09-tokenizer", "encode", "--vocab", model, "build/book-token.txt")
        .trim()
        .split(/\s+/)
        .map(Number);
}

function first() {
    if (
        !model ||
        !["09-tokenizer", "10-gpt2", "13-kv-cache"].every((name) => fs.existsSync(program(name)))
    )
        return null;
    const written = run(
        "13-kv-cache",
        "--model",
        model,
        "--prompt",
        PROMPT,
        "--max-new-tokens",
        "12",
        "--temperature",
        "0.6",
        "--threads",
        "1",
    );
    const ids = encode(written.replace(/\n$/, "")).slice(0, MOST);
    run("10-gpt2", "--model", model, "--ids", ids.join(" "), "--dump", dump);
    const bytes = fs.readFileSync(dump),
        file = (name) => fs.readFileSync(`${model}/${name}`);
    return {
        ids,
        prompt: encode(PROMPT).length,
        texts: readVocabulary(file("vocab.json")),
        merges: file("merges.txt").toString(),
        bytes,
        tensors: readTensors(new Uint8Array(bytes)),
        wrong: fs.existsSync(program(`10-gpt2@${WRONG.replaceAll("/", "-")}`)) ? WRONG : "",
    };
}

// What programs/token.js hands to the page.
const packed = ({ ids, prompt, texts, merges, bytes, wrong }) => ({
    ids,
    prompt,
    texts,
    merges,
    wrong,
    dump: bytes.toString("base64"),
});

module.exports = { first, packed, PROMPT };
