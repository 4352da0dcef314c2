import type { CreditNote } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { LoadError } from "#/components/ui/feedback/load-error.tsx";
import { Tag } from "#/components/ui/labels/tag.tsx";
import { Pager } from "#/components/ui/lists/pager.tsx";
import { creditNotesQuery } from "#/entities/billing/queries.ts";
import { formatMoney } from "#/entities/money/money.ts";
import { formatIsoDay } from "#/lib/format.ts";
import { DocumentLinks } from "./document-links.tsx";

/** The credit notes about refunds, newest first. Nothing while there are none. */
export function CreditNotesSection() {
  const [page, goToPage] = useState(1);
  const notes = useQuery(creditNotesQuery(page));
  if (notes.isError)
    return <LoadError subject={t`Credit notes`} error={notes.error} retry={() => void notes.refetch()} />;
  if (notes.data === undefined || notes.data.items.length === 0) return null;
  return (
    <section className="mt-8" aria-labelledby="credit-notes">
      <h2 className="h4" id="credit-notes">
        {t`Credit notes`}
      </h2>
      <CreditNoteTable items={notes.data.items} />
      {notes.data.pagination.total_pages > 1 ? (
        <Pager {...notes.data.pagination} goToPage={goToPage} label={t`credit notes`} />
      ) : null}
    </section>
  );
}

function CreditNoteTable({ items }: { items: readonly CreditNote[] }) {
  return (
    <table className="mt-2">
      <thead>
        <tr>
          <th>{t`Credit note`}</th>
          <th className="numeric">{t`Given back`}</th>
          <th>{t`Date`}</th>
        </tr>
      </thead>
      <tbody>
        {items.map(({ id, number, total_cents, currency, is_test, created_at, withdrawn_at }) => (
          <tr key={id}>
            <td>
              <DocumentLinks path={`/api/credit-notes/${encodeURIComponent(id)}`} number={number} />{" "}
              {is_test ? <Tag>{t`test`}</Tag> : null} {withdrawn_at ? <Tag>{t`withdrawn`}</Tag> : null}
            </td>
            <td className="numeric">{withdrawn_at ? "–" : formatMoney(total_cents, currency)}</td>
            <td className="num muted">{formatIsoDay(created_at)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
