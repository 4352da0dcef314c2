import { plural, t } from "@lingui/core/macro";
import { Plural, Trans } from "@lingui/react/macro";
import { Barbs } from "#/components/ui/bits.tsx";
import { usd } from "#/features/billing/money.ts";
import { count } from "#/lib/format.ts";
import { figuresOf } from "./figures.ts";
import type { Answer } from "./types.ts";

/** Shows tokens, speed, units and cost of an answer, as reported by the backend and the receipt. */
export function AnswerFigures({ answer }: { answer: Answer }) {
  const { tokens, estimated, perSecond, aboutSpeed, firstMs } = figuresOf(answer);
  const { receipt } = answer;
  return (
    <>
      {tokens === null ? null : (
        <span title={estimated ? t`The backend counts no tokens: this is an estimate.` : undefined}>
          {estimated ? "~" : ""}
          <Plural value={tokens} one="# token" other="# tokens" />
        </span>
      )}
      {perSecond === null ? null : (
        <span>
          {aboutSpeed ? "~" : ""}
          <Trans>{count(perSecond)} tokens/s</Trans>
        </span>
      )}
      {firstMs === null ? null : (
        <span>
          <Trans>{count(Math.round(firstMs))} ms to first</Trans>
        </span>
      )}
      {receipt ? (
        <span className="row units">
          <Barbs on={receipt.units} label={plural(receipt.units, { one: "Took # unit", other: "Took # units" })} />
          <Plural value={receipt.units} one="# unit" other="# units" />
        </span>
      ) : null}
      {receipt?.cost ? <span>{usd(receipt.cost)}</span> : null}
    </>
  );
}
