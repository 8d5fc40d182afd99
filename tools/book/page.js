// The script of every page: the theme's switch, a table of contents that follows, arrow keys, anchors at headings.
"use strict";
(() => {
    const root = document.documentElement;

    // --- theme: system, light, dark ---
    const themes = ["system", "light", "dark"],
        button = document.querySelector(".theme");
    function show() {
        const name = root.dataset.theme || "system",
            words = document.createElement("span");
        words.textContent = ` Theme: ${name}`;
        button.replaceChildren({ system: "◐", light: "○", dark: "●" }[name], words);
        button.setAttribute("aria-label", `Theme: ${name}`);
    }
    button.hidden = false;
    button.addEventListener("click", () => {
        const next = themes[(themes.indexOf(root.dataset.theme || "system") + 1) % themes.length];
        if (next === "system") delete root.dataset.theme;
        else root.dataset.theme = next;
        try {
            if (next === "system") localStorage.removeItem("theme");
            else localStorage.setItem("theme", next);
        } catch (error) {
            // Without storage the choice lasts as long as the page.
        }
        show();
    });
    show();

    // --- anchors ---
    document.querySelectorAll("article :is(h2, h3)[id]").forEach((heading) => {
        const anchor = document.createElement("a");
        anchor.className = "anchor";
        anchor.href = `#${heading.id}`;
        anchor.textContent = "#";
        anchor.setAttribute("aria-label", `link to ${heading.textContent}`);
        heading.append(anchor);
    });

    // --- the table of contents marks the section that is read ---
    const links = new Map([...document.querySelectorAll(".toc a")].map((a) => [decodeURIComponent(a.hash.slice(1)), a]));
    const headings = [...links.keys()].map((id) => document.getElementById(id)).filter(Boolean);
    const sidebar = document.getElementById("contents");
    let current = null;
    function follow() {
        const read = headings.filter((h) => h.getBoundingClientRect().top < 120).pop() || headings[0];
        const link = read && links.get(read.id);
        if (!link || link === current) return;
        if (current) current.removeAttribute("aria-current");
        current = link;
        link.setAttribute("aria-current", "location");
        const { top, bottom } = link.getBoundingClientRect(),
            frame = sidebar.getBoundingClientRect();
        if (top < frame.top || bottom > frame.bottom) sidebar.scrollTop += top - frame.top - frame.height / 3;
    }
    addEventListener("scroll", follow, { passive: true });
    follow();
    // On a narrow screen the contents lie over the text.
    sidebar.addEventListener("click", (event) => event.target.closest("a") && sidebar.matches(":popover-open") && sidebar.hidePopover());

    // --- keys: arrows turn the page, from the text itself; not from what is worked with, and not while a program runs ---
    const worked = "input, textarea, select, button, summary, dialog, [tabindex], .run, .predict, .exercise, .kept, .live";
    addEventListener("keydown", (event) => {
        if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey || event.defaultPrevented) return;
        if (event.target.closest(worked) || document.querySelector(".run-stop:not([hidden])")) return;
        const rel = { ArrowLeft: "prev", ArrowRight: "next" }[event.key];
        const link = rel && document.querySelector(`.ends a[rel="${rel}"]`);
        if (link) location.href = link.href;
    });

    // --- copying ---
    function copyButton(textOf, label) {
        const copy = document.createElement("button");
        copy.type = "button";
        copy.className = "copy";
        copy.textContent = "Copy";
        copy.setAttribute("aria-label", label);
        copy.addEventListener("click", async () => {
            try {
                await navigator.clipboard.writeText(textOf());
                copy.textContent = "Copied";
            } catch (error) {
                copy.textContent = "Not allowed";
            }
            setTimeout(() => (copy.textContent = "Copy"), 2000);
        });
        return copy;
    }
    globalThis.copyButton = copyButton;
    let listings = 0;
    document.querySelectorAll("article pre").forEach((pre) => {
        if (pre.matches(".run-pane")) return;
        const box = document.createElement("div");
        box.className = "code-box";
        pre.before(box);
        box.append(
            pre,
            copyButton(() => pre.textContent, `Copy listing ${++listings}`),
        );
    });

    // --- figures in full: the same drawing, as wide as it can be read ---
    document.querySelectorAll("article figure[id]").forEach((figure) => {
        const open = document.createElement("button");
        open.type = "button";
        open.className = "figure-full";
        open.textContent = "Open in full";
        open.setAttribute("aria-label", `Open ${figure.id} in full`);
        open.addEventListener("click", () => showFull(figure, open));
        figure.append(open);
    });
    function showFull(figure, open) {
        const drawing = figure.querySelector("svg"),
            place = drawing.parentNode;
        const dialog = document.createElement("dialog"),
            close = document.createElement("button"),
            box = document.createElement("div");
        dialog.className = "full";
        dialog.setAttribute("aria-label", drawing.getAttribute("aria-label"));
        close.textContent = "Close";
        close.addEventListener("click", () => dialog.close());
        box.className = "scroll";
        box.tabIndex = 0;
        box.append(drawing);
        dialog.append(close, box);
        dialog.addEventListener("close", () => {
            place.append(drawing);
            dialog.remove();
            open.focus();
        });
        document.body.append(dialog);
        dialog.showModal();
    }

    // --- what scrolls can be scrolled by keys, and shows on which side there is more ---
    const scrollers = "pre, .scroll, .katex-display";
    function showMore(box) {
        const sides = [];
        if (box.scrollLeft > 2) sides.push("left");
        if (box.scrollLeft + box.clientWidth < box.scrollWidth - 2) sides.push("right");
        if (sides.length) box.dataset.more = sides.join(" ");
        else delete box.dataset.more;
    }
    function reachable() {
        document.querySelectorAll(scrollers).forEach((box) => {
            if (box.scrollWidth > box.clientWidth + 1 || box.scrollHeight > box.clientHeight + 1) box.tabIndex = 0;
            else if (!box.matches(".run-pane")) box.removeAttribute("tabindex");
            showMore(box);
        });
    }
    document.addEventListener("scroll", (event) => event.target.matches?.(scrollers) && showMore(event.target), {
        capture: true,
        passive: true,
    });
    addEventListener("resize", reachable);
    addEventListener("reveal", reachable);
    addEventListener("load", reachable);
})();
