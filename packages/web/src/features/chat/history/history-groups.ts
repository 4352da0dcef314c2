import { t } from "@lingui/core/macro";
import { createDateFormat } from "#/lib/format.ts";
import { DAY_MS } from "#/lib/time.ts";
import type { Conversation } from "../conversation/types.ts";

/** Conversations under one heading of the history. Those of a folder can be folded away. */
export type HistoryGroup = { kind: "pinned" | "folder" | "day"; name: string; conversations: Conversation[] };
const monthFormat = createDateFormat({ month: "long", year: "numeric" });
const byName = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

/** Returns the names of the folders of conversations, in alphabetical order; numbers are compared by their value. */
export function listFolders(conversations: readonly Conversation[]): string[] {
  const names = new Set(conversations.flatMap(({ folder }) => folder ?? []));
  return [...names].sort(byName.compare);
}

/** Groups conversations: the pinned ones, those of each folder, and the others by the day of their latest message, newest first. */
export function groupByPlace(conversations: readonly Conversation[], now: Date): HistoryGroup[] {
  const sorted = [...conversations].sort((a, b) => b.updatedAt - a.updatedAt);
  const pinned = sorted.filter((one) => one.pinned);
  const others = sorted.filter((one) => !one.pinned);
  const folders = listFolders(others).map((name) => ({
    kind: "folder" as const,
    name,
    conversations: others.filter(({ folder }) => folder === name),
  }));
  return [
    ...(pinned.length > 0 ? [{ kind: "pinned" as const, name: t`Pinned`, conversations: pinned }] : []),
    ...folders,
    ...groupByDay(
      others.filter(({ folder }) => folder === null),
      now,
    ),
  ];
}

/** Groups conversations by the day of their latest message, newest first. */
export function groupByDay(conversations: readonly Conversation[], now: Date): HistoryGroup[] {
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime();
  const groups: HistoryGroup[] = [];
  for (const conversation of [...conversations].sort((a, b) => b.updatedAt - a.updatedAt)) {
    const name = groupName(conversation.updatedAt, midnight);
    const last = groups.at(-1);
    if (last?.name === name) last.conversations.push(conversation);
    else groups.push({ kind: "day", name, conversations: [conversation] });
  }
  return groups;
}

/**
 * Shortens the groups, since a long list is slow: each folder to `limit` conversations, and the other groups to `limit` in all.
 * `left` counts those that were left out.
 */
export function limitGroups(groups: readonly HistoryGroup[], limit: number): { shown: HistoryGroup[]; left: number } {
  let room = limit;
  let left = 0;
  const shown = groups.map((group) => {
    const taken = group.conversations.slice(0, group.kind === "folder" ? limit : room);
    if (group.kind !== "folder") room -= taken.length;
    left += group.conversations.length - taken.length;
    return { ...group, conversations: taken };
  });
  return { shown: shown.filter(({ conversations }) => conversations.length > 0), left };
}

function groupName(at: number, midnight: number): string {
  if (at >= midnight) return t`Today`;
  if (at >= midnight - DAY_MS) return t`Yesterday`;
  if (at >= midnight - 7 * DAY_MS) return t`Last week`;
  return monthFormat.format(at);
}
