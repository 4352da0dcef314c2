import type { Feather } from "@feather/sdk";
import type { Transcript } from "../../../chat/transcript.ts";
import type { Context } from "../../../context.ts";
import { UsageError } from "../../../errors.ts";
import { toExitReport } from "../../../exit/exit-report.ts";
import { formatAgo } from "../../../output/time.ts";
import { findLastChat, type LastChat, nameChat, readLastChat } from "./last-chat.ts";
import { addExchange, type Exchange, findServerChat, type ServerChat } from "./server-chat.ts";

/** The conversation that is gone on with, and where it is kept: in a file of this machine, or as a chat on the server. */
export type Resumed = {
  readonly transcript: Transcript;
  readonly last: LastChat | null;
  readonly chat: ServerChat | null;
  /** Which one it is, for the person. */
  readonly note: string;
};

/**
 * Finds the conversation that changed last: that of this machine, or where the organization keeps chats on the server, one of
 * those. Throws `UsageError` when there is none.
 */
export async function findResumed({ io, now, signal }: Context, client: Feather): Promise<Resumed> {
  const local = findLastChat(io.env.configDir);
  const { chat, isRefused } = await findServerChat(client, local?.keptAt ?? null, signal);
  if (chat !== null) return { transcript: chat.transcript, last: null, chat, note: describeServerChat(chat, now()) };
  if (local === undefined && isRefused)
    throw new UsageError(
      "there is no conversation to go on with on this machine, and those on the server need the scope chats.write",
      "feather login and allow it there, or a key with that scope",
    );
  const last = readLastChat(io.env.configDir);
  const hint = isRefused ? " Chats on the server need the scope chats.write: tick it at feather login." : "";
  return { transcript: last.transcript, last, chat: null, note: `${describeLast(last, now())}${hint}` };
}

/** Returns the name, length and age of a conversation of this machine: `Goes on with “Why?”, 4 messages, 2 hours ago.` */
const describeLast = (last: LastChat, now: Date): string =>
  `Goes on with ${nameChat(last)}, ${countMessages(last.transcript)}, ${formatAgo(last.keptAt, now)}.`;

const describeServerChat = ({ title, transcript, updatedAt }: ServerChat, now: Date): string =>
  `Goes on with “${title}” of your chats on the server, ${countMessages(transcript)}, ${formatAgo(updatedAt, now)}.`;

const countMessages = ({ messages: { length } }: Transcript): string =>
  `${length} ${length === 1 ? "message" : "messages"}`;

/** Adds an exchange to the chat on the server. Returns the chat with it; null, after it has said so, where it could not be saved. */
export async function saveToServer(
  { output, signal }: Pick<Context, "output" | "signal">,
  client: Feather,
  chat: ServerChat,
  exchange: Exchange,
): Promise<ServerChat | null> {
  try {
    return await addExchange(client, chat, exchange, signal);
  } catch (error) {
    const { message } = toExitReport(error);
    output.info(`The answer could not be saved in “${chat.title}”: ${message ?? "it was interrupted"}`);
    return null;
  }
}
