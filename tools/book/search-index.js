// What the search knows: every section of every page, with the text that the results quote; the terms that lessons define, and
// the names of the files. The page makes an index of it (search.js), which is larger than the text.
"use strict";
const { textOf, visit } = require("./ast");

const symbols = {
    alpha: "α", beta: "β", gamma: "γ", delta: "δ", epsilon: "ε", eta: "η", theta: "θ", kappa: "κ", lambda: "λ", mu: "μ", pi: "π",
    rho: "ρ", sigma: "σ", tau: "τ", phi: "φ", Phi: "Φ", omega: "ω", Delta: "Δ", Sigma: "Σ", sum: "Σ", sqrt: "√", odot: "⊙",
    cdot: "·", times: "×", le: "≤", ge: "≥", approx: "≈", top: "ᵀ", infty: "∞", to: "→", partial: "∂", ln: "ln", log: "log",
    exp: "exp", max: "max", min: "min", ne: "≠", pm: "±", in: "∈", ldots: "…", dots: "…",
}; // prettier-ignore

// A formula as words: what an excerpt can show of it.
function plainMath(tex) {
    return tex
        .replace(/\\(?:frac|tfrac)\{([^{}]*)\}\{([^{}]*)\}/g, "$1/$2")
        .replace(/\\(?:operatorname|text|mathrm|mathbf|mathcal|hat|bar|tilde)\b/g, "")
        .replace(/\\([A-Za-z]+)/g, (all, name) => symbols[name] || " ")
        .replace(/\\./g, " ")
        .replace(/[{}^_&]|\$/g, "")
        .replace(/\s+/g, " ")
        .trim();
}
const wordsOf = (blocks, options) => textOf(blocks, { ...options, math: plainMath });

function boldOf(blocks) {
    const bold = [];
    visit(blocks, (e) => e.t === "Strong" && bold.push(textOf(e.c)));
    return bold.join(" ");
}

// The words that stand in the code of a section and not in its text.
function codeOf(blocks, text) {
    const words = (all) => all.split(/[^\w]+/).filter((word) => word.length > 1 && !/^\d/.test(word));
    const known = new Set(words(text));
    return [...new Set(words(wordsOf(blocks, { code: true })))].filter((word) => !known.has(word)).join(" ");
}

// The sections of a page as { url, page, title, text, code, bold }.
function sectionsOf(page) {
    const list = [{ url: page.file, page: page.title, title: page.title, blocks: [] }];
    for (const block of page.blocks) {
        if (block.t === "Header" && block.c[0] > 1) {
            list.push({ url: `${page.file}#${block.c[1][0]}`, page: page.title, title: textOf(block), blocks: [] });
        } else if (block.t !== "Header") list[list.length - 1].blocks.push(block);
    }
    return list.map(({ blocks, ...section }) => {
        const text = wordsOf(blocks);
        return { ...section, text, code: codeOf(blocks, text), bold: boldOf(blocks) };
    });
}

// A script, since a page of file:// may load one and may not fetch data.
function searchScript(pages, terms, files) {
    const sections = pages.flatMap(sectionsOf);
    const shown = sections.map(({ url, page, title, text, bold, code }) => [url, page, title, text, bold, code]);
    const defined = terms.map(({ term, id, sentence, page }) => [`${page.file}#${id}`, term, page.title, wordsOf(sentence)]);
    return `window.bookIndex = ${JSON.stringify({ shown, terms: defined, files })};\n`;
}

module.exports = { searchScript };
