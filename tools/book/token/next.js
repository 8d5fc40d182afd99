// The draw on the page "One token": a number between 0 and 1 falls on a token, likeliest first;
// what it falls on is written, and goes the same way.
"use strict";

function drawing() {
    const { run, at } = state,
        kept = filtered(vectorAt(run, "logits", at), {
            temperature: state.temperature,
            k: 0,
            p: 1,
        });
    const known = run.given && at + 1 < run.ids.length && at + 1 >= run.prompt;
    const heat = element("input", {
        type: "range",
        min: 0.1,
        max: 2,
        step: 0.1,
        value: state.temperature,
        ariaLabel: "temperature",
    });
    heat.onchange = () => (
        (state.temperature = Number(heat.value)),
        show(),
        document.querySelector("#draw").parentNode.querySelector("input").focus()
    );
    const marks = kept.slice(0, 12).map(([id, p]) => {
        const part = element("span", {
            textContent: visible(run.texts[id]),
            title: percent(p),
        });
        part.style.width = `${100 * p}%`;
        return part;
    });
    const [id] =
        (known && kept.find(([token]) => token === run.ids[at + 1])) || drawnBy(kept, state.u);
    const write = button(`Write ${visible(run.texts[id])}`, () => next(id)),
        again = button(
            "Draw another number",
            () => (
                (state.u = Math.random()),
                (run.given = false),
                show(),
                document.querySelector("[data-step=draw] button").focus()
            ),
        );
    const ruler = element("div", { className: "ruler" }, ...marks);
    ruler.setAttribute("aria-hidden", "true");
    if (!known) {
        const pointer = element("i");
        pointer.style.left = `${100 * state.u}%`;
        ruler.append(pointer);
    }
    const note = known
        ? "Chapter 13's program drew this one at temperature 0.6."
        : `${state.u.toFixed(3)} falls on ${visible(run.texts[id])}.`;
    return element(
        "div",
        { className: "drawing" },
        element("label", {}, `temperature ${state.temperature} `, heat),
        ruler,
        element("p", {}, `${note} `, write, " ", again),
    );
}
function drawnBy(kept, u) {
    let sum = 0;
    return kept.find(([, p]) => (sum += p) > u) || kept[kept.length - 1];
}
async function next(id) {
    const { run, at } = state;
    if (run.given && run.ids[at + 1] === id) {
        run.shown = Math.max(run.shown, at + 2);
        state.at = at + 1;
        show();
    } else {
        state.u = Math.random();
        await compute([...run.ids.slice(0, at + 1), id], run.model);
    }
    goTo("cache");
}
