#!/usr/bin/env python3
"""Writes every message of the protocols, with all its fields set, as protobuf's own Python library encodes it, and every
method: what a release says on the wire.

    golden.py PROTOS FILE           write FILE
    golden.py --check PROTOS FILE   say whether this library, reading FILE, finds what FILE says (`make golden`)

FILE stays as it is when protocols grow: it is what older processes send, and understand.
"""

import importlib
import json
import pathlib
import subprocess
import sys
import tempfile

from google.protobuf import json_format
from google.protobuf.descriptor import FieldDescriptor as Field

INTEGERS = {Field.CPPTYPE_INT32: 1, Field.CPPTYPE_UINT32: 3 << 30, Field.CPPTYPE_INT64: -(1 << 60),
            Field.CPPTYPE_UINT64: 3 << 62}


def modules(protos):
    """The protocols, compiled and imported."""
    files = sorted(str(p.relative_to(protos)) for p in protos.rglob("*.proto"))
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["protoc", "-I", str(protos), "--python_out", folder, *files], check=True)
        sys.path.insert(0, folder)
        return [importlib.import_module(f[:-6].replace("/", ".") + "_pb2") for f in files]


def value(field, turn):
    kind = field.cpp_type
    if kind in INTEGERS:
        return INTEGERS[kind] + field.number * 7 + turn
    if kind == Field.CPPTYPE_ENUM:
        return field.enum_type.values[-1].number
    if kind == Field.CPPTYPE_BOOL:
        return True
    if kind in (Field.CPPTYPE_DOUBLE, Field.CPPTYPE_FLOAT):
        return field.number + turn + 0.5
    text = f"{field.name} {turn} ü"
    return text if field.type == Field.TYPE_STRING else b"\x00\xff" + text.encode()


def fill(message, variant):
    """Sets every field; of a oneof the member that the variant chooses."""
    if message.DESCRIPTOR.full_name == "google.protobuf.Timestamp":
        message.seconds, message.nanos = 1772355900, 250000000
        return
    for field in message.DESCRIPTOR.fields:
        oneof = field.containing_oneof
        if oneof is not None and oneof.fields[variant % len(oneof.fields)] is not field:
            continue
        if field.message_type is not None and field.message_type.GetOptions().map_entry:
            key, item = field.message_type.fields_by_name["key"], field.message_type.fields_by_name["value"]
            if item.message_type is not None:
                fill(getattr(message, field.name)[value(key, 0)], variant)
            else:
                getattr(message, field.name)[value(key, 0)] = value(item, 0)
        elif field.label == Field.LABEL_REPEATED:
            for turn in range(2):
                if field.message_type is not None:
                    fill(getattr(message, field.name).add(), variant)
                else:
                    getattr(message, field.name).append(value(field, turn))
        elif field.message_type is not None:
            fill(getattr(message, field.name), variant)
            getattr(message, field.name).SetInParent()
        else:
            setattr(message, field.name, value(field, 0))


def text(message):
    return json.dumps(json_format.MessageToDict(message), sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def messages(container):
    for name, descriptor in sorted(container.items()):
        if not descriptor.GetOptions().map_entry:
            yield descriptor
            yield from messages(descriptor.nested_types_by_name)


def classes(descriptor):
    from google.protobuf import message_factory
    return message_factory.GetMessageClass(descriptor)


def lines(protos):
    for module in modules(protos):
        for descriptor in messages(module.DESCRIPTOR.message_types_by_name):
            variants = max([len(oneof.fields) for oneof in descriptor.oneofs] + [1])
            for variant in range(variants):
                message = classes(descriptor)()
                fill(message, variant)
                encoded = message.SerializeToString(deterministic=True).hex() or "-"
                yield f"message {descriptor.full_name} {encoded} {text(message)}"
        for name, service in sorted(module.DESCRIPTOR.services_by_name.items()):
            for method in service.methods:
                kind = "serverStreaming" if method.server_streaming else "unary"
                yield (f"method {service.full_name}/{method.name} {kind} {method.input_type.full_name} "
                       f"{method.output_type.full_name}")


def check(protos, path):
    known = {d.full_name: d for m in modules(protos) for d in messages(m.DESCRIPTOR.message_types_by_name)}
    count = 0
    for line in path.read_text().splitlines():
        if not line.startswith("message "):
            continue
        _, name, encoded, expected = line.split(" ", 3)
        data = b"" if encoded == "-" else bytes.fromhex(encoded)
        message = classes(known[name])()
        message.ParseFromString(data)
        assert text(message) == expected, f"{name} is read as {text(message)}"
        again = classes(known[name])()
        json_format.Parse(expected, again)
        assert again.SerializeToString(deterministic=True) == data, f"{name} is written differently"
        count += 1
    print(f"{count} messages are what {path.name} says")


if __name__ == "__main__":
    arguments = [a for a in sys.argv[1:] if a != "--check"]
    protos, path = pathlib.Path(arguments[0]), pathlib.Path(arguments[1])
    if "--check" in sys.argv:
        check(protos, path)
    else:
        path.write_text("".join(line + "\n" for line in lines(protos)))
