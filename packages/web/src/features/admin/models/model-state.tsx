import type { AdminModel } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";

const STATUS_LABELS: Record<AdminModel["status"], { tier: string; label: string }> = {
  active: { tier: "good", label: t`runs` },
  pending_deploy: { tier: "loading", label: t`requested` },
  not_deployed: { tier: "cold", label: t`does not run` },
};

/** Whether a model is deployed, or switched off. */
export function ModelState({ model }: { model: Pick<AdminModel, "status" | "disabled"> }) {
  const { tier, label } = STATUS_LABELS[model.status];
  return (
    <span className="small">
      {model.disabled ? (
        <StateBadge tier="offline">{t`switched off`}</StateBadge>
      ) : (
        <StateBadge tier={tier}>{label}</StateBadge>
      )}
    </span>
  );
}
