// An archive (tar) of texts in the page: tarOf([[path, text]]) gives its parts, filesOf(bytes) the files of one.
"use strict";

const TAR_BLOCK = 512;

function tarHeader(path, size) {
    const block = new Uint8Array(TAR_BLOCK);
    const put = (text, at) => block.set(new TextEncoder().encode(text), at);
    const octal = (value, width) => `${value.toString(8).padStart(width - 1, "0")}\0`;
    put(path, 0);
    put(octal(0o644, 8) + octal(0, 8) + octal(0, 8) + octal(size, 12) + octal(Math.floor(Date.now() / 1000), 12), 100);
    put("        0", 148);
    put("ustar\u000000", 257);
    put(octal(block.reduce((sum, byte) => sum + byte, 0), 7), 148);
    return block;
}

function tarOf(files) {
    const parts = files.flatMap(([path, text]) => {
        const bytes = new TextEncoder().encode(text);
        return [tarHeader(path, bytes.length), bytes, new Uint8Array((TAR_BLOCK - (bytes.length % TAR_BLOCK)) % TAR_BLOCK)];
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
