import type { Compatibility } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useState } from "react";
import { runForEach } from "#/components/list/bulk/run-for-each.ts";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import { feather } from "#/lib/feather.ts";
import { formatParameterCount } from "#/lib/format.ts";
import { useAction } from "#/lib/use-action.ts";
import styles from "../admin.module.css";

type CheckResult = { id: string; compatibility: Compatibility | null; error: string | null };

/** Checks on the hub whether models can be served, before they are imported. */
export function CompatibilityCheck({ ids }: { ids: readonly string[] }) {
  const [results, setResults] = useState<readonly CheckResult[] | null>(null);
  const check = useAction(
    async (checked: readonly string[]) => {
      const compatibilities = new Map<string, Compatibility>();
      const outcomes = await runForEach(checked, async (id) =>
        compatibilities.set(id, await feather.privateModels.compatibility(id)),
      );
      return outcomes.map(({ id, error }) => ({ id, compatibility: compatibilities.get(id) ?? null, error }));
    },
    { onSuccess: setResults },
  );
  return (
    <div>
      <button
        type="button"
        className="btn"
        disabled={check.busy || ids.length === 0}
        aria-busy={check.busy}
        onClick={() => void check.run(ids)}
      >
        {check.busy ? t`Asking the hub …` : t`Check compatibility`}
      </button>
      <div role="status">
        {results?.map((item) => (
          <CompatibilityResult key={item.id} {...item} />
        ))}
      </div>
    </div>
  );
}

function CompatibilityResult({ id, compatibility, error }: CheckResult) {
  const failedChecks = compatibility?.checks.filter(({ ok }) => !ok) ?? [];
  return (
    <section className="mt-4" aria-label={t`Compatibility of ${id}`}>
      <div className="row between wrapping">
        <span className="mono user-text">{id}</span>
        <StateBadge tier={compatibility?.compatible ? "good" : "bad"}>
          {compatibility
            ? compatibility.compatible
              ? t`can be served`
              : t`${failedChecks.length} of ${compatibility.checks.length} rules fail`
            : t`unknown`}
        </StateBadge>
      </div>
      {error ? <p className="small muted mt-1 user-text">{error}</p> : null}
      {compatibility ? (
        <details className="small mt-1" open={!compatibility.compatible}>
          <summary className="muted">
            {compatibility.model_class ?? t`no class`} · {formatParameterCount(compatibility.detected.parameter_size)} ·{" "}
            {compatibility.detected.architecture ?? t`unknown architecture`}
          </summary>
          <dl className={styles.pairs}>
            {compatibility.checks.map(({ id: rule, label, ok, detail }) => (
              <div key={rule}>
                <dt>
                  <StateBadge tier={ok ? "good" : "bad"}>{ok ? t`holds` : t`fails`}</StateBadge>{" "}
                  <span className="muted">{label}</span>
                </dt>
                <dd className="muted user-text">{detail}</dd>
              </div>
            ))}
          </dl>
        </details>
      ) : null}
    </section>
  );
}
