// Shared by the tests of the book: counted checks, a browser, and the book from file:// and from a server of its own.
"use strict";
const { execFileSync } = require("child_process");
const fs = require("fs");
const os = require("os");
const path = require("path");
const { createRequire } = require("module");

// The modules are the book's (tools/book/package.json).
const installed = createRequire(path.resolve("tools/book/package.json"));
const { chromium, firefox } = installed("playwright-core");

const book = path.resolve(process.argv[2] || "build/book");
let checked = 0;
const failures = [];

// Counts a check; `what` describes the failure if it does not hold.
function check(holds, what) {
    checked++;
    if (!holds) (failures.push(what), console.log(`  FAILED ${what}`));
}

// Ends the test: fails where a check did, and where there was none.
function finish() {
    console.log(`  ${checked - failures.length} of ${checked} checks hold`);
    process.exit(failures.length || !checked ? 1 : 0);
}

// FIREFOX=/usr/bin/firefox-esr: that one. It is driven by WebDriver BiDi, of which later versions of playwright-core ask more than
// Debian's Firefox has.
const FIREFOX = process.env.FIREFOX;
let downloads; // a directory, from the first browser on

function launch() {
    downloads ??= fs.mkdtempSync(path.join(os.tmpdir(), "book-"));
    process.on("exit", () => fs.rmSync(downloads, { recursive: true, force: true }));
    return FIREFOX
        ? firefox.launch({ executablePath: FIREFOX, channel: "moz-firefox", downloadsPath: downloads })
        : chromium.launch({
              executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
              args: process.getuid() === 0 ? ["--no-sandbox"] : [],
          });
}

// The path of the file that `click` saves, under the page's name for it. Of Firefox no event of a download arrives.
async function savedBy(page, name, click) {
    const saved = path.join(downloads, name);
    if (!FIREFOX) {
        const [download] = await Promise.all([page.waitForEvent("download"), click()]);
        check(download.suggestedFilename() === name, `${name} is saved as ${download.suggestedFilename()}`);
        await download.saveAs(saved);
        return saved;
    }
    await click();
    for (let tries = 0; tries < 100 && !(fs.existsSync(saved) && fs.statSync(saved).size); tries++) await page.waitForTimeout(100);
    check(fs.existsSync(saved), `${name} is not saved, but ${fs.readdirSync(downloads)}`);
    return saved;
}

// A static server as any host of pages is. Resolves to { origin, close }.
const serve = () => require(path.resolve("tools/book/serve.js")).serve(book, 0);

// A test: act(browser, origin) with the book on a server of its own. Skipped where the book has not the file `needed`.
async function run(act, needed = "index.html") {
    if (!fs.existsSync(path.join(book, needed))) {
        console.log(`  SKIPPED: the book has no ${needed}`);
        process.exit(0);
    }
    try {
        const browser = await launch(),
            server = await serve();
        await act(browser, server.origin);
        await browser.close();
        server.close();
    } catch (error) {
        check(false, error.stack);
    }
    finish();
}

// The output of make on a learner's file, which is written in a folder in the place of exercises/.
function makeSays(learner, file, source, goal, environment = {}) {
    fs.mkdirSync(path.dirname(`${learner}/${file}`), { recursive: true });
    fs.writeFileSync(`${learner}/${file}`, source);
    const options = { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"], env: { ...process.env, COLUMNS: "80", ...environment } };
    try {
        return execFileSync("make", ["-s", ...goal, `LEARNER=${learner}`], options);
    } catch (error) {
        return error.stdout;
    }
}

// A page of a context that fails the test on errors in its console, and on a request to anywhere but the book.
async function watchedPage(context, name, origin) {
    const page = await context.newPage();
    page.on("console", (message) => {
        if (message.type() === "error" || message.type() === "warning") check(false, `${name}: console: ${message.text()}`);
    });
    page.on("pageerror", (error) => check(false, `${name}: ${error.message}`));
    page.on("requestfailed", (request) => check(false, `${name}: not loaded: ${request.url()}`));
    page.on("request", (request) => {
        const url = request.url();
        if (!url.startsWith(`${origin}/`) && !url.startsWith("data:") && !url.startsWith("blob:")) check(false, `${name}: asks ${url}`);
    });
    return page;
}

// On a phone nothing stands out of the page. It stays as narrow.
async function fitsPhone(page) {
    await page.setViewportSize({ width: 390, height: 800 });
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    check(wide <= 390, `at 390 px the page is ${wide} px wide`);
}

module.exports = { book, installed, check, finish, fitsPhone, makeSays, run, savedBy, watchedPage };
