import type { ChatSettings } from "./settings.ts";

/** A file that goes along with a question. An image is a data URL, a text is itself. */
export type Attachment = {
  id: string;
  kind: "image" | "text";
  name: string;
  type: string;
  /** Bytes. */
  size: number;
  data: string;
};

export type ToolCall = { id: string; name: string; arguments: string };
export type ToolResult = { callId: string; name: string; text: string };

/** Why an answer did not come, or broke off. */
export type Fault = {
  code: string;
  /** 0 when no server answered. */
  status: number;
  message: string;
  requestId: string | null;
  details: Record<string, unknown>;
  /** When to come back, by this browser's clock; null or missing where the server did not say. */
  retryAt?: number | null;
};

/** Figures of an answer: tokens as the backend counted them, and times in milliseconds as seen here. */
export type Figures = {
  promptTokens: number | null;
  tokens: number | null;
  firstMs: number | null;
  totalMs: number;
};

/** What the platform wrote down about an answer. */
export type Receipt = {
  units: number;
  promptTokens: number;
  tokens: number;
  estimated: boolean;
  /** Nano-USD; null on flat plans, and where the model has no price. */
  cost: string | null;
};

export type AnswerState = "streaming" | "done" | "stopped" | "failed";

export type Question = {
  kind: "question";
  id: string;
  conversation: string;
  /** The answers that it follows: one of each model; none at the beginning. */
  after: readonly string[];
  /** The models that are asked, side by side. */
  models: readonly string[];
  text: string;
  attachments: readonly Attachment[];
  /** What tools gave that the answers before called for. */
  results: readonly ToolResult[];
  createdAt: number;
};

export type Answer = {
  kind: "answer";
  id: string;
  conversation: string;
  question: string;
  /** Which of the models side by side it is of. */
  lane: number;
  model: string;
  text: string;
  reasoning: string;
  toolCalls: readonly ToolCall[];
  state: AnswerState;
  /** Why the model ended: `stop`, `length`, `tool_calls`; null when it did not end by itself. */
  finish: string | null;
  fault: Fault | null;
  figures: Figures | null;
  receipt: Receipt | null;
  requestId: string | null;
  /** The tab that receives it, as long as it is being written. */
  tab?: string | undefined;
  createdAt: number;
  savedAt: number;
};

export type Entry = Question | Answer;

/** What is known of a conversation besides what was said in it. */
export type Conversation = {
  id: string;
  title: string;
  /** Whether a person gave it its title. */
  named: boolean;
  models: readonly string[];
  settings: ChatSettings;
  /** Which branch is shown where there are several. */
  chosen: Readonly<Record<string, string>>;
  createdAt: number;
  updatedAt: number;
  /** When it was deleted: it can be had back until it is cleared away. */
  deletedAt: number | null;
};

export const MOST_MODELS = 4;

export const nameOf = (model: string): string => model.slice(model.indexOf("/") + 1);
export const ownerOf = (model: string): string => model.slice(0, Math.max(0, model.indexOf("/")));
