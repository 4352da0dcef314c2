import { expect, test } from "vitest";
import { type Conversation, conversationReducer, toMessages } from "./conversation.ts";

const figures = { tokens: 2, firstMs: 1, totalMs: 2 };
const asked = conversationReducer([], { type: "ask", id: "q", answerId: "a", text: "Hello", model: "m/n" });

test("asking adds the question and an answer that waits", () => {
  expect(asked.map((turn) => [turn.id, turn.text])).toEqual([
    ["q", "Hello"],
    ["a", ""],
  ]);
});

test("deltas grow the answer, and its end is noted", () => {
  let turns: Conversation = conversationReducer(asked, { type: "delta", id: "a", text: "Hi" });
  turns = conversationReducer(turns, { type: "delta", id: "a", text: " there" });
  turns = conversationReducer(turns, { type: "end", id: "a", state: "done", figures });
  expect(turns[1]).toMatchObject({ text: "Hi there", state: "done", figures });
});

test("again throws the last answer away and keeps the question", () => {
  const turns = conversationReducer(asked, { type: "again", answerId: "b", model: "m/o" });
  expect(turns.map((turn) => turn.id)).toEqual(["q", "b"]);
});

test("a failed answer keeps what came and says why", () => {
  const turns = conversationReducer(asked, { type: "end", id: "a", state: "failed", error: "cut off", figures });
  expect(turns[1]).toMatchObject({ state: "failed", error: "cut off" });
});

test("what is sent holds the system prompt and no empty turns", () => {
  expect(toMessages(asked, " Be brief. ")).toEqual([
    { role: "system", content: "Be brief." },
    { role: "user", content: "Hello" },
  ]);
  expect(toMessages(asked, "  ")).toEqual([{ role: "user", content: "Hello" }]);
});
