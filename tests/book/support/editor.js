// The actions of a reader in a page's editor: writes a text, has it checked, and reads the report.
"use strict";

const MINUTES = 60000;

async function type(page, box, text) {
    await box.locator(".cm-content").focus();
    await page.keyboard.press("Control+a");
    await page.keyboard.insertText(text);
}

// Presses Check or Judge, as press() does, and waits for the end: { report, state, seconds }.
async function verdict(page, box, press) {
    const state = await box.locator(".write-state").elementHandle();
    await state.evaluate((element) => (element.textContent = ""));
    const begin = Date.now();
    await press();
    await page.waitForFunction((element) => /, in [\d.]+ s$|This did not work|^stopped$/.test(element.textContent), state, { timeout: 5 * MINUTES });
    return {
        report: await box.locator(".write-report").first().textContent(),
        state: await state.innerText(),
        seconds: (Date.now() - begin) / 1000,
    };
}

async function submit(page, box, text, press) {
    await type(page, box, text);
    return verdict(page, box, press);
}

module.exports = { MINUTES, submit, type, verdict };
