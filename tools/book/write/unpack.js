// The bytes of a compressed file beside the page, as a stream; a server may have unpacked it on the way.
"use strict";

function unpacked(blob) {
    const { readable, writable } = new TransformStream();
    (async () => {
        const [first, second] = new Uint8Array(await blob.slice(0, 2).arrayBuffer());
        const isPacked = first === 0x1f && second === 0x8b;
        const stream = isPacked ? blob.stream().pipeThrough(new DecompressionStream("gzip")) : blob.stream();
        await stream.pipeTo(writable);
    })().catch((error) => writable.abort(error).catch(() => {}));
    return readable;
}

async function fetchUnpacked(url) {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`${url}: the server says ${response.status}`);
    return new Uint8Array(await new Response(unpacked(await response.blob())).arrayBuffer());
}
