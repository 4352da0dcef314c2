import type { RouteRule, RouteRuleInput } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { type QueryClient, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ListPage } from "#/components/list/list-page.tsx";
import type { Column } from "#/components/list/list-table.tsx";
import { useConfirm } from "#/components/ui/dialogs/confirm.tsx";
import { Tag } from "#/components/ui/labels/tag.tsx";
import { ADMIN_QUERY_KEYS } from "#/features/admin/query-keys.ts";
import { createMenuColumn } from "#/features/admin/row-menu.tsx";
import { routeRulesQuery } from "#/features/admin/system/queries.ts";
import { formatConditions } from "#/features/admin/system/rule-conditions.ts";
import { RuleDialog } from "#/features/admin/system/rule-dialog.tsx";
import { feather } from "#/lib/feather.ts";
import { useAction } from "#/lib/use-action.ts";

const COLUMNS: Column<RouteRule>[] = [
  { header: t`No.`, cell: ({ position }) => position, isNumeric: true },
  {
    header: t`Path and where it goes`,
    cell: ({ path_glob, redirect_to, external }) => (
      <>
        <div className="mono user-text">{path_glob}</div>
        <div className="small muted">
          {t`to`} <span className="mono user-text">{redirect_to}</span>{" "}
          {external ? <Tag>{t`leaves the site`}</Tag> : null}
        </div>
      </>
    ),
  },
  {
    header: t`For`,
    cell: (rule) => <span className="small muted">{formatConditions(rule.when)}</span>,
    hideWhenNarrow: true,
  },
  { header: t`Status`, cell: ({ status }) => status, isNumeric: true, hideWhenNarrow: true },
];

const bodyOf = ({ id: _, ...rule }: RouteRule): RouteRuleInput => rule;

/** The redirect rules of the site, in the order of evaluation. */
export default function AdminRouteRulesPage() {
  const rules = useQuery(routeRulesQuery);
  const [editing, setEditing] = useState<RouteRule | "new" | null>(null);
  const confirm = useConfirm();
  const moving = useAction(
    ({ rule, position }: { rule: RouteRule; position: number }) =>
      feather.admin.routeRules.update(rule.id, { ...bodyOf(rule), position }),
    {
      success: (_, { rule, position }) => t`${rule.path_glob} is number ${position}`,
      invalidates: ADMIN_QUERY_KEYS,
    },
  );
  const removal = useAction(({ id }: RouteRule) => feather.admin.routeRules.delete(id), {
    success: (_, { path_glob }) => t`The rule for ${path_glob} is removed`,
    invalidates: ADMIN_QUERY_KEYS,
  });
  const move = (rule: RouteRule, position: number) => moving.run({ rule, position });
  function remove(rule: RouteRule): void {
    const { path_glob } = rule;
    confirm({
      title: t`Remove the rule for ${path_glob}`,
      description: t`Visitors of this path stay on it from now on.`,
      confirmButtonText: t`Remove the rule`,
      destructive: true,
      action: async () => {
        await removal.run(rule);
      },
    });
  }
  const count = rules.data?.items.length ?? 0;
  const add = (
    <button type="button" className="btn primary" onClick={() => setEditing("new")}>
      {t`Add a rule`}
    </button>
  );
  return (
    <>
      <ListPage
        title={t`Route rules`}
        description={t`Sends visitors of a path elsewhere, in the order in which they stand: the first that holds is used.`}
        action={add}
        query={rules}
        columns={[
          ...COLUMNS,
          createMenuColumn(
            ({ path_glob }: RouteRule) => path_glob,
            (rule) => [
              { label: t`Change`, run: () => setEditing(rule) },
              rule.position > 1 && { label: t`Move up`, run: () => void move(rule, rule.position - 1) },
              rule.position < count && { label: t`Move down`, run: () => void move(rule, rule.position + 1) },
              { label: t`Remove`, run: () => remove(rule), destructive: true },
            ],
          ),
        ]}
        idOf={({ id }) => id}
        nameOf={({ path_glob }) => path_glob}
        empty={{
          title: t`No rules`,
          text: t`Add one to move a page, or to lead people on a plan to a page of their own.`,
          action: add,
        }}
      />
      {editing ? <RuleDialog rule={editing === "new" ? null : editing} close={() => setEditing(null)} /> : null}
    </>
  );
}

/** Loads what the page reads first. */
export const prefetch = (client: QueryClient): Promise<void> => client.prefetchQuery(routeRulesQuery);
