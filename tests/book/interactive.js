// Interactive parts of the pages: the sentence on the front page, figures with sliders, a run drawn as the lesson's figure, files
// that stay, where the focus is. The same numbers as in the static figures.
"use strict";
const { execFileSync } = require("child_process");
const fs = require("fs");
const path = require("path");
const { figureName } = require("../../tools/book/figure");
const { axeFindsNothing } = require("./support/axe");
const { book, check, run, savedBy, watchedPage } = require("./support/browser");

const rowsOf = (csv) => {
    const [header, ...lines] = fs.readFileSync(`plots/${csv}.csv`, "utf8").trim().split("\n");
    return lines.map((line) => {
        const cells = line.match(/("[^"]*"|[^,]*)(,|$)/g).map((cell) => cell.replace(/,$/, "").replace(/^"|"$/g, ""));
        return Object.fromEntries(header.split(",").map((name, i) => [name, cells[i]]));
    });
};
const lessons = fs.readdirSync(book).filter((file) => /^\d\d-.*\.html$/.test(file));
const near = (a, b, share) => Math.abs(a - b) <= share * Math.max(Math.abs(a), Math.abs(b), 1e-9);

// Opens the figure that moves behind figure `name`.
async function openLive(context, origin, name) {
    const page = await watchedPage(context, `${name}, moving`, origin);
    const has = (file) => fs.readFileSync(path.join(book, file), "utf8").includes(`<figure id="figure-${name}">`);
    await page.goto(`${origin}/${lessons.find(has)}`);
    await page.evaluate(() => document.querySelectorAll(".predict .show").forEach((show) => show.click()));
    const live = page.locator(`#figure-${name} + .live`);
    await live.locator("button").first().click();
    const slider = live.locator("input").first();
    await slider.waitFor({ timeout: 60000 });
    check(await hasFocus(slider), `${name}: the focus is at the first slider`);
    return { page, live };
}
const slide = (live, n, value) => live.locator("input[type=range]").nth(n).fill(String(value));
const hasFocus = (locator) => locator.evaluate((element) => element === document.activeElement);
// Waits until the words of an element match.
const says = (locator, words, timeout = 120000) => locator.filter({ hasText: words }).waitFor({ timeout });
// The options of a command in the last box of a page, which takes any.
const runLast = (page, line) => page.evaluate((options) => runBoxes[runBoxes.length - 1].run(options), line);

// 12: the five settings of the figure give its bars.
async function filters(context, origin) {
    const { page, live } = await openLive(context, origin, "12-filters");
    const rows = rowsOf("12-generation/filters");
    for (const name of new Set(rows.map((row) => row.filter))) {
        await live.getByRole("button", { name, exact: true }).click();
        const shares = await live.locator("[data-share]").evaluateAll((bars) => bars.map((bar) => Number(bar.dataset.share)));
        const left = await live.locator("[data-left]").evaluateAll((texts) => texts.map((text) => text.dataset.left));
        const figure = ["0", "1"].flatMap((place) => rows.filter((row) => row.filter === name && row.context === place));
        const off = figure.filter((row, i) => !near(Number(row.probability), shares[i], 2e-5)).length,
            kept = [figure[0].kept, figure[16].kept];
        check(shares.length === 32 && off === 0, `12, ${name}: ${off} of ${shares.length} bars are not the figure's`);
        check(left[0] === kept[0] && left[1] === kept[1], `12, ${name}: ${left} left, in the figure ${kept}`);
    }
    await axeFindsNothing(page, ".live", "12-filters");
    await page.close();
}

// 01: at each batch the numbers that the program prints; another seed is the program's.
async function batches(context, origin) {
    const { page, live } = await openLive(context, origin, "01-batch-size");
    const read = (name) =>
        live.locator(`[data-${name}]`).evaluateAll((bars, n) => bars.slice(0, 3).map((bar) => Number(bar.dataset[n])), name);
    const compare = async (seed) => {
        const printed = execFileSync("build/01-layernorm-vs-batchnorm", ["--seed", seed, "--threads", "1"], { encoding: "utf8" });
        for (const line of printed.match(/^ +\d+( +-?\d+\.\d{3}){6}$/gm)) {
            const [batch, ...numbers] = line.trim().split(/ +/).map(Number);
            await slide(live, 0, batch - 1);
            const shown = [...(await read("layernorm")), ...(await read("batchnorm"))];
            const same = numbers.every((number, i) => Math.abs(number - shown[i]) < 6e-4);
            check(same, `01, seed ${seed}, batch ${batch}: ${shown} for ${numbers}`);
        }
    };
    await compare("1");
    await live.getByRole("button", { name: /draw another/ }).click();
    await says(live.locator(".run-state"), /seed 2/);
    await compare("2");
    await axeFindsNothing(page, ".live", "01-batch-size");
    await page.close();
}

// 02: at the figure's rate and warm-up the losses that it shows; other ones are trained.
async function rates(context, origin) {
    const { page, live } = await openLive(context, origin, "02-rates");
    const rows = rowsOf("02-pre-ln-vs-post-ln/rates").filter((row) => row.depth === "6" && row.rate === "0.016");
    const train = () => live.getByRole("button", { name: /^Train/ }).click();
    const means = (n) => live.locator(`[data-run]`).evaluateAll((marks, from) => marks.slice(from).map((mark) => Number(mark.dataset.mean)), 4 * n);
    const trained = (words) => says(live.locator(".run-state"), words, 240000);
    await train();
    await trained(/^rate 0.016, 400 steps of warm-up, seed 1/);
    const expected = rows.map((row) => Number(row.s1)),
        shown = await means(0);
    check(shown.length === 4 && expected.every((loss, i) => Math.abs(loss - shown[i]) < 6e-4), `02: ${shown} for ${expected}`);
    await slide(live, 1, 3);
    await train();
    await trained(/^rate 0.016, 20 steps of warm-up/);
    const short = await means(1);
    check(short[0] === shown[0] && short[1] !== shown[1], `02: with 20 steps of warm-up ${short}`);
    await train();
    await live.getByRole("button", { name: "Stop" }).click();
    await trained(/^stopped/);
    await axeFindsNothing(page, ".live", "02-rates");
    await page.close();
}

// 14: at four bits the points of the figure.
async function bits(context, origin) {
    const { page, live } = await openLive(context, origin, "14-group-size");
    const figure = rowsOf("14-compression/group-size").filter((row) => row.seed === "1");
    await slide(live, 0, 2);
    for (const column of ["error", "offset_error"]) {
        for (const matrix of new Set(rowsOf("14-compression/bits").map((row) => row.matrix))) {
            const name = `${matrix.toLowerCase()}-${column.replace("_", "-")}`;
            const marks = live.locator(`[data-${name}]`);
            const points = await marks.evaluateAll((all, n) => all.map((mark) => mark.getAttribute(`data-${n}`)), name);
            const expected = figure.filter((row) => row.matrix === matrix).map((row) => `${row.group}:${Number(row[column])}`);
            check(points.join() === expected.join(), `14, ${name}: ${points} for ${expected}`);
        }
    }
    const before = await live.locator("svg").innerHTML();
    await slide(live, 0, 0);
    check(before !== (await live.locator("svg").innerHTML()), "14: two bits have another error than four");
    await axeFindsNothing(page, ".live", "14-group-size");
    await page.close();
}

// 07: each row of a map sums to one.
async function map(context, origin) {
    const { page, live } = await openLive(context, origin, "07-maps");
    await live.locator(".look-map td").first().waitFor({ timeout: 120000 });
    await live.locator("input[type=text]").fill("Ben has a red hat");
    await live.getByRole("button", { name: "Look", exact: true }).click();
    await says(live.locator(".look-map"), /Ben/);
    const sumOf = (rows) => rows.map((row) => [...row.querySelectorAll("td")].reduce((sum, cell) => sum + Number(cell.textContent), 0));
    const sums = await live.locator(".look-map tr").evaluateAll(sumOf);
    check(sums.length > 3 && sums.every((sum) => Math.abs(sum - 1) < 0.06), `07: the rows sum to ${sums}`);
    await axeFindsNothing(page, ".live", "07-maps");
    await page.close();
}

// The sentence: what the page writes is what the native program writes; the wrong norm writes something else.
async function sentence(context, origin) {
    const page = await watchedPage(context, "the front page", origin);
    await page.goto(`${origin}/index.html`);
    const quoted = await page.locator(".written").allInnerTexts();
    const form = page.locator(".write-live"),
        button = form.getByRole("button");
    await button.click();
    await says(form.locator(".run-state"), /^done/);
    const another = await page.locator(".written").first().innerText();
    check(another.trim() !== quoted[0], "the first click writes what stands there already");
    await form.locator("input[type=number]").fill("1");
    await button.click();
    await form.locator("button:enabled").waitFor({ timeout: 120000 });
    await says(form.locator(".run-state"), /^done/);
    const same = await page.locator(".written").allInnerTexts();
    check(same.map((text) => text.trim()).join() === quoted.join(), `the front page quotes ${quoted[0]} and writes ${same[0]}`);
    check(await hasFocus(button), "the focus stays at the button");
    await form.locator("input").first().fill("Ben has");
    await button.click();
    await says(page.locator(".written").first(), /^Ben has/);
    await form.locator("button:enabled").waitFor({ timeout: 120000 });
    const model = ["build/model", "build/book-model"].find((at) => fs.existsSync(`${at}/model.safetensors`));
    const options = "--temperature 0.6 --max-new-tokens 42 --threads 1 --seed 1".split(" ");
    const native = execFileSync("build/13-kv-cache", ["--model", model, "--prompt", "Ben has", ...options], { encoding: "utf8" });
    const [right, wrong] = await page.locator(".written").evaluateAll((panes) => panes.map((pane) => pane.textContent));
    check(right === native, `the page writes ${JSON.stringify(right)}, the program ${JSON.stringify(native)}`);
    check(wrong !== native, "the wrong norm writes the same");
    // The page says so: its words do not depend on the beginning.
    check(wrong.slice(-60) === same[1].slice(-60), `the wrong norm: ${JSON.stringify([wrong, same[1]])}`);
    await page.close();
}

// A run becomes the lesson's figure: the very same where it is the same run, another one with another seed.
async function drawn(context, origin) {
    const page = await watchedPage(context, "a run as a figure", origin);
    await page.goto(`${origin}/01-layernorm-vs-batchnorm.html`);
    const figure = page.locator(".run.free figure.run-chart");
    await runLast(page, "--experiment padding --threads 1");
    await figure.waitFor({ timeout: 60000 });
    check((await figure.innerText()).includes("the very same drawing"), "the same run is not the same drawing");
    await runLast(page, "--experiment padding --seed 2 --threads 1");
    await figure.waitFor({ timeout: 60000 });
    check((await figure.locator("svg").count()) === 2, "a run with another seed is not over the lesson's");
    await figure.getByRole("radio", { name: "the lesson's", exact: true }).check();
    check(!(await figure.locator("svg").last().isVisible()), "the lesson's alone still shows the reader's");
    await axeFindsNothing(page, ".run.free", "a drawn run");
    await runLast(page, "--experiment invariance --threads 1");
    await page.waitForTimeout(1500);
    const left = await figure.count();
    check(left === 0, `an experiment that no figure shows is drawn ${left} times`);
    await page.close();
}

// gnuplot of the pages draws every figure of the course as it is.
async function allFigures(context, origin) {
    const page = await watchedPage(context, "all figures", origin);
    await page.goto(`${origin}/01-layernorm-vs-batchnorm.html`);
    const files = fs
        .readdirSync("plots", { recursive: true })
        .filter((file) => /^\d\d-.*\.gp$/.test(file) && !file.startsWith("16-"))
        .map((file) => `plots/${file.slice(0, -3)}.svg`);
    let same = 0;
    for (const file of files) {
        const name = figureName(file);
        const svg = await page.evaluate(async (figure) => {
            const { recipes, data, style } = await figuresOf(figure);
            const tables = readBy(recipes[figure], data).map((csv) => [csv, data[csv]]);
            return gnuplot(figure, recipes[figure], style, Object.fromEntries(tables)).catch((error) => error.message);
        }, name);
        const committed = fs.readFileSync(file, "utf8");
        same += svg === committed;
        check(svg.includes("</svg>"), `${name} is not drawn: ${svg.slice(0, 200)}`);
    }
    console.log(`  ${same} of ${files.length} figures are the committed ones to the byte`);
    check(same > 0.9 * files.length, `${same} of ${files.length} figures are the committed ones`);
    await page.close();
}

// A program's files are there for the next page, after a reload, and gone when they are deleted. Focus and arrow keys.
async function files(context, origin) {
    const page = await watchedPage(context, "files", origin);
    await page.goto(`${origin}/11-training.html`);
    const box = page.locator(".run.free"),
        input = box.locator("form input"),
        state = box.locator(".run-state");
    await input.fill("--vocab-size 300 --context 32 --steps 2 --overwrite --save build/page --threads 1");
    await input.press("Enter");
    await box.locator(".run-stop").waitFor();
    check(/running/.test(await state.innerText()), "there is no clock");
    await says(state, /^done/);
    await page.goto(`${origin}/13-kv-cache.html`);
    const wrote = await runLast(page, "--model build/page --prompt Lily --max-new-tokens 5 --threads 1");
    check(wrote.code === 0 && wrote.stdout.startsWith("Lily"), `13 on the model of 11: exit code ${wrote.code} ${wrote.stderr}`);
    const kept = page.locator("details.kept");
    await kept.locator("summary").click();
    check((await kept.locator("li", { hasText: "build/page/model.safetensors" }).count()) === 1, "the list lacks the model");
    const config = await savedBy(page, "config.json", () => kept.getByRole("button", { name: "Save build/page/config.json" }).click());
    check(JSON.parse(fs.readFileSync(config, "utf8")).model_type === "gpt2", "the saved config.json is that of a GPT-2");
    await axeFindsNothing(page, "details.kept", "the list of files");
    await kept.getByRole("button", { name: "Delete all" }).click();
    await kept.waitFor({ state: "hidden" });
    await page.reload();
    const gone = await runLast(page, "--model build/page --prompt Lily --threads 1");
    check(gone.code === 1, "a deleted model is still there");

    await page.goto(`${origin}/11-training.html`);
    await input.fill("--steps 100000 --overwrite --save build/page --threads 1");
    await box.locator(".run-start").focus();
    await page.keyboard.press("Enter");
    await box.locator(".run-stop:focus").waitFor();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter"); // stops
    await says(state, /^stopped/);
    check(await hasFocus(box.locator(".run-start")), "after Stop the focus is not at Run");
    check(page.url().includes("11-training"), "an arrow key left the page");
    await page.close();
}

// The same command has one box in a page.
async function oneBox(context, origin) {
    const page = await watchedPage(context, "boxes", origin);
    for (const name of lessons) {
        await page.goto(`${origin}/${name}`);
        const twice = await page.evaluate(() => {
            const boxes = typeof runBoxes === "undefined" ? [] : runBoxes.filter((box) => !box.first && box.expected);
            const commands = boxes.map(({ div }) => `${div.dataset.program} ${div.dataset.args}`);
            return commands.filter((command, i) => commands.indexOf(command) < i);
        });
        check(!twice.length, `${name}: two boxes of ${twice[0]}`);
    }
    await page.goto(`${origin}/16-data-parallel.html`);
    check(/MPI/.test(await page.locator("#try-it + p").innerText()), "16 does not say why it has no box");
    await page.close();
}

run(async (browser, origin) => {
    const tests = [filters, batches, rates, bits, map, sentence, drawn, files, oneBox, allFigures];
    const some = tests.filter((test) => !process.argv[3] || process.argv[3].split(",").includes(test.name));
    for (const test of some) {
        const context = await browser.newContext({ viewport: { width: 1400, height: 900 } });
        await test(context, test === files ? `file://${book}` : origin).catch((error) => check(false, `${test.name}: ${error.message}`));
        await context.close();
    }
}, "programs/gnuplot.js");
