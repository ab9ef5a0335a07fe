#!/usr/bin/env python3
"""Prints what a store of git-talk has as JSON: `read-store.py <store>`. Written from Schema/STORE.md alone, so that the page
is complete; nothing of git-talk is used, git gives the objects."""
import datetime, html.parser, json, os, re, subprocess, sys, urllib.parse, zoneinfo

ROOT = sys.argv[1]
GIT = ["git", "--git-dir", ROOT + "/.git"]
PRIVATE = ROOT + "/.git/git-talk/"


def run(*words):
    return subprocess.run(words, stdout=subprocess.PIPE).stdout.decode()


if run("git", "config", "--file", ROOT + "/.git/config", "--type=int", "talk.format").strip() != "1":
    sys.exit("read-store: not a store of format 1")
batch = subprocess.Popen(GIT + ["cat-file", "--batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def load(name):
    batch.stdin.write((name + "\n").encode())
    batch.stdin.flush()
    data = batch.stdout.read(int(batch.stdout.readline().split()[2]) + 1)
    return data[:-1]


def tree(name, path=""):
    """Path and content of every file below a tree."""
    files, rest = {}, load(name)
    while rest:
        mode, rest = rest.split(b" ", 1)
        entry, rest = rest.split(b"\0", 1)
        identifier, rest = rest[:20].hex(), rest[20:]
        place = path + entry.decode()
        files.update(tree(identifier, place + "/") if mode == b"40000" else {place: load(identifier).decode()})
    return files


def undo(text):
    return re.sub("((?:%[0-9A-F]{2})+)", lambda found: bytes.fromhex(found[1].replace("%", "")).decode(), text)


def commit(name):
    head, message = load(name).decode().split("\n\n", 1)
    fields = dict(line.split(" ", 1) for line in reversed(head.split("\n")))
    author, mail, time = re.fullmatch(r"(.*) <(.*)> (\d+) \+0000", fields["author"]).groups()
    trailers = dict(line.split(": ", 1) for line in message.rstrip("\n").split("\n\n")[-1].split("\n") if ": " in line)
    return fields, author, mail, int(time), message.split("\n")[0], message.split("\n\n"), trailers


def read_json(path, default=None):
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError):
        return default


class Text(html.parser.HTMLParser):
    """The comments of a page: author and time of each signature."""
    BLOCKS = set("p li dd dt td th div blockquote dl ul ol h1 h2 h3 h4 h5 h6".split())

    def __init__(self, wiki):
        super().__init__()
        self.wiki, self.text, self.links, self.found = wiki, "", [], []
        self.forms = [form(each) for each in wiki["signatureFormats"]]

    def handle_starttag(self, tag, attributes):
        if tag in self.BLOCKS:
            self.end()
        if tag == "a" and user(self.wiki, dict(attributes).get("href") or ""):
            self.links.append((len(self.text), user(self.wiki, dict(attributes)["href"])))

    def handle_endtag(self, tag):
        if tag in self.BLOCKS:
            self.end()

    def handle_data(self, data):
        self.text += data

    def end(self):
        for pattern, read in self.forms:
            for match in pattern.finditer(self.text):
                names = [name for place, name in self.links if place <= match.start()]
                if names:
                    self.found.append({"author": names[-1], "timestamp": read(match, self.wiki)})
        self.text, self.links = "", []


def user(wiki, address):
    before, after = wiki["articlePath"].split("$1")
    title = address[len(before):] if address.startswith(before) else \
        urllib.parse.parse_qs(urllib.parse.urlsplit(address).query).get("title", [""])[0]
    space, _, name = urllib.parse.unquote(title.split("?")[0].split("#")[0]).replace("_", " ").partition(":")
    for each in wiki["namespaces"]:
        if space in [each["name"], each["canonical"]] + each["aliases"]:
            special, _, target = name.partition("/")
            if each["id"] == -1:
                return target if special in wiki["contributionsNames"] else None
            return special if each["id"] in (2, 3) else None


def form(each):
    lists = {"F": each["months"], "xg": each["monthsGenitive"], "M": each["monthsShort"], "D": each["weekdaysShort"], "l": each["weekdays"]}
    pattern = ""
    for letter in re.findall(r'xg|\\.|"[^"]*"|.', each["format"]):
        if letter in lists:
            pattern += "(?P<%s>%s)" % (letter, "|".join(map(re.escape, lists[letter])))
        elif letter in "HGijdnmY":
            pattern += "(?P<%s>[%s]{%s})" % (letter, each["digits"], {"Y": "4"}.get(letter, "1,2"))
        else:
            pattern += re.escape(letter.strip('"\\') or letter)
    zones = {shown: name for name, shown in each["timezoneAbbreviations"].items()}

    def read(match, wiki):
        got = {key: value for key, value in match.groupdict().items() if value}
        number = lambda *keys: next(int("".join(str(each["digits"].index(d)) for d in got[k])) for k in keys if k in got)
        month = next((lists[k].index(got[k]) + 1 for k in ("F", "xg", "M") if k in got), None) or number("n", "m")
        local = datetime.datetime(number("Y"), month, number("j", "d"), number("H", "G"), number("i"))
        times = [local.replace(tzinfo=zoneinfo.ZoneInfo(wiki["timezone"]), fold=fold) for fold in (0, 1)]
        return int(next((t for t in times if t.tzname() == zones[got["zone"]]), times[0]).timestamp())
    return re.compile(pattern + r" \((?P<zone>%s)\)" % "|".join(map(re.escape, zones))), read


references = dict(line.split(" ") for line in run(*GIT, "for-each-ref", "--format=%(refname) %(objectname)").splitlines())
shared = {name: tree(commit(references["refs/meta/" + name])[0]["tree"]) if "refs/meta/" + name in references else {}
          for name in ("purged", "bookmarks", "titles")}


def page(path):
    wiki, space, title = path.split("/")
    whole = shared["titles"].get(path, "").rstrip("\n") if "=" in title else undo(title.replace("_", " "))
    return {"wiki": undo(wiki), "namespace": undo(space.replace("_", " ")), "title": whole}


def history(tip):
    revisions = []
    while tip:
        fields, author, mail, time, subject, _, trailers = commit(tip)
        hidden = author == "(hidden)" and mail.startswith("hidden@")
        known = ["Wiki-Revision", "Wiki-Parent", "Wiki-Page-Id", "Wiki-Minor", "Wiki-Format", "Wiki-Render"]
        revisions.append({
            "commit": tip, "tree": fields["tree"], "revision": int(trailers["Wiki-Revision"]), "parent": int(trailers["Wiki-Parent"]),
            "page": int(trailers["Wiki-Page-Id"]), "timestamp": time, "minor": trailers.get("Wiki-Minor") == "true",
            "user": None if hidden else re.sub("%(0.|1.|7F|3C|3E)", lambda found: chr(int(found[1], 16)), author),
            "summary": {"(no summary)": "", "(summary hidden)": None}.get(subject, subject),
            "format": int(trailers["Wiki-Format"]), "render": int(trailers.get("Wiki-Render", 0)),
            "more": {key: value for key, value in trailers.items() if key not in known}})
        tip = fields.get("parent")
    return revisions


def comments(name, wiki):
    files, wiki = tree(name), read_json(PRIVATE + "wikis/" + wiki + ".json")
    paths = ["lede.html"] + [section["file"] for section in json.loads(files["page.json"])["sections"]]
    parser = Text(wiki)
    for path in paths:
        parser.feed(files[path])
        parser.end()
    return parser.found


pages, pending, discarded = [], [], []
for name, tip in references.items():
    path = name.removeprefix("refs/heads/")
    if name.startswith("refs/heads/pending/"):
        while tip and "Pending-Id" in commit(tip)[6]:
            fields, account = commit(tip)[:2]
            identifier = commit(tip)[6]["Pending-Id"]
            reply = json.loads(tree(fields["tree"])["pending/%s.json" % identifier])
            pending.append({**page(path.removeprefix("pending/")), "account": account, "reply": reply})
            tip = fields.get("parent")
    elif name.startswith("refs/discarded/"):
        files = tree(commit(tip)[0]["tree"])
        entry = json.loads(files["entry.json"])
        discarded.append({"id": name.removeprefix("refs/discarded/"), "page": entry["page"], "text": files["text"], "reason": commit(tip)[5][1]})
    elif name.startswith("refs/heads/") and path.count("/") == 2:
        revisions = history(tip)
        threads = read_json(PRIVATE + "threads/" + path + ".json", {})
        pages.append({**page(path), "revisions": revisions, "comments": comments(revisions[0]["tree"], path.split("/")[0]),
                      "items": threads.get("items") if threads.get("treeID") == revisions[0]["tree"] else None})
entries = [read_json(PRIVATE + "outbox/" + name) for name in sorted(os.listdir(PRIVATE + "outbox"))] if os.path.isdir(PRIVATE + "outbox") else []
print(json.dumps({
    "pages": pages, "pending": sorted(pending, key=lambda each: each["reply"]["id"]), "discarded": discarded,
    "outbox": [each for each in entries if each],
    "bookmarks": [page(path) for path, counter in shared["bookmarks"].items() if counter.strip().isdigit() and int(counter) % 2],
    "purged": [{**page(path.rpartition("/")[0]), "revision": int(path.rpartition("/")[2]), "parts": words.split()}
               for path, words in shared["purged"].items()],
    "titles": [title.rstrip("\n") for title in shared["titles"].values()]}, ensure_ascii=False, indent=1))
