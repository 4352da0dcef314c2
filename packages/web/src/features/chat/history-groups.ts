import { t } from "@lingui/core/macro";
import { dateFormat } from "#/lib/format.ts";
import type { Conversation } from "./types.ts";

/** Conversations under one heading of the history. */
export type Group = { name: string; conversations: Conversation[] };
const DAY = 86_400_000;
const month = dateFormat({ month: "long", year: "numeric" });

/** Groups conversations by the day of their latest message, newest first. */
export function groupByDay(conversations: readonly Conversation[], now: Date): Group[] {
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime();
  const groups: Group[] = [];
  for (const conversation of [...conversations].sort((a, b) => b.updatedAt - a.updatedAt)) {
    const name = nameOf(conversation.updatedAt, midnight);
    const last = groups.at(-1);
    if (last?.name === name) last.conversations.push(conversation);
    else groups.push({ name, conversations: [conversation] });
  }
  return groups;
}

function nameOf(at: number, midnight: number): string {
  if (at >= midnight) return t`Today`;
  if (at >= midnight - DAY) return t`Yesterday`;
  if (at >= midnight - 7 * DAY) return t`Last week`;
  return month.format(at);
}
