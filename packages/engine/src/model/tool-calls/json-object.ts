/** What a JSON value is, by its first character. */
type ValueKind = "object" | "string" | "other";

/** Receives the members of a JSON object while it is read. */
export type ObjectListener = {
  /** The value of a member has begun. `kind` follows from its first character. */
  begin(key: string, kind: ValueKind): void;
  /** The next piece of the value's JSON text. */
  value(text: string): void;
  /** The value is complete. */
  end(key: string): void;
};

/** Reads one JSON object from its opening brace on. */
export type ObjectReader = {
  /** Takes text; returns how many of its characters belong to the object. */
  push(text: string): number;
  /** Whether the closing brace was read. */
  readonly isComplete: boolean;
  /** Whether the text cannot be an object: a member without a name, for example. */
  readonly isBroken: boolean;
};

type State = {
  listener: ObjectListener;
  /** What the next character belongs to. */
  place: "start" | "key" | "colon" | "beforeValue" | "value" | "afterValue" | "complete" | "broken";
  key: string;
  /** Brackets that are open within the value. */
  depth: number;
  kind: ValueKind;
  inString: boolean;
  isEscaped: boolean;
};

/**
 * Creates a reader of one object. It follows quotes, escapes and brackets to find where values end, and does not check
 * the values.
 */
export function createObjectReader(listener: ObjectListener): ObjectReader {
  const state: State = {
    listener,
    place: "start",
    key: "",
    depth: 0,
    kind: "other",
    inString: false,
    isEscaped: false,
  };
  return {
    push(text) {
      let taken = 0;
      for (const character of text) {
        if (state.place === "complete" || state.place === "broken") break;
        READERS[state.place](state, character);
        taken += character.length;
      }
      return taken;
    },
    get isComplete() {
      return state.place === "complete";
    },
    get isBroken() {
      return state.place === "broken";
    },
  };
}

type Read = (state: State, character: string) => void;

const READERS: Readonly<Record<Exclude<State["place"], "complete" | "broken">, Read>> = {
  start: (state, character) => advance(state, character, { "{": "key" }),
  key: readKey,
  colon: (state, character) => advance(state, character, { ":": "beforeValue" }),
  beforeValue: beginValue,
  value: readValue,
  afterValue: (state, character) => advance(state, character, { ",": "key", "}": "complete" }),
};

/** Sets what follows a character between values; white space changes nothing. */
function advance(state: State, character: string, places: Readonly<Record<string, State["place"]>>): void {
  if (isSpace(character)) return;
  state.place = places[character] ?? "broken";
  if (state.place === "key") state.key = "";
}

function readKey(state: State, character: string): void {
  if (!state.inString) {
    if (character === '"') state.inString = true;
    else advance(state, character, { "}": "complete" });
  } else if (state.isEscaped || (character !== '"' && character !== "\\")) {
    state.isEscaped = false;
    state.key += character;
  } else if (character === "\\") state.isEscaped = true;
  else {
    state.inString = false;
    state.place = "colon";
  }
}

function beginValue(state: State, character: string): void {
  if (isSpace(character)) return;
  state.kind = character === "{" ? "object" : character === '"' ? "string" : "other";
  state.place = "value";
  state.depth = 0;
  state.listener.begin(state.key, state.kind);
  readValue(state, character);
}

function readValue(state: State, character: string): void {
  const { listener, kind } = state;
  const isBare = kind === "other" && state.depth === 0 && !state.inString;
  if (isBare && (character === "," || character === "}" || isSpace(character))) {
    endValue(state);
    READERS.afterValue(state, character);
    return;
  }
  listener.value(character);
  if (state.inString) readStringCharacter(state, character);
  else if (character === '"') state.inString = true;
  else if (character === "{" || character === "[") state.depth += 1;
  else if (character === "}" || character === "]") state.depth -= 1;
  const isClosed = state.depth === 0 && !state.inString && '"}]'.includes(character);
  if (isClosed) endValue(state);
}

function readStringCharacter(state: State, character: string): void {
  if (state.isEscaped) state.isEscaped = false;
  else if (character === "\\") state.isEscaped = true;
  else if (character === '"') state.inString = false;
}

function endValue(state: State): void {
  state.place = "afterValue";
  state.listener.end(state.key);
}

/** Creates a reader that only finds where an object ends. */
export function createObjectBounds(): ObjectReader {
  const ignore = () => {};
  return createObjectReader({ begin: ignore, value: ignore, end: ignore });
}

function isSpace(character: string): boolean {
  return /\s/.test(character);
}
