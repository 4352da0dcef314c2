import type { SentPassage } from "@feather/sdk";
import { citedNumbers } from "@feather/sdk/collections";
import { t } from "@lingui/core/macro";
import { z } from "zod";
import { IMAGE_TYPES } from "./attachments.ts";
import type { Snapshot } from "./conversations.ts";
import { nameSource } from "./passage-source.ts";
import { DEFAULT_SETTINGS } from "./settings.ts";
import { settingsSchema } from "./settings-schema.ts";
import { visibleTurns } from "./tree.ts";
import { type Conversation, type Entry, MAX_MODELS, modelName, NO_PLACE } from "./types.ts";

const FORMAT = "feather-chat";
/** Maximum size of a chat file, in bytes: parsing larger ones would block the page. */
export const MAX_CHAT_FILE_BYTES = 64 * 1024 * 1024;

const id = z.string().min(1).max(100);
const model = z.string().min(1).max(200);
const text = z.string().max(5_000_000);
const attachment = z
  .object({
    id,
    kind: z.enum(["image", "text"]),
    name: z.string().max(300),
    type: z.string().max(100),
    size: z.number().nonnegative(),
    pages: z.int().nonnegative().nullish(),
    passages: z.int().nonnegative().nullish(),
    data: z.string().max(8_000_000),
  })
  .refine(({ kind, data }) => kind === "text" || isImageDataUrl(data));
const call = z.object({ id: z.string().max(200), name: z.string().max(200), arguments: text });
const passage = z.object({
  collection_id: z.string().max(64),
  collection_name: z.string().max(80),
  document_id: z.string().max(64),
  document_name: z.string().max(255),
  number: z.int().positive(),
  page: z.int().positive().nullable(),
  text: z.string().max(10_000),
});
const question = z.object({
  kind: z.literal("question"),
  id,
  after: z.array(id).max(MAX_MODELS),
  models: z.array(model).min(1).max(MAX_MODELS),
  text,
  attachments: z.array(attachment).max(50),
  results: z.array(z.object({ callId: z.string().max(200), name: z.string().max(200), text })).max(128),
  passages: z.array(passage).max(50).optional(),
  createdAt: z.number(),
});
const answer = z.object({
  kind: z.literal("answer"),
  id,
  question: id,
  lane: z
    .int()
    .min(0)
    .max(MAX_MODELS - 1),
  model,
  text,
  reasoning: text,
  toolCalls: z.array(call).max(128),
  state: z.enum(["done", "stopped", "failed"]).catch("stopped"),
  finish: z.string().max(50).nullable(),
  createdAt: z.number(),
});
const file = z.object({
  format: z.literal(FORMAT),
  version: z.literal(1),
  title: z.string().max(300),
  models: z.array(model).min(1).max(MAX_MODELS),
  settings: settingsSchema.catch(DEFAULT_SETTINGS),
  chosen: z.record(z.string(), z.string()).catch({}),
  entries: z.array(z.union([question, answer])).max(200_000),
});

const isImageDataUrl = (data: string): boolean =>
  IMAGE_TYPES.some((type) => data.startsWith(`data:${type};base64,`)) && /^[\w+/=:;,.-]+$/.test(data);

/** Serializes a conversation with all its branches as JSON for people to read. Receipts, request ids and errors are left out. */
export const toChatFile = ({ conversation, tree }: Snapshot): string =>
  JSON.stringify(toFile(conversation, [...tree.entries.values()]), null, 2);

/** Serializes a conversation as one line of a file with several. */
export const toChatLine = (conversation: Conversation, entries: readonly Entry[]): string =>
  `${JSON.stringify(toFile(conversation, entries))}\n`;

function toFile({ title, models, settings, chosen }: Conversation, all: readonly Entry[]) {
  const entries = all.map((entry) => {
    if (entry.kind === "question") {
      const { conversation: _, ...rest } = entry;
      return rest;
    }
    const {
      conversation: _,
      receipt: __,
      requestId: ___,
      error: ____,
      figures: _____,
      savedAt: ______,
      ...rest
    } = entry;
    return rest;
  });
  return { format: FORMAT, version: 1, title, models, settings, chosen, entries };
}

/**
 * Parses a chat file as a new conversation. All ids are replaced, so that it never overwrites an existing one. Null if
 * the file is invalid.
 */
export function fromChatFile(
  json: string,
  { newId, now }: { newId(): string; now: number },
): { conversation: Conversation; entries: Entry[] } | null {
  const parsed = file.safeParse(parseJson(json));
  if (!parsed.success) return null;
  const { title, models, settings, chosen, entries } = parsed.data;
  const ids = new Map(entries.map((entry) => [entry.id, newId()]));
  const newIdOf = (old: string): string => ids.get(old) ?? old;
  const conversationId = newId();
  // Selection keys contain entry ids; ids of a question with several parents are sorted in its key.
  const choices = Object.entries(chosen).map(([key, value]) => [withNewIdsInKey(key, newIdOf), newIdOf(value)]);
  return {
    conversation: {
      id: conversationId,
      title: title || t`Opened chat`,
      named: true,
      models,
      settings,
      chosen: Object.fromEntries(choices),
      createdAt: now,
      updatedAt: now,
      deletedAt: null,
      ...NO_PLACE,
    },
    entries: entries.map((entry) => ({ ...withNewIds(entry, newIdOf), conversation: conversationId })),
  };
}

/** The conversations of a file with one or several, and how many of its lines are none. */
export type OpenedFile = { chats: NonNullable<ReturnType<typeof fromChatFile>>[]; invalid: number };

/** Parses a chat file, or a file with a chat in each line. */
export function fromChatFiles(text: string, options: { newId(): string; now: number }): OpenedFile {
  const whole = fromChatFile(text, options);
  if (whole) return { chats: [whole], invalid: 0 };
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const chats = lines.flatMap((line) => fromChatFile(line, options) ?? []);
  return { chats, invalid: lines.length - chats.length };
}

type FileEntry = z.infer<typeof question> | z.infer<typeof answer>;

function withNewIds(entry: FileEntry, newIdOf: (old: string) => string): Entry {
  if (entry.kind === "question")
    return { ...entry, id: newIdOf(entry.id), after: entry.after.map(newIdOf), conversation: "" };
  return {
    ...entry,
    id: newIdOf(entry.id),
    question: newIdOf(entry.question),
    conversation: "",
    error: null,
    figures: null,
    receipt: null,
    requestId: null,
    savedAt: entry.createdAt,
  };
}

function withNewIdsInKey(key: string, newIdOf: (old: string) => string): string {
  const [kind = "", ...rest] = key.split(" ");
  if (kind === "a") return [kind, newIdOf(rest[0] ?? ""), ...rest.slice(1)].join(" ");
  return [kind, ...rest.map(newIdOf).sort()].join(" ");
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

/** Returns the visible branch as Markdown. */
export function toMarkdown({ conversation, tree }: Snapshot): string {
  const lines = [`# ${conversation.title}`];
  const system = conversation.settings.system.trim();
  if (system !== "") lines.push(`> ${system.replaceAll("\n", "\n> ")}`);
  for (const { question, lanes, passages } of visibleTurns(tree, conversation.chosen)) {
    lines.push(
      `## ${t`You`}`,
      ...question.results.map(({ name, text: resultText }) => t`Result of \`${name}\`: ${resultText}`),
      question.text,
    );
    for (const { name, kind } of question.attachments) {
      const safeName = withoutMarkup(name);
      lines.push(kind === "image" ? t`*With the image ${safeName}.*` : t`*With the text ${safeName}.*`);
    }
    for (const { answer: shownAnswer } of lanes) {
      if (!shownAnswer) continue;
      lines.push(`## ${modelName(shownAnswer.model)}`, shownAnswer.text);
      for (const { name, arguments: args } of shownAnswer.toolCalls) lines.push(t`Calls \`${name}\` with \`${args}\`.`);
      if (shownAnswer.state !== "done") lines.push(t`*The answer was not complete.*`);
      lines.push(...sourceLines(shownAnswer.text, passages));
    }
  }
  return `${lines.filter((line) => line !== "").join("\n\n")}\n`;
}

/** Returns what the numbers of an answer stand for, as a list that Markdown does not number anew. */
function sourceLines(answer: string, passages: readonly SentPassage[]): string[] {
  const sources = citedNumbers(answer, passages.length).flatMap((number) => {
    const one = passages[number - 1];
    if (!one) return [];
    return `- \\[${number}\\] ${withoutMarkup(nameSource(one))}: ${withoutMarkup(one.text.replace(/\s+/g, " "))}`;
  });
  return sources.length === 0 ? [] : [t`Sources:`, sources.join("\n")];
}

const withoutMarkup = (text: string): string => text.replace(/[*_`[\]<>]/g, " ");

/** Derives a file name from a title. */
export function toFileName(title: string, extension: string): string {
  const name = title
    .normalize("NFKD")
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 60)
    .toLowerCase();
  return `${name || t`chat`}.${extension}`;
}
