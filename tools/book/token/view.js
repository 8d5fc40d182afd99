// The view of a run on the page "One token": which token, block and head, and every step drawn anew
// when one of them changes.
"use strict";

const state = {
    run: null, // see source.js
    other: null, // the same tokens on other code, or null
    code: null, // whose: see run/mine.js
    at: 0,
    block: 0,
    head: 0,
    temperature: 1,
    u: 0.5, // the random number that draws
};
const steps = [...document.querySelectorAll(".station")];

const select = (name, changed) => {
    const made = element("select", { ariaLabel: name });
    made.onchange = () => changed(Number(made.value));
    return made;
};
const block = select("block", (value) => ((state.block = value), show())),
    head = select("head", (value) => chooseHead(value)),
    chips = element("div", { className: "chips" });
chips.setAttribute("role", "group");
chips.setAttribute("aria-label", "the tokens: choose the one to follow");
const chooseHead = (value) => ((state.head = value), (head.value = value), show());

function fill(choice, n, what) {
    if (choice.options.length === n) return;
    choice.replaceChildren(...Array.from({ length: n }, (_, i) => option(i, `${what} ${i}`)));
}

function showChips() {
    const { run } = state;
    chips.replaceChildren(
        ...run.ids.slice(0, run.shown).map((_, t) => {
            const chip = button(visible(tokenText(run, t)), () => ((state.at = t), show()));
            chip.setAttribute("aria-pressed", t === state.at);
            chip.title = `token ${run.ids[t]} at position ${t}`;
            return chip;
        }),
    );
    const chosen = chips.children[state.at];
    chips.scrollLeft = chosen.offsetLeft - chips.clientWidth / 2;
}

const whose = () =>
    state.code && state.code.kind === "mine" ? "on your code" : "with the mistake";
function showStep(section) {
    const station = stations[section.dataset.step],
        drawnHere = section.querySelector(".drawn"),
        differs = section.querySelector(".differs");
    const { rows, says: sentence, more = [] } = station(state.run, state),
        others =
            state.other && rows.length
                ? station(state.other, { ...state, base: state.run }).rows
                : null;
    drawnHere.replaceChildren(
        ...more,
        ...drawRows(rows, others, { whose: whose(), head: state.head, choose: chooseHead }),
        element("p", { className: "sentence", textContent: sentence }),
    );
    if (section.dataset.step === "draw") drawnHere.prepend(drawing());
    const said = others && differsText(rows, others);
    differs.hidden = !said;
    differs.textContent = said ? said.text : "";
    section.classList.toggle("is-other", Boolean(said && said.count));
    document
        .querySelectorAll(`.token-map [data-to="${section.dataset.step}"]`)
        .forEach((link) => link.classList.toggle("is-other", Boolean(said && said.count)));
}

function show() {
    const { run } = state;
    fill(block, blocksOf(run), "block");
    fill(head, headsOf(run), "head");
    state.block = Math.min(state.block, blocksOf(run) - 1);
    state.head = Math.min(state.head, headsOf(run) - 1);
    [block.value, head.value] = [state.block, state.head];
    showChips();
    steps.forEach(showStep);
    dispatchEvent(new Event("reveal"));
}
