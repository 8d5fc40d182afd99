// The programs in a page. Each <div class="run" data-program="NN-name" data-args="..."> that quotes an output gets a line with its
// options, a button that runs the program in a worker (programs/, made by make book-programs) and a pane for what it writes;
// one without a quoted output also names what else there is to run. What a program has written stays for the page's next one.
"use strict";

const runBase = new URL("programs/", document.currentScript.src).href;

/* --- what is loaded: scripts that call courseData(name, value) --- */

const courseArrived = new Map(),
    courseLoading = new Map();

function courseData(name, value) {
    courseArrived.get(name)(value);
}

function courseLoad(name) {
    if (!courseLoading.has(name)) {
        courseLoading.set(
            name,
            new Promise((resolve, reject) => {
                const script = document.createElement("script");
                courseArrived.set(name, resolve);
                script.onerror = () => {
                    courseLoading.delete(name);
                    reject(new Error(`programs/${name}.js is not there: make book-programs builds it`));
                };
                script.src = runBase + name + ".js";
                document.head.append(script);
            }),
        );
    }
    return courseLoading.get(name);
}

const fromBase64 = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));

/* --- a program in a worker --- */

const pageFiles = new Map(); // path: bytes

async function takeFiles(name) {
    const files = await courseLoad(name);
    for (const [path, text] of files || []) if (!pageFiles.has(path)) pageFiles.set(path, fromBase64(text));
    return files !== null;
}

// Starts a program; on(message) gets what the worker says (see wasm/worker.js). {stop(), done}: done is what came last, or
// {stopped: true}.
function startProgram(name, args, on) {
    let worker,
        finish,
        stopped = false;
    const done = new Promise((resolve) => {
        finish = resolve;
    });
    const stop = () => {
        stopped = true;
        if (worker) worker.terminate();
        finish({ stopped });
    };
    const start = async () => {
        const [source, program] = await Promise.all([
            courseLoad("worker"),
            courseLoad(name),
            takeFiles("files"),
        ]);
        if (stopped) return;
        const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
        worker = new Worker(url);
        worker.onerror = (event) => finish({ trap: event.message });
        worker.onmessage = ({ data }) => {
            on(data);
            if (!("code" in data)) return;
            for (const [path, bytes] of data.files) pageFiles.set(path, bytes);
            worker.terminate();
            URL.revokeObjectURL(url);
            finish(data);
        };
        worker.postMessage({
            program: fromBase64(program),
            args: [`build/${name}`, ...args],
            files: [...pageFiles],
        });
    };
    start().catch((error) => finish({ trap: error.message }));
    return { stop, done };
}

// A line of options as a shell would split it.
function splitOptions(line) {
    return [...line.matchAll(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g)].map(([word]) =>
        word.replace(/'([^']*)'|"([^"]*)"/g, "$1$2"),
    );
}

/* --- the pane: text, where \r goes back to the line's beginning and ESC [ K erases its rest, as progress bars do --- */

class Screen {
    constructor(element) {
        this.element = element;
        this.clear();
    }
    clear() {
        ((this.above = ""), (this.line = ""), (this.column = 0));
        this.decoders = { 1: new TextDecoder(), 2: new TextDecoder() };
        this.element.textContent = "";
    }
    write(stream, bytes) {
        const text = this.decoders[stream].decode(bytes, { stream: true });
        for (const piece of text.match(/\n|\r|\x1b\[K|[^\n\r\x1b]+|\x1b/g) || []) {
            if (piece === "\n") ((this.above += this.line + "\n"), (this.line = ""), (this.column = 0));
            else if (piece === "\r") this.column = 0;
            else if (piece === "\x1b[K") this.line = this.line.slice(0, this.column);
            else {
                this.line =
                    this.line.slice(0, this.column).padEnd(this.column) +
                    piece +
                    this.line.slice(this.column + piece.length);
                this.column += piece.length;
            }
        }
        if (!this.drawing) this.drawing = requestAnimationFrame(() => this.draw());
        return text;
    }
    draw() {
        cancelAnimationFrame(this.drawing);
        this.drawing = 0;
        const atEnd = this.element.scrollTop + this.element.clientHeight >= this.element.scrollHeight - 4;
        this.element.textContent = this.above + this.line;
        if (atEnd) this.element.scrollTop = this.element.scrollHeight;
    }
}

function element(tag, properties = {}, ...children) {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children);
    return made;
}

/* --- a box --- */

class Box {
    constructor(div) {
        this.div = div;
        this.program = div.dataset.program;
        const quoted = div.querySelector("pre");
        this.expected = quoted && quoted.textContent.replace(/\n*$/, "\n");
        const what = `options of ${this.program}`;
        this.options = element("input", {
            type: "text",
            value: div.dataset.args,
            spellcheck: false,
            autocomplete: "off",
            ariaLabel: what,
        });
        this.runButton = element("button", { type: "submit", textContent: "Run", className: "run-start" });
        this.stopButton = element("button", {
            type: "button",
            textContent: "Stop",
            className: "run-stop",
            hidden: true,
        });
        this.bar = element(
            "form",
            { className: "run-bar" },
            element("code", { textContent: this.program }),
            this.options,
            this.runButton,
            this.stopButton,
        );
        this.pane = element("pre", {
            className: "run-pane",
            hidden: true,
            tabIndex: 0,
            ariaLabel: `what ${this.program} writes`,
        });
        this.pane.setAttribute("role", "log");
        this.state = element("p", { className: "run-state" });
        this.state.setAttribute("role", "status");
        this.charts = element("div", { className: "run-charts" });
        this.bar.onsubmit = (event) => {
            event.preventDefault();
            this.run(this.options.value);
        };
        this.stopButton.onclick = () => this.running.stop();
        div.append(this.bar, this.pane, this.state, this.charts);
        this.screen = new Screen(this.pane);
        this.result = null; // {code, stopped, trap, stdout, stderr} of the last run
    }

    async run(line) {
        if (this.running) return this.result;
        this.options.value = line;
        this.screen.clear();
        this.charts.replaceChildren();
        const text = { 1: "", 2: "" },
            charts = new Map(),
            started = performance.now();
        const quoted = this.expected && line === this.div.dataset.args;
        ((this.runButton.hidden = true),
            (this.stopButton.hidden = false),
            (this.pane.hidden = false),
            (this.result = null));
        this.state.textContent = "running";
        this.running = startProgram(this.program, splitOptions(line), (message) => {
            if (message.stream) text[message.stream] += this.screen.write(message.stream, message.bytes);
            if (!message.path) return;
            if (!charts.has(message.path)) charts.set(message.path, new Chart(this.charts, message.path));
            charts.get(message.path).draw(new TextDecoder().decode(message.bytes));
        });
        const end = await this.running.done;
        this.screen.draw();
        this.running = null;
        ((this.runButton.hidden = false), (this.stopButton.hidden = true));
        const seconds = ((performance.now() - started) / 1000).toFixed(1);
        this.state.textContent = end.stopped
            ? `stopped after ${seconds} s`
            : end.trap
              ? `the program ended by itself: ${end.trap}`
              : `${end.code === 0 ? "done" : `ended with exit code ${end.code}`} in ${seconds} s${this.compared(quoted, text[1])}`;
        this.result = { ...end, stdout: text[1], stderr: text[2] };
        return this.result;
    }

    compared(quoted, stdout) {
        if (!quoted) return "";
        if (this.div.dataset.filter) return "; the lesson shows a part of it";
        return stdout.replace(/\r/g, "") === this.expected
            ? "; the same bytes as in the lesson"
            : "; the lesson has other bytes";
    }
}

/* --- what else there is to run --- */

const PRESETS = {
    "11-training": [
        [
            "train a small model, with its loss curve",
            "--steps 120 --validate-every 10 --log losses --out build/out",
        ],
    ],
};

function addChoices(box) {
    const row = element("p", { className: "run-choices" });
    for (const [label, line] of PRESETS[box.program] || []) {
        row.append(element("button", { type: "button", textContent: label, onclick: () => box.run(line) }));
    }
    const list = element("button", { type: "button", textContent: "experiments and options" });
    list.onclick = async () => {
        const help = await box.run("--help");
        const names = [...(help.stdout.split("\nexperiments:\n")[1] || "").matchAll(/^ {2}(\S+)\s+(.*)$/gm)];
        if (!names.length) return;
        const choice = element(
            "select",
            { ariaLabel: "experiment" },
            element("option", { textContent: "choose an experiment", value: "" }),
        );
        for (const [, name, what] of names)
            choice.append(element("option", { textContent: `${name}: ${what}`, value: name }));
        choice.onchange = () => choice.value && box.run(`--experiment ${choice.value} --quick`);
        list.replaceWith(choice);
    };
    row.append(list);
    if (MODEL_CHAPTERS.includes(box.program)) addModel(box, row);
    box.bar.before(row);
}

/* --- the model that make tour has trained: loaded on a click --- */

const MODEL_CHAPTERS = ["10-gpt2", "12-generation", "13-kv-cache", "14-compression", "17-one-file"];

function addModel(box, row) {
    const load = element("button", { type: "button", textContent: "load the model of make tour (3.6 MB)" });
    load.onclick = async () => {
        load.disabled = true;
        box.state.textContent = "loading";
        const [useModel, isThere] = await Promise.all([courseLoad("look"), takeFiles("model")]);
        box.state.textContent = isThere
            ? "the model is in build/model"
            : "This book was built without the model: make tour trains it, then make book takes it along.";
        if (isThere) useModel(box, row, load);
    };
    row.append(load);
}

/* --- a CSV as lines --- */

class Chart {
    constructor(parent, path) {
        this.select = element("select", { ariaLabel: `column of ${path}` });
        this.select.onchange = () => this.draw(this.text);
        this.svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
        this.svg.setAttribute("viewBox", "0 0 640 300");
        this.svg.setAttribute("role", "img");
        this.path = path;
        this.keys = element("p", { className: "run-keys" });
        parent.append(
            element(
                "figure",
                { className: "run-chart" },
                element("figcaption", {}, element("code", { textContent: path }), " ", this.select),
                this.svg,
                this.keys,
            ),
        );
    }

    draw(text) {
        this.text = text;
        const [header, ...rows] = text
            .slice(0, text.lastIndexOf("\n"))
            .split("\n")
            .map((line) => line.split(","));
        const isNumber = header.map(
            (_, c) =>
                rows.length > 0 &&
                rows.every((row) => !row[c] || !Number.isNaN(Number(row[c])) || row[c] === "nan"),
        );
        const numbers = header.map((_, c) => c).filter((c) => isNumber[c]);
        if (numbers.length < 2) return;
        const [x, ...ys] = numbers;
        if (this.select.options.length !== ys.length) {
            this.select.replaceChildren(
                ...ys.map((c) => element("option", { textContent: header[c], value: c })),
            );
            this.select.value = ys.find((c) => /loss/.test(header[c])) ?? ys[0];
        }
        const y = Number(this.select.value),
            lines = new Map();
        for (const row of rows) {
            const key = row.filter((_, c) => !isNumber[c]).join(" "),
                point = [Number(row[x]), Number(row[y])];
            if (!row[y] || !point.every(Number.isFinite)) continue;
            lines.set(key, [...(lines.get(key) || []), point]);
        }
        this.drawLines(lines, header[x], header[y]);
    }

    drawLines(lines, xName, yName) {
        const points = [...lines.values()].flat();
        if (!points.length) return;
        const range = (i) => [Math.min(...points.map((p) => p[i])), Math.max(...points.map((p) => p[i]))];
        const [x0, x1] = range(0),
            [y0, y1] = range(1),
            short = (v) => Number(v.toPrecision(3)).toString();
        const place = ([px, py]) =>
            `${(60 + (560 * (px - x0)) / (x1 - x0 || 1)).toFixed(1)},${(262 - (240 * (py - y0)) / (y1 - y0 || 1)).toFixed(1)}`;
        const label = (at, anchor, words) =>
            `<text x="${at[0]}" y="${at[1]}" text-anchor="${anchor}">${words}</text>`;
        let drawing =
            '<path class="axis" d="M60 18V266H624"/>' +
            label([56, 266], "end", short(y0)) +
            label([56, 28], "end", short(y1)) +
            label([60, 284], "middle", short(x0)) +
            label([620, 284], "end", short(x1)) +
            label([340, 284], "middle", xName) +
            label([64, 14], "start", yName);
        let n = 0;
        for (const line of lines.values()) {
            const kind = `line line-${n++ % 6}`;
            drawing += `<polyline class="${kind}" points="${line.map(place).join(" ")}"/>`;
            if (line.length < 40)
                drawing += line
                    .map(place)
                    .map(
                        (p) =>
                            `<circle class="${kind}" cx="${p.split(",")[0]}" cy="${p.split(",")[1]}" r="2.5"/>`,
                    )
                    .join("");
        }
        this.svg.innerHTML = drawing;
        this.svg.setAttribute(
            "aria-label",
            `${yName} by ${xName} of ${this.path}: from ${short(y0)} to ${short(y1)}`,
        );
        const named = [...lines.keys()].filter(Boolean);
        this.keys.replaceChildren(
            ...named.map((key, i) => element("span", { className: `key key-${i % 6}`, textContent: key })),
        );
    }
}

const runBoxes = [...document.querySelectorAll("div.run")].map((div) => {
    const box = new Box(div);
    if (!box.expected) addChoices(box);
    return box;
});
