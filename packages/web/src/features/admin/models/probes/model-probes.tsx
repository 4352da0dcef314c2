import type { ProbedPlace } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { LoadError } from "#/components/ui/feedback/load-error.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { formatProbeResult, probeLabel } from "#/entities/models/probes/probe-labels.ts";
import { RelativeTime } from "#/features/admin/relative-time.tsx";
import { feather } from "#/lib/feather.ts";
import { queries } from "#/lib/queries.ts";
import { useAction } from "#/lib/use-action.ts";
import { isInProgress, modelProbesQuery } from "./queries.ts";

/** What a model has shown at each of its backends, and a button that has it asked now. */
export function ModelProbes({ id }: { id: string }) {
  const places = useQuery(modelProbesQuery(id));
  const asking = useAction(() => feather.admin.models.probes.create(id), {
    success: ({ items }) =>
      items.some(isInProgress) ? t`${id} is asked what it can do` : t`No backend can be asked now`,
    onSuccess: (result, _, client) => client.setQueryData(queries.admin.models.probes.list.key(id), result),
    invalidates: [queries.models.key()],
  });
  if (places.isError)
    return <LoadError subject={t`The results`} error={places.error} retry={() => void places.refetch()} />;
  if (places.data === undefined) return <Skeleton height={80} />;
  const { items } = places.data;
  if (items.length === 0) return <p className="muted">{t`No backend runs it now, so it cannot be asked.`}</p>;
  return (
    <>
      <table>
        <thead>
          <tr>
            <th scope="col">{t`Backend`}</th>
            <th scope="col">{t`Has shown`}</th>
            <th scope="col" className="wide-only">{t`Last time`}</th>
          </tr>
        </thead>
        <tbody>
          {items.map((place) => (
            <PlaceRow key={place.backend} place={place} />
          ))}
        </tbody>
      </table>
      <button
        type="button"
        className="btn mt-3"
        disabled={asking.busy || items.some(isInProgress)}
        onClick={() => void asking.run(undefined)}
      >
        {items.some(isInProgress) ? t`Asking…` : t`Ask it now`}
      </button>
    </>
  );
}

function PlaceRow({ place }: { place: ProbedPlace }) {
  const { backend, results, obstacle, note, finished_at: finishedAt } = place;
  const remark = describeState(place) ?? obstacle ?? note;
  return (
    <tr>
      <td className="mono small">{backend}</td>
      <td className="small">
        {results.map((probe) => (
          <div key={probe.ability} title={probe.reason ?? undefined}>
            {probeLabel(probe.ability)}
            {": "}
            {formatProbeResult(probe)}
          </div>
        ))}
        {remark === null ? null : <div className="faint">{remark}</div>}
      </td>
      <td className="wide-only">
        <RelativeTime date={finishedAt} />
      </td>
    </tr>
  );
}

function describeState({ state }: ProbedPlace): string | null {
  if (state === "waiting") return t`Waits until nobody else calls this backend.`;
  return state === "running" ? t`Is being asked.` : null;
}
