"""What is the name of a file, and not a call, a command, a version or a word of prose.

In `whole_file` a line above a fence makes a file of what the fence holds, and prose has such lines too: inline code, a
heading, a command above its output. So a name must look like a file's; behind `./` any name without blanks does.
"""

import re

from miner.symbols.languages import BY_SUFFIX

# Endings of files besides those of the languages with symbols. Left out are words that stand behind a dot in code as
# often: `console.log`, `process.env`, `app.config`, `np.sum`. They matter where a path has no slash, or blanks.
_ENDINGS = frozenset(
    ["adoc", "am", "asciidoc", "asm", "astro", "awk", "ac", "bash", "bat", "bazel", "bzl", "cfg", "cff", "clj", "cljs",
     "cmake", "cmd", "cnf", "coffee", "conf", "cr", "csproj", "css", "csv", "cu", "dart", "diff", "dockerignore",
     "ejs", "elm", "erb", "erl", "ex", "exs", "f90", "fish", "fs", "fsproj", "fsx", "gemspec", "gitignore", "glsl",
     "gql", "gradle", "graphql", "groovy", "haml", "hbs", "hcl", "hlsl", "hrl", "hs", "htm", "html", "in", "ini",
     "ipynb", "j2", "jinja", "jinja2", "jl", "jq", "json", "json5", "jsonc", "jsonl", "jsp", "ksh", "less", "lhs",
     "lisp", "lua", "m", "m4", "markdown", "md", "mdx", "mk", "ml", "mli", "mm", "neon", "nim", "nix", "nsi", "org",
     "pas", "patch", "phtml", "pl", "plist", "pm", "po", "pp", "prisma", "proto", "ps1", "psd1", "psm1", "pug", "pxd",
     "pyx", "rake", "rdoc", "rego", "rkt", "rmd", "rst", "sass", "scss", "sed", "sh", "slim", "sln", "sol", "sql",
     "styl", "sty", "sv", "svelte", "svg", "tcl", "tex", "tf", "tfvars", "thrift", "tmpl", "toml", "tpl", "tsv", "txt",
     "vb", "vbproj", "vhd", "vim", "vue", "wat", "wgsl", "wsdl", "xaml", "xhtml", "xml", "xsd", "xsl", "xslt", "yaml",
     "yml", "zig", "zsh"]
) | {suffix[1:] for suffix in BY_SUFFIX}  # fmt: skip
_WHOLE_NAMES = re.compile(
    r"""(?: (?:GNU)?[Mm]akefile | (?:Docker|Container|Jenkins|Vagrant|Proc|Pip|Gem|Rake|Guard|Pod|Brew|Just|Caddy)file
          | Dockerfile\.\w+ | justfile | gradlew | mvnw | pylintrc | CODEOWNERS | AUTHORS | CONTRIBUTORS | MAINTAINERS
          | COPYING | COPYRIGHT | NOTICE
          | VERSION | CHANGES | HISTORY | NEWS | HACKING | MANIFEST | OWNERS | BUILD | WORKSPACE
          | meson\.build | (?:UN)?LICEN[CS]E(?:-\w+)? | CHANGELOG | ChangeLog | README(?:-\w+)?
          | py\.typed | go\.(?:mod|sum|work) | config\.ru | gradle\.properties | (?:web|nuget|NuGet)\.config
          | Directory\.\w+\.props | (?:poetry|uv|pdm|Cargo|Gemfile|Pipfile|composer|yarn|flake)\.lock
          | \w+\.(?:xml|neon|php|yml)\.dist | \.env(?:\.\w+)? | \.(?:ignore|mailmap|yardopts|rspec|htaccess)
          | \.\w[\w-]*(?:rc|ignore|attributes|modules|config|format|lint|tidy|keep|version|-revs)(?:\.\w+)? )\Z""",
    re.VERBOSE,
)
# What is written like a file: frameworks, with a capital, and what code reaches through an object.
_FRAMEWORKS = frozenset(
    ["alpine", "angular", "backbone", "chart", "d3", "day", "deno", "discord", "ember", "electron", "express",
     "knockout", "moment", "nest", "next", "node", "nuxt", "react", "remix", "solid", "three", "underscore", "vue"]
)  # fmt: skip
_OBJECTS = frozenset(["self", "this", "cls", "super", "np", "pd", "df", "req", "res", "resp", "request", "response"])

_ODD = r"\"'<>|;=&,*?!`:"  # commands and code are full of these
_ONE_WORD = re.compile(rf"[^\s{_ODD}/(){{}}\[\]$]+\Z")
_FOLDERS = re.compile(rf"(?:[A-Za-z]:)?[^\s{_ODD}]+\Z")
_PLAIN = re.compile(r"/?(?:[\w.+@~#%-]+/)+([\w.+@~#%-]+)\Z")
_COMMAND = re.compile(rf"[{_ODD}]|\s--?\w")


def like_a_file(name: str, blanks: bool = False) -> bool:
    """Whether a name looks like the path of a file; one that has blanks only where `blanks` may be."""
    path = name.replace("\\", "/")
    if re.search(r"\s", path):
        return blanks and _with_blanks(path)
    if path.startswith("./"):
        return re.search(r"\w", path) is not None and not path.endswith("/")
    if "/" not in path:
        return _ONE_WORD.match(path) is not None and _of_a_file(path) and not _no_file(path)
    if _FOLDERS.match(path) and _of_a_file(path):
        return True
    plain = _PLAIN.match(name)
    return plain is not None and re.search(r"[^\W\d_]", plain[1]) is not None  # `1/2` is a number


def _with_blanks(path: str) -> bool:
    """A command has no slash in its first word (`cat src/a.py`), or an option, or several files (`./run.sh a.py`)."""
    words = path.split()
    if not words or path[:1].isspace() or "/" not in words[0] or _COMMAND.search(path):
        return False
    return _of_a_file(path) and not any(map(_of_a_file, words[:-1]))


def _of_a_file(path: str) -> bool:
    """Whether the last part of a path has an ending of files, or is one of the names that go without."""
    name = path.rpartition("/")[2]
    stem, _, ending = name.rpartition(".")
    return bool(re.search(r"\w", stem) and ending.lower() in _ENDINGS) or _WHOLE_NAMES.match(name) is not None


def _no_file(name: str) -> bool:
    stem, _, ending = name.rpartition(".")
    return stem in _OBJECTS or (ending == "js" and stem.lower() in _FRAMEWORKS and stem != stem.lower())
