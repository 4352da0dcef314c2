import type { Receipt } from "@feather/sdk";
import { plural, t } from "@lingui/core/macro";
import { useState } from "react";
import { Barbs } from "#/components/ui/labels/barbs.tsx";
import { ModelId } from "#/components/ui/labels/model-id.tsx";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import { formatCount, formatMoment } from "#/lib/format.ts";
import { calculateTokensPerSecond } from "#/lib/tokens-per-second.ts";
import { describeResult, OUTCOME_LABELS } from "../outcomes.ts";
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
            <th className="wide-only">{t`Time`}</th>
            <th>{t`Model`}</th>
            <th className="wide-only">{t`Key`}</th>
            <th className="numeric">{t`In`}</th>
            <th className="numeric">{t`Out`}</th>
            <th className="numeric wide-only">{t`First token`}</th>
            <th className="numeric wide-only">{t`Tokens/s`}</th>
            <th className="wide-only">{t`Units`}</th>
            <th>{t`Result`}</th>
          </tr>
        </thead>
        <tbody>
          {receipts.map((receipt) => (
            <tr key={receipt.id} title={receipt.id}>
              <td className="num mono small wide-only">{formatMoment(receipt.started_at)}</td>
              <td>
                <ModelId id={receipt.model} />
                <div className="tiny faint num narrow-only">{formatMoment(receipt.started_at)}</div>
              </td>
              <td className="muted wide-only" dir="auto">
                {getKeyName(receipt)}
              </td>
              <td className="numeric">{formatCount(receipt.prompt_tokens)}</td>
              <td className="numeric">{formatCount(receipt.completion_tokens)}</td>
              <td className="numeric wide-only">
                {receipt.first_byte_ms === null ? "–" : t`${formatCount(receipt.first_byte_ms)} ms`}
              </td>
              <td className="numeric wide-only">{formatSpeed(receipt)}</td>
              <td className="wide-only">
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
