/* --- a program in a worker --- */

// The given files that a line of options names.
const filesNamed = async (args) => {
    const known = await courseLoad("files");
    const wanted = known.filter(([path]) => args.some((arg) => arg === path || arg.startsWith(`${path}/`)));
    await Promise.all(wanted.map(([, name]) => takeFiles(name)));
    if (args.some((arg) => arg === "build/model" || arg.startsWith("build/model/"))) await takeFiles("model");
};

// Runs `name`, or what was linked in the page, on `files` ([[path, bytes]]); on(message) gets what the worker says (see wasm/worker.js). {stop(), done}: done is
// what came last, or {stopped: true}.
function startWorker(name, args, filesOf, on, linked) {
    let worker,
        finish,
        stopped = false;
    const done = new Promise((resolve) => {
        finish = resolve;
    });
    const stop = () => {
        stopped = true;
        if (worker) worker.terminate();
        finish({ stopped });
    };
    const start = async () => {
        const [source, program, files] = await Promise.all([courseLoad("worker"), linked || courseLoad(name).then(fromBase64), filesOf()]);
        if (stopped) return;
        const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
        worker = new Worker(url);
        worker.onerror = (event) => finish({ trap: event.message });
        worker.onmessage = ({ data }) => {
            on(data);
            if (!("code" in data)) return;
            worker.terminate();
            URL.revokeObjectURL(url);
            finish(data);
        };
        worker.postMessage({ program, args, files });
    };
    start().catch((error) => finish({ trap: error.message }));
    return { stop, done };
}

// A program of the course, on all files that there are; what it writes is kept.
function startProgram(name, args, on, linked) {
    const filesOf = async () => {
        await Promise.all([readKept(), filesNamed(args)]);
        return [...new Map([...givenFiles, ...pageFiles])];
    };
    const started = startWorker(name, [`build/${name}`, ...args], filesOf, on, linked);
    const done = started.done.then(async (end) => {
        if (end.gone && end.gone.length) await deleteKept(end.gone);
        if (end.files) await keepFiles(end.files);
        return end;
    });
    return { stop: started.stop, done, since: performance.now() };
}

// A line of options as a shell would split it.
function splitOptions(line) {
    return [...line.matchAll(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g)].map(([word]) => word.replace(/'([^']*)'|"([^"]*)"/g, "$1$2"));
}

/* --- the pane: text, where \r goes back to the line's beginning and ESC [ K erases its rest, as progress bars do --- */

class Screen {
    constructor(element) {
        this.element = element;
        this.clear();
    }
    clear() {
        ((this.above = ""), (this.line = ""), (this.column = 0));
        this.decoders = { 1: new TextDecoder(), 2: new TextDecoder() };
        this.element.textContent = "";
    }
    write(stream, bytes) {
        const text = this.decoders[stream].decode(bytes, { stream: true });
        for (const piece of text.match(/\n|\r|\x1b\[K|[^\n\r\x1b]+|\x1b/g) || []) {
            if (piece === "\n") ((this.above += this.line + "\n"), (this.line = ""), (this.column = 0));
            else if (piece === "\r") this.column = 0;
            else if (piece === "\x1b[K") this.line = this.line.slice(0, this.column);
            else {
                this.line = this.line.slice(0, this.column).padEnd(this.column) + piece + this.line.slice(this.column + piece.length);
                this.column += piece.length;
            }
        }
        if (!this.drawing) this.drawing = requestAnimationFrame(() => this.draw());
        return text;
    }
    draw() {
        cancelAnimationFrame(this.drawing);
        this.drawing = 0;
        const atEnd = this.element.scrollTop + this.element.clientHeight >= this.element.scrollHeight - 4;
        this.element.textContent = this.above + this.line;
        if (atEnd) this.element.scrollTop = this.element.scrollHeight;
    }
}
