import type { RoutingAlias } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { type QueryClient, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ListPage } from "#/components/list/list-page.tsx";
import type { Column } from "#/components/list/list-table.tsx";
import { useConfirm } from "#/components/ui/dialogs/confirm.tsx";
import { ADMIN_QUERY_KEYS } from "#/features/admin/query-keys.ts";
import { RelativeTime } from "#/features/admin/relative-time.tsx";
import { AliasDialog } from "#/features/admin/routing/alias-dialog.tsx";
import { AliasModels } from "#/features/admin/routing/alias-models.tsx";
import { OrderSection } from "#/features/admin/routing/order-section.tsx";
import { OwnKeyFeeSection } from "#/features/admin/routing/own-key-fee-section.tsx";
import { PriceFloorSection } from "#/features/admin/routing/price-floor-section.tsx";
import { aliasesQuery, routingQuery } from "#/features/admin/routing/queries.ts";
import { createMenuColumn } from "#/features/admin/row-menu.tsx";
import { feather } from "#/lib/feather.ts";
import { useAction } from "#/lib/use-action.ts";

const COLUMNS: Column<RoutingAlias>[] = [
  { header: t`Alias`, cell: ({ name }) => <span className="strong mono user-text">{name}</span> },
  { header: t`Stands for`, className: "stacked", cell: (alias) => <AliasModels alias={alias} /> },
  { header: t`Set`, cell: ({ updated_at }) => <RelativeTime date={updated_at} />, hideWhenNarrow: true },
];

/** The operator's rules of which models and backends answer: aliases, the order of backends, the fee of own keys, and calls below cost. */
export default function AdminRoutingPage() {
  const aliases = useQuery(aliasesQuery);
  const [editing, setEditing] = useState<RoutingAlias | "new" | null>(null);
  const confirm = useConfirm();
  const removal = useAction(({ name }: RoutingAlias) => feather.admin.routing.aliases.delete(name), {
    success: (_, { name }) => t`The alias ${name} is removed`,
    invalidates: ADMIN_QUERY_KEYS,
  });
  function remove(alias: RoutingAlias): void {
    const { name } = alias;
    confirm({
      title: t`Remove the alias ${name}`,
      description: t`Calls of this name are refused from now on. Its models stay.`,
      confirmButtonText: t`Remove the alias`,
      destructive: true,
      action: async () => {
        await removal.run(alias);
      },
    });
  }
  const add = (
    <button type="button" className="btn primary" onClick={() => setEditing("new")}>
      {t`Add an alias`}
    </button>
  );
  return (
    <>
      <ListPage
        title={t`Routing`}
        description={t`Names that stand for models. A call of one goes to the first of its models that the caller may call and that can answer. A model of the same name always wins.`}
        action={add}
        query={aliases}
        columns={[
          ...COLUMNS,
          createMenuColumn(
            ({ name }: RoutingAlias) => name,
            (alias) => [
              { label: t`Change`, run: () => setEditing(alias) },
              { label: t`Remove`, run: () => remove(alias), destructive: true },
            ],
          ),
        ]}
        idOf={({ name }) => name}
        nameOf={({ name }) => name}
        empty={{
          title: t`No aliases`,
          text: t`Add one, such as fast or company/default, so that programs need not change when you choose another model.`,
          action: add,
        }}
      />
      <OrderSection />
      <OwnKeyFeeSection />
      <PriceFloorSection />
      {editing ? <AliasDialog alias={editing === "new" ? null : editing} close={() => setEditing(null)} /> : null}
    </>
  );
}

/** Loads what the page reads first. */
export async function prefetch(client: QueryClient): Promise<void> {
  await Promise.all([client.prefetchQuery(aliasesQuery), client.prefetchQuery(routingQuery)]);
}
