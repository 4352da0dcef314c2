import type { Query } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useId, useState } from "react";
import styles from "./accounting-export.module.css";

type Kind = Query<"admin.accounting.export">["kind"];

const KINDS: readonly { value: Kind; label: string }[] = [
  { value: "invoices", label: t`Invoices` },
  { value: "payments", label: t`Payments` },
  { value: "refunds", label: t`Refunds` },
  { value: "taxes", label: t`Taxes` },
  { value: "marketplace_payouts", label: t`Payouts of marketplaces` },
];

/** A month, and links that download its invoices, payments, refunds, taxes and payouts as CSV. `today` gives the month before it. */
export function AccountingExport({ today }: { today: Date }) {
  const id = useId();
  const [month, setMonth] = useState(() => formatMonthBefore(today));
  return (
    <details className="mt-4 mb-4">
      <summary className="small muted">{t`Export for accounting`}</summary>
      <div className={`mt-2 ${styles.row}`}>
        <label className="small" htmlFor={id}>{t`Month (UTC)`}</label>
        <input
          id={id}
          className={`input ${styles.month}`}
          type="month"
          pattern="20\d\d-\d\d"
          value={month}
          onChange={(event) => setMonth(event.target.value)}
        />
        {isMonth(month)
          ? KINDS.map(({ value, label }) => (
              <a key={value} className="btn" href={`/api/admin/accounting?kind=${value}&month=${month}`} download>
                {label}
              </a>
            ))
          : null}
      </div>
      <p className="small faint mt-2">{t`CSV files in US dollars. Refunds are the credit notes of the month.`}</p>
    </details>
  );
}

function isMonth(text: string): boolean {
  return /^20\d\d-(0[1-9]|1[0-2])$/.test(text);
}

function formatMonthBefore(date: Date): string {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - 1)).toISOString().slice(0, 7);
}
