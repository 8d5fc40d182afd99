// The sheets that are made from all lessons: a glossary of the words in bold, the notation, and the papers.
"use strict";
const { visit, textOf, sentences, html, para, str, link, header } = require("./ast");
const { inlines } = require("./lesson");

const slug = (text) =>
    text
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, "-")
        .replace(/^-|-$/g, "");
const notDefining = /^(Your turn|Pitfalls|Questions|Open problems|Papers|Recap)$/;
// Bold for its weight in a sentence, not as a word that it introduces.
const notTerms = new RegExp(
    "^(stage \\d|\\d.*|owns|twin|dead|parts|sleeps|sets|teacher|model|floor|blocks|groups|scale|branch|base|tag|progress|request" +
        "|symmetric|asymmetric|overlapped|dynamic|efficiency|eager|hierarchical|gated|heads|tokens|nats|activations|checkpoints" +
        "|tiles|sinks|biases|channels|draw|blocking)$",
    "i",
);

// Calls see(block, where, next) for every block of a lesson; where.section and where.target say under which heading.
function eachBlock(page, see) {
    const where = { section: page.title, target: page.file };
    page.blocks.forEach((block, i) => {
        if (block.t === "Header") {
            where.section = textOf(block);
            where.target = `${page.file}#${block.c[1][0]}`;
        } else see(block, where, page.blocks[i + 1]);
    });
}

const isFormula = (block) => block && block.t === "Para" && block.c.length === 1 && block.c[0].t === "Math";
const isPredict = (e) => e.t === "Strong" && /^Predict/.test(textOf(e.c));

// The rows of a table that say something, each as a paragraph: "temperature: all logits are divided by it".
function rowsOf(table) {
    const rows = table.c[4].flatMap((body) => body[3]);
    return rows.flatMap(([, cells]) => {
        const texts = cells.map((cell) => cell[4].flatMap((block) => block.c)),
            at = texts.findIndex((text) => text.some((e) => e.t === "Strong"));
        const says = at < 0 ? undefined : texts[at + 1];
        if (!says || textOf(says).split(" ").length < 5) return [];
        return [{ t: "Plain", c: [...texts[at], str(": "), ...says] }];
    });
}

// The paragraphs of a block: itself, or those of a list's items, or a table's rows.
function paragraphsOf(block) {
    if (block.t === "Para") return [block];
    if (block.t === "Table") return rowsOf(block);
    const items = { OrderedList: block.c && block.c[1], BulletList: block.c }[block.t] || [];
    return items.flat().filter((part) => part.t === "Para" || part.t === "Plain");
}

// Calls see(sentence, where, before) for every sentence of a lesson's text. A sentence that ends with a colon has its formula.
function eachSentence(page, see) {
    eachBlock(page, (block, where, next) => {
        if (notDefining.test(where.section)) return;
        for (const part of paragraphsOf(block)) {
            const all = sentences(part.c).map((sentence) => (isPredict(sentence[0]) ? sentence.slice(2) : sentence));
            const last = all[all.length - 1];
            if (part === block && /[:,]$/.test(textOf(last)) && isFormula(next)) last.push(next.c[0]);
            all.forEach((sentence, i) => see(sentence, where, all[i - 1]));
        }
    });
}

// A word is a term where it is in bold within a sentence: one to three words, no code, no full stop.
function isTerm(strong) {
    const text = textOf(strong.c);
    let plain = true;
    visit(strong.c, (e) => (plain = plain && !["Code", "Math", "Link"].includes(e.t)));
    return (
        plain && /^[\w'’ .-]*[\w]$/.test(text) && text.split(" ").length <= 3 && !notTerms.test(text) && !/^(Predict|Goal|You need|Run it)/.test(text)
    );
}

// The terms of a page as [{ term, id, sentence, page }]; page.terms then says which elements are to get an id.
function termsOf(page) {
    const found = [];
    page.terms = new Map();
    if (!page.chapter) return found;
    eachSentence(page, (last, where, before) => {
        // "That is a tape." needs the sentence before it.
        const leans = before && /^(That|This|These|It|They|Such) /.test(textOf(last));
        const sentence = leans ? [...before, { t: "Space" }, ...last] : last;
        visit(last, (e) => {
            if (e.t !== "Strong" || !isTerm(e)) return;
            const term = textOf(e.c),
                id = `term-${slug(term)}`;
            if ([...page.terms.values()].includes(id)) return;
            page.terms.set(e, id);
            found.push({ term, id, sentence, page });
        });
    });
    return found;
}

const byText = (key) => (a, b) => key(a).localeCompare(key(b), "en", { sensitivity: "base" });
const chapterLink = (page, anchor) => link([str(page.chapter.slice(0, 2))], `${page.file}${anchor}`);

function definitionList(entries) {
    const items = entries.map(({ term, definitions }) => [term, definitions.map((d) => [{ t: "Plain", c: d }])]);
    return { t: "DefinitionList", c: items };
}

function grouped(list, key) {
    const groups = new Map();
    list.forEach((e) => groups.set(key(e), [...(groups.get(key(e)) || []), e]));
    return [...groups.values()];
}

function glossary(pages) {
    pages.forEach((page) => (page.defines = termsOf(page)));
    const terms = pages.flatMap((page) => page.defines).sort(byText((t) => t.term));
    const entries = grouped(terms, (t) => t.term.toLowerCase()).map((group) => ({
        term: [{ t: "Span", c: [[slug(group[0].term), [], []], [str(group[0].term)]] }],
        definitions: group.map((t) => [chapterLink(t.page, `#${t.id}`), str(": "), ...inlines(t.sentence, t.page)]),
    }));
    const about = para(str("Each word where it is introduced, in the sentence that does so; the number is the chapter."));
    return [header(1, "glossary", [str("Glossary")]), about, definitionList(entries)];
}

// One symbol, with a hat, an index or none: $N$, $\gamma$, $d_{ff}$, $\hat x$.
const greek = "alpha|beta|gamma|delta|epsilon|eta|theta|kappa|lambda|mu|pi|rho|sigma|tau|phi|Phi|omega|Delta|Sigma";
const symbol = new RegExp(`^(\\\\(hat|bar|tilde) )?([A-Za-z]|\\\\(${greek}))(_([a-z0-9]|\\{[^{}]*\\}))?$`);
// "$g_i$" beside "$g$": an index that only counts makes no symbol of its own.
const counts = /_[a-z0-9]$|_\{[a-z0-9,]+\}$/;

// The first sentence of each lesson that has the symbol.
function symbolsOf(page) {
    const found = new Map();
    eachSentence(page, (sentence, where) => {
        visit(sentence, (e) => {
            if (e.t !== "Math" || !symbol.test(e.c[1])) return;
            const name = /_\{?[a-z]{2,}/.test(e.c[1]) ? e.c[1] : e.c[1].replace(counts, "");
            if (!found.has(name)) found.set(name, { name, sentence, page, target: where.target });
        });
    });
    return [...found.values()];
}

function notation(pages) {
    const plain = (name) => name.replace(/\\(hat|bar|tilde) |\\/g, "");
    const symbols = pages
        .filter((p) => p.chapter)
        .flatMap(symbolsOf)
        .sort(
            (a, b) =>
                Number(/\\[a-zA-Z]{2}/.test(a.name)) - Number(/\\[a-zA-Z]{2}/.test(b.name)) ||
                byText((s) => plain(s.name))(a, b) ||
                a.name.localeCompare(b.name) ||
                a.page.chapter.localeCompare(b.page.chapter),
        );
    const to = (s) => link([str(s.page.chapter.slice(0, 2))], s.target);
    const entries = grouped(symbols, (s) => s.name).map(([first, ...others]) => {
        const later = grouped(others, (s) => s.page.chapter).flatMap(([s], i) => [str(i ? ", " : "Also in "), to(s)]);
        const sentence = [to(first), str(": "), ...inlines(first.sentence, first.page)];
        return {
            term: inlines([{ t: "Math", c: [{ t: "InlineMath" }, first.name] }], first.page),
            definitions: later.length ? [sentence, [...later, str(".")]] : [sentence],
        };
    });
    const about = para(str("Each symbol with the sentence that first uses it; the numbers are chapters, linked to where they do."));
    return [header(1, "notation", [str("Notation")]), about, definitionList(entries)];
}

// The entries of a section "Papers": items of a list, or of a paragraph up to the full stop behind a title, which is in italics.
function papersOf(page) {
    const found = [];
    const add = (entry) => {
        const title = entry.find((e) => e.t === "Emph");
        if (title) found.push({ entry, title: textOf(title.c).toLowerCase(), page });
    };
    eachBlock(page, (block, where) => {
        if (where.section !== "Papers") return;
        if (block.t === "BulletList") block.c.forEach((item) => item.forEach((b) => b.c && add(b.c)));
        if (block.t === "Para") {
            let entry = [];
            for (const part of sentences(block.c)) {
                entry.push(...(entry.length ? [{ t: "Space" }] : []), ...part);
                if (part.some((e) => e.t === "Emph")) (add(entry), (entry = []));
            }
        }
    });
    return found;
}

function papers(pages) {
    const all = pages
        .filter((p) => p.chapter)
        .flatMap(papersOf)
        .sort(byText((p) => textOf(p.entry)));
    const items = grouped(all, (p) => p.title).map((group) => {
        const cited = [...group].sort((a, b) => a.page.chapter.localeCompare(b.page.chapter));
        const places = cited.flatMap((p, i) => [...(i ? [str(", ")] : []), chapterLink(p.page, "#papers")]);
        return [{ t: "Plain", c: [...inlines(group[0].entry, group[0].page), str(" — chapter "), ...places] }];
    });
    return [header(1, "papers", [str("Papers")]), { t: "BulletList", c: items }];
}

module.exports = { glossary, notation, papers };
