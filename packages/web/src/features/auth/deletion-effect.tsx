import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { LoadError } from "#/components/ui/feedback/load-error.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { formatMoney, formatNanoUsd, isZero } from "#/entities/money/money.ts";
import { formatLongDate } from "#/entities/plans/subscription-labels.ts";
import type { feather } from "#/lib/feather.ts";
import { formatList } from "#/lib/format.ts";
import { queries } from "#/lib/queries.ts";

type Preview = Awaited<ReturnType<typeof feather.account.previewDeletion>>;
type Organization = Preview["organizations_deleted"][number];

/** Lists what is deleted and forfeited together with the account. */
export function DeletionEffect() {
  const { data, error, refetch } = useQuery({
    ...queries.account.previewDeletion.queryOptions(),
    staleTime: 0,
  });
  if (error && !data)
    return <LoadError subject={t`What goes with the account`} error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton height={120} />;
  return (
    <div className="notice mb-4">
      {data.organizations_deleted.map((organization) => (
        <DeletedOrganization key={organization.id} organization={organization} />
      ))}
      {data.organizations_left.length > 0 ? (
        <p className="user-text">
          <Trans>
            You leave {formatList(data.organizations_left.map(({ name }) => name))}, which goes on without you.
          </Trans>
        </p>
      ) : null}
      <p className="small muted mt-2">{t`Invoices stay on the books of whoever runs this server.`}</p>
    </div>
  );
}

function DeletedOrganization({ organization }: { organization: Organization }) {
  const money = listForfeitedMoney(organization);
  const { name } = organization;
  return (
    <>
      <p className="user-text">
        <Trans>
          The organization <b>{name}</b> is deleted, with {listDeletedItems(organization)}.
        </Trans>
      </p>
      {money.length > 0 ? (
        <>
          <p className="mt-2">
            <b>{t`This is forfeited and not given back:`}</b>
          </p>
          <ul>
            {money.map((line) => (
              <li key={line} className="user-text">
                {line}
              </li>
            ))}
          </ul>
          <p className="mt-2">{t`Ask whoever runs this server for a refund before, if you want one.`}</p>
        </>
      ) : null}
    </>
  );
}

function listDeletedItems({ api_keys, deployments, private_models }: Organization): string {
  return formatList([
    plural(api_keys, { one: "# key", other: "# keys" }),
    plural(deployments, { one: "# deployment", other: "# deployments" }),
    plural(private_models, { one: "# private model", other: "# private models" }),
  ]);
}

function listForfeitedMoney({
  credits_nano_usd,
  currency,
  balance_cents,
  commission_nano_usd,
  paid_plan,
}: Organization): string[] {
  const [credits, balance, commission] = [
    formatNanoUsd(credits_nano_usd),
    formatMoney(balance_cents, currency),
    formatNanoUsd(commission_nano_usd),
  ];
  return [
    ...(isZero(credits_nano_usd) ? [] : [t`${credits} of credits`]),
    ...(paid_plan ? [describePaidPlan(paid_plan, currency)] : []),
    ...(balance_cents === 0 ? [] : [t`${balance} that are kept for your next invoices`]),
    ...(isZero(commission_nano_usd) ? [] : [t`${commission} of commission that was not paid out`]),
  ];
}

function describePaidPlan(plan: NonNullable<Organization["paid_plan"]>, currency: string): string {
  const { plan_name, quantity, period_end_date, unused_cents } = plan;
  const name = quantity > 1 ? `${plan_name} × ${quantity}` : plan_name;
  const [until, unused] = [formatLongDate(period_end_date), formatMoney(unused_cents, currency)];
  return unused_cents > 0
    ? t`The plan ${name}, paid until ${until}: ${unused} of it are for time that you have not used`
    : t`The plan ${name}, which runs until ${until}`;
}
