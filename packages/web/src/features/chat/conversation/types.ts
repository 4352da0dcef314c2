import type { SentPassage } from "@feather/sdk";
import type { ChatSettings } from "./settings.ts";

/** A file sent with a question. `data` is a data URL for an image, and the text of anything else. */
export type Attachment = {
  id: string;
  kind: "image" | "text";
  name: string;
  type: string;
  /** Bytes. */
  size: number;
  /** The pages of a document, or the sheets of a workbook. */
  pages?: number | null | undefined;
  /** How many passages its text has, where only those that go with questions are sent; left out where the whole is. */
  passages?: number | null | undefined;
  data: string;
};

/** A tool call of an answer; `arguments` is JSON as the model wrote it. */
export type ToolCall = { id: string; name: string; arguments: string };
/** The result of a tool call, as entered by the user. */
export type ToolResult = { callId: string; name: string; text: string };

/** Why an answer failed or was interrupted. */
export type AnswerError = {
  code: string;
  /** The HTTP status; 0 without a response. */
  status: number;
  message: string;
  requestId: string | null;
  details: Record<string, unknown>;
  /** When to retry, in milliseconds since 1970; null or missing if the server did not say. */
  retryAt?: number | null;
};

/** Token counts as reported by the backend, and times in milliseconds as measured here. */
export type AnswerMetrics = {
  promptTokens: number | null;
  tokens: number | null;
  firstTokenMs: number | null;
  /** From the first token of the reasoning to the answer itself; null or left out without one. */
  thinkingMs?: number | null | undefined;
  totalMs: number;
};

/** What the platform recorded about an answer. */
export type Receipt = {
  units: number;
  promptTokens: number;
  tokens: number;
  estimated: boolean;
  /** Nano-USD; null on flat plans, and if the model has no price. */
  cost: string | null;
};

/** The state of an answer; `streaming` while it is received. */
export type AnswerState = "streaming" | "done" | "stopped" | "failed";

/** A message of the user. */
export type Question = {
  kind: "question";
  id: string;
  conversation: string;
  /** Ids of the answers that it follows, one per model; empty for the first question. */
  after: readonly string[];
  /** Ids of the models that answer it, side by side. */
  models: readonly string[];
  text: string;
  attachments: readonly Attachment[];
  /** Results of the tool calls of the answers before. */
  results: readonly ToolResult[];
  /** The passages of collections that are sent with it; left out where nothing was searched, empty where nothing was found. */
  passages?: readonly SentPassage[] | undefined;
  createdAt: number;
};

/** One version of a model's answer to a question. */
export type Answer = {
  kind: "answer";
  id: string;
  conversation: string;
  question: string;
  /** The index of the model within the question's models. */
  lane: number;
  model: string;
  text: string;
  reasoning: string;
  toolCalls: readonly ToolCall[];
  state: AnswerState;
  /** The finish reason: `stop`, `length`, `tool_calls`; null if the model did not end the answer. */
  finish: string | null;
  error: AnswerError | null;
  figures: AnswerMetrics | null;
  receipt: Receipt | null;
  requestId: string | null;
  /** The tab that receives it, while it is streaming. */
  tab?: string | undefined;
  /** The stream from which any tab can receive it, while it is streaming. */
  streamId?: string | undefined;
  createdAt: number;
  savedAt: number;
};

/** A question or an answer: what a conversation's tree consists of. */
export type Entry = Question | Answer;

/** Where a conversation is in the list. */
export type Place = {
  pinned: boolean;
  archived: boolean;
  /** The name of its folder; null if it is in none. A folder is there as long as a conversation names it. */
  folder: string | null;
};

/** The place of a new conversation. */
export const NO_PLACE: Place = { pinned: false, archived: false, folder: null };

/** A conversation without its entries. */
export type Conversation = Place & {
  id: string;
  title: string;
  /** Whether the user set the title. */
  named: boolean;
  models: readonly string[];
  settings: ChatSettings;
  /** The selected branch at each branching point. */
  chosen: Readonly<Record<string, string>>;
  createdAt: number;
  updatedAt: number;
  /** When it was deleted: it can be restored until it is purged. */
  deletedAt: number | null;
};

/** How many models can be compared side by side. */
export const MAX_MODELS = 4;

/** Returns the name part of a model id, without its owner. */
export const modelName = (model: string): string => model.slice(model.indexOf("/") + 1);
/** Returns the owner part of a model id; empty if it has none. */
export const modelOwner = (model: string): string => model.slice(0, Math.max(0, model.indexOf("/")));
