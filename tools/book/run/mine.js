/* --- a program on exercises of the reader's (MINE=) or on a known wrong solution (WRONG=): compiled and linked in the page, by what
   lies in write/ --- */

const MINE_SCRIPTS = ["unpack.js", "object.js", "check.js", "session.js", "store.js"];
const shortName = (name) => name.replace(/^(\d+)-[^/]*/, "$1");

// Chapter 16 is many processes, chapter 17's program is the exercise itself, and behind @ a mistake is in it already.
const isLinkable = (program) =>
    typeof courseWrite !== "undefined" && courseWrite.isServed && !/@|^1[67]-/.test(program);

// The chosen code: { kind: "mine", names: "01/layernorm 07" } or { kind: "wrong", names: "01/layernorm/no-mean" }; null: the
// solutions.
const chosenText = (code) => (code ? `${code.kind.toUpperCase()}=${code.names}` : "");

// The exercises that the words of MINE= name, as make reads them.
function namedExercises(words, exercises) {
    const named = words.split(/[\s,]+/).filter(Boolean).flatMap((word) => {
        const found = exercises.filter((name) => ["all", shortName(name), name.slice(0, 2)].includes(word) && name);
        if (!found.length) throw new Error(`MINE=${words}: no such exercise; choose from: all ${exercises.map(shortName).join(" ")}`);
        return found;
    });
    return exercises.filter((name) => named.includes(name));
}

// The first line of make run-NN.
function whoWrote(exercises, mine, wrong) {
    const yours = exercises.filter((name) => mine.includes(name)),
        some = yours.length < exercises.length;
    const names = some ? yours.map(shortName).join(" ") || "none" : "all";
    const reference = some ? (yours.length ? "the rest" : "all") : "none";
    return `${wrong ? `wrong: ${wrong} in` : "yours:"} ${names}; reference: ${reference}\n`;
}

async function wrongSource(name, wrong) {
    const [solution, list] = await Promise.all([
        courseWrite.text(`exercises/${name}.solution.c`),
        courseWrite.json(`exercises/${name}.wrong.json`),
    ]);
    const found = list.find(([known]) => known === wrong);
    if (!found) throw new Error(`WRONG=${shortName(name)}/${wrong}: no such wrong solution`);
    const [, , , from, to, text] = found,
        lines = solution.split("\n");
    return [...lines.slice(0, from), ...(text === null ? [] : [text]), ...lines.slice(to)].join("\n");
}

// The reader's source, or the stub.
async function mineSource(name) {
    const kept = await courseStore.get("texts", name);
    return kept ? kept.text : (await courseWrite.json(`exercises/${name}.json`)).stub;
}

const compiledHere = new Map(); // exercise: { source, object }, of the last text
async function objectHere(compiler, name, source) {
    const known = compiledHere.get(name);
    if (known && known.source === source) return known;
    const { object, said } = await compiler.compile(`exercises/${name}.c`, source, { kind: "program" });
    if (object) compiledHere.set(name, { source, object });
    return { object, said };
}

// The program with what was chosen in the place of the solutions: { code: 0, linked, who }, or { code: 1, failed, said }.
async function linkHere(program, code, tell) {
    tell("starting the compiler");
    await courseWrite.load(MINE_SCRIPTS);
    const [{ [program]: known }, all] = await Promise.all([courseWrite.json("programs.json"), courseWrite.json("exercises.json")]);
    const wrong = code.kind === "wrong" ? code.names.split("/").pop() : "";
    const words = wrong ? code.names.slice(0, -1 - wrong.length) : code.names;
    const mine = namedExercises(words, all.map(({ name }) => name));
    const session = await writeSession.get();
    writeSession.show = (...progress) => tell(fetchedWords(...progress));
    const objects = [await fetchUnpacked(`${courseWrite.base}programs/${program}.o.gz`)];
    await session.loaded();
    for (const name of known.exercises.filter((exercise) => mine.includes(exercise))) {
        tell(`compiling ${shortName(name)}`);
        const { object, said } = await objectHere(session.compiler, name, await (wrong ? wrongSource(name, wrong) : mineSource(name)));
        if (!object) return { code: 1, failed: `${shortName(name)} does not compile`, said };
        objects.push(object);
    }
    tell("linking");
    const { linked, said } = await session.compiler.linkProgram(objects, known.wraps);
    if (!linked) return { code: 1, failed: "the program cannot be linked", said };
    return { code: 0, linked, who: whoWrote(known.exercises, mine, wrong) };
}

/* --- the choice, in a box --- */

const MINE_STATES = { right: "right", wrong: "wrong", broken: "does not compile", missing: "not defined", open: "not static" };

// [[value, words]] of what the reader has written and this program links, with what the last check said.
async function mineOptions(exercises) {
    const [texts, results] = await Promise.all([courseStore.all("texts"), courseStore.all("results")]);
    const written = exercises.filter((name) => texts.has(name));
    const stateOf = (name) => {
        const result = results.get(name);
        return (result && result.text === texts.get(name).text && MINE_STATES[result.state]) || "not checked";
    };
    const right = written.filter((name) => stateOf(name) === "right").map(shortName);
    const each = written.map((name) => [shortName(name), `MINE=${shortName(name)} (${stateOf(name)})`]);
    return right.length > 1 ? [[right.join(" "), `all of yours that pass: ${right.length}`], ...each] : each;
}

const option = (value, textContent) => element("option", { value, textContent });

// Whose known wrong solutions are offered: by itself, those of the page's chapter.
const ofThisChapter = (exercise) => exercise.startsWith(`${document.body.dataset.chapter}/`);

async function mineChoice(program, isOffered = ofThisChapter) {
    await courseWrite.load(MINE_SCRIPTS);
    const { exercises } = (await courseWrite.json("programs.json"))[program];
    const select = element("select", { ariaLabel: `whose code ${program} runs on` }, option("", "the solutions"));
    const mine = await mineOptions(exercises);
    const group = element("optgroup", { label: "yours" }, ...mine.map(([value, words]) => option(`mine:${value}`, words)));
    if (!mine.length) group.append(Object.assign(option("", "nothing yet: write an exercise of a lesson in its page"), { disabled: true }));
    select.append(group);
    for (const name of exercises.filter(isOffered)) {
        const wrong = await courseWrite.json(`exercises/${name}.wrong.json`),
            where = shortName(name);
        const options = wrong.map(([known]) => option(`wrong:${where}/${known}`, `WRONG=${where}/${known}`));
        if (options.length) select.append(element("optgroup", { label: `known wrong ones of ${where}` }, ...options));
    }
    return select;
}

const codeOf = (value) => (value ? { kind: value.split(":")[0], names: value.slice(value.indexOf(":") + 1) } : null);
