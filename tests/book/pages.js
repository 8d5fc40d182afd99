// Every page in Chromium: light from file://, dark from a server, both wide and narrow; nothing in the console, no request to
// elsewhere, nothing wider than the screen, and axe finds nothing. Screenshots go to build/book-shots.
"use strict";
const fs = require("fs");
const path = require("path");
const { book, installed, check, run, watchedPage } = require("./support/browser");

const axe = fs.readFileSync(installed.resolve("axe-core/axe.min.js"), "utf8");
const shots = path.resolve("build/book-shots");
const listed = fs
    .readdirSync(book)
    .filter((name) => name.endsWith(".html"))
    .sort();
const source = "source/common/tensor/tensor.h.html"; // one of the pages of files: they differ in their text only

// Barriers for readers with a screen reader, a keyboard or weak eyes. Formulas and figures have thousands of parts, all in the
// colours of the text, and take most of the time: with `whole` false they are taken out. Of a theme that is not the first only
// the contrast is new.
async function axeFindings(page, whole, rules) {
    await page.evaluate(axe);
    const { violations } = await page.evaluate(
        ([all, some]) => {
            if (!all)
                document.querySelectorAll(".katex, figure svg > *").forEach((part) => part.replaceChildren("formula"));
            return globalThis.axe.run(document, { resultTypes: ["violations"], preload: false, ...some });
        },
        [whole, rules],
    );
    return violations.map(
        (v) => `${v.id} (${v.nodes.length}): ${v.nodes[0].target} ${v.nodes[0].failureSummary.split("\n")[1].trim()}`,
    );
}

// A page in one theme: at both widths nothing sticks out; axe looks at it at the first.
async function look(context, name, origin, theme, widths) {
    const label = `${name} (${theme})`;
    const page = await watchedPage(context, label, origin);
    await page.goto(`${origin}/${name}`, { waitUntil: "load" });
    await page.evaluate(() => document.fonts.ready);
    check((await page.title()).length > 0, `${label}: no title`);
    const back = await page.evaluate(
        () => getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number)[0],
    );
    check(theme === "dark" ? back < 60 : back > 240, `${label}: the background is ${back}`);
    await page.evaluate(() => document.querySelectorAll(".predict .show").forEach((button) => button.click()));
    for (const width of [...widths].reverse()) {
        await page.setViewportSize({ width, height: 900 });
        const wide = await page.evaluate(() => document.scrollingElement.scrollWidth - innerWidth);
        check(wide <= 0, `${label}: ${wide} pixels wider than a screen of ${width}`);
        await page.screenshot({ path: `${shots}/${path.basename(name, ".html")}-${width}-${theme}.png` });
    }
    const findings = await axeFindings(
        page,
        name.startsWith("09"),
        theme === "dark" ? { runOnly: ["color-contrast"] } : {},
    );
    check(!findings.length, `${label}: axe: ${findings.join("; ")}`);
    await page.close();
}

run(async (browser, origin) => {
    fs.mkdirSync(shots, { recursive: true });
    const light = await browser.newContext({ colorScheme: "light" }),
        dark = await browser.newContext({ colorScheme: "dark" });
    for (const name of [...listed, source]) {
        await Promise.all([
            look(light, name, `file://${book}`, "light", [1400, 360]),
            look(dark, name, origin, "dark", [360, 1400]),
        ]);
    }
    console.log(`  ${listed.length + 1} pages twice; screenshots in ${path.relative(process.cwd(), shots)}`);
});
