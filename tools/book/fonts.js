// The faces of the pages: Literata for the text, Public Sans for what surrounds it, JetBrains Mono
// for code; all under the SIL Open Font License, without a reserved name. Each is cut down to the
// letters below; what is not there comes from the reader's system. page.css says where each is used.
"use strict";
const fs = require("fs");
const path = require("path");
const subset = require("subset-font");

const ascii = String.fromCharCode(...Array.from({ length: 95 }, (_, i) => 32 + i));
const letters = ascii + "·×±−–—²√→…½ëäöüéß“”‘’•°";
const isVariable = (face) => face.includes("-wght-");
const faces = {
    text: "literata/files/literata-latin-400-normal",
    italic: "literata/files/literata-latin-400-italic",
    bold: "literata/files/literata-latin-600-normal",
    sans: "public-sans/files/public-sans-latin-wght-normal",
    code: "jetbrains-mono/files/jetbrains-mono-latin-400-normal",
};

function packageOf(face) {
    const scope = isVariable(face) ? "@fontsource-variable" : "@fontsource";
    return path.dirname(require.resolve(`${scope}/${face.split("/")[0]}/package.json`));
}

// Writes NAME.woff2 of each face, and the licences, in `directory`; those that are there stay.
async function writeFonts(directory) {
    fs.mkdirSync(directory, { recursive: true });
    for (const [name, face] of Object.entries(faces)) {
        const to = path.join(directory, `${name}.woff2`),
            from = packageOf(face);
        if (fs.existsSync(to) && fs.statSync(to).mtimeMs > fs.statSync(__filename).mtimeMs) continue;
        const whole = fs.readFileSync(path.join(from, face.slice(face.indexOf("/")) + ".woff2"));
        const weights = isVariable(face) ? { wght: { min: 400, max: 650 } } : undefined;
        const options = { targetFormat: "woff2", variationAxes: weights };
        fs.writeFileSync(to, await subset(whole, letters, options));
        const licence = path.join(directory, `${path.basename(from)}.LICENSE`);
        fs.copyFileSync(path.join(from, "LICENSE"), licence);
    }
}

module.exports = { writeFonts };
