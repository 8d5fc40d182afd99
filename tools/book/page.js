// What every page does: the theme's switch, a table of contents that follows, arrow keys, anchors at headings.
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
    const links = new Map(
        [...document.querySelectorAll(".toc a")].map((a) => [decodeURIComponent(a.hash.slice(1)), a]),
    );
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
    sidebar.addEventListener(
        "click",
        (event) => event.target.closest("a") && sidebar.matches(":popover-open") && sidebar.hidePopover(),
    );

    // --- keys: arrows turn the page ---
    addEventListener("keydown", (event) => {
        if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey || event.defaultPrevented) return;
        if (event.target.closest("input, textarea, select, button, [tabindex], .run")) return;
        const rel = { ArrowLeft: "prev", ArrowRight: "next" }[event.key];
        const link = rel && document.querySelector(`.ends a[rel="${rel}"]`);
        if (link) location.href = link.href;
    });

    // --- what scrolls can be scrolled by keys ---
    const scrollers = "pre, .scroll, .katex-display";
    function reachable() {
        document.querySelectorAll(scrollers).forEach((box) => {
            if (box.scrollWidth > box.clientWidth + 1 || box.scrollHeight > box.clientHeight + 1) box.tabIndex = 0;
            else box.removeAttribute("tabindex");
        });
    }
    addEventListener("resize", reachable);
    addEventListener("reveal", reachable);
    addEventListener("load", reachable);
})();
