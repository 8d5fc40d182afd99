// gnuplot's figures for a page, where they are built and where a page draws one itself: text and axes take the page's colours, and
// the data keep theirs.
"use strict";

// How light a colour is, as WCAG counts.
function luminance(rgb) {
    const [r, g, b] = rgb.map((part) => (part <= 10 ? part / 3295 : ((part / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

// A colour of data as both pages can show it: on a dark one it is mixed with white until its contrast is 4.5; where it is a
// word's, it is mixed with black on a light one.
function onBoth(color, isText) {
    const hex = color.match(/^#(..)(..)(..)$/),
        parts = color.match(/^rgb\((\d+),(\d+),(\d+)\)$/);
    const rgb = hex ? hex.slice(1).map((part) => parseInt(part, 16)) : parts && parts.slice(1).map(Number);
    if (!rgb) return color;
    const mixed = (end, done) => {
        let mix = rgb;
        while (!done(luminance(mix))) mix = mix.map((part) => Math.round(part + (end - part) / 8));
        return mix === rgb ? color : `rgb(${mix.join(",")})`;
    };
    const light = isText ? mixed(0, (of) => of < 0.183) : color,
        dark = mixed(255, (of) => of > 0.22);
    return light === dark ? color : `light-dark(${light},${dark})`;
}

// gnuplot's black, white and light or dark grey are structure (plots/style.gp); the variables are those of page.css. A middle grey
// can be seen on both.
function themed(color, isText) {
    const named = { black: "0", white: "255", gray: "221" }[color];
    const hex = color.match(/^#(..)\1\1$/i),
        grey = color.replace(/\s/g, "").match(/^rgb\((\d+),\1,\1\)$/);
    if (!named && !hex && !grey) return onBoth(color.replace(/\s/g, ""), isText);
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
        .replace(/\bfill="([^"]*)"(?=[^>]*>\s*<text)/g, (all, color) => `fill="${themed(color, true)}"`)
        .replace(/\b(fill|stroke|color|flood-color) ?= ?(['"])([^'"]*)\2/g, (all, key, quote, color) =>
            /light-dark|var/.test(color) ? all : `${key}="${themed(color)}"`,
        )
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
