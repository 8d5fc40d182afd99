// A model's view of a text, in a page (run.js loads this on a click): the distribution of the next token with sliders for
// temperature, top-k and top-p, and where each head looks. The numbers are those of chapter 10's program, --dump.
"use strict";

/* Ids of a text, what the model computes on them, and the vocabulary. */
async function lookAt(text) {
    const ids = await idsOf(text, "build/model");
    return { ids, tensors: await tensorsOf(ids, "build/model"), texts: vocabularyOf("build/model") };
}

function slider(label, properties, changed) {
    const input = element("input", { type: "range", ...properties }),
        value = element("output", { textContent: properties.value });
    input.oninput = () => {
        value.textContent = input.value;
        changed();
    };
    return {
        input,
        row: element("label", { className: "look-slider" }, element("span", { textContent: label }), input, value),
    };
}

function addLook(parent, { onlyMap = false } = {}) {
    const text = element("input", {
        type: "text",
        value: "Anna puts a pretty",
        ariaLabel: "text to look at",
    });
    const state = element("p", { className: "run-state" }),
        bars = element("ol", { className: "look-bars" });
    state.setAttribute("role", "status");
    const layer = element("select", { ariaLabel: "block" }),
        head = element("select", { ariaLabel: "head" });
    const map = element("table", { className: "look-map" });
    let seen;

    const drawBars = () => {
        const [rows, n] = seen.tensors.logits.shape,
            last = seen.tensors.logits.data.subarray((rows - 1) * n, rows * n);
        const kept = filtered(last, {
            temperature: Number(temperature.input.value),
            k: Number(k.input.value),
            p: Number(p.input.value),
        });
        bars.replaceChildren(
            ...kept.slice(0, 12).map(([id, share]) => {
                const bar = element("span", { className: "look-bar" });
                bar.style.width = `${(60 * share).toFixed(1)}%`;
                return element("li", {}, element("code", { textContent: seen.texts[id] ?? id }), bar, `${(100 * share).toFixed(1)} %`);
            }),
        );
        state.textContent = `${kept.length} of ${n} tokens can come next`;
    };
    const drawMap = () => {
        const {
                shape: [, t],
                data,
            } = seen.tensors[`att.${layer.value}`],
            from = Number(head.value) * t * t;
        const word = (i) => seen.texts[seen.ids[i]] ?? seen.ids[i];
        const caption = element("caption", {
            textContent: `block ${layer.value}, head ${head.value}: each row is a token, and where it looks`,
        });
        map.replaceChildren(
            caption,
            ...seen.ids.map((_, row) =>
                element(
                    "tr",
                    {},
                    element("th", { scope: "row", textContent: word(row) }),
                    ...seen.ids.slice(0, row + 1).map((_, column) => {
                        const weight = data[from + row * t + column],
                            cell = element("td", {
                                title: `${word(row)} looks at ${word(column)}: ${weight.toFixed(2)}`,
                            });
                        cell.style.setProperty("--weight", `${(100 * weight).toFixed(0)}%`);
                        cell.append(element("span", { className: "heard", textContent: weight.toFixed(2) }));
                        return cell;
                    }),
                ),
            ),
        );
    };
    const temperature = slider("temperature", { min: 0.1, max: 2, step: 0.05, value: 1 }, drawBars);
    const k = slider("top-k (0: all)", { min: 0, max: 50, step: 1, value: 0 }, drawBars);
    const p = slider("top-p", { min: 0.05, max: 1, step: 0.05, value: 1 }, drawBars);
    layer.onchange = head.onchange = drawMap;
    const sliders = element(
        "div",
        { hidden: true },
        ...(onlyMap ? [] : [temperature.row, k.row, p.row, bars]),
        element("p", {}, layer, " ", head),
        element("div", { className: "scroll" }, map),
    );

    const look = async () => {
        state.textContent = "computing";
        try {
            seen = await lookAt(text.value);
        } catch (error) {
            state.textContent = error.message;
            return;
        }
        const blocks = Object.keys(seen.tensors).filter((name) => name.startsWith("att.")).length,
            heads = seen.tensors["att.0"].shape[0];
        const fill = (select, n, what) =>
            select.options.length === n ||
            select.replaceChildren(...Array.from({ length: n }, (_, i) => element("option", { value: i, textContent: `${what} ${i}` })));
        (fill(layer, blocks, "block"), fill(head, heads, "head"));
        sliders.hidden = false;
        if (onlyMap) state.textContent = "";
        else drawBars();
        drawMap();
    };
    const form = element(
        "form",
        { className: "run-bar" },
        element("span", { textContent: "what the model makes of" }),
        text,
        element("button", { textContent: "Look" }),
    );
    form.onsubmit = (event) => {
        event.preventDefault();
        look();
    };
    parent.append(element("div", { className: "look" }, form, state, sliders));
    return { text, look };
}

/* --- what a chapter's box offers once the model is loaded: each label with the options of programs that run side by side --- */

const ANNA = "--model build/model --prompt 'Anna puts'";
const WITH_MODEL = {
    "10-gpt2": [["its parameters", ["--model build/model --info"]]],
    "12-generation": [["write", [`${ANNA} --temperature 0.8`]]],
    "13-kv-cache": [
        ["write", [`${ANNA} --max-new-tokens 60`]],
        ["with the cache and without, side by side", [`${ANNA} --max-new-tokens 60`, `${ANNA} --max-new-tokens 60 --no-cache`]],
    ],
    "14-compression": [
        ["four bits for each weight", ["--model build/model --codec q4_0 --out build/four-bits"]],
        ["write with those", ["--model build/four-bits --prompt 'Anna puts'"]],
    ],
    "17-one-file": [
        ["write", ["build/model -p 'Anna puts' -n 60"]],
        ["draw", ["build/model -p 'Anna puts' -n 60 -t 0.8 -k 40"]],
        ["text to ids", ["build/model -p 'Anna puts' -n 0"]],
    ],
};

function runBeside(box, lines) {
    const pair = element("div", { className: "run-pair" });
    box.charts.before(pair);
    for (const line of lines) {
        const div = element("div", { className: "run" });
        div.dataset.program = box.program;
        div.dataset.args = line;
        pair.append(div);
        new Box(div).run(line);
    }
    return pair;
}

/* Puts them into the row of the box, in the place of the button `load`. */
function useModel(box, row, load) {
    let pair = null;
    const choose = (lines) => {
        if (pair) pair.remove();
        pair = lines.length > 1 ? runBeside(box, lines) : null;
        if (!pair) box.run(lines[0]);
    };
    const button = (textContent, onclick) => element("button", { type: "button", textContent, onclick });
    load.replaceWith(...WITH_MODEL[box.program].map(([label, lines]) => button(label, () => choose(lines))));
    if (["14-compression", "17-one-file"].includes(box.program)) return;
    const look = addLook(box.div);
    row.append(
        button("look at what it wrote", () => {
            if (box.result) look.text.value = box.result.stdout.trim().split(/\s+/).slice(0, 30).join(" ");
            look.look();
        }),
    );
}

useModel.addLook = addLook;
courseData("model-view", useModel);
