// The page "One token": the view of a run, its controls, keys, and the way from step to step.
"use strict";
(async () => {
    const steps = [...document.querySelectorAll(".station")],
        panel = document.querySelector(".token-panel"),
        strip = document.querySelector(".token-strip");
    const state = { run: null, other: null, code: null, at: 0, block: 0, head: 0, temperature: 1, u: 0.5 };
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    let built = "",
        prompt = "";

    // --- the controls ---
    const says = element("p", { className: "run-state" });
    says.setAttribute("role", "status");
    const text = element("input", { type: "text", maxLength: 400, ariaLabel: "text to follow" }),
        follow = element("button", { type: "submit", textContent: "Follow" }),
        model = element("select", { ariaLabel: "model" }),
        directory = element("input", { type: "file", multiple: true, hidden: true, webkitdirectory: true }),
        codeChoice = element("span", { className: "token-code" });
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

    // --- the steps ---
    const whose = () => (state.code && state.code.kind === "mine" ? "on your code" : "with the mistake");
    function showStep(section) {
        const station = stations[section.dataset.step],
            drawnHere = section.querySelector(".drawn"),
            differs = section.querySelector(".differs");
        const { rows, says: sentence, more = [] } = station(state.run, state),
            others = state.other && rows.length ? station(state.other, state).rows : null;
        drawnHere.replaceChildren(...more, ...drawRows(rows, others, { whose: whose(), head: state.head, choose: chooseHead }), element("p", { className: "sentence", textContent: sentence }));
        if (section.dataset.step === "draw") drawnHere.prepend(drawing());
        const said = others && differsText(rows, others);
        differs.hidden = !said;
        differs.textContent = said ? said.text : "";
        section.classList.toggle("is-other", Boolean(said && said.count));
        document.querySelectorAll(`.token-map [data-to="${section.dataset.step}"]`).forEach((link) => link.classList.toggle("is-other", Boolean(said && said.count)));
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

    // --- the draw: a number between 0 and 1 falls on a token, likeliest first; what is drawn is written ---
    function drawing() {
        const { run, at } = state,
            kept = filtered(vectorAt(run, "logits", at), { temperature: state.temperature, k: 0, p: 1 });
        const known = run.given && at + 1 < run.ids.length && at + 1 >= run.prompt;
        const heat = element("input", { type: "range", min: 0.1, max: 2, step: 0.1, value: state.temperature, ariaLabel: "temperature" });
        heat.onchange = () => ((state.temperature = Number(heat.value)), show(), document.querySelector("#draw").parentNode.querySelector("input").focus());
        let sum = 0;
        const marks = kept.slice(0, 12).map(([id, p]) => {
            const part = element("span", { textContent: visible(run.texts[id]), title: percent(p) });
            part.style.width = `${100 * p}%`;
            sum += p;
            return part;
        });
        const [id] = (known && kept.find(([token]) => token === run.ids[at + 1])) || drawnBy(kept, state.u);
        const write = button(`Write ${visible(run.texts[id])}`, () => next(id)),
            again = button("Draw another number", () => ((state.u = Math.random()), (run.given = false), show(), document.querySelector("[data-step=draw] button").focus()));
        const ruler = element("div", { className: "ruler" }, ...marks);
        ruler.setAttribute("aria-hidden", "true");
        if (!known) {
            const pointer = element("i");
            pointer.style.left = `${100 * state.u}%`;
            ruler.append(pointer);
        }
        const note = known ? "Chapter 13's program drew this one at temperature 0.6." : `${state.u.toFixed(3)} falls on ${visible(run.texts[id])}.`;
        return element("div", { className: "drawing" }, element("label", {}, `temperature ${state.temperature} `, heat), ruler, element("p", {}, `${note} `, write, " ", again));
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

    // --- computing: the program is fetched when something else than the first text is asked for ---
    let busy = false;
    async function working(words, act) {
        if (busy) return;
        busy = true;
        const started = performance.now(),
            tell = (what) => (says.textContent = `${what}, ${clockText((performance.now() - started) / 1000)}`);
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
    const compute = (ids, from) =>
        working("computing", async (tell) => {
            const run = await runOn(ids, from);
            state.other = state.code ? await runOn(ids, from, await programOf(state.code, built, tell)) : null;
            state.run = Object.assign(run, { shown: ids.length, prompt: ids.length });
            state.at = ids.length - 1;
            show();
        });
    panel.addEventListener("submit", (event) => {
        event.preventDefault();
        working("computing", async () => {
            const from = model.value;
            await loadModel(from);
            const ids = await idsOf(text.value, from);
            busy = false;
            await compute(ids, from);
        });
    });
    const withCode = (code) =>
        working("computing", async (tell) => {
            state.code = code;
            state.other = null;
            if (code) {
                const { ids, model: from } = state.run;
                state.other = await runOn(ids, from, await programOf(code, built, tell));
                if (pageFiles.has(`${from}/model.safetensors`) && state.run.given) Object.assign(state.run, await runOn(ids, from));
            }
            show();
            if (code) goTo(steps.find((section) => section.classList.contains("is-other"))?.dataset.step || "bytes");
        });

    // --- whose code: the mistake that the book has built, and, with the compiler, all others and the reader's ---
    function offerCode() {
        const mistake = element("label", {}, element("input", { type: "checkbox", disabled: !built }), ` See what a mistake does: ${built}`);
        mistake.firstChild.onchange = () => withCode(mistake.firstChild.checked ? { kind: "wrong", names: built } : null);
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
        model.replaceChildren(...knownModels().map((name) => option(name, name === BUILT_IN ? "the built-in model" : name === OWN ? "your directory" : name)), option("choose", "a directory of yours ..."));
        model.onchange = () => model.value === "choose" && ((model.value = BUILT_IN), directory.click());
        directory.onchange = () =>
            working("reading", async () => {
                const taken = await takeDirectory(directory.files);
                offerModels();
                model.value = taken;
            });
    }

    // --- from step to step: keys, buttons, the map ---
    const seen = () => {
        const middle = innerHeight / 3;
        return Math.max(
            0,
            steps.findLastIndex((section) => section.getBoundingClientRect().top < middle),
        );
    };
    function goTo(id) {
        const heading = document.getElementById(id);
        heading.scrollIntoView({ behavior: still ? "auto" : "smooth", block: "start" });
        heading.focus({ preventScroll: true });
    }
    const step = (by) => goTo(steps[Math.min(Math.max(seen() + by, 0), steps.length - 1)].dataset.step);
    addEventListener("keydown", (event) => {
        if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input, select, textarea, .scroll")) return;
        const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (!by) return;
        event.preventDefault();
        if (!event.shiftKey) return step(by);
        state.at = Math.min(Math.max(state.at + by, 0), state.run.shown - 1);
        show();
    });
    let playing = null;
    const play = button("▶ Play", () => {
        if (playing) clearInterval(playing);
        playing = playing ? null : setInterval(() => (seen() < steps.length - 1 ? step(1) : play.click()), 3500);
        play.textContent = playing ? "❚❚ Stop" : "▶ Play";
    });
    let marked = null;
    function mark() {
        const now = steps[seen()].dataset.step;
        if (now === marked) return;
        marked = now;
        document.querySelectorAll(".token-map a").forEach((link) => {
            if (link.dataset.to === now) link.setAttribute("aria-current", "step");
            else link.removeAttribute("aria-current");
        });
        const list = document.querySelector(".token-map"),
            link = list.querySelector("[aria-current]");
        if (list.scrollWidth > list.clientWidth) list.scrollLeft = link.offsetLeft - list.clientWidth / 2;
    }
    addEventListener("scroll", mark, { passive: true });

    // --- the beginning ---
    try {
        const first = await firstRun();
        [built, prompt] = [first.wrong, first.prompt];
        state.run = Object.assign(first.run, { shown: prompt, prompt });
        state.at = prompt - 1;
    } catch (error) {
        panel.append(element("p", { textContent: error.message }));
        return;
    }
    const { run } = state;
    text.value = run.ids
        .slice(0, prompt)
        .map((_, t) => tokenText(run, t))
        .join("");
    const form = element("form", {}, text, model, directory, follow);
    panel.append(form, codeChoice, says);
    says.textContent = "Another text, model or code fetches the program and the model: 5 MB, once.";
    const back = button("‹", () => step(-1)),
        on = button("›", () => step(1));
    back.setAttribute("aria-label", "the step before");
    on.setAttribute("aria-label", "the next step");
    strip.append(chips, block, head, back, on, play);
    offerCode();
    offerModels();
    readKept().then(offerModels);
    show();
    mark();
    globalThis.oneToken = state; // for the tests
})();
