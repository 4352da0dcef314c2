import { t } from "@lingui/core/macro";
import type { Conversations } from "../conversation/conversations.ts";
import { deriveTitle, lastAnswerIds, selectionOf, type Turn, visibleTurns } from "../conversation/tree.ts";
import type {
  Answer,
  AnswerError,
  AnswerMetrics,
  Attachment,
  Conversation,
  Question,
  Receipt,
  ToolResult,
} from "../conversation/types.ts";
import type { LiveAnswers } from "./live-answers.ts";
import { isTooLarge, takeNewestTurns, toRequest } from "./request.ts";
import { type AnswerResult, type CreateAnswer, runAnswer } from "./run-answer.ts";

/** What the user sends: text, attachments, and results of tool calls. */
export type UserInput = { text: string; attachments: readonly Attachment[]; results?: readonly ToolResult[] };
/**
 * Options of one request: how long to queue for units (seconds), how many tokens the prompt may have, and another
 * model.
 */
export type SendOptions = { unitsTimeoutSeconds?: number; maxPromptTokens?: number; model?: string };

type AnsweringOptions = {
  conversations: Conversations;
  live: LiveAnswers;
  create: CreateAnswer;
  /** Returns the platform's receipt of a request, or null if there is none. */
  fetchReceipt(requestId: string): Promise<Receipt | null>;
  now(): number;
  newId(): string;
  /** The id of this tab; null if the browser cannot list open tabs. */
  tab: string | null;
};

const SAVE_INTERVAL_MS = 1_000;
/** How long a request waits for a cold model to load. */
const MODEL_TIMEOUT_SECONDS = 1_200;
/** How long a request queues for units: a stopped answer releases its units with a short delay. */
const UNITS_TIMEOUT_SECONDS = 5;

/** What the functions of answering work with. */
type Context = AnsweringOptions & {
  /** The answers that are being received, by id. */
  running: Map<string, { conversation: string; abort: AbortController }>;
};

/** Sends questions to models and stores their answers. */
export function createAnswering(options: AnsweringOptions) {
  const context: Context = { ...options, running: new Map() };
  const { running } = context;
  return {
    /** Sends a question to the conversation's models, after the branch that is shown. */
    ask: (conversation: string, input: UserInput): void => askModels(context, conversation, input),
    /** Sends an edited question as a new branch; the original stays. */
    edit: (question: Question, input: UserInput): void => editQuestion(context, question, input),
    /** Requests a new version of an answer. The previous version stays unless it failed without any content. */
    regenerate: (previous: Answer, send: SendOptions = {}): void => regenerateAnswer(context, previous, send),
    /** Continues an answer that was cut off. */
    continueAnswer: (previous: Answer): void => continueAnswer(context, previous),
    /** Aborts all running answers of a conversation. */
    stop(conversation: string): void {
      for (const one of running.values()) if (one.conversation === conversation) one.abort.abort();
    },
    stopAll(): void {
      for (const { abort } of running.values()) abort.abort();
    },
  };
}

function turnsUpTo({ conversations }: Context, conversation: string, question: string): Turn[] {
  const snapshot = conversations.get(conversation);
  if (!snapshot) return [];
  const turns = visibleTurns(snapshot.tree, snapshot.conversation.chosen);
  return turns.slice(0, turns.findIndex((turn) => turn.question.id === question) + 1);
}

async function answer(context: Context, pending: Answer, options: SendOptions, partial?: Answer): Promise<void> {
  const { conversations, live, create, now, running } = context;
  const { id, conversation, model, lane } = pending;
  const settings = conversations.get(conversation)?.conversation.settings;
  if (!settings) return;
  const all = turnsUpTo(context, conversation, pending.question);
  const turns =
    options.maxPromptTokens === undefined ? all : takeNewestTurns(all, model, lane, options.maxPromptTokens);
  const body = toRequest({ turns, settings, model, lane, ...(partial && { partial }) });
  if (isTooLarge(body)) return failAnswer(context, pending, createTooLargeError());
  const abort = new AbortController();
  running.set(id, { conversation, abort });
  const startedAt = now();
  live.set(id, { ...contentOf(pending), startedAt, firstTokenAt: null, updatedAt: startedAt });
  const saveTimer = setInterval(() => {
    const content = live.get(id);
    if (content) conversations.saveProgress({ ...pending, ...pickContent(content), savedAt: now() }).catch(() => {});
  }, SAVE_INTERVAL_MS);
  const result = await runAnswer({
    create,
    body,
    signal: abort.signal,
    headers: {
      "x-wait-for-model": String(MODEL_TIMEOUT_SECONDS),
      "x-queue-timeout": String(options.unitsTimeoutSeconds ?? UNITS_TIMEOUT_SECONDS),
    },
    now,
    ...(partial && { prefix: partial.text }),
    onProgress(content) {
      const updatedAt = now();
      live.set(id, { ...content, startedAt, firstTokenAt: live.get(id)?.firstTokenAt ?? updatedAt, updatedAt });
    },
  });
  clearInterval(saveTimer);
  running.delete(id);
  live.remove(id);
  await finish(context, pending, result, partial);
}

async function finish(
  { conversations, fetchReceipt, now }: Context,
  pending: Answer,
  { content, state, error, figures, requestId }: AnswerResult,
  partial?: Answer,
): Promise<void> {
  const reasoning = partial ? [partial.reasoning, content.reasoning].filter(Boolean).join("\n\n") : content.reasoning;
  const finished: Answer = {
    ...pending,
    ...content,
    reasoning,
    state,
    error,
    requestId,
    tab: undefined,
    figures: partial?.figures ? mergeMetrics(partial.figures, figures) : figures,
    savedAt: now(),
  };
  const saved = conversations.add(pending.conversation, [finished], (stored) => ({ ...stored, updatedAt: now() }));
  // A refused request never ran and has no receipt.
  const hasRun = requestId !== null && (error === null || figures.firstTokenMs !== null);
  const receipt = hasRun ? await fetchReceipt(requestId).catch(() => null) : null;
  await saved.catch(() => {});
  if (receipt)
    await conversations.add(pending.conversation, [
      { ...finished, receipt: mergeReceipts(partial?.receipt ?? null, receipt), savedAt: now() },
    ]);
}

async function failAnswer({ conversations, now }: Context, pending: Answer, error: AnswerError): Promise<void> {
  await conversations.add(pending.conversation, [{ ...pending, state: "failed", error, savedAt: now() }]);
}

const createPendingAnswer = (
  { newId, now, tab }: Context,
  question: Question,
  lane: number,
  model: string,
): Answer => ({
  kind: "answer",
  id: newId(),
  conversation: question.conversation,
  question: question.id,
  lane,
  model,
  text: "",
  reasoning: "",
  toolCalls: [],
  state: "streaming",
  finish: null,
  error: null,
  figures: null,
  receipt: null,
  requestId: null,
  ...(tab !== null && { tab }),
  createdAt: now(),
  savedAt: now(),
});

function askModels(context: Context, conversation: string, input: UserInput): void {
  const { conversations, newId, now } = context;
  const snapshot = conversations.get(conversation);
  if (!snapshot) return;
  const { models, chosen } = snapshot.conversation;
  const after = lastAnswerIds(visibleTurns(snapshot.tree, chosen));
  addQuestion(context, conversation, {
    kind: "question",
    id: newId(),
    conversation,
    after,
    models,
    results: [],
    ...input,
    createdAt: now(),
  });
}

function editQuestion(context: Context, question: Question, input: UserInput): void {
  const { conversations, newId, now } = context;
  const models = conversations.get(question.conversation)?.conversation.models ?? question.models;
  addQuestion(context, question.conversation, { ...question, ...input, models, id: newId(), createdAt: now() });
}

function addQuestion(context: Context, conversation: string, question: Question): void {
  const answers = question.models.map((model, lane) => createPendingAnswer(context, question, lane, model));
  const chosen = Object.assign({}, ...[question, ...answers].map(selectionOf));
  startAnswers(context, conversation, {
    entries: [question, ...answers],
    answers,
    change: (stored) => ({
      ...stored,
      title:
        stored.named || stored.title !== ""
          ? stored.title
          : deriveTitle(question.text || question.attachments[0]?.name || ""),
      chosen: { ...stored.chosen, ...chosen },
      updatedAt: context.now(),
    }),
  });
}

function regenerateAnswer(context: Context, previous: Answer, options: SendOptions): void {
  const question = context.conversations.get(previous.conversation)?.tree.entries.get(previous.question);
  if (question?.kind !== "question") return;
  const model = options.model ?? previous.model;
  const isEmptyFailure = previous.state === "failed" && previous.text === "" && previous.toolCalls.length === 0;
  const pending = createPendingAnswer(context, question, previous.lane, model);
  const replacement = isEmptyFailure ? { ...pending, id: previous.id, createdAt: previous.createdAt } : pending;
  const chosen = selectionOf(replacement);
  startAnswers(context, previous.conversation, {
    entries: [replacement],
    answers: [replacement],
    change: (stored) => ({ ...stored, chosen: { ...stored.chosen, ...chosen } }),
    options,
  });
}

function continueAnswer(context: Context, previous: Answer): void {
  const { tab, now } = context;
  const replacement: Answer = {
    ...previous,
    state: "streaming",
    error: null,
    finish: null,
    tab: tab ?? undefined,
    savedAt: now(),
  };
  startAnswers(context, previous.conversation, {
    entries: [replacement],
    answers: [replacement],
    change: (stored) => stored,
    partial: previous,
  });
}

type Start = {
  entries: readonly (Question | Answer)[];
  answers: readonly Answer[];
  change(stored: Conversation): Conversation;
  options?: SendOptions;
  /** The answer that is continued. */
  partial?: Answer;
};

function startAnswers(context: Context, conversation: string, start: Start): void {
  const { live, conversations, now } = context;
  const { entries, answers, change, options = {}, partial } = start;
  // Set before the tree changes, so that subscribers of the tree already find the live answer.
  for (const { id } of answers)
    live.set(id, { ...contentOf(partial), startedAt: now(), firstTokenAt: null, updatedAt: now() });
  conversations.add(conversation, entries, change).catch(() => {});
  for (const one of answers) void answer(context, one, options, partial);
}

/** The object returned by `createAnswering`. */
export type Answering = ReturnType<typeof createAnswering>;

const contentOf = (answer?: Answer) => ({
  text: answer?.text ?? "",
  reasoning: answer?.reasoning ?? "",
  toolCalls: answer?.toolCalls ?? [],
  finish: null,
});

const pickContent = ({ text, reasoning, toolCalls }: Pick<Answer, "text" | "reasoning" | "toolCalls">) => ({
  text,
  reasoning,
  toolCalls,
});

function createTooLargeError(): AnswerError {
  const message = t`The conversation with its files is larger than the 15 MB a request may have.`;
  return { code: "payload_too_large", status: 413, message, requestId: null, details: {} };
}

const addNullable = (a: number | null, b: number | null): number | null => (a === null || b === null ? null : a + b);

function mergeMetrics(a: AnswerMetrics, b: AnswerMetrics): AnswerMetrics {
  return {
    promptTokens: b.promptTokens,
    tokens: addNullable(a.tokens, b.tokens),
    firstTokenMs: a.firstTokenMs,
    totalMs: a.totalMs + b.totalMs,
  };
}

/** Adds the receipts of an answer that was produced by two requests. */
function mergeReceipts(previous: Receipt | null, { cost, tokens, promptTokens, ...rest }: Receipt): Receipt {
  if (!previous) return { ...rest, cost, tokens, promptTokens };
  return {
    ...rest,
    estimated: rest.estimated || previous.estimated,
    tokens: previous.tokens + tokens,
    promptTokens: previous.promptTokens + promptTokens,
    cost: cost === null || previous.cost === null ? null : String(BigInt(previous.cost) + BigInt(cost)),
  };
}
