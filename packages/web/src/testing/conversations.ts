import type { SentPassage } from "@feather/sdk";
import { DEFAULT_SETTINGS } from "#/features/chat/conversation/settings.ts";
import {
  type Answer,
  type Conversation,
  type Entry,
  NO_PLACE,
  type Question,
} from "#/features/chat/conversation/types.ts";

/** Returns a question of a stored conversation. */
export const question = (id: string, overrides: Partial<Question> = {}): Question => ({
  kind: "question",
  id,
  conversation: "c",
  after: [],
  models: ["m/one"],
  text: `question ${id}`,
  attachments: [],
  results: [],
  createdAt: 1,
  ...overrides,
});

/** Returns a passage that was sent with a question. */
export const passage = (text: string, overrides: Partial<SentPassage> = {}): SentPassage => ({
  ...{ collection_id: "col_1", collection_name: "Handbook", document_id: "doc_1", document_name: "rules.pdf" },
  ...{ number: 3, page: 2, text },
  ...overrides,
});

/** Returns an answer of a stored conversation to the question `of`. */
export const answer = (id: string, of: string, overrides: Partial<Answer> = {}): Answer => ({
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
  error: null,
  figures: null,
  receipt: null,
  requestId: null,
  createdAt: 2,
  savedAt: 2,
  ...overrides,
});

/** Returns a stored conversation without its entries. */
export const conversation = (overrides: Partial<Conversation> = {}): Conversation => ({
  id: "c",
  title: "A talk",
  named: false,
  models: ["m/one"],
  settings: DEFAULT_SETTINGS,
  chosen: {},
  createdAt: 1,
  updatedAt: 1,
  deletedAt: null,
  ...NO_PLACE,
  ...overrides,
});

/** Returns the entries of a conversation with `length` questions, each with an answer. */
export function createLongConversation(length: number, id = "c"): Entry[] {
  return Array.from({ length }, (_, at) => [
    question(`q${at}`, { conversation: id, after: at === 0 ? [] : [`a${at - 1}`], createdAt: at * 2 }),
    answer(`a${at}`, `q${at}`, { conversation: id, createdAt: at * 2 + 1, savedAt: at * 2 + 1 }),
  ]).flat();
}
