// Figures that move, on a click: the settings of a lesson's figure as sliders, on the numbers that the chapter's program has written,
// with the formulas of the chapter. LIVE_FIGURES names each; the static figure stays above it.
"use strict";

// The rows of a CSV as objects; numbers where all of a column's are.
function rowsOf(text) {
    const [header, ...lines] = text.trim().split("\n");
    const names = header.split(",");
    return lines.map((line) => {
        const cells = line.match(/("[^"]*"|[^,]*)(,|$)/g).map((cell) => cell.replace(/,$/, "").replace(/^"|"$/g, ""));
        return Object.fromEntries(names.map((name, i) => [name, cells[i] !== "" && !Number.isNaN(Number(cells[i])) ? Number(cells[i]) : cells[i]]));
    });
}

const svgElement = (markup, viewBox, label) => `<svg viewBox="${viewBox}" role="img" aria-label="${label}" font-size="13">${markup}</svg>`;
const svgText = (x, y, words, anchor = "middle", more = "") =>
    `<text x="${x}" y="${y}" text-anchor="${anchor}" fill="var(--fg)"${more}>${String(words).replace(/[&<>]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[c])}</text>`;
const svgLine = (x1, y1, x2, y2, more = 'stroke="var(--axis)"') => `<path d="M${x1} ${y1}L${x2} ${y2}" fill="none" ${more}/>`;

// A slider with its value beside it. values: what its places mean; say(value) is how it is read.
function liveSlider(label, values, at, say, changed) {
    const input = element("input", { type: "range", min: 0, max: values.length - 1, value: at }),
        output = element("output");
    const show = () => {
        output.textContent = say(values[input.value]);
        input.setAttribute("aria-valuetext", output.textContent);
    };
    input.oninput = () => {
        show();
        changed();
    };
    show();
    return {
        row: element("label", { className: "look-slider" }, element("span", { textContent: label }), input, output),
        get value() {
            return values[input.value];
        },
        set(value) {
            input.value = values.reduce((best, v, i) => (Math.abs(v - value) < Math.abs(values[best] - value) ? i : best), 0);
            show();
        },
    };
}
const range = (from, to, step) => Array.from({ length: Math.round((to - from) / step) + 1 }, (_, i) => Number((from + i * step).toFixed(6)));

/* --- 12: a distribution under temperature, top-k and top-p --- */

// The probabilities of logits, from the largest down, in the lesson's order: temperature, top-k, softmax, top-p.
function drawnFrom(logits, { temperature, k, p }) {
    const weights = logits.map((z, i) => (k && i >= k ? 0 : Math.exp((z - logits[0]) / temperature)));
    const sum = weights.reduce((s, w) => s + w, 0),
        shares = weights.map((w) => w / sum);
    let above = 0;
    const kept = shares.map((share) => {
        const stays = share > 0 && (p >= 1 || above < p);
        above += share;
        return stays ? share : 0;
    });
    const all = kept.reduce((s, share) => s + share, 0);
    return kept.map((share) => share / all);
}

function filtersFigure(parent, data) {
    const RANKS = 16,
        logits = [0, 1].map((place) =>
            rowsOf(data.logits)
                .filter((row) => row.context === place)
                .map((row) => row.logit),
        ),
        names = [0, 1].map((place) =>
            rowsOf(data.filters)
                .filter((row) => row.context === place && row.filter === "as it is")
                .map((row) => row.token),
        );
    const draw = () => {
        const settings = { temperature: temperature.value, k: k.value, p: p.value };
        const panels = logits.map((values, place) => {
            const shares = drawnFrom(values, settings),
                left = shares.filter((share) => share > 0).length,
                x0 = 60 + 370 * place;
            const bars = shares.slice(0, RANKS).map((share, i) => {
                const height = 400 * Math.min(share, 0.6),
                    x = x0 + 20 * i;
                return (
                    `<rect x="${x + 2}" y="${(270 - height).toFixed(1)}" width="15" height="${height.toFixed(1)}" fill="rgb(0,114,178)" data-share="${share}"/>` +
                    svgText(x + 13, 278, names[place][i], "end", ` font-size="11" transform="rotate(-90 ${x + 13} 278)"`)
                );
            });
            return (
                svgLine(x0, 30, x0, 270) +
                svgLine(x0, 270, x0 + 325, 270) +
                bars.join("") +
                svgText(x0 + 160, 18, place ? "little may follow" : "much may follow") +
                svgText(x0 + 320, 46, `${left} left`, "end", ` data-left="${left}"`) +
                [0, 0.2, 0.4, 0.6].map((y) => svgText(x0 - 6, 274 - 400 * y, y, "end", ' font-size="11"')).join("")
            );
        });
        drawing.innerHTML = svgElement(panels.join(""), "0 0 770 350", "probabilities of the 16 likeliest tokens in two places");
    };
    const temperature = liveSlider("temperature", range(0.1, 3, 0.05), 18, (v) => v.toFixed(2), draw),
        k = liveSlider("top-k", [0, ...range(1, 60, 1)], 0, (v) => (v ? String(v) : "off"), draw),
        p = liveSlider("top-p", range(0.05, 1, 0.05), 19, (v) => (v === 1 ? "off" : v.toFixed(2)), draw);
    const presets = [
        ["as it is", 1, 0, 1],
        ["temperature 0.5", 0.5, 0, 1],
        ["temperature 2", 2, 0, 1],
        ["top-k 5", 1, 5, 1],
        ["top-p 0.9", 1, 0, 0.9],
    ];
    const buttons = presets.map(([name, ...settings]) =>
        button(name, () => {
            [temperature, k, p].forEach((slider, i) => slider.set(settings[i]));
            draw();
        }),
    );
    const drawing = element("div", { className: "scroll" });
    parent.append(temperature.row, k.row, p.row, element("p", { className: "run-choices" }, ...buttons), drawing);
    draw();
}

/* --- 01: one sample in batches of 1 to 256 --- */

function batchesFigure(parent, data) {
    let rows = rowsOf(data["one-sample"]),
        seed = 1;
    const draw = () => {
        const now = rows.filter((row) => row.batch === batch.value);
        const y = (value) => (150 - 45 * Math.max(-3, Math.min(3, value))).toFixed(1);
        const bars = now.map(({ feature, layernorm, batchnorm, endless }) => {
            const x = 70 + 80 * feature;
            const bar = (at, value, color, name) => {
                const [top, bottom] = [Math.min(y(value), y(0)), Math.max(y(value), y(0))];
                return `<rect x="${at}" y="${top}" width="24" height="${(bottom - top).toFixed(1)}" fill="${color}" data-${name}="${value}"/>`;
            };
            return (
                bar(x, layernorm, "rgb(0,114,178)", "layernorm") +
                bar(x + 28, batchnorm, "rgb(213,94,0)", "batchnorm") +
                svgLine(x + 26, y(endless), x + 54, y(endless), 'stroke="var(--fg)" stroke-width="2" stroke-dasharray="4 3"') +
                svgText(x + 26, 305, `feature ${feature + 1}`)
            );
        });
        const axis = [-2, -1, 0, 1, 2].map((v) => svgLine(60, y(v), 710, y(v), 'stroke="var(--grid)"') + svgText(52, Number(y(v)) + 4, v, "end"));
        const off = Math.sqrt(now.reduce((sum, row) => sum + (row.batchnorm - row.endless) ** 2, 0) / now.length);
        drawing.innerHTML = svgElement(axis.join("") + bars.join(""), "0 0 720 315", "eight features of a sample under both norms");
        said.textContent = `batch of ${batch.value}, seed ${seed}: LayerNorm (blue) does not move; BatchNorm (orange) is ${off.toFixed(2)} from an endless batch (dashed)`;
    };
    const batch = liveSlider("batch size B", range(1, 256, 1), 0, String, draw),
        drawing = element("div", { className: "scroll" }),
        said = element("p", { className: "run-state" });
    const others = button("draw another sample and other neighbours", async () => {
        others.disabled = true;
        seed++;
        said.textContent = "the program draws";
        const args = ["--experiment", "batch-size", "--seed", String(seed), "--out", "build/look", "--threads", "1"];
        const end = await startProgram("01-layernorm-vs-batchnorm", args, () => {}).done;
        const csv = (end.files || []).find(([path]) => path.endsWith("/one-sample.csv"));
        if (csv) rows = rowsOf(new TextDecoder().decode(csv[1]));
        others.disabled = false;
        draw();
        if (!csv) said.textContent = `the program ended: ${end.trap || `exit code ${end.code}`}`;
        others.focus();
    });
    said.setAttribute("role", "status");
    parent.append(batch.row, element("p", { className: "run-choices" }, others), said, drawing);
    draw();
}

/* --- 14: bits and the size of a group --- */

function bitsFigure(parent, data) {
    const rows = rowsOf(data.bits),
        groups = [8, 16, 32, 64, 128, 256],
        lines = [
            ["noise", "error", "rgb(0,114,178)"],
            ["noise", "offset_error", "rgb(0,158,115)"],
            ["FFN", "error", "rgb(213,94,0)"],
            ["FFN", "offset_error", "rgb(204,121,167)"],
        ];
    const words = {
        noise: "white noise",
        FFN: "trained matrix",
        error: "a scale alone",
        offset_error: "scale and offset",
    };
    const shown = lines.filter(([matrix]) => rows.some((row) => row.matrix === matrix));
    const draw = () => {
        const now = rows.filter((row) => row.bits === bits.value),
            most = Math.max(...now.flatMap((row) => [row.error, row.offset_error])) * 1.1;
        const x = (group) => 80 + (Math.log2(group) - 3) * 110,
            y = (error) => (270 - (240 * error) / most).toFixed(1);
        const axes =
            svgLine(60, 30, 60, 270) +
            svgLine(60, 270, 660, 270) +
            groups.map((g) => svgText(x(g), 288, g)).join("") +
            [0, 0.5, 1].map((share) => svgText(54, Number(y((share * most) / 1.1)) + 4, ((share * most) / 1.1).toPrecision(2), "end")).join("") +
            svgText(355, 310, "weights that share a scale") +
            svgText(64, 20, "relative error", "start");
        const curves = shown.map(([matrix, column, color]) => {
            const points = groups.map((g) => [g, now.find((row) => row.matrix === matrix && row.group === g)[column]]);
            const marks = points.map(
                ([g, error]) =>
                    `<circle cx="${x(g)}" cy="${y(error)}" r="${g === group.value ? 7 : 3.5}" fill="${color}" data-${matrix}-${column.replace("_", "-")}="${g}:${error}"/>`,
            );
            return `<polyline points="${points.map(([g, e]) => `${x(g)},${y(e)}`).join(" ")}" fill="none" stroke="${color}" stroke-width="2"/>${marks.join("")}`;
        });
        drawing.innerHTML = svgElement(axes + curves.join(""), "0 0 680 320", "relative error by the size of a group");
        list.replaceChildren(
            ...shown.map(([matrix, column, color]) => {
                const row = now.find((r) => r.matrix === matrix && r.group === group.value),
                    stored = column === "error" ? row.stored_bits : row.offset_stored_bits;
                const mark = element("span", { className: "dot" });
                mark.style.background = color;
                return element(
                    "li",
                    {},
                    mark,
                    `${words[matrix]}, ${words[column]}: ${stored} bits a weight, relative error ${row[column].toPrecision(3)}`,
                );
            }),
        );
    };
    const bits = liveSlider("bits of a number", range(2, 8, 1), 2, String, draw),
        group = liveSlider("weights that share a scale", groups, 2, String, draw),
        drawing = element("div", { className: "scroll" }),
        list = element("ul", { className: "live-list" });
    parent.append(bits.row, group.row, drawing, list);
    draw();
}

/* --- 07: where the heads of a trained model look, on the reader's own sentence --- */

async function mapFigure(parent) {
    const [useModel, isThere] = await Promise.all([courseLoad("model-view"), takeFiles("model")]);
    if (!isThere) return parent.append(element("p", { textContent: "This book was built without a model." }));
    useModel.addLook(parent, { onlyMap: true }).look();
}

const LIVE_FIGURES = {
    "12-filters": ["Move temperature, top-k and top-p", filtersFigure],
    "02-rates": ["Move the learning rate and the warm-up", ratesFigure],
    "01-batch-size": ["Move the batch size", batchesFigure],
    "14-group-size": ["Move the bits and the size of a group", bitsFigure],
    "07-maps": ["Look at a sentence of your own (fetches a model of 3.5 MB)", mapFigure],
};

for (const [name, [label, make]] of Object.entries(LIVE_FIGURES)) {
    const figure = document.getElementById(`figure-${name}`);
    if (!figure || !document.body.dataset.chapter) continue;
    const live = element("div", { className: "live" });
    const open = button(label, async () => {
        open.disabled = true;
        try {
            await make(live, await courseLoad(`live-${name.slice(0, 2)}`));
        } catch (error) {
            live.append(element("p", { textContent: error.message }));
            open.disabled = false;
            return;
        }
        open.remove();
        const first = live.querySelector("input");
        if (first) first.focus({ preventScroll: true });
    });
    live.append(open);
    figure.after(live);
}
