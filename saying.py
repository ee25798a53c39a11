"""What run.py says, in French or English, before there is anything else to say it with. Standard library only.

Like run.py, this file has to parse on any Python 3.
"""

import os
import sys

FRENCH = {
    "{venv} is damaged ({detail}): installing it again ...": ("{venv} est abîmé ({detail}) : nouvelle installation..."),
    "{venv} is damaged ({detail}) and was not repaired. {reason} If that does not help, delete this folder.": (
        "{venv} est abîmé ({detail}) et n’a pas été réparé. {reason} Si cela ne suffit pas, supprimez ce dossier."
    ),
    "Setting up Arbitre in {venv}: once, about a minute ...": (
        "Installation d’Arbitre dans {venv} : une seule fois, environ une minute..."
    ),
    "Fetching what `{command}` needs ...": "Téléchargement de ce qu’il faut pour « {command} »...",
    "Ready.": "Prêt.",
    "{what} is missing, which the core is compiled with: the plain core runs. {cure}": (
        "{what} manque, or il le faut pour compiler le cœur : le cœur simple tourne. {cure}"
    ),
    "Install it (Debian, Ubuntu: sudo apt install gcc python3-dev), then start again.": (
        "Installez-le (Debian, Ubuntu : sudo apt install gcc python3-dev), puis recommencez."
    ),
    "Install a C compiler, then start again.": "Installez un compilateur C, puis recommencez.",
    "The core was not compiled, so the plain one runs; above is what the compilers said.": (
        "Le cœur n’a pas été compilé, c’est donc le simple qui tourne ; ci-dessus, ce qu’ont dit les compilateurs."
    ),
    "Another run.py is setting up; waiting for it ...": "Un autre run.py fait l’installation ; attente...",
    "This Python has no {module} module, which run.py needs to make {venv}. {cure}": (
        "Ce Python n’a pas le module {module}, nécessaire pour créer {venv}. {cure}"
    ),
    "Install it (Debian, Ubuntu: sudo apt install python3-venv), then start again.": (
        "Installez-le (Debian, Ubuntu : sudo apt install python3-venv), puis recommencez."
    ),
    "Install Python from python.org, then start again.": "Installez Python depuis python.org, puis recommencez.",
    "No network: run.py could not reach the package index to fetch {what}. Connect this computer, then start again.": (
        "Pas de réseau : run.py n’a pas pu joindre l’index de paquets pour télécharger {what}. "
        "Connectez cet ordinateur, puis recommencez."
    ),
    "The package index shows a certificate that this computer does not trust (a filter on this network?), so {what} "
    "was not fetched; try another network, or ask who runs this one.": (
        "L’index de paquets présente un certificat que cet ordinateur ne reconnaît pas (un filtre sur ce réseau ?) : "
        "{what} n’a pas été téléchargé ; essayez un autre réseau, ou demandez à qui gère celui-ci."
    ),
    "The disk is full: free about 500 MB around {folder}, then start again.": (
        "Le disque est plein : libérez environ 500 Mo près de {folder}, puis recommencez."
    ),
    "This account may not write in {folder}: copy Arbitre to a folder of your own, then start again.": (
        "Ce compte n’a pas le droit d’écrire dans {folder} : copiez Arbitre dans un dossier à vous, puis recommencez."
    ),
    "A download of {what} is not what {folder} promises (wrong hash), so nothing was installed from it; try "
    "from another network, or tell the authors.": (
        "Un téléchargement pour {what} ne correspond pas à ce qu’annonce {folder} (mauvaise empreinte) : rien n’en a "
        "été installé ; essayez depuis un autre réseau, ou prévenez les auteurs."
    ),
    "{what} could not be installed on this computer; the details are in {log}.": (
        "Impossible d’installer {what} sur cet ordinateur ; les détails sont dans {log}."
    ),
    "{what} could not be installed on this computer: {detail}": (
        "Impossible d’installer {what} sur cet ordinateur : {detail}"
    ),
    "{path} is missing: this copy of Arbitre is not complete; fetch it again.": (
        "{path} manque : cette copie d’Arbitre est incomplète ; téléchargez-la de nouveau."
    ),
    "There is no benchmark {name}; there are: {names}.": "Il n’y a pas de test de vitesse {name} ; il y a : {names}.",
    "Usage: python3 run.py lint\n\nRuns every linter, all of them even when one fails.": (
        "Usage : python3 run.py lint\n\nLance tous les contrôles du code, même si l’un d’eux échoue."
    ),
    "Usage: python3 run.py bench [NAME [OPTIONS]]\n\nRuns a benchmark; NAME --help tells its options. Without NAME, "
    "lists them: {names}.": (
        "Usage : python3 run.py bench [NOM [OPTIONS]]\n\nLance un test de vitesse ; NOM --help en dit les options. "
        "Sans NOM, en donne la liste : {names}."
    ),
    "Usage: python3 run.py docs\n\nWrites anew what documents say of messages and games.": (
        "Usage : python3 run.py docs\n\nÉcrit de nouveau ce que les documents disent des messages et des jeux."
    ),
    "Usage: python3 run.py lock [OPTIONS]\n\nCompiles requirements/*.in and package.json again. OPTIONS go to uv, as "
    "--upgrade.": (
        "Usage : python3 run.py lock [OPTIONS]\n\nCompile de nouveau requirements/*.in et package.json. Les OPTIONS "
        "vont à uv, comme --upgrade."
    ),
    "All of them passed: {names}.": "Tout est bon : {names}.",
    "Failed: {names}.": "En échec : {names}.",
}


# How tasks are called that would do their work when asked for help, or ask another program for its own.
USAGES = {
    "lint": "Usage: python3 run.py lint\n\nRuns every linter, all of them even when one fails.",
    "bench": "Usage: python3 run.py bench [NAME [OPTIONS]]\n\nRuns a benchmark; NAME --help tells its options. Without "
    "NAME, lists them: {names}.",
    "docs": "Usage: python3 run.py docs\n\nWrites anew what documents say of messages and games.",
    "lock": "Usage: python3 run.py lock [OPTIONS]\n\nCompiles requirements/*.in and package.json again. OPTIONS go to "
    "uv, as --upgrade.",
}


def speaks_french() -> bool:
    """Tell whether messages are in French: --lang, else ARBITRE_LANG, else the locale."""
    words = [word for word in sys.argv[1:] if word.startswith("--lang=")]
    chosen = [word[len("--lang=") :] for word in words]
    if "--lang" in sys.argv[1:-1]:
        chosen.append(sys.argv[sys.argv.index("--lang") + 1])
    names = ("ARBITRE_LANG", "LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
    chosen += [os.environ[name] for name in names if os.environ.get(name)]
    if not chosen:
        import locale

        chosen = [locale.getlocale()[0] or ""]
    return chosen[0].lower().startswith("fr")


def say(text: str, **values: object) -> str:
    """Return `text`, in the user's language, with its {placeholders} filled."""
    return (FRENCH[text] if speaks_french() else text).format(**values)


def explain(command: str, **values: object) -> None:
    """Print how one of USAGES is called: on standard output, for that is what was asked for."""
    for line in say(USAGES[command], **values).split("\n"):
        sys.stdout.write("%s\n" % fit(line, output=True))


def fit(line: str, *, output: bool = False) -> str:
    """Break a sentence between words where the terminal ends; files and pipes get it whole.

    output: whether it goes to standard output, and not to standard error.
    """
    if not (sys.stdout if output else sys.stderr).isatty():
        return line
    import shutil
    import textwrap

    width = shutil.get_terminal_size().columns
    return "\n".join(textwrap.wrap(line, width, break_long_words=False, break_on_hyphens=False))


def talk(text: str, **values: object) -> None:
    """Print a line of progress: on standard error, for standard output belongs to the command."""
    sys.stderr.write("%s\n" % fit("run.py: " + say(text, **values)))
    sys.stderr.flush()
