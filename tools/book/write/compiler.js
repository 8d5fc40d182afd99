// clang and its linker as WebAssembly (the package @yowasp/clang), in a page's worker and in node: compiles a learner's file as make
// check does, and links it with the tests of its exercise or with a chapter's program; object.js stands before it.
//
// Its files are in llvm-resources.tar (sysroot.sh): /usr has the C library and /usr/course the headers of this project.
"use strict";

const COURSE = "/usr/course/";
const CODE = 10; // the kind of a section

// A learner's file is told of mistakes, and not of style: ordinary_flags and NO_EXIT in tools/make/lib.sh.
const WARNINGS = "-Wall -Wextra -Wshadow -Wno-unused-parameter -Wno-unknown-pragmas -Wno-unused-function -Werror=return-type";
const FLOATS = "-ffp-contract=off -fno-rounding-math -target-feature +simd128 -target-feature +nontrapping-fptoint";
const NO_EXIT = "-include check/crash.h -Dexit=exit_in_test -D_exit=exit_in_test -D_Exit=exit_in_test -Dquick_exit=exit_in_test";
const WASI = "MMAN SIGNAL GETPID PROCESS_CLOCKS".replace(/\w+/g, "-D_WASI_EMULATED_$&") + " -include shims.h";
const PLACES = ["common", "chapters", "tests/support", "tools/book/wasm"].map((at) => `-iquote ${COURSE}${at}`).join(" ");
// Each read and write, and each basic block, calls what tests/harness/page_memory.c has.
const WATCHED =
    "-fsanitize=address -mllvm -asan-instrumentation-with-call-threshold=0 -mllvm -asan-stack=0 -mllvm -asan-globals=0 " +
    "-fsanitize-coverage-type=2 -fsanitize-coverage-trace-pc -mllvm -sanitizer-coverage-prune-blocks=0";
const COMPILE =
    "clang -cc1 -triple wasm32-unknown-wasi -emit-obj -std=gnu11 -fgnuc-version=4.2.1 -disable-free -mrelocation-model static " +
    "-mframe-pointer=none -target-cpu generic -fvisibility=hidden " +
    "-fdebug-compilation-dir=. -resource-dir /usr -internal-isystem /usr/include -internal-isystem /usr/include/wasm32-wasi " +
    `-ferror-limit 19 ${FLOATS} ${WARNINGS} ${WASI} ${PLACES}`;
// In a program a learner's file is compiled like the rest of it.
const FOR_TESTS = `-O1 -debug-info-kind=constructor -dwarf-version=4 ${NO_EXIT} ${WATCHED}`,
    FOR_PROGRAM = "-O2 -vectorize-loops -vectorize-slp";
const KINDS = { tests: FOR_TESTS, program: FOR_PROGRAM };
// Variables of functions, and what malloc gives, hold what no number is.
const FILLED = "-ftrivial-auto-var-init=pattern -Dmalloc=malloc_filled -include malloc_filled.h";

// Bytes, of a test. What it begins with is no more than asked for before it is written to; to grow takes time.
const MEMORY = { stack: 8 << 20, first: 256 << 20, most: 1 << 30 };
const LIBRARIES = "course wasi-emulated-mman wasi-emulated-signal wasi-emulated-getpid wasi-emulated-process-clocks shims c builtins";
const LINK_PROGRAM =
    "wasm-ld -m wasm32 -L/usr/lib /usr/lib/crt1-command.o @objects --strip-all -z stack-size=1048576 @more " +
    LIBRARIES.replace(/[\w-]+/g, "-l$&") +
    " -o linked.wasm";
const LINK =
    "wasm-ld -m wasm32 -L/usr/lib /usr/lib/crt1-command.o rest.o mine.o --stack-first " +
    `-z stack-size=${MEMORY.stack} --initial-memory=${MEMORY.first} --max-memory=${MEMORY.most} --export-table --export=__stack_pointer ` +
    LIBRARIES.replace(/[\w-]+/g, "-l$&") +
    " -o linked.wasm";

class Compiler {
    // llvm(arguments, files, options): runLLVM of the package, which throws where a tool fails.
    constructor(llvm) {
        this.llvm = llvm;
    }

    async run(args, files, made) {
        const decoder = new TextDecoder();
        let said = "";
        const hear = (bytes) => {
            if (bytes) said += decoder.decode(bytes, { stream: true });
        };
        try {
            const options = { stdout: hear, stderr: hear, decodeASCII: false, fetchProgress() {} };
            const after = await this.llvm(args, files, options);
            return { made: after[made], said };
        } catch (error) {
            if (error.code === undefined) throw error;
            return { made: undefined, said };
        }
    }

    // The object of a file, and what is said against it. file: exercises/NN-name/X.c; counted: functions whose calls the tests
    // count, as their __wrap_FUNCTION; kind: what it is compiled for.
    compile(file, source, { counted = [], filled = false, kind = "tests" }) {
        const flags = [COMPILE, KINDS[kind], ...counted.map((name) => `-D${name}=__wrap_${name}`), ...(filled ? [FILLED] : [])].join(" ").split(" ");
        const folders = file.split("/"),
            name = folders.pop();
        const tree = folders.reduceRight((inner, folder) => ({ [folder]: inner }), { [name]: source });
        return this.run([...flags, "-main-file-name", name, "-o", "mine.o", "-x", "c", file], tree, "mine.o").then(
            ({ made, said }) => ({ object: made, said: said.replaceAll(COURSE, "") }),
        );
    }

    async link(rest, object) {
        const { made, said } = await this.run(LINK.split(" "), { "rest.o": rest, "mine.o": object }, "linked.wasm");
        return { linked: made, said };
    }

    // A program of a chapter's own object and some exercises, which come before the library's; wraps: functions whose calls are led to
    // __wrap_FUNCTION.
    async linkProgram(objects, wraps) {
        const names = objects.map((_, i) => `${i}.o`);
        const line = LINK_PROGRAM.replace("@objects", names.join(" ")).replace("@more", wraps.map((name) => `--wrap=${name}`).join(" "));
        const files = Object.fromEntries(names.map((name, i) => [name, objects[i]]));
        const { made, said } = await this.run(line.split(" ").filter(Boolean), files, "linked.wasm");
        return { linked: made, said };
    }

    // Where offsets of a linked module are in its sources: a function and FILE:LINE for each. The module's own names are found by
    // offsets in it, and lines by offsets in its section of code.
    async places(linked, offsets) {
        if (!offsets.length) return [];
        const code = sectionsOf(linked).find((section) => section.kind === CODE).at;
        const addresses = offsets.flatMap((at) => [at, at - code]);
        const args = ["addr2line", "-f", "-e", "linked.wasm", ...addresses.map((at) => `0x${at.toString(16)}`)];
        const { said } = await this.run(args, { "linked.wasm": linked }, "linked.wasm");
        const lines = said.split("\n");
        return offsets.map((_, i) => [lines[4 * i] || "??", (lines[4 * i + 3] || "??:0").replace(/^\.\//, "")]);
    }
}

if (typeof module !== "undefined") {
    Object.assign(globalThis, require("./object.js"));
    module.exports = { Compiler };
}
