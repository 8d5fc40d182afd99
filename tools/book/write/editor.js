// An exercise that is written in the page: an editor with the stub or with what the reader has written, Check, which says what make
// check says, hints one by one, and the solution beside a text that passes. openEditor(place, name) puts it there.
"use strict";

const STATES = { right: "right", wrong: "wrong", unattempted: "not started", broken: "does not compile", missing: "not defined", open: "not static" };
const ABOUT =
    "What is written stays in this browser. A check here runs each test by itself, with a limit of time and memory, and sees reads " +
    "and writes past the ends of the tests' arrays and at NULL. Only make check, in a terminal, finds what the sanitizers find: a read past the end of " +
    "an array of your own, memory that is used after it was freed, a leak, two threads that write to one place.";

function made(tag, properties = {}, ...children) {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
}

// "file:LINE:COLUMN: error: what" of the reader's own file.
function marksOf(said, file) {
    const list = [];
    for (const line of said.split("\n")) {
        const found = line.match(/^(.*?):(\d+):(\d+): (?:fatal )?(error|warning): (.*)$/);
        if (found && found[1] === file)
            list.push({ line: Number(found[2]), column: Number(found[3]), severity: found[4], message: found[5] });
    }
    return list;
}

// Where the report says that something happened: "exercises/NN-name/X.c:12".
function markOfReport(report, file) {
    const at = report.indexOf(`${file}:`),
        line = at < 0 ? 0 : parseInt(report.slice(at + file.length + 1), 10);
    return line ? [{ line, column: 1, severity: "error", message: report.split("\n").slice(1, 4).join(" ").replace(/\s+/g, " ").trim() }] : [];
}

function stagesOf(text) {
    const lines = text.split("\n").filter(Boolean);
    return lines.map((line) => line.split(" | ")).map(([number, title, tests]) => ({ number, title, tests: tests.split(" ") }));
}

// A text of the reader's in an editor, which the browser keeps. name: what it is kept under and, with .c, its file; stub: what it begins
// with; title: what it is called; hints, where it has some, and then a solution. Those that extend it say what is done with the text:
// mainLabel(), aboutText(), and work(session, source).
class TextBox {
    constructor(box, { name, title, stub, hints = [] }) {
        Object.assign(this, { name, title, stub, hints, shownHints: 0, file: `exercises/${name}.c`, busy: false });
        this.build();
        box.append(this.root);
    }

    build() {
        const button = (textContent, onclick, className = "") => made("button", { type: "button", textContent, onclick, className });
        this.place = made("div", { className: "write-place" });
        this.mainButton = button(this.mainLabel(), () => this.act(), "write-check");
        this.stopButton = button("Stop", () => this.stop());
        this.stopButton.hidden = true;
        this.input = made("input", { type: "file", accept: ".c,text/x-c,text/plain", className: "write-file", tabIndex: -1, ariaLabel: `a file for ${this.title}` });
        this.input.onchange = () => this.load();
        const bar = made("div", { className: "write-bar" }, this.mainButton, this.stopButton, ...this.moreButtons(button));
        bar.append(button("Save file", () => this.save()), button("Load file", () => this.input.click()), button("Back to the stub", () => this.reset()), this.input);
        this.state = made("p", { className: "write-state" });
        this.state.setAttribute("role", "status");
        this.progress = made("progress", { hidden: true, ariaLabel: "the compiler is fetched" });
        this.report = made("pre", { className: "write-report", hidden: true, tabIndex: 0, ariaLabel: `the verdict on ${this.title}` });
        const about = made("p", { className: "write-about", textContent: `Ctrl-Enter ${this.aboutText()}` });
        this.root = made("div", { className: "write" }, this.place, bar, this.state, this.progress, ...this.reports(), about);
    }

    // A hint at a time; the solution behind a text that passes.
    moreButtons(button) {
        this.hintButton = button("Hint", () => this.hint());
        this.solutionButton = button("Compare with the solution", () => this.compare());
        this.solutionButton.hidden = true;
        this.hintList = made("ol", { className: "write-hints", hidden: true, ariaLabel: "hints" });
        this.beside = made("div", { hidden: true });
        return this.hints.length ? [this.hintButton, this.solutionButton] : [];
    }
    reports() {
        return [this.report, this.hintList, this.beside];
    }
    kept() {
        return { hints: this.shownHints };
    }
    stop() {}

    async begin() {
        const kept = await courseStore.get("texts", this.name);
        const text = kept ? kept.text : this.stub;
        this.saved = text;
        this.editor = courseEditor.make(this.place, text, `${this.file}, C`, {
            check: () => this.act(),
            leave: () => this.mainButton.focus(),
            changed: (changed) => this.changed(changed),
        });
        for (let i = kept && kept.hints ? kept.hints : 0; i > 0; i--) this.addHint();
        await this.recall(text);
        this.savedMore = JSON.stringify(this.kept());
        courseStore.onChange((change) => this.changedElsewhere(change));
        addEventListener("pagehide", () => this.keep());
        this.editor.focus();
    }

    recall() {}

    say(words) {
        this.state.textContent = words;
    }

    changed(text) {
        this.current = text;
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.keep(), 300);
    }

    keep() {
        clearTimeout(this.timer);
        const text = this.editor.text(),
            more = JSON.stringify(this.kept());
        if (text === this.saved && more === this.savedMore) return Promise.resolve();
        ((this.saved = text), (this.savedMore = more));
        return courseStore.put("texts", this.name, { text, ...this.kept() }).catch((error) => this.say(`not kept: ${error.message}`));
    }

    // Another window has written the same text: it is the newer one, unless this window has one that is not kept yet.
    changedElsewhere({ kind, name, value }) {
        if (kind !== "texts" || name !== this.name || value.text === this.editor.text()) return;
        if (this.editor.text() !== this.saved) return;
        this.saved = value.text;
        this.editor.setText(value.text);
        this.say("changed in another window");
    }

    showProgress(bytes, all) {
        Object.assign(this.progress, { hidden: bytes >= all, max: all, value: bytes });
        this.say(fetchedWords(bytes, all));
    }

    // Shows Stop while the work is done, and takes the focus there and back.
    async stoppable(work) {
        const passFocus = (from, to) => document.activeElement === from && to.focus();
        this.stopButton.hidden = false;
        passFocus(this.mainButton, this.stopButton);
        try {
            return await work();
        } finally {
            passFocus(this.stopButton, this.mainButton);
            this.stopButton.hidden = true;
        }
    }

    // Does the work, with the compiler there, and says how long it took behind the words that the work gives.
    async act() {
        if (this.busy) return;
        this.busy = true;
        this.mainButton.setAttribute("aria-disabled", "true");
        const source = this.editor.text(),
            begin = performance.now();
        try {
            await this.keep();
            const session = await writeSession.get();
            writeSession.show = (...progress) => this.showProgress(...progress);
            this.say("starting the compiler");
            await session.loaded();
            this.progress.hidden = true;
            const words = await this.work(session, source);
            this.say(`${words}, in ${((performance.now() - begin) / 1000).toFixed(1)} s`);
        } catch (error) {
            this.say(error.message === "stopped" ? "stopped" : `This did not work: ${error.message}`);
        }
        this.progress.hidden = true;
        this.busy = false;
        this.mainButton.removeAttribute("aria-disabled");
    }

    // The report, and its lines in the editor.
    tell({ report, said }, right) {
        this.report.textContent = report;
        this.report.hidden = false;
        this.report.classList.toggle("right", right);
        const marks = marksOf(said, this.file);
        this.editor.mark(marks.length ? marks : markOfReport(report, this.file));
    }

    addHint() {
        if (this.shownHints >= this.hints.length) return;
        this.hintList.hidden = false;
        this.hintList.append(made("li", { textContent: this.hints[this.shownHints++] }));
        if (this.shownHints === this.hints.length) this.hintButton.setAttribute("aria-disabled", "true");
    }

    hint() {
        this.addHint();
        this.say(`hint ${this.shownHints} of ${this.hints.length}`);
        this.keep();
    }

    async compare() {
        const marked = await courseWrite.text(`exercises/${this.name}.solution.c`);
        const solution = marked.replace(/^ *\/\/[<>] .*\n/gm, ""); // of what pages quote
        this.beside.replaceChildren(made("p", { textContent: "The solution; what it has in the place of yours is marked." }));
        this.beside.hidden = false;
        courseEditor.compare(this.beside, solution, this.editor.text(), `the solution of ${this.title}`);
    }

    save() {
        const url = URL.createObjectURL(new Blob([this.editor.text()], { type: "text/x-c" }));
        made("a", { href: url, download: `${this.name.split("/").pop()}.c` }).click();
        setTimeout(() => URL.revokeObjectURL(url), 1000);
    }

    async load() {
        const [file] = this.input.files;
        if (file) this.editor.setText(await file.text());
        this.input.value = "";
    }

    reset() {
        if (this.editor.text() === this.stub || !confirm(`Throw away your ${this.name.split("/").pop()}.c and go back to the stub?`)) return;
        this.editor.setText(this.stub);
    }
}

class WriteBox extends TextBox {
    constructor(box, exercise) {
        const { name, stub, hints } = exercise;
        super(box, { name, title: name.split("/")[1], stub, hints });
        this.exercise = exercise;
    }

    mainLabel() {
        return "Check";
    }
    aboutText() {
        return `checks, Escape leaves the editor. ${ABOUT}`;
    }
    reports() {
        this.stages = made("ol", { className: "write-stages", hidden: true, ariaLabel: "stages" });
        this.more = made("details", { hidden: true }, made("summary", { textContent: "All tests that fail" }), made("pre", { className: "write-report", tabIndex: 0 }));
        this.reward = made("p", { className: "write-reward", hidden: true });
        const run = () => {
            const go = this.rewardOf();
            go.closest(".run").scrollIntoView({ block: "center" });
            go.focus({ preventScroll: true });
            go.click();
        };
        const words = `Run the program through your ${this.title}`;
        this.reward.append(made("button", { type: "submit", textContent: words, onclick: run }));
        const [report, ...below] = super.reports();
        return [this.stages, report, this.reward, this.more, ...below];
    }

    async recall(text) {
        const result = await courseStore.get("results", this.name);
        if (!result || result.text !== text) return;
        this.say(`${STATES[result.state]}: ${result.passed} of ${result.all} tests passed when it was checked last`);
        if (result.state === "right") this.solutionButton.hidden = false;
    }

    async work(session, source) {
        const result = await checkFile(this.exercise, source, session.tools(), (words) => this.say(words));
        this.show(result);
        const { state, passed, all } = result;
        await courseStore.put("results", this.name, { state, passed, all, text: source });
        return STATES[state];
    }

    show(result) {
        const right = result.state === "right";
        this.tell(result, right);
        this.more.hidden = !result.full;
        this.more.lastChild.textContent = result.full || "";
        if (right) this.solutionButton.hidden = false;
        this.reward.hidden = !right || !this.rewardOf();
        this.showStages(result.tests);
    }

    // The lesson's button that runs a program on this exercise (run/program-box.js).
    rewardOf() {
        const short = this.name.replace(/^(\d+)-[^/]*/, "$1");
        return document.querySelector(`.run.commands button[data-mine="${short}"]`);
    }

    showStages(tests) {
        const stages = stagesOf(this.exercise.stages),
            passed = new Map(tests.map((test) => [test.name, test.passed]));
        this.stages.hidden = !stages.length || !tests.length;
        const items = stages.map(({ number, title, tests: names }) => {
            const right = names.filter((name) => passed.get(name)).length;
            const item = made("li", { textContent: `stage ${number}, ${title}: ${right} of ${names.length} tests pass` });
            item.className = right === names.length ? "right" : "wrong";
            return item;
        });
        this.stages.replaceChildren(...items);
    }
}

async function openEditor(place, name) {
    await new WriteBox(place, await courseWrite.json(`exercises/${name}.json`)).begin();
}
