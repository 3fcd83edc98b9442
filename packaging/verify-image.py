#!/usr/bin/env python3
"""Verifies an unpacked OCI image layout: digests, sizes, references and layer contents.

Usage: verify-image.py FOLDER              exit with an error at the first problem
       verify-image.py --layers FOLDER     print the paths of the layers, the lowest first
"""

import gzip
import hashlib
import json
import os
import sys

folder = sys.argv[-1]
seen = set()


def read(name):
    with open(os.path.join(folder, name), "rb") as file:
        return file.read()


def path(descriptor):
    algorithm, digest = descriptor["digest"].split(":")
    return f"blobs/{algorithm}/{digest}"


def blob(descriptor):
    data = read(path(descriptor))
    seen.add(path(descriptor))
    expect(len(data) == descriptor["size"], f"size of {descriptor['digest']}")
    expect("sha256:" + hashlib.sha256(data).hexdigest() == descriptor["digest"], "digest of " + path(descriptor))
    return data


def expect(condition, what):
    if not condition:
        sys.exit(f"wrong: {what}")


expect(json.loads(read("oci-layout"))["imageLayoutVersion"] == "1.0.0", "oci-layout")
index = json.loads(read("index.json"))
expect(index["schemaVersion"] == 2 and len(index["manifests"]) == 1, "index.json")
manifest = json.loads(blob(index["manifests"][0]))
config = json.loads(blob(manifest["config"]))
contents = ["sha256:" + hashlib.sha256(gzip.decompress(blob(l))).hexdigest() for l in manifest["layers"]]
expect(contents == config["rootfs"]["diff_ids"], "diff_ids")
expect(index["manifests"][0]["platform"]["architecture"] == config["architecture"], "architecture")
docker = json.loads(read("manifest.json"))[0]
expect(docker["Config"] == path(manifest["config"]), "manifest.json: Config")
expect(docker["Layers"] == [path(l) for l in manifest["layers"]], "manifest.json: Layers")
stored = {f"blobs/sha256/{name}" for name in os.listdir(os.path.join(folder, "blobs/sha256"))}
expect(stored == seen, f"unreferenced blobs {stored - seen}")
if "--layers" in sys.argv:
    print("\n".join(path(l) for l in manifest["layers"]))
