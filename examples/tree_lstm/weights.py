#!/usr/bin/env python3
"""Prints a Relay text with the weights of the Tree-LSTM as its metadata.

Usage: weights.py TEXT... OUTPUT_FOLDER    writes OUTPUT_FOLDER/NAME.relay for each NAME.relay

The weights come from a linear congruential generator (Knuth's MMIX constants): (its upper 24 bits / 2^24 - 0.5) / 4,
which float32 holds exactly, so that a test in another language can make the same.
"""
import base64
import json
import pathlib
import struct
import sys

SHAPES = [(192, 64), (192, 64), (192,), (64, 64), (64,), (64, 64), (5, 64), (5,)]


def generator(state=1):
    while True:
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        yield ((state >> 40) / 2**24 - 0.5) / 4


def tensor(shape, values):
    """A tensor as Relay's metadata has it: magic, reserved, device (CPU 0), rank, element type (float32), shape, bytes."""
    count = 1
    for extent in shape:
        count *= extent
    data = struct.pack("<%df" % count, *(next(values) for _ in range(count)))
    header = struct.pack("<QQiiiBBH", 0xDD5E40F096B4A13F, 0, 1, 0, len(shape), 2, 32, 1)
    return header + struct.pack("<%dq" % len(shape), *shape) + struct.pack("<q", len(data)) + data


def main():
    values = generator()
    tensors = [base64.b64encode(tensor(shape, values)).decode() for shape in SHAPES]
    count = len(SHAPES)
    nodes = [{"type_key": ""}, {"type_key": "Map", "keys": ["relay.Constant"], "data": [2]},
             {"type_key": "Array", "data": list(range(3, 3 + count))}]
    nodes += [{"type_key": "relay.Constant", "attrs": {"data": str(i)}} for i in range(count)]
    metadata = json.dumps({"root": 1, "nodes": nodes, "b64ndarrays": tensors}, indent=1)
    *texts, folder = map(pathlib.Path, sys.argv[1:])
    for text in texts:
        (folder / text.name).write_text(text.read_text() + "#[metadata]\n" + metadata + "\n")


main()
