// node serve.js DIRECTORY PORT: a static server of the book, for this machine alone. The tests of the book use it, too.
"use strict";
const fs = require("fs");
const http = require("http");
const path = require("path");
const zlib = require("zlib");

const TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
    ".wasm": "application/wasm",
};

function answer(directory, request, response) {
    const asked = decodeURIComponent(new URL(request.url, "http://book").pathname);
    const file = path.join(directory, asked.endsWith("/") ? `${asked}index.html` : asked);
    if (!file.startsWith(directory) || !fs.existsSync(file) || !fs.statSync(file).isFile()) return response.writeHead(404).end();
    const type = TYPES[path.extname(file)] || "application/octet-stream";
    if (/^(text|image)|json|javascript/.test(type) && /\bgzip\b/.test(request.headers["accept-encoding"])) {
        response.writeHead(200, { "content-type": type, "content-encoding": "gzip" });
        return fs.createReadStream(file).pipe(zlib.createGzip({ level: 1 })).pipe(response);
    }
    response.writeHead(200, { "content-type": type, "content-length": fs.statSync(file).size });
    return fs.createReadStream(file).pipe(response);
}

// Resolves to { origin, close }; port 0 is any that is free.
function serve(directory, port) {
    const server = http.createServer((request, response) => answer(path.resolve(directory), request, response));
    return new Promise((resolve, reject) => {
        server.on("error", reject);
        server.listen(port, "127.0.0.1", () => resolve({ origin: `http://127.0.0.1:${server.address().port}`, close: () => server.close() }));
    });
}

if (require.main === module) {
    const [directory, port] = process.argv.slice(2);
    serve(directory, Number(port)).then(
        ({ origin }) => console.log(`the book: ${origin}/index.html (Ctrl-C ends it)`),
        (error) => {
            const taken = error.code === "EADDRINUSE" ? `port ${port} is taken: make book-serve PORT=8001` : error.message;
            console.error(`make: ${taken}`);
            process.exit(1);
        },
    );
}
module.exports = { serve };
