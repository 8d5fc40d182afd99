// In a lesson's page: what loads the rest of write/, for the exercises here and for the programs that run on them (run/mine.js). Each
// exercise that can be written here gets a button, which says how much it fetches; at once, where the reader has written in it before.
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
    async function json(name) {
        const response = await fetch(base + name);
        if (!response.ok) throw new Error(`${name}: the server says ${response.status}`);
        return response.json();
    }
    // From file:// a browser lets no worker start, and nothing be fetched.
    return { base, load, json, isServed: location.protocol !== "file:" };
})();

(() => {
    const SCRIPTS = ["unpack.js", "object.js", "check.js", "session.js", "store.js", "codemirror.js", "editor.js"];
    let styled = false;

    async function load() {
        if (!styled) {
            const href = `${courseWrite.base}editor.css`;
            document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href }));
            styled = true;
        }
        await courseWrite.load(SCRIPTS);
    }

    for (const box of document.querySelectorAll("div.exercise[data-write]")) {
        const row = document.createElement("p");
        row.className = "write-open";
        box.append(row);
        if (!courseWrite.isServed) {
            row.append("To write and check it here, serve the book: ");
            row.append(Object.assign(document.createElement("code"), { textContent: "make book-serve" }), ".");
            continue;
        }
        const button = Object.assign(document.createElement("button"), { type: "button", textContent: "Write it here" });
        const note = Object.assign(document.createElement("span"), {
            textContent: ` in this page, with clang: ${box.dataset.write} MB, fetched once with the first check`,
        });
        row.append(button, note);
        button.addEventListener("click", async () => {
            button.disabled = true;
            try {
                await load();
                await openEditor(box);
                row.remove();
            } catch (error) {
                button.disabled = false;
                note.textContent = ` ${error.message}`;
            }
        });
    }
})();
