#!/usr/bin/env python3
"""Writes an OCI image whose layers are tar files, given from the lowest to the highest.

The result is an OCI image layout in a tar file. It also has the `manifest.json` of `docker save`, so that
every version of `docker load` reads it.
"""

import argparse
import datetime
import gzip
import hashlib
import io
import json
import tarfile

ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}
MEDIA = "application/vnd.oci.image."


class Layout:
    """The files of the image, by path."""

    def __init__(self):
        self.files = {}

    def blob(self, data, media_type):
        """Adds a blob and returns its descriptor."""
        digest = hashlib.sha256(data).hexdigest()
        self.files[f"blobs/sha256/{digest}"] = data
        return {"mediaType": media_type, "digest": f"sha256:{digest}", "size": len(data)}

    def json(self, value, media_type):
        return self.blob(encoded(value), media_type)

    def write(self, path, time):
        with tarfile.open(path, "w", format=tarfile.USTAR_FORMAT) as tar:
            for folder in ("blobs", "blobs/sha256"):
                entry = tarfile.TarInfo(folder)
                entry.type, entry.mode, entry.mtime = tarfile.DIRTYPE, 0o755, time
                tar.addfile(entry)
            for name, data in sorted(self.files.items()):
                entry = tarfile.TarInfo(name)
                entry.size, entry.mode, entry.mtime = len(data), 0o644, time
                tar.addfile(entry, io.BytesIO(data))


def encoded(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def path(descriptor):
    return "blobs/" + descriptor["digest"].replace(":", "/")


def build(options):
    layout = Layout()
    architecture = ARCHITECTURES.get(options.machine, options.machine)
    created = datetime.datetime.fromtimestamp(options.created, datetime.timezone.utc)
    time = created.strftime("%Y-%m-%dT%H:%M:%SZ")
    layers, contents = [], []
    for name in options.layers:
        with open(name, "rb") as file:
            data = file.read()
        contents.append("sha256:" + hashlib.sha256(data).hexdigest())
        packed = gzip.compress(data, 9, mtime=0)
        layers.append(layout.blob(packed, MEDIA + "layer.v1.tar+gzip"))
    labels = {
        "org.opencontainers.image.title": "linejudge",
        "org.opencontainers.image.version": options.version,
        "org.opencontainers.image.licenses": "Apache-2.0",
    }
    config = layout.json(
        {
            "architecture": architecture,
            "os": "linux",
            "created": time,
            "config": {
                "Entrypoint": ["linejudge"],
                "Env": ["PATH=/usr/local/bin:/usr/bin:/bin"],
                "User": "65534",
                "WorkingDir": "/work",
                "Labels": labels,
            },
            "rootfs": {"type": "layers", "diff_ids": contents},
            "history": [
                {"created": time, "created_by": "packaging/image.sh", "comment": name}
                for name in ("Debian packages", "linejudge " + options.version)
            ],
        },
        MEDIA + "config.v1+json",
    )
    manifest = layout.json(
        {
            "schemaVersion": 2,
            "mediaType": MEDIA + "manifest.v1+json",
            "config": config,
            "layers": layers,
            "annotations": labels,
        },
        MEDIA + "manifest.v1+json",
    )
    manifest["platform"] = {"architecture": architecture, "os": "linux"}
    manifest["annotations"] = {
        "io.containerd.image.name": "docker.io/library/" + options.name,
        "org.opencontainers.image.ref.name": options.version,
    }
    layout.files["oci-layout"] = encoded({"imageLayoutVersion": "1.0.0"})
    layout.files["index.json"] = encoded(
        {
            "schemaVersion": 2,
            "mediaType": MEDIA + "index.v1+json",
            "manifests": [manifest],
        }
    )
    layout.files["manifest.json"] = encoded(
        [{"Config": path(config), "RepoTags": [options.name], "Layers": [path(l) for l in layers]}]
    )
    return layout


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--name", required=True, help="name and tag for docker load")
    parser.add_argument("--version", required=True)
    parser.add_argument("--machine", required=True, help="as uname -m prints it")
    parser.add_argument("--created", required=True, type=int, help="seconds since 1970")
    parser.add_argument("--output", required=True)
    parser.add_argument("layers", nargs="+", help="uncompressed tar files")
    options = parser.parse_args()
    build(options).write(options.output, options.created)


if __name__ == "__main__":
    main()
