// The search: the index is loaded when the reader first goes to the field. "/" goes there, Escape leaves.
"use strict";
(() => {
    const form = document.querySelector(".search"),
        input = form.querySelector("input"),
        found = document.getElementById("found");
    const root = document.body.dataset.root || "";
    let index = null,
        loading = null;
    form.hidden = false;

    const script = (name) =>
        new Promise((done, failed) => {
            const element = document.createElement("script");
            element.src = root + name;
            element.onload = done;
            element.onerror = failed;
            document.head.append(element);
        });
    function load() {
        loading =
            loading ||
            script("lunr.js")
                .then(() => script("search-index.js"))
                .then(() => (index = indexOf(window.bookIndex.shown)));
        return loading;
    }
    const indexOf = (shown) =>
        lunr(function () {
            this.ref("id");
            this.field("title", { boost: 5 });
            this.field("bold", { boost: 4 });
            this.field("words");
            shown.forEach(([, , title, text, bold, code], id) => this.add({ id, title, words: `${text} ${code}`, bold }));
        });

    const wordsOf = (text) =>
        text
            .toLowerCase()
            .split(/[^\p{L}\p{N}_]+/u)
            .filter(Boolean);
    const escaped = (word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    const begins = (word) => new RegExp(`(?<![\\p{L}\\p{N}_])${escaped(word)}`, "iu");

    // How many letters may be wrong: one changed, missing, too many, or two in a wrong order count one.
    const mistakes = (word) => (word.length < 4 ? 0 : word.length < 8 ? 1 : 2);
    function distance(a, b) {
        let [before, last] = [[], Array.from({ length: b.length + 1 }, (_, j) => j)];
        for (let i = 1; i <= a.length; i++) {
            const row = [i];
            for (let j = 1; j <= b.length; j++) {
                row[j] = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] !== b[j - 1]));
                if (a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) row[j] = Math.min(row[j], before[j - 2] + 1);
            }
            [before, last] = [last, row];
        }
        return last[b.length];
    }

    // The definitions under that name, best first: the word itself, a kind of it, one that begins so, one that is nearly that.
    function terms(text, words) {
        const wanted = words.join(" ");
        const rank = (name) => {
            const plain = wordsOf(name).join(" ");
            if (plain === wanted) return 0;
            if (plain.endsWith(` ${wanted}`)) return 1;
            if (plain.startsWith(wanted)) return 2;
            if (words.every((word) => begins(word).test(name))) return 3;
            return distance(plain, wanted) <= mistakes(wanted) ? 4 : Infinity;
        };
        return window.bookIndex.terms
            .map((entry) => [rank(entry[1]), entry])
            .filter(([r]) => r < Infinity)
            .sort((a, b) => a[0] - b[0])
            .slice(0, 4)
            .map(([, [url, term, page, sentence]]) => ({
                url,
                title: term,
                note: `defined in ${page}`,
                text: sentence,
            }));
    }

    // The words as they are and as beginnings of words, since a reader types from left to right; where one occurs nowhere, those
    // that are nearly it. Sections with the words in this order come first, titles and what is in bold before the rest.
    function sections(words) {
        const { Query } = lunr;
        const query = (fuzzy) =>
            index.query((q) =>
                words.forEach((word) => {
                    q.term(word, { boost: 10 });
                    q.term(word, { wildcard: Query.wildcard.TRAILING });
                    if (fuzzy) q.term(word, { editDistance: mistakes(word) });
                }),
            );
        const shown = window.bookIndex.shown,
            phrase = begins(words.join(" "));
        const occurs = (word) => shown.some(([, , title, text]) => begins(word).test(title) || begins(word).test(text));
        return query(!words.every(occurs))
            .map(({ ref, score, matchData }) => {
                const [url, page, title, text, bold] = shown[ref];
                const all = words.every((word) => begins(word).test(`${title} ${text}`));
                const more = 40 * phrase.test(bold) + 30 * phrase.test(title) + 15 * phrase.test(text) + 10 * all;
                const late = /^(Questions|Papers|Pitfalls|Recap|Open problems)$/.test(title) ? 0.5 : 1;
                const found = Object.keys(matchData.metadata);
                return {
                    url,
                    title: title === page ? page : `${page}: ${title}`,
                    text,
                    found,
                    score: late * (score + more),
                };
            })
            .sort((a, b) => b.score - a.score)
            .slice(0, 10);
    }

    function results(text) {
        const words = wordsOf(text);
        if (!words.length) return [];
        const defined = terms(text, words),
            named = window.bookIndex.files.filter((file) => file.toLowerCase().includes(text.trim().toLowerCase()));
        const files = named.slice(0, 3).map((file) => ({ url: `source/${file}.html`, title: file, text: "" }));
        return [...defined, ...sections(words), ...(text.trim().length > 2 ? files : [])];
    }

    // Some 160 letters around the first word that is found, with all of them marked.
    function excerpt(text, words) {
        const pattern = new RegExp(`(?<![\\p{L}\\p{N}_])(?:${words.map(escaped).join("|")})[\\p{L}\\p{N}_]*`, "giu");
        const first = Math.max(0, text.search(pattern)),
            from = first < 80 ? 0 : text.indexOf(" ", first - 80) + 1,
            end = text.lastIndexOf(" ", first + 100),
            piece = text.slice(from, text.length > first + 100 && end > first ? end : undefined);
        const p = document.createElement("p");
        let at = 0;
        if (from > 0) p.append("… ");
        for (const match of piece.matchAll(pattern)) {
            const mark = document.createElement("mark");
            mark.textContent = match[0];
            p.append(piece.slice(at, match.index), mark);
            at = match.index + match[0].length;
        }
        p.append(piece.slice(at), from + piece.length < text.length ? " …" : "");
        return p;
    }

    function show() {
        const query = input.value.trim();
        found.hidden = !query;
        if (!query) return;
        const list = document.createElement("ol");
        for (const { url, title, note, text, found: terms } of results(query)) {
            const item = document.createElement("li"),
                link = document.createElement("a");
            link.href = root + url;
            link.textContent = title;
            link.addEventListener("click", () => (found.hidden = true));
            item.append(link, note ? ` ${note}` : "", excerpt(text, [...wordsOf(query), ...(terms || [])]));
            list.append(item);
        }
        const nothing = document.createElement("p");
        nothing.textContent = "Nothing found.";
        found.replaceChildren(list.children.length ? list : nothing);
        found.dataset.query = query;
    }
    input.addEventListener("focus", load);
    input.addEventListener("input", () => load().then(show));
    form.addEventListener("submit", (event) => {
        event.preventDefault();
        load().then(() => {
            show();
            const first = found.querySelector("a");
            if (first) first.focus();
        });
    });
    addEventListener("keydown", (event) => {
        if (event.key === "Escape") {
            if (!found.hidden) input.focus();
            found.hidden = true;
        } else if (event.key === "/" && !event.target.closest("input, textarea, .run")) {
            event.preventDefault();
            input.focus();
        }
    });
})();
