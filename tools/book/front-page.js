// The front page: what the reader has answered, by chapter, and the sentence through both norms, live.
"use strict";
(() => {
    // --- predictions, as predict-page.js keeps them ---
    const forget = document.querySelector(".mine");
    function answered(chapter) {
        try {
            return Object.keys(localStorage).filter((key) => key.startsWith(`predict/${chapter}/`));
        } catch (error) {
            return [];
        }
    }
    function showProgress() {
        let any = 0;
        document.querySelectorAll(".cards .progress").forEach((line) => {
            const { progress, predictions } = line.dataset,
                n = answered(progress).length;
            any += n;
            line.textContent = n ? `${Math.min(n, predictions)} of ${predictions} predictions answered` : "";
        });
        forget.hidden = !any;
    }
    forget.querySelector("button").addEventListener("click", () => {
        document
            .querySelectorAll(".cards .progress")
            .forEach(({ dataset }) => answered(dataset.progress).forEach((key) => localStorage.removeItem(key)));
        showProgress();
        document.querySelector(".cards a").focus();
    });
    showProgress();

    // --- the sentence ---
    const form = document.querySelector(".write-live");
    if (!form) return;
    form.hidden = false;
    const [prompt, seed] = form.querySelectorAll("input"),
        go = form.querySelector("button"),
        state = form.querySelector(".run-state");
    // What runs programs is as large as the rest of the page, so it comes with the first click.
    const loaded = () =>
        typeof startProgram === "undefined" &&
        new Promise((resolve, reject) => {
            const script = Object.assign(document.createElement("script"), { src: "run.js", onload: resolve });
            script.onerror = () => reject(new Error("run.js cannot be fetched"));
            document.head.append(script);
        });
    let shown = `${prompt.value} ${seed.value}`;
    async function write(pane) {
        const decoder = new TextDecoder();
        courseFetching.tell = () => (state.textContent = megabytes());
        let text = "",
            said = "";
        const options = [...splitOptions(form.dataset.options), "--prompt", prompt.value, "--seed", seed.value];
        const end = await startProgram(pane.dataset.program, options, ({ stream, bytes }) => {
            if (stream === 1) pane.textContent = text += decoder.decode(bytes, { stream: true });
            if (stream === 2) said += new TextDecoder().decode(bytes);
        }).done;
        if (end.code !== 0) pane.textContent = said || end.trap;
    }
    form.addEventListener("submit", async (event) => {
        event.preventDefault();
        if (go.disabled) return;
        go.disabled = true;
        // The text of the first seed stands there already.
        if (shown === `${prompt.value} ${seed.value}`) seed.value = Number(seed.value) + 1;
        shown = `${prompt.value} ${seed.value}`;
        const started = performance.now();
        state.textContent = "writing";
        try {
            await loaded();
            await Promise.all([...document.querySelectorAll(".written")].map(write));
            state.textContent = `done in ${clockText((performance.now() - started) / 1000)}`;
        } catch (error) {
            state.textContent = error.message;
        }
        go.disabled = false;
        go.focus();
    });
})();
