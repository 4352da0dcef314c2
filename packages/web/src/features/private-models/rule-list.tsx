import { t } from "@lingui/core/macro";
import { State } from "#/components/ui/bits.tsx";
import type { RuleLine } from "./add-rules.ts";

const WORDS: Record<RuleLine["is"], { word: string; tier: string }> = {
  unknown: { word: t`not checked`, tier: "cold" },
  checking: { word: t`checking`, tier: "loading" },
  met: { word: t`met`, tier: "good" },
  broken: { word: t`not met`, tier: "bad" },
};

/** The compatibility rules with their results. */
export function RuleList({ lines }: { lines: readonly RuleLine[] }) {
  return (
    <ol className="rules" aria-label={t`The six rules`}>
      {lines.map(({ id, label, is, detail }) => (
        <li key={id}>
          <div className="row between">
            <span>{label}</span>
            <span className="small">
              <State tier={WORDS[is].tier}>{WORDS[is].word}</State>
            </span>
          </div>
          {detail ? <p className="small dim stranger">{detail}</p> : null}
        </li>
      ))}
    </ol>
  );
}
