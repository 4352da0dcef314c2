import { t } from "@lingui/core/macro";
import type { Conversations } from "./conversations.ts";
import type { LiveAnswers } from "./live-answers.ts";
import { isTooLarge, newestTurns, toRequest } from "./request.ts";
import { type CreateAnswer, type Ended, runAnswer } from "./run-answer.ts";
import { choosing, endOf, type Turn, titleFrom, visibleTurns } from "./tree.ts";
import type { Answer, Attachment, Conversation, Fault, Figures, Question, Receipt, ToolResult } from "./types.ts";

/** What the user sends: text, attachments, and results of tool calls. */
export type Said = { text: string; attachments: readonly Attachment[]; results?: readonly ToolResult[] };
/**
 * Options of one request: how long to queue for units (seconds), how many tokens the prompt may have, and another
 * model.
 */
export type Manner = { waitForUnits?: number; mostTokens?: number; model?: string };

type Deps = {
  conversations: Conversations;
  live: LiveAnswers;
  create: CreateAnswer;
  /** Returns the platform's receipt of a request, or null if there is none. */
  receiptOf(requestId: string): Promise<Receipt | null>;
  now(): number;
  newId(): string;
  /** The id of this tab; null if the browser cannot list open tabs. */
  tab: string | null;
};

const SAVE_EVERY = 1_000;
/** How long a request waits for a cold model to load. */
const WAIT_FOR_MODEL = 1_200;
/** How long a request queues for units: a stopped answer releases its units with a short delay. */
const WAIT_FOR_UNITS = 5;

/** Sends questions to models and stores their answers. */
export function createAnswering({ conversations, live, create, receiptOf, now, newId, tab }: Deps) {
  const running = new Map<string, { conversation: string; abort: AbortController }>();

  function turnsUpTo(conversation: string, question: string): Turn[] {
    const snapshot = conversations.get(conversation);
    if (!snapshot) return [];
    const turns = visibleTurns(snapshot.tree, snapshot.conversation.chosen);
    return turns.slice(0, turns.findIndex((turn) => turn.question.id === question) + 1);
  }

  async function answer(begun: Answer, manner: Manner, partial?: Answer): Promise<void> {
    const { id, conversation, model, lane } = begun;
    const settings = conversations.get(conversation)?.conversation.settings;
    if (!settings) return;
    const all = turnsUpTo(conversation, begun.question);
    const turns = manner.mostTokens === undefined ? all : newestTurns(all, model, lane, manner.mostTokens);
    const body = toRequest({ turns, settings, model, lane, ...(partial && { partial }) });
    if (isTooLarge(body)) return refuse(begun, tooLarge());
    const abort = new AbortController();
    running.set(id, { conversation, abort });
    const beganAt = now();
    live.set(id, { ...partsOf(begun), beganAt, firstAt: null, lastAt: beganAt });
    const saving = setInterval(() => {
      const parts = live.get(id);
      if (parts) conversations.keep({ ...begun, ...onlyParts(parts), savedAt: now() }).catch(() => {});
    }, SAVE_EVERY);
    const ended = await runAnswer({
      create,
      body,
      signal: abort.signal,
      headers: {
        "x-wait-for-model": String(WAIT_FOR_MODEL),
        "x-queue-timeout": String(manner.waitForUnits ?? WAIT_FOR_UNITS),
      },
      now,
      ...(partial && { before: partial.text }),
      grow(parts) {
        const lastAt = now();
        live.set(id, { ...parts, beganAt, firstAt: live.get(id)?.firstAt ?? lastAt, lastAt });
      },
    });
    clearInterval(saving);
    running.delete(id);
    live.end(id);
    await finish(begun, ended, partial);
  }

  async function finish(
    begun: Answer,
    { parts, state, fault, figures, requestId }: Ended,
    partial?: Answer,
  ): Promise<void> {
    const reasoning = partial ? [partial.reasoning, parts.reasoning].filter(Boolean).join("\n\n") : parts.reasoning;
    const ended: Answer = {
      ...begun,
      ...parts,
      reasoning,
      state,
      fault,
      requestId,
      tab: undefined,
      figures: partial?.figures ? together(partial.figures, figures) : figures,
      savedAt: now(),
    };
    const saved = conversations.add(begun.conversation, [ended], (kept) => ({ ...kept, updatedAt: now() }));
    // A refused request never ran and has no receipt.
    const ran = requestId !== null && (fault === null || figures.firstMs !== null);
    const receipt = ran ? await receiptOf(requestId).catch(() => null) : null;
    await saved.catch(() => {});
    if (receipt)
      await conversations.add(begun.conversation, [
        { ...ended, receipt: sum(partial?.receipt ?? null, receipt), savedAt: now() },
      ]);
  }

  async function refuse(begun: Answer, fault: Fault): Promise<void> {
    await conversations.add(begun.conversation, [{ ...begun, state: "failed", fault, savedAt: now() }]);
  }

  const waiting = (question: Question, lane: number, model: string): Answer => ({
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
    fault: null,
    figures: null,
    receipt: null,
    requestId: null,
    ...(tab !== null && { tab }),
    createdAt: now(),
    savedAt: now(),
  });

  function put(conversation: string, question: Question): void {
    const answers = question.models.map((model, lane) => waiting(question, lane, model));
    const chosen = Object.assign({}, ...[question, ...answers].map(choosing));
    begin(conversation, [question, ...answers], answers, (kept) => ({
      ...kept,
      title:
        kept.named || kept.title !== "" ? kept.title : titleFrom(question.text || question.attachments[0]?.name || ""),
      chosen: { ...kept.chosen, ...chosen },
      updatedAt: now(),
    }));
  }

  function begin(
    conversation: string,
    entries: readonly (Question | Answer)[],
    answers: readonly Answer[],
    change: (kept: Conversation) => Conversation,
    manner: Manner = {},
    partial?: Answer,
  ): void {
    // Set before the tree changes, so that subscribers of the tree already find the live answer.
    for (const { id } of answers) live.set(id, { ...partsOf(partial), beganAt: now(), firstAt: null, lastAt: now() });
    conversations.add(conversation, entries, change).catch(() => {});
    for (const one of answers) void answer(one, manner, partial);
  }

  return {
    /** Sends a question to the conversation's models, after the branch that is shown. */
    ask(conversation: string, said: Said): void {
      const snapshot = conversations.get(conversation);
      if (!snapshot) return;
      const { models, chosen } = snapshot.conversation;
      const after = endOf(visibleTurns(snapshot.tree, chosen));
      put(conversation, {
        kind: "question",
        id: newId(),
        conversation,
        after,
        models,
        results: [],
        ...said,
        createdAt: now(),
      });
    },
    /** Sends an edited question as a new branch; the original stays. */
    edit(question: Question, said: Said): void {
      const models = conversations.get(question.conversation)?.conversation.models ?? question.models;
      put(question.conversation, { ...question, ...said, models, id: newId(), createdAt: now() });
    },
    /** Requests a new version of an answer. The previous version stays unless it failed without any content. */
    again(before: Answer, manner: Manner = {}): void {
      const question = conversations.get(before.conversation)?.tree.entries.get(before.question);
      if (question?.kind !== "question") return;
      const model = manner.model ?? before.model;
      const worthless = before.state === "failed" && before.text === "" && before.toolCalls.length === 0;
      const begun = waiting(question, before.lane, model);
      const fresh = worthless ? { ...begun, id: before.id, createdAt: before.createdAt } : begun;
      const chosen = choosing(fresh);
      begin(
        before.conversation,
        [fresh],
        [fresh],
        (kept) => ({ ...kept, chosen: { ...kept.chosen, ...chosen } }),
        manner,
      );
    },
    /** Continues an answer that was cut off. */
    goOn(before: Answer): void {
      const fresh: Answer = {
        ...before,
        state: "streaming",
        fault: null,
        finish: null,
        tab: tab ?? undefined,
        savedAt: now(),
      };
      begin(before.conversation, [fresh], [fresh], (kept) => kept, {}, before);
    },
    /** Aborts all running answers of a conversation. */
    stop(conversation: string): void {
      for (const one of running.values()) if (one.conversation === conversation) one.abort.abort();
    },
    stopAll(): void {
      for (const { abort } of running.values()) abort.abort();
    },
  };
}

/** The object returned by `createAnswering`. */
export type Answering = ReturnType<typeof createAnswering>;

const partsOf = (answer?: Answer) => ({
  text: answer?.text ?? "",
  reasoning: answer?.reasoning ?? "",
  toolCalls: answer?.toolCalls ?? [],
  finish: null,
});

const onlyParts = ({ text, reasoning, toolCalls }: Pick<Answer, "text" | "reasoning" | "toolCalls">) => ({
  text,
  reasoning,
  toolCalls,
});

function tooLarge(): Fault {
  const message = t`The conversation with its files is larger than the 15 MB a request may have.`;
  return { code: "payload_too_large", status: 413, message, requestId: null, details: {} };
}

const plus = (a: number | null, b: number | null): number | null => (a === null || b === null ? null : a + b);

function together(a: Figures, b: Figures): Figures {
  return {
    promptTokens: b.promptTokens,
    tokens: plus(a.tokens, b.tokens),
    firstMs: a.firstMs,
    totalMs: a.totalMs + b.totalMs,
  };
}

/** Adds the receipts of an answer that was produced by two requests. */
function sum(before: Receipt | null, { cost, tokens, promptTokens, ...rest }: Receipt): Receipt {
  if (!before) return { ...rest, cost, tokens, promptTokens };
  return {
    ...rest,
    estimated: rest.estimated || before.estimated,
    tokens: before.tokens + tokens,
    promptTokens: before.promptTokens + promptTokens,
    cost: cost === null || before.cost === null ? null : String(BigInt(before.cost) + BigInt(cost)),
  };
}
