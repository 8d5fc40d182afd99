// gnuplot's figures for a page, where they are built and where a page draws one itself: text and axes take the page's colours, and
// the data keep theirs.
"use strict";

// How light a colour is, as WCAG counts.
function luminance(rgb) {
    const [r, g, b] = rgb.map((part) => (part <= 10 ? part / 3295 : ((part / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

// A colour of data that a dark page would swallow is mixed with white there, until its contrast is 3.
function onDark(color) {
    const hex = color.match(/^#(..)(..)(..)$/),
        parts = color.match(/^rgb\((\d+),(\d+),(\d+)\)$/);
    let rgb = hex ? hex.slice(1).map((part) => parseInt(part, 16)) : parts && parts.slice(1).map(Number);
    if (!rgb || luminance(rgb) >= 0.13) return color;
    while (luminance(rgb) < 0.13) rgb = rgb.map((part) => Math.round(part + (255 - part) / 8));
    return `light-dark(${color},rgb(${rgb.join(",")}))`;
}

// gnuplot's black, white and light or dark grey are structure (plots/style.gp); the variables are those of page.css. A middle grey
// can be seen on both.
function themed(color) {
    const named = { black: "0", white: "255", gray: "221" }[color];
    const hex = color.match(/^#(..)\1\1$/i),
        grey = color.replace(/\s/g, "").match(/^rgb\((\d+),\1,\1\)$/);
    if (!named && !hex && !grey) return onDark(color.replace(/\s/g, ""));
    const light = Number(named || (hex ? parseInt(hex[1], 16) : grey[1]));
    if (light === 0) return "var(--fg)";
    if (light <= 100) return "var(--axis)";
    if (light === 255) return "var(--bg)";
    return light >= 200 ? "var(--grid)" : color.replace(/\s/g, "");
}

// Of the marks and filters that gnuplot defines in each figure, those with an id: the others are not used.
function usedMarks(definitions) {
    const marks = definitions.match(/<filter[^]*?<\/filter>|<(?:circle|path|rect|use)[^>]*\/>/g) || [];
    return `<defs>${marks.filter((mark) => /^<[a-z]+[^>]*\sid=/.test(mark)).join("")}</defs>`;
}

const escapeAttribute = (text) => text.replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);

// gnuplot's `svg` as an element of a page. Its ids begin with `name`, so that figures of one page do not share any; numbers
// of a path lose their second decimal, a hundredth of a pixel.
function pageFigure(svg, name, alternative) {
    const [, width, height] = svg.match(/viewBox="0 0 (\d+) (\d+)"/) || [];
    if (!width) throw new Error(`${name}: expected an SVG of gnuplot's with a viewBox`);
    const used = new Set([...svg.matchAll(/(?:xlink:href=['"]|url\()#([^'")]+)/g)].map((m) => m[1]));
    // A map of colours is white where it is 0, and its key stands on it: such a figure stays light.
    const light = new Set(svg.match(/fill ?= ?['"]rgb\([^)]*\)/g)).size > 12 ? ' class="light"' : "";
    const begin = `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeAttribute(alternative)}"${light}>`;
    svg = svg
        .slice(svg.indexOf("<svg"))
        .replace(/<svg[^>]*>/, begin)
        .replace(/<(title|desc)>[^<]*<\/\1>/g, "")
        .replace(/\bid="gnuplot_plot_[^"]*"/g, 'class="data"')
        .replace(/\b(fill|stroke|color|flood-color) ?= ?(['"])([^'"]*)\2/g, (all, key, quote, color) => `${key}="${themed(color)}"`)
        .replace(/\bid=(['"])([^'"]*)\1/g, (all, quote, id) => (used.has(id) ? `id="${name}-${id}"` : ""))
        .replace(/xlink:href=(['"])#([^'"]*)\1/g, `href="#${name}-$2"`)
        .replace(/url\(#([^)'"]*)\)/g, `url(#${name}-$1)`)
        .replace(/<defs>[^]*?<\/defs>/g, usedMarks)
        .replace(
            /\bd=(['"])([^'"]*)\1/g,
            (all, quote, d) =>
                `d="${d
                    .replace(/(\d\.\d)\d+/g, "$1")
                    .trim()
                    .replace(/\s+/g, " ")}"`,
        )
        .replace(/\s+font-family="sans-serif"\s*/g, " ")
        .replace(/\s+(stroke-linecap="butt"|stroke-linejoin="miter"|xml:space="preserve")/g, "");
    for (let before = ""; before !== svg;) {
        before = svg;
        svg = svg.replace(/<g[^>]*>\s*<\/g>/g, "");
    }
    return svg
        .replace(/>\s+</g, "><")
        .replace(/[ \t]*\n\s*/g, " ")
        .trim();
}

if (typeof module !== "undefined") module.exports = { pageFigure };
