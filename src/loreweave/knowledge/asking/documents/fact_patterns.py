"""Shapes of flags, keys, defaults and values. Each begins with one set of characters: the engine jumps to it."""

import re

FLAG_IN_PROSE = re.compile(rb"-(?<![\w.\x80-\xff-]-)(?:-[A-Za-z0-9]\w*+(?:[-.]\w++)*+|[A-Za-z](?![\w-]))")
FLAG_IN_CODE = re.compile(rb"-(?<![\w.\x80-\xff-]-)(?:-[A-Za-z0-9]\w*+(?:[-.]\w++)*+|[A-Za-z]\w*+(?:-\w++)*+)")
FLAG_OPENS = re.compile(rb"-(?:-[A-Za-z0-9]|[A-Za-z])")
SHELLS = frozenset(
    b"sh bash zsh fish shell console terminal shell-session shellsession sh-session cmd bat batch dos powershell ps1"
    b" pwsh ksh csh tcsh nu shellscript".split()
)

ENVIRONMENT = re.compile(rb"[A-Z](?<![\w\x80-\xff][A-Z])[A-Z0-9]*+(?:_[A-Z0-9]++)++(?![\w])")
DOTTED = re.compile(rb"[A-Za-z_][\w-]*+(?:\.[A-Za-z_*][\w-]*+)++(?=\s*+[=:]|\Z)")
NO_SETTINGS = frozenset(
    b"md mdx markdown json jsonc json5 yaml yml toml py pyi ipynb js mjs cjs ts mts cts tsx jsx html htm css scss less"
    b" txt sh bash zsh bat ps1 rs go rb php java kt swift c h cc cpp hpp cs lock cfg ini conf env xml csv tsv sql db"
    b" sqlite png jpg jpeg gif svg webp ico pdf zip gz tar tgz whl log pem crt vue svelte astro lua dockerfile"
    b" com org net io dev app ai co".split()
)

DEFAULT_PHRASE = re.compile(
    rb"[Dd]efault(?<![\w-].{7})(?:s\s++to\b:?|(?:\s++values?)?\s*+(?:\bis\b|\bare\b|:))\s*+(?:(?:an?|the)\s++(?=`))?"
)
BY_DEFAULT = re.compile(rb"[Bb]y(?<![\w-].y)\s++default\b[,:]?\s++(?:(?:an?|the)\s++(?=`))?")
WORD = re.compile(rb"[^\s\0`|<>()\[\]{}\"',;*]++")
NO_DEFAULTS = frozenset(
    b"a an the to not no that this these those it its they there we you i what whatever which see when if as in on"
    b" of by for with from and or but used set fine ok same e.g e.g. i.e i.e. eg ie for".split()
)
PLAIN_DEFAULT = re.compile(rb"(?i:true|false|on|off|yes|none|null|enabled|disabled)|\S*\d\S*")

_UNITS = (
    rb"(?:%|(?:ns|us|\xc2\xb5s|ms|s|m|h|d|w|x|k|K|B)(?![\w])"
    rb"|(?:[ -]|\xc2\xa0)?(?:%|ns|us|\xc2\xb5s|ms|[kKMGTP]i?[bB](?:ps|/s)?|[kMG]?Hz|\xc2\xb0[CF]?|px|r?em|pt|vh"
    rb"|vw|[qr]ps|(?:sec(?:ond)?|min(?:ute)?|hr|hour|day|week|month|year|byte|bit|token|char|character|word|line|request|core"
    rb"|thread|dimension|message|file|row|page|item|connection|worker|attempt)s?|retries|entries|(?:kilo|mega|giga|tera)bytes?"
    rb")(?![\w]))"
)
NUMBER = re.compile(
    rb"[0-9](?<![\w.$#\x80-\xff-][0-9])(?:[0-9]{3}-[0-9]{2}-[0-9]{2}(?![\w-])"
    rb"|[0-9_]*+(?:,[0-9]{3})*+(?:\.[0-9]++)?" + _UNITS + rb"|[0-9]*+(?:\.[0-9]++)++"
    rb"(?:\.[xX*](?!\w))?(?:-?[A-Za-z][0-9A-Za-z]*+(?:\.[0-9A-Za-z]++)*+|\+[0-9A-Za-z.]++)?(?![\w])|[0-9]*+\.[xX](?![\w]))"
)
VERSION = re.compile(rb"v(?<![\w.-]v)[0-9]++(?:\.[0-9xX]++)*+(?:[-+][0-9A-Za-z]++(?:[.-][0-9A-Za-z]++)*+)?(?![\w])")
IDENTIFIER = re.compile(rb"[A-Za-z](?<![\w.@/:\x80-\xff-][A-Za-z])[A-Za-z0-9]*+(?:[-._][A-Za-z0-9]++)++(?![\w/@])")
URL = re.compile(rb"://[^\s\0<>\"'`|\\^{}]++")
URL_SCHEME = re.compile(rb"(?<![A-Za-z0-9+.-])[A-Za-z][A-Za-z0-9+.-]{1,20}\Z")
VALUE_SPAN = re.compile(
    rb"v[0-9]++(?:\.[0-9xX]++)*+(?:[-+][0-9A-Za-z.-]++)?|[0-9]++(?:\.[0-9xX]++)++(?:[-+][0-9A-Za-z.-]++)?"
    rb"|[0-9_]++(?:,[0-9]{3})*+(?:\.[0-9]++)?" + _UNITS + rb"|[0-9]{4}-[0-9]{2}-[0-9]{2}"
    rb"|[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s]++"
    rb"|(?=[^-]*+-)(?=[^0-9]*+[0-9])[A-Za-z@][A-Za-z0-9]*+(?:[-._/:@][A-Za-z0-9]++)++"
)


def is_identifier(found: bytes) -> bool:
    """A name such as `model-small-4-5`: parts joined by hyphens, a digit among them."""
    return b"-" in found and any(48 <= byte <= 57 for byte in found)


def trim_url(found: bytes) -> int:
    """Length of a URL without the marks of the sentence around it."""
    end = len(found)
    while end and (found[end - 1] in b".,;:!?*_'" or (found[end - 1] in b")]" and _unbalanced(found[:end]))):
        end -= 1
    return end


def _unbalanced(found: bytes) -> bool:
    closing = found[-1:]
    return found.count(closing) > found.count(b"(" if closing == b")" else b"[")
