// Every page in Chromium: light from file://, dark from a server, both wide and narrow; nothing in the console, no request to
// elsewhere, nothing wider than the screen, and axe finds nothing. Screenshots go to build/book-shots.
"use strict";
const fs = require("fs");
const path = require("path");
const { axeFindings } = require("./support/axe");
const { book, check, run, watchedPage } = require("./support/browser");

const shots = path.resolve("build/book-shots");
const listed = fs.readdirSync(book).filter((name) => name.endsWith(".html")).sort();
const source = "source/common/tensor/tensor.h.html"; // one of the pages of files: they differ in their text only

// A page in one theme: at both widths nothing sticks out; axe looks for barriers at the first. Formulas and figures have thousands of
// parts, all in the colours of the text, and take most of its time: they stay in one lesson. In the second theme only the contrast is new.
async function look(context, name, origin, theme, widths) {
    const label = `${name} (${theme})`;
    const page = await watchedPage(context, label, origin);
    await page.goto(`${origin}/${name}`, { waitUntil: "load" });
    await page.evaluate(() => document.fonts.ready);
    check((await page.title()).length > 0, `${label}: no title`);
    const back = await page.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number)[0]);
    check(theme === "dark" ? back < 60 : back > 240, `${label}: the background is ${back}`);
    await page.evaluate(() => document.querySelectorAll(".predict .show").forEach((button) => button.click()));
    for (const width of [...widths].reverse()) {
        await page.setViewportSize({ width, height: 900 });
        const wide = await page.evaluate(() => document.scrollingElement.scrollWidth - innerWidth);
        check(wide <= 0, `${label}: ${wide} pixels wider than a screen of ${width}`);
        await page.screenshot({ path: `${shots}/${path.basename(name, ".html")}-${width}-${theme}.png` });
    }
    if (!name.startsWith("09"))
        await page.evaluate(() => document.querySelectorAll(".katex, figure svg > *").forEach((part) => part.replaceChildren("formula")));
    const found = await axeFindings(page, "html", theme === "dark" ? { runOnly: ["color-contrast"] } : {});
    check(!found, `${label}: axe: ${found}`);
    await page.close();
}

run(async (browser, origin) => {
    fs.mkdirSync(shots, { recursive: true });
    const light = await browser.newContext({ colorScheme: "light" }),
        dark = await browser.newContext({ colorScheme: "dark" });
    for (const name of [...listed, source]) {
        await Promise.all([look(light, name, `file://${book}`, "light", [1400, 360]), look(dark, name, origin, "dark", [360, 1400])]);
    }
    console.log(`  ${listed.length + 1} pages twice; screenshots in ${path.relative(process.cwd(), shots)}`);
});
