import { plural, t } from "@lingui/core/macro";
import { Plural, Trans } from "@lingui/react/macro";
import { Barbs } from "#/components/ui/labels/barbs.tsx";
import { formatNanoUsd } from "#/entities/money/money.ts";
import { formatCount } from "#/lib/format.ts";
import type { Answer } from "../conversation/types.ts";
import { toAnswerStats } from "./answer-stats.ts";

/** Shows tokens, speed, units and cost of an answer, as reported by the backend and the receipt. */
export function AnswerStatsView({ answer }: { answer: Answer }) {
  const { tokens, estimated, tokensPerSecond, isSpeedEstimated, firstTokenMs } = toAnswerStats(answer);
  const { receipt } = answer;
  return (
    <>
      {tokens === null ? null : (
        <span title={estimated ? t`The backend counts no tokens: this is an estimate.` : undefined}>
          {estimated ? "~" : ""}
          <Plural value={tokens} one="# token" other="# tokens" />
        </span>
      )}
      {tokensPerSecond === null ? null : (
        <span>
          {isSpeedEstimated ? "~" : ""}
          <Trans>{formatCount(tokensPerSecond)} tokens/s</Trans>
        </span>
      )}
      {firstTokenMs === null ? null : (
        <span>
          <Trans>{formatCount(Math.round(firstTokenMs))} ms to first</Trans>
        </span>
      )}
      {receipt ? (
        <span className="row units">
          <Barbs active={receipt.units} label={plural(receipt.units, { one: "Took # unit", other: "Took # units" })} />
          <Plural value={receipt.units} one="# unit" other="# units" />
        </span>
      ) : null}
      {receipt?.cost ? <span>{formatNanoUsd(receipt.cost)}</span> : null}
    </>
  );
}
