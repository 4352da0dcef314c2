import type { Receipt } from "@feather/sdk";
import { plural, t } from "@lingui/core/macro";
import { useState } from "react";
import { Barbs, ModelId, StateBadge } from "#/components/ui/primitives.tsx";
import { formatCount, formatMoment } from "#/lib/format.ts";
import { calculateTokensPerSecond } from "#/lib/tokens-per-second.ts";
import { describeResult, OUTCOME_LABELS } from "./outcomes.ts";
import { ReceiptDialog } from "./receipt-dialog.tsx";
import styles from "./receipts-table.module.css";

/** Requests in rows; each opens its receipt. */
export function ReceiptsTable({
  receipts,
  keyNames,
}: {
  receipts: readonly Receipt[];
  keyNames: ReadonlyMap<string, string>;
}) {
  const [open, setOpen] = useState<Receipt | null>(null);
  const getKeyName = ({ api_key_id }: Receipt) =>
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
              <td className="num mono small w">{formatMoment(receipt.started_at)}</td>
              <td>
                <ModelId id={receipt.model} />
                <div className="tiny dim num narrow-only">{formatMoment(receipt.started_at)}</div>
              </td>
              <td className="mid w" dir="auto">
                {getKeyName(receipt)}
              </td>
              <td className="n">{formatCount(receipt.prompt_tokens)}</td>
              <td className="n">{formatCount(receipt.completion_tokens)}</td>
              <td className="n w">
                {receipt.first_byte_ms === null ? "–" : t`${formatCount(receipt.first_byte_ms)} ms`}
              </td>
              <td className="n w">{formatSpeed(receipt)}</td>
              <td className="w">
                <Barbs
                  active={receipt.units}
                  total={4}
                  label={plural(receipt.units, { one: "# unit", other: "# units" })}
                />
              </td>
              <td className="small">
                <button
                  type="button"
                  className={styles.receipt}
                  aria-label={t`Receipt of ${receipt.model}, ${formatMoment(receipt.started_at)}: ${describeResult(receipt)}`}
                  onClick={() => setOpen(receipt)}
                >
                  <StateBadge tier={OUTCOME_LABELS[receipt.outcome].tier}>{describeResult(receipt)}</StateBadge>
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <ReceiptDialog receipt={open} keyName={getKeyName} close={() => setOpen(null)} />
    </>
  );
}

function formatSpeed({ outcome, completion_tokens, first_byte_ms, duration_ms, streamed }: Receipt): string {
  if (outcome !== "completed" || first_byte_ms === null) return "–";
  const elapsedMs = streamed ? duration_ms - first_byte_ms : duration_ms;
  const perSecond = calculateTokensPerSecond(completion_tokens, elapsedMs);
  return perSecond === null ? "–" : formatCount(perSecond);
}
