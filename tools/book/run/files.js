/* --- files: what is given with the book, and what programs have written, which is kept for all pages until the reader
   deletes it --- */

const givenFiles = new Map(), // path: bytes
    pageFiles = new Map();
const isPassing = (path) => path.startsWith("build/look"); // a page's own, for as long as it is open
let keepsFiles = true; // a browser may refuse

async function takeFiles(name) {
    const files = await courseLoad(name);
    for (const [path, text] of files || []) givenFiles.set(path, fromBase64(text));
    return files !== null;
}

// Runs act(store) in a transaction of the browser's data base; its result, or undefined where there is none.
let keptBase = null;
async function inStore(mode, act) {
    try {
        keptBase ??= await new Promise((resolve, reject) => {
            const open = indexedDB.open("course", 1);
            open.onupgradeneeded = () => open.result.createObjectStore("files");
            open.onsuccess = () => resolve(open.result);
            open.onerror = open.onblocked = () => reject(open.error);
        });
        return await new Promise((resolve, reject) => {
            const all = keptBase.transaction("files", mode),
                request = act(all.objectStore("files"));
            all.oncomplete = () => resolve(request && request.result);
            all.onerror = all.onabort = () => reject(all.error);
        });
    } catch (error) {
        keepsFiles = false;
        return undefined;
    }
}

// Reads the stored files, which another page may have changed.
async function readKept() {
    const paths = await inStore("readonly", (store) => store.getAllKeys()),
        files = paths && (await inStore("readonly", (store) => store.getAll()));
    if (!files || files.length !== paths.length) return;
    for (const path of pageFiles.keys()) if (!isPassing(path)) pageFiles.delete(path);
    paths.forEach((path, i) => pageFiles.set(path, files[i]));
    showKept();
}

async function keepFiles(files) {
    for (const [path, bytes] of files) pageFiles.set(path, bytes);
    await inStore("readwrite", (store) => {
        for (const [path, bytes] of files) if (!isPassing(path)) store.put(bytes, path);
    });
    showKept();
}

async function deleteKept(paths) {
    paths.forEach((path) => pageFiles.delete(path));
    await inStore("readwrite", (store) => paths.forEach((path) => store.delete(path)));
    showKept();
}

// The list, behind the last box of the page.
const keptList = element("details", { className: "kept", hidden: true });
function showKept() {
    const files = [...pageFiles].filter(([path]) => !isPassing(path)).sort(),
        all = files.reduce((sum, [, bytes]) => sum + bytes.length, 0);
    keptList.hidden = !files.length;
    runBoxes.forEach((box) => box.first || box.running || box.sayTime());
    const rows = files.map(([path, bytes]) => {
        const save = button("Save", () => saveAs(path, bytes)),
            remove = button("Delete", () => deleteKept([path]).then(() => keptList.querySelector("summary").focus()));
        save.setAttribute("aria-label", `Save ${path}`);
        remove.setAttribute("aria-label", `Delete ${path}`);
        return element("li", {}, element("code", { textContent: path }), element("span", { textContent: shortBytes(bytes.length) }), save, remove);
    });
    keptList.replaceChildren(
        element("summary", { textContent: `Files that programs have written: ${files.length}, ${shortBytes(all)}` }),
        element("p", {
            textContent: keepsFiles
                ? "Your browser keeps them, for all pages of this book, until you delete them."
                : "This browser keeps no files: they last as long as the page.",
        }),
        element("ul", {}, ...rows),
        button("Delete all", () => deleteKept(files.map(([path]) => path))),
    );
}
