import { t } from "@lingui/core/macro";

const WORDS: Record<string, string> = {
  "tool-use": t`Tools`,
  code: t`Code`,
  reasoning: t`Reasoning`,
  vision: t`Vision`,
  roleplay: t`Roleplay`,
  math: t`Mathematics`,
  multilingual: t`Many languages`,
  chat: t`Chat`,
  instruct: t`Instructions`,
  moe: t`Mixture of experts`,
  base: t`Base models`,
  warm: t`Warm`,
  loading: t`Loading`,
  cold: t`Cold`,
  offline: t`Offline`,
};

const OF_THE_READER: Record<string, string> = { callable: t`I can call it now`, saved: t`Saved` };

/** Returns the label of a filter's option; the given label for families and licences. */
export function choiceLabel(filter: string, value: string, label: string = value): string {
  if (Object.hasOwn(OF_THE_READER, filter)) return OF_THE_READER[filter] ?? label;
  return filter === "tags" || filter === "availability" ? (WORDS[value] ?? label) : label;
}
