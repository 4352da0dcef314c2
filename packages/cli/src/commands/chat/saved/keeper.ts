import { resolve } from "node:path";
import type { Message } from "../../../chat/answer.ts";
import type { Transcript } from "../../../chat/transcript.ts";
import type { LastChat } from "./last-chat.ts";
import type { Resumed } from "./resumed.ts";
import type { Exchange, ServerChat } from "./server-chat.ts";

type Deps = {
  now(): Date;
  /** Keeps a conversation as the last one of this machine. */
  keepHere(last: LastChat): void;
  /** Adds an exchange to a chat on the server. Returns the chat with it; null where it could not be saved. */
  saveToServer(chat: ServerChat, exchange: Exchange): Promise<ServerChat | null>;
};

/**
 * Creates what stores a conversation at the terminal after each answer: in the chat on the server that is gone on with, and otherwise
 * on this machine, with the path of the file that `/save` wrote. A conversation that no longer goes on with that chat, as after
 * `/clear`, and one that the server does not take, is kept on this machine from then on.
 */
export function createKeeper(resumed: Resumed | undefined, { now, keepHere, saveToServer }: Deps) {
  let path = resumed?.last?.path ?? null;
  let transcript = resumed?.last?.transcript;
  let chat = resumed?.chat ?? null;
  let savedMessages = resumed?.transcript.messages ?? [];
  let saving = Promise.resolve();

  function write(): void {
    if (transcript !== undefined) keepHere({ transcript, path, keptAt: now() });
  }

  async function save(changed: Transcript): Promise<void> {
    const added = toExchange(savedMessages, changed, now());
    chat = chat && added && (await saveToServer(chat, added));
    savedMessages = changed.messages;
    transcript = changed;
    if (chat === null) write();
  }

  return {
    /** Stores a conversation that has got an answer. */
    keep(changed: Transcript): void {
      if (chat === null) {
        transcript = changed;
        write();
      } else saving = saving.then(() => save(changed));
    },
    noteSaved(savedPath: string): void {
      path = resolve(savedPath);
      write();
    },
    /** Resolves when all is stored. */
    untilKept: () => saving,
  };
}

/** Returns the question and the answer by which a conversation is longer than before; null where it differs in another way. */
function toExchange(before: readonly Message[], { model, messages }: Transcript, at: Date): Exchange | null {
  const [question, answer, ...more] = messages.slice(before.length);
  const goesOn = before.every((message, index) => messages[index] === message) && more.length === 0;
  if (!goesOn || question?.role !== "user" || answer?.role !== "assistant") return null;
  return { model, prompt: question.content, pictures: question.pictures ?? [], answer: answer.content, at };
}
