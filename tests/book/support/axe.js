// axe-core on a part of a page.
"use strict";
const fs = require("fs");
const { installed, check } = require("./browser");

const axe = fs.readFileSync(installed.resolve("axe-core/axe.min.js"), "utf8");

// Nothing is wrong for axe in either theme while it is open.
async function axeFindsNothing(page, selector, label) {
    for (const theme of ["light", "dark"]) {
        await page.evaluate((t) => (document.documentElement.dataset.theme = t), theme);
        await page.evaluate(axe);
        const { violations } = await page.evaluate(
            (s) => globalThis.axe.run(s, { resultTypes: ["violations"], preload: false }),
            selector,
        );
        const said = violations.map((v) => `${v.id}: ${v.nodes[0].target} ${v.nodes[0].failureSummary.split("\n")[1]}`);
        check(!violations.length, `${label} (${theme}): axe: ${said.join("; ")}`);
    }
    await page.evaluate(() => delete document.documentElement.dataset.theme);
}

module.exports = { axeFindsNothing };
