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
                .then(() => (index = lunr.Index.load(window.bookIndex.index)));
        return loading;
    }

    // The words as they are, and as beginnings of words: a reader types from left to right.
    function results(text) {
        const words = text
            .toLowerCase()
            .split(/[^\p{L}\p{N}_]+/u)
            .filter(Boolean);
        if (!words.length) return [];
        return index
            .query((query) =>
                words.forEach((word) => {
                    query.term(word, { boost: 10, presence: lunr.Query.presence.OPTIONAL });
                    query.term(word, { wildcard: lunr.Query.wildcard.TRAILING });
                }),
            )
            .slice(0, 12)
            .map(({ ref }) => window.bookIndex.shown[ref]);
    }

    // Eighty letters to both sides of the first word that is found.
    function excerpt(text, query) {
        const word = query.trim().split(/\s+/)[0],
            at = text.toLowerCase().indexOf(word.toLowerCase());
        const p = document.createElement("p");
        if (at < 0) p.textContent = text.slice(0, 160);
        else {
            const mark = document.createElement("mark");
            mark.textContent = text.slice(at, at + word.length);
            p.append(
                at > 80 ? "… " : "",
                text.slice(Math.max(0, at - 80), at),
                mark,
                text.slice(at + word.length, at + 80),
            );
        }
        return p;
    }

    function show() {
        const query = input.value.trim();
        found.hidden = !query;
        if (!query) return;
        const list = document.createElement("ol");
        for (const [url, page, title, text] of results(query)) {
            const item = document.createElement("li"),
                link = document.createElement("a");
            link.href = root + url;
            link.textContent = title === page ? page : `${page}: ${title}`;
            link.addEventListener("click", () => (found.hidden = true));
            item.append(link, excerpt(text, query));
            list.append(item);
        }
        const nothing = document.createElement("p");
        nothing.textContent = "Nothing found.";
        found.replaceChildren(list.children.length ? list : nothing);
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
