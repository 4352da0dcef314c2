import type { Key } from "ink";
import { useEffect, useRef, useState } from "react";
import { stripControlCharacters, toEdit } from "../line/keys.ts";
import { EMPTY_LINE, editLine, type Line, lineText } from "../line/line.ts";
import { createHistory, type PromptHistory, recallPrompt, searchPrompts } from "./prompt-history.ts";
import { useCompletion } from "./use-completion.ts";

/** What the input of a chat needs. */
export type PromptInputOptions = {
  /** Prompts of earlier conversations, oldest first. */
  readonly history: readonly string[];
  saveHistory(prompts: readonly string[]): void;
  /** Whether an answer is being streamed: a prompt that is submitted during that time is sent after it. */
  readonly isBusy: boolean;
  send(text: string): void;
  /** Returns the paths that begin with a text. */
  listPaths(start: string): Promise<readonly string[]>;
  /** Opens a text in an editor, and returns the saved text; null when that failed. */
  edit(text: string): Promise<string | null>;
};

/** The input of a chat. */
export type PromptInput = {
  readonly line: Line;
  /** Whether the line is sent when the answer is complete. */
  readonly isQueued: boolean;
  /** The text that is searched for in earlier prompts; null without a search. */
  readonly query: string | null;
  /** What Tab could complete the line with; empty unless there are several. */
  readonly candidates: readonly string[];
  press(input: string, key: Key): void;
  insert(text: string): void;
  clear(): void;
};

/** Returns the line that a person types a prompt on, with the prompts before it. */
export function usePromptInput(options: PromptInputOptions): PromptInput {
  const { history, saveHistory, isBusy, send } = options;
  const [line, setLine] = useState(EMPTY_LINE);
  const [past, setPast] = useState(() => createHistory(history));
  const search = useSearch(past, show);
  const [isQueued, setIsQueued] = useState(false);
  const completion = useCompletion(options.listPaths, (text) => edit({ type: "set", text }));
  const opensEditor = useEditorKeys();

  function submit(submitted: Line): void {
    const text = lineText(submitted);
    if (text.endsWith("\\"))
      setLine(editLine(editLine(submitted, { type: "backspace" }), { type: "insert", text: "\n" }));
    else if (text.trim() !== "" && isBusy) {
      setLine(submitted);
      setIsQueued(true);
    } else if (text.trim() !== "") {
      const prompts = [...past.prompts, text];
      setPast(createHistory(prompts));
      saveHistory(prompts);
      setLine(EMPTY_LINE);
      send(text);
    }
  }

  useEffect(() => {
    if (!isQueued || isBusy) return;
    setIsQueued(false);
    submit(line);
  });

  function edit(change: Parameters<typeof editLine>[1]): void {
    setIsQueued(false);
    setLine((before) => editLine(before, change));
  }

  function show(next: PromptHistory, text: string): void {
    setPast(next);
    edit({ type: "set", text });
  }

  async function editInEditor(): Promise<void> {
    const text = await options.edit(lineText(line));
    if (text !== null) edit({ type: "set", text: stripControlCharacters(text) });
  }

  return {
    line,
    isQueued,
    query: search.query,
    candidates: completion.candidates,
    press(input, key) {
      completion.reset();
      if (opensEditor(input, key)) return void editInEditor();
      if (search.query !== null) {
        if (search.press(input, key)) return;
        search.end();
        if (key.escape) return;
      }
      if (key.ctrl && input === "r") return search.begin();
      if (key.return) return key.meta ? edit({ type: "insert", text: "\n" }) : submit(line);
      // Fast typing arrives in one chunk with its Enter; input typed before the program listened has a line feed instead of a
      // carriage return. A line feed alone is Ctrl-J, which starts a new line. More text after a line break was pasted.
      const [, typed] = /^([^\r\n]+)(?:\r\n?|\n)$/.exec(input) ?? [];
      if (typed !== undefined && !key.ctrl)
        return submit(editLine(line, { type: "insert", text: stripControlCharacters(typed) }));
      const [, completed] = /^([^\t\r\n]+)\t$/.exec(input) ?? [];
      if (completed !== undefined && (lineText(line) + completed).startsWith("/")) {
        const next = editLine(line, { type: "insert", text: completed });
        setLine(next);
        return void completion.complete(next);
      }
      if (key.upArrow || key.downArrow) {
        const recalled = recallPrompt(past, key.upArrow ? -1 : 1, lineText(line));
        return show(recalled.history, recalled.text);
      }
      if (key.tab) return void completion.complete(line);
      const change = toEdit(input, key);
      if (change !== null) edit(change);
    },
    insert: (text) => edit({ type: "insert", text: stripControlCharacters(text) }),
    clear() {
      search.end();
      setIsQueued(false);
      setLine((before) => ({ ...EMPTY_LINE, cut: before.cut }));
    },
  };
}

/** Returns the search in earlier prompts. `show` receives the history at the found prompt, and its text. */
function useSearch(past: PromptHistory, show: (next: PromptHistory, text: string) => void) {
  const [query, setQuery] = useState<string | null>(null);

  function find(text: string, before: number): void {
    const position = searchPrompts(past.prompts, text, before);
    setQuery(text);
    if (position !== undefined) show({ ...past, position }, past.prompts[position] ?? "");
  }
  return {
    query,
    begin: () => setQuery(""),
    end: () => setQuery(null),
    /** Handles a key of the search; false for a key that ends it. */
    press(input: string, key: Key): boolean {
      const text = query ?? "";
      if (key.ctrl && input === "r") find(text, past.position);
      else if (key.backspace) find(text.slice(0, -1), past.prompts.length);
      else if (isText(input, key)) find(text + stripControlCharacters(input), past.prompts.length);
      else return false;
      return true;
    },
  };
}

/** Returns a function that says whether a key is the second one of Ctrl-X Ctrl-E. */
function useEditorKeys(): (input: string, key: Key) => boolean {
  const isAfterPrefix = useRef(false);
  return (input, key) => {
    const isComplete = isAfterPrefix.current && key.ctrl && input === "e";
    isAfterPrefix.current = key.ctrl && input === "x";
    return isComplete;
  };
}

const isText = (input: string, key: Key): boolean =>
  !(key.ctrl || key.meta || key.return || key.escape || key.tab) && stripControlCharacters(input) !== "";
