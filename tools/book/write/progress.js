// On the front page: what passes of what the reader has written, as make progress prints it, to take along; and all that was written, as
// the files of mine/, to go on with in a terminal, and back.
"use strict";
(() => {
    const base = new URL(".", document.currentScript.src).href;
    const WIDTH = 10;
    const STATES = { right: "right", wrong: "wrong", unattempted: "not started", broken: "does not compile", missing: "not defined", open: "not static" };
    const place = document.getElementById("progress");
    const shortName = (name) => name.replace(/^(\d+)-[^/]*/, "$1");

    function made(tag, properties = {}, ...children) {
        const element = Object.assign(document.createElement(tag), properties);
        element.append(...children);
        return element;
    }

    function line(name, passed, all, state) {
        const full = all ? Math.floor((WIDTH * passed) / all) : 0;
        const bar = "#".repeat(full) + ".".repeat(WIDTH - full);
        return `${name.padEnd(27)} ${bar} ${String(passed).padStart(3)}/${String(all).padEnd(3)} ${state}`;
    }

    // The state of each exercise: of its last check, where the text is the same since then.
    async function rowsOf(exercises) {
        const [texts, results] = await Promise.all([courseStore.all("texts"), courseStore.all("results")]);
        return exercises.map(({ name, tests }) => {
            const text = texts.get(name),
                result = results.get(name);
            if (result && (!text || text.text === result.text)) return { name, tests, passed: result.passed, state: STATES[result.state] };
            return { name, tests, passed: 0, state: text ? "not checked yet" : "not started" };
        });
    }

    function textOf(rows) {
        const right = rows.filter((row) => row.state === "right").length;
        const sum = (key) => rows.reduce((all, row) => all + row[key], 0);
        const lines = rows.map((row) => line(shortName(row.name), row.passed, row.tests, row.state));
        return [`${right} of the ${rows.length} exercises that a page can check`, ...lines, line("all", sum("passed"), sum("tests"), "tests"), ""].join("\n");
    }

    function saveAs(name, parts) {
        const url = URL.createObjectURL(new Blob(parts));
        made("a", { href: url, download: name }).click();
        setTimeout(() => URL.revokeObjectURL(url), 1000);
    }

    async function saveAll() {
        const files = [...(await courseStore.all("texts"))].map(([name, { text }]) => [`mine/${name}.c`, text]);
        saveAs("mine.tar", tarOf(files, Math.floor(Date.now() / 1000)));
    }

    // NN-name/X.c of an archive of mine/, or X.c alone, where one text is called that.
    async function loadAll(list, names) {
        let taken = 0;
        for (const file of list) {
            const files = file.name.endsWith(".tar") ? filesOf(new Uint8Array(await file.arrayBuffer())) : [[file.name, await file.text()]];
            for (const [path, text] of files) {
                const found = names.filter((name) => `/${path}`.endsWith(`/${name}.c`) || path === `${name.split("/").pop()}.c`);
                if (found.length !== 1) continue;
                await courseStore.put("texts", found[0], { text, hints: 0 });
                taken++;
            }
        }
        return taken;
    }

    async function show() {
        if (!place || location.protocol === "file:") return;
        const [exercises, names] = await Promise.all(["exercises", "texts"].map(async (list) => (await fetch(`${base}${list}.json`)).json()));
        const list = made("pre", { tabIndex: 0, ariaLabel: "your progress" });
        const state = made("p", { className: "write-state" });
        state.setAttribute("role", "status");
        const input = made("input", { type: "file", multiple: true, accept: ".c,.tar", className: "write-file", tabIndex: -1, ariaLabel: "files of mine/" });
        const draw = async () => (list.textContent = textOf(await rowsOf(exercises)));
        input.onchange = async () => {
            const taken = await loadAll(input.files, names);
            state.textContent = `${taken} ${taken === 1 ? "file" : "files"} taken`;
            input.value = "";
            await draw();
        };
        const button = (textContent, onclick) => made("button", { type: "button", textContent, onclick });
        const bar = made(
            "div",
            { className: "write-bar" },
            button("Save the list", () => saveAs("progress.txt", [list.textContent])),
            button("Save all files (mine.tar)", saveAll),
            button("Load files", () => input.click()),
            input,
        );
        await draw();
        const first = list.textContent.slice(0, list.textContent.indexOf("\n"));
        place.append(
            made("details", {}, made("summary", { textContent: `Your progress in this browser: ${first}` }), list, bar, state),
            made("link", { rel: "stylesheet", href: `${base}editor.css` }),
        );
        courseStore.onChange(draw);
    }
    show().catch((error) => place.append(made("p", { textContent: `The progress cannot be shown: ${error.message}` })));
})();
