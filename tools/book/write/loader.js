// In a lesson's page: what loads the rest of write/, for the exercises here and for the programs that run on them (run/mine.js). Each
// exercise that can be written here gets a button, which says how much it fetches, and so does each open problem.
"use strict";
const courseWrite = (() => {
    const base = new URL("write/", document.currentScript.src).href;
    const loading = new Map();

    function script(name) {
        if (loading.has(name)) return loading.get(name);
        const loaded = new Promise((resolve, reject) => {
            const element = document.createElement("script");
            element.src = base + name;
            element.onload = resolve;
            element.onerror = () => {
                loading.delete(name);
                reject(new Error(`${name} cannot be fetched`));
            };
            document.head.append(element);
        });
        loading.set(name, loaded);
        return loaded;
    }

    // Each script once, one after the other.
    async function load(names) {
        for (const name of names) await script(name);
    }
    async function fetched(name) {
        const response = await fetch(base + name);
        if (!response.ok) throw new Error(`${name}: the server says ${response.status}`);
        return response;
    }
    const json = async (name) => (await fetched(name)).json(),
        text = async (name) => (await fetched(name)).text();
    // From file:// a browser lets no worker start, and nothing be fetched.
    return { base, load, json, text, isServed: location.protocol !== "file:" };
})();

(() => {
    const SCRIPTS = ["unpack.js", "object.js", "check.js", "session.js", "store.js", "codemirror.js", "editor.js"];
    let styled = false;

    async function load(more) {
        if (!styled) {
            const href = `${courseWrite.base}editor.css`;
            document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href }));
            styled = true;
        }
        await courseWrite.load([...SCRIPTS, ...more]);
    }

    // A button with what it does beside it, and in its place the editor that open(box) makes.
    function offer(box, name, what, scripts, open) {
        const row = Object.assign(document.createElement("p"), { className: "write-open" });
        const button = Object.assign(document.createElement("button"), { type: "button", textContent: name });
        const note = Object.assign(document.createElement("span"), { textContent: ` ${what}` });
        const place = document.createElement("div");
        row.append(button, note);
        box.append(row, place);
        button.addEventListener("click", async () => {
            button.disabled = true;
            try {
                await load(scripts);
                await open(place);
                row.remove();
            } catch (error) {
                button.disabled = false;
                note.textContent = ` ${error.message}`;
            }
        });
    }

    for (const box of document.querySelectorAll("div.exercise[data-write]")) {
        const { exercise, write } = box.dataset,
            name = `${document.body.dataset.chapter}/${exercise}`;
        if (!courseWrite.isServed) {
            const row = Object.assign(document.createElement("p"), { className: "write-open" });
            row.append("To write and check it here, serve the book: ");
            row.append(Object.assign(document.createElement("code"), { textContent: "make book-serve" }), ".");
            box.append(row);
            continue;
        }
        offer(box, "Write it here", `in this page, with clang: ${write} MB, fetched once with the first check`, [], (place) => openEditor(place, name));
    }
    if (!courseWrite.isServed) return;
    for (const box of document.querySelectorAll("div.problem")) {
        const name = `${document.body.dataset.chapter}/problems/${box.dataset.problem}`,
            what = `in this page; the judge takes ${box.dataset.seconds}`;
        offer(box, "Solve it here", what, ["editor-problem.js"], (place) => openProblem(place, name));
    }
})();
