"""Trains cost models that come with the program again, and writes their files and cards.

    ./sg python experiments/bench/ship_models.py pretrained_mlp pretrained_tuna

A card (agents/cost/shipped/NAME.card) says which model is trained, on what and by which seed. The file
of a network keeps what it predicts with: entries of the training are left out, and weights are rounded
to 7 bits of their mantissa, so that the compressed file is a tenth as large. The card then gets
the day and the metrics of what is shipped. The next build takes both in.
"""
import argparse
import datetime
import gzip
import json
import pathlib
import struct
import subprocess
import sys
import tempfile

from schedulegym.command import program

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "agents/cost/shipped"
DATA, SPLITS = "programs-v1", ("valid", "networks")
METRICS = ("pairs", "rank", "top-1", "top-5")
KEPT_BITS = 7  # of the 23 of a float's mantissa
HEADER = b"schedulegym checkpoint 1\n"
MASK = (1 << 64) - 1


def digest(data):
    """The checksum of a checkpoint: that of `Hasher` in env/base/hash.h, as 32 hexadecimal digits."""
    def mix(value, factor):
        product = (value ^ (value >> 32)) * factor
        return (product & MASK) ^ (product >> 64) ^ 0x2545f4914f6cdd1d

    a, b = 0x243f6a8885a308d3, 0x13198a2e03707344
    padded = data + bytes(-len(data) % 8)
    for word in (len(data), *struct.unpack(f"<{len(padded) // 8}Q", padded)):
        a = mix(a ^ word, 0x9e3779b97f4a7c15)
        b = mix((b + word) & MASK, 0xc2b2ae3d27d4eb4f)
    return f"{mix(a, 0xff51afd7ed558ccd):016x}{mix(b, 0xc4ceb9fe1a85ec53):016x}"


def rounded(data):
    """Floats with KEPT_BITS of their mantissa, to nearest."""
    dropped = 23 - KEPT_BITS
    words = struct.unpack(f"<{len(data) // 4}I", data)
    half = 1 << (dropped - 1)
    return struct.pack(f"<{len(words)}I", *((word + half) >> dropped << dropped for word in words))


def entries(checkpoint):
    """(line, bytes) of each entry of a checkpoint; its format is in agents/learned/checkpoint_bytes.cc."""
    at = len(HEADER)
    while True:
        end = checkpoint.index(b"\n", at)
        kind, name, *shape = line = checkpoint[at:end].decode().split(" ")
        if kind == "sum":
            return
        size = {"text": 1, "floats": 4}.get(kind, 8)
        for extent in shape[0].split("x"):
            size *= int(extent)
        yield line, checkpoint[end + 1:end + 1 + size]
        at = end + size + 2


def shrunk(model):
    """The bytes of a model's file without what only a training reads, its weights rounded."""
    first, _, rest = model.partition(b"\n")
    if not rest.startswith(HEADER):
        return model
    kept = HEADER
    for line, data in entries(rest):
        if line[1].startswith("training."):
            continue
        if line[1].startswith("weights."):
            data = rounded(data)
        kept += " ".join(line).encode() + b"\n" + data + b"\n"
    return first + b"\n" + kept + f"sum {digest(kept)}\n".encode()


def called(*words):
    result = subprocess.run([program(), *map(str, words), "--json"], capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"{words[0]}: {result.stderr.strip()}")
    return [json.loads(line) for line in result.stdout.splitlines()]


def figures(file, split):
    """What `evaluate` prints of a split, with intervals over tasks: "pairs 0.84 [0.83, 0.86], ..."."""
    rows = {row["metric"]: row for row in called("evaluate", file, "--data", DATA, "--split", split)
            if row["event"] == "row" and row["model"] != "ceiling" and not row.get("network")}
    return ", ".join(f"{name} {rows[name]['value']:.3f} [{rows[name]['low']:.3f}, {rows[name]['high']:.3f}]"
                     for name in METRICS)


def card_of(name):
    """The fields of a card, in order."""
    text = (FOLDER / f"{name}.card").read_text()
    return dict(line.split(": ", 1) for line in text.splitlines())


def ship(name, trained=None):
    """Writes both files of a model; `trained`: a file of the training that the card says."""
    card = card_of(name)
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "trained.model"
        if trained is None:
            called("train", card["model"], "--data", DATA, "--seed", card["seed"], "-o", file)
            trained = file
        model = shrunk(pathlib.Path(trained).read_bytes())
        file.write_bytes(model)
        packed = gzip.compress(model, 9, mtime=0)
        day = datetime.date.fromtimestamp(pathlib.Path(trained).stat().st_mtime)
        card |= {"trained": day.isoformat(), "bytes": f"{len(packed):,}"}
        card |= {split: figures(file, split) for split in SPLITS}
    (FOLDER / f"{name}.model.gz").write_bytes(packed)
    (FOLDER / f"{name}.card").write_text("".join(f"{key}: {text}\n" for key, text in card.items()))


def main():
    names = sorted(path.stem for path in FOLDER.glob("*.card"))
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("name", nargs="+", choices=names, metavar="NAME", help=", ".join(names))
    options.add_argument("--trained", type=pathlib.Path, metavar="FILE",
                         help="a file of this very training, instead of training again; of one NAME")
    asked = options.parse_args()
    if asked.trained and len(asked.name) > 1:
        options.error(f"--trained: found {len(asked.name)} names, expected one")
    for name in asked.name:
        ship(name, asked.trained)
        print(f"{name}: {card_of(name)['bytes']} bytes", flush=True)


if __name__ == "__main__":
    main()
