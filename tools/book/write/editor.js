// An exercise that is written in the page: an editor with the stub or with what the reader has written, Check, which says what make
// check says, hints one by one, and the solution beside a text that passes. openEditor(box): box is the exercise's frame.
"use strict";

const STATES = { right: "right", wrong: "wrong", unattempted: "not started", broken: "does not compile", missing: "not defined", open: "not static" };
const ABOUT =
    "What is written stays in this browser. A check here runs each test by itself, with a limit of time and memory, and sees reads " +
    "and writes behind the tests' arrays and at NULL. Only make check, in a terminal, finds what the sanitizers find: a read behind " +
    "an array of your own, memory that is used when it is free, a leak, two threads that write to one place.";

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

class WriteBox {
    constructor(box, exercise, base) {
        Object.assign(this, { exercise, base, file: `exercises/${exercise.name}.c`, hints: 0, checking: false });
        this.title = exercise.name.split("/")[1];
        this.build();
        box.append(this.root);
    }

    build() {
        const button = (textContent, onclick, className = "") => made("button", { type: "button", textContent, onclick, className });
        this.place = made("div", { className: "write-place" });
        this.checkButton = button("Check", () => this.check(), "write-check");
        this.hintButton = button("Hint", () => this.hint());
        this.solutionButton = button("Compare with the solution", () => this.compare());
        this.solutionButton.hidden = true;
        this.input = made("input", { type: "file", accept: ".c,text/x-c,text/plain", className: "write-file", tabIndex: -1, ariaLabel: `a file for ${this.title}` });
        this.input.onchange = () => this.load();
        const bar = made("div", { className: "write-bar" }, this.checkButton, this.hintButton, this.solutionButton);
        bar.append(button("Save file", () => this.save()), button("Load file", () => this.input.click()), button("Back to the stub", () => this.reset()), this.input);
        this.state = made("p", { className: "write-state" });
        this.state.setAttribute("role", "status");
        this.progress = made("progress", { hidden: true, ariaLabel: "the compiler is fetched" });
        this.report = made("pre", { className: "write-report", hidden: true, tabIndex: 0, ariaLabel: `the verdict on ${this.title}` });
        this.stages = made("ol", { className: "write-stages", hidden: true, ariaLabel: "stages" });
        this.more = made("details", { hidden: true }, made("summary", { textContent: "All tests that fail" }), made("pre", { className: "write-report", tabIndex: 0 }));
        this.hintList = made("ol", { className: "write-hints", hidden: true, ariaLabel: "hints" });
        this.beside = made("div", { hidden: true });
        const keys = made("p", { className: "write-about", textContent: `Ctrl-Enter checks, Escape leaves the editor. ${ABOUT}` });
        this.root = made("div", { className: "write" }, this.place, bar, this.state, this.progress, this.stages, this.report, this.more, this.hintList, this.beside, keys);
    }

    async begin() {
        const [kept, result] = await Promise.all([courseStore.get("texts", this.exercise.name), courseStore.get("results", this.exercise.name)]);
        const text = kept ? kept.text : this.exercise.stub;
        this.saved = text;
        this.editor = courseEditor.make(this.place, text, `${this.file}, C`, {
            check: () => this.check(),
            leave: () => this.checkButton.focus(),
            changed: (changed) => this.changed(changed),
        });
        for (let i = kept && kept.hints ? kept.hints : 0; i > 0; i--) this.addHint();
        if (result && result.text === text) this.say(`${STATES[result.state]}: ${result.passed} of ${result.all} tests passed when it was checked last`);
        if (result && result.state === "right" && result.text === text) this.solutionButton.hidden = false;
        courseStore.onChange((change) => this.changedElsewhere(change));
        addEventListener("pagehide", () => this.keep());
        this.editor.focus();
    }

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
        const text = this.editor.text();
        if (text === this.saved && this.hints === this.savedHints) return Promise.resolve();
        ((this.saved = text), (this.savedHints = this.hints));
        return courseStore.put("texts", this.exercise.name, { text, hints: this.hints }).catch((error) => this.say(`not kept: ${error.message}`));
    }

    // Another window has written in the same exercise: its text is the newer one, unless this window has one that is not kept yet.
    changedElsewhere({ kind, name, value }) {
        if (kind !== "texts" || name !== this.exercise.name || value.text === this.editor.text()) return;
        if (this.editor.text() !== this.saved) return;
        this.saved = value.text;
        this.editor.setText(value.text);
        this.say("changed in another window");
    }

    showProgress(bytes, all) {
        Object.assign(this.progress, { hidden: bytes >= all, max: all, value: bytes });
        const megabytes = (n) => (n / 1e6).toFixed(1);
        this.say(bytes < all ? `fetching the compiler: ${megabytes(bytes)} of ${megabytes(all)} MB` : "starting the compiler");
    }

    async check() {
        if (this.checking) return;
        this.checking = true;
        this.checkButton.setAttribute("aria-disabled", "true");
        const source = this.editor.text(),
            begin = performance.now();
        try {
            await this.keep();
            const session = await writeSession.get();
            writeSession.show = (...progress) => this.showProgress(...progress);
            this.say("starting the compiler");
            await session.loaded();
            this.progress.hidden = true;
            const result = await checkFile(this.exercise, source, session.tools(), (words) => this.say(words));
            this.show(result);
            this.say(`${STATES[result.state]}, in ${((performance.now() - begin) / 1000).toFixed(1)} s`);
            const { state, passed, all } = result;
            await courseStore.put("results", this.exercise.name, { state, passed, all, text: source });
        } catch (error) {
            this.say(`This did not work: ${error.message}`);
        }
        this.progress.hidden = true;
        this.checking = false;
        this.checkButton.removeAttribute("aria-disabled");
    }

    show(result) {
        const right = result.state === "right";
        this.report.textContent = result.report;
        this.report.hidden = false;
        this.report.classList.toggle("right", right);
        this.more.hidden = !result.full;
        this.more.lastChild.textContent = result.full || "";
        if (right) this.solutionButton.hidden = false;
        const marks = marksOf(result.said, this.file);
        this.editor.mark(marks.length ? marks : markOfReport(result.report, this.file));
        this.showStages(result.tests);
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

    addHint() {
        if (this.hints >= this.exercise.hints.length) return;
        this.hintList.hidden = false;
        this.hintList.append(made("li", { textContent: this.exercise.hints[this.hints++] }));
        if (this.hints === this.exercise.hints.length) this.hintButton.setAttribute("aria-disabled", "true");
    }

    hint() {
        this.addHint();
        this.say(`hint ${this.hints} of ${this.exercise.hints.length}`);
        this.keep();
    }

    async compare() {
        const solution = await (await fetch(`${this.base}exercises/${this.exercise.name}.solution.c`)).text();
        this.beside.replaceChildren(made("p", { textContent: "The solution; what it has in the place of yours is marked." }));
        this.beside.hidden = false;
        courseEditor.compare(this.beside, solution, this.editor.text(), `the solution of ${this.title}`);
    }

    save() {
        const url = URL.createObjectURL(new Blob([this.editor.text()], { type: "text/x-c" }));
        made("a", { href: url, download: `${this.title}.c` }).click();
        setTimeout(() => URL.revokeObjectURL(url), 1000);
    }

    async load() {
        const [file] = this.input.files;
        if (file) this.editor.setText(await file.text());
        this.input.value = "";
    }

    reset() {
        if (this.editor.text() === this.exercise.stub || !confirm(`Throw away your ${this.title}.c and go back to the stub?`)) return;
        this.editor.setText(this.exercise.stub);
    }
}

async function openEditor(box) {
    const name = `${document.body.dataset.chapter}/${box.dataset.exercise}`;
    const response = await fetch(`${writeBase}exercises/${name}.json`);
    if (!response.ok) throw new Error(`the exercise cannot be fetched: ${response.status}`);
    const written = new WriteBox(box, await response.json(), writeBase);
    await written.begin();
}
