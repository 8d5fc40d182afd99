// The index of the search, built once: lunr's, of every section of every page, and the text that the results quote.
"use strict";
const lunr = require("lunr");
const { textOf } = require("./ast");

// The sections of a page as { url, page, title, text }.
function sectionsOf(page) {
    const list = [{ url: page.file, page: page.title, title: page.title, blocks: [] }];
    for (const block of page.blocks) {
        if (block.t === "Header" && block.c[0] > 1) {
            list.push({ url: `${page.file}#${block.c[1][0]}`, page: page.title, title: textOf(block), blocks: [] });
        } else if (block.t !== "Header") list[list.length - 1].blocks.push(block);
    }
    return list.map(({ blocks, ...section }) => ({
        ...section,
        text: textOf(blocks),
        words: textOf(blocks, { code: true }),
    }));
}

// A script, since a page of file:// may load one and may not fetch data.
function searchScript(pages) {
    const sections = pages.flatMap(sectionsOf);
    const index = lunr(function () {
        this.ref("id");
        this.field("title", { boost: 5 });
        this.field("words");
        sections.forEach((s, id) => this.add({ id, title: s.title, words: s.words }));
    });
    const shown = sections.map(({ url, page, title, text }) => [url, page, title, text]);
    return `window.bookIndex = ${JSON.stringify({ index, shown })};\n`;
}

module.exports = { searchScript };
