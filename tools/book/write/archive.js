// An archive (tar), in the page and in node: tarOf([[path, contents]], seconds) gives the parts of one, where contents are a text,
// bytes, or null for a folder; filesOf(bytes) the texts of one.
"use strict";

const TAR_BLOCK = 512;

function tarHeader(path, size, kind, seconds) {
    const block = new Uint8Array(TAR_BLOCK);
    const put = (text, at) => block.set(new TextEncoder().encode(text), at);
    const octal = (value, width) => `${value.toString(8).padStart(width - 1, "0")}\0`;
    if (new TextEncoder().encode(path).length > 99) throw new Error(`${path}: too long a name for the archive`);
    put(path, 0);
    put(octal(kind === "5" ? 0o755 : 0o644, 8) + octal(0, 8) + octal(0, 8) + octal(size, 12) + octal(seconds, 12), 100);
    put(`        ${kind}`, 148);
    put("ustar\u000000", 257);
    put(octal(block.reduce((sum, byte) => sum + byte, 0), 7), 148);
    return block;
}

function tarOf(files, seconds) {
    const parts = files.flatMap(([path, contents]) => {
        if (contents === null) return [tarHeader(path, 0, "5", seconds)];
        const bytes = typeof contents === "string" ? new TextEncoder().encode(contents) : contents;
        const rest = new Uint8Array((TAR_BLOCK - (bytes.length % TAR_BLOCK)) % TAR_BLOCK);
        return [tarHeader(path, bytes.length, "0", seconds), bytes, rest];
    });
    return [...parts, new Uint8Array(2 * TAR_BLOCK)];
}

function filesOf(bytes) {
    const text = (from, length) => new TextDecoder().decode(bytes.subarray(from, from + length)).replace(/\0[^]*$/, "");
    const files = [];
    for (let at = 0; at + TAR_BLOCK <= bytes.length && bytes[at]; ) {
        const size = parseInt(text(at + 124, 12), 8) || 0,
            kind = text(at + 156, 1);
        if (kind === "0" || kind === "") files.push([text(at, 100), text(at + TAR_BLOCK, size)]);
        at += TAR_BLOCK + Math.ceil(size / TAR_BLOCK) * TAR_BLOCK;
    }
    return files;
}

if (typeof module !== "undefined") module.exports = { tarOf };
