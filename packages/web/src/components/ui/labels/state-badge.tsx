import { t } from "@lingui/core/macro";
import type { ReactNode } from "react";

const TIER_LABELS: Readonly<Record<string, string>> = {
  warm: t`warm`,
  loading: t`loading`,
  cold: t`cold`,
  offline: t`offline`,
};

/** Returns the label of an availability tier; an unknown tier is returned unchanged. */
export const tierLabel = (tier: string): string => TIER_LABELS[tier] ?? tier;

/** A state as a coloured dot with a label. */
export function StateBadge({ tier, children }: { tier: string; children?: ReactNode }) {
  return <span className={`state ${tier}`}>{children ?? tierLabel(tier)}</span>;
}
