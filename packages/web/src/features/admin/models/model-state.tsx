import { t } from "@lingui/core/macro";
import { State } from "#/components/ui/bits.tsx";
import type { AdminModel } from "./queries.ts";

const WORDS: Record<AdminModel["status"], { tier: string; words: string }> = {
  active: { tier: "good", words: t`runs` },
  pending_deploy: { tier: "loading", words: t`requested` },
  not_deployed: { tier: "cold", words: t`does not run` },
};

/** Whether a model is deployed, or switched off. */
export function ModelState({ model }: { model: Pick<AdminModel, "status" | "disabled"> }) {
  const { tier, words } = WORDS[model.status];
  return (
    <span className="small">
      {model.disabled ? <State tier="offline">{t`switched off`}</State> : <State tier={tier}>{words}</State>}
    </span>
  );
}
