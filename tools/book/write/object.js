// What the page reads of a WebAssembly object or module: its sections, and the names that it shows to other files.
"use strict";

class Reader {
    constructor(bytes, at) {
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

const CUSTOM_SECTION = 0,
    SYMBOL_TABLE = 8; // a part of the section "linking"
const SYMBOL = { FUNCTION: 0, DATA: 1, SECTION: 3 };
const FLAG = { LOCAL: 2, UNDEFINED: 16, NAMED: 64 };

// [{ kind, name, at, end }] of a module's or an object's sections; at is behind the name, where one has it.
function sectionsOf(bytes) {
    const list = [];
    for (const reader = new Reader(bytes, 8); reader.at < bytes.length; ) {
        const kind = reader.number(),
            length = reader.number(),
            end = reader.at + length;
        const name = kind === CUSTOM_SECTION ? reader.text() : "";
        list.push({ kind, name, at: reader.at, end });
        reader.at = end;
    }
    return list;
}

// The functions and variables that an object defines for other files, by name.
function symbolsOf(bytes) {
    const names = [],
        linking = sectionsOf(bytes).find((section) => section.name === "linking");
    for (const reader = new Reader(bytes, linking.at + 1); reader.at < linking.end; ) { // behind the version
        const kind = reader.number(),
            length = reader.number(),
            end = reader.at + length;
        for (let n = kind === SYMBOL_TABLE ? reader.number() : 0; n > 0; n--) readSymbol(reader, names);
        reader.at = end;
    }
    return names;
}

function readSymbol(reader, names) {
    const kind = reader.number(),
        flags = reader.number(),
        isDefined = !(flags & FLAG.UNDEFINED);
    if (kind !== SYMBOL.DATA) reader.number(); // its index
    const isNamed = kind === SYMBOL.DATA || (kind !== SYMBOL.SECTION && (isDefined || flags & FLAG.NAMED));
    const name = isNamed ? reader.text() : "";
    if (kind === SYMBOL.DATA && isDefined) for (let i = 0; i < 3; i++) reader.number(); // its place
    const isShown = kind <= SYMBOL.DATA && isDefined && !(flags & FLAG.LOCAL);
    if (isShown && !name.startsWith("__")) names.push(name);
}

if (typeof module !== "undefined") module.exports = { sectionsOf, symbolsOf };
