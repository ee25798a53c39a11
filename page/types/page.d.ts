/** What a game says of itself in /app/games.json, which page/catalogue.py makes. */
declare namespace Games {
  interface Words {
    en: string;
    fr: string;
  }

  interface Option {
    name: string;
    label: Words;
    default: string | number;
    choices: (string | number)[];
    values: Words[];
  }

  interface Ending {
    won: Words;
    drawn: Words | null;
    level: Words | null;
  }

  interface Piece {
    seat: 0 | 1 | 2;
    glyph: string;
    name: Words;
  }

  interface Game {
    title: Words;
    options: Option[];
    /** Where the names of rows and columns stand, and how moves are written. */
    labels: "cells" | "columns" | "from_below";
    /** Two signs, or none: discs. */
    signs: string;
    helps: boolean;
    /** The pattern of one move where moves stand in a row; "" where they can't be told apart. */
    row: string;
    counts: boolean;
    /** Of a cell, of both players' pieces, of a hole, of every second cell or "", of what is written on a cell that is nobody's. */
    colours: [string, string, string, string, string, string];
    /** What cells can hold beside X and O, by its sign; seat 0: nobody's. */
    pieces: Partial<Record<string, Piece>>;
    endings: Partial<Record<string, Ending>>;
    /** What people call the part of a move that names no cell. */
    names: Partial<Record<string, Words>>;
    /** Why its rules refuse a move, beside what every game may say; {move} stands for the move. */
    refusals: Partial<Record<string, Words>>;
  }
}

/** What the scripts of the page say to one another. */
declare namespace App {
  type Language = "en" | "fr";

  /** Says a text of texts.js in the reader's language. */
  type Speaker = (key: string, values?: Record<string, unknown>) => string;

  /** The server takes no name that another has. */
  interface NameRefused {
    type: "name_refused";
    code: string;
  }

  /** That was not the organisers' secret. */
  interface OrganiserRefused {
    type: "organiser_refused";
  }

  /** A connection has come about. */
  interface Opened {
    type: "opened";
  }

  /** Another view is shown, or the same in another language. */
  interface Shown {
    type: "shown";
  }

  /** What views hear: all that the server says beside answers. */
  type Told = Protocol.ServerMessage | NameRefused | OrganiserRefused | Opened | Shown;

  /** The fields of a request. */
  type Fields<T extends Protocol.ClientMessage["type"]> = Omit<Extract<Protocol.ClientMessage, { type: T }>, "type" | "id">;

  /** How an event changes what is known of a match. */
  type Fold<View> = {
    [T in Protocol.MatchEvent["type"]]: (view: View, event: Extract<Protocol.MatchEvent, { type: T }>, now: number) => void;
  };
}
