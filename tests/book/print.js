// What make epub, pdf and slides-NN print: each lesson is 15 to 25 slides, which need no network and of which nothing stands
// out of a screen; the EPUB has no error for epubcheck, where that is installed. What a formula could not be set of is an
// error of print.sh already.
"use strict";
const { execFileSync } = require("child_process");
const fs = require("fs");
const path = require("path");
const { check, run, watchedPage } = require("./support/browser");

const epubcheck = "/usr/share/java/epubcheck.jar";
const chapters = fs.readdirSync("chapters").filter((name) => /^\d\d-/.test(name));

// print.sh's output; none where it fails, as where its packages are missing.
function print(...what) {
    try {
        return execFileSync("tools/print/print.sh", what, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"], env: { ...process.env, CHROMIUM: "" } });
    } catch {
        return "";
    }
}

// How far a slide stands out of the screen, and what KaTeX could not read.
function measure() {
    const slide = globalThis.Reveal.getCurrentSlide();
    const { scrollHeight, scrollWidth } = slide;
    return { kind: slide.classList[1], out: Math.max(scrollHeight - 720, scrollWidth - 1280), errors: slide.querySelectorAll(".katex-error").length };
}

async function showDeck(context, chapter) {
    const deck = path.resolve(`build/print/slides-${chapter.slice(0, 2)}.html`);
    check(print("slides", chapter).includes(path.basename(deck)), `${chapter}: no slides`);
    const page = await watchedPage(context, chapter, `file://${path.dirname(deck)}`);
    await page.goto(`file://${deck}`);
    await page.waitForFunction(() => globalThis.Reveal.isReady());
    const slides = await page.evaluate(() => globalThis.Reveal.getTotalSlides());
    check(slides >= 15 && slides <= 25, `${chapter}: ${slides} slides`);
    for (let i = 0; i < slides; i++) {
        await page.evaluate((at) => globalThis.Reveal.slide(at), i);
        const { kind, out, errors } = await page.evaluate(measure);
        check(out <= 0 && !errors, `${chapter}: slide ${i + 1} (${kind}): ${out} pixels too large, ${errors} formulas unread`);
    }
    await page.close();
}

function checkBook() {
    check(print("pdf") && fs.statSync("build/print/course.pdf").size > 1e6, "no PDF");
    check(print("epub"), "no EPUB");
    if (!fs.existsSync(epubcheck)) return console.log("  SKIPPED: epubcheck is missing");
    execFileSync("java", ["-jar", epubcheck, "--quiet", "build/print/course.epub"], { stdio: "inherit" });
}

if (!fs.existsSync("tools/print/venv/done")) {
    console.log("  SKIPPED: print needs pandoc and typst; 'make setup PRINT=1' installs them");
    process.exit(0);
}
run(async (browser) => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
    for (const chapter of chapters) await showDeck(context, chapter);
    checkBook();
});
