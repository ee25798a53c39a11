"""A stand-in for tkinter and turtle: windows that nobody sees, and that are closed as soon as they are opened.

A file with a graphical interface is loaded as if its user had closed the window at once, even on machines without a
screen or tkinter. Whatever the file does with a window has no effect.
"""

from collections.abc import Iterator
from typing import Any

_NAMES = """
    Tk Toplevel Frame LabelFrame Canvas Button Label Entry Text Menu Menubutton Message Listbox Scrollbar Scale Spinbox
    Checkbutton Radiobutton PanedWindow PhotoImage BitmapImage StringVar IntVar DoubleVar BooleanVar Variable Event
    TclError Grid Pack Place Widget Wm Misc mainloop messagebox simpledialog filedialog colorchooser font ttk
    LEFT RIGHT TOP BOTTOM CENTER N S E W NE NW SE SW NSEW BOTH X Y NONE YES NO END INSERT ALL FIRST LAST NORMAL DISABLED
    ACTIVE HIDDEN FLAT RAISED SUNKEN GROOVE RIDGE SOLID HORIZONTAL VERTICAL WORD CHAR ANCHOR TRUE FALSE ON OFF
    Turtle Screen Vec2D forward backward fd bk left right lt rt up down penup pendown pu pd goto setpos setx sety
    setheading seth home circle dot color pencolor fillcolor begin_fill end_fill hideturtle showturtle ht st speed
    tracer update bgcolor setup title write clear reset stamp onclick onkey onscreenclick ontimer listen done bye
    exitonclick
"""


class Window:
    """A window, a button, a colour ...: it accepts any use, and does nothing."""

    def __init__(self, *arguments: object, **options: object) -> None:
        del arguments, options

    def __getattr__(self, name: str) -> "Window":
        if name.startswith("__"):
            raise AttributeError(name)
        return Window()

    def __call__(self, *arguments: object, **options: object) -> "Window":
        """Returns another window, whatever is called."""
        del arguments, options
        return Window()

    def __getitem__(self, key: object) -> "Window":
        del key
        return Window()

    def __setitem__(self, key: object, value: object) -> None:
        del key, value

    def __iter__(self) -> Iterator["Window"]:
        return iter(())

    def __len__(self) -> int:
        return 0

    def __int__(self) -> int:
        return 0

    def __index__(self) -> int:
        return 0

    def __float__(self) -> float:
        return 0.0


def names() -> dict[str, Any]:
    """The names of such a module: a class for each usual name (files derive from them), and for any other name."""

    def find(name: str) -> type[Window]:
        if name.startswith("__"):
            raise AttributeError(name)
        return Window

    return {"__all__": _NAMES.split(), "__getattr__": find}
