// Figures inside a page: gnuplot's (svg.js), and diagrams, drawn by hand, which bring a <style> with a part for dark pages.
"use strict";
const fs = require("fs");
const path = require("path");
const { escape } = require("./ast");
const { pageFigure } = require("./svg");

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

// A diagram as an <svg> element: its style holds inside of it only, its ids are its own, and its dark colours follow the
// page's theme, not the system's.
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

// The name of a figure in a page: plots/01-name/padding.svg is 01-padding.
function figureName(file) {
    const [, number = ""] = file.match(/^plots\/(\d\d-)/) || [];
    return number + path.basename(file, ".svg");
}

// The figure of a file as an <svg> element.
function inlineFigure(file, alternative) {
    const svg = fs.readFileSync(file, "utf8");
    if (svg.includes("<style>")) return inlineDiagram(file, svg, alternative);
    return pageFigure(svg, figureName(file), alternative);
}

module.exports = { figureName, inlineFigure };
