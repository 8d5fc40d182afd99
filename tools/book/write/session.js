// A page's tools for checking: the compiler's worker and the tests' worker, of which each is started when it is first needed.
"use strict";

const writeBase = new URL(".", document.currentScript.src).href;
const LATE = { first: 30000, later: 8000 }; // milliseconds until the worker of a test that does not end is ended

// A worker that answers calls; other messages go to hear.
class Caller {
    constructor(script, hear = () => {}) {
        ((this.waiting = new Map()), (this.calls = 0));
        this.worker = new Worker(writeBase + script);
        this.worker.onmessage = ({ data }) => {
            const waits = this.waiting.get(data.id);
            if (!waits || !("result" in data || "error" in data)) return hear(data);
            this.waiting.delete(data.id);
            return "error" in data ? waits.reject(new Error(data.error)) : waits.resolve(data.result);
        };
        this.worker.onerror = (event) => this.end(new Error(event.message || `${script} cannot be started`));
    }
    call(call, ...args) {
        const id = ++this.calls;
        this.worker.postMessage({ id, call, args });
        return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
    }
    end(error = new Error("ended")) {
        this.worker.terminate();
        for (const waits of this.waiting.values()) waits.reject(error);
        this.waiting.clear();
    }
}

// A test whose worker had to be ended, as the verdict reads it.
const endless = ({ suite, name }) => ({
    name,
    output: `[RUN ] ${suite}::${name}\nran out of time\n[FAIL] ${suite}::${name}: CRASH!\n`,
    passed: false,
    stack: [],
});

class Session {
    // progress(bytes, all) is told while the compiler is fetched.
    constructor(about, progress) {
        ((this.about = about), (this.progress = progress), (this.rests = new Map()));
        this.compiler = {
            compile: (...args) => this.loaded().then((caller) => caller.call("compile", ...args)),
            link: (...args) => this.loaded().then((caller) => caller.call("link", ...args)),
            linkProgram: (...args) => this.loaded().then((caller) => caller.call("linkProgram", ...args)),
            places: (...args) => this.loaded().then((caller) => caller.call("places", ...args)),
        };
    }

    // The tools that check.js uses.
    tools() {
        return {
            compiler: this.compiler,
            rest: ({ name }) => this.object(name),
            run: (linked, environment) => this.run(linked, environment),
            verdict: (args, texts) => this.tests().call("verdict", args, texts),
        };
    }

    // The worker with the compiler in it; where it could not be fetched, the next call tries again.
    loaded() {
        if (this.loading) return this.loading;
        let bytes = 0;
        const caller = new Caller("compiler-worker.js", ({ loaded }) => this.progress((bytes += loaded), this.about.bytes));
        this.loading = caller.call("load", this.about.version).then(() => caller);
        this.loading.catch(() => {
            caller.end();
            this.loading = null;
        });
        return this.loading;
    }

    tests() {
        this.tester = this.tester || new Caller("check-worker.js", (data) => this.hear && this.hear(data));
        return this.tester;
    }

    object(name) {
        if (!this.rests.has(name)) this.rests.set(name, fetchUnpacked(`${writeBase}exercises/${name}.o.gz`));
        this.rests.get(name).catch(() => this.rests.delete(name));
        return this.rests.get(name);
    }

    // All tests, one after the other; the worker is ended where one does not end, and the next begins behind it.
    async run(linked, environment) {
        const done = [];
        let tests = null,
            slow = 0;
        while (!tests || done.length < tests.length) {
            const short = slow >= MOST_ENDLESS;
            const limited = [...environment, ...limitsOf(slow)];
            const call = ["run", linked, limited, done.length];
            const ended = await this.follow(call, short ? LATE.later : LATE.first, (data) => {
                if (data.tests) tests = data.tests;
                else done.push(data.test);
                const isSlow = data.test && isEndless(data.test);
                if (isSlow) slow++;
                return isSlow && slow === MOST_ENDLESS;
            });
            if (ended === "stopped") throw new Error(ended);
            if (ended !== "late") continue;
            if (!tests) throw new Error("the tests do not start");
            slow++;
            done.push(endless(tests[done.length]));
        }
        return done;
    }

    // Ends what runs in the worker of the tests.
    stop() {
        if (this.stopRun) this.stopRun();
    }

    // A call to the worker of the tests, until its end, or until take(data) is true, a test is late or stop() is called.
    follow(call, most, take) {
        const caller = this.tests();
        return new Promise((resolve, reject) => {
            let timer;
            const stop = (why) => {
                clearTimeout(timer);
                this.hear = this.stopRun = null;
                if (this.tester === caller && why) {
                    this.tester = null;
                    caller.end();
                }
                resolve(why);
            };
            const wait = () => {
                clearTimeout(timer);
                timer = setTimeout(() => stop("late"), most);
            };
            this.hear = (data) => {
                wait();
                if (take(data)) stop("faster");
            };
            this.stopRun = () => stop("stopped");
            wait();
            caller.call(...call).then(
                () => stop(""),
                (error) => (this.tester === caller ? reject(error) : undefined),
            );
        });
    }
}

// The words shown while the compiler is fetched.
function fetchedWords(bytes, all) {
    const megabytes = (n) => (n / 1e6).toFixed(1);
    return bytes < all ? `fetching the compiler: ${megabytes(bytes)} of ${megabytes(all)} MB` : "starting the compiler";
}

// The page's session; show(bytes, all) draws what its compiler fetches, where that was asked for.
const writeSession = {
    show() {},
    async get() {
        this.about = this.about || (await (await fetch(`${writeBase}about.json`)).json());
        this.of = this.of || new Session(this.about, (...progress) => this.show(...progress));
        return this.of;
    },
};
