import type { Key } from "ink";
import { useEffect, useState } from "react";
import { stripControlCharacters, toEdit } from "../line/keys.ts";
import { EMPTY_LINE, editLine, type Line, lineText } from "../line/line.ts";
import { createHistory, type PromptHistory, recallPrompt, searchPrompts } from "./prompt-history.ts";

/** What the input of a chat needs. */
export type PromptInputOptions = {
  /** Prompts of earlier conversations, oldest first. */
  readonly history: readonly string[];
  saveHistory(prompts: readonly string[]): void;
  /** Whether an answer is being streamed: what is submitted meanwhile is sent after it. */
  readonly isBusy: boolean;
  send(text: string): void;
};

/** The input of a chat. */
export type PromptInput = {
  readonly line: Line;
  /** Whether the line is sent when the answer is complete. */
  readonly isQueued: boolean;
  /** What is searched for in earlier prompts; null while nothing is. */
  readonly query: string | null;
  press(input: string, key: Key): void;
  insert(text: string): void;
  clear(): void;
};

/** Returns the line that a person types a prompt on, with the prompts before it. */
export function usePromptInput({ history, saveHistory, isBusy, send }: PromptInputOptions): PromptInput {
  const [line, setLine] = useState(EMPTY_LINE);
  const [past, setPast] = useState(() => createHistory(history));
  const [query, setQuery] = useState<string | null>(null);
  const [isQueued, setIsQueued] = useState(false);

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

  function search(text: string, before: number): void {
    const position = searchPrompts(past.prompts, text, before);
    setQuery(text);
    if (position !== undefined) show({ ...past, position }, past.prompts[position] ?? "");
  }

  /** Handles a key of the search; false for a key that ends it. */
  function pressInSearch(input: string, key: Key, searched: string): boolean {
    if (key.ctrl && input === "r") search(searched, past.position);
    else if (key.backspace) search(searched.slice(0, -1), past.prompts.length);
    else if (isText(input, key)) search(searched + stripControlCharacters(input), past.prompts.length);
    else return false;
    return true;
  }

  return {
    line,
    isQueued,
    query,
    press(input, key) {
      if (query !== null) {
        if (pressInSearch(input, key, query)) return;
        setQuery(null);
        if (key.escape) return;
      }
      if (key.ctrl && input === "r") return setQuery("");
      if (key.return) return key.meta ? edit({ type: "insert", text: "\n" }) : submit(line);
      // Fast typing arrives in one chunk with its Enter; input typed before the program listened has a line feed instead of a
      // carriage return. A line feed alone is Ctrl-J, which starts a new line. More text after a line break was pasted.
      const [, typed] = /^([^\r\n]+)(?:\r\n?|\n)$/.exec(input) ?? [];
      if (typed !== undefined && !key.ctrl)
        return submit(editLine(line, { type: "insert", text: stripControlCharacters(typed) }));
      if (key.upArrow || key.downArrow) {
        const recalled = recallPrompt(past, key.upArrow ? -1 : 1, lineText(line));
        return show(recalled.history, recalled.text);
      }
      const change = toEdit(input, key);
      if (change !== null) edit(change);
    },
    insert: (text) => edit({ type: "insert", text: stripControlCharacters(text) }),
    clear() {
      setQuery(null);
      setIsQueued(false);
      setLine((before) => ({ ...EMPTY_LINE, cut: before.cut }));
    },
  };
}

const isText = (input: string, key: Key): boolean =>
  !(key.ctrl || key.meta || key.return || key.escape || key.tab) && stripControlCharacters(input) !== "";
