// In a lesson's page: each exercise that can be written here gets a button, which says how much it fetches, and loads the rest of
// write/ when it is pressed; at once, where the reader has written in it before.
"use strict";
(() => {
    const base = new URL("write/", document.currentScript.src).href;
    const boxes = [...document.querySelectorAll("div.exercise[data-write]")];
    const SCRIPTS = ["unpack.js", "object.js", "check.js", "session.js", "store.js", "codemirror.js", "editor.js"];
    let loading;

    const script = (name) =>
        new Promise((resolve, reject) => {
            const element = document.createElement("script");
            element.src = base + name;
            element.onload = resolve;
            element.onerror = () => reject(new Error(`${name} cannot be fetched`));
            document.head.append(element);
        });

    async function load() {
        const style = Object.assign(document.createElement("link"), { rel: "stylesheet", href: `${base}editor.css` });
        document.head.append(style);
        for (const name of SCRIPTS) await script(name);
        return (await fetch(`${base}about.json`)).json();
    }

    // Each box has its button; from file:// a browser lets no worker start, and nothing be fetched.
    boxes.forEach((box) => {
        const row = document.createElement("p");
        row.className = "write-open";
        box.append(row);
        if (location.protocol === "file:") {
            row.append("To write and check it here, serve the book: ");
            row.append(Object.assign(document.createElement("code"), { textContent: "make book-serve" }), ".");
            return;
        }
        const button = Object.assign(document.createElement("button"), { type: "button", textContent: "Write it here" });
        const note = Object.assign(document.createElement("span"), {
            textContent: ` in this page, with clang: ${box.dataset.write} MB, fetched once with the first check`,
        });
        row.append(button, note);
        button.addEventListener("click", async () => {
            button.disabled = true;
            try {
                loading = loading || load();
                const about = await loading;
                await openEditor(box, about);
                row.remove();
            } catch (error) {
                loading = undefined;
                button.disabled = false;
                note.textContent = ` ${error.message}`;
            }
        });
    });
})();
