import type { Backend } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import { formatClock } from "#/lib/format.ts";
import { backendStateLabel } from "./backend-labels.ts";

/** The state of a backend as a coloured label, with the time until which it cools down. */
export function BackendState({ backend }: { backend: Pick<Backend, "state" | "resumes_at"> }) {
  const { tier, label } = backendStateLabel(backend);
  const { resumes_at } = backend;
  return (
    <span className="small">
      <StateBadge tier={tier}>
        {label} {resumes_at === null ? null : t`until ${formatClock(resumes_at)}`}
      </StateBadge>
    </span>
  );
}
