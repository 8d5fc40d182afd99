// "Predict" boxes: from a paragraph with **Predict** on, what follows up to the next heading or prediction is hidden (by
// page.js) until the reader has answered. What is asked stands in comments below the paragraph:
//
//   <!-- predict: LABEL: CHOICE | *THE RIGHT ONE | CHOICE -->
//   <!-- predict: LABEL: LOW to HIGH [log] = plots/NN-name/FILE.csv COLUMN %.2f where KEY=VALUE -->
//
// the second as a slider beside which the measured value is drawn (tools/docs/values.awk). Without any, the answer is words.
"use strict";
const { execFileSync } = require("child_process");
const { visit, textOf, html, escape, comment } = require("./ast");

function measured(source) {
    const said = execFileSync("awk", ["-f", "tools/docs/values.awk", "-f", "tools/book/value.awk"], {
        input: source,
        encoding: "utf8",
    });
    return said.trim();
}

function choiceField(label, choices, name) {
    const right = choices.findIndex((choice) => choice.startsWith("*"));
    if (choices.length < 2 || right < 0) throw new Error(`predict: ${label}: expected CHOICE | *THE RIGHT ONE | ...`);
    const inputs = choices.map((choice, i) => {
        const text = escape(choice.replace(/^\*/, ""));
        return `<label><input type="radio" name="${name}" value="${i}" required> ${text}</label>`;
    });
    return `<fieldset data-right="${right}"><legend>${escape(label)}</legend>${inputs.join("")}</fieldset>`;
}

function sliderField(label, range, source, name) {
    const match = range.match(/^(\S+) to (\S+)( log)?$/),
        value = measured(source);
    const [low, high] = match ? [Number(match[1]), Number(match[2])] : [NaN, NaN];
    if (!(low < high) || (match[3] && low <= 0)) throw new Error(`predict: ${label}: ${range}: expected LOW to HIGH or LOW to HIGH log`);
    if (!(low <= Number(value) && Number(value) <= high)) throw new Error(`predict: ${label}: measured is ${value}, not within ${range}`);
    const attributes = `data-low="${low}" data-high="${high}" data-measured="${escape(value)}"${match[3] ? " data-log" : ""}`;
    return (
        `<fieldset ${attributes}><legend>${escape(label)}</legend>` +
        `<label class="slider"><span class="low">${low}</span><input type="range" name="${name}" min="0" max="200" value="100" ` +
        `aria-label="${escape(label)}"><span class="high">${high}</span></label><output></output></fieldset>`
    );
}

function field(question, name) {
    if (question === null) {
        const area = `<textarea name="${name}" rows="2" required></textarea>`;
        return `<fieldset><label>Your answer, in a few words${area}</label></fieldset>`;
    }
    const slider = question.match(/^(.*): ([^:=]*) = (plots\/.*)$/),
        choice = question.match(/^(.*?): (.*\|.*)$/);
    if (slider) return sliderField(slider[1], slider[2].trim(), slider[3], name);
    if (choice) return choiceField(choice[1], choice[2].split(/ *\| */), name);
    throw new Error(`predict: ${question}: expected LABEL: CHOICE | *CHOICE, or LABEL: LOW to HIGH = plots/...`);
}

function form(questions, id, number) {
    const fields = (questions.length ? questions : [null]).map((q, i) => field(q, `${id}-${i}`)).join("");
    const buttons = '<button type="submit">That is my prediction</button> <button type="button" class="show">Skip, show it</button>';
    return `<form class="answer-form" hidden aria-label="your prediction ${number}">${fields}<p>${buttons}</p></form>`;
}

// Both kinds: **Predict.** begins the question, "**Predict** their share" is within it.
function asks(block) {
    let found = false;
    if (block.t === "Para") visit(block, (e) => (found = found || (e.t === "Strong" && /^Predict\b/.test(textOf(e.c)))));
    return found;
}

function predictions(blocks, page) {
    const out = [];
    let rest = null;
    page.predictions = 0;
    for (let i = 0; i < blocks.length; i++) {
        if (comment(blocks[i], "predict") !== undefined) throw new Error(`no **Predict** above <!-- ${blocks[i].c[1].trim()}`);
        if (blocks[i].t === "Header" || asks(blocks[i])) rest = null;
        if (!asks(blocks[i])) {
            (rest || out).push(blocks[i]);
            continue;
        }
        const id = `predict-${++page.predictions}`,
            box = [blocks[i]],
            questions = [];
        while (i + 1 < blocks.length && comment(blocks[i + 1], "predict") !== undefined) questions.push(comment(blocks[++i], "predict"));
        rest = [];
        out.push({
            t: "Div",
            c: [
                [id, ["predict"], []],
                [...box, html(form(questions, id, page.predictions))],
            ],
        });
        out.push({ t: "Div", c: [["", ["rest"], [["data-for", id]]], rest] });
    }
    return out;
}

module.exports = { predictions };
