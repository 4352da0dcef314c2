import { plural, t } from "@lingui/core/macro";
import { useState } from "react";
import { Barbs, ModelId, State } from "#/components/ui/bits.tsx";
import { count, dateFormat } from "#/lib/format.ts";
import { tokensPerSecond } from "#/lib/speed.ts";
import { OUTCOMES, resultOf } from "./outcomes.ts";
import type { Receipt } from "./queries.ts";
import { ReceiptDialog } from "./receipt-dialog.tsx";

const time = dateFormat({ dateStyle: "short", timeStyle: "medium" });

/** Requests in rows; each opens its receipt. */
export function ReceiptsTable({
  receipts,
  keyNames,
}: {
  receipts: readonly Receipt[];
  keyNames: ReadonlyMap<string, string>;
}) {
  const [open, setOpen] = useState<Receipt | null>(null);
  const keyName = ({ api_key_id }: Receipt) =>
    api_key_id ? (keyNames.get(api_key_id) ?? t`a deleted key`) : t`this site`;
  return (
    <>
      <table className="mt-2" aria-label={t`Requests`}>
        <thead>
          <tr>
            <th className="w">{t`Time`}</th>
            <th>{t`Model`}</th>
            <th className="w">{t`Key`}</th>
            <th className="n">{t`In`}</th>
            <th className="n">{t`Out`}</th>
            <th className="n w">{t`First token`}</th>
            <th className="n w">{t`Tokens/s`}</th>
            <th className="w">{t`Units`}</th>
            <th>{t`Result`}</th>
          </tr>
        </thead>
        <tbody>
          {receipts.map((receipt) => (
            <tr key={receipt.id} title={receipt.id}>
              <td className="num mono small w">{time.format(receipt.started_at)}</td>
              <td>
                <ModelId id={receipt.model} />
                <div className="tiny dim num narrow-only">{time.format(receipt.started_at)}</div>
              </td>
              <td className="mid w" dir="auto">
                {keyName(receipt)}
              </td>
              <td className="n">{count(receipt.prompt_tokens)}</td>
              <td className="n">{count(receipt.completion_tokens)}</td>
              <td className="n w">{receipt.first_byte_ms === null ? "–" : t`${count(receipt.first_byte_ms)} ms`}</td>
              <td className="n w">{speed(receipt)}</td>
              <td className="w">
                <Barbs on={receipt.units} of={4} label={plural(receipt.units, { one: "# unit", other: "# units" })} />
              </td>
              <td className="small">
                <button
                  type="button"
                  className="receipt"
                  aria-label={t`Receipt of ${receipt.model}, ${time.format(receipt.started_at)}: ${resultOf(receipt)}`}
                  onClick={() => setOpen(receipt)}
                >
                  <State tier={OUTCOMES[receipt.outcome].tier}>{resultOf(receipt)}</State>
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <ReceiptDialog receipt={open} keyName={keyName} close={() => setOpen(null)} />
    </>
  );
}

function speed({ outcome, completion_tokens, first_byte_ms, duration_ms, streamed }: Receipt): string {
  if (outcome !== "completed" || first_byte_ms === null) return "–";
  const spent = streamed ? duration_ms - first_byte_ms : duration_ms;
  const perSecond = tokensPerSecond(completion_tokens, spent);
  return perSecond === null ? "–" : count(perSecond);
}
