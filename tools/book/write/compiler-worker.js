// The page's compiler, in a worker of its own: fetches clang, which it keeps, and answers session.js.
//   in:  { id, call: "load" | "compile" | "link" | "linkProgram" | "places", args }
//   out: { id, result } or { id, error }; { loaded, bytes } while it fetches
"use strict";
importScripts("object.js", "compiler.js", "unpack.js");

const plainFetch = self.fetch.bind(self);
const KEPT = "compiler-"; // in the browser's cache, behind it the version

// The bytes of a file, from the cache if they are there; tells what has come.
async function kept(name, version) {
    const url = new URL(name, location.href).href;
    const cache = self.caches ? await caches.open(KEPT + version).catch(() => null) : null;
    const there = cache && (await cache.match(url));
    const response = there || (await plainFetch(url));
    if (!response.ok) throw new Error(`${name}: the server says ${response.status}`);
    const parts = [];
    for (const reader = response.body.getReader(); ; ) {
        const { done, value } = await reader.read();
        if (done) break;
        parts.push(value);
        postMessage({ loaded: value.length });
    }
    const bytes = new Blob(parts);
    if (cache && !there) await cache.put(url, new Response(bytes)).catch(() => {});
    return bytes;
}

async function forgetOlder(version) {
    if (!self.caches) return;
    for (const name of await caches.keys())
        if (name.startsWith(KEPT) && name !== KEPT + version) await caches.delete(name);
}

// The package fetches its parts by their names; here they lie compressed.
async function load(version) {
    self.fetch = async (input, options) => {
        const name = new URL(input).pathname.split("/").pop();
        if (!/^llvm/.test(name)) return plainFetch(input, options);
        const type = name.endsWith(".wasm") ? "application/wasm" : "application/octet-stream";
        return new Response(unpacked(await kept(`${name}.gz`, version)), { headers: { "content-type": type } });
    };
    const { runLLVM } = await import(new URL("bundle.js", location.href));
    await runLLVM(["size", "--version"], {}, { stdout() {}, stderr() {}, fetchProgress() {} });
    await forgetOlder(version).catch(() => {});
    return new Compiler(runLLVM);
}

let compiler;
const CALLS = {
    load: (version) => (compiler = compiler || load(version)).then(() => true),
    compile: async (...args) => (await compiler).compile(...args),
    link: async (...args) => (await compiler).link(...args),
    linkProgram: async (...args) => (await compiler).linkProgram(...args),
    places: async (...args) => (await compiler).places(...args),
};

onmessage = async ({ data: { id, call, args } }) => {
    try {
        postMessage({ id, result: await CALLS[call](...args) });
    } catch (error) {
        if (call === "load") compiler = undefined;
        postMessage({ id, error: String((error && error.message) || error) });
    }
};
