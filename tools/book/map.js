// The map of the course (plots/map.svg) beside the head of a lesson: the half of it that has the chapter, with a link on
// each part and a mark on this one. page.css has its colours.
"use strict";
const fs = require("fs");
const { html } = require("./ast");

const HALVES = { model: "92 6 316 464", uses: "452 6 276 464" };
const isUse = (number) => number === "00" || (number > "10" && number !== "12");

function map(page, pages) {
    const own = page.chapter.slice(0, 2);
    const svg = fs.readFileSync("plots/map.svg", "utf8");
    const drawing = svg.slice(svg.indexOf("</style>") + 8, svg.indexOf("</svg>"));
    const linked = (all, number) => {
        const { file } = pages.find((p) => !p.annex && p.chapter && p.chapter.startsWith(number));
        return `<a href="${file}"${number === own ? ' aria-current="page"' : ""}>${all}</a>`;
    };
    const parts = drawing
        .replace(/<rect class="b"[^>]*>\s*<text class="n"[^>]*>(\d\d)<\/text>\s*<text[^>]*>[^<]*<\/text>/g, linked)
        .replace(/<rect class="f"[^>]*>\s*<text class="s"[^>]*>(\d\d) [^<]*<\/text>/g, linked)
        .replace(/\s*\n\s*/g, "");
    const half = HALVES[isUse(own) ? "uses" : "model"];
    return html(
        `<nav class="map" aria-label="which chapter is which part"><svg viewBox="${half}">${parts}</svg></nav>`,
    );
}

module.exports = { map };
