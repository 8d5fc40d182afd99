/* --- a box: a line of options, Run, Stop, what the program writes, and what can be made of its files --- */

class Box {
    constructor(div) {
        this.div = div;
        this.program = div.dataset.program;
        const quoted = div.querySelector("pre");
        this.expected = quoted && quoted.textContent.replace(/\n*$/, "\n");
        this.result = null; // {code, stopped, trap, stdout, stderr} of the last run
        this.first = !div.dataset.of && quoted && firstWith(this);
        if (this.first) return this.refer();
        this.options = element("input", {
            type: "text",
            value: div.dataset.args,
            spellcheck: false,
            autocomplete: "off",
            ariaLabel: `options of ${this.program}`,
        });
        this.runButton = element("button", { type: "submit", className: "run-start" });
        this.stopButton = element("button", {
            type: "button",
            textContent: "Stop",
            className: "run-stop",
            hidden: true,
        });
        this.bar = element("form", { className: "run-bar" });
        this.code = null; // whose code it runs on (mine.js)
        this.name = element("code", { textContent: this.program });
        this.bar.append(this.name, this.options, this.runButton, this.stopButton);
        if (isLinkable(this.program) && !div.dataset.commands) this.offerMine();
        this.pane = element("pre", { className: "run-pane", hidden: true, tabIndex: 0 });
        this.pane.setAttribute("role", "log");
        this.pane.setAttribute("aria-label", `what ${this.program} writes`);
        this.state = element("p", { className: "run-state" });
        this.state.setAttribute("role", "status");
        this.charts = element("div", { className: "run-charts" });
        this.bar.onsubmit = (event) => {
            event.preventDefault();
            this.run(this.options.value);
        };
        this.options.oninput = () => this.sayTime();
        this.stopButton.onclick = () => this.running.stop();
        div.append(this.bar, this.pane, this.state, this.charts);
        this.screen = new Screen(this.pane);
        this.sayTime();
    }

    // For a second quotation of a program that a box above runs.
    refer() {
        const go = button(`a part of what ${this.program} writes: run it above`, () => {
            this.first.bar.scrollIntoView({ block: "center" });
            this.first.runButton.focus({ preventScroll: true });
        });
        this.div.append(element("p", { className: "run-part" }, go));
    }

    // The model that a line reads and a lesson's command trains, where it is not there yet.
    lacks(line) {
        const { model } = this.div.dataset;
        return model && line.includes(model) && !pageFiles.has(`${model}/config.json`);
    }

    offerMine() {
        const open = button("Your code in it", async () => {
            open.disabled = true;
            try {
                const select = await mineChoice(this.program);
                select.onchange = () => this.showCode(codeOf(select.value));
                open.replaceWith(select);
                select.focus();
            } catch (error) {
                open.disabled = false;
                this.state.textContent = error.message;
            }
        });
        this.bar.append(open);
    }

    showCode(code) {
        this.code = code;
        this.name.textContent = `${this.program} ${chosenText(code)}`.trim();
    }

    // One of the lesson's commands: its program, options and exercises.
    take({ code, ...attributes }) {
        for (const name of Object.keys(this.div.dataset)) if (name !== "commands") delete this.div.dataset[name];
        for (const [name, value] of Object.entries(attributes)) this.div.setAttribute(name, value);
        this.program = this.div.dataset.program;
        this.showCode(code);
        this.options.value = this.div.dataset.args;
        this.sayTime();
    }

    secondsOf(line) {
        if (line !== this.div.dataset.args) return NaN;
        const { seconds, beforeSeconds } = this.div.dataset;
        return Number(seconds) + (this.lacks(line) ? Number(beforeSeconds) : 0);
    }

    follow(program, args, on, linked) {
        this.running = startProgram(program, args, on, linked);
        return this.running.done;
    }

    // Links the program where it runs on other code than the solutions, and trains the model that it reads.
    async prepare() {
        const end = this.code ? await this.link() : { code: 0 };
        if (end.said) this.screen.write(2, new TextEncoder().encode(end.said));
        if (end.code !== 0) return end;
        const trained = await this.train();
        this.doing = "running";
        if (trained.code === 0 && end.who) this.screen.write(2, new TextEncoder().encode(end.who));
        return { ...trained, linked: end.linked };
    }

    link() {
        return new Promise((resolve) => {
            this.running = { stop: () => resolve({ stopped: true }) };
            const tell = (words) => (this.doing = words);
            linkHere(this.program, this.code, tell).then(resolve, (error) => resolve({ failed: error.message }));
        });
    }

    async train() {
        await readKept();
        if (!this.lacks(this.options.value)) return { code: 0 };
        this.doing = `training ${this.div.dataset.model} first`;
        const [program, ...args] = splitOptions(this.div.dataset.before);
        const end = await this.follow(program, args, ({ stream, bytes }) => stream && this.screen.write(stream, bytes));
        this.screen.clear();
        this.doing = "running";
        return end;
    }

    sayTime() {
        const seconds = this.secondsOf(this.options.value);
        this.runButton.textContent = seconds >= 0 ? `Run (${aboutText(seconds)})` : "Run";
    }

    // A button that is hidden takes the focus with it: it goes to the one that takes its place.
    show(runs) {
        const had = [this.runButton, this.stopButton, document.body].includes(document.activeElement);
        this.runButton.hidden = runs;
        this.stopButton.hidden = !runs;
        if (had && this.mine) (runs ? this.stopButton : this.runButton).focus({ preventScroll: true });
    }

    tick(started) {
        this.state.textContent = `${this.doing}, ${clockText((performance.now() - started) / 1000)}`;
    }

    async run(line) {
        if (this.first) return this.first.run(line);
        if (this.running) return this.result;
        this.mine = this.div.contains(document.activeElement);
        this.options.value = line;
        this.screen.clear();
        this.charts.replaceChildren();
        this.pane.hidden = false;
        this.result = null;
        const text = { 1: "", 2: "" },
            logs = new Map(),
            started = performance.now();
        this.state.setAttribute("aria-live", "off"); // a clock is not read aloud
        this.running = { stop() {} };
        this.doing = "running";
        this.tick(started);
        const clock = setInterval(() => this.tick(started), 500);
        this.show(true);
        const expected = this.secondsOf(line);
        const first = await this.prepare();
        const hear = (message) => {
            if (message.stream) text[message.stream] += this.screen.write(message.stream, message.bytes);
            if (message.path) drawLog(this.charts, logs, message.path, message.bytes);
        };
        const end = first.code === 0 ? await this.follow(this.program, splitOptions(line), hear, first.linked) : first;
        clearInterval(clock);
        this.screen.draw();
        this.showQuoted(text[1]);
        this.running = null;
        const seconds = (performance.now() - started) / 1000;
        this.state.setAttribute("aria-live", "polite");
        this.state.textContent = this.said(end, clockText(seconds), line, text[1]);
        if (end.code === 0 && !this.code) learnSpeed(expected, seconds);
        this.sayTime();
        this.show(false);
        this.offerCopy(text[1]);
        this.result = { ...end, stdout: text[1], stderr: text[2] };
        if (end.files)
            drawFigures(
                this.charts,
                this.program,
                end.files.map(([path]) => path),
            );
        return this.result;
    }

    // Scrolls to the lines that the lesson quotes, or to the first.
    showQuoted(written) {
        const quoted = this.expected ? written.indexOf(this.expected.split("\n")[0]) : 0;
        const above = written.slice(0, Math.max(quoted, 0)).split("\n").length - 1;
        this.pane.scrollTop = (above * this.pane.scrollHeight) / written.split("\n").length;
    }

    said(end, took, line, stdout) {
        if (end.stopped) return `stopped after ${took}`;
        if (end.failed) return end.failed;
        if (end.trap) return `the program ended by itself: ${end.trap}`;
        const done = end.code === 0 ? "done" : `ended with exit code ${end.code}`;
        const quoted = this.expected && line === this.div.dataset.args;
        return `${done} in ${took}${quoted ? this.compared(stdout) : ""}`;
    }

    compared(stdout) {
        if (this.div.dataset.filter) return "; the lesson shows a part of it";
        return stdout.replace(/\r/g, "") === this.expected ? "; the same bytes as in the lesson" : "; the lesson has other bytes";
    }

    offerCopy(text) {
        if (text && typeof copyButton !== "undefined")
            this.state.append(
                " ",
                copyButton(() => text, "Copy what it wrote"),
            );
    }
}

const runBoxes = [];
const firstWith = (box) =>
    runBoxes.find((other) => other.expected && !other.first && other.program === box.program && other.div.dataset.args === box.div.dataset.args);

/* --- what else there is to run --- */

const PRESETS = {
    "11-training": [["train a small model, with its loss curve", "--steps 120 --validate-every 10 --log losses --out build/out"]],
};

function addChoices(box) {
    const row = element("p", { className: "run-choices" });
    for (const [label, line] of PRESETS[box.program] || []) row.append(button(label, () => box.run(line)));
    const list = button("experiments and options", async () => {
        list.disabled = true;
        const names = [...(await box.run("--list")).stdout.matchAll(/^(.*)\t.*\t(.*)$/gm)];
        await box.run("--help");
        list.disabled = false;
        if (!names.length) return list.remove();
        const choice = element("select", { ariaLabel: "experiment" }, element("option", { textContent: "choose an experiment", value: "" }));
        for (const [, name, what] of names) choice.append(element("option", { textContent: `${name}: ${what}`, value: name }));
        choice.onchange = () => choice.value && box.run(`--experiment ${choice.value} --quick`);
        list.replaceWith(choice);
        choice.focus();
    });
    row.append(list);
    if (MODEL_CHAPTERS.includes(box.program)) addModel(box, row);
    box.bar.before(row);
}

/* --- the model that make tour trains: loaded on a click --- */

const MODEL_CHAPTERS = ["10-gpt2", "12-generation", "13-kv-cache", "14-compression", "17-one-file"];

function addModel(box, row) {
    const load = button("load the model of make tour (3.6 MB)", async () => {
        load.disabled = true;
        box.state.textContent = "loading";
        try {
            const [useModel, isThere] = await Promise.all([courseLoad("model-view"), takeFiles("model")]);
            box.state.textContent = isThere
                ? "the model is in build/model"
                : "This book was built without the model: make tour trains it, then make book takes it along.";
            if (isThere) useModel(box, row, load);
        } catch (error) {
            box.state.textContent = error.message;
            load.disabled = false;
        }
    });
    row.append(load);
}

/* --- the commands of a lesson that run a program on the reader's exercises: a button each, one box for all --- */

function addCommands(box) {
    const commands = JSON.parse(box.div.dataset.commands);
    const row = element("p", { className: "run-choices" }, "Here, on what you have written: ");
    for (const command of commands) {
        const go = button(command.says, () => {
            if (box.running) return;
            box.take(command);
            box.run(box.options.value);
        });
        if (command.code.kind === "mine") go.dataset.mine = command.code.names;
        row.append(go);
    }
    box.bar.before(row);
    box.take(commands[0]);
}

document.querySelectorAll("div.run").forEach((div) => {
    if (div.dataset.commands && !isLinkable(div.dataset.program)) return div.remove();
    const box = new Box(div);
    runBoxes.push(box);
    if (div.dataset.commands) addCommands(box);
    else if (!box.expected) addChoices(box);
});
if (runBoxes.length) {
    runBoxes[runBoxes.length - 1].div.after(keptList);
    readKept();
}
// A page that is left takes its programs with it: the browser asks first.
addEventListener("beforeunload", (event) => {
    if (runBoxes.some((box) => box.running && performance.now() - box.running.since > 10000)) event.preventDefault();
});
