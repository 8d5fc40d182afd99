// node seconds.js: measures how long the quoted programs take as WebAssembly, in seconds of one core, and writes them to
// tools/book/seconds.txt, from which the pages say it on their buttons. Ten minutes and more; run it when programs have changed much.
"use strict";
const { spawnSync } = require("child_process");
const fs = require("fs");

const MOST = 600; // seconds of a clock: what takes longer is left out
const file = "tools/book/seconds.txt";
const commands = new Set();
for (const page of fs.readdirSync("build/book").filter((name) => /^\d\d-.*\.html$/.test(name))) {
    const text = fs.readFileSync(`build/book/${page}`, "utf8");
    const unescaped = (words) =>
        words
            .replace(/&quot;/g, '"')
            .replace(/&#39;/g, "'")
            .replace(/&amp;/g, "&");
    for (const [, before] of text.matchAll(/ data-before="([^"]*)"/g)) commands.add(unescaped(before));
    for (const [, program, args] of text.matchAll(/ data-program="([^"]*)"[^>]*? data-args="([^"]*)"/g))
        commands.add(`${program} ${unescaped(args)}`.trim());
}

const known = new Map((fs.existsSync(file) ? fs.readFileSync(file, "utf8").trim().split("\n") : []).map((line) => line.split(/ (.*)/)));
const measured = new Map([...known].map(([seconds, command]) => [command, seconds]));
const isLong = (command) => command.includes("--experiment");
for (const command of [...commands].sort((a, b) => isLong(a) - isLong(b))) {
    if (measured.has(command)) continue;
    const [program, args] = command.split(/ (.*)/);
    const run = `node tools/book/wasm/run.js 'build/wasm/small/${program}.small' ${args || ""} >/dev/null 2>&1 </dev/null; s=$?; times; exit $s`;
    const { status, stdout } = spawnSync("sh", ["-c", run], { encoding: "utf8", timeout: MOST * 1000 });
    if (status !== 0) continue;
    const seconds = stdout
        .split("\n")[1]
        .split(" ")
        .reduce((sum, part) => sum + Number(part.split("m")[0]) * 60 + parseFloat(part.split("m")[1]), 0);
    measured.set(command, seconds.toFixed(1));
    const lines = [...measured].filter(([name]) => commands.has(name)).map(([name, s]) => `${s} ${name}`);
    fs.writeFileSync(file, `${lines.sort((a, b) => (a.split(/ (.*)/)[1] < b.split(/ (.*)/)[1] ? -1 : 1)).join("\n")}\n`);
    console.log(`${seconds.toFixed(1)} ${command}`);
}
