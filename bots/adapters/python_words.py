"""What Python says of an error, in a sentence for those who learn it: what pupils meet most, from 3.8 to 3.14."""

import re
from collections.abc import Sequence
from typing import Final

from locales import N_, _

_CALL = r"(?P<function>[\w.<>]+)\(\)"
_AND: Final = re.compile(r"(?<='),? and (?=')")
"""What Python puts between the last two of several names."""

_NONE: Final = N_("this is None, which can't be used so: does a function lack its return?")

_FULL: Final = N_("the memory that a bot may use is full: what grows here without end?")

_RAISED: Final[Sequence[tuple[str, str, str]]] = (
    ("IndexError", r"(list|range object) (assignment )?index out of range",
     N_("the index goes past the end of the list")),
    ("IndexError", "tuple index out of range", N_("the index goes past the end of the tuple")),
    ("IndexError", "string index out of range", N_("the index goes past the end of the text")),
    ("IndexError", "pop from empty list|pop index out of range",
     N_("pop finds nothing to take: the list is too short")),
    ("IndexError", ".*empty sequence", N_("there is nothing to choose from: the list is empty")),
    ("ValueError", r"(max|min)\(\) (arg is an empty|iterable argument is empty).*",
     N_("there is no largest or smallest of an empty list")),
    ("ValueError", r"empty range.*", N_("there is no number between these bounds: the range is empty")),
    ("ValueError", r"invalid literal for int\(\) with base \d+: (?P<text>.*)",
     N_("{text} is no whole number, so int() can't read it")),
    ("ValueError", r"could not convert string to float: (?P<text>.*)",
     N_("{text} is no number, so float() can't read it")),
    ("ValueError", r"not enough values to unpack \(expected (at least )?(?P<count>\d+), got (?P<got>\d+)\)",
     N_("{count} variables are to be filled, but there are only {got} values")),
    ("ValueError", r"too many values to unpack \(expected (?P<count>\d+).*",
     N_("{count} variables are to be filled, but there are more values")),
    ("ValueError", r"(?P<what>.+) is not in (list|tuple|deque)",
     N_("index looks for {what}, which is not in the list")),
    ("ValueError", r"list\.(remove|index)\(x\): x not in list", N_("the list does not contain what is looked for")),
    ("KeyError", r"(?P<key>.*)", N_("the dictionary has no key {key}")),
    ("ZeroDivisionError", ".*", N_("a number is divided by zero")),
    ("UnboundLocalError", r".*local variable '(?P<name>\w+)'.*",
     N_("{name} is read before it has a value in this function; if it is a global variable: global {name}")),
    ("NameError", r".*free variable '(?P<name>\w+)'.*", N_("{name} is read before it has a value")),
    ("NameError", r"name '(?P<name>\w+)' is not defined.*",
     N_("nothing is called {name} here: is it spelled so where it is defined?")),
    ("AttributeError|TypeError", r".*'NoneType' object (has no attribute|is not|does not support).*", _NONE),
    ("TypeError", r"cannot unpack non-iterable NoneType object|object of type 'NoneType' has no len\(\)", _NONE),
    ("TypeError", r"argument of type 'NoneType' is not.*", _NONE),
    ("TypeError", r"(unsupported operand|.* not supported between).*'NoneType'.*",
     N_("None takes part in this calculation or comparison: does a function lack its return?")),
    ("AttributeError", r"module '(?P<module>[\w.]+)' has no attribute '(?P<name>\w+)'.*",
     N_("the module {module} has nothing called {name}")),
    ("AttributeError", r"(partially initialized )?module '(?P<module>[\w.]+)'.*circular import.*",
     N_("{module} imports this file, which imports {module}")),
    ("AttributeError", r"'(?P<type>[\w.]+)' object has no attribute '(?P<name>\w+)'.*",
     N_("a {type} has nothing called {name}")),
    ("TypeError", r"'(builtin_function_or_method|function|method|type)' object is not subscriptable",
     N_("a function is used with [ ]: it is called with ( )")),
    ("TypeError", r"'(?P<type>[\w.]+)' object is not subscriptable",
     N_("[ ] is used on a {type}, which has no items")),
    ("TypeError", r"'(?P<type>[\w.]+)' object is not callable", N_("( ) is used on a {type}, which is no function")),
    ("TypeError", r"'(builtin_function_or_method|function|method)' object is not iterable",
     N_("a function is named here, but not called: ( ) are missing after it")),
    ("TypeError", r"'(?P<type>[\w.]+)' object is not iterable", N_("a {type} can't be gone through like a list")),
    ("TypeError", r"cannot unpack non-iterable (?P<type>[\w.]+) object",
     N_("several variables are to be filled from a {type}, which has no parts")),
    ("TypeError", r"argument of type '(builtin_function_or_method|function|method)' is not.*",
     N_("a function is named here, but not called: ( ) are missing after it")),
    ("TypeError", r"argument of type '(?P<type>[\w.]+)' is not.*",
     N_("“in” looks into a {type}, which contains nothing")),
    ("TypeError", r"'(?P<type>[\w.]+)' object does not support item (assignment|deletion)",
     N_("the items of a {type} can't be changed")),
    ("TypeError", r"(?P<what>\w+) indices must be integers.*not '?(?P<type>[\w.]+)'?",
     N_("an index must be a whole number, not a {type}")),
    ("TypeError", r"'(?P<type>[\w.]+)' object cannot be interpreted as an integer",
     N_("a whole number is needed, not a {type}")),
    ("TypeError", r"object of type '(?P<type>[\w.]+)' has no len\(\)", N_("a {type} has no length")),
    ("TypeError", r"unhashable type: '(?P<type>[\w.]+)'.*|cannot use '(?P<used>[\w.]+)' as a.*",
     N_("a list can't be a key of a dictionary or part of a set: take a tuple")),
    ("TypeError", r"can only concatenate (?P<type>\w+) \(not \"(?P<other>[\w.]+)\"\) to \w+",
     N_("a {type} and a {other} can't be joined with +")),
    ("TypeError", r"unsupported operand type\(s\) for \S+: '' and ''", _FULL),  # a browser's, of a text too long
    ("TypeError", r"unsupported operand type\(s\) for (?P<sign>\S+): '(\w*function\w*|method)' and .*",
     N_("a function is named here, but not called: ( ) are missing after it")),
    ("TypeError", r"unsupported operand type\(s\) for (?P<sign>\S+).*: '(?P<type>[\w.]+)' and '(?P<other>[\w.]+)'.*",
     N_("{sign} does not work between a {type} and a {other}")),
    ("TypeError", r"'(?P<sign>\S+)' not supported between instances of '(?P<type>[\w.]+)' and '(?P<other>[\w.]+)'",
     N_("a {type} and a {other} can't be compared with {sign}")),
    ("TypeError", rf"{_CALL} missing \d+ required (positional|keyword-only) arguments?: (?P<names>.*)",
     N_("{function} is called without a value for {names}")),
    ("TypeError", rf"{_CALL} takes (?P<count>.*) positional arguments? but (?P<got>\d+) (was|were) given.*",
     N_("{function} is called with {got} values, but takes {count} (self counts in a method)")),
    ("TypeError", rf"{_CALL} got an unexpected keyword argument '(?P<name>\w+)'.*",
     N_("{function} has no parameter called {name}")),
    ("RecursionError", ".*", N_("a function calls itself again and again: what ends the recursion?")),
    ("MemoryError", ".*", _FULL),
    ("AssertionError", ".*", N_("an assert of the file does not hold")),
    ("NotImplementedError", ".*", N_("this function is still to be written")),
    ("StopIteration", ".*", N_("next() finds no further value")),
    ("FileNotFoundError", r".*: (?P<file>.*)", N_("there is no file {file}")),
    ("RuntimeError", r"(dictionary|Set|set) changed size.*", N_("it is changed while a loop goes through it")),
    ("RuntimeError", r"can't start new thread.*",
     N_("no thread can be started here: call the function itself, without a thread")),
    ("OverflowError", ".*", N_("a number is too large")),
    ("TabError", ".*", N_("tabs and spaces are mixed at the beginning of lines")),
    ("IndentationError", "expected an indented block.*", N_("the line after a : must be indented")),
    ("IndentationError", "unexpected indent.*", N_("this line is indented too far")),
    ("IndentationError", "unindent does not match.*",
     N_("this line is indented neither as the one before nor as one above")),
    ("SyntaxError", r"expected ':'", N_("a : is missing at the end of the line")),
    ("SyntaxError", r"'(?P<sign>.)' was never closed|unexpected EOF.*", N_("a bracket is opened and never closed")),
    ("SyntaxError", r"unmatched '(?P<sign>.)'|closing parenthesis '(?P<other>.)'.*",
     N_("a bracket is closed that was not opened")),
    ("SyntaxError", r"unterminated .*string.*|EOL while scanning.*|EOF while scanning.*",
     N_("a text has no closing quote")),
    ("SyntaxError", r"invalid syntax\. Maybe you meant '=='.*|cannot assign to .*",
     N_("= is used where == compares, or what stands before = can't get a value")),
    ("SyntaxError", r"invalid syntax\. Perhaps you forgot a comma.*", N_("a comma or a sign is missing here")),
    ("SyntaxError", r"'(?P<word>return|yield|await)' outside (async )?function",
     N_("{word} stands outside of all functions: is it indented?")),
    ("SyntaxError", r"'(break|continue)'.*(outside|not properly in) loop",
     N_("break or continue stands outside of all loops")),
    ("SyntaxError", r"invalid (non-printable )?character.*|invalid character.*",
     N_("a character here can't stand in Python, such as a curly quote or a special space")),
    ("SyntaxError", r"Missing parentheses in call to '(?P<name>\w+)'.*", N_("{name} needs ( ) around what follows")),
    ("SyntaxError", r"name '(?P<name>\w+)' .*global declaration",
     N_("global {name} must stand before {name} is used")),
    ("SyntaxError", r".*leading zeros.*", N_("a number must not begin with 0")),
    ("SyntaxError", r"(invalid syntax|.*expected .*|illegal target.*|positional argument follows.*)",
     N_("Python does not understand this line, or the end of the one before")),
)  # fmt: skip
"""The type of an error, its text as Python writes it, and the sentence; the first that fits is told."""


def in_words(error: str, detail: str) -> str:
    """An error as a sentence with what Python says beside it; as Python says it, if the table has no such error."""
    said = f"{error}: {detail}" if detail else error
    for types, written, sentence in _RAISED:
        found = re.fullmatch(written, detail) if re.fullmatch(types, error) else None
        if found is not None:
            values = {name: _AND.sub(", ", value or "") for name, value in found.groupdict().items()}
            template = _(sentence)
            explained = template.format(**values)
            if not template.startswith("{"):  # a name keeps its small letter
                explained = explained[:1].upper() + explained[1:]
            return _("{sentence} ({original})").format(sentence=explained, original=said)
    return said
