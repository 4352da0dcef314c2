import type { BackendKey } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import { formatClock } from "#/lib/format.ts";

const STATES: Record<BackendKey["state"], { tier: string; label: string }> = {
  ready: { tier: "good", label: t`ready` },
  resting: { tier: "loading", label: t`at its limit` },
  refused: { tier: "bad", label: t`refused` },
};

/** The state of a key as a coloured label, with the time until which it rests. */
export function KeyState({ backendKey: { state, resumes_at } }: { backendKey: BackendKey }) {
  const { tier, label } = STATES[state];
  return (
    <span className="small">
      <StateBadge tier={tier}>
        {label} {resumes_at === null ? null : t`until ${formatClock(resumes_at)}`}
      </StateBadge>
    </span>
  );
}
