/* --- what a page reads of a model: its tokens and, by --dump of chapter 10's program, all that it
   computes on a text --- */

/* {name: {shape, data}} of a safetensors file of floats. */
function readTensors(bytes) {
    const view = new DataView(bytes.buffer, bytes.byteOffset),
        length = Number(view.getBigUint64(0, true));
    const header = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + length))),
        tensors = {};
    delete header.__metadata__;
    for (const [
        name,
        {
            shape,
            data_offsets: [begin, end],
        },
    ] of Object.entries(header)) {
        tensors[name] = {
            shape,
            data: new Float32Array(bytes.slice(8 + length + begin, 8 + length + end).buffer),
        };
    }
    return tensors;
}

/* The tokens' texts. vocab.json writes each byte as a letter (chapter 09); a part of a letter is
   shown as one, too. */
function readVocabulary(bytes) {
    const texts = [];
    for (const [text, id] of Object.entries(JSON.parse(new TextDecoder().decode(bytes)))) {
        texts[id] = text.replaceAll("\u0120", " ").replaceAll("\u010a", "\u21b5");
    }
    return texts;
}

/* What a program prints; fails with what it says on stderr. `linked`: see startProgram. */
async function runQuietly(program, args, linked) {
    let out = "",
        error = "";
    const decoder = new TextDecoder();
    const end = await startProgram(
        program,
        args,
        ({ stream, bytes }) => {
            if (stream === 1) out += decoder.decode(bytes, { stream: true });
            if (stream === 2) error += new TextDecoder().decode(bytes);
        },
        linked,
    ).done;
    if (end.code !== 0) throw new Error(error || end.trap);
    return out;
}

async function idsOf(text, model) {
    pageFiles.set("build/look.txt", new TextEncoder().encode(text));
    const ids = await runQuietly("09-tokenizer", ["encode", "--vocab", model, "build/look.txt"]);
    return ids.trim().split(/\s+/).map(Number);
}

async function tensorsOf(ids, model, program = "10-gpt2", linked = null) {
    await runQuietly(
        program,
        ["--model", model, "--ids", ids.join(" "), "--dump", "build/look.safetensors"],
        linked,
    );
    return readTensors(pageFiles.get("build/look.safetensors"));
}

const fileOf = (path) => pageFiles.get(path) || givenFiles.get(path);
const vocabularyOf = (model) => readVocabulary(fileOf(`${model}/vocab.json`));

/* Chapter 12's order: temperature, the k likeliest, then the likeliest that make up p.
   [[id, probability]], likeliest first. */
function filtered(logits, { temperature, k, p }) {
    const most = Math.max(...logits),
        weights = Array.from(logits, (l, id) => [id, Math.exp((l - most) / temperature)]);
    let kept = weights.sort((a, b) => b[1] - a[1]).slice(0, k || undefined),
        sum = kept.reduce((s, [, w]) => s + w, 0),
        above = 0;
    kept = kept.filter(([, w]) => {
        const before = above;
        above += w / sum;
        return before < p;
    });
    sum = kept.reduce((s, [, w]) => s + w, 0);
    return kept.map(([id, w]) => [id, w / sum]);
}

if (typeof module !== "undefined") module.exports = { readTensors, readVocabulary, filtered };
