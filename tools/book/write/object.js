// The symbols that a WebAssembly object shows to other files: { defined: [name], needed: [name] }, functions and variables
// alike, from the symbols of its section "linking".
"use strict";

class Reader {
    constructor(bytes, at = 0) {
        ((this.bytes = bytes), (this.at = at));
    }
    number() {
        let value = 0;
        for (let shift = 0; ; shift += 7) {
            const byte = this.bytes[this.at++];
            value += (byte & 127) * 2 ** shift;
            if (byte < 128) return value;
        }
    }
    text() {
        const length = this.number();
        this.at += length;
        return new TextDecoder().decode(this.bytes.subarray(this.at - length, this.at));
    }
}

const SECTION = { CUSTOM: 0, IMPORT: 2 };
const KIND = { FUNCTION: 0, TABLE: 1, MEMORY: 2, GLOBAL: 3, TAG: 4 };
const SYMBOL = { FUNCTION: 0, DATA: 1, GLOBAL: 2, SECTION: 3, TAG: 4, TABLE: 5 };
const FLAG = { LOCAL: 2, UNDEFINED: 16, NAMED: 64 };

// [{ kind, at, end }] of a module's or an object's sections; at is behind the name, where one has it.
function sectionsOf(bytes) {
    const list = [];
    for (const reader = new Reader(bytes, 8); reader.at < bytes.length; ) {
        const kind = bytes[reader.at++],
            length = reader.number(),
            end = reader.at + length;
        const name = kind === SECTION.CUSTOM ? reader.text() : "";
        list.push({ kind, name, at: reader.at, end });
        reader.at = end;
    }
    return list;
}

function importedFunctions(bytes, section) {
    const names = [],
        reader = new Reader(bytes, section.at);
    const limits = () => (reader.number() & 1 ? [reader.number(), reader.number()] : [reader.number()]);
    for (let n = reader.number(); n > 0; n--) {
        reader.text();
        const name = reader.text(),
            kind = bytes[reader.at++];
        if (kind === KIND.FUNCTION) names.push((reader.number(), name));
        else if (kind === KIND.TABLE) (reader.at++, limits());
        else if (kind === KIND.MEMORY) limits();
        else reader.at += 2;
    }
    return names;
}

function symbolsOf(bytes) {
    const sections = sectionsOf(bytes);
    const imports = sections.find((s) => s.kind === SECTION.IMPORT),
        linking = sections.find((s) => s.name === "linking");
    const functions = imports ? importedFunctions(bytes, imports) : [];
    const shown = { defined: [], needed: [] };
    const reader = new Reader(bytes, linking.at + 1); // behind the version
    while (reader.at < linking.end) {
        const kind = bytes[reader.at++],
            end = reader.number() + reader.at;
        if (kind === 8) readSymbols(reader, functions, shown);
        reader.at = end;
    }
    return shown;
}

function readSymbols(reader, functions, shown) {
    for (let n = reader.number(); n > 0; n--) {
        const kind = reader.number(),
            flags = reader.number(),
            undefinedHere = flags & FLAG.UNDEFINED;
        let name = "";
        if (kind === SYMBOL.DATA) {
            name = reader.text();
            if (!undefinedHere) (reader.number(), reader.number(), reader.number());
        } else {
            const index = reader.number();
            if (kind !== SYMBOL.SECTION)
                name = !undefinedHere || flags & FLAG.NAMED ? reader.text() : functions[index] || "";
        }
        if ((kind === SYMBOL.FUNCTION || kind === SYMBOL.DATA) && !(flags & FLAG.LOCAL) && !name.startsWith("__"))
            shown[undefinedHere ? "needed" : "defined"].push(name);
    }
}

if (typeof module !== "undefined") module.exports = { sectionsOf, symbolsOf };
