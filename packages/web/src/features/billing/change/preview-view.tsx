import type { SubscriptionPreview } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { formatMoney } from "#/entities/money/money.ts";
import { formatLongDate } from "#/entities/plans/subscription-labels.ts";
import type { ChangeKind } from "./preview.ts";
import styles from "./preview-view.module.css";

/** The price of a change, line by line. */
export function PreviewView({
  preview,
  kind,
  stale,
}: {
  preview: SubscriptionPreview;
  kind: ChangeKind;
  stale: boolean;
}) {
  const { currency, lines, subtotal_cents, discount_cents, tax_cents, total_due_now_cents } = preview;
  const totals: [string, number][] = [
    ...(discount_cents !== 0 || tax_cents !== 0 ? [[t`Subtotal`, subtotal_cents] as [string, number]] : []),
    ...(discount_cents !== 0 ? [[t`Discount`, -discount_cents] as [string, number]] : []),
    ...(tax_cents !== 0 ? [[t`Tax`, tax_cents] as [string, number]] : []),
  ];
  return (
    <div className={stale ? "stale" : undefined} aria-busy={stale}>
      <table className={styles.bill}>
        <caption className="visually-hidden">{t`What the change costs`}</caption>
        <tbody>
          {lines.map(({ description, amount_cents }) => (
            <tr key={`${description} ${amount_cents}`}>
              <th scope="row">{description}</th>
              <td className="numeric">{formatMoney(amount_cents, currency)}</td>
            </tr>
          ))}
          {totals.map(([name, cents]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td className="numeric">{formatMoney(cents, currency)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t`To be paid now`}</th>
            <td className="numeric">{formatMoney(total_due_now_cents, currency)}</td>
          </tr>
        </tfoot>
      </table>
      <p className="small muted mt-3">{describeNextInvoice(preview, kind)}</p>
    </div>
  );
}

function describeNextInvoice(
  { currency, next_invoice_cents, next_invoice_date }: SubscriptionPreview,
  kind: ChangeKind,
): string {
  if (next_invoice_date === null) return "";
  const [amount, date] = [formatMoney(next_invoice_cents, currency), formatLongDate(next_invoice_date)];
  return kind === "trial"
    ? t`The trial costs nothing. The first invoice: ${amount} on ${date}.`
    : t`The next invoice: ${amount} on ${date}.`;
}
