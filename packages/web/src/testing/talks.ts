import { USUAL_SETTINGS } from "#/features/chat/settings.ts";
import type { Answer, Conversation, Entry, Question } from "#/features/chat/types.ts";

/** Returns a question of a stored conversation. */
export const question = (id: string, over: Partial<Question> = {}): Question => ({
  kind: "question",
  id,
  conversation: "c",
  after: [],
  models: ["m/one"],
  text: `question ${id}`,
  attachments: [],
  results: [],
  createdAt: 1,
  ...over,
});

/** Returns an answer of a stored conversation to the question `of`. */
export const answer = (id: string, of: string, over: Partial<Answer> = {}): Answer => ({
  kind: "answer",
  id,
  conversation: "c",
  question: of,
  lane: 0,
  model: "m/one",
  text: `answer ${id}`,
  reasoning: "",
  toolCalls: [],
  state: "done",
  finish: "stop",
  fault: null,
  figures: null,
  receipt: null,
  requestId: null,
  createdAt: 2,
  savedAt: 2,
  ...over,
});

/** Returns a stored conversation without its entries. */
export const conversation = (over: Partial<Conversation> = {}): Conversation => ({
  id: "c",
  title: "A talk",
  named: false,
  models: ["m/one"],
  settings: USUAL_SETTINGS,
  chosen: {},
  createdAt: 1,
  updatedAt: 1,
  deletedAt: null,
  ...over,
});

/** Returns the entries of a conversation with `length` questions, each with an answer. */
export function longTalk(length: number, id = "c"): Entry[] {
  return Array.from({ length }, (_, at) => [
    question(`q${at}`, { conversation: id, after: at === 0 ? [] : [`a${at - 1}`], createdAt: at * 2 }),
    answer(`a${at}`, `q${at}`, { conversation: id, createdAt: at * 2 + 1, savedAt: at * 2 + 1 }),
  ]).flat();
}
