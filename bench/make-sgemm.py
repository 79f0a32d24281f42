#!/usr/bin/env python3
"""Writes an ONNX model of one MatMul with constant weights: make-sgemm.py SIZE OUTPUT.onnx"""
import random
import struct
import sys


def varint(number):
    out = b""
    while number > 0x7F:
        out += bytes([number & 0x7F | 0x80])
        number >>= 7
    return out + bytes([number])


def number(field, value):
    return varint(field << 3) + varint(value)


def message(field, data):
    return varint(field << 3 | 2) + varint(len(data)) + data


def value(name, size):
    shape = b"".join(message(1, number(1, size)) for _ in range(2))
    return message(1, name) + message(2, message(1, number(1, 1) + message(2, shape)))


size = int(sys.argv[1])
random.seed(1)
weights = struct.pack(f"<{size * size}f", *(random.uniform(-1, 1) for _ in range(size * size)))
tensor = number(1, size) + number(1, size) + number(2, 1) + message(8, b"w") + message(9, weights)
node = message(1, b"x") + message(1, b"w") + message(2, b"y") + message(3, b"matmul") + message(4, b"MatMul")
graph = message(1, node) + message(2, b"sgemm") + message(5, tensor)
graph += message(11, value(b"x", size)) + message(12, value(b"y", size))
with open(sys.argv[2], "wb") as file:
    file.write(number(1, 8) + message(7, graph) + message(8, message(1, b"") + number(2, 13)))
