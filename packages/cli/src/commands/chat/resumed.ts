import type { Context } from "../../context.ts";
import { formatAgo } from "../../output/time.ts";
import { type LastChat, nameChat } from "./last-chat.ts";

/** Returns the name, length and age of the continued conversation: `Goes on with “Why?”, 4 messages, 2 hours ago.` */
export function describeResumed(last: LastChat, now: Date): string {
  const count = last.transcript.messages.length;
  return `Goes on with ${nameChat(last)}, ${count} ${count === 1 ? "message" : "messages"}, ${formatAgo(last.keptAt, now)}.`;
}

/** Prints on stderr which conversation is continued. */
export function reportResumed({ output, now }: Context, last: LastChat): void {
  output.info(describeResumed(last, now()));
}
