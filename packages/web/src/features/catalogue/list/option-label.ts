import { t } from "@lingui/core/macro";

const OPTION_LABELS: Record<string, string> = {
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

const FIT_LABELS: Record<string, string> = {
  fits: t`Fits`,
  fits_quantized: t`Fits in fewer bits`,
  too_large: t`Too large`,
  unknown: t`Unknown`,
};
const HOSTED_LABELS: Record<string, string> = { here: t`Runs here`, elsewhere: t`Elsewhere` };
const PERSONAL_LABELS: Record<string, string> = { callable: t`I can call it now`, saved: t`Saved` };

/** Returns the label of a range of sizes in billions of parameters, such as `4-15`. */
function getSizeLabel(range: string): string {
  const [low = "", high = ""] = range.split("-");
  if (low === "") return t`up to ${high}B`;
  return high !== "" ? t`${low} to ${high}B` : t`over ${low}B`;
}

/** Returns the label of a filter's option; the given label for families and licences. */
export function getOptionLabel(filter: string, value: string, label: string = value): string {
  if (Object.hasOwn(PERSONAL_LABELS, filter)) return PERSONAL_LABELS[filter] ?? label;
  if (filter === "fit") return FIT_LABELS[value] ?? label;
  if (filter === "size") return getSizeLabel(value);
  if (filter === "hosted") return HOSTED_LABELS[value] ?? label;
  return filter === "tags" || filter === "availability" ? (OPTION_LABELS[value] ?? label) : label;
}
