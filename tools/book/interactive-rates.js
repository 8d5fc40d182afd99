/* --- 02: the loss at a learning rate and a length of warm-up of the reader's, which the chapter's program trains, beside those of
   the figure; the drawing's parts are in interactive.js --- */

const RATE_RUNS = [
    ["post-LN", 0, "rgb(0,114,178)"],
    ["post-LN", 1, "rgb(86,180,233)"],
    ["pre-LN", 0, "rgb(213,94,0)"],
    ["pre-LN", 1, "rgb(230,159,0)"],
];
const runName = (placement, warm) => placement + (warm ? " + warm-up" : "");

// The means of the last 20 steps from the first table that the program prints, once all of it is there.
function meansOf(text) {
    if (!/^guessing /m.test(text)) return null;
    return RATE_RUNS.map(([placement, warm]) => {
        const name = runName(placement, warm).replace("+", "\\+");
        return Number(text.match(new RegExp(`^${name} +\\S+ +\\S+ +\\S+ +([\\d.]+)$`, "m"))[1]);
    });
}

function ratesDrawing(rows, seed, measured) {
    const x = (rate) => 70 + 78 * Math.log2(rate / 0.0005),
        y = (loss) => (300 - 225 * (Math.min(loss, 1.95) - 0.65)).toFixed(1);
    const ticks = [0.0005, 0.002, 0.008, 0.032].map((rate) => svgText(x(rate), 318, rate));
    const grid = [0.8, 1, 1.2, 1.4, 1.6, 1.8].map((loss) => svgLine(60, y(loss), 640, y(loss), 'stroke="var(--grid)"') + svgText(54, Number(y(loss)) + 4, loss, "end"));
    const guess = rows[0].guess;
    const lines = RATE_RUNS.map(([placement, warm, color]) => {
        const own = rows.filter((row) => row.placement === placement && row.warmup > 0 === warm > 0);
        const points = own.map((row) => `${x(row.rate).toFixed(1)},${y(row[`s${seed}`])}`);
        return `<polyline points="${points.join(" ")}" fill="none" stroke="${color}" stroke-width="1.5" opacity="0.55"/>`;
    });
    const last = measured.length - 1;
    const marks = measured.flatMap(({ rate, means }, k) =>
        means.map((mean, i) => {
            const size = k === last ? 7 : 4;
            return `<circle cx="${x(rate).toFixed(1)}" cy="${y(mean)}" r="${size}" fill="${RATE_RUNS[i][2]}" stroke="var(--fg)" data-run="${i}" data-mean="${mean}"/>`;
        }),
    );
    const bound = svgLine(60, y(guess), 640, y(guess), 'stroke="var(--fg)" stroke-dasharray="4 3"') + svgText(636, Number(y(guess)) - 6, "guessing", "end");
    const axes = svgText(350, 340, "peak learning rate") + svgText(60, 14, "loss of the last 20 steps", "start");
    const drawing = grid.join("") + ticks.join("") + bound + axes + lines.join("") + marks.join("");
    return svgElement(drawing, "0 0 660 350", "loss of four runs by learning rate: the figure's lines, and yours as dots");
}

function ratesFigure(parent, data) {
    const DEPTH = 6,
        SECONDS = 13; // of a core, for a thousand steps of four runs
    const rows = rowsOf(data.rates).filter((row) => row.depth === DEPTH);
    let measured = [],
        running = null;
    const draw = () => (drawing.innerHTML = ratesDrawing(rows, seed.value, measured.filter((one) => one.seed === seed.value)));
    const rate = liveSlider("peak learning rate", range(0, 14, 1).map((i) => Number((0.0005 * 2 ** (i / 2)).toPrecision(2))), 10, String, () => {});
    const warmup = liveSlider("steps of warm-up", [0, 5, 10, 20, 50, 100, 200, 300, 400, 600, 800, 1000], 8, String, () => {});
    const seed = liveSlider("seed", range(1, 5, 1), 0, String, draw);
    const drawing = element("div", { className: "scroll" }),
        said = element("p", { className: "run-state" }),
        list = element("ul", { className: "live-list" });
    said.setAttribute("role", "status");
    const train = button(`Train four runs (${aboutText(SECONDS)})`, async () => {
        if (running) return running.stop();
        const one = { rate: rate.value, warmup: warmup.value, seed: seed.value },
            began = performance.now();
        const args = ["--rate", one.rate, "--warmup", one.warmup, "--seed", one.seed, "--threads", 1].map(String);
        let text = "";
        // The table is the first that it prints; the rest is not needed here.
        running = startProgram("02-pre-ln-vs-post-ln", args, ({ stream, bytes }) => {
            if (stream === 1) text += new TextDecoder().decode(bytes);
            if (running && meansOf(text)) running.stop();
        });
        train.textContent = "Stop";
        said.textContent = "the program trains";
        const end = await running.done;
        running = null;
        train.textContent = `Train four runs (${aboutText(SECONDS)})`;
        const means = meansOf(text);
        if (means) measured.push({ ...one, means });
        said.textContent = means
            ? `rate ${one.rate}, ${one.warmup} steps of warm-up, seed ${one.seed}: in ${clockText((performance.now() - began) / 1000)}`
            : end.stopped ? "stopped" : `the program ended: ${end.trap || `exit code ${end.code}`}`;
        draw();
        if (!means) return;
        const items = RATE_RUNS.map(([placement, warm, color], i) => {
            const mark = element("span", { className: "dot" });
            mark.style.background = color;
            return element("li", {}, mark, `${runName(placement, warm)}: ${means[i].toFixed(3)}`);
        });
        list.replaceChildren(...items);
    });
    const note = element("p", { textContent: "Lines: the figure's runs with six layers, at 0 and 400 steps of warm-up. Dots: yours." });
    parent.append(rate.row, warmup.row, seed.row, element("p", { className: "run-choices" }, train), said, list, drawing, note);
    draw();
}
