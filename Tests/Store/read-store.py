#!/usr/bin/env python3
"""Prints what a store of git-talk has as JSON: `read-store.py <store>`. Written from Schema/STORE.md alone, so that the page
is complete; nothing of git-talk is used, git gives the objects."""
import hashlib, json, os, pathlib, re, subprocess, sys, unicodedata

sys.dont_write_bytecode = True
from comments import Comments

ROOT = sys.argv[1]
GIT = ["git", "--no-replace-objects", "--git-dir", ROOT + "/.git"]
PRIVATE = ROOT + "/.git/git-talk/"
MARK = "[%s\u200c\u200d]" % "".join(each for each in map(chr, range(sys.maxunicode)) if unicodedata.category(each)[0] == "M")


def run(*words):
    return subprocess.run(words, stdout=subprocess.PIPE).stdout.decode()


if run("git", "config", "--file", ROOT + "/.git/config", "talk.format").strip() != "1":
    sys.exit("read-store: not a store of format 1")
batch = subprocess.Popen(GIT + ["cat-file", "--batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def load(name):
    batch.stdin.write((name + "\n").encode())
    batch.stdin.flush()
    return batch.stdout.read(int(batch.stdout.readline().split()[2]) + 1)[:-1]


def tree(name, path=""):
    """Path and content of every file below a tree."""
    files, rest = {}, load(name)
    while rest:
        mode, rest = rest.split(b" ", 1)
        entry, rest = rest.split(b"\0", 1)
        identifier, rest, place = rest[:20].hex(), rest[20:], path + entry.decode()
        files.update(tree(identifier, place + "/") if mode == b"40000" else {place: load(identifier).decode()})
    return files


def read_file(path):
    return pathlib.Path(path).read_text("utf-8") if os.path.exists(path) else ""


def read_json(path):
    try:
        return json.loads(read_file(PRIVATE + path + ".json"))
    except ValueError:
        return {}


def undo(text, codes="[0-9A-F]{2}"):
    return re.sub(b"%(" + codes.encode() + b")", lambda found: bytes.fromhex(found[1].decode()), text.encode()).decode()


def escape(text, limit):
    text = unicodedata.normalize("NFC", text)
    # A space that is one character with a mark after it stays and is escaped.
    text = re.sub(" (?!%s)" % MARK, "_", text)
    special = r'[\0-\x20\x7f~^:?*\[\\%/"<>|=]|\A[.-]|\.\Z|(?<=\.)\.|\.(?=[lL][oO][cC][kK]\Z)|\A@\Z|@(?=\{)|(?<=@)\{'
    pieces = re.findall("%..|.", re.sub(special, lambda found: "%%%02X" % ord(found[0]), text), re.DOTALL)
    size = 0
    for count, piece in enumerate(pieces):
        size += len(piece.encode())
        if size > limit:
            return "".join(pieces[:count]) + "=" + hashlib.sha256(text.encode()).hexdigest()[:16]
    return "".join(pieces)


def commit(name):
    """What stands in a commit, its paragraphs, and its trailers, of which the first of a name counts."""
    head, message = load(name).decode().split("\n\n", 1)
    fields = dict(line.split(" ", 1) for line in reversed(head.split("\n")))
    fields["name"], fields["mail"], fields["time"] = re.fullmatch(r"(.*) <(.*)> (\d+) \+0000", fields["author"]).groups()
    parts = message[:-1].split("\n\n")
    return fields, parts, dict(line.split(": ", 1) for line in reversed(parts[-1].split("\n")) if ": " in line)


def name(path):
    """The name of the page with this path; its title is None when nothing tells what was cut."""
    wiki, space, title = path.split("/")
    known = [shared["titles"].get(path, "")[:-1], read_json("state/" + path).get("page", {}).get("title", "")]
    whole = next((each for each in known if escape(each, 200) == title), None) if "=" in title else undo(title.replace("_", " "))
    return {"wiki": undo(wiki), "namespace": undo(space.replace("_", " ")), "title": whole}


def history(tip, key):
    """The revisions of a branch, the last one first."""
    revisions = []
    while tip:
        fields, (subject, *_), trailers = commit(tip)
        revision = {"commit": tip, "tree": fields["tree"], "timestamp": int(fields["time"])}
        for member in ("Revision", "Parent", "Page-Id", "Format", "Render"):
            revision[member.removesuffix("-Id").lower()] = int(trailers.pop("Wiki-" + member, 0))
        is_hidden = (fields["name"], fields["mail"]) == ("(hidden)", "hidden@" + key)
        revision["user"] = None if is_hidden else undo(fields["name"], "[01][0-9A-F]|7F|3C|3E")
        revision["summary"] = {"(no summary)": "", "(summary hidden)": None}.get(subject, subject)
        revision["hidden"] = [part for part in ("user", "summary") if revision[part] is None]
        revisions.append({**revision, "minor": trailers.pop("Wiki-Minor", "") == "true", "more": trailers})
        tip = fields.get("parent")
    return revisions


def sections(files):
    """What `page.json` lists; each file is called by its heading."""
    listed, counts = json.loads(files["page.json"]), {}
    for each in listed["sections"]:
        slug = escape(each["heading"], 120) or "_"
        counts[slug] = counts.get(slug, 0) + 1
        file = "sections/%s%s.html" % (slug, "~%d" % counts[slug] if counts[slug] > 1 else "")
        if listed["format"] != 1 or each["file"] != file or file not in files:
            sys.exit("read-store: %s is not %s" % (each["file"], file))
    return listed["sections"]


def comments(files, wiki):
    parser = Comments(wiki)
    for file in ["lede.html"] + [each["file"] for each in sections(files)]:
        parser.feed(files[file])
        parser.end()
    return parser.found


def stamp(path):
    """The commit of a page's directory, when that has the files that its stamp says."""
    lines = read_file(ROOT + "/" + path + "/.stamp").split("\n")
    files = [line.split(" ", 2) for line in lines[3:-1]]
    is_whole = all(os.path.getsize("%s/%s/%s" % (ROOT, path, file)) == int(size) for _, size, file in files)
    return lines[1].removeprefix("commit ") if lines[0] == "git-talk stamp 1" and is_whole else None


references = dict(line.split(" ") for line in run(*GIT, "for-each-ref", "--format=%(refname) %(objectname)").split("\n")[:-1])
shared = {each: tree(commit(references["refs/meta/" + each])[0]["tree"]) if "refs/meta/" + each in references else {}
          for each in ("purged", "bookmarks", "titles")}
pages, pending, discarded = [], [], []
branches = [each.removeprefix("refs/heads/").removeprefix("pending/") for each in references if each.startswith("refs/heads/")]
for path in sorted({each for each in branches if each.count("/") == 2}, key=str.encode):
    tip, top, page = references.get("refs/heads/" + path), references.get("refs/heads/pending/" + path), name(path)
    (fields, _, trailers), key = commit(top or tip), page["wiki"]
    if not {"Wiki-Revision", "Pending-Id"} & set(trailers) or not fields["mail"].endswith("@" + key):
        continue  # The user's own.
    files = tree(commit(tip)[0]["tree"]) if tip else {}
    threads, wiki = read_json("threads/" + path), read_json("wikis/" + path.split("/")[0])
    pages.append({
        **page, "revisions": history(tip, key), "sections": sections(tree(fields["tree"])), "stamp": stamp(path),
        "comments": comments(files, wiki) if tip and wiki else [],
        "items": threads.get("items") if threads.get("treeID") == fields["tree"] else None})
    while top and "Pending-Id" in commit(top)[2]:
        fields, _, trailers = commit(top)
        reply = json.loads(tree(fields["tree"])["pending/%s.json" % trailers["Pending-Id"]])
        pending.append({**page, "account": fields["name"], "reply": reply, "trailers": trailers})
        top = fields.get("parent")
for each in (each for each in references if each.startswith("refs/discarded/")):
    fields, parts, _ = commit(references[each])
    files = tree(fields["tree"])
    discarded.append({"id": each.removeprefix("refs/discarded/"), "account": fields["name"], "text": files["text"],
                      "page": json.loads(files["entry.json"])["page"], "reason": parts[1]})
outbox = sorted(each.stem for each in pathlib.Path(PRIVATE, "outbox").glob("*.json"))
print(json.dumps({
    "pages": pages, "pending": sorted(pending, key=lambda each: each["reply"]["id"]), "discarded": discarded,
    "outbox": [entry for entry in (read_json("outbox/" + each) for each in outbox) if entry],
    "bookmarks": [name(path) for path, counter in shared["bookmarks"].items()
                  if re.fullmatch(r"[1-9][0-9]*\n", counter) and int(counter) % 2],
    "purged": [{**name(path.rpartition("/")[0]), "revision": int(path.rpartition("/")[2]), "parts": words.split()}
               for path, words in shared["purged"].items()],
    "titles": [title[:-1] for title in shared["titles"].values()]}, ensure_ascii=False, indent=1))
