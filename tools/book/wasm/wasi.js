// Runs a program for WebAssembly: the system calls of WASI (preview 1) that wasi-libc makes, with files in memory. In a page's
// worker and in node (run.js).
//
//   files  = new Files(); files.put('build/small/config.json', bytes); files.get(path); files.paths()
//   code   = runProgram(module, ['build/00-tensors', '--seed', '1'], files, {write(descriptor, bytes), terminal, fileWritten(path)})
//
// write gets what goes to standard output (1) and error (2). `terminal`: error is one, where programs draw progress bars.
// host may also have environment, ["NAME=value"], imports, beside WASI's, and started(instance), which is called before main.
// What is not there is refused with an errno, as a system would: the programs have messages for that.
"use strict";

const ERRNO = {
    OK: 0,
    BADF: 8,
    EXIST: 20,
    INVAL: 28,
    ISDIR: 31,
    NOENT: 44,
    NOSYS: 52,
    NOTDIR: 54,
    NOTEMPTY: 55,
    SPIPE: 70,
};
const TYPE = { CHARACTER_DEVICE: 2, DIRECTORY: 3, REGULAR_FILE: 4 };

/* Files by path, without a slash in front; the root is ''. A name may go while the file is open. */
class Files {
    constructor() {
        this.byPath = new Map([["", { directory: true, inode: 1 }]]);
        this.inodes = 1;
    }
    create(path, entry) {
        entry.inode = ++this.inodes;
        this.byPath.set(path, entry);
        return entry;
    }
    put(path, bytes) {
        const parts = path.split("/");
        for (let i = 1; i < parts.length; i++) {
            const directory = parts.slice(0, i).join("/");
            if (!this.byPath.has(directory)) this.create(directory, { directory: true });
        }
        this.create(path, { bytes, size: bytes.length });
    }
    get(path) {
        const file = this.byPath.get(path);
        return file && !file.directory ? file.bytes.subarray(0, file.size) : undefined;
    }
    paths() {
        return [...this.byPath].filter(([, file]) => !file.directory).map(([path]) => path);
    }
    children(path) {
        const start = path === "" ? "" : path + "/";
        return [...this.byPath]
            .filter(([at]) => at !== "" && at.startsWith(start) && !at.slice(start.length).includes("/"))
            .map(([at, file]) => ({ name: at.slice(start.length), file }));
    }
}

/* The path, from a directory: '.' and '..' taken out. */
function resolvePath(directory, path) {
    const parts = [];
    for (const part of (path.startsWith("/") ? path : directory + "/" + path).split("/")) {
        if (part === "..") parts.pop();
        else if (part !== "" && part !== ".") parts.push(part);
    }
    return parts.join("/");
}

function writeAt(file, bytes, at) {
    const end = at + bytes.length;
    if (end > file.bytes.length) {
        const larger = new Uint8Array(Math.max(end, 2 * file.bytes.length, 4096));
        larger.set(file.bytes.subarray(0, file.size));
        file.bytes = larger;
    }
    file.bytes.set(bytes, at);
    file.size = Math.max(file.size, end);
}

/* Ends a program from within a system call. */
class Exit {
    constructor(code) {
        this.code = code;
    }
}

function runProgram(module, args, files, host) {
    const encoder = new TextEncoder(),
        decoder = new TextDecoder();
    const root = { path: "", file: files.byPath.get(""), at: 0 };
    const open = [{ stream: 0 }, { stream: 1 }, { stream: 2 }, root];
    let memory;
    const view = () => new DataView(memory.buffer);
    const bytesAt = (at, length) => new Uint8Array(memory.buffer, at, length);
    const textAt = (at, length) => decoder.decode(bytesAt(at, length).slice());
    const from = (descriptor, at, length) => resolvePath(open[descriptor].path, textAt(at, length));
    const typeOf = (d) =>
        d.file ? (d.file.directory ? TYPE.DIRECTORY : TYPE.REGULAR_FILE) : d.stream === 2 && !host.terminal ? 0 : TYPE.CHARACTER_DEVICE;

    const putStatus = (at, inode, type, size) => {
        const v = view();
        bytesAt(at, 64).fill(0);
        v.setBigUint64(at, 1n, true);
        v.setBigUint64(at + 8, BigInt(inode), true);
        v.setUint8(at + 16, type);
        v.setBigUint64(at + 24, 1n, true);
        v.setBigUint64(at + 32, BigInt(size), true);
        return ERRNO.OK;
    };
    const environment = host.environment || [];
    const bytesOf = (strings) => strings.reduce((sum, string) => sum + encoder.encode(string).length + 1, 0);
    const putStrings = (strings) => (pointers, buffer) => {
        for (const string of strings) {
            const bytes = encoder.encode(string + "\0");
            view().setUint32(pointers, buffer, true);
            bytesAt(buffer, bytes.length).set(bytes);
            ((pointers += 4), (buffer += bytes.length));
        }
        return ERRNO.OK;
    };
    /* Calls piece(address, length) for each part of a list of buffers, until one takes less than all of it. */
    const forBuffers = (list, count, total, piece) => {
        let sum = 0;
        for (let i = 0; i < count; i++) {
            const length = view().getUint32(list + 8 * i + 4, true);
            const done = piece(view().getUint32(list + 8 * i, true), length);
            sum += done;
            if (done < length) break;
        }
        view().setUint32(total, sum, true);
        return ERRNO.OK;
    };
    const readInto = (file, position) => (at, length) => {
        const part = file.bytes.subarray(position, Math.min(position + length, file.size));
        bytesAt(at, part.length).set(part);
        position += part.length;
        return part.length;
    };
    const nanoseconds = () => BigInt(Math.round((performance.timeOrigin + performance.now()) * 1e6));

    const calls = {
        args_sizes_get(count, bytes) {
            view().setUint32(count, args.length, true);
            view().setUint32(bytes, bytesOf(args), true);
            return ERRNO.OK;
        },
        args_get: putStrings(args),
        environ_sizes_get(count, bytes) {
            view().setUint32(count, environment.length, true);
            view().setUint32(bytes, bytesOf(environment), true);
            return ERRNO.OK;
        },
        environ_get: putStrings(environment),
        clock_time_get(id, precision, at) {
            view().setBigUint64(at, nanoseconds(), true);
            return ERRNO.OK;
        },
        proc_exit(code) {
            throw new Exit(code);
        },
        poll_oneoff() {
            return ERRNO.NOSYS;
        },
        fd_prestat_get(descriptor, at) {
            if (descriptor !== 3) return ERRNO.BADF;
            view().setUint32(at, 0, true);
            view().setUint32(at + 4, 1, true);
            return ERRNO.OK;
        },
        fd_prestat_dir_name(descriptor, at) {
            bytesAt(at, 1)[0] = "/".charCodeAt(0);
            return ERRNO.OK;
        },
        fd_fdstat_get(descriptor, at) {
            const d = open[descriptor];
            if (!d) return ERRNO.BADF;
            /* A terminal cannot seek and tell: that is how wasi-libc knows one. */
            const rights = d.file ? 0xffffffffn : 0xffffffffn & ~0x24n;
            bytesAt(at, 24).fill(0);
            view().setUint8(at, typeOf(d));
            view().setBigUint64(at + 8, rights, true);
            view().setBigUint64(at + 16, 0xffffffffn, true);
            return ERRNO.OK;
        },
        fd_fdstat_set_flags: () => ERRNO.OK,
        fd_filestat_get(descriptor, at) {
            const d = open[descriptor];
            if (!d) return ERRNO.BADF;
            return putStatus(at, d.file ? d.file.inode : 0, typeOf(d), d.file && !d.file.directory ? d.file.size : 0);
        },
        fd_close(descriptor) {
            const d = open[descriptor];
            if (!d) return ERRNO.BADF;
            delete open[descriptor];
            return ERRNO.OK;
        },
        fd_sync: (descriptor) => (open[descriptor] ? ERRNO.OK : ERRNO.BADF),
        fd_read(descriptor, list, count, total) {
            const d = open[descriptor];
            if (!d) return ERRNO.BADF;
            if (d.stream !== undefined) return forBuffers(list, count, total, () => 0);
            if (d.file.directory) return ERRNO.ISDIR;
            forBuffers(list, count, total, readInto(d.file, d.at));
            d.at += view().getUint32(total, true);
            return ERRNO.OK;
        },
        fd_pread(descriptor, list, count, position, total) {
            const d = open[descriptor];
            if (!d || !d.file || d.file.directory) return ERRNO.BADF;
            return forBuffers(list, count, total, readInto(d.file, Number(position)));
        },
        fd_write(descriptor, list, count, total) {
            const d = open[descriptor];
            if (!d || d.stream === 0 || (d.file && d.file.directory)) return ERRNO.BADF;
            forBuffers(list, count, total, (at, length) => {
                const bytes = bytesAt(at, length);
                if (d.stream) {
                    if (length) host.write(d.stream, bytes.slice());
                } else {
                    writeAt(d.file, bytes, d.at);
                    d.at += length;
                }
                return length;
            });
            if (d.file && host.fileWritten) host.fileWritten(d.path, d.file);
            return ERRNO.OK;
        },
        fd_seek(descriptor, offset, whence, result) {
            const d = open[descriptor];
            if (!d) return ERRNO.BADF;
            if (!d.file) return ERRNO.SPIPE;
            const to = [0, d.at, d.file.size][whence] + Number(offset);
            if (!(to >= 0)) return ERRNO.INVAL;
            d.at = to;
            view().setBigUint64(result, BigInt(to), true);
            return ERRNO.OK;
        },
        fd_readdir(descriptor, buffer, length, cookie, used) {
            const d = open[descriptor];
            if (!d || !d.file || !d.file.directory) return ERRNO.NOTDIR;
            const entries = files.children(d.path);
            let at = 0;
            for (let i = Number(cookie); i < entries.length && at < length; i++) {
                const name = encoder.encode(entries[i].name),
                    record = new Uint8Array(24 + name.length),
                    v = new DataView(record.buffer);
                v.setBigUint64(0, BigInt(i + 1), true);
                v.setBigUint64(8, BigInt(entries[i].file.inode), true);
                v.setUint32(16, name.length, true);
                v.setUint8(20, entries[i].file.directory ? TYPE.DIRECTORY : TYPE.REGULAR_FILE);
                record.set(name, 24);
                const part = record.subarray(0, length - at);
                bytesAt(buffer + at, part.length).set(part);
                at += part.length;
            }
            view().setUint32(used, at, true);
            return ERRNO.OK;
        },
        path_open(directory, lookup, pathAt, pathLength, flags, rights, inheriting, fdFlags, result) {
            const path = from(directory, pathAt, pathLength);
            const create = flags & 1,
                directoryOnly = flags & 2,
                exclusive = flags & 4,
                truncate = flags & 8;
            let file = files.byPath.get(path);
            if (file && create && exclusive) return ERRNO.EXIST;
            if (!file) {
                if (!create) return ERRNO.NOENT;
                const parent = files.byPath.get(resolvePath(path, ".."));
                if (!parent) return ERRNO.NOENT;
                if (!parent.directory) return ERRNO.NOTDIR;
                file = files.create(path, { bytes: new Uint8Array(0), size: 0 });
            }
            if (directoryOnly && !file.directory) return ERRNO.NOTDIR;
            const forWriting = rights & 64n;
            if (file.directory && forWriting && !directoryOnly) return ERRNO.ISDIR;
            if (truncate && !file.directory) file.size = 0;
            let descriptor = 4;
            while (open[descriptor]) descriptor++;
            open[descriptor] = { path, file, at: fdFlags & 1 ? file.size : 0 };
            view().setUint32(result, descriptor, true);
            return ERRNO.OK;
        },
        path_filestat_get(directory, flags, pathAt, pathLength, at) {
            const file = files.byPath.get(from(directory, pathAt, pathLength));
            if (!file) return ERRNO.NOENT;
            return putStatus(at, file.inode, file.directory ? TYPE.DIRECTORY : TYPE.REGULAR_FILE, file.directory ? 0 : file.size);
        },
        path_create_directory(directory, pathAt, pathLength) {
            const path = from(directory, pathAt, pathLength);
            if (files.byPath.has(path)) return ERRNO.EXIST;
            const parent = files.byPath.get(resolvePath(path, ".."));
            if (!parent || !parent.directory) return parent ? ERRNO.NOTDIR : ERRNO.NOENT;
            files.create(path, { directory: true });
            return ERRNO.OK;
        },
        path_remove_directory(directory, pathAt, pathLength) {
            const path = from(directory, pathAt, pathLength);
            if (!files.byPath.has(path)) return ERRNO.NOENT;
            if (files.children(path).length) return ERRNO.NOTEMPTY;
            files.byPath.delete(path);
            return ERRNO.OK;
        },
        path_unlink_file(directory, pathAt, pathLength) {
            const path = from(directory, pathAt, pathLength),
                file = files.byPath.get(path);
            if (!file || file.directory) return file ? ERRNO.ISDIR : ERRNO.NOENT;
            files.byPath.delete(path);
            return ERRNO.OK;
        },
        path_rename(directory, pathAt, pathLength, newDirectory, newAt, newLength) {
            const path = from(directory, pathAt, pathLength),
                to = from(newDirectory, newAt, newLength);
            const file = files.byPath.get(path),
                there = files.byPath.get(to);
            if (!file) return ERRNO.NOENT;
            if (file.directory || (there && there.directory)) return ERRNO.ISDIR;
            files.byPath.delete(path);
            files.byPath.set(to, file);
            if (host.fileWritten) host.fileWritten(to, file);
            return ERRNO.OK;
        },
    };
    const instance = new WebAssembly.Instance(module, { ...host.imports, wasi_snapshot_preview1: calls });
    memory = instance.exports.memory;
    if (host.started) host.started(instance);
    try {
        instance.exports._start();
        return 0;
    } catch (end) {
        if (end instanceof Exit) return end.code;
        throw end;
    }
}

if (typeof module !== "undefined") module.exports = { Files, Exit, runProgram };
