"""Every message of Python that pupils meet often has a sentence: those of the running Python, and of others."""

import pytest

from bots.adapters.python_words import in_words
from locales import set_language

RAISE = {
    "[1][3]": "The index goes past the end of the list",
    "(1,)[3]": "The index goes past the end of the tuple",
    "'a'[3]": "The index goes past the end of the text",
    "[].pop()": "Pop finds nothing to take",
    "max([])": "There is no largest",
    "__import__('random').choice([])": "There is nothing to choose from",
    "__import__('random').randint(3, 1)": "There is no number between",
    "int('a')": "'a' is no whole number",
    "float('a')": "'a' is no number",
    "(lambda a, b: 0)(*[1])": "<lambda> is called without a value for 'b'",
    "(lambda a: 0)(1, 2)": "<lambda> is called with 2 values, but takes 1",
    "(lambda a: 0)(a=1, b=2)": "<lambda> has no parameter called b",
    "[].index(3)": "Index looks for 3",
    "[].remove(3)": "The list does not contain",
    "{}['a']": "The dictionary has no key 'a'",
    "1 / 0": "A number is divided by zero",
    "1 % 0": "A number is divided by zero",
    "unknown": "Nothing is called unknown here",
    "(lambda n: n[0])(None)": "This is None",
    "None.x": "This is None",
    "len(None)": "This is None",
    "for_(None)": "This is None",
    "None + 1": "None takes part",
    "1 < None": "None takes part",
    "__import__('random').x": "The module random has nothing called x",
    "[].add(1)": "A list has nothing called add",
    "len[0]": "A function is used with [ ]",
    "(lambda n: n[0])(3)": "[ ] is used on a int",
    "(lambda n: n())(3)": "( ) is used on a int",
    "list(len)": "A function is named here, but not called",
    "list(3)": "A int can't be gone through",
    "1 in 3": "“in” looks into a int",
    "[0].__setitem__('a', 1)": "An index must be a whole number, not a str",
    "range('a')": "A whole number is needed, not a str",
    "len(3)": "A int has no length",
    "{[]: 1}": "A list can't be a key",
    "'a' + 1": "A str and a int can't be joined with +",
    "1 + 'a'": "+ does not work between a int and a str",
    "len + 1": "A function is named here, but not called",
    "1 < 'a'": "A int and a str can't be compared with <",
    "open('/absent/x')": "There is no file '/absent/x'",
    "next(iter([]))": "Next() finds no further value",
}


@pytest.mark.parametrize("code", RAISE)
def test_what_the_running_python_says(code: str) -> None:
    with pytest.raises(Exception) as caught:  # noqa: PT011 - any kind is what it is about
        eval(code, {"for_": lambda values: [value for value in values]})  # noqa: C416
    said = in_words(type(caught.value).__name__, str(caught.value))
    assert said.startswith(RAISE[code])
    assert f"({type(caught.value).__name__}" in said


WRITTEN = {
    "if x\n  y": "A : is missing",
    "x = (1": "A bracket is opened",
    "x = 1)": "A bracket is closed",
    "x = 'a": "A text has no closing quote",
    "if x:\ny": "The line after a :",
    "x\n  y": "This line is indented too far",
    "if x:\n    y\n  z": "This line is indented neither",
    "if x = 3: y": "= is used where ==",
    "return 3": "Return stands outside",
    "break": "Break or continue stands",
    "print 3": "Print needs ( )",
    "x = ‘a’": "A character here",
    "x = 012": "A number must not begin with 0",
    "def = 3": "Python does not understand this line",
}


@pytest.mark.parametrize("code", WRITTEN)
def test_what_the_running_python_says_of_a_text(code: str) -> None:
    with pytest.raises(SyntaxError) as caught:
        compile(code, "x", "exec")
    said = in_words(type(caught.value).__name__, caught.value.msg)
    assert said.casefold().startswith(WRITTEN[code].casefold())


@pytest.mark.parametrize(
    ("error", "detail", "sentence"),
    [
        ("UnboundLocalError", "local variable 'n' referenced before assignment", "N is read before"),
        ("UnboundLocalError", "cannot access local variable 'n' where it is not associated with a value", "N is read"),
        ("TypeError", "list indices must be integers or slices, not tuple", "An index must be a whole number"),
        ("TypeError", "argument of type 'int' is not a container or iterable", "“in” looks into a int"),
        ("TypeError", "cannot use 'list' as a dict key (unhashable type: 'list')", "A list can't be a key"),
        ("ValueError", "max() arg is an empty sequence", "There is no largest"),
        ("ValueError", "not enough values to unpack (expected 2, got 1)", "2 variables are to be filled"),
        ("ValueError", "too many values to unpack (expected 2, got 3)", "2 variables are to be filled"),
        ("SyntaxError", "unexpected EOF while parsing", "A bracket is opened"),
        ("SyntaxError", "EOL while scanning string literal", "A text has no closing quote"),
        ("RecursionError", "maximum recursion depth exceeded in comparison", "A function calls itself"),
    ],
)
def test_what_other_versions_say(error: str, detail: str, sentence: str) -> None:
    assert in_words(error, detail).casefold().startswith(sentence.casefold())


def test_what_is_not_in_the_table_is_told_as_it_is() -> None:
    assert in_words("Perdu", "pas de chance") == "Perdu: pas de chance"
    assert in_words("Perdu", "") == "Perdu"


def test_in_french_with_the_original_beside_it() -> None:
    set_language("fr")
    assert in_words("IndexError", "list index out of range") == (
        "L’indice dépasse la fin de la liste (IndexError: list index out of range)"
    )
