import { expect, test } from "vitest";
import { createStopFilter } from "./stop-filter.ts";

function filtered(pieces: readonly string[], stops: readonly string[], keep = false) {
  const filter = createStopFilter(stops, keep);
  const sent: string[] = [];
  for (const piece of pieces) {
    const { text, stopped } = filter.push(piece);
    sent.push(text);
    if (stopped) return { text: sent.join(""), stopped, sent };
  }
  sent.push(filter.flush());
  return { text: sent.join(""), stopped: false, sent };
}

test("text without a stop text passes unchanged and at once", () => {
  expect(filtered(["Hello ", "world"], ["###"]).sent).toEqual(["Hello ", "world", ""]);
});

test("discards everything from the stop text on", () => {
  expect(filtered(["one two three"], [" two"])).toMatchObject({ text: "one", stopped: true });
});

test("a stop text that arrives in pieces never leaks", () => {
  expect(filtered(["ab#", "#", "#c"], ["###"])).toMatchObject({ text: "ab", stopped: true, sent: ["ab", "", ""] });
});

test("passes on text that only began like a stop text", () => {
  expect(filtered(["ab#", "#", "c"], ["###"])).toMatchObject({ text: "ab##c", stopped: false });
});

test("a possible stop text at the very end is passed on by flush", () => {
  expect(filtered(["ab##"], ["###"])).toMatchObject({ text: "ab##", stopped: false });
});

test("stops at the first of several stop texts", () => {
  expect(filtered(["a STOP b END"], ["END", "STOP"])).toMatchObject({ text: "a ", stopped: true });
});

test("a stop text that begins inside another possible one is found", () => {
  expect(filtered(["a", "a", "b"], ["aab"])).toMatchObject({ text: "", stopped: true });
  expect(filtered(["aa", "ab"], ["aab"])).toMatchObject({ text: "a", stopped: true });
});

test("keeps the stop text if configured", () => {
  expect(filtered(["one. two"], ["."], true)).toMatchObject({ text: "one.", stopped: true });
});

test("empty stop texts are ignored", () => {
  expect(filtered(["abc"], [""])).toMatchObject({ text: "abc", stopped: false });
});
