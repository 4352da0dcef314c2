import { expect, test } from "vitest";
import type { Message } from "../../../chat/answer.ts";
import { createKeeper } from "./keeper.ts";
import type { LastChat } from "./last-chat.ts";
import type { Exchange, ServerChat } from "./server-chat.ts";

const NOW = new Date("2026-11-21T12:00:00Z");
const BEFORE: Message[] = [
  { role: "user", content: "Why?" },
  { role: "assistant", content: "Because." },
];
const more = (number: number): Message[] => [
  { role: "user", content: `Question ${number}` },
  { role: "assistant", content: `Answer ${number}` },
];
const toTranscript = (...messages: Message[]) => ({ model: "acme/one", system: undefined, messages });
const CHAT: ServerChat = {
  id: "c1",
  title: "Feathers",
  updatedAt: NOW,
  transcript: toTranscript(...BEFORE),
  after: ["a1"],
};

/** Creates a keeper of a conversation that goes on with a chat of the server, whose saving succeeds or fails. */
function setup({ isTaken = true, chat = CHAT as ServerChat | null } = {}) {
  const here: LastChat[] = [];
  const onServer: [after: readonly string[], prompt: string, answer: string][] = [];
  const keeper = createKeeper(chat === null ? undefined : { transcript: CHAT.transcript, last: null, chat, note: "" }, {
    now: () => NOW,
    keepHere: (last) => void here.push(last),
    async saveToServer(current: ServerChat, { prompt, answer }: Exchange) {
      onServer.push([current.after, prompt, answer]);
      return isTaken ? { ...current, after: [`answer-${onServer.length}`] } : null;
    },
  });
  return { keeper, here, onServer };
}

test("each exchange is added to the chat on the server, one after the other", async () => {
  const { keeper, here, onServer } = setup();
  const [first, second] = [more(1), more(2)];
  keeper.keep(toTranscript(...BEFORE, ...first));
  keeper.keep(toTranscript(...BEFORE, ...first, ...second));
  await keeper.untilKept();
  expect(onServer).toEqual([
    [["a1"], "Question 1", "Answer 1"],
    [["answer-1"], "Question 2", "Answer 2"],
  ]);
  expect(here).toEqual([]);
});

test("a conversation that was cleared is no longer that of the server, and is kept on this machine", async () => {
  const { keeper, here, onServer } = setup();
  keeper.keep(toTranscript(...more(1)));
  await keeper.untilKept();
  keeper.keep(toTranscript(...more(2)));
  expect(onServer).toEqual([]);
  expect(here.map(({ transcript }) => transcript.messages)).toEqual([more(1), more(2)]);
});

test("a conversation that the server does not take is kept on this machine, as a whole", async () => {
  const { keeper, here, onServer } = setup({ isTaken: false });
  const first = more(1);
  keeper.keep(toTranscript(...BEFORE, ...first));
  keeper.keep(toTranscript(...BEFORE, ...first, ...more(2)));
  await keeper.untilKept();
  expect(onServer).toHaveLength(1);
  expect(here.map(({ transcript }) => transcript.messages.length)).toEqual([4, 6]);
});

test("a new conversation is kept on this machine at once, with the file it was saved to", () => {
  const { keeper, here } = setup({ chat: null });
  keeper.keep(toTranscript(...more(1)));
  keeper.noteSaved("/tmp/chat.md");
  expect(here.map(({ path }) => path)).toEqual([null, "/tmp/chat.md"]);
});
