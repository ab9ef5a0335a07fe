# Thin: what a target does stands in the script that it calls.
PREFIX ?= /usr/local
DESTDIR ?=
# What `make install` installs.
BINARY ?= .build/release/git-talk

.PHONY: all setup build test demo demo-many demo-outbox bench fuzz crash lint install uninstall clean

all: build

setup: # packages of the distribution that are missing
	@.ci/setup

build: setup
	.ci/swift build -c release --static-swift-stdlib --product git-talk

test: # every test, with a wiki of its own to talk to
	@Tests/run

demo: # a session with a wiki that goes away and comes back
	@demo/session

demo-many: # a hundred pages, killed in the middle
	@demo/many

demo-outbox: # replies written offline while what they answer is archived
	@demo/outbox

bench: # speed and memory as ratios against named peers
	@Benchmarks/run

fuzz: # a minute each for what reads pages and wikitext
	@Fuzz/run

RUNS ?= 500
crash: # so many replies through whatever breaks, a quarter as many on the real wiki, and git and git-talk ended at each write
	@GIT_TALK_CRASH_RUNS=$(RUNS) Tests/run --filter 'CrashRunTests|PackingCrashTests|ProgramCrashTests'

lint:
	@.ci/lint

# `sudo make install` need not find a compiler, and leaves no files of root's in the build: what is older than the
# sources is built anew by its owner, else that is said.
install:
	@if [ "$(origin BINARY)" != file ]; then test -x "$(BINARY)"; \
	elif [ ! -x "$(BINARY)" ]; then $(MAKE) build; \
	elif [ -n "$$(find Sources Package.swift -newer "$(BINARY)" -type f -print -quit)" ]; then \
		if [ -O .build ] && .ci/swift --version >/dev/null 2>&1; then $(MAKE) build; \
		else echo "install: $(BINARY) is older than the sources and is installed as it is; make build first" >&2; fi; \
	fi
	install -D -m 755 "$(BINARY)" "$(DESTDIR)$(PREFIX)/bin/git-talk"
	install -D -m 644 docs/man/git-talk.1 "$(DESTDIR)$(PREFIX)/share/man/man1/git-talk.1"

uninstall:
	rm -f "$(DESTDIR)$(PREFIX)/bin/git-talk" "$(DESTDIR)$(PREFIX)/share/man/man1/git-talk.1"

clean:
	rm -rf .build .wiki
