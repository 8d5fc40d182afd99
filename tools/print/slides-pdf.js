// slides-pdf.js DECK.html DECK.pdf: prints slides, with the Chromium that CHROMIUM names.
"use strict";
const path = require("path");
const { createRequire } = require("module");
const { chromium } = createRequire(path.resolve("tools/book/package.json"))("playwright-core");

async function print(deck, pdf) {
    const args = process.getuid() === 0 ? ["--no-sandbox"] : [];
    const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args });
    const page = await browser.newPage();
    await page.goto(`file://${path.resolve(deck)}?print-pdf`);
    await page.waitForSelector(".pdf-page");
    await page.evaluate(() => document.fonts.ready);
    await page.pdf({ path: pdf, preferCSSPageSize: true, printBackground: true });
    await browser.close();
}

print(...process.argv.slice(2)).catch((error) => {
    console.error(`make: ${process.argv[2]}: ${error.message.split("\n")[0]}`);
    process.exit(1);
});
