"""Trains a net for the search with PyTorch, on a GPU if there is one.

    tabiya train chess --hours 8 --out chess.net            # plays the games; its own net is a start
    tabiya train chess --out chess.net --export data        # data/positions.bin and data/positions.json
    python train_nnue.py data --out chess-gpu.net --hidden 256
    tabiya match player:search player:search --net-a chess-gpu.net --net-b chess.net --games 100 --think 0.1

Reading positions and writing nets needs only the standard library; `--check NET` reads a net back and verifies its
checksum. Training needs torch and numpy.
"""

from __future__ import annotations

import argparse
import datetime
import json
import struct
import sys
from pathlib import Path
from typing import Any

MAGIC = b"TABIYANN"
FORMAT = 1
HEAD = struct.Struct("<QhBBH")
FIELDS = struct.Struct("<HHHI")


def read_positions(folder: Path) -> tuple[dict[str, Any], list[tuple[int, int, int, tuple[int, ...]]]]:
    """Returns the description and, by position, the score, the result in half points, the player and the facts."""
    description = json.loads((folder / "positions.json").read_text())
    data = (folder / "positions.bin").read_bytes()
    positions = []
    at = 0
    while at < len(data):
        _key, score, result, mover, count = HEAD.unpack_from(data, at)
        facts = struct.unpack_from(f"<{count}H", data, at + HEAD.size)
        positions.append((score, result, mover, facts))
        at += HEAD.size + 2 * count
    return description, positions


def views(description: dict[str, Any], mover: int, facts: tuple[int, ...]) -> tuple[list[int], list[int]]:
    """Returns the inputs that the player to move and the next opponent see."""
    own, other = (description["inputs_of"][player] for player in (mover, description["opponents"][mover]))
    return [own[fact] for fact in facts], [other[fact] for fact in facts]


def bucket(description: dict[str, Any], facts: tuple[int, ...]) -> int:
    """Returns the range that the number of pieces on the board belongs to."""
    buckets, most, piece_facts = (int(description[key]) for key in ("buckets", "most_pieces", "piece_facts"))
    pieces = sum(fact < piece_facts for fact in facts)
    return min(max(pieces - 1, 0) * buckets // max(most, 1), buckets - 1)


def checksum(data: bytes) -> int:
    """Returns the 64-bit FNV-1a hash."""
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return value


def net_bytes(
    description: dict[str, Any],
    hidden: int,
    provenance: str,
    weights: tuple[list[int], list[int], list[int], list[int]],
) -> bytes:
    """Returns the file of a net, given the weights of the inputs, their biases, those of the output and its biases."""
    text = provenance.encode()
    game = bytes.fromhex(description["game"].removeprefix("sha256:"))
    head = MAGIC + struct.pack("<H", FORMAT) + game
    head += FIELDS.pack(hidden, description["buckets"], description["most_pieces"], description["inputs"])
    head += struct.pack("<H", len(text)) + text
    layers = zip("hhbi", weights, strict=True)
    body = b"".join(struct.pack(f"<{len(numbers)}{kind}", *numbers) for kind, numbers in layers)
    return head + body + struct.pack("<Q", checksum(head + body))


def check(path: Path) -> str:
    """Returns the provenance of a net after verifying its checksum."""
    data = path.read_bytes()
    if not data.startswith(MAGIC) or checksum(data[:-8]) != struct.unpack("<Q", data[-8:])[0]:
        raise SystemExit(f"{path} is not a sound net")
    at = len(MAGIC) + 2 + 32 + FIELDS.size
    (length,) = struct.unpack_from("<H", data, at)
    return data[at + 2 : at + 2 + length].decode()


def train(description: dict[str, Any], positions: list[Any], args: argparse.Namespace) -> Any:
    """Trains a net and returns its integer weights."""
    import numpy as np
    import torch  # type: ignore[import-not-found, unused-ignore]

    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(args.seed)
    inputs, hidden, buckets = description["inputs"], args.hidden, description["buckets"]
    width = max(len(facts) for _, _, _, facts in positions)
    # Missing inputs point to a row of zeros behind the others.
    own = np.full((len(positions), width), inputs, np.int32)
    other = own.copy()
    labels = np.zeros((len(positions), 3), np.float32)
    for row, (score, result, mover, facts) in enumerate(positions):
        mine, theirs = views(description, mover, facts)
        own[row, : len(facts)], other[row, : len(facts)] = mine, theirs
        labels[row] = score, result / 2, bucket(description, facts)
    wanted = torch.sigmoid(torch.from_numpy(labels[:, 0]) / description["centipawns"])
    wanted = (1 - args.blend) * wanted + args.blend * torch.from_numpy(labels[:, 1])
    data = [torch.from_numpy(own), torch.from_numpy(other), wanted, torch.from_numpy(labels[:, 2]).long()]
    data = [tensor.to(device) for tensor in data]

    rows = torch.nn.EmbeddingBag(inputs + 1, hidden, mode="sum", padding_idx=inputs, device=device)
    torch.nn.init.uniform_(rows.weight, -0.1, 0.1)
    with torch.no_grad():
        rows.weight[inputs] = 0
    bias = torch.nn.Parameter(torch.full((hidden,), 0.3, device=device))
    output = torch.nn.Linear(2 * hidden, buckets, device=device)
    parameters = [*rows.parameters(), bias, *output.parameters()]
    optimiser = torch.optim.AdamW(parameters, lr=args.rate, weight_decay=0.01)
    batch = min(args.batch, max(512, len(positions) // 60))
    steps = args.epochs * -(-len(positions) // batch)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, args.rate, total_steps=steps, pct_start=0.1)
    limit = 127 / description["output_scale"]
    for epoch in range(1, args.epochs + 1):
        order = torch.randperm(len(positions), device=device)
        total = 0.0
        for chosen in order.split(batch):
            mine, theirs, target, number = (tensor[chosen] for tensor in data)
            sums = torch.cat([rows(mine) + bias, rows(theirs) + bias], 1).clamp(0, 1)
            predicted = torch.sigmoid(output(sums**2).gather(1, number[:, None]))[:, 0]
            loss = ((predicted - target) ** 2).mean()
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            schedule.step()
            with torch.no_grad():
                rows.weight.clamp_(-1.98, 1.98)
                output.weight.clamp_(-limit, limit)
            total += loss.item() * len(chosen)
        print(f"epoch {epoch}: error {total / len(positions):.5f}", file=sys.stderr, flush=True)

    def integers(tensor: Any, scale: int) -> list[int]:
        numbers: list[int] = (tensor.detach() * scale).round().flatten().int().cpu().tolist()
        return numbers

    one, part = description["input_scale"], description["output_scale"]
    return (
        integers(rows.weight[:inputs], one),
        integers(bias, one),
        integers(output.weight, part),
        integers(output.bias, one * part),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folder", type=Path, nargs="?", help="the folder of `tabiya train --export`")
    parser.add_argument("--out", type=Path, default=Path("trained.net"))
    parser.add_argument("--hidden", type=int, default=128, help="neurons for each view: a multiple of 32 up to 512")
    parser.add_argument("--epochs", type=int, default=25)
    parser.add_argument("--batch", type=int, default=16384)
    parser.add_argument("--rate", type=float, default=1.5e-3)
    parser.add_argument("--blend", type=float, default=0.3, help="the share of the result in the target")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--check", type=Path, help="verify a net and print how it was made")
    args = parser.parse_args()
    if args.check:
        print(check(args.check))
        return
    if args.folder is None:
        parser.error("name the folder of `tabiya train --export`")
    if args.hidden not in range(32, 513, 32):
        parser.error("--hidden must be a multiple of 32 up to 512")
    description, positions = read_positions(args.folder)
    weights = train(description, positions, args)
    date = datetime.date.today().isoformat()
    settings = f"--hidden {args.hidden} --epochs {args.epochs} --blend {args.blend} --seed {args.seed}"
    provenance = f"train_nnue.py {settings}; {date}; {len(positions)} positions"
    args.out.write_bytes(net_bytes(description, args.hidden, provenance, weights))
    print(f"{args.out}: {provenance}")


if __name__ == "__main__":
    main()
