// The way from step to step on the page "One token": keys, buttons, playing, and the map that
// follows.
"use strict";

const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
const seen = () => {
    const middle = innerHeight / 3;
    return Math.max(
        0,
        steps.findLastIndex((section) => section.getBoundingClientRect().top < middle),
    );
};
function goTo(id) {
    const heading = document.getElementById(id);
    heading.scrollIntoView({ behavior: still ? "auto" : "smooth", block: "start" });
    heading.focus({ preventScroll: true });
}
const step = (by) => goTo(steps[Math.min(Math.max(seen() + by, 0), steps.length - 1)].dataset.step);
addEventListener("keydown", (event) => {
    if (
        event.ctrlKey ||
        event.altKey ||
        event.metaKey ||
        event.target.closest("input, select, textarea, .scroll")
    )
        return;
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    if (!event.shiftKey) return step(by);
    if (!state.run) return;
    state.at = Math.min(Math.max(state.at + by, 0), state.run.shown - 1);
    show();
});
let playing = null;
const play = button("▶ Play", () => {
    if (playing) clearInterval(playing);
    playing = playing
        ? null
        : setInterval(() => (seen() < steps.length - 1 ? step(1) : play.click()), 3500);
    play.textContent = playing ? "❚❚ Stop" : "▶ Play";
});
let marked = null;
function mark() {
    const now = steps[seen()].dataset.step;
    if (now === marked) return;
    marked = now;
    document.querySelectorAll(".token-map a").forEach((link) => {
        if (link.dataset.to === now) link.setAttribute("aria-current", "step");
        else link.removeAttribute("aria-current");
    });
    const list = document.querySelector(".token-map"),
        link = list.querySelector("[aria-current]");
    if (list.scrollWidth > list.clientWidth)
        list.scrollLeft = link.offsetLeft - list.clientWidth / 2;
}
addEventListener("scroll", mark, { passive: true });
