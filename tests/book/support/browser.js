// What the tests of the book share: counted checks, Chromium, and the book from file:// and from a server of its own.
"use strict";
const fs = require("fs");
const http = require("http");
const path = require("path");
const { createRequire } = require("module");

// The modules are the book's (tools/book/package.json).
const installed = createRequire(path.resolve("tools/book/package.json"));
const { chromium } = installed("playwright-core");

const book = path.resolve(process.argv[2] || "build/book");
let checked = 0;
const failures = [];

// One thing that must hold; `what` says what was found where it does not.
function check(holds, what) {
    checked++;
    if (!holds) (failures.push(what), console.log(`  FAILED ${what}`));
}

// Ends the test: fails where a check did, and where there was none.
function finish() {
    console.log(`  ${checked - failures.length} of ${checked} checks hold`);
    process.exit(failures.length || !checked ? 1 : 0);
}

const launch = () =>
    chromium.launch({
        executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
        args: process.getuid() === 0 ? ["--no-sandbox"] : [],
    });

const types = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css",
    ".woff2": "font/woff2",
    ".wasm": "application/wasm",
};
// A static server as any host of pages is. Resolves to { origin, close }.
function serve() {
    const server = http.createServer((request, response) => {
        const file = path.join(book, decodeURIComponent(new URL(request.url, "http://book").pathname));
        if (!file.startsWith(book) || !fs.existsSync(file) || !fs.statSync(file).isFile())
            return response.writeHead(404).end();
        response.writeHead(200, { "content-type": types[path.extname(file)] || "application/octet-stream" });
        return fs.createReadStream(file).pipe(response);
    });
    return new Promise((done) =>
        server.listen(0, "127.0.0.1", () =>
            done({ origin: `http://127.0.0.1:${server.address().port}`, close: () => server.close() }),
        ),
    );
}

// A page of a context that fails the test on errors in its console, and on a request to anywhere but the book.
async function watchedPage(context, name, origin) {
    const page = await context.newPage();
    page.on("console", (message) => {
        if (message.type() === "error" || message.type() === "warning")
            check(false, `${name}: console: ${message.text()}`);
    });
    page.on("pageerror", (error) => check(false, `${name}: ${error.message}`));
    page.on("requestfailed", (request) => check(false, `${name}: not loaded: ${request.url()}`));
    page.on("request", (request) => {
        const url = request.url();
        if (!url.startsWith(`${origin}/`) && !url.startsWith("data:") && !url.startsWith("blob:"))
            check(false, `${name}: asks ${url}`);
    });
    return page;
}

module.exports = { book, installed, check, finish, launch, serve, watchedPage };
