import type { Plan } from "@feather/sdk";
import { plural, t } from "@lingui/core/macro";
import { type QueryClient, useQuery } from "@tanstack/react-query";
import { Link } from "react-router-dom";
import { ListPage } from "#/components/list/list-page.tsx";
import type { Column } from "#/components/list/list-table.tsx";
import { useConfirm } from "#/components/ui/dialogs/confirm.tsx";
import { Barbs } from "#/components/ui/labels/barbs.tsx";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import { formatCents } from "#/entities/money/money.ts";
import { adminPaths } from "#/features/admin/paths.ts";
import { HeldRenewals, heldQuery } from "#/features/admin/plans/held-renewals.tsx";
import { ADMIN_QUERY_KEYS } from "#/features/admin/query-keys.ts";
import { createMenuColumn } from "#/features/admin/row-menu.tsx";
import { plansQuery } from "#/features/admin/users/queries.ts";
import { feather } from "#/lib/feather.ts";
import { formatContextLength, formatCount, formatParameterCount } from "#/lib/format.ts";
import { useMailDelivery } from "#/lib/site-config.ts";
import { useAction } from "#/lib/use-action.ts";

const formatLimit = (value: number | null, format: (value: number) => string = formatCount): string =>
  value === null ? t`no limit` : format(value);

function formatPriceWithPeriod(amount: string, { interval, unit_based }: Plan): string {
  if (interval === "year") return unit_based ? t`${amount} a year, each` : t`${amount} a year`;
  return unit_based ? t`${amount} a month, each` : t`${amount} a month`;
}

const COLUMNS: Column<Plan>[] = [
  {
    header: t`Plan`,
    cell: (plan) => (
      <>
        <Link className="strong user-text" to={adminPaths.plan(plan.id)}>
          {plan.name}
        </Link>
        <div className="mono small faint">{plan.id}</div>
      </>
    ),
  },
  {
    header: t`Price`,
    cell: (plan) =>
      plan.price_usd_cents === null ? t`on request` : formatPriceWithPeriod(formatCents(plan.price_usd_cents), plan),
    isNumeric: true,
  },
  {
    header: t`Units`,
    cell: ({ concurrency }) =>
      concurrency === null ? (
        <span className="muted">{t`no limit`}</span>
      ) : (
        <span className="row tight">
          <Barbs active={concurrency} label={plural(concurrency, { one: "# unit", other: "# units" })} />
          <span className="num">{concurrency}</span>
        </span>
      ),
    hideWhenNarrow: true,
  },
  {
    header: t`Largest model`,
    cell: (plan) => formatLimit(plan.max_model_size, formatParameterCount),
    isNumeric: true,
    hideWhenNarrow: true,
  },
  {
    header: t`Context`,
    cell: (plan) => formatLimit(plan.max_context_length, formatContextLength),
    isNumeric: true,
    hideWhenNarrow: true,
  },
  {
    header: t`Requests a day`,
    cell: (plan) => formatLimit(plan.daily_request_limit),
    isNumeric: true,
    hideWhenNarrow: true,
  },
  {
    header: t`State`,
    cell: ({ is_public }) => (
      <span className="small">
        <StateBadge tier={is_public ? "good" : "offline"}>{is_public ? t`on sale` : t`not on sale`}</StateBadge>
      </span>
    ),
  },
];

/** All plans: put on sale, take off sale and announce prices. */
export default function AdminPlansPage() {
  const sendsMail = useMailDelivery();
  const plans = useQuery(plansQuery);
  const confirm = useConfirm();
  const publishing = useAction(
    ({ plan, on }: { plan: Plan; on: boolean }) => feather.admin.plans.update(plan.id, { is_public: on }),
    {
      success: (_, { plan, on }) => (on ? t`${plan.name} is on sale` : t`${plan.name} is not on sale any more`),
      undo:
        (run, { plan, on }) =>
        () =>
          run({ plan, on: !on }),
      invalidates: ADMIN_QUERY_KEYS,
    },
  );
  const announcement = useAction((plan: Plan) => feather.admin.plans.announcePrice(plan.id), {
    success: () => t`The price is announced`,
    invalidates: ADMIN_QUERY_KEYS,
  });
  const setPublic = (plan: Plan, on: boolean) => publishing.run({ plan, on });
  const announce = (plan: Plan): void =>
    confirm({
      title: t`Announce the price of ${plan.name}?`,
      description: sendsMail
        ? t`Whoever bought it at another price gets a message now, and pays the present one from the first period that begins in 30 days or later.`
        : t`Whoever bought it at another price pays the present one from the first period that begins in 30 days or later. There is no mail server, so nobody tells them: do it yourself.`,
      confirmButtonText: t`Announce it`,
      action: async () => {
        await announcement.run(plan);
      },
    });
  const create = (
    <Link className="btn primary" to={adminPaths.newPlan}>
      {t`Create a plan`}
    </Link>
  );
  return (
    <>
      <ListPage
        title={t`Plans`}
        description={t`What organizations may do, and what it costs. Limits hold at once, prices for those who buy from now on.`}
        action={create}
        query={plans}
        columns={[
          ...COLUMNS,
          createMenuColumn(
            ({ name }: Plan) => name,
            (plan) => [
              {
                label: plan.is_public ? t`Take off sale` : t`Put on sale`,
                run: () => void setPublic(plan, !plan.is_public),
              },
              ...(plan.price_usd_cents === null || plan.price_usd_cents === 0
                ? []
                : [{ label: t`Announce the price`, run: () => announce(plan) }]),
            ],
          ),
        ]}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        empty={{ title: t`No plans`, text: t`Create one for people to choose.`, action: create }}
      />
      <HeldRenewals />
    </>
  );
}

/** Loads what the page reads first. */
export const prefetch = (client: QueryClient): Promise<unknown> =>
  Promise.all([client.prefetchQuery(plansQuery), client.prefetchQuery(heldQuery)]);
