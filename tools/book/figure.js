// Figures inside a page. In gnuplot's, text and axes take the page's colours and the data keep theirs; a diagram, drawn by hand,
// brings a <style> with a part for dark pages.
"use strict";
const fs = require("fs");
const path = require("path");
const { escape } = require("./ast");

// What gnuplot draws in black, white and light or dark grey is structure (plots/style.gp); the variables are those of page.css.
// A middle grey can be seen on both.
function themed(color) {
    const named = { black: "0", white: "255", gray: "221" }[color];
    const hex = color.match(/^#(..)\1\1$/i),
        grey = color.replace(/\s/g, "").match(/^rgb\((\d+),\1,\1\)$/);
    if (!named && !hex && !grey) return color.replace(/\s/g, "");
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

// The rules of a style sheet as { selector: { property: value } }.
function rulesOf(css) {
    const rules = {};
    for (const [, selectors, body] of css.matchAll(/([^{}]+)\{([^{}]*)\}/g)) {
        for (const selector of selectors.split(",")) {
            const rule = (rules[selector.trim()] ??= {});
            for (const declaration of body.split(";").filter((d) => d.includes(":"))) {
                const [property, value] = declaration.split(/:(.*)/);
                rule[property.trim()] = value.trim();
            }
        }
    }
    return rules;
}

// A diagram as an <svg> element: its style holds inside of it only, its ids are its own, and its dark colours are those of the
// page's theme, whatever the system's.
function inlineDiagram(file, svg, alternative) {
    const id = `diagram-${path.basename(path.dirname(file))}-${path.basename(file, ".svg")}`;
    const [, width, height] = svg.match(/viewBox="0 0 (\d+) (\d+)"/) || [];
    if (!width) throw new Error(`${file}: expected a viewBox that begins with 0 0`);
    const style = svg.match(/<style>([^]*?)<\/style>/)[1];
    const [, darkPart = ""] = style.match(/@media \(prefers-color-scheme: dark\) *\{((?:[^{}]|\{[^{}]*\})*)\}/) || [];
    const light = rulesOf(style.replace(/@media[^{]*\{(?:[^{}]|\{[^{}]*\})*\}/, "")),
        dark = rulesOf(darkPart);
    for (const [selector, rule] of Object.entries(dark)) {
        const of = (light[selector] ??= {});
        for (const [property, value] of Object.entries(rule)) {
            // Only colours can differ by theme.
            if (/^(fill|stroke)$/.test(property)) {
                of[property] = of[property] ? `light-dark(${of[property]},${value})` : value;
            }
        }
    }
    const css = Object.entries(light).map(
        ([selector, rule]) =>
            `#${id} ${selector}{${Object.entries(rule)
                .map((declaration) => declaration.join(":"))
                .join(";")}}`,
    );
    const font = (svg.match(/<svg[^>]*?(font-size="[^"]*")/) || [])[1] || 'font-size="14"';
    return svg
        .slice(svg.indexOf("<svg"))
        .replace(
            /<svg[^>]*>/,
            `<svg id="${id}" viewBox="0 0 ${width} ${height}" font-family="sans-serif" ${font} role="img" aria-label="${escape(alternative)}">`,
        )
        .replace(/<(title|desc)>[^<]*<\/\1>/g, "")
        .replace(/<style>[^]*?<\/style>/, `<style>${css.join("")}</style>`)
        .replace(/\bid="(?!diagram-)([^"]*)"/g, `id="${id}-$1"`)
        .replace(/url\(#([^)]*)\)/g, `url(#${id}-$1)`)
        .replace(/href="#([^"]*)"/g, `href="#${id}-$1"`)
        .replace(/\s*\n\s*/g, " ")
        .trim();
}

// The figure as an <svg> element. Its ids begin with the file's name, so that figures of one page do not share any; numbers
// of a path lose their second decimal, a hundredth of a pixel.
function inlineFigure(file, alternative) {
    const name = path.basename(file, ".svg");
    let svg = fs.readFileSync(file, "utf8");
    if (svg.includes("<style>")) return inlineDiagram(file, svg, alternative);
    const [, width, height] = svg.match(/viewBox="0 0 (\d+) (\d+)"/) || [];
    if (!width) throw new Error(`${file}: expected an SVG of gnuplot's with a viewBox`);
    const used = new Set([...svg.matchAll(/(?:xlink:href=['"]|url\()#([^'")]+)/g)].map((m) => m[1]));
    // A map of colours is white where it is 0, and its key stands on it: such a figure stays light.
    const light = new Set(svg.match(/fill ?= ?['"]rgb\([^)]*\)/g)).size > 12 ? ' class="light"' : "";
    const begin = `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${escape(alternative)}"${light}>`;
    svg = svg
        .slice(svg.indexOf("<svg"))
        .replace(/<svg[^>]*>/, begin)
        .replace(/<(title|desc)>[^<]*<\/\1>/g, "")
        .replace(
            /\b(fill|stroke|color|flood-color) ?= ?(['"])([^'"]*)\2/g,
            (all, key, quote, color) => `${key}="${themed(color)}"`,
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

module.exports = { inlineFigure };
