// The page "One token" begins: its controls, and the run that comes with the book.
"use strict";

async function begin() {
    const { run, prompt, wrong } = await firstRun();
    built = wrong;
    state.run = Object.assign(run, { shown: prompt, prompt });
    state.at = prompt - 1;
    text.value = run.ids
        .slice(0, prompt)
        .map((_, t) => tokenText(run, t))
        .join("");
    says.textContent = "Another text, model or code fetches the program and the model: 5 MB, once.";
    offerCode();
    offerModels();
    readKept().then(offerModels);
    show();
    mark();
}

{
    const panel = document.querySelector(".token-panel"),
        follow = element("button", { type: "submit", textContent: "Follow" }),
        back = button("‹", () => step(-1)),
        on = button("›", () => step(1));
    back.setAttribute("aria-label", "the step before");
    on.setAttribute("aria-label", "the next step");
    panel.append(
        element("form", { onsubmit: followText }, text, model, directory, follow),
        codeChoice,
        says,
    );
    document.querySelector(".token-strip").append(chips, block, head, back, on, play);
    begin().catch((error) => (says.textContent = error.message));
    globalThis.oneToken = state; // for the tests
}
