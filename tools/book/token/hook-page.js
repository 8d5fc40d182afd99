// The hook's motion: it runs as soon as it can be seen, stops on a click, goes a step at a time,
// and stands still where motion is not wanted.
"use strict";
(() => {
    const hook = document.querySelector(".hook");
    if (!hook) return;
    const data = JSON.parse(hook.dataset.run),
        lessons = JSON.parse(hook.dataset.lessons),
        phases = phasesOf(data);
    const picture = hook.querySelector("svg"),
        says = hook.querySelector(".hook-says"),
        lesson = hook.querySelector(".hook-lesson"),
        bars = hook.querySelector(".bars"),
        play = hook.querySelector(".hook-play");
    let token = 0,
        phase = 0,
        timer = null;

    function show() {
        const frame = hookFrame(data, token, phases[phase]);
        picture.innerHTML = frame.svg;
        says.textContent = frame.says;
        lesson.href = lessons[frame.lesson];
        lesson.textContent = `You write this in ${frame.lesson}`;
        bars.classList.toggle("pending", !frame.next);
        [...bars.children].forEach((item, i) => {
            const [word, p] = (frame.next || data.followed[token].next)[i];
            item.querySelector("code").textContent = frame.next ? word : "";
            item.querySelector(".amount").style.width = frame.next ? `${100 * p}%` : "0";
            item.lastElementChild.textContent = frame.next ? `${Math.round(100 * p)} %` : "";
        });
    }
    function step() {
        phase++;
        if (phase === phases.length) [phase, token] = [0, (token + 1) % data.followed.length];
        // Behind the last token of the text there is none to write: it begins again.
        if (token === data.followed.length - 1 && phases[phase] === "write")
            [phase, token] = [0, 0];
        show();
    }
    function run(on) {
        clearInterval(timer);
        timer = on ? setInterval(step, 900) : null;
        play.textContent = on ? "Stop" : "Play";
    }
    play.addEventListener("click", () => run(!timer));
    hook.querySelector(".hook-step").addEventListener("click", () => (run(false), step()));
    hook.querySelector(".hook-keys").hidden = false;
    show();
    run(!matchMedia("(prefers-reduced-motion: reduce)").matches);
    step();
})();
