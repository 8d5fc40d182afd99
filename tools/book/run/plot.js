/* --- what a program has measured, drawn by the recipe of the lesson's own figure (plots/NN-name), by gnuplot itself --- */

// {recipes: {name: text}, data: {csv: text}, style} of a chapter, and what its figures read.
const figuresOf = (program) => courseLoad(`figures-${program.slice(0, 2)}`);
const readBy = (recipe, data) => Object.keys(data).filter((csv) => recipe.includes(`/${csv}.csv`));

// The SVG of a figure on given CSVs ({name: text or bytes}); fails with what gnuplot says.
async function gnuplot(name, recipe, style, data) {
    const encoder = new TextEncoder(),
        bytes = (text) => (typeof text === "string" ? encoder.encode(text) : text);
    const files = Object.entries(data).map(([csv, text]) => [`data/${csv}.csv`, bytes(text)]);
    files.push(["style.gp", bytes(style)], [`${name}.gp`, bytes(recipe)], ["dev/null", bytes("")]);
    const settings = `terminal="svg"; data="data"; out="figure.svg"`;
    let said = "";
    const end = await startWorker(
        "gnuplot",
        ["gnuplot", "-e", settings, "style.gp", `${name}.gp`],
        () => files,
        (message) => {
            if (message.stream) said += new TextDecoder().decode(message.bytes);
        },
    ).done;
    const drawn = end.code === 0 && end.files.find(([path]) => path === "figure.svg");
    if (!drawn) throw new Error(said || end.trap);
    return new TextDecoder().decode(drawn[1]);
}

const textsOf = (svg) => (svg.match(/<text[^]*?<\/text>/g) || []).join("");

// The figure with the reader's run and the lesson's: one over the other where both have the same axes, else one at a time.
function comparison(name, yours, lessons) {
    const together = textsOf(yours) === textsOf(lessons),
        same = yours === lessons;
    const layers = element("div", { className: "layers" });
    layers.innerHTML = pageFigure(lessons, `lesson-${name}`, `${name}: the lesson's run`) + pageFigure(yours, `yours-${name}`, `${name}: your run`);
    const views = [
        ["yours", "your run"],
        ["lesson", "the lesson's"],
    ];
    if (together) views.unshift(["both", "your run over the lesson's, in grey"]);
    const radios = views.map(([value, label], i) => {
        const input = element("input", { type: "radio", name: `view-${name}`, value, checked: i === 0 });
        input.onchange = () => (layers.dataset.view = value);
        return element("label", {}, input, ` ${label}`);
    });
    layers.dataset.view = views[0][0];
    const there = document.getElementById(`figure-${name}`);
    const what = element("figcaption", {}, "Drawn as the lesson's figure ");
    what.append(there ? element("a", { href: `#figure-${name}`, textContent: name }) : name);
    what.append(same ? ": the very same drawing. " : ". ");
    const choice = element("p", { className: "run-views" }, ...(same ? [] : radios));
    return element("figure", { className: "run-chart" }, what, choice, element("div", { className: "scroll" }, layers));
}

// Every figure of the chapter that reads one of the files; nothing for those that no figure reads.
async function drawFigures(parent, program, paths) {
    const csvs = paths.map((path) => path.match(/([^/]+)\.csv$/)).filter(Boolean);
    if (!csvs.length) return;
    const { recipes, data, style } = await figuresOf(program);
    const wrote = csvs.filter(([, csv]) => csv in data),
        gone = [];
    for (const [name, recipe] of Object.entries(recipes)) {
        const reads = readBy(recipe, data);
        if (!wrote.some(([, csv]) => reads.includes(csv))) continue;
        const theirs = Object.fromEntries(reads.map((csv) => [csv, data[csv]])),
            mine = { ...theirs };
        for (const path of paths) {
            const csv = (path.match(/([^/]+)\.csv$/) || [])[1];
            if (reads.includes(csv)) mine[csv] = pageFiles.get(path);
        }
        try {
            const drawn = await Promise.all([mine, theirs].map((some) => gnuplot(name, recipe, style, some)));
            parent.append(comparison(name, ...drawn));
        } catch (error) {
            gone.push(name);
        }
    }
    if (gone.length) parent.append(element("p", { textContent: `Not enough was measured to draw ${gone.join(" and ")}.` }));
}

/* --- the log of a training run, a line of each step, as its curve while it grows --- */

function drawLog(parent, logs, path, bytes) {
    const [header, ...rows] = new TextDecoder().decode(bytes).split("\n");
    const names = header.split(","),
        y = names.findIndex((name) => /loss/.test(name));
    if (names[0] !== "step" || y < 0) return;
    const points = rows.map((row) => row.split(",")).map((row) => [Number(row[0]), row[y] ? Number(row[y]) : NaN]);
    const known = points.slice(0, -1).filter((point) => point.every(Number.isFinite));
    if (known.length < 2) return;
    if (!logs.has(path)) {
        const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
        svg.setAttribute("viewBox", "0 0 640 300");
        svg.setAttribute("role", "img");
        logs.set(path, svg);
        parent.append(element("figure", { className: "run-chart" }, element("figcaption", { textContent: path }), svg));
    }
    drawCurve(logs.get(path), known, names[y], path);
}

// Steps of 1, 2 or 5 times a power of ten, some five of them.
function ticksOf(low, high) {
    const rough = (high - low) / 5 || 1,
        power = 10 ** Math.floor(Math.log10(rough)),
        step = power * [1, 2, 5, 10].find((n) => n * power >= rough);
    const first = Math.ceil(low / step);
    return Array.from({ length: Math.floor(high / step) - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

function drawCurve(svg, points, yName, path) {
    const range = (i) => [Math.min(...points.map((p) => p[i])), Math.max(...points.map((p) => p[i]))];
    const [x0, x1] = range(0),
        [y0, y1] = range(1);
    const px = (x) => (60 + (560 * (x - x0)) / (x1 - x0 || 1)).toFixed(1),
        py = (y) => (262 - (240 * (y - y0)) / (y1 - y0 || 1)).toFixed(1);
    const label = (x, y, anchor, words) => `<text x="${x}" y="${y}" text-anchor="${anchor}">${words}</text>`;
    const drawing = [
        ...ticksOf(x0, x1).map((x) => `<path class="grid" d="M${px(x)} 18V266"/>${label(px(x), 284, "middle", x)}`),
        ...ticksOf(y0, y1).map((y) => `<path class="grid" d="M60 ${py(y)}H624"/>${label(56, Number(py(y)) + 4, "end", y)}`),
        '<path class="axis" d="M60 18V266H624"/>',
        label(624, 299, "end", "step"),
        label(64, 14, "start", yName),
        `<polyline class="line line-0" points="${points.map(([x, y]) => `${px(x)},${py(y)}`).join(" ")}"/>`,
    ];
    svg.innerHTML = drawing.join("");
    svg.setAttribute("aria-label", `${yName} by step of ${path}: from ${points[0][1]} to ${points[points.length - 1][1]}`);
}
