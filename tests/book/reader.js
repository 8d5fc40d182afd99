// The actions of a reader: predicts, searches, turns pages, changes the theme, reads without scripts, prints.
"use strict";
const fs = require("fs");
const path = require("path");
const { book, check, run, watchedPage } = require("./support/browser");

const lesson = "01-layernorm-vs-batchnorm.html";
// The first page whose first prediction, which nothing hides, asks in this way, and not in another.
const listed = fs.readdirSync(book).filter((name) => name.endsWith(".html"));
const asks = (name) => fs.readFileSync(path.join(book, name), "utf8").split('class="predict"')[1] || "";
const asking = (way, other) => listed.find((name) => asks(name).includes(way) && !asks(name).includes(other));
const choosing = asking('type="radio"', 'type="range"'),
    sliding = asking('type="range"', 'type="radio"'),
    wording = asking("<textarea", 'type="range"');

const focusIn = (page, selector) => page.evaluate((s) => document.activeElement.closest(s) !== null, selector);

const isHidden = async (page, id) => (await page.locator(`.rest[data-for="${id}"]`).getAttribute("hidden")) !== null;

// The text after a prediction is hidden until there is an answer; the answer is kept, and the right one is shown.
async function predicts(context, origin) {
    const page = await watchedPage(context, "predicting", origin);
    await page.goto(`${origin}/${choosing}`);
    const boxes = await page.locator(".predict").count(),
        hidden = await page.locator(".rest[hidden]").count();
    check(boxes > 0 && hidden === boxes, `${boxes} predictions hide ${hidden} parts`);

    const choice = page.locator(".predict:has(input[type=radio])").first(),
        choiceId = await choice.getAttribute("id");
    const right = Number(await choice.locator("fieldset[data-right]").first().getAttribute("data-right"));
    for (const fieldset of await choice.locator("fieldset").all())
        await fieldset.locator("input").first().check().catch(() => {});
    await choice.locator("fieldset[data-right]").first().locator("input").nth(right).check();
    await choice.locator("button[type=submit]").click();
    check((await choice.locator(".said").innerText()).includes("✓"), "the right choice is called right");
    await page.reload();
    check(!(await isHidden(page, choiceId)), "the answer is kept over a reload");

    await page.goto(`${origin}/${sliding}`);
    const slider = page.locator(".predict:has(input[type=range])").first(),
        sliderId = await slider.getAttribute("id");
    const measured = await slider.locator("fieldset[data-measured]").first().getAttribute("data-measured");
    await slider.locator("input[type=range]").first().focus();
    await page.keyboard.press("End");
    await slider.locator("button[type=submit]").click();
    check((await slider.locator(".scale .measured").first().innerText()).includes(measured), "the measured value is drawn");
    const yours = await slider.locator(".scale .yours").first().evaluate((mark) => mark.style.left);
    check(yours === "100%", `the prediction is drawn at ${yours}, not at the end`);
    await page.locator(`#${sliderId} .again`).click();
    check(await isHidden(page, sliderId), "predicting again hides it again");
    await page.close();
}

// A hidden figure stands in its box without its data; a switch shows everything, in all pages, and asks again when it is off.
async function showsEverything(context, origin) {
    const page = await watchedPage(context, "showing everything", origin);
    await page.goto(`${origin}/${lesson}`);
    const empty = page.locator(".glimpse svg").first();
    check((await page.locator(".rest[hidden] figure svg").count()) < (await page.locator(".glimpse svg").count()), "figures are out");
    check((await empty.locator(".data").first().evaluate((g) => getComputedStyle(g).visibility)) === "hidden", "the data are hidden");
    await page.locator(".everything input").first().check();
    check((await page.locator(".rest[hidden], .glimpse svg").count()) === 0, "everything is shown");
    await page.goto(`${origin}/${sliding}`);
    check((await page.locator(".rest[hidden]").count()) === 0, "everything is shown in another page");
    await page.locator(".everything input").first().uncheck();
    check((await page.locator(".rest[hidden]").count()) > 0, "the switch asks again");
    await page.close();
}

async function predictsInWords(context, origin) {
    const page = await watchedPage(context, "predicting in words", origin);
    await page.goto(`${origin}/${wording}`);
    const words = page.locator(".predict:has(textarea)").first(),
        id = await words.getAttribute("id");
    await words.locator("textarea").fill("half as far");
    await words.locator("button[type=submit]").click();
    check(!(await isHidden(page, id)), "an answer in words shows what was hidden");
    check((await words.locator(".said").innerText()).includes("half as far"), "the answer is repeated");
    check(await focusIn(page, ".said"), "after an answer the focus is at what is said of it");
    await page.keyboard.press("ArrowRight");
    await page.waitForTimeout(200);
    check(page.url().includes(wording), "an arrow key there does not leave the page");
    await page.close();
}

// A link from the glossary into what is hidden shows it.
async function followsLinks(context, origin) {
    const page = await watchedPage(context, "following a link", origin);
    await page.goto(`${origin}/glossary.html`);
    await page.locator('a[href="07-attention.html#term-causal-mask"]').click();
    await page.waitForURL(/07-attention/);
    check(await page.locator("#term-causal-mask").isVisible(), "a link to what a prediction hides shows it");
    await page.close();
}

async function searches(context, origin) {
    const page = await watchedPage(context, "searching", origin);
    await page.goto(`${origin}/index.html`);
    await page.keyboard.press("/");
    await page.keyboard.type("induction head");
    await page.locator("#found a").first().waitFor();
    const first = await page.locator("#found a").first().getAttribute("href");
    check(first.startsWith("07-attention.html"), `"induction head" leads to ${first}`);
    await page.keyboard.press("Escape");
    check(await page.locator("#found").isHidden(), "Escape closes what was found");
    // Results of a search: a term leads to its definition, a typing error to what was meant, a subject to its
    // section.
    for (const [query, target] of [
        ["online softmax", /^07-attention.*#term-online-softmax/],
        ["temperature", /^12-generation\.html#term-temperature/],
        ["Adam", /^00-tensors.*#term-adamw/],
        ["gradient", /^00-tensors\.html#term-gradient/],
        ["attention", /^07-attention\.html#term-(scaled-dot-product-)?attention$/],
        ["layernrom", /LayerNorm|01-layernorm/i],
        ["batchnorm.c", /batchnorm\.c/],
    ]) {
        await page.fill("#search", query);
        await page.locator(`#found[data-query="${query}"]`).waitFor();
        const all = await page.locator("#found a").evaluateAll((links) => links.map((a) => a.getAttribute("href")));
        const where = (query === "batchnorm.c" ? all : all.slice(0, 1)).some((href) => target.test(href));
        check(where, `"${query}" leads to ${all.slice(0, 3)}`);
        const tex = (await page.locator("#found").innerText()).match(/.{0,30}(\\[a-z]|\$).{0,30}/);
        check(!tex, `"${query}": TeX in what was found: ${tex}`);
    }
    await page.fill("#search", "causal mask");
    await page.locator('#found[data-query="causal mask"]').waitFor();
    const marked = (await page.locator("#found mark").allInnerTexts()).join();
    check(/causal/i.test(marked) && /mask/i.test(marked), `marked: ${marked}`);
    for (const [query, hasText] of [
        ["batchnorm_stat", /01 ·/],
        ["xyzzyx", /Nothing found/],
    ]) {
        await page.fill("#search", query);
        await page.locator("#found", { hasText }).waitFor();
    }
    await page.fill("#search", "kahan");
    await page.locator("#found mark").first().waitFor();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await page.waitForURL(/01-layernorm-vs-batchnorm.*#/);
    check(true, "Enter goes to the first result");
    await page.close();
}

async function turnsPages(context, origin) {
    const page = await watchedPage(context, "turning pages", origin);
    await page.goto(`${origin}/${lesson}`);
    await page.keyboard.press("ArrowRight");
    await page.waitForURL(/02-pre-ln/);
    await page.keyboard.press("ArrowLeft");
    await page.waitForURL(/01-layernorm/);
    const heading = page.locator("main h2").nth(1);
    const id = await heading.evaluate((element) => (element.scrollIntoView(), element.id));
    await page.locator(`.toc [href="#${id}"][aria-current]`).waitFor();
    check(true, "the table of contents follows");
    await page.close();
}

const colors = (page) =>
    page.evaluate(() => {
        const text = document.querySelector("figure svg text"),
            shown = getComputedStyle(text.closest("[fill]") || text);
        return { back: getComputedStyle(document.body).backgroundColor, figure: shown.fill };
    });

async function changesTheme(context, origin) {
    const page = await watchedPage(context, "changing the theme", origin);
    await page.goto(`${origin}/${lesson}`);
    const light = await colors(page);
    await page.click(".theme"); // light
    await page.click(".theme"); // dark
    const dark = await colors(page);
    check(light.back !== dark.back, "the page gets dark");
    check(light.figure !== dark.figure, `the figures' text stays ${dark.figure}`);
    await page.reload();
    check((await colors(page)).back === dark.back, "the theme is kept over a reload");
    await page.click(".theme");
    check((await colors(page)).back === light.back, "back to the system's");
    await page.close();
}

// Without scripts nothing is hidden and nothing asks.
async function readsPlainText(browser, origin) {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${origin}/${choosing}`);
    const [all, hidden] = [await page.locator(".rest").count(), await page.locator(".rest[hidden]").count()];
    check(all > 0 && hidden === 0, "without scripts all is shown");
    check((await page.locator(".answer-form:visible").count()) === 0, "without scripts no form is shown");
    await page.goto(`${origin}/${lesson}`);
    check(await page.locator("figure svg").first().isVisible(), "without scripts the figures are there");
    await context.close();
}

async function prints(context, origin) {
    const page = await watchedPage(context, "printing", origin);
    await page.goto(`${origin}/${lesson}`);
    await page.emulateMedia({ media: "print" });
    check(await page.locator("figure svg").last().isVisible(), "in print what was hidden is there");
    const framed = await page.locator(".bar:visible, .sidebar:visible, .answer-form:visible").count();
    check(framed === 0, "in print there is no frame");
    await page.close();
}

// The first page with all that it loads, without fonts.
async function isSmall(browser, origin) {
    const page = await (await browser.newContext()).newPage();
    let bytes = 0,
        fonts = 0;
    page.on("requestfinished", async (request) => {
        const { responseBodySize: size } = await request.sizes();
        if (request.url().endsWith(".woff2")) fonts += size;
        else bytes += size;
    });
    await page.goto(`${origin}/index.html`, { waitUntil: "networkidle" });
    check(bytes > 10000 && bytes + fonts < 200000, `the first page takes ${bytes + fonts} bytes`);
    console.log(`  the first page: ${Math.round(bytes / 1000)} kB, and ${Math.round(fonts / 1000)} kB of fonts`);
}

run(async (browser, served) => {
    for (const origin of [`file://${book}`, served]) {
        const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, colorScheme: "light" });
        for (const act of [predicts, showsEverything, predictsInWords, followsLinks, searches, turnsPages, changesTheme, prints])
            await act(context, origin);
        await context.close();
    }
    await readsPlainText(browser, served);
    await isSmall(browser, served);
});
