import type { ProviderKeyTest } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import { formatCount } from "#/lib/format.ts";

/** Whether the provider answered with the key, and otherwise what is wrong and what helps. */
export function KeyTestResult({ result: { ok, error, advice, call } }: { result: ProviderKeyTest }) {
  return (
    <div role="status">
      <StateBadge tier={ok ? "good" : "bad"}>
        {ok ? t`The provider answers with this key` : t`The provider does not answer with this key`}
      </StateBadge>
      {ok && call ? (
        <p className="small muted mt-1 user-text">
          {t`${call.model} answered in ${formatCount(call.duration_ms)} ms.`}
        </p>
      ) : null}
      {error === null ? null : <p className="small mt-1 user-text">{error}</p>}
      {advice === null ? null : <p className="small muted mt-1 user-text">{advice}</p>}
    </div>
  );
}
