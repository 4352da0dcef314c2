import { t } from "@lingui/core/macro";
import { createDateFormat } from "#/lib/format.ts";
import { DAY_MS } from "#/lib/time.ts";
import type { Conversation } from "../conversation/types.ts";

/** Conversations under one heading of the history. */
export type HistoryGroup = { name: string; conversations: Conversation[] };
const monthFormat = createDateFormat({ month: "long", year: "numeric" });

/** Groups conversations by the day of their latest message, newest first. */
export function groupByDay(conversations: readonly Conversation[], now: Date): HistoryGroup[] {
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime();
  const groups: HistoryGroup[] = [];
  for (const conversation of [...conversations].sort((a, b) => b.updatedAt - a.updatedAt)) {
    const name = groupName(conversation.updatedAt, midnight);
    const last = groups.at(-1);
    if (last?.name === name) last.conversations.push(conversation);
    else groups.push({ name, conversations: [conversation] });
  }
  return groups;
}

function groupName(at: number, midnight: number): string {
  if (at >= midnight) return t`Today`;
  if (at >= midnight - DAY_MS) return t`Yesterday`;
  if (at >= midnight - 7 * DAY_MS) return t`Last week`;
  return monthFormat.format(at);
}
