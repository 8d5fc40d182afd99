// axe-core on a part of a page.
"use strict";
const fs = require("fs");
const { installed, check } = require("./browser");

const axe = fs.readFileSync(installed.resolve("axe-core/axe.min.js"), "utf8");

// The barriers that axe finds in a part of the page, in words; options: of which kinds, where not of all.
async function axeFindings(page, selector, options = {}) {
    await page.evaluate(axe);
    const { violations } = await page.evaluate(
        ([part, more]) => globalThis.axe.run(part, { resultTypes: ["violations"], preload: false, ...more }),
        [selector, options],
    );
    const words = (v) => `${v.id} (${v.nodes.length}): ${v.nodes[0].target} ${v.nodes[0].failureSummary.split("\n")[1].trim()}`;
    return violations.map(words).join("; ");
}

// Nothing is wrong for axe in either theme while it is open.
async function axeFindsNothing(page, selector, label) {
    for (const theme of ["light", "dark"]) {
        await page.evaluate((t) => (document.documentElement.dataset.theme = t), theme);
        const found = await axeFindings(page, selector);
        check(!found, `${label} (${theme}): axe: ${found}`);
    }
    await page.evaluate(() => delete document.documentElement.dataset.theme);
}

module.exports = { axeFindings, axeFindsNothing };
