// The page "One token": its numbers are those of the program in a terminal, to the bit; steps by
// key; a mistake is marked where it enters; a token is written; the front page's small version
// moves.
"use strict";
const { execFileSync } = require("child_process");
const fs = require("fs");
const { axeFindsNothing } = require("./support/axe");
const { book, check, fitsPhone, run, watchedPage } = require("./support/browser");

const model = ["build/model", "build/book-model"].find((at) =>
    fs.existsSync(`${at}/model.safetensors`),
);
const native = (ids) => {
    execFileSync("build/10-gpt2", [
        "--model",
        model,
        "--ids",
        ids.join(" "),
        "--dump",
        "build/token-test.safetensors",
    ]);
    return fs.readFileSync("build/token-test.safetensors");
};
const settled = (page) =>
    page
        .locator(".token-panel .run-state")
        .filter({ hasText: /^done/ })
        .waitFor({ timeout: 120000 });
const focused = (page) => page.evaluate(() => document.activeElement.id);

// The dump that comes with the book, and one that the page makes.
async function sameBytes(page) {
    const source = fs.readFileSync(`${book}/programs/token.js`, "utf8");
    const given = JSON.parse(source.slice(source.indexOf(", ") + 2, source.lastIndexOf(");")));
    check(
        native(given.ids).equals(Buffer.from(given.dump, "base64")),
        "the dump of the book is not the program's",
    );
    await page.getByRole("textbox", { name: "text to follow" }).fill("Lily has a pretty lamp");
    await page.getByRole("button", { name: "Follow" }).click();
    await settled(page);
    const [ids, dump] = await page.evaluate(() => [
        oneToken.run.ids,
        btoa(
            pageFiles
                .get("build/look.safetensors")
                .reduce((all, byte) => all + String.fromCharCode(byte), ""),
        ),
    ]);
    check(
        ids.length > 4 && native(ids).equals(Buffer.from(dump, "base64")),
        `the dump of ${ids} is not the program's`,
    );
}

// What a text fails with stays to be read.
async function tooLong(page) {
    await page.getByRole("textbox", { name: "text to follow" }).fill("Lily ".repeat(80));
    await page.getByRole("button", { name: "Follow" }).click();
    await page
        .locator(".token-panel .run-state")
        .filter({ hasText: "the model's context is 64" })
        .waitFor({ timeout: 60000 });
    await page.waitForTimeout(200);
    const said = await page.locator(".token-panel .run-state").innerText();
    check(/context is 64/.test(said), `after a text that is too long: ${said}`);
}

async function keys(page) {
    await page.locator("body").press("ArrowRight");
    const second = await focused(page);
    await page.waitForTimeout(700);
    await page.keyboard.press("ArrowRight");
    await page.waitForTimeout(700);
    const third = await focused(page);
    await page.keyboard.press("ArrowLeft");
    await page.waitForTimeout(700);
    check(
        second === "rows" && third === "norm" && (await focused(page)) === "rows",
        `arrows lead to ${second}, ${third}, ${await focused(page)}`,
    );
    const at = () => page.evaluate(() => oneToken.at);
    const before = await at();
    await page.keyboard.press("Shift+ArrowLeft");
    check((await at()) === before - 1, "Shift and an arrow do not choose the token before");
    await page.keyboard.press("Shift+ArrowRight");
}

// What the first text goes on with is known; after it a token is drawn, and computed.
async function writes(page) {
    const chips = page.locator(".chips button"),
        n = await chips.count();
    await page
        .locator("[data-step=draw]")
        .getByRole("button", { name: /^Write/ })
        .click();
    check((await chips.count()) === n + 1, "the known token is not written");
    check((await focused(page)) === "cache", "a written token does not lead to the cache");
    await page.locator("[data-step=draw]").getByRole("button", { name: "Draw another" }).click();
    await page
        .locator("[data-step=draw]")
        .getByRole("button", { name: /^Write/ })
        .click();
    await settled(page);
    check((await chips.count()) === n + 2, "a drawn token is not written");
}

// LayerNorm over columns: all before the first norm is the same to the bit, all behind it is not.
async function mistake(page) {
    await page.getByRole("checkbox", { name: /what a mistake does/ }).check();
    await settled(page);
    const others = await page
        .locator(".station")
        .evaluateAll((sections) =>
            sections.map((section) => [
                section.dataset.step,
                section.classList.contains("is-other"),
            ]),
        );
    const first = others.findIndex(([, other]) => other);
    check(
        others[first][0] === "norm" && others.slice(first).every(([, other]) => other),
        `marked: ${JSON.stringify(others)}`,
    );
    check(
        /same to the bit/.test(await page.locator("#rows .differs").innerText()),
        "the rows are not said to be the same",
    );
    check(
        (await page.locator("[data-step=weights] td.is-different").count()) > 0,
        "no weight is marked",
    );
    await axeFindsNothing(page, "main", "a mistake");
    await page.getByRole("checkbox").uncheck();
    await settled(page);
    check((await page.locator(".is-other").count()) === 0, "the marks stay");
}

// The reader's LayerNorm, as if it had been written in its lesson: the solution's text gives the
// solution's bits.
async function yours(page) {
    const norm = "01-layernorm-vs-batchnorm/layernorm";
    await page.evaluate(
        async ([name, text]) => {
            await courseWrite.load(["store.js"]);
            await courseStore.put("texts", name, { text, hints: 0 });
        },
        [norm, fs.readFileSync(`solutions/${norm}.c`, "utf8")],
    );
    await page.getByRole("button", { name: "Your code, and other mistakes" }).click();
    const choice = page.getByRole("combobox", { name: /whose code/ });
    await choice.selectOption("mine:01/layernorm");
    await settled(page);
    const marked = await page.locator(".differs").allInnerTexts();
    check(
        marked.filter((text) => /same to the bit/.test(text)).length > 10,
        `on the reader's code: ${marked}`,
    );
    const named = await page.locator("tr.of-other em").allInnerTexts();
    check(
        named.length > 0 && named.every((text) => text === "on your code"),
        `a table of the reader's code says ${named}`,
    );
    await choice.selectOption("wrong:07/causal_attention/no-scale");
    await settled(page);
    check(
        (await page.locator("[data-step=weights].is-other").count()) === 1,
        "a mistake that was compiled is not marked",
    );
    await choice.selectOption("");
    await settled(page);
}

// A directory of the reader's.
async function ownModel(page) {
    await page.locator("input[type=file]").setInputFiles(model);
    await settled(page);
    await page.getByRole("button", { name: "Follow" }).click();
    await page.waitForFunction(() => oneToken.run.model === "build/look-model", null, {
        timeout: 60000,
    });
    check(
        (await page.evaluate(() => oneToken.run.ids.length)) > 2,
        "a directory of the reader's is not followed",
    );
    await page.locator("input[type=file]").setInputFiles("tests/golden/tiny_gpt2");
    await page
        .locator(".token-panel .run-state")
        .filter({ hasText: "the directory has no vocab.json, no merges.txt" })
        .waitFor({ timeout: 10000 });
}

async function tables(page) {
    await page.locator("[data-step=rows] details.numbers summary").click();
    const cells = page.locator("[data-step=rows] .numbers td");
    check((await cells.count()) === 3 * 128, `${await cells.count()} numbers behind the rows`);
}

async function hook(context, origin) {
    const page = await watchedPage(context, "the hook", origin);
    await page.goto(`${origin}/index.html`, { waitUntil: "networkidle" });
    const drawn = () => page.locator(".hook svg").innerHTML();
    const at = await drawn();
    await page.waitForTimeout(1100);
    check((await drawn()) !== at, "after a second nothing has moved");
    await page.locator(".hook-play").click();
    const stopped = await drawn();
    await page.waitForTimeout(1100);
    check((await drawn()) === stopped, "it does not stop");
    await page.locator(".hook-step").click();
    check((await drawn()) !== stopped, "there is no step");
    const bytes = await page.evaluate(() =>
        performance.getEntries().reduce((sum, entry) => sum + (entry.encodedBodySize || 0), 0),
    );
    check(bytes < 200000, `the front page is ${bytes} bytes`);
    console.log(`  the front page: ${(bytes / 1000).toFixed(0)} kB`);
    await axeFindsNothing(page, ".hook", "the hook");
    await fitsPhone(page);
    await page.close();
}

run(async (browser, origin) => {
    const context = await browser.newContext({ viewport: { width: 1300, height: 900 } });
    const page = await watchedPage(context, "one token", origin);
    await page.goto(`${origin}/one-token.html`);
    await page.locator(".station .sentence").first().waitFor();
    await keys(page);
    await tables(page);
    await mistake(page);
    await writes(page);
    await tooLong(page);
    await sameBytes(page);
    if (fs.existsSync(`${book}/write/programs.json`)) await yours(page);
    await ownModel(page);
    await fitsPhone(page);
    await page.close();
    await hook(await browser.newContext(), origin);
}, "one-token.html");
