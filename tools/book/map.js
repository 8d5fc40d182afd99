// The map of the course (plots/map.svg) with a link on each part: whole on the front page; beside the head of a lesson the half
// that has its chapter, with a mark on it. page.css has its colours.
"use strict";
const fs = require("fs");

const PARTS = { whole: "92 6 640 464", model: "92 6 316 464", uses: "452 6 276 464" };
const isUse = (number) => number === "00" || (number > "10" && number !== "12");

// own: the number of the lesson's chapter, or undefined. HTML.
function map(pages, own) {
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
    const part = !own ? "whole" : isUse(own) ? "uses" : "model";
    return (
        `<nav class="map ${part}" aria-label="which chapter is which part of GPT-2">` +
        `<svg viewBox="${PARTS[part]}" role="group" aria-label="the map">${parts}</svg></nav>`
    );
}

module.exports = { map };
