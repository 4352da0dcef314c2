import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import { Panel } from "#/components/ui/lists/panel.tsx";
import { PanelList } from "#/components/ui/lists/panel-list.tsx";
import { Loaded } from "#/components/ui/loading/loaded.tsx";
import { paths } from "#/config/paths.ts";
import { INVOICE_STATUS } from "#/entities/billing/invoice-status.ts";
import { invoicesQuery, subscriptionQuery } from "#/entities/billing/queries.ts";
import { formatMoney } from "#/entities/money/money.ts";
import { describeNextStep } from "#/entities/plans/subscription-labels.ts";
import { formatIsoDay } from "#/lib/format.ts";

const MAX_INVOICES = 3;

/** The plan of the organization, and its latest invoices. For those who may manage billing. */
export function BillingPanel() {
  const subscription = useQuery(subscriptionQuery);
  const invoices = useQuery(invoicesQuery(1));
  return (
    <Panel title={t`Plan and invoices`} more={{ label: t`Subscription`, to: paths.account }}>
      <Loaded subject={t`The subscription`} query={subscription}>
        {(current) => (
          <div>
            <strong>{current.plan.name}</strong>
            <p className="muted">{describeNextStep(current)}</p>
          </div>
        )}
      </Loaded>
      {invoices.data && invoices.data.items.length > 0 ? (
        <PanelList>
          {invoices.data.items
            .slice(0, MAX_INVOICES)
            .map(({ id, number, total_cents, currency, status, created_at }) => (
              <li key={id}>
                <span className="num">
                  {number} <span className="faint small">{formatIsoDay(created_at)}</span>
                </span>
                <span className="row small">
                  <StateBadge tier={INVOICE_STATUS[status].tier}>{INVOICE_STATUS[status].label}</StateBadge>
                  <span className="num">{formatMoney(total_cents, currency)}</span>
                </span>
              </li>
            ))}
        </PanelList>
      ) : null}
    </Panel>
  );
}
