import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Skeleton } from "#/components/ui/bits.tsx";
import { ReadFault } from "#/components/ui/fault-notice.tsx";
import { dollars, isZero, usd } from "#/features/billing/money.ts";
import { dayInWords } from "#/features/billing/words.ts";
import { feather } from "#/lib/feather.ts";
import { listOf } from "#/lib/format.ts";

type Preview = Awaited<ReturnType<typeof feather.account.previewDeletion>>;
type Organization = Preview["organizations_deleted"][number];

/** Lists what is deleted and forfeited together with the account. */
export function DeletionEffect() {
  const { data, error, refetch } = useQuery({
    queryKey: ["account", "deletion"],
    queryFn: async () => feather.account.previewDeletion(),
    staleTime: 0,
  });
  if (error && !data)
    return <ReadFault what={t`What goes with the account`} error={error} again={() => void refetch()} />;
  if (!data) return <Skeleton height={120} />;
  return (
    <div className="notice mb-4">
      {data.organizations_deleted.map((organization) => (
        <Lost key={organization.id} organization={organization} />
      ))}
      {data.organizations_left.length > 0 ? (
        <p className="stranger">
          <Trans>You leave {listOf(data.organizations_left.map(({ name }) => name))}, which goes on without you.</Trans>
        </p>
      ) : null}
      <p className="small mid mt-2">{t`Invoices stay on the books of whoever runs this server.`}</p>
    </div>
  );
}

function Lost({ organization }: { organization: Organization }) {
  const money = moneyOf(organization);
  const { name } = organization;
  return (
    <>
      <p className="stranger">
        <Trans>
          The organization <b>{name}</b> is deleted, with {thingsOf(organization)}.
        </Trans>
      </p>
      {money.length > 0 ? (
        <>
          <p className="mt-2">
            <b>{t`This is forfeited and not given back:`}</b>
          </p>
          <ul>
            {money.map((line) => (
              <li key={line} className="stranger">
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

function thingsOf({ api_keys, deployments, private_models }: Organization): string {
  return listOf([
    plural(api_keys, { one: "# key", other: "# keys" }),
    plural(deployments, { one: "# deployment", other: "# deployments" }),
    plural(private_models, { one: "# private model", other: "# private models" }),
  ]);
}

function moneyOf({ credits_nano_usd, balance_cents, commission_nano_usd, paid_plan }: Organization): string[] {
  const [credits, kept, commission] = [usd(credits_nano_usd), dollars(balance_cents), usd(commission_nano_usd)];
  return [
    ...(isZero(credits_nano_usd) ? [] : [t`${credits} of credits`]),
    ...(paid_plan ? [planLine(paid_plan)] : []),
    ...(balance_cents === 0 ? [] : [t`${kept} that are kept for your next invoices`]),
    ...(isZero(commission_nano_usd) ? [] : [t`${commission} of commission that was not paid out`]),
  ];
}

function planLine({
  plan_name,
  quantity,
  period_end_date,
  unused_cents,
}: NonNullable<Organization["paid_plan"]>): string {
  const name = quantity > 1 ? `${plan_name} × ${quantity}` : plan_name;
  const [until, unused] = [dayInWords(period_end_date), dollars(unused_cents)];
  return unused_cents > 0
    ? t`The plan ${name}, paid until ${until}: ${unused} of it are for time that you have not used`
    : t`The plan ${name}, which runs until ${until}`;
}
