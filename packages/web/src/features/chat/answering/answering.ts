import type { ChatTool, SentPassage } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { type Conversations, toInterrupted } from "../conversation/conversations.ts";
import type { ChatSettings } from "../conversation/settings.ts";
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
import {
  type AnswerEvents,
  type AnswerResult,
  type CreateAnswer,
  REQUEST_TIMEOUT_MS,
  runAnswer,
} from "./run-answer.ts";

/** What the user sends: text, attachments, results of tool calls, and passages that were found for it. */
export type UserInput = {
  text: string;
  attachments: readonly Attachment[];
  results?: readonly ToolResult[];
  passages?: readonly SentPassage[] | undefined;
};
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
  /** Continues a stream from its beginning. */
  openStream(streamId: string, signal: AbortSignal): PromiseLike<AnswerEvents>;
  /** Stops a stream, also one that the server is about to begin. Never rejects. */
  stopStream(streamId: string): Promise<void>;
  /** Whether answers go on when this page is left. */
  isResumable: boolean;
  /** Whether the server saves answers that go on, once the conversation is saved there. */
  isSavedByServer: boolean;
  wait(milliseconds: number): Promise<void>;
  /** Returns the tools of servers that a model is offered. */
  offerTools(settings: ChatSettings): Promise<ChatTool[]>;
  /** Called when an answer has been received and is shown as finished. */
  onFinished(answer: Answer): void;
};

const SAVE_INTERVAL_MS = 1_000;
/** How long a request waits for a cold model to load. */
const MODEL_TIMEOUT_SECONDS = 1_200;
/** How long to wait before a stream is followed again whose connection broke or that the server does not have yet. */
const FOLLOW_DELAY_MS = 2_000;
/** A stream that the server does not have is given up when nobody has saved its answer for this long. */
const LOST_AFTER_MS = 15_000;
/** How long a question waits until the conversation is saved; after that the server does not save its answer. */
const STORED_WITHIN_MS = 5_000;
/** How long a request queues for units: a stopped answer releases its units with a short delay. */
const UNITS_TIMEOUT_SECONDS = 5;

/** What the functions of answering work with. */
type Context = AnsweringOptions & {
  /** The answers that are being received, by id. */
  running: Map<string, RunningAnswer>;
  /** The answers whose streams this page follows or is about to follow again, by id. */
  followed: Set<string>;
  /** Whether the page has been left, so that it follows nothing any more. */
  page: { isLeft: boolean };
};

/** An answer that is being received. `isLeft` says that it is not stopped but goes on without this page. */
type RunningAnswer = { conversation: string; abort: AbortController; streamId: string | undefined; isLeft: boolean };

/** Sends questions to models and stores their answers. */
export function createAnswering(options: AnsweringOptions) {
  const context: Context = { ...options, running: new Map(), followed: new Set(), page: { isLeft: false } };
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
    /** Receives an answer from its stream, which another page began. Does nothing if this page receives it already. */
    follow: (answer: Answer): void => void followAnswer(context, answer),
    /** Stops all running answers of a conversation, whichever page began them. */
    stop(conversation: string): void {
      for (const one of running.values()) if (one.conversation === conversation) stopOne(context, one);
    },
    /** Stops all running answers. */
    stopAll(): void {
      for (const one of running.values()) stopOne(context, one);
    },
    /** Stops receiving. Answers with a stream go on without this page; others are stopped. */
    leave(): void {
      context.page.isLeft = true;
      for (const one of running.values()) {
        one.isLeft = one.streamId !== undefined;
        one.abort.abort();
      }
    },
  };
}

function stopOne({ stopStream }: Context, { abort, streamId }: RunningAnswer): void {
  abort.abort();
  if (streamId !== undefined) void stopStream(streamId);
}

function turnsUpTo({ conversations }: Context, conversation: string, question: string): Turn[] {
  const snapshot = conversations.get(conversation);
  if (!snapshot) return [];
  const turns = visibleTurns(snapshot.tree, snapshot.conversation.chosen);
  return turns.slice(0, turns.findIndex((turn) => turn.question.id === question) + 1);
}

type Asking = {
  options: SendOptions;
  /** The answer that is continued. */
  partial: Answer | undefined;
  /** Resolves to whether the answer is stored as one that is being written. */
  isStored: Promise<boolean>;
};

async function answer(context: Context, pending: Answer, { options, partial, isStored }: Asking): Promise<void> {
  const { conversations, create, now } = context;
  const { conversation, model, lane } = pending;
  const settings = conversations.get(conversation)?.conversation.settings;
  if (!settings) return;
  const all = turnsUpTo(context, conversation, pending.question);
  const turns =
    options.maxPromptTokens === undefined ? all : takeNewestTurns(all, model, lane, options.maxPromptTokens);
  const body = toRequest({ turns, settings, model, lane, ...(partial && { partial }) });
  if (isTooLarge(body)) return failAnswer(context, pending, createTooLargeError());
  const { id, streamId } = pending;
  const result = await receive(context, pending, {
    startedAt: now(),
    savesProgress: true,
    ...(partial && { prefix: partial.text }),
    open: async (signal) =>
      create(turns.at(-1)?.lanes.length === 1 ? await withTools(context, body, settings) : body, {
        signal,
        maxRetries: 0,
        timeout: REQUEST_TIMEOUT_MS,
        resumable: streamId !== undefined,
        headers: {
          "x-wait-for-model": String(MODEL_TIMEOUT_SECONDS),
          "x-queue-timeout": String(options.unitsTimeoutSeconds ?? UNITS_TIMEOUT_SECONDS),
          ...(streamId !== undefined && { "x-stream-id": streamId }),
          ...((await isSavedByServer(context, pending, isStored)) && { "x-save-answer": `${conversation}/${id}` }),
        },
      }),
  });
  if (result === null) return;
  if (result.isResumable && result.error?.code === "broken_off") return followLater(context, pending);
  await finish(context, pending, result, partial);
}

/** Returns the request with the tools of servers that the conversation uses, beside those that are typed in its settings. */
async function withTools<B extends { tools?: ChatTool[] | null }>(
  { offerTools }: Context,
  body: B,
  settings: ChatSettings,
): Promise<B> {
  const tools = await offerTools(settings);
  if (tools.length === 0) return body;
  const { tool_choice } = settings;
  return { ...body, tools: [...(body.tools ?? []), ...tools], ...(tool_choice !== "" && { tool_choice }) };
}

/** Returns whether the server is to save an answer: one that goes on there, and that it has by the time when it is asked. */
async function isSavedByServer(context: Context, { streamId }: Answer, isStored: Promise<boolean>): Promise<boolean> {
  if (!context.isSavedByServer || streamId === undefined) return false;
  return Promise.race([isStored, context.wait(STORED_WITHIN_MS).then(() => false)]);
}

type Reception = {
  open(signal: AbortSignal): PromiseLike<AnswerEvents>;
  startedAt: number;
  savesProgress: boolean;
  /** Text of the answer that is continued. */
  prefix?: string;
};

/** Receives an answer and shows it meanwhile. Returns null if the page was left and the answer goes on without it. */
async function receive(
  { conversations, live, now, running }: Context,
  pending: Answer,
  { open, startedAt, savesProgress, prefix }: Reception,
): Promise<AnswerResult | null> {
  const { id, conversation, streamId } = pending;
  const one: RunningAnswer = { conversation, abort: new AbortController(), streamId, isLeft: false };
  const { signal } = one.abort;
  running.set(id, one);
  live.set(id, { ...contentOf(pending), startedAt, firstTokenAt: null, updatedAt: startedAt });
  const saveProgress = () => {
    const content = live.get(id);
    if (content) conversations.saveProgress({ ...pending, ...pickContent(content), savedAt: now() }).catch(() => {});
  };
  const saveTimer = savesProgress ? setInterval(saveProgress, SAVE_INTERVAL_MS) : undefined;
  const result = await runAnswer({
    open: () => open(signal),
    signal,
    now,
    ...(prefix !== undefined && { prefix }),
    onProgress(content) {
      const updatedAt = now();
      live.set(id, { ...content, startedAt, firstTokenAt: live.get(id)?.firstTokenAt ?? updatedAt, updatedAt });
    },
  });
  clearInterval(saveTimer);
  running.delete(id);
  live.remove(id);
  return one.isLeft ? null : result;
}

async function followAnswer(context: Context, pending: Answer): Promise<void> {
  const { running, followed, page } = context;
  if (page.isLeft || running.has(pending.id) || followed.has(pending.id)) return;
  followed.add(pending.id); // loading the conversation must not begin it again meanwhile
  const isUnfinished = await followOnce(context, pending).finally(() => followed.delete(pending.id));
  if (isUnfinished && !page.isLeft) await followLater(context, pending);
}

/** Receives an answer from its stream and saves it, unless another page has. Returns whether to follow it again. */
async function followOnce(context: Context, pending: Answer): Promise<boolean> {
  const { conversations, openStream, now } = context;
  const { streamId, conversation, createdAt } = pending;
  if (streamId === undefined) return false;
  const result = await receive(context, pending, {
    open: (signal) => openStream(streamId, signal),
    startedAt: createdAt,
    savesProgress: false,
  });
  // An ended session takes the person to the login page, and back here.
  if (result === null || result.error?.status === 401) return false;
  await conversations.load(conversation).catch(() => {});
  const current = conversations.get(conversation)?.tree.entries.get(pending.id);
  if (current?.kind !== "answer" || current.state !== "streaming") return false; // another page has saved it
  const code = result.error?.code ?? "";
  const isLost = code === "streams.not_found" && now() - current.savedAt >= LOST_AFTER_MS;
  if (isLost || code === "streams.events_gone") {
    await conversations.add(conversation, [{ ...toInterrupted(current), savedAt: now() }]);
    return false;
  }
  if (RETRIED_CODES.has(code)) return true;
  const figures = { ...result.figures, firstTokenMs: null, totalMs: now() - createdAt };
  await finish(context, current, { ...result, figures });
  return false;
}

/** Codes of failures after which a stream is followed again. */
const RETRIED_CODES: ReadonlySet<string> = new Set(["streams.not_found", "broken_off", "unreachable", "unavailable"]);

/** Loads the conversation after a while, and with it follows the answer if nobody has saved it until then. */
async function followLater({ conversations, followed, wait }: Context, { id, conversation }: Answer): Promise<void> {
  followed.add(id);
  await wait(FOLLOW_DELAY_MS);
  followed.delete(id);
  await conversations.load(conversation).catch(() => {});
}

async function finish(
  context: Context,
  pending: Answer,
  { content, state, error, figures, requestId }: AnswerResult,
  partial?: Answer,
): Promise<void> {
  const { conversations, fetchReceipt, now } = context;
  const reasoning = partial ? [partial.reasoning, content.reasoning].filter(Boolean).join("\n\n") : content.reasoning;
  const finished: Answer = {
    ...pending,
    ...content,
    reasoning,
    state,
    error,
    requestId,
    tab: undefined,
    streamId: undefined,
    figures: partial?.figures ? mergeMetrics(partial.figures, figures) : figures,
    savedAt: now(),
  };
  const saved = conversations.add(pending.conversation, [finished], (stored) => ({ ...stored, updatedAt: now() }));
  context.onFinished(finished);
  // A refused request never ran and has no receipt.
  const hasRun = requestId !== null && (error === null || figures.firstTokenMs !== null);
  const receipt = hasRun ? await fetchReceipt(requestId).catch(() => null) : null;
  await saved.catch(() => {});
  const current = conversations.get(pending.conversation)?.tree.entries.get(pending.id);
  // Meanwhile the answer may have been continued.
  const isUnchanged = current?.kind === "answer" && current.savedAt === finished.savedAt;
  if (receipt && isUnchanged)
    await conversations.add(pending.conversation, [
      { ...finished, receipt: mergeReceipts(partial?.receipt ?? null, receipt), savedAt: now() },
    ]);
}

async function failAnswer({ conversations, now }: Context, pending: Answer, error: AnswerError): Promise<void> {
  await conversations.add(pending.conversation, [
    { ...pending, streamId: undefined, state: "failed", error, savedAt: now() },
  ]);
}

const createPendingAnswer = (
  { newId, now, tab, isResumable }: Context,
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
  ...(isResumable && { streamId: newId() }),
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
  const { passages: _, ...kept } = question; // they were found for its first text
  addQuestion(context, question.conversation, { ...kept, ...input, models, id: newId(), createdAt: now() });
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
    streamId: undefined, // what a stream begins with is not what the answer begins with
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
  const isStored = conversations.add(conversation, entries, change).then(
    () => true,
    () => false,
  );
  for (const one of answers) void answer(context, one, { options, partial, isStored });
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
    thinkingMs: a.thinkingMs ?? null,
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
