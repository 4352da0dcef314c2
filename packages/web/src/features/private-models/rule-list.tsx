import { t } from "@lingui/core/macro";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import type { RuleResult } from "./compatibility-rules.ts";
import styles from "./rule-list.module.css";

const STATE_LABELS: Record<RuleResult["state"], { label: string; tier: string }> = {
  unknown: { label: t`not checked`, tier: "cold" },
  checking: { label: t`checking`, tier: "loading" },
  met: { label: t`met`, tier: "good" },
  broken: { label: t`not met`, tier: "bad" },
};

/** The compatibility rules with their results. */
export function RuleList({ results }: { results: readonly RuleResult[] }) {
  return (
    <ol className={styles.rules} aria-label={t`The six rules`}>
      {results.map(({ id, label, state, detail }) => (
        <li key={id}>
          <div className="row between">
            <span>{label}</span>
            <span className="small">
              <StateBadge tier={STATE_LABELS[state].tier}>{STATE_LABELS[state].label}</StateBadge>
            </span>
          </div>
          {detail ? <p className="small faint user-text">{detail}</p> : null}
        </li>
      ))}
    </ol>
  );
}
