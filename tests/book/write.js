// The actions of a reader who writes in the page: opens an exercise, checks the stub, a wrong and the right solution, asks for hints,
// leaves in the middle, comes back, and saves. The reports on many solutions are tested by tests/book/verdicts.js.
"use strict";
const { execFileSync } = require("child_process");
const fs = require("fs");
const path = require("path");
const { axeFindsNothing } = require("./support/axe");
const { book, check, run, savedBy, watchedPage } = require("./support/browser");
const { MINUTES, type, verdict } = require("./support/editor");

const PASSED_HERE = ["01-layernorm-vs-batchnorm/layernorm", "07-attention/causal_attention", "07-attention/heads"];

const boxOf = (page, exercise) => page.locator(`#exercise-${exercise.split("/")[1]}`);

async function open(page, exercise) {
    const box = boxOf(page, exercise);
    await box.getByRole("button", { name: "Write it here" }).click();
    await box.locator(".cm-content").waitFor({ timeout: MINUTES });
    return box;
}

const byButton = (box) => () => box.getByRole("button", { name: "Check", exact: true }).click();

async function writes(context, origin, name) {
    const page = await watchedPage(context, `writing ${name}`, origin);
    const solution = fs.readFileSync(`solutions/${name}.c`, "utf8");
    await page.goto(`${origin}/${name.split("/")[0]}.html`);
    const box = await open(page, name);
    const stub = await verdict(page, box, byButton(box));
    check(/^not started/.test(stub.report), `${name}: the stub: ${stub.report} ${stub.state}`);
    await type(page, box, solution);
    const right = await verdict(page, box, () => page.keyboard.press("Control+Enter"));
    check(/^right .* all \d+ tests pass/.test(right.report), `${name}: the solution: ${right.report} ${right.state}`);
    console.log(`  ${name}: the first check ${stub.seconds.toFixed(1)} s, the next ${right.seconds.toFixed(1)} s`);
    await page.close();
}

// A wrong one is told what it is; a mistake is marked at its line; an endless loop and a wild write end one test, not the page.
async function isWrong(context, origin) {
    const name = PASSED_HERE[0],
        page = await watchedPage(context, "being wrong", origin);
    const solution = fs.readFileSync(`solutions/${name}.c`, "utf8");
    await page.goto(`${origin}/01-layernorm-vs-batchnorm.html`);
    const box = await open(page, name);
    await page.waitForFunction(() => document.querySelector(".cm-content").textContent.includes("rstd"));
    const says = async (source, what, expected) => {
        check(source !== solution, `${what}: nothing is changed`);
        await type(page, box, source);
        const { report, state } = await verdict(page, box, byButton(box));
        check(expected.test(report.replace(/\s+/g, " ")), `${what}: ${report} ${state}`);
    };
    await says(solution.replace("squares / (double)dim", "squares / (double)(dim - 1)"), "dim - 1", /divided by dim - 1 instead of dim/);
    await says(solution.replace("squares = 0;", "squares = nothing;"), "a name that is none", /does not compile .*layernorm\.c:\d+:\d+: error: use of undeclared identifier 'nothing'/);
    check((await box.locator(".cm-lint-marker-error").count()) === 1, "the line of a mistake is marked");
    await axeFindsNothing(page, "#exercise-layernorm", "an editor");
    await says(solution.replace(/if \(dgain\)/g, ""), "NULL", /crashed with SIGSEGV in layernorm_backward, exercises\/01-layernorm-vs-batchnorm\/layernorm\.c:\d+: this is what you get when dgain or dbias is added to though it is NULL/);
    await says(solution.replace("squares = 0;", "squares = 0; while (squares == 0) {}"), "an endless loop", /\d of \d+ tests pass .*ran out of time in layernorm_forward/);
    await page.close();
}

// Leaves in the middle and comes back; another window has the same text; hints come one by one.
async function comesBack(context, origin) {
    const name = "01-layernorm-vs-batchnorm/welford",
        page = await watchedPage(context, "coming back", origin);
    await page.goto(`${origin}/01-layernorm-vs-batchnorm-variance.html`);
    let box = await open(page, name);
    await type(page, box, "/* half of it */\n");
    for (const n of [1, 2]) {
        await box.getByRole("button", { name: "Hint" }).click();
        check((await box.locator(".write-hints li").count()) === n, `${n} hints are shown`);
    }
    await page.reload();
    box = await open(page, name);
    check((await box.locator(".cm-content").innerText()).includes("half of it"), "the text is there after a reload");
    check((await box.locator(".write-hints li").count()) === 2, "the hints are there after a reload");

    const other = await watchedPage(context, "another window", origin);
    await other.goto(`${origin}/01-layernorm-vs-batchnorm-variance.html`);
    const there = await open(other, name);
    await type(other, there, "/* from the other window */\n");
    await page.waitForFunction(() => document.querySelector("#exercise-welford .cm-content").textContent.includes("from the other window"));
    await other.close();

    await box.locator(".cm-content").focus();
    await page.keyboard.press("Escape");
    const focused = await page.evaluate(() => document.activeElement.textContent);
    check(focused === "Check", `Escape leaves the editor for ${focused}`);
    await page.close();
}

// The front page lists what passes; all files are saved as an archive, which another browser takes.
async function listsProgress(browser, context, origin) {
    const page = await watchedPage(context, "progress", origin);
    await page.goto(`${origin}/index.html`);
    await page.locator("#progress summary").click();
    const list = await page.locator("#progress pre").innerText();
    for (const name of PASSED_HERE)
        check(new RegExp(`^${name.replace(/-[^/]*/, "")} +#{10} +(\\d+)/\\1 +right`, "m").test(list), `${name} passes, the list says: ${list.slice(0, 400)}`);
    check(/^01\/welford .* 0\/\d+ +not checked yet/m.test(list), `01/welford is not checked: ${list.slice(0, 400)}`);
    const archive = await savedBy(page, "mine.tar", () => page.getByRole("button", { name: /mine\.tar/ }).click());
    const files = execFileSync("tar", ["-tf", archive], { encoding: "utf8" });
    check(PASSED_HERE.every((name) => files.includes(`mine/${name}.c`)), `mine.tar has ${files}`);
    await page.close();

    const elsewhere = await browser.newContext();
    const there = await watchedPage(elsewhere, "another browser", origin);
    await there.goto(`${origin}/index.html`);
    await there.locator("#progress summary").click();
    await there.locator("#progress input[type=file]").setInputFiles(archive);
    await there.waitForFunction(() => /01\/layernorm .* not checked yet/.test(document.querySelector("#progress pre").textContent));
    await elsewhere.close();
}

// Nothing of the compiler is fetched before the first check, and the page stays small.
async function fetchesLate(browser, origin) {
    const page = await (await browser.newContext()).newPage();
    const asked = [];
    let bytes = 0;
    page.on("response", async (response) => {
        asked.push(response.url());
        if (!response.url().endsWith(".woff2")) bytes += (await response.body().catch(() => "")).length;
    });
    await page.goto(`${origin}/01-layernorm-vs-batchnorm.html`, { waitUntil: "networkidle" });
    check(bytes < 800000, `lesson 01 takes ${bytes} bytes`);
    const row = await page.locator("#exercise-layernorm .write-open").first().innerText();
    check(/\d+ MB, fetched once/.test(row), `the size is said before: ${row}`);
    await open(page, PASSED_HERE[0]);
    check(!asked.some((url) => /llvm|bundle/.test(url)), "the compiler is fetched before it is asked for");
    await page.close();
}

async function saysHowToServe(context) {
    const page = await context.newPage();
    await page.goto(`file://${book}/01-layernorm-vs-batchnorm.html`);
    const said = await page.locator("#exercise-layernorm .write-open").first().innerText();
    check(said.includes("make book-serve"), `from a file the page says: ${said}`);
    check((await page.locator(".write-open button").count()) === 0, "from a file there is no button");
    await page.close();
}

run(async (browser, origin) => {
    const context = await browser.newContext({ viewport: { width: 1400, height: 900 } });
    for (const name of PASSED_HERE) await writes(context, origin, name);
    await isWrong(await browser.newContext(), origin);
    await comesBack(context, origin);
    await listsProgress(browser, context, origin);
    await fetchesLate(browser, origin);
    await saysHowToServe(context);
}, "write/about.json");
