"""Records what a `tabiya` binary prints, to prove that a restructuring changes no behaviour.

    python3 bench/corpus/corpus.py record BINARY FOLDER     run everything and keep the output
    python3 bench/corpus/corpus.py compare BEFORE AFTER     compare two such folders, byte by byte

Times are masked. `reworded.tsv` maps messages of the old wording (a regular expression) to the new one, and
`CHANGED` lists the intended changes of behaviour. Any other difference makes `compare` fail.
"""

import copy
import json
import os
import re
import random
import shutil
import subprocess
import sys
import tempfile
from fnmatch import fnmatch
from pathlib import Path

HERE = Path(__file__).resolve().parent
GAMES = HERE.parent.parent / "games"
TIMES = re.compile(
    r'("(?:taken_us|left_us|average_us|time_us|seconds|elapsed|ms|time|nps|per_second)":\s*)(?:[0-9.eE+-]+|null)'
)
CHESS = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "8/8/8/8/8/5k2/8/5K2 w - - 0 1",
    "4k3/8/8/8/8/8/P7/R3K3 w - - 99 90",
]


class Recorder:
    def __init__(self, binary, folder):
        self.binary, self.folder = str(Path(binary).resolve()), Path(folder).resolve()
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        self.work = Path(tempfile.mkdtemp(prefix="corpus"))

    def keep(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        text = TIMES.sub(r"\g<1>0", text).replace(str(self.work), "WORK").replace(self.binary, "TABIYA")
        path.write_text(text)

    def run(self, name, *args, stdin="", timeout=300):
        done = subprocess.run(
            [self.binary, *map(str, args)],
            input=stdin,
            capture_output=True,
            text=True,
            cwd=self.work,
            timeout=timeout,
            env={**os.environ, "NO_COLOR": "1", "COLUMNS": "100"},
        )
        self.keep(name, f"{done.stdout}--- stderr\n{done.stderr}--- status {done.returncode}\n")
        return done.stdout

    def match(self, name, *args):
        out = self.work / name
        self.run(f"matches/{name}.txt", "match", *args, "--out", out, "--format", "json")
        for file in ["games.jsonl", "games.pgn", "table.json"]:
            if (out / file).exists():
                self.keep(f"matches/{name}.{file}", (out / file).read_text())
        if (out / "games.jsonl").exists():
            self.run(f"matches/{name}.verify.txt", "verify", out / "games.jsonl", "--format", "json")
        if (out / "games.pgn").exists():
            self.run(f"matches/{name}.verify-pgn.txt", "verify", out / "games.pgn", "--format", "json")


AGENT = r'''
import json, sys, random
kind, seed = sys.argv[1], int(sys.argv[2])
chance = random.Random(seed)
log = open(sys.argv[3], "a") if len(sys.argv) > 3 else None
turn = 0
for line in sys.stdin:
    message = json.loads(line)
    state = message.get("state", message)
    if log:
        log.write(json.dumps(state) + "\n"); log.flush()
    turn += 1
    moves = []
    board = state.get("board")
    if isinstance(board, dict):
        own = [square for square, piece in board.items() if piece.isupper() == (state["turn"] == "white")]
        squares = [f + r for f in "abcdefgh" for r in "12345678"]
        answer = {"from": chance.choice(own), "to": chance.choice(squares), "promotion": None}
    else:
        answer = {"from": [chance.randrange(8), chance.randrange(8)], "to": [chance.randrange(8), chance.randrange(8)], "promotion": None}
    if kind == "resign" and turn == 3:
        answer = {"action": "resign"}
    if kind == "offer" and turn % 2:
        answer = {"action": "offer_draw"}
    if kind == "accept" and state.get("draw_offer"):
        answer = {"action": "accept_draw"}
    if kind == "claim":
        answer = {"action": "claim_draw", "reason": "threefold_repetition"}
    if kind == "garbage":
        print("I would like to move my knight", flush=True); continue
    if kind == "prose":
        print("My move is " + json.dumps(answer) + ", because.", flush=True); continue
    if kind == "two":
        print(json.dumps(answer)); print(json.dumps(answer), flush=True); continue
    if kind == "exit" and turn == 2:
        sys.exit(3)
    if kind == "long":
        print("x" * (1 << 21), flush=True); continue
    if kind == "binary":
        sys.stdout.buffer.write(b"\xff\xfe\n"); sys.stdout.flush(); continue
    if kind == "twice":
        print('{"from":"e2","from":"e2","to":"e4","promotion":null}', flush=True); continue
    print(json.dumps(answer), flush=True)
'''

ENGINE = r'''
import sys
answers = sys.argv[1].split(",")
turn = 0
for line in sys.stdin:
    word = line.split()[0] if line.split() else ""
    if word == "uci": print("id name mock\nuciok", flush=True)
    elif word == "isready": print("readyok", flush=True)
    elif word == "go":
        print("bestmove " + answers[min(turn, len(answers) - 1)], flush=True); turn += 1
    elif word == "quit": break
'''


def matches(recorder, library):
    agent, engine = recorder.work / "agent.py", recorder.work / "engine.py"
    agent.write_text(AGENT)
    engine.write_text(ENGINE)
    states = recorder.work / "states.jsonl"
    for game in library:
        recorder.match(f"random-{game}", "player:random", "player:random", "--game", game, "--games", 100, "--seed", 7, "--max-plies", 300)
    kinds = ["random", "resign", "offer", "accept", "claim", "garbage", "prose", "two", "exit", "long", "binary", "twice"]
    for kind in kinds:
        for retries in [0, 3]:
            command = f"process:python3 {agent} {kind} 5 {states}"
            recorder.match(f"agent-{kind}-{retries}", command, "player:random", "--games", 2, "--retries", retries, "--seed", 3, "--max-plies", 40)
    recorder.match("agent-lenient", f"process:python3 {agent} prose 5", "player:random", "--games", 2, "--retries", 200, "--lenient", "--max-plies", 20)
    for index, other in enumerate(["random", "offer", "accept", "resign"]):
        command = f"process:python3 {agent} {other} {index}"
        recorder.match(f"agents-{other}", command, f"process:python3 {agent} accept 9", "--games", 2, "--retries", 1000, "--max-plies", 30)
    for game in ["capablanca", "fourplayer", "enochian", "chaturaji"]:
        command = f"process:python3 {agent} random 2"
        recorder.match(f"agent-{game}", command, "player:random", "--game", game, "--games", 4, "--retries", 500, "--max-plies", 30)
        recorder.match(f"greedy-{game}", "player:greedy", "player:random", "--game", game, "--games", 4, "--seed", 2, "--max-plies", 200)
    for name, answers in {"moves": "e2e4,d2d4,g1f3", "resign": "resign", "none": "(none)", "zero": "0000", "noise": "hello"}.items():
        recorder.match(f"uci-{name}", f"uci:python3 {engine} {answers}", "player:random", "--games", 1, "--openings", "none", "--seed", 1)
    recorder.match("missing", "process:/does/not/exist", "player:random", "--games", 1)
    recorder.match("search", "player:level3", "player:greedy", "--games", 2, "--seed", 4, "--max-plies", 60)
    for array in ["Fire of Fire", "Earth of Fire"]:
        for rules in ["document", "zalewski"]:
            recorder.match(f"enochian-{array}-{rules}".replace(" ", "-"), "player:greedy", "player:random", "--game", "enochian", "--array", array, "--rules", rules, "--games", 6, "--seed", 3, "--max-plies", 300)
    return [json.loads(line) for line in states.read_text().splitlines()] if states.exists() else []


def judged(recorder, states):
    chance = random.Random(1)
    outputs = [
        '{"from":"e2","to":"e4","promotion":null}', '{"from":"e7","to":"e5","promotion":null}', '{"from":"g1","to":"f3","promotion":null}',
        '{"from":"e2","to":"e5","promotion":null}', '{"from":"a1","to":"a8","promotion":null}', '{"from":"e1","to":"g1","promotion":null}',
        '{"from":"e4","to":"e5","promotion":"Q"}', '{"from":"e2","to":"e4"}', '{"from":"z9","to":"e4","promotion":null}',
        '{"action":"resign"}', '{"action":"offer_draw"}', '{"action":"accept_draw"}', '{"action":"decline_draw"}', '{"action":"fly"}',
        '{"action":"claim_draw","reason":"fifty_move_rule"}', '{"action":"claim_draw","reason":"nonsense"}', '{"action":"exchange"}',
        '{"action":"throw"}', '{"action":"withdraw","to":"black"}', "", "e2e4", "{}", "[]", "null", '{"from":"e2","from":"e2","to":"e4","promotion":null}',
        'Sure: {"from":"d2","to":"d4","promotion":null}', '{"from":"d2","to":"d4","promotion":null} and {"from":"e2","to":"e4","promotion":null}',
    ]
    chosen = [states[index] for index in sorted(chance.sample(range(len(states)), min(20, len(states))))]
    lines = [json.dumps({"state": state, "output": output}) for state in chosen for output in outputs]
    lines += ["", "nonsense", "{}", '{"state":{},"output":"x"}']
    recorder.keep("judge/cases.jsonl", "\n".join(lines) + "\n")
    recorder.run("judge/strict.txt", "judge", stdin="\n".join(lines) + "\n")
    recorder.run("judge/lenient.txt", "judge", "--lenient", stdin="\n".join(lines) + "\n")
    recorder.run("judge/agent.txt", "agent", "--player", "random", stdin="\n".join(map(json.dumps, chosen)) + "\nnonsense\n")


def commands(recorder, library):
    run = recorder.run
    run("commands/games.json", "games", "--format", "json")
    run("commands/enochian.json", "enochian", "arrays", "--format", "json")
    for game in library:
        for verb in ["check", "explain", "show", "moves"]:
            for form in ["json", "text"]:
                run(f"commands/{verb}-{game}.{form}", verb, game, "--format", form)
        run(f"commands/perft-{game}.json", "perft", game, 3, "--format", "json")
        run(f"commands/divide-{game}.json", "perft", game, 2, "--divide", "--format", "json")
        run(f"commands/planes-{game}.json", "tensor", "--planes", game, "--format", "json")
        run(f"commands/analyse-{game}.json", "analyse", game, "--games", 4, "--player", "random", "--threads", 1, "--max-plies", 100, "--format", "json")
        for form in ["json", "text"]:
            play = "help\nrules\nstate\nmoves\nundo\nnonsense\na1\ndraw\naccept\nclaim\nclaim nonsense\nresign\nundo\nexchange\nthrow\nwithdraw\nsave game.sav\nload game.sav\nquit\n"
            (recorder.work / "game.sav").unlink(missing_ok=True)
            run(f"play/{game}.{form}", "play", game, "--seed", 5, "--format", form, stdin=play)
            run(f"play/{game}-random.{form}", "play", game, "--seed", 5, "--format", form, *sum((["--seat", f"{name}=random"] for name in players(game)), []), "--max-plies", 60)
        saved = recorder.work / "game.sav"
        if saved.exists():
            recorder.keep(f"play/{game}.sav", saved.read_text())
    for index, text in enumerate(CHESS):
        for verb in ["show", "moves"]:
            run(f"chess/{verb}-{index}.json", verb, "chess", "--state", text, "--format", "json")
        run(f"chess/perft-{index}.json", "perft", "chess", 3, "--state", text, "--format", "json")
        run(f"chess/solve-{index}.json", "solve", "chess", "--mate", 2, "--state", text, "--format", "json")
        run(f"chess/tensor-{index}.json", "tensor", "--state", text, "--format", "json")
    moves = "e2e4\ne7e5\nf1c4\nb8c6\nd1h5\ng8f6\nh5f7\nundo\nh5f7\nquit\n"
    for form in ["json", "text"]:
        run(f"play/mate.{form}", "play", "chess", "--format", form, stdin=moves)
        run(f"play/draw.{form}", "play", "chess", "--format", form, stdin="e2e4\ndraw\ndraw\naccept\nquit\n")
        run(f"play/offer.{form}", "play", "chess", "--format", form, stdin="draw\ne2e4\naccept\nquit\n")
        run(f"play/promotion.{form}", "play", "chess", "--state", CHESS[3], "--format", form, stdin="g2h1\nq\nquit\n")
        run(f"play/dice.{form}", "play", "enochian", "--array", "Fire of Fire", "--rules", "zalewski", "--divination", "--seed", 3, "--format", form, *sum((["--seat", f"{name}=greedy"] for name in players("enochian")), []), "--max-plies", 80)
        run(f"play/teams.{form}", "play", "enochian", "--array", "Fire of Fire", "--players", 2, "--format", form, stdin="resign\nquit\n")
        run(f"play/four.{form}", "play", "fourplayer", "--format", form, stdin="resign\nresign\nresign\nquit\n")
    run("commands/unknown.txt", "show", "ches")
    run("commands/bad-state.txt", "show", "chess", "--state", "rnbqkbnr/pppppppp/8/8/8/8/PPPP/RNBQKBNR w KQkq - 0 1", "--format", "json")
    run("commands/usage.txt", "perft", "chess", "many")
    run("commands/tune.json", "tune", "gardner", "--games", 6, "--proof", 2, "--nodes", 50, "--threads", 1, "--format", "json")
    run("uci/session.txt", "uci", stdin="uci\nisready\nposition startpos moves e2e4 e7e5\ngo depth 4\nposition fen nonsense\ngo nodes 100\nquit\n")


def players(game):
    return [player["name"] for player in json.loads((GAMES / f"{game}.json").read_text())["players"]]


def broken(recorder, library):
    """Game files with one fault each: a key removed, misspelt or of another type."""
    chance = random.Random(2)
    for game in library:
        spec = json.loads((GAMES / f"{game}.json").read_text())
        for index in range(12):
            damaged = copy.deepcopy(spec)
            place, path = damaged, []
            while True:
                keys = list(place) if isinstance(place, dict) else list(range(len(place)))
                if not keys:
                    break
                key = chance.choice(keys)
                path.append(key)
                if isinstance(place[key], (dict, list)) and place[key] and chance.random() < 0.75:
                    place = place[key]
                    continue
                fault = chance.randrange(4)
                if fault == 0:
                    place.pop(key)
                elif fault == 1 and isinstance(place, dict):
                    place[str(key) + "x"] = place.pop(key)
                elif fault == 2:
                    place[key] = [1]
                else:
                    place[key] = "NONSENSE"
                break
            file = recorder.work / f"{game}-{index}.json"
            file.write_text(json.dumps(damaged, indent=1))
            recorder.run(f"check/{game}-{index}.json", "check", file, "--format", "json")


def mcp(recorder):
    def call(number, tool, **arguments):
        return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}

    lines = [
        {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "corpus", "version": "1"}}},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 1, "method": "tools/list"},
        call(2, "list_games"), call(3, "rules", game="chess"), call(4, "new_game", game="chess"), call(5, "state", id="g1"),
        call(6, "legal_moves", id="g1"), call(7, "submit", id="g1", output='{"from":"e2","to":"e4","promotion":null}'),
        call(8, "play_reply", id="g1", player="random"), call(9, "submit", id="g1", output='{"from":"e2","to":"e4","promotion":null}'),
        call(10, "offer_draw", id="g1"), call(11, "claim_draw", id="g1", reason="nonsense"), call(12, "history", id="g1"),
        call(13, "resign", id="g1"), call(14, "state", id="g1"), call(15, "state", id="g7"), call(16, "fly"), call(17, "submit", id="g1", output="x"),
        {"jsonrpc": "2.0", "id": 18, "method": "nonsense"},
        call(19, "new_game", game="enochian"), call(20, "play_reply", id="g2", player="greedy"), call(21, "state", id="g2"),
        call(22, "new_game", game="nonsense"), call(23, "new_game", game="chess", state="nonsense"),
    ]
    text = "\n".join(map(json.dumps, lines)) + "\n"
    recorder.run("mcp/session.txt", "mcp", stdin=text)
    recorder.run("mcp/retries.txt", "mcp", "--retries", 2, stdin=text)


def record(binary, folder):
    recorder = Recorder(binary, folder)
    library = sorted(path.stem for path in GAMES.glob("*.json") if path.stem != "schema")
    states = matches(recorder, library)
    judged(recorder, states)
    commands(recorder, library)
    broken(recorder, library)
    mcp(recorder)
    shutil.rmtree(recorder.work)
    print(f"{sum(1 for path in recorder.folder.rglob('*') if path.is_file())} files in {folder}")


# Intended changes of behaviour: the reason, the files, and the replacements that turn the old output into the new one.
CHANGED = [
    (
        "a UCI engine that answers `bestmove resign` resigns",
        ["matches/uci-resign.*"],
        [
            (r'"verdict":"malformed"(.*)"why":"`resign` is not a move[^"]*"', r'"verdict":"resign"\1"why":null'),
            (r'"reason":"malformed","by":"WHITE"', r'"reason":"resignation","by":null'),
            (r'\[Termination "malformed"\]', r'[Termination "resignation"]'),
            (r"\{WHITE: malformed\} 0-1", r"0-1"),
            (r'"malformed":( ?)1,', r'"malformed":\g<1>0,'),
            (r'"malformed":( ?)1(\s*\})', r'"resignation":\g<1>1\2'),
        ],
    ),
    (
        "`bestmove (none)` and `bestmove 0000` are illegal, no longer malformed",
        ["matches/uci-none.*", "matches/uci-zero.*"],
        [
            (r'"verdict":"malformed"(.*)"why":"`(\(none\)|0000)` is not a move[^"]*"', r'"verdict":"illegal"\1"why":"`\2` is not a move"'),
            (r'"reason":"malformed"', r'"reason":"illegal"'),
            (r'\[Termination "malformed"\]', r'[Termination "illegal"]'),
            (r"\{WHITE: malformed\}", r"{WHITE: illegal}"),
            (r'"illegal":( ?)0,(\s*)"malformed":( ?)1,', r'"illegal":\g<1>1,\2"malformed":\g<3>0,'),
            (r'"malformed":( ?)1(\s*\})', r'"illegal":\g<1>1\2'),
        ],
    ),
    (
        "an MCP game lost by a rejected output has the reason `illegal` or `malformed`, no longer `illegal_output`",
        ["mcp/session.txt"],
        [
            (r'"(reason|end_reason)":"illegal_output"', r'"\1":"illegal"'),
            (r'\[Termination \\"illegal_output\\"\]', r'[Termination \\"illegal\\"]'),
            (r"The game is over \(illegal output\)", r"The game is over (illegal)"),
        ],
    ),
    (
        "the version is 0.2.0",
        ["mcp/*.txt", "uci/session.txt"],
        [(r'("name":"tabiya","title":"Tabiya","version":"|id name Tabiya )0\.1\.0', r"\g<1>0.2.0")],
    ),
]


def unwrapped(text):
    """The text, but items of a list and paragraphs that were wrapped at 100 columns are one line each."""
    for newline in ["\n", r"\n"]:
        lines, last = [""], ""
        for line in text.split(newline):
            item = re.match(r"\s*- |\s+\d+\. ", line)
            inside = re.match(r"\s*- |\s+\d+\. ", lines[-1]) and re.match(r"\s+\S", line)
            word = line.replace(r"\"", '"').split(" ")[0]
            wrapped = word and len(last) <= 100 < len(last) + 1 + len(word) and line[0] != "{"
            if (inside or wrapped) and not item:
                lines[-1] += " " + line.lstrip()
            else:
                lines.append(line)
            last = line.replace(r"\"", '"')
        text = newline.join(lines[1:])
    return text


def replaced(text, rows, used):
    for row in rows:
        text, count = re.subn(*row, text)
        if count:
            used.add(row)
    return text


def compare(before, after):
    lines = (HERE / "reworded.tsv").read_text().splitlines()
    wording = [tuple(line.split("\t")) for line in lines if line and line[0] != "#"]
    used, same, reworded, changed, different = set(), 0, 0, {}, []
    names = {str(path.relative_to(folder)) for folder in map(Path, (before, after)) for path in folder.rglob("*") if path.is_file()}
    for name in sorted(names):
        texts = [(Path(folder) / name).read_text() if (Path(folder) / name).exists() else "" for folder in (before, after)]
        if texts[0] == texts[1]:
            same += 1
            continue
        old, new = map(unwrapped, texts)
        old = replaced(old, wording, used)
        if old == new:
            reworded += 1
            continue
        reasons = [reason for reason, patterns, _ in CHANGED if any(fnmatch(name, pattern) for pattern in patterns)]
        for reason, _, rows in CHANGED:
            if reason in reasons:
                old = replaced(old, rows, used)
        if old == new:
            for reason in reasons:
                changed.setdefault(reason, []).append(name)
        else:
            pairs = zip(old.splitlines() + [""] * 9, new.splitlines() + [""] * 9)
            different.append((name, [(old, new) for old, new in pairs if old != new][:3]))
    for name, lines in different:
        print(name)
        for old, new in lines:
            at = next((i for i, (a, b) in enumerate(zip(old, new)) if a != b), 0)
            start = max(0, at - 60)
            print(f"  - {old[start:start + 260]}\n  + {new[start:start + 260]}")
    for row in wording + [row for _, _, rows in CHANGED for row in rows]:
        if row not in used:
            print(f"unused: {row[0]}")
    for reason, files in changed.items():
        print(f"intended: {reason} ({', '.join(files)})")
    intended = len({name for files in changed.values() for name in files})
    print(f"{same} files are the same, {reworded} are only reworded, {intended} changed as intended, {len(different)} differ")
    return 1 if different else 0


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["record", binary, folder]:
            record(binary, folder)
        case ["compare", before, after]:
            sys.exit(compare(before, after))
        case _:
            sys.exit(__doc__)
