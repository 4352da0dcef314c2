import type { Backend } from "@feather/sdk";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import { backendStateLabel } from "./backend-labels.ts";

/** The state of a backend as a coloured label. */
export function BackendState({ backend }: { backend: Pick<Backend, "state"> }) {
  const { tier, label } = backendStateLabel(backend);
  return (
    <span className="small">
      <StateBadge tier={tier}>{label}</StateBadge>
    </span>
  );
}
