// The reader's texts and their results, in the browser's database; in memory, as long as the page is open, where there is none.
//
//   texts:   "NN-name/exercise" -> { text, hints }
//   results: "NN-name/exercise" -> { state, passed, all, text }: of the last check of that text
"use strict";

const courseStore = (() => {
    const memory = { texts: new Map(), results: new Map() };
    const tell = typeof BroadcastChannel === "function" ? new BroadcastChannel("course-write") : null;
    let opened;

    function open() {
        opened =
            opened ||
            new Promise((resolve) => {
                const request = indexedDB.open("course-write", 1);
                request.onupgradeneeded = () => Object.keys(memory).forEach((name) => request.result.createObjectStore(name));
                request.onsuccess = () => resolve(request.result);
                request.onerror = () => resolve(null);
            }).catch(() => null);
        return opened;
    }

    const answer = (request) =>
        new Promise((resolve, reject) => {
            request.onsuccess = () => resolve(request.result);
            request.onerror = () => reject(request.error);
        });

    async function get(kind, name) {
        const database = await open();
        if (!database) return memory[kind].get(name);
        return answer(database.transaction(kind).objectStore(kind).get(name));
    }

    // Other windows of the book are told.
    async function put(kind, name, value) {
        const database = await open();
        if (!database) memory[kind].set(name, value);
        else await answer(database.transaction(kind, "readwrite").objectStore(kind).put(value, name));
        if (tell) tell.postMessage({ kind, name, value });
    }

    async function all(kind) {
        const database = await open();
        if (!database) return new Map(memory[kind]);
        const store = database.transaction(kind).objectStore(kind);
        const [names, values] = await Promise.all([answer(store.getAllKeys()), answer(store.getAll())]);
        return new Map(names.map((name, i) => [name, values[i]]));
    }

    // hear({ kind, name, value }) for what another window has put.
    function onChange(hear) {
        if (tell) tell.addEventListener("message", ({ data }) => hear(data));
    }

    return { get, put, all, onChange };
})();
