// Programs in the page: each gives the bytes that its lesson quotes; a small model is trained; a text is the native program's; a
// program is stopped, refused, and runs again after a reload. node programs.js build/book all: also what takes minutes.
"use strict";
const { execFileSync } = require("child_process");
const fs = require("fs");
const zlib = require("zlib");
const { book, check, run, watchedPage } = require("./support/browser");

const origin = `file://${book}`;
const MOST_BYTES = 330000; // 18 has all options of those before it, and the tables of Unicode

// Commands that take from ten seconds to minutes of a core: left out, unless "all" is asked for.
const SLOW = new RegExp(
    "--experiment (learning-rates|small-batch|init-scale|expected-gradient|layer-gradients|swapped|keys|alphas|clipping" +
        "|mistakes|bad-batch|resume|warmup-length|both-ends|branch-size)|--steps 6000|--rate 0.0005|--greedy --crop|--temperature 1.5",
);

// Chapter 17's program is the learner's own, without the course's options; it writes with the book's model.
const ONE_FILE = "17-one-file";

// Bytes of the tape: its nodes hold pointers, which have half the size here.
const BY_MACHINE = /--experiment cost\b/;

const chapters = fs
    .readdirSync(`${book}/programs`)
    .filter((name) => /^\d\d-[^@]*\.js$/.test(name))
    .map((name) => name.slice(0, -3));

function packedBytes(name) {
    const text = fs.readFileSync(`${book}/programs/${name}.js`, "utf8");
    return Buffer.from(JSON.parse(`[${text.slice("courseData(".length, text.lastIndexOf(")"))}]`)[1], "base64");
}

// Box n of the page runs LINE to its end: {code, stdout, stderr, trap}.
const runBox = (page, n, line) => page.evaluate(([at, options]) => runBoxes[at].run(options ?? runBoxes[at].div.dataset.args), [n, line]);
const said = (result) => `exit code ${result.code}${result.trap ? `, ${result.trap}` : ""}: ${result.stderr}`;

// The quoted outputs of a lesson. A filter is the shell's: the lesson's words, from the project.
async function sameBytes(context, chapter) {
    const page = await watchedPage(context, chapter, origin);
    await page.goto(`${origin}/${chapter}.html`);
    const boxes = await page.evaluate(() => runBoxes.map(({ div, expected }) => ({ ...div.dataset, expected })));
    const results = new Map(); // by command, as several quotations are often parts of one output
    for (const [n, { program, args, filter, expected }] of boxes.entries()) {
        const command = `${program} ${args}`;
        if (!expected || BY_MACHINE.test(args) || (SLOW.test(args) && process.argv[3] !== "all")) continue;
        if (!results.has(command)) results.set(command, await runBox(page, n));
        const result = results.get(command);
        const output = filter ? execFileSync("sh", ["-c", filter], { input: result.stdout, encoding: "utf8" }) : result.stdout;
        check(output.replace(/\r/g, "") === expected, `${command}: not the lesson's bytes (${said(result)})`);
    }
    console.log(`  ${chapter}: ${results.size} programs compared`);
    const free = boxes.length - 1;
    if (chapter === ONE_FILE) {
        const wrote = await runBox(page, free, null);
        check(wrote.code === 0 && wrote.stdout.startsWith("Anna puts"), `${chapter}: ${said(wrote)}`);
        return page.close();
    }
    const help = await runBox(page, free, "--help");
    check(help.code === 0 && help.stdout.startsWith(`${chapter}: `), `${chapter} --help: ${said(help)}`);
    const refused = await runBox(page, free, "--no-such-option");
    const isRefused = refused.code === 2 && refused.stderr.includes("'--no-such-option': no such option");
    check(isRefused, `${chapter} --no-such-option: ${said(refused)}`);
    await page.close();
}

// 20 steps in the page leave the model that they leave here, and its text is the same; the curve is drawn as it trains.
async function trains(context) {
    const line =
        "--vocab-size 300 --context 32 --steps 20 --validate-every 5 --overwrite --save build/page --log losses --out build/page-out --threads 1";
    const native = fs.mkdtempSync("build/page-");
    const here = (program, options) => execFileSync(`build/${program}`, options.replace(/build\/page\S*/g, native).split(" "), { encoding: "utf8" });
    const page = await watchedPage(context, "training", origin);
    await page.goto(`${origin}/11-training.html`);
    const last = await page.evaluate(() => runBoxes.length - 1);
    const trained = await runBox(page, last, line),
        expected = here("11-training", line);
    check(trained.stdout === expected.replaceAll(native, "build/page"), `training: other output (${said(trained)})`);
    check((await page.locator(".run-chart polyline").count()) === 1, "training draws its losses");
    const left = await page.evaluate(() => btoa(String.fromCharCode(...pageFiles.get("build/page/model.safetensors").slice(-3000))));
    const weights = fs.readFileSync(`${native}/model.safetensors`).subarray(-3000).toString("base64");
    check(left === weights, "training leaves other weights");
    const writes = "--model build/page --prompt Lily --max-new-tokens 30 --temperature 0.8 --threads 1";
    const text = await page.evaluate(async (options) => {
        let out = "";
        const hear = ({ stream, bytes }) => stream === 1 && (out += new TextDecoder().decode(bytes));
        await startProgram("13-kv-cache", splitOptions(options), hear).done;
        return out;
    }, writes);
    check(text === here("13-kv-cache", writes), `the model writes ${JSON.stringify(text)}`);
    fs.rmSync(native, { recursive: true });
    await page.close();
}

// Buttons, as a reader uses them.
async function stops(context) {
    const page = await watchedPage(context, "stopping", origin);
    await page.goto(`${origin}/11-training.html`);
    const box = page.locator(".run").last(),
        state = box.locator(".run-state");
    await box.locator("input").fill("--steps 100000 --overwrite --save build/page");
    await box.getByRole("button", { name: "Run" }).click();
    await box.locator(".run-pane", { hasText: "step" }).waitFor({ timeout: 60000 });
    await box.getByRole("button", { name: "Stop" }).click();
    check((await state.innerText()).startsWith("stopped"), `a stopped program: ${await state.innerText()}`);
    await page.reload();
    const again = await runBox(page, await page.evaluate(() => runBoxes.length - 1), "--help");
    check(again.code === 0, `after a reload: ${said(again)}`);
    await page.goto(`${origin}/13-kv-cache.html`);
    await box.locator("input").fill("--model build/none");
    await box.locator("input").press("Enter");
    await box.locator(".run-state", { hasText: "exit code 1" }).waitFor({ timeout: 60000 });
    const pane = await box.locator(".run-pane").innerText();
    check(pane.includes("'build/none"), `a model that is not there: ${pane}`);
    await page.close();
}

// An exercise that is not written yet: the page says what the terminal says. The programs are built on a stub of their own.
async function saysWhatIsMissing(context) {
    const learner = "build/book-stubs",
        mine = "build/book-mine",
        stub = "00-tensors/adamw.c";
    fs.mkdirSync(`${learner}/00-tensors`, { recursive: true });
    fs.copyFileSync(`exercises/${stub}`, `${learner}/${stub}`);
    if (!fs.readFileSync(`${learner}/${stub}`, "utf8").includes("EXERCISE_TODO")) return; // written already
    execFileSync("tools/book/wasm/programs.sh", [`${mine}/programs`, "00-tensors"], {
        env: { ...process.env, MINE: "00/adamw", LEARNER: learner },
    });
    fs.copyFileSync(`${book}/run.js`, `${mine}/run.js`);
    fs.writeFileSync(`${mine}/index.html`, '<div class="run" data-program="00-tensors" data-args=""></div><script src="run.js"></script>');
    const page = await context.newPage();
    await page.goto(`file://${fs.realpathSync(mine)}/index.html`);
    const result = await runBox(page, 0, "--threads 1");
    const words = /adamw\.c:\d+: exercise 00\/adamw is not written yet; for a hint: make hint-00 EX=adamw/;
    check(result.code === 77 && words.test(result.stderr), `an exercise that is not written: ${said(result)}`);
    await page.close();
}

run(async (browser) => {
    for (const chapter of chapters) {
        const bytes = packedBytes(chapter).length;
        check(bytes <= MOST_BYTES, `${chapter}: ${bytes} bytes compressed, expected at most ${MOST_BYTES}`);
        check(WebAssembly.validate(zlib.gunzipSync(packedBytes(chapter))), `${chapter}: is no WebAssembly`);
    }
    const context = await browser.newContext();
    await trains(context);
    await stops(context);
    await saysWhatIsMissing(context);
    const left = [...chapters]; // two at a time, each in a worker of its own
    const next = async () => {
        while (left.length) await sameBytes(context, left.shift());
    };
    await Promise.all([next(), next()]);
}, "programs/worker.js");
