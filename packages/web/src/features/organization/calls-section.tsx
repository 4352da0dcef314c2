import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { organizationsQuery } from "#/entities/session/organizations.ts";
import { feather } from "#/lib/feather.ts";
import { queries } from "#/lib/queries.ts";
import { useAction } from "#/lib/use-action.ts";

type Props = {
  organizationId: string;
  /** Whether the user may decide it. */
  mayChange: boolean;
};

/** Whether calls of the organization may leave this server, which its admins decide. */
export function CallsSection({ organizationId, mayChange }: Props) {
  const { data } = useQuery(organizationsQuery);
  const decide = useAction(
    (callsElsewhere: boolean) => feather.organization.update({ calls_elsewhere: callsElsewhere }),
    {
      success: ({ calls_elsewhere }) => (calls_elsewhere ? t`Calls may leave this server` : t`Calls stay here`),
      undo: (run, callsElsewhere) => () => run(!callsElsewhere),
      invalidates: [queries.organization.key(), queries.models.key()],
    },
  );
  const organization = data?.items.find(({ id }) => id === organizationId);
  if (!organization) return null;
  const { calls_elsewhere: isAllowed } = organization;
  return (
    <section className="mt-8" aria-labelledby="organization-calls">
      <h2 className="h4" id="organization-calls">
        {t`Where calls may go`}
      </h2>
      <p className="muted mt-2 measure">
        {isAllowed
          ? t`Calls may leave this server: to providers and other public addresses that its operator has added. Each model's page says where it answers.`
          : t`Calls stay at this server and in its private networks. Models that only answer elsewhere cannot be called.`}
      </p>
      {mayChange ? (
        <button type="button" className="btn mt-3" disabled={decide.busy} onClick={() => void decide.run(!isAllowed)}>
          {isAllowed ? t`Keep calls here` : t`Let calls leave this server`}
        </button>
      ) : null}
    </section>
  );
}
