import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import { Tag } from "#/components/ui/labels/tag.tsx";
import { MARKETPLACES } from "#/entities/billing/marketplaces.ts";
import { queries } from "#/lib/queries.ts";
import { MeteringStatus } from "./metering/metering-status.tsx";

/** The cloud marketplace accounts that pay for the organization. */
export const marketplaceAccountsQuery = {
  ...queries.marketplace.accounts.queryOptions(),
};
const STATUS_TIERS = { active: "good", pending: "loading", suspended: "bad", canceled: "cold" } as const;

/** Cloud marketplace accounts that pay for the organization. Renders nothing where there are none. */
export function MarketplaceSection({ mayChange }: { mayChange: boolean }) {
  const { data } = useQuery(marketplaceAccountsQuery);
  if (!data || data.items.length === 0) return null;
  return (
    <section className="mt-8" aria-labelledby="marketplaces">
      <h2 className="h4" id="marketplaces">
        {t`Cloud marketplaces`}
      </h2>
      <table className="mt-2">
        <thead>
          <tr>
            <th>{t`Marketplace`}</th>
            <th>{t`Account`}</th>
            <th className="wide-only">{t`Product`}</th>
            <th>{t`State`}</th>
          </tr>
        </thead>
        <tbody>
          {data.items.map(({ provider, customer_id, product, status, is_test }) => (
            <tr key={`${provider} ${customer_id}`}>
              <td>
                {MARKETPLACES[provider]} {is_test ? <Tag>{t`test`}</Tag> : null}
              </td>
              <td className="mono user-text">{customer_id}</td>
              <td className="wide-only mono user-text">{product}</td>
              <td className="small">
                <StateBadge tier={STATUS_TIERS[status]}>{status}</StateBadge>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <MeteringStatus mayChange={mayChange} />
    </section>
  );
}
