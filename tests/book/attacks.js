// Attacks in the page: a learner's own tests on right and on known wrong solutions. What they come to is what make attack says; a sample
// of exercises.
"use strict";
const fs = require("fs");
const path = require("path");
const { axeFindsNothing } = require("./support/axe");
const { book, check, fitsPhone, makeSays, run, watchedPage } = require("./support/browser");
const { submit } = require("./support/editor");

const from = path.join(book, "write");
const SAMPLE = ["00-tensors/matmul_backward", "01-layernorm-vs-batchnorm/layernorm", "14-compression/q4_0"];
const ATTACKED = "00-tensors/matmul_backward";
const tests = (name) => fs.readFileSync(`tests/${name}.attack.c`, "utf8");
// In one line, without warnings: each compiler has its own.
const oneLine = (text) => text.replace(/^.*warning:.*$/gm, "").replace(/\s+/g, " ").trim();

// The terminal's report of these tests.
function native(name, source) {
    const [chapter, exercise] = name.split("/");
    return makeSays("build/book-attacks", `${name}.attack.c`, source, [`attack-${chapter.slice(0, 2)}`, `EX=${exercise}`]);
}

// The tests of this project as a learner's: whole, and with the first one alone, which misses some.
async function sameWords() {
    const { loadTools } = require(path.resolve("tools/book/write/terminal.js"));
    const { runAttack } = require(path.resolve("tools/book/write/attack.js"));
    const tools = await loadTools(from);
    for (const name of SAMPLE) {
        const attack = JSON.parse(fs.readFileSync(path.join(from, `exercises/${name}.attack.json`), "utf8"));
        const whole = tests(name),
            second = whole.indexOf("\nTest(", whole.indexOf("\nTest(") + 1);
        for (const source of second < 0 ? [whole] : [whole, whole.slice(0, second + 1)]) {
            const begin = Date.now(),
                here = await runAttack(attack, source, tools),
                seconds = (Date.now() - begin) / 1000;
            const there = native(name, source);
            check(oneLine(here.report) === oneLine(there), `${name}: the page says ${here.report}${here.said} and a terminal ${there}`);
            console.log(`  ${name}: ${here.accepted} accepted, ${here.caught} caught, ${seconds.toFixed(1)} s`);
        }
    }
}

async function attackIn(page, name) {
    const box = page.locator(`#exercise-${name.split("/")[1]}`);
    await box.getByRole("button", { name: "Attack it here" }).click();
    await box.locator(".cm-content").waitFor();
    return box;
}

async function inPage(context, origin) {
    const page = await watchedPage(context, "attacking", origin);
    await page.goto(`${origin}/00-tensors.html`);
    const box = await attackIn(page, ATTACKED),
        press = () => box.getByRole("button", { name: "Attack", exact: true }).press("Enter");
    const source = tests(ATTACKED);
    const whole = await submit(page, box, source, () => page.keyboard.press("Control+Enter"));
    check(/accepts 3 of 3 right ones, catches 16 of 16 wrong ones/.test(whole.report), `our tests: ${whole.report} ${whole.state}`);
    console.log(`  in the page: ${whole.state}`);
    const one = await submit(page, box, source.slice(0, source.indexOf("//> by_element")), press);
    check(/catches 5 of 16 wrong ones\s+the next to catch: weight-not-transposed/.test(one.report), `one test: ${one.report} ${one.state}`);
    const wrong = await submit(page, box, source.replace('"dx", dx, 10', '"dx", dx, 11'), press);
    check(/refuses right code, accepts 0 of 3 .*\s+the first to accept: .*\s+one_number: a check fails: /.test(wrong.report), `a wrong test: ${wrong.report}`);
    const broken = await submit(page, box, `${source}\nno\n`, press);
    check(/no binary .*matmul_backward\.attack\.c does not compile/.test(broken.report), `no C: ${broken.report}`);
    await axeFindsNothing(page, "#exercise-matmul_backward", "an attack");
    const loop = source.replace("float dx = 0,", "for (volatile int endless = 1; endless;) {}\n    float dx = 0,");
    const stopped = await submit(page, box, loop, async () => {
        await press();
        await page.waitForFunction(() => /right ones and/.test(document.querySelector("#exercise-matmul_backward .write-state").textContent));
        await box.getByRole("button", { name: "Stop" }).press("Enter");
    });
    check(stopped.state === "stopped", `an endless loop, stopped: ${stopped.state}`);
    const focused = await page.evaluate(() => document.activeElement.textContent);
    check(focused === "Attack", `behind Stop the focus is at ${focused}`);
    await fitsPhone(page);
    await page.close();
}

run(async (browser, origin) => {
    await inPage(await browser.newContext({ viewport: { width: 1300, height: 900 } }), origin);
    await sameWords();
}, `write/exercises/${ATTACKED}.attack.json`);
