// The programs in a page. Each <div class="run" data-program="NN-name" data-args="..."> that quotes an output gets a line with its
// options, a button that runs the program in a worker (programs/, made by make book-programs) and a pane for what it writes.
// The parts of this folder are one script, run.js, in the order of build.js; here is how they load what lies in programs/:
// scripts that call courseData(name, value), since a page of file:// may load those and may not fetch files.
"use strict";

const runBase = new URL("programs/", document.currentScript.src).href;
const courseArrived = new Map(),
    courseLoading = new Map();

function courseData(name, value) {
    courseArrived.get(name)(value);
}

const isMissing = (name) => new Error(`programs/${name}.js is not there: make book-programs builds it`);

const loadScript = (name) =>
    new Promise((resolve, reject) => {
        const script = document.createElement("script");
        courseArrived.set(name, resolve);
        script.onerror = () => reject(isMissing(name));
        script.src = runBase + name + ".js";
        document.head.append(script);
    });

// From a server the same call is fetched as data, and courseFetching.tell hears of each piece.
const courseFetching = { bytes: 0, tell() {} };
const megabytes = () => `fetching: ${(courseFetching.bytes / 1e6).toFixed(1)} MB`;
async function fetchCall(name) {
    const response = await fetch(`${runBase}${name}.js`).catch(() => null);
    if (!response || !response.ok) throw isMissing(name);
    const pieces = [],
        reader = response.body.getReader();
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
        pieces.push(piece.value);
        courseFetching.bytes += piece.value.length;
        courseFetching.tell();
    }
    const call = await new Blob(pieces).text();
    return JSON.parse(call.slice(call.indexOf(", ") + 2, call.lastIndexOf(");")));
}

function courseLoad(name) {
    if (!courseLoading.has(name)) {
        const isData = location.protocol !== "file:" && name !== "model-view"; // which is a script
        const loading = isData ? fetchCall(name) : loadScript(name);
        loading.catch(() => courseLoading.delete(name));
        courseLoading.set(name, loading);
    }
    return courseLoading.get(name);
}

const fromBase64 = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));

function element(tag, properties = {}, ...children) {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children);
    return made;
}
const button = (textContent, onclick) => element("button", { type: "button", textContent, onclick });

const shortBytes = (n) =>
    n < 1000 ? `${n} bytes` : n < 1e6 ? `${(n / 1000).toFixed(1)} kB` : `${(n / 1e6).toFixed(1)} MB`;

// Saves bytes under the name that a path ends with.
function saveAs(path, bytes) {
    const url = URL.createObjectURL(new Blob([bytes]));
    element("a", { href: url, download: path.split("/").pop() }).click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
}
