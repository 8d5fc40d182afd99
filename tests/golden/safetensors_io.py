"""Reading and writing safetensors files with numpy alone.

bfloat16 has no numpy type: such tensors come as BFloat16, a thin mark around their 16-bit patterns.
"""

import json
import struct

import numpy as np

DTYPES = {
    "F64": np.float64, "F32": np.float32, "F16": np.float16, "I64": np.int64, "I32": np.int32,
    "U8": np.uint8, "BOOL": np.bool_,
}
NAMES = {np.dtype(v): k for k, v in DTYPES.items()}


class BFloat16:
    """The bit patterns of a bfloat16 tensor."""

    def __init__(self, bits):
        self.bits = np.asarray(bits, np.uint16)
        self.shape = self.bits.shape

    @classmethod
    def rounded(cls, values):
        """Rounds float32 numbers to the nearest bfloat16, ties to even (finite numbers only)."""
        bits = np.ascontiguousarray(values, np.float32).view(np.uint32).astype(np.uint64)
        return cls(((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16))

    def float32(self):
        return (self.bits.astype(np.uint32) << 16).view(np.float32)


def read(path):
    """Returns {name: array} and the metadata (None when the file has none)."""
    raw = open(path, "rb").read()
    (length,) = struct.unpack("<Q", raw[:8])
    header = json.loads(raw[8 : 8 + length])
    data = raw[8 + length :]
    metadata = header.pop("__metadata__", None)
    tensors = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        dtype = np.uint16 if entry["dtype"] == "BF16" else DTYPES[entry["dtype"]]
        array = np.frombuffer(data[begin:end], dtype).reshape(entry["shape"])
        tensors[name] = BFloat16(array) if entry["dtype"] == "BF16" else array
    return tensors, metadata


def write(path, tensors, metadata):
    """Larger elements first, so that every tensor is aligned; the header is padded with blanks."""
    header = {} if metadata is None else {"__metadata__": metadata}
    chunks, begin = [], 0
    arrays = {name: t.bits if isinstance(t, BFloat16) else np.asarray(t) for name, t in tensors.items()}
    for name in sorted(arrays, key=lambda name: -arrays[name].itemsize):
        kind = "BF16" if isinstance(tensors[name], BFloat16) else NAMES[arrays[name].dtype]
        chunk = np.ascontiguousarray(arrays[name]).tobytes()
        header[name] = {"dtype": kind, "shape": list(arrays[name].shape),
                        "data_offsets": [begin, begin + len(chunk)]}
        chunks.append(chunk)
        begin += len(chunk)
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as f:
        f.write(struct.pack("<Q", len(text)) + text + b"".join(chunks))
