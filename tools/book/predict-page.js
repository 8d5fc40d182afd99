// "Predict" boxes: hides what follows a prediction until there is one, then says what was measured. What the reader answered
// stays in local storage. Until then the first of its figures stands in the box, with its axes and without its data. Without
// scripts nothing is hidden and nothing is asked.
"use strict";
(() => {
    const chapter = document.body.dataset.chapter;
    const key = (id) => `predict/${chapter}/${id}`;
    // Where a browser keeps nothing, the answers last as long as the page.
    const kept = {
        get(id) {
            try {
                return JSON.parse(localStorage.getItem(key(id)));
            } catch (error) {
                return null;
            }
        },
        set(id, answers) {
            try {
                localStorage.setItem(key(id), JSON.stringify(answers));
            } catch (error) {
                /* not kept */
            }
        },
        remove(id) {
            try {
                localStorage.removeItem(key(id));
            } catch (error) {
                /* was not kept */
            }
        },
    };

    function element(name, className, ...children) {
        const e = document.createElement(name);
        e.className = className;
        e.append(...children);
        return e;
    }

    // A slider has 201 places, on a scale that is linear or logarithmic.
    const range = (fieldset) => ({
        low: Number(fieldset.dataset.low),
        high: Number(fieldset.dataset.high),
        log: "log" in fieldset.dataset,
    });
    function valueAt(fieldset, place) {
        const { low, high, log } = range(fieldset),
            share = place / 200;
        return log ? low * (high / low) ** share : low + (high - low) * share;
    }
    function shareOf(fieldset, value) {
        const { low, high, log } = range(fieldset);
        return log ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
    }
    const short = (value) => String(Number(value.toPrecision(value !== 0 && Math.abs(value) < 1 ? 2 : 3)));

    function onScale(className, fieldset, value, text) {
        const mark = element("span", className, text);
        mark.style.left = `${100 * shareOf(fieldset, value)}%`;
        return mark;
    }

    // The feedback on one answer: a place on the scale beside the measured one, a choice beside the right one, or the words.
    function verdict(fieldset, answer) {
        if (fieldset.dataset.measured !== undefined) {
            const measured = Number(fieldset.dataset.measured),
                yours = valueAt(fieldset, Number(answer));
            const { low, high } = range(fieldset),
                ends = [low, high].map((end, i) => element("span", i ? "high" : "low", String(end)));
            const scale = element(
                "div",
                "scale",
                ...ends,
                onScale("yours", fieldset, yours, `you ${short(yours)}`),
                onScale("measured", fieldset, measured, `measured ${fieldset.dataset.measured}`),
            );
            scale.setAttribute("role", "img");
            scale.setAttribute("aria-label", `you: ${short(yours)}; measured: ${fieldset.dataset.measured}`);
            return [element("p", "verdict", fieldset.querySelector("legend").textContent), scale];
        }
        if (fieldset.dataset.right !== undefined) {
            const labels = [...fieldset.querySelectorAll("label")].map((label) => label.textContent.trim());
            const right = Number(fieldset.dataset.right),
                hit = Number(answer) === right;
            const said = hit ? `✓ You said "${labels[right]}", and so it is.` : `✗ You said "${labels[answer]}"; it is "${labels[right]}".`;
            return [element("p", hit ? "verdict right" : "verdict", said)];
        }
        return [element("p", "verdict", `You said: ${answer}`)];
    }

    // The switch that shows everything, in this page and in all others.
    const EVERYTHING = "show-everything";
    const showsEverything = () => {
        try {
            return localStorage.getItem(EVERYTHING) === "yes";
        } catch (error) {
            return false;
        }
    };
    const boxes = [];
    function everything(shows) {
        try {
            if (shows) localStorage.setItem(EVERYTHING, "yes");
            else localStorage.removeItem(EVERYTHING);
        } catch (error) {
            /* for this page, then */
        }
        boxes.forEach((box) => box.show(shows));
    }

    // The figure that is hidden with `rest`, where gnuplot drew it: take() brings its drawing here, give() puts it back.
    function glimpse(rest) {
        const drawing = [...rest.querySelectorAll("figure svg")].find((svg) => svg.querySelector(".data"));
        const place = drawing && drawing.parentNode,
            box = element("div", "glimpse");
        box.setAttribute("aria-hidden", "true"); // its words say what it shows
        return drawing ? { box, take: () => box.append(drawing), give: () => place.append(drawing) } : null;
    }

    // A link to what is hidden shows it; browsers that know "until-found" do so by themselves.
    function showTarget() {
        const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
        const hidden = target && target.closest(".rest[hidden]");
        if (!hidden) return;
        hidden.dispatchEvent(new Event("beforematch"));
        target.scrollIntoView();
    }
    addEventListener("hashchange", showTarget);

    document.querySelectorAll(".predict").forEach((box) => {
        const id = box.id,
            form = box.querySelector("form"),
            rest = document.querySelector(`.rest[data-for="${id}"]`);
        const fieldsets = [...form.querySelectorAll("fieldset")];
        const said = element("div", "said");
        said.setAttribute("aria-live", "polite");
        said.tabIndex = -1;
        form.after(said);
        const figure = glimpse(rest);
        if (figure) form.before(figure.box);
        const all = element("input", "");
        all.type = "checkbox";
        all.addEventListener("change", () => everything(all.checked));
        said.after(element("label", "everything", all, " Show everything, without asking"));

        function reveal(answers) {
            const hadFocus = form.contains(document.activeElement);
            form.hidden = true;
            rest.hidden = false;
            if (figure) figure.give();
            const again = element("button", "again", "Predict again");
            again.type = "button";
            again.addEventListener("click", () => {
                kept.remove(id);
                ask();
                form.querySelector("input, textarea").focus();
            });
            again.textContent = answers ? "Predict again" : "Predict it first";
            said.replaceChildren(...(answers || []).flatMap((answer, i) => verdict(fieldsets[i], answer)), again);
            if (hadFocus) said.focus({ preventScroll: true });
            dispatchEvent(new Event("reveal"));
        }
        function ask() {
            form.hidden = false;
            // A search within the page, and a link to what is hidden, may find it.
            rest.setAttribute("hidden", "until-found");
            if (figure) figure.take();
            said.replaceChildren();
        }
        fieldsets.forEach((fieldset) => {
            const slider = fieldset.querySelector("input[type=range]"),
                output = fieldset.querySelector("output");
            if (!slider) return;
            const say = () => {
                output.textContent = `my prediction: ${short(valueAt(fieldset, Number(slider.value)))}`;
                slider.setAttribute("aria-valuetext", short(valueAt(fieldset, Number(slider.value))));
            };
            slider.addEventListener("input", say);
            say();
        });
        form.addEventListener("submit", (event) => {
            event.preventDefault();
            const answers = fieldsets.map((_, i) => new FormData(form).get(`${id}-${i}`));
            kept.set(id, answers);
            reveal(answers);
        });
        form.querySelector(".show").addEventListener("click", () => reveal(null));
        rest.addEventListener("beforematch", () => reveal(null));

        const answered = () => (kept.get(id) || []).length === fieldsets.length;
        const show = (shows) => {
            all.checked = shows;
            if (answered()) reveal(kept.get(id));
            else if (shows) reveal(null);
            else ask();
        };
        boxes.push({ show, figure, rest });
        show(showsEverything());
    });
    // On paper each figure is in its place.
    addEventListener("beforeprint", () => boxes.forEach(({ figure }) => figure && figure.give()));
    addEventListener("afterprint", () => boxes.forEach(({ figure, rest }) => figure && rest.hidden && figure.take()));
    showTarget();
})();
