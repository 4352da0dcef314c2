import type { AdminUser } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Plural, Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { LoadError } from "#/components/ui/feedback/load-error.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { formatLongDate } from "#/entities/plans/subscription-labels.ts";
import { testClockQuery } from "./queries.ts";

/** Tells which day it is in the organization of a user. */
export function TestClockNote({ user }: { user: AdminUser }) {
  const { data, error, refetch } = useQuery(testClockQuery(user.id));
  if (error && !data)
    return <LoadError subject={t`The organization's time`} error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton height={48} />;
  const date = formatLongDate(new Date(data.time));
  return (
    <p className="notice quiet mt-4">
      {data.days_ahead === 0 ? (
        <Trans>It is {date} in this organization, as everywhere on this server.</Trans>
      ) : (
        <Trans>
          It is {date} in this organization:{" "}
          <Plural value={data.days_ahead} one="# day ahead of" other="# days ahead of" /> this server.
        </Trans>
      )}
    </p>
  );
}
