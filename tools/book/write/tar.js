// node tar.js DIRECTORY: its files as an archive on standard output, as the package's own reader takes it: each directory before what is
// in it, its name without a slash behind it, which no tar writes.
"use strict";
const fs = require("fs"),
    path = require("path");

const BLOCK = 512;

function header(name, size, kind) {
    const block = Buffer.alloc(BLOCK);
    const number = (value, at, width) => block.write(`${value.toString(8).padStart(width - 1, "0")}\0`, at);
    if (Buffer.byteLength(name) > 99) throw new Error(`${name}: too long a name for the archive`);
    block.write(name, 0);
    number(kind === "5" ? 0o755 : 0o644, 100, 8);
    number(0, 108, 8); // owner, group, and the time below: the same bytes from the same files
    number(0, 116, 8);
    number(size, 124, 12);
    number(0, 136, 12);
    block.write(`        ${kind}`, 148);
    block.write("ustar\x0000", 257);
    number(block.reduce((sum, byte) => sum + byte, 0), 148, 7);
    return block;
}

function* entries(root, below = "") {
    for (const entry of fs.readdirSync(path.join(root, below), { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
        const name = path.posix.join(below, entry.name);
        if (entry.isDirectory()) {
            yield header(name, 0, "5");
            yield* entries(root, name);
        } else {
            const bytes = fs.readFileSync(path.join(root, name));
            yield header(name, bytes.length, "0");
            yield Buffer.concat([bytes, Buffer.alloc((BLOCK - (bytes.length % BLOCK)) % BLOCK)]);
        }
    }
}

process.stdout.write(Buffer.concat([...entries(process.argv[2]), Buffer.alloc(2 * BLOCK)]));
