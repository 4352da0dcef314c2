import type { ConversationEntry, ConversationWrite, Conversation as ServerConversation } from "@feather/sdk";
import { toName } from "../plain-texts.ts";
import type { Answer, Conversation, Entry, Question } from "../types.ts";
import { readStoredConversation } from "./stored-records.ts";

const MAX_TITLE_LENGTH = 200;
const MAX_FOLDER_LENGTH = 60;
const MAX_FILE_NAME_LENGTH = 255;
/** Models write any character, and the API refuses those of the code 0. */
const withoutNul = (text: string): string => text.replaceAll("\0", "");
const toTime = (milliseconds: number): Date => new Date(milliseconds);

/** Returns what the server stores of a conversation, as a change of the version that it has; 0 for a new one. */
export const toConversationWrite = (conversation: Conversation, version: number): ConversationWrite => ({
  version,
  title: toName(conversation.title, MAX_TITLE_LENGTH),
  is_named: conversation.named,
  models: [...conversation.models],
  settings: { ...conversation.settings },
  selected: { ...conversation.chosen },
  is_pinned: conversation.pinned,
  is_archived: conversation.archived,
  folder: conversation.folder && (toName(conversation.folder, MAX_FOLDER_LENGTH) || null),
  created_at: toTime(conversation.createdAt),
  updated_at: toTime(conversation.updatedAt),
  deleted_at: conversation.deletedAt === null ? null : toTime(conversation.deletedAt),
});

/** Reads a conversation of the server. Settings that this version does not know are left out. */
export function readServerConversation(stored: ServerConversation): Conversation | null {
  return readStoredConversation({
    id: stored.id,
    title: stored.title,
    named: stored.is_named,
    models: stored.models,
    settings: stored.settings,
    chosen: stored.selected,
    pinned: stored.is_pinned,
    archived: stored.is_archived,
    folder: stored.folder,
    createdAt: stored.created_at.getTime(),
    updatedAt: stored.updated_at.getTime(),
    deletedAt: stored.deleted_at === null ? null : stored.deleted_at.getTime(),
  });
}

/** Returns what the server stores of a question or an answer. */
export function toServerEntry(entry: Entry): ConversationEntry {
  const { id, kind, text, createdAt } = entry;
  const shared = { id, kind, text: withoutNul(text), created_at: toTime(createdAt) };
  if (entry.kind === "question") return { ...shared, saved_at: toTime(createdAt), question: toQuestionFields(entry) };
  return { ...shared, saved_at: toTime(entry.savedAt), answer: toAnswerFields(entry) };
}

const toQuestionFields = ({ after, models, attachments, results, passages }: Question) => ({
  after: [...after],
  models: [...models],
  attachments: attachments.map(({ pages, passages: count, ...file }) => ({
    ...file,
    ...(typeof count === "number" && { passages: count }),
    ...(typeof pages === "number" && { pages }),
    name: toName(file.name, MAX_FILE_NAME_LENGTH),
  })),
  results: results.map(({ callId, name, text }) => ({ call_id: callId, name, text })),
  ...(passages && { passages: passages.map((passage) => ({ ...passage, text: withoutNul(passage.text) })) }),
});

function toAnswerFields(answer: Answer): NonNullable<ConversationEntry["answer"]> {
  const { question, lane, model, reasoning, toolCalls, state, finish, error, figures, receipt, requestId } = answer;
  const { streamId = null } = answer;
  return {
    question,
    lane,
    model,
    reasoning: withoutNul(reasoning),
    tool_calls: toolCalls.map((call) => ({ ...call, arguments: withoutNul(call.arguments) })),
    state,
    finish_reason: finish,
    error: error && {
      code: error.code,
      status: error.status,
      message: error.message,
      request_id: error.requestId,
      details: error.details,
    },
    metrics: figures && {
      prompt_tokens: figures.promptTokens,
      tokens: figures.tokens,
      first_token_ms: figures.firstTokenMs,
      thinking_ms: figures.thinkingMs ?? null,
      total_ms: figures.totalMs,
    },
    receipt: receipt && {
      units: receipt.units,
      prompt_tokens: receipt.promptTokens,
      tokens: receipt.tokens,
      is_estimated: receipt.estimated,
      cost_nano_usd: receipt.cost,
    },
    request_id: requestId,
    stream_id: streamId,
  };
}

/** Reads a question or an answer of the server; null for one without the fields of its kind. */
export function readServerEntry(conversation: string, stored: ConversationEntry): Entry | null {
  const { id, text, created_at, saved_at, question, answer } = stored;
  const shared = { id, conversation, text, createdAt: created_at.getTime() };
  if (question) {
    const results = question.results.map(({ call_id, name, text: result }) => ({
      callId: call_id,
      name,
      text: result,
    }));
    return {
      ...shared,
      kind: "question",
      after: question.after,
      models: question.models,
      attachments: question.attachments,
      results,
      ...(question.passages && { passages: question.passages }),
    };
  }
  return answer ? { ...shared, kind: "answer", savedAt: saved_at.getTime(), ...readAnswerFields(answer) } : null;
}

type AnswerFields = Omit<Answer, "kind" | "id" | "conversation" | "text" | "createdAt" | "savedAt">;

function readAnswerFields(answer: NonNullable<ConversationEntry["answer"]>): AnswerFields {
  const { error, metrics, receipt } = answer;
  return {
    question: answer.question,
    lane: answer.lane,
    model: answer.model,
    reasoning: answer.reasoning,
    toolCalls: answer.tool_calls,
    state: answer.state,
    finish: answer.finish_reason,
    error: error && {
      code: error.code,
      status: error.status,
      message: error.message,
      requestId: error.request_id,
      details: error.details ?? {},
    },
    figures: metrics && {
      promptTokens: metrics.prompt_tokens,
      tokens: metrics.tokens,
      firstTokenMs: metrics.first_token_ms,
      thinkingMs: metrics.thinking_ms ?? null,
      totalMs: metrics.total_ms,
    },
    receipt: receipt && {
      units: receipt.units,
      promptTokens: receipt.prompt_tokens,
      tokens: receipt.tokens,
      estimated: receipt.is_estimated,
      cost: receipt.cost_nano_usd,
    },
    requestId: answer.request_id,
    // One whose end the server saved keeps it.
    streamId: answer.state === "streaming" ? (answer.stream_id ?? undefined) : undefined,
  };
}
