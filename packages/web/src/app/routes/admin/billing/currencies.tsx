import type { AdminCurrency } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { type QueryClient, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ListPage } from "#/components/list/list-page.tsx";
import type { Column } from "#/components/list/list-table.tsx";
import { useConfirm } from "#/components/ui/dialogs/confirm.tsx";
import { Tag } from "#/components/ui/labels/tag.tsx";
import { nameCurrency } from "#/entities/money/money.ts";
import { USD } from "#/entities/plans/plan-price.ts";
import { CurrencyDialog } from "#/features/admin/plans/currency-dialog.tsx";
import { adminCurrenciesQuery } from "#/features/admin/plans/queries.ts";
import { ADMIN_QUERY_KEYS } from "#/features/admin/query-keys.ts";
import { RelativeTime } from "#/features/admin/relative-time.tsx";
import { createMenuColumn } from "#/features/admin/row-menu.tsx";
import { feather } from "#/lib/feather.ts";
import { formatCount } from "#/lib/format.ts";
import { useAction } from "#/lib/use-action.ts";

const COLUMNS: Column<AdminCurrency>[] = [
  {
    header: t`Currency`,
    cell: ({ code, is_default }) => (
      <>
        <span className="strong">{nameCurrency(code)}</span> {is_default ? <Tag>{t`default`}</Tag> : null}
      </>
    ),
  },
  { header: t`For one dollar`, cell: ({ units_per_usd }) => units_per_usd, isNumeric: true },
  { header: t`Organizations`, cell: ({ organization_count }) => formatCount(organization_count), isNumeric: true },
  {
    header: t`Set`,
    cell: ({ code, updated_at }) => (code === USD ? "–" : <RelativeTime date={updated_at} />),
    hideWhenNarrow: true,
  },
];

/** The currencies in which organizations can pay: switch on, set rates, switch off. */
export default function AdminCurrenciesPage() {
  const currencies = useQuery(adminCurrenciesQuery);
  const [editing, setEditing] = useState<AdminCurrency | "new" | null>(null);
  const confirm = useConfirm();
  const removal = useAction((code: string) => feather.admin.currencies.remove(code), {
    success: (_, code) => t`${code} is switched off`,
    invalidates: ADMIN_QUERY_KEYS,
  });
  const defaulting = useAction(
    ({ code, units_per_usd }: AdminCurrency) => feather.admin.currencies.set(code, { units_per_usd, is_default: true }),
    { success: ({ code }) => t`${code} is the default`, invalidates: ADMIN_QUERY_KEYS },
  );
  const remove = ({ code }: AdminCurrency): void =>
    confirm({
      title: t`Switch off ${code}?`,
      description: t`Nobody can choose it any more, and the prices of plans in it are gone. It is refused while organizations pay in it.`,
      confirmButtonText: t`Switch it off`,
      destructive: true,
      action: async () => {
        await removal.run(code);
      },
    });
  const isOn = (code: string) => currencies.data?.items.some((item) => item.code === code) ?? false;
  const add = (
    <button type="button" className="btn primary" disabled={!currencies.data} onClick={() => setEditing("new")}>
      {t`Switch on a currency`}
    </button>
  );
  return (
    <>
      <ListPage
        title={t`Currencies`}
        description={t`In which organizations can pay plans and credits. Prices of tokens, credits, budgets and reports stay in US dollars.`}
        action={add}
        query={currencies}
        columns={[
          ...COLUMNS,
          createMenuColumn(
            ({ code }: AdminCurrency) => code,
            (currency) => [
              currency.code !== USD && { label: t`Set the rate`, run: () => setEditing(currency) },
              !currency.is_default && { label: t`Make it the default`, run: () => void defaulting.run(currency) },
              currency.code !== USD && { label: t`Switch off`, run: () => remove(currency), destructive: true },
            ],
          ),
        ]}
        idOf={({ code }) => code}
        empty={{ title: t`No currencies`, text: t`US dollars are always there.`, action: add }}
      />
      {editing === null ? null : (
        <CurrencyDialog
          currency={editing === "new" ? null : editing}
          available={(currencies.data?.available ?? []).filter((code) => !isOn(code))}
          close={() => setEditing(null)}
        />
      )}
    </>
  );
}

/** Loads what the page reads first. */
export const prefetch = (client: QueryClient): Promise<void> => client.prefetchQuery(adminCurrenciesQuery);
