import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useConfirm } from "#/components/ui/dialogs/confirm.tsx";
import { formatLongDate } from "#/entities/plans/subscription-labels.ts";
import { ADMIN_QUERY_KEYS } from "#/features/admin/query-keys.ts";
import { feather } from "#/lib/feather.ts";
import { queries } from "#/lib/queries.ts";
import { useAction } from "#/lib/use-action.ts";

/** The subscriptions whose renewal is held. */
export const heldQuery = queryOptions({
  ...queries.admin.subscriptions.held.queryOptions(),
  select: (result) => result.items,
});
type HeldSubscription = Awaited<ReturnType<typeof feather.admin.subscriptions.held>>["items"][number];

/** Subscriptions whose renewal is held until an admin confirms it; nothing if there are none. */
export function HeldRenewals() {
  const { data } = useQuery(heldQuery);
  const renewal = useAction(({ id }: HeldSubscription) => feather.admin.subscriptions.resumeRenewal(id), {
    success: (_, { organization_name }) => t`${organization_name} is renewed`,
    invalidates: ADMIN_QUERY_KEYS,
  });
  const confirm = useConfirm();
  if (!data || data.length === 0) return null;
  const confirmRenewal = (held: HeldSubscription) =>
    confirm({
      title: t`Renew ${held.organization_name} from now on?`,
      description: t`A period begins now and is charged. What was missed before is never charged.`,
      confirmButtonText: t`Renew it`,
      action: async () => {
        await renewal.run(held);
      },
    });
  return (
    <section className="notice mt-5" aria-labelledby="held-renewals">
      <h2 className="h4" id="held-renewals">
        {t`Subscriptions that wait for you`}
      </h2>
      <p className="muted mt-2">
        {t`They are more than one period behind, because the server was down for long or its clock was wrong. Nobody is charged before you agree.`}
      </p>
      <ul className="mt-3">
        {data.map((held) => (
          <li key={held.id} className="row wrapping between mt-2">
            <span>
              <Trans>
                <span className="user-text">{held.organization_name}</span>, {held.plan_id}: its period ended on{" "}
                {formatLongDate(held.current_period_end_date)}
              </Trans>
            </span>
            <button type="button" className="btn" onClick={() => confirmRenewal(held)}>
              {t`Renew from now on`}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
