/**
 * What a class and its page write to each other, generated from school/messages.py by `python -m school --write-docs`.
 * A field with a `?` may be left out.
 */
declare namespace School {
  /** The switches. */
  interface Allowed {
    chat?: boolean;
    takebacks?: boolean;
    values?: boolean;
    hints?: boolean;
  }

  /** A time control: `initial_ms` for the game plus `increment_ms` after each move, or `move_ms` for each move. */
  interface Clock {
    initial_ms?: number;
    increment_ms?: number;
    move_ms?: number;
    second?: SeatClock | null;
  }

  /** What is wrong with a program: a sentence, then where, the position, a likely cause, and what it printed. */
  interface Fault {
    what: string;
    line?: number | null;
    cell?: number | null;
    code?: string;
    position?: string;
    hint?: string;
    printed?: string;
  }

  /** A game of a league of the class; made: 1, 0.5 or 0 for the reader. */
  interface Game {
    game: number;
    league: number;
    rules: string;
    seat: 1 | 2;
    opponent: string;
    made: number;
    reason: string;
    moves: string[];
    mistake?: number | null;
    judged?: boolean;
    version?: number | null;
  }

  /** A file that the teacher has given to all, and when. */
  interface Handout {
    file: string;
    at: number;
  }

  /** A league of the class; id: under which the server shows it (`league`, `/l/ID`). */
  interface League {
    number: number;
    what: "bots" | "people";
    game: string;
    state: "finished" | "halted" | "open" | "running";
    graded?: boolean;
    hidden?: boolean;
    frozen?: boolean;
    id?: string | null;
    played?: number;
    planned?: number | null;
    teams?: [string, number][];
  }

  /** The teacher says something to all. */
  interface News {
    text: string;
    at: number;
  }

  /** Two pupils whose programs are alike; share: of the shorter one, from 0 to 1. */
  interface Pair {
    one: string;
    other: string;
    share: number;
  }

  /** A pupil as the desk sees them. */
  interface PupilRow {
    name: string;
    team?: string | null;
    here?: boolean;
    removed?: boolean;
    bot?: "away" | "file" | "none" | "own" | "unfit";
    work?: Work | null;
    versions?: number;
    badges?: number;
    points?: number | null;
    rating?: number | null;
    error?: number | null;
    faults?: number;
    answered?: string | null;
  }

  /** The position that the teacher has set; `counts` (with `best`, `verdict`) once it is revealed. */
  interface Question {
    number: number;
    game: string;
    moves?: string[];
    answered?: number;
    counts?: Record<string, number> | null;
    best?: string[];
    verdict?: string;
  }

  /** A level of the ladder for a pupil; won, played: of the games of the last try. */
  interface Rung {
    badge: string;
    label: string;
    state?: "closed" | "next" | "running" | "won";
    won?: number;
    played?: number;
    of?: number;
    fault?: Fault | null;
    version?: number | null;
  }

  /** The time of a seat: `initial_ms` for the game plus `increment_ms` after each move, or `move_ms` for each move. */
  interface SeatClock {
    initial_ms?: number;
    increment_ms?: number;
    move_ms?: number;
  }

  /** A version that was handed in; passed, of: tests of the check. */
  interface Work {
    version: number;
    file: string;
    at: number;
    check?: "fails" | "running" | "waiting" | "works";
    passed?: number;
    of?: number;
    fault?: Fault | null;
    comment?: string | null;
    note?: string;
    faced?: Fault | null;
  }

  /** I am here: tell me how things stand (`hall`), and from now on what changes. */
  interface Arrive {
    type: "arrive";
  }

  /** A part of a program that is handed in as `file` (`.py` or `.ipynb`); it becomes a version with its last part. */
  interface Submit {
    type: "submit";
    file: string;
    part: number;
    parts: number;
    text: string;
  }

  /** A part of what is written in the studio and is not handed in, as `submit`; `at` is when it was written. */
  interface Draft {
    type: "draft";
    file: string;
    at: number;
    part: number;
    parts: number;
    text: string;
  }

  /** Asks for the kept draft: `drafted`, in parts. */
  interface GetDraft {
    type: "get_draft";
  }

  /** Erases the draft; what was handed in stays. */
  interface Forget {
    type: "forget";
  }

  /** Asks for the program of a version of one's own, with 0 for the file that all are given: `source`, in parts. */
  interface GetVersion {
    type: "get_version";
    version: number;
  }

  /** The newest version plays against the next level of the ladder; `hall` says how it goes. */
  interface Climb {
    type: "climb";
  }

  /** I want to play against my own newest version; `match` follows as an invitation of the server. */
  interface Face {
    type: "face";
  }

  /** Asks for one's own games in leagues of the class: `games`, the newest first; `before` for older ones. */
  interface GetGames {
    type: "get_games";
    before?: number | null;
  }

  /** Asks what one's own program printed in a game, and how it failed: `prints`. */
  interface GetPrints {
    type: "get_prints";
    game: number;
  }

  /** My move in the position that the teacher has set; a second one replaces it until it is revealed. */
  interface Reply {
    type: "reply";
    question: number;
    move: string;
  }

  /** The desk opens: `desk` follows, and again after each change; also the wall of the classroom asks so. */
  interface Look {
    type: "look";
  }

  /** Opens or closes the handing in; `until` closes it by itself. */
  interface Submissions {
    type: "submissions";
    open: boolean;
    until?: number | null;
  }

  /** Begins a league: of the pupils' `bots`, or of the `people` themselves. */
  interface Begin {
    type: "begin";
    what: "bots" | "people";
    game?: string | null;
    format?: "round_robin" | "swiss" | "usual";
    rounds?: number | null;
    clock?: SeatClock | null;
    graded?: boolean;
    opening?: string[];
    hidden?: boolean;
  }

  /** Ends the league that runs, with the games that are over. */
  interface Finish {
    type: "finish";
  }

  /** Stops all games and their clocks; no new one begins. */
  interface Halt {
    type: "halt";
    halted: boolean;
  }

  /** The table stands still on wall and page, until it is announced (`frozen` false). */
  interface Freeze {
    type: "freeze";
    frozen: boolean;
  }

  /** Whether the wall tells names. */
  interface Hide {
    type: "hide";
    hidden: boolean;
  }

  /** Somebody more is in the class, with a code of their own; also lets in again who was removed. */
  interface Admit {
    type: "admit";
    name: string;
    team?: string | null;
  }

  /** A pupil is called otherwise from now on. */
  interface Rename {
    type: "rename";
    name: string;
    to: string;
  }

  /** Two entries are one pupil: what `name` has becomes that of `into`. */
  interface Merge {
    type: "merge";
    name: string;
    into: string;
  }

  /** A pupil is out: their code opens nothing any more. */
  interface Remove {
    type: "remove";
    name: string;
  }

  /** A message to all. */
  interface Announce {
    type: "announce";
    text: string;
  }

  /** Switches: chat, takebacks and values on the server, hints in what a check says; null leaves one. */
  interface Turn {
    type: "turn";
    chat?: boolean | null;
    takebacks?: boolean | null;
    values?: boolean | null;
    hints?: boolean | null;
  }

  /** A part of a file to begin with, which all pupils are given, in the place of one before; parts as in `submit`. */
  interface Give {
    type: "give";
    file: string;
    part: number;
    parts: number;
    text: string;
  }

  /** Gives a version back with a comment. */
  interface Return {
    type: "return";
    name: string;
    version: number;
    comment: string;
  }

  /** The teacher plays against all who are here, or against those named: `me` is their session. */
  interface Simul {
    type: "simul";
    me: string;
    game?: string | null;
    clock?: Clock | null;
    names?: string[];
    seat?: "first" | "second";
  }

  /** Sets a position, after `moves`, for all to answer with a move. */
  interface Ask {
    type: "ask";
    game: string;
    moves?: string[];
  }

  /** Shows what was answered, and what the solver says; `over` takes the question away. */
  interface Reveal {
    type: "reveal";
    over?: boolean;
  }

  /** Asks for the program of a pupil's version, with 0 for what they write in the studio: `source`, in parts. */
  interface GetSource {
    type: "get_source";
    name: string;
    version: number;
  }

  /** Asks which newest versions are alike: `similar`. */
  interface GetSimilar {
    type: "get_similar";
  }

  /** Asks for the marks as a table for a spreadsheet: `export`, in parts. */
  interface GetExport {
    type: "get_export";
  }

  /** Asks for the personal codes of all, or of one pupil, as the cards have them: `cards`. */
  interface GetCards {
    type: "get_cards";
    name?: string | null;
  }

  /** How things stand for one pupil: after `arrive`, and again after each change. */
  interface Hall {
    type: "hall";
    title: string;
    name: string;
    game: string;
    bots: string;
    team?: string | null;
    open?: boolean;
    until?: number | null;
    runs?: boolean;
    works?: Work[];
    ladder?: Rung[];
    league?: League | null;
    question?: Question | null;
    mine?: string | null;
    allowed?: Allowed;
    halted?: boolean;
    news?: News | null;
    host?: string | null;
    plays?: number | null;
    given?: Handout | null;
    door?: string | null;
    now?: number;
  }

  /** How the class stands, for the desk: after `look`, and again after each change, at most once in half a second. */
  interface Desk {
    type: "desk";
    title: string;
    code: string;
    bots: string;
    game: string;
    open?: boolean;
    until?: number | null;
    runs?: boolean;
    league?: League | null;
    past?: League[];
    question?: Question | null;
    allowed?: Allowed;
    halted?: boolean;
    given?: Handout | null;
    said?: string | null;
    address?: string;
    host?: string | null;
    now?: number;
  }

  /** Pupils of the class, for the desk: all of them after `look` (`again` forgets what was known), then changes. */
  interface Pupils {
    type: "pupils";
    pupils?: PupilRow[];
    again?: boolean;
  }

  /** A part of the kept draft; `parts` 0 if there is none. */
  interface Drafted {
    type: "drafted";
    file?: string;
    at?: number;
    part?: number;
    parts?: number;
    text?: string;
  }

  /** A part of the program of a version; of version 0 as it was asked for. */
  interface Source {
    type: "source";
    name: string;
    version: number;
    file: string;
    part: number;
    parts: number;
    text: string;
  }

  /** Games, the newest first; more: there are older ones. */
  interface Games {
    type: "games";
    games?: Game[];
    more?: boolean;
  }

  /** What a program printed in a game, by the ply before whose move it did; fault: how it failed, if it did. */
  interface Prints {
    type: "prints";
    game: number;
    lines?: [number, string][];
    fault?: Fault | null;
  }

  /** The pairs, the most alike first; short: whose programs are too short to be compared. */
  interface Similar {
    type: "similar";
    pairs?: Pair[];
    short?: string[];
  }

  /** A part of the table of marks. */
  interface Export {
    type: "export";
    part: number;
    parts: number;
    text: string;
  }

  /** The personal codes, by name; `address` is where the QR code of a card leads, before the code. */
  interface Cards {
    type: "cards";
    address: string;
    codes: Record<string, string>;
  }

  /** The teacher says something to all. */
  interface News {
    type: "news";
    text: string;
    at: number;
  }

  /** What was written last could not be done: a stable code, and a sentence that says what to do. */
  interface Refused {
    type: "refused";
    what: string;
    code: "bad_letter" | "bad_name" | "bad_position" | "closed" | "disk" | "no_pupil" | "no_sandbox" | "not_now" | "nothing_runs" | "running" | "too_large";
    text: string;
  }

  type PupilLetter =
    | Arrive
    | Submit
    | Draft
    | GetDraft
    | Forget
    | GetVersion
    | Climb
    | Face
    | GetGames
    | GetPrints
    | Reply;

  type DeskLetter =
    | Look
    | Submissions
    | Begin
    | Finish
    | Halt
    | Freeze
    | Hide
    | Admit
    | Rename
    | Merge
    | Remove
    | Announce
    | Turn
    | Give
    | Return
    | Simul
    | Ask
    | Reveal
    | GetSource
    | GetSimilar
    | GetExport
    | GetCards;

  type ClassLetter =
    | Hall
    | Desk
    | Pupils
    | Drafted
    | Source
    | Games
    | Prints
    | Similar
    | Export
    | Cards
    | News
    | Refused;
}
