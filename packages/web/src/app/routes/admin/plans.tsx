import { plural, t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router-dom";
import { Barbs, State } from "#/components/ui/bits.tsx";
import { useConfirm } from "#/components/ui/confirm.tsx";
import { ListPage } from "#/features/admin/list/list-page.tsx";
import type { Column } from "#/features/admin/list/list-table.tsx";
import { adminPaths } from "#/features/admin/paths.ts";
import { HeldRenewals } from "#/features/admin/plans/held-renewals.tsx";
import type { Plan } from "#/features/admin/plans/queries.ts";
import { menuColumn } from "#/features/admin/row-menu.tsx";
import { useAct } from "#/features/admin/use-act.ts";
import { plansQuery } from "#/features/admin/users/queries.ts";
import { dollars } from "#/features/billing/money.ts";
import { feather } from "#/lib/feather.ts";
import { context, count, size } from "#/lib/format.ts";

const limit = (value: number | null, words: (value: number) => string = count): string =>
  value === null ? t`no limit` : words(value);

function priceWords(amount: string, { interval, unit_based }: Plan): string {
  if (interval === "year") return unit_based ? t`${amount} a year, each` : t`${amount} a year`;
  return unit_based ? t`${amount} a month, each` : t`${amount} a month`;
}

const COLUMNS: Column<Plan>[] = [
  {
    head: t`Plan`,
    cell: (plan) => (
      <>
        <Link className="strong stranger" to={adminPaths.plan(plan.id)}>
          {plan.name}
        </Link>
        <div className="mono small dim">{plan.id}</div>
      </>
    ),
  },
  {
    head: t`Price`,
    cell: (plan) => (plan.price_usd_cents === null ? t`on request` : priceWords(dollars(plan.price_usd_cents), plan)),
    figure: true,
  },
  {
    head: t`Units`,
    cell: ({ concurrency }) =>
      concurrency === null ? (
        <span className="mid">{t`no limit`}</span>
      ) : (
        <span className="row" style={{ gap: 8 }}>
          <Barbs on={concurrency} label={plural(concurrency, { one: "# unit", other: "# units" })} />
          <span className="num">{concurrency}</span>
        </span>
      ),
    wide: true,
  },
  { head: t`Largest model`, cell: (plan) => limit(plan.max_model_size, size), figure: true, wide: true },
  { head: t`Context`, cell: (plan) => limit(plan.max_context_length, context), figure: true, wide: true },
  { head: t`Requests a day`, cell: (plan) => limit(plan.daily_request_limit), figure: true, wide: true },
  {
    head: t`State`,
    cell: ({ is_public }) => (
      <span className="small">
        <State tier={is_public ? "good" : "offline"}>{is_public ? t`on sale` : t`not on sale`}</State>
      </span>
    ),
  },
];

/** All plans: put on sale, take off sale and announce prices. */
export default function AdminPlansPage() {
  const plans = useQuery(plansQuery);
  const act = useAct();
  const confirm = useConfirm();
  const setPublic = async (plan: Plan, on: boolean): Promise<void> => {
    await act(() => feather.admin.plans.update(plan.id, { is_public: on }), {
      title: on ? t`${plan.name} is on sale` : t`${plan.name} is not on sale any more`,
      undo: () => void setPublic(plan, !on),
    });
  };
  const announce = (plan: Plan): void =>
    confirm({
      title: t`Announce the price of ${plan.name}?`,
      description: t`Whoever bought it at another price gets a message now, and pays the present one from the first period that begins in 30 days or later.`,
      confirmButtonText: t`Announce it`,
      action: async () => {
        await act(() => feather.admin.plans.announcePrice(plan.id), { title: t`The price is announced` });
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
        about={t`What organizations may do, and what it costs. Limits hold at once, prices for those who buy from now on.`}
        action={create}
        query={plans}
        columns={[
          ...COLUMNS,
          menuColumn(
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
