// An open problem that is written and judged in the page (make problem): the judge is a program, linked with the reader's file, and runs
// as the programs of the lessons do (run/program.js).
"use strict";

class ProblemBox extends TextBox {
    constructor(box, problem) {
        const { name, stub, hints } = problem;
        super(box, { name, title: name.split("/").pop(), stub, hints });
        this.problem = problem;
        this.screen = new Screen(this.report);
    }

    mainLabel() {
        return "Judge";
    }
    aboutText() {
        return (
            "judges, Escape leaves the editor. The judge's program is compiled for one thread, and ends where it reads or writes outside of " +
            "all memory; smaller mistakes with memory are for a terminal and its sanitizers."
        );
    }

    async recall(text) {
        const result = await courseStore.get("results", this.name);
        if (!result || result.text !== text) return;
        this.say(`${result.state} when it was judged last`);
        this.solutionButton.hidden = result.state !== "solved";
    }

    write(text) {
        this.screen.write(2, new TextEncoder().encode(text));
    }

    // The linked judge; undefined, with what is wrong in the report, where there is none.
    async link(session, source) {
        this.say("compiling");
        const { object, said } = await session.compiler.compile(this.file, source, { kind: "program" });
        this.editor.mark(marksOf(said, this.file));
        this.write(said);
        const open = object ? symbolsOf(object).filter((name) => !this.problem.shown.includes(name)) : [];
        for (const name of open) this.write(`${this.file}: make \`${name}\` static: only the problem's own functions may be seen by other files\n`);
        if (!object || open.length) return undefined;
        const judge = await session.object(this.name);
        const { linked, said: words } = await session.compiler.linkProgram([judge, object], this.problem.wraps);
        this.write(words);
        return linked;
    }

    async work(session, source) {
        const { name, statement } = this.problem;
        this.report.hidden = false;
        this.report.classList.remove("right");
        this.screen.clear();
        this.write(`${statement}\n`);
        const linked = await this.link(session, source);
        if (!linked) return "does not compile";
        let said = "";
        const begin = performance.now();
        const clock = setInterval(() => this.say(`judging, ${clockText((performance.now() - begin) / 1000)}`), 500);
        const hear = ({ stream, bytes }) => stream && (said += this.screen.write(stream, bytes));
        this.running = startWorker("", ["build/problem"], () => [], hear, linked);
        const end = await this.stoppable(() => this.running.done);
        clearInterval(clock);
        if (end.stopped) throw new Error("stopped");
        if (end.trap) this.write(`the program ended by itself: ${end.trap}\n`);
        const solved = end.code === 0 && /^holds: /m.test(said),
            state = solved ? "solved" : "open";
        if (solved) this.write(`solved; another answer: solutions/${name}.c\n`);
        this.report.classList.toggle("right", solved);
        if (solved) this.solutionButton.hidden = false;
        await courseStore.put("results", name, { state, passed: 0, all: 0, text: source });
        return state;
    }

    stop() {
        this.running.stop();
    }
}

async function openProblem(place, name) {
    await new ProblemBox(place, await courseWrite.json(`exercises/${name}.json`)).begin();
}
