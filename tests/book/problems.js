// Open problems in the page: the untouched file does not solve one, the answer in solutions/ does, in the words of make problem.
"use strict";
const fs = require("fs");
const path = require("path");
const { axeFindsNothing } = require("./support/axe");
const { book, check, fitsPhone, makeSays, run, watchedPage } = require("./support/browser");
const { submit } = require("./support/editor");

// A page is a screen, on which messages are folded.
const flat = (text) => text.replace(/\s+/g, " ");
const JUDGED = "04-ffn-swiglu/problems/small_table";
const QUICK = 3; // seconds: what is judged in node, too

// The output of make problem for a file.
function native(name, source) {
    const [chapter, , problem] = name.split("/");
    return makeSays("build/book-problems", `${name}.c`, source, [`problem-${chapter.slice(0, 2)}`, `P=${problem}`]);
}

async function inPage(context, origin) {
    const page = await watchedPage(context, "an open problem", origin);
    await page.goto(`${origin}/${JUDGED.split("/")[0]}.html`);
    const box = page.locator("#problem-small_table"),
        press = () => page.keyboard.press("Control+Enter");
    await box.getByRole("button", { name: "Solve it here" }).press("Enter");
    await box.locator(".cm-content").waitFor();
    const stub = fs.readFileSync(`exercises/${JUDGED}.c`, "utf8"),
        solution = fs.readFileSync(`solutions/${JUDGED}.c`, "utf8");
    for (const [source, expected] of [
        [stub, "open"],
        [solution, "solved"],
    ]) {
        const here = await submit(page, box, source, press),
            there = native(JUDGED, source);
        check(flat(here.report) === flat(there.replace("build/book-problems/", "exercises/")) && here.state.startsWith(expected), `the page says ${here.report} ${here.state}, a terminal ${there}`);
    }
    check((await box.getByRole("button", { name: "Compare with the solution" }).count()) === 1, "the solution can be seen");
    const shown = await submit(page, box, `${solution}\nint helper;\n`, press);
    check(/make `helper` static/.test(shown.report), `a helper that can be seen: ${shown.report}`);
    const loop = solution.replace("float table_node(size_t i) {", "float table_node(size_t i) {\n    for (volatile int endless = 1; endless;) {}");
    check(loop !== solution, "nothing is changed");
    const stopped = await submit(page, box, loop, async () => {
        await press();
        await page.waitForFunction(() => /judging/.test(document.querySelector("#problem-small_table .write-state").textContent));
        await box.getByRole("button", { name: "Stop" }).press("Enter");
    });
    check(stopped.state === "stopped", `an endless loop, stopped: ${stopped.state}`);
    await axeFindsNothing(page, "#problem-small_table", "an open problem");
    await fitsPhone(page);
    await page.close();
}

// Every quick one: the answer in solutions/ solves it here, the untouched file does not.
async function allQuickOnes() {
    const from = path.join(book, "write");
    const { loadTools } = require(path.resolve("tools/book/write/terminal.js"));
    const { runProgram, Files } = require(path.resolve("tools/book/wasm/wasi.js"));
    const tools = await loadTools(from);
    const lines = fs.readFileSync("tools/book/write/problems.txt", "utf8").trim().split("\n").map((line) => line.split(" "));
    for (const [, name] of lines.filter(([seconds]) => Number(seconds) <= QUICK)) {
        const problem = JSON.parse(fs.readFileSync(path.join(from, `exercises/${name}.json`), "utf8"));
        for (const [where, expected] of [
            ["solutions", true],
            ["exercises", false],
        ]) {
            const { object } = await tools.compiler.compile(`exercises/${name}.c`, fs.readFileSync(`${where}/${name}.c`, "utf8"), { kind: "program" });
            const { linked } = await tools.compiler.linkProgram([tools.rest({ name }), object], problem.wraps);
            let said = "";
            const host = { write: (_, bytes) => (said += new TextDecoder().decode(bytes)) };
            const code = runProgram(new WebAssembly.Module(linked), ["build/problem"], new Files(), host);
            check((code === 0 && /^holds: /m.test(said)) === expected, `${where}/${name}: ${code} ${said}`);
        }
    }
}

run(async (browser, origin) => {
    await inPage(await browser.newContext({ viewport: { width: 1300, height: 900 } }), origin);
    await allQuickOnes();
}, `write/exercises/${JUDGED}.json`);
