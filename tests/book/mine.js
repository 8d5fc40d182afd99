// A chapter's program on what the reader has written (MINE=) and on known wrong solutions (WRONG=), compiled and linked in the page.
"use strict";
const { execFileSync } = require("child_process");
const fs = require("fs");
const path = require("path");
const { axeFindsNothing } = require("./support/axe");
const { book, check, fitsPhone, run, watchedPage } = require("./support/browser");

const NORM = "01-layernorm-vs-batchnorm/layernorm";
const WRITES = "--model build/model --prompt Lily --max-new-tokens 20 --threads 1";
const solution = fs.readFileSync(`solutions/${NORM}.c`, "utf8");

// As if it had been written in its lesson, and checked where a state is said.
const hasWritten = (page, name, text, state) =>
    page.evaluate(
        async ([exercise, source, found]) => {
            await courseWrite.load(["store.js"]);
            await courseStore.put("texts", exercise, { text: source, hints: 0 });
            if (found) await courseStore.put("results", exercise, { state: found, passed: 1, all: 1, text: source });
        },
        [name, text, state],
    );

// Presses a button of box n and waits for the program's end: { said, pane, result }.
async function ends(page, n, press) {
    await press();
    await page.waitForFunction((at) => runBoxes[at].result && !runBoxes[at].running, n, { timeout: 300000 });
    const result = await page.evaluate((at) => runBoxes[at].result, n);
    const [said, pane] = await page.evaluate((at) => [runBoxes[at].state.textContent, runBoxes[at].pane.textContent], n);
    return { said, pane, result };
}
const last = (page) => page.evaluate(() => runBoxes.length - 1);

// The small model writes the same on the reader's LayerNorm as on ours, and other text on a wrong one.
async function writesOnYours(context, origin) {
    const page = await watchedPage(context, "your LayerNorm", origin);
    await page.goto(`${origin}/13-kv-cache.html`);
    await hasWritten(page, NORM, solution, "right");
    const box = page.locator(".run.free"),
        n = await last(page);
    const run = () => box.locator(".run-start").click();
    await box.locator("input").fill(WRITES);
    const ours = await ends(page, n, run);
    await box.getByRole("button", { name: "Your code in it" }).press("Enter");
    const choice = box.locator(".run-bar select");
    await choice.waitFor();
    check(await choice.evaluate((element) => element === document.activeElement), "the choice has no focus");
    const offered = await choice.textContent();
    check(/MINE=01\/layernorm \(right\)/.test(offered) && /WRONG=13\/attention_step\/no-scale/.test(offered), `offered: ${offered.slice(0, 300)}`);
    await choice.selectOption("mine:01/layernorm");
    const yours = await ends(page, n, run);
    check(yours.pane.startsWith("yours: 01/layernorm; reference: the rest\n"), `it says: ${yours.pane.slice(0, 80)}`);
    check(yours.result.stdout === ours.result.stdout, `on yours: ${yours.said} ${yours.pane}`);
    await choice.selectOption("wrong:13/attention_step/no-scale");
    const wrong = await ends(page, n, run);
    check(wrong.pane.startsWith("wrong: no-scale in 13/attention_step; reference: the rest\n"), `it says: ${wrong.pane.slice(0, 80)}`);
    check(wrong.result.code === 0 && wrong.result.stdout !== ours.result.stdout, "a wrong one writes the same");
    await axeFindsNothing(page, ".run.free", "a choice of code");
    await fitsPhone(page);
    await page.close();
}

// A check that passes offers the lesson's run on what was written, with the lesson's model, which comes with the book.
async function isRewarded(context, origin) {
    const page = await watchedPage(context, "the reward", origin);
    await page.goto(`${origin}/01-layernorm-vs-batchnorm.html`);
    await hasWritten(page, NORM, solution);
    const box = page.locator("#exercise-layernorm"),
        n = await page.evaluate(() => runBoxes.findIndex((one) => one.div.dataset.commands));
    await box.locator(".write-open button").click();
    await box.locator(".write-check").click();
    const reward = box.locator(".write-reward button");
    await reward.waitFor({ timeout: 300000 });
    const yours = await ends(page, n, () => reward.click());
    check(yours.result.code === 0 && yours.pane.startsWith("yours: 01/layernorm; "), `on yours: ${yours.said} ${yours.pane}`);
    check(!(await page.evaluate(() => pageFiles.has("build/small/config.json"))), "the model is trained in the page");
    console.log(`  lesson 01 writes on your LayerNorm: ${yours.said}`);
    await page.close();
}

// The commands of an annex; what is not written yet and what does not compile ends as in a terminal.
async function runsCommands(context, origin) {
    const page = await watchedPage(context, "the lesson's commands", origin);
    await page.goto(`${origin}/01-layernorm-vs-batchnorm-variance.html`);
    const n = await page.evaluate(() => runBoxes.findIndex((box) => box.div.dataset.commands)),
        box = page.locator(".run[data-commands]").first();
    const command = (name) => () => box.getByRole("button", { name, exact: true }).click();
    const missing = await ends(page, n, command("make run-01 MINE=01/welford"));
    check(
        missing.result.code === 77 && /welford\.c:\d+: exercise 01\/welford is not\s+written\s+yet/.test(missing.result.stderr),
        `what is not written: ${missing.said} ${missing.result.stderr}`,
    );
    const welford = "01-layernorm-vs-batchnorm/welford";
    await hasWritten(page, welford, fs.readFileSync(`solutions/${welford}.c`, "utf8"));
    const all = await ends(page, n, command("make run-01 MINE=01/welford"));
    check(all.result.code === 0 && all.pane.startsWith("yours: 01/welford; "), `written: ${all.said} ${all.pane.slice(0, 80)}`);
    await hasWritten(page, welford, "int welford;\nno\n");
    const broken = await ends(page, n, command("make run-01 MINE=01/welford"));
    check(
        /01\/welford does not compile/.test(broken.said) && /welford\.c:2:\d+: error/.test(broken.pane),
        `what does not compile: ${broken.said} ${broken.pane}`,
    );
    await axeFindsNothing(page, ".run[data-commands]", "commands");
    await page.close();
}

// Every known wrong solution is packed as its sed expression makes it.
function packsWrongOnes() {
    const packs = fs.readdirSync(path.join(book, "write/exercises"), { recursive: true }).filter((file) => file.endsWith(".wrong.json"));
    check(packs.length > 0, "no known wrong solution is packed");
    for (const file of packs) {
        const name = file.slice(0, -".wrong.json".length);
        const packed = JSON.parse(fs.readFileSync(path.join(book, "write/exercises", file), "utf8"));
        const lines = fs.readFileSync(`tests/${name}.mutants`, "utf8").split("\n");
        const [line] = lines.filter((text) => text && !text.startsWith("#")).slice(-1);
        const [wrong, , , ...edit] = line.split(" | ");
        const expected = execFileSync("sed", [edit.join(" | "), `solutions/${name}.c`], { encoding: "utf8" });
        const [, , , from, to, text] = packed.find(([known]) => known === wrong);
        const source = fs.readFileSync(`solutions/${name}.c`, "utf8").split("\n");
        source.splice(from, to - from, ...(text === null ? [] : [text]));
        check(source.join("\n") === expected, `${name}/${wrong} is packed otherwise`);
    }
}

async function needsServer(context) {
    const page = await context.newPage();
    await page.goto(`file://${book}/01-layernorm-vs-batchnorm.html`);
    check((await page.locator(".run[data-commands]").count()) === 0, "from a file there are commands");
    check((await page.getByRole("button", { name: "Your code in it" }).count()) === 0, "from a file there is a choice");
    await page.close();
}

run(async (browser, origin) => {
    packsWrongOnes();
    const context = await browser.newContext({ viewport: { width: 1300, height: 900 } });
    await writesOnYours(context, origin);
    await isRewarded(context, origin);
    await runsCommands(context, origin);
    await needsServer(context);
}, "write/programs.json");
