// What the page "One token" asks of the program: another text, another model, other code in it. The
// program is fetched for anything but the first text.
"use strict";

const says = element("p", { className: "run-state" });
says.setAttribute("role", "status");
const text = element("input", {
        type: "text",
        maxLength: 400,
        required: true,
        ariaLabel: "text to follow",
    }),
    model = element("select", { ariaLabel: "model" }),
    directory = element("input", {
        type: "file",
        multiple: true,
        hidden: true,
        webkitdirectory: true,
    }),
    codeChoice = element("span", { className: "token-code" });
let built = ""; // the mistake that needs no compiler

let busy = false;
async function working(words, act) {
    if (busy) return;
    busy = true;
    const started = performance.now(),
        tell = (what) =>
            (says.textContent = `${what}, ${clockText((performance.now() - started) / 1000)}`);
    tell(words);
    courseFetching.tell = () => tell(megabytes());
    try {
        await act(tell);
        says.textContent = `done in ${clockText((performance.now() - started) / 1000)}`;
    } catch (error) {
        says.textContent = error.message;
    }
    busy = false;
}
// A run of these tokens, and with the chosen code another.
async function follow(ids, from, tell) {
    const run = await runOn(ids, from);
    state.other = state.code
        ? await runOn(ids, from, await programOf(state.code, built, tell))
        : null;
    state.run = Object.assign(run, { shown: ids.length, prompt: ids.length });
    state.at = ids.length - 1;
    show();
}
const compute = (ids, from) => working("computing", (tell) => follow(ids, from, tell));
function followText(event) {
    event.preventDefault();
    working("computing", async (tell) => {
        const from = model.value;
        await loadModel(from);
        await follow(await idsOf(text.value, from), from, tell);
    });
}
const withCode = (code) =>
    working("computing", async (tell) => {
        state.code = code;
        state.other = null;
        if (code) {
            const { ids, model: from } = state.run;
            state.other = await runOn(ids, from, await programOf(code, built, tell));
            if (pageFiles.has(`${from}/model.safetensors`) && state.run.given)
                Object.assign(state.run, await runOn(ids, from));
        }
        show();
        if (code)
            goTo(
                steps.find((section) => section.classList.contains("is-other"))?.dataset.step ||
                    "bytes",
            );
    });

// --- whose code: the mistake that is built; with the compiler all others and the reader's ---
function offerCode() {
    const mistake = element(
        "label",
        {},
        element("input", { type: "checkbox", disabled: !built }),
        ` See what a mistake does: ${built}`,
    );
    mistake.firstChild.onchange = () =>
        withCode(mistake.firstChild.checked ? { kind: "wrong", names: built } : null);
    const more = button("Your code, and other mistakes", async () => {
        more.disabled = true;
        try {
            const choice = await mineChoice(PROGRAM, (exercise) => OF_THE_PASS.test(exercise));
            choice.onchange = () => withCode(codeOf(choice.value));
            codeChoice.replaceChildren(element("label", {}, "whose code ", choice));
            choice.focus();
        } catch (error) {
            more.disabled = false;
            says.textContent = error.message;
        }
    });
    codeChoice.append(...(built ? [mistake] : []), ...(isLinkable(PROGRAM) ? [more] : []));
}
function offerModels() {
    model.replaceChildren(
        ...knownModels().map((name) =>
            option(
                name,
                name === BUILT_IN ? "the built-in model" : name === OWN ? "your directory" : name,
            ),
        ),
        option("choose", "a directory of yours ..."),
    );
    model.onchange = () =>
        model.value === "choose" && ((model.value = BUILT_IN), directory.click());
    directory.onchange = () =>
        working("reading", async () => {
            const taken = await takeDirectory(directory.files);
            offerModels();
            model.value = taken;
        });
}
