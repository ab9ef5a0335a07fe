"""The comments of a page by its HTML alone: the short form of Schema/STORE.md, under "Topics and comments"."""
import datetime, html.parser, re, urllib.parse, zoneinfo

BLOCKS = set("p li dd dt td th div blockquote dl ul ol h1 h2 h3 h4 h5 h6".split())
QUOTES = ["blockquote", "cite", "q"]


class Comments(html.parser.HTMLParser):
    """Takes one file after another; `found` has author, time and text of each comment."""

    def __init__(self, wiki):
        super().__init__()
        self.wiki, self.found, self.before, self.quoted = wiki, [], [], 0
        self.text, self.nodes, self.links = "", [], []
        self.forms = [form(each) for each in wiki["signatureFormats"]]

    def handle_starttag(self, tag, attributes):
        self.end(tag)
        self.quoted += tag in QUOTES
        name = user(self.wiki, dict(attributes).get("href") or "") if tag == "a" else None
        self.links += [(len(self.text), name)] if name else []

    def handle_endtag(self, tag):
        self.end(tag)
        self.quoted -= tag in QUOTES
        self.before = [] if re.fullmatch("h[1-6]", tag) else self.before

    def handle_data(self, data):
        self.nodes.append((len(self.text), len(data.strip())))
        self.text += data

    def end(self, tag="p"):
        """A block ends: with a signature it is a comment's last one."""
        if tag not in BLOCKS:
            return
        signed = ((match, read, self.signature(match)) for pattern, read in self.forms for match in pattern.finditer(self.text))
        match, read, links = next((each for each in signed if each[2]), (None, None, []))
        start = min((place for place, name in links if name == links[-1][1]), default=None)
        self.before += [" ".join(self.text[:start].split())] if self.text.strip() else []
        if match:
            comment = {"author": links[-1][1], "timestamp": read(match, self.wiki), "text": "\n".join(filter(None, self.before))}
            self.found.append(comment)
        self.text, self.nodes, self.links, self.before = "", [], [], [] if match else self.before

    def signature(self, match):
        """The links to users in less than 100 characters before the text with the date."""
        text = max(place for place, _ in self.nodes if place <= match.start())
        return [link for link in self.links if link[0] <= match.start() and not self.quoted
                and sum(length for place, length in self.nodes if link[0] <= place < text) < 100]


def user(wiki, address):
    """Whom a link leads to; None when that is nobody."""
    before = wiki["articlePath"].split("$1")[0]
    parts = urllib.parse.urlsplit(address)
    path = parts.path.removeprefix("./" if parts.path.startswith("./") else before)
    title = urllib.parse.parse_qs(parts.query).get("title", [urllib.parse.unquote(path) if path != parts.path else ""])[-1]
    space, _, name = title.replace("_", " ").partition(":")
    for each in wiki["namespaces"]:
        if space in [each["name"], each["canonical"]] + each["aliases"]:
            special, slash, target = name.partition("/")
            if each["id"] == -1:
                return target if special == wiki["contributionsNames"][0] and "/" not in target else None
            return special if each["id"] in (2, 3) and not slash else None


def form(each):
    """The pattern of a signature format, and what reads the time of a match."""
    digits = each["digits"] + "0123456789"
    lists = {"F": each["months"], "xg": each["monthsGenitive"], "M": each["monthsShort"],
             "D": each["weekdaysShort"], "l": each["weekdays"]}
    pattern = ""
    for raw, letter in re.findall(r'(xn)?(xkY|xg|xx|\\.|"[^"]*"|.)', each["format"]):
        if letter in lists:
            pattern += "(?P<%s>%s)" % (letter, "|".join(map(re.escape, lists[letter])))
        elif letter in ["H", "G", "i", "s", "j", "d", "n", "m", "Y", "xkY"]:
            count = {"Y": "4", "xkY": "4", "G": "1,2", "j": "1,2", "n": "1,2"}.get(letter, "2")
            pattern += "(?P<%s>[%s]{%s})" % (letter, "0-9" if raw else each["digits"], count)
        else:
            pattern += re.escape("x" if letter == "xx" else letter.strip('"\\') or letter)
        pattern += "[\u200e\u200f]?"
    zones = {shown: name for name, shown in each["timezoneAbbreviations"].items()}

    def read(match, wiki):
        got = {key: value for key, value in match.groupdict().items() if value}

        def number(*keys):
            return next(int("".join(str(digits.index(digit) % 10) for digit in got[key])) for key in keys if key in got)
        month = next((lists[key].index(got[key]) + 1 for key in ("F", "xg", "M") if key in got), None) or number("n", "m")
        year = number("Y") if "Y" in got else number("xkY") - 543
        local = datetime.datetime(year, month, number("j", "d"), number("H", "G"), number("i"))
        times = [local.replace(tzinfo=zoneinfo.ZoneInfo(wiki["timezone"]), fold=fold) for fold in (0, 1)]
        return int(next((time for time in times if time.tzname() == zones[got["zone"]]), times[0]).timestamp())
    return re.compile(pattern + r" [\u200e\u200f]?\((?P<zone>%s)\)" % "|".join(map(re.escape, zones))), read
