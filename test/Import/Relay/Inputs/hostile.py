#!/usr/bin/env python3
"""Writes texts that are large, deep or meant to do harm into DIR/accepted and DIR/refused.

Usage: hostile.py DIR
"""
import base64
import os
import struct
import sys

HEAD = '#[version = "0.0.5"]\n'
PRELUDE = HEAD + 'import "prelude.relay"\n'
DEEP = 10_000


def main(body, head=HEAD, parameter="%x: int32"):
    return f"{head}def @main({parameter}) {{ {body} }}\n"


def meta(constant):
    return main("meta[relay.Constant][0]") + "#[metadata]\n" + constant


def data(*parts):
    """A metadata section with one constant whose bytes are `parts`."""
    text = base64.b64encode(b"".join(parts)).decode()
    return meta('{"root": 1, "nodes": [{"type_key": ""}, {"type_key": "Map", "keys": ["relay.Constant"], "data": [2]}, '
                '{"type_key": "Array", "data": [3]}, {"type_key": "relay.Constant", "attrs": {"data": "0", "span": "0", '
                f'"virtual_device_": "0"}}}}], "b64ndarrays": ["{text}"], "attrs": {{}}}}')


def tensor(rank, extents, size, payload, code=2, bits=32, lanes=1):
    """An array of DLPack in the form that TVM saves (NDArray::Save)."""
    head = struct.pack("<QQii", 0xDD5E40F096B4A13F, 0, 1, 0) + struct.pack("<iBBH", rank, code, bits, lanes)
    return data(head, b"".join(struct.pack("<q", e) for e in extents), struct.pack("<q", size), payload)


def refused():
    yield "parentheses", main("(" * DEEP + "%x" + ")" * DEEP)
    yield "open_parentheses", main("(" * DEEP)
    yield "braces", main("{" * DEEP + "%x" + "}" * DEEP)
    yield "functions", main("fn () { " * DEEP + "%x" + "}" * DEEP)
    yield "conditions", main("if (True) { " * DEEP + "%x" + "} else { %x }" * DEEP)
    yield "lets_in_values", main("let %a = { " * DEEP + "%x" + "}; %a " * DEEP)
    yield "sum", main("%x" + " + %x" * DEEP)
    yield "references", main("%x", parameter="%x: " + "ref(" * DEEP + "int32" + ")" * DEEP)
    yield "tuples", main("%x", parameter="%x: " + "(" * DEEP + "int32" + ",)" * DEEP)
    yield "function_types", main("%x", parameter="%x: " + "fn (" * DEEP + "int32" + ") -> int32" * DEEP)
    yield "patterns", main("match (%x) { " + "(" * DEEP + "%y" + ",)" * DEEP + " => 1 }")
    yield "attributes", main("relu(%x, a=" + "[" * DEEP + "]" * DEEP + ")")
    yield "projections", main("%x" + ".0" * DEEP)
    yield "digits", main("9" * DEEP)
    yield "exponent", main("1e" + "9" * DEEP + "f")
    yield "extents", main("%x", parameter="%x: Tensor[(" + ", ".join(["4000000000"] * 8) + "), float32]")
    yield "rank", main("%x", parameter="%x: Tensor[(" + ", ".join(["1"] * DEEP) + "), float32]")
    yield "comment", HEAD + "/*" * DEEP
    yield "string", main('"' + "a" * DEEP)
    yield "not_text", "\0\1\2\3" * DEEP
    yield "pairs", main("".join(f"let %a{i + 1} = (%a{i}, %a{i}); " for i in range(200)) + "%a200",
                        parameter="%a0: int32")
    yield "pairs_of_nothing", main("let %a0 = (); " + "".join(f"let %a{i + 1} = (%a{i}, %a{i}); " for i in range(200))
                                   + "ref(%a200); %x")
    # Each is used twice at types of its own: 2^k unknowns after k definitions (Mairson, 1990).
    yield "exponential_types", main("".join(f"let %f{i + 1} = fn (%x) {{ %f{i}(%f{i}(%x)) }}; " for i in range(100))
                                    + "%f100(%x)", HEAD + "def @pair[A](%x: A) -> (A, A) { (%x, %x) }\n"
                                    ).replace("%f0", "@pair")
    yield "nested_type", HEAD + ("type Nest[A] { More(A, Nest[(A, A)]), Empty }\n"
                                 "def @depth[A](%x: Nest[A]) -> int32 { match (%x) { More(_, %r) => 1 + @depth(%r), Empty => 0 } }\n"
                                 "def @main(%x: int32) { @depth(More(%x, Empty)) }\n")
    yield "recursive_import", HEAD + 'import "recursive_import.relay"\ndef @main(%x: int32) { %y }\n'
    yield "broadcast", main("broadcast_to(%x, shape=[" + ", ".join(["100000"] * 5) + "])")
    yield "split", main("split(zeros(shape=[1000000], dtype=\"float32\"), indices_or_sections=1000000)")
    yield "no_metadata", main("meta[relay.Constant][0]")
    yield "metadata_index", meta('{"root": 99999999999, "nodes": []}')
    yield "metadata_cycle", meta('{"root": 1, "nodes": [{"type_key": ""}, {"type_key": "Map", "keys": ["relay.Constant"], '
                                 '"data": [1]}], "b64ndarrays": [], "attrs": {}}')
    yield "metadata_nested", meta("[" * 100_000)
    yield "metadata_array", meta("[]")
    yield "metadata_number", meta("1" * 100_000)
    yield "metadata_rank", tensor(1_000_000, [1], 4, b"\0" * 4)
    yield "metadata_negative_rank", tensor(-1, [], 4, b"\0" * 4)
    yield "metadata_extent", tensor(1, [-4], 4, b"\0" * 4)
    yield "metadata_overflow", tensor(4, [2 ** 62] * 4, 4, b"\0" * 4)
    yield "metadata_short", tensor(1, [1000], 4000, b"\0" * 16)
    yield "metadata_size", tensor(1, [4], 2 ** 62, b"\0" * 16)
    yield "metadata_lanes", tensor(1, [4], 16, b"\0" * 16, lanes=4)
    yield "metadata_bits", tensor(1, [4], 16, b"\0" * 16, bits=33)
    yield "metadata_code", tensor(1, [4], 16, b"\0" * 16, code=77)
    yield "metadata_base64", data(b"").replace('b64ndarrays": ["', 'b64ndarrays": ["=*=*')


def accepted():
    many = 100_000
    yield "lets", main("let %a0 = %x; " + "".join(f"let %a{i + 1} = %a{i} + 1; " for i in range(many)) + f"%a{many}")
    yield "bindings", main("%0 = %x + 1; " + "".join(f"%{i + 1} = %{i} + 1; " for i in range(many)) + f"%{many}")
    yield "sequence", main("let %r = ref(%x); " + "ref_write(%r, 1); " * 10_000 + "ref_read(%r)")
    yield "definitions", HEAD + "".join(f"def @f{i + 1}(%x: int32) -> int32 {{ @f{i}(%x) + 1 }}\n"
                                        for i in range(5000)).replace("@f0(%x)", "%x") + \
        "def @main(%x: int32) { @f700(%x) }\n"
    yield "constructors", HEAD + "type T { " + ", ".join(f"C{i}(int32)" for i in range(3000)) + " }\n" + \
        "def @main(%x: int32) { match (C7(%x)) { C7(%y) => %y, _ => 0 } }\n"
    yield "list", main("@hd(" + "Cons(1, " * 200 + "Nil" + ")" * 200 + ")", PRELUDE)
    yield "comments", HEAD + "/*" * DEEP + "*/" * DEEP + "\n" + main("%x", "")
    yield "metadata", tensor(1, [4], 16, b"\0" * 16)
    yield "tuple", main("(" + "%x, " * 4000 + ").7")


for name, texts in (("refused", refused), ("accepted", accepted)):
    folder = os.path.join(sys.argv[1], name)
    os.makedirs(folder, exist_ok=True)
    for case, text in texts():
        with open(os.path.join(folder, case + ".relay"), "w", encoding="latin-1") as out:
            out.write(text)
