import type { Model } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router-dom";
import { Barbs } from "#/components/ui/labels/barbs.tsx";
import { ModelId } from "#/components/ui/labels/model-id.tsx";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { paths } from "#/config/paths.ts";
import { formatAvailability } from "#/entities/models/availability.ts";
import { withoutNeedlessDemo } from "#/entities/models/default-model.ts";
import { formatMilliseconds } from "#/entities/models/hours.ts";
import { ratesQuery } from "#/entities/models/queries.ts";
import { formatContextLength, formatParameterCount } from "#/lib/format.ts";

/** The models that are warm now, with their speed in the last hour, and those that are being downloaded or loaded. */
export function RunningModels({ models }: { models: readonly Model[] | undefined }) {
  const { data: rates } = useQuery(ratesQuery);
  const shown = models && withoutNeedlessDemo(models);
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{t`Model`}</th>
          <th scope="col" className="numeric wide-only">
            {t`Size`}
          </th>
          <th scope="col" className="numeric wide-only">
            {t`Context`}
          </th>
          <th scope="col">{t`Units`}</th>
          <th scope="col" className="numeric">
            {t`First token`}
          </th>
          <th scope="col" className="numeric wide-only">
            {t`Tokens/s`}
          </th>
          <th scope="col" className="wide-only">
            {t`State`}
          </th>
        </tr>
      </thead>
      <tbody>
        {shown?.map((model) => {
          const rate = rates?.items.find((item) => item.model_class === model.model_class);
          const state = formatAvailability(model.availability);
          const isLoading = model.availability.tier === "loading";
          return (
            <tr key={model.id}>
              <td>
                <Link to={paths.model(model.id)}>
                  <ModelId id={model.id} />
                </Link>
                {isLoading ? <div className="tiny muted narrow-only">{state}</div> : null}
              </td>
              <td className="numeric wide-only">{formatParameterCount(model.parameter_size)}</td>
              <td className="numeric wide-only">{formatContextLength(model.context_length)}</td>
              <td>
                <Barbs active={model.concurrency_cost} total={4} label={t`${model.concurrency_cost} of 4 units`} />
              </td>
              <td className="numeric">{formatMilliseconds(rate?.p50_ttft_ms ?? null)}</td>
              <td className="numeric wide-only">{rate?.tokens_per_s == null ? "–" : Math.round(rate.tokens_per_s)}</td>
              <td className="small wide-only">
                <StateBadge tier={model.availability.tier}>{state}</StateBadge>
              </td>
            </tr>
          );
        }) ?? (
          <tr>
            <td colSpan={7} height={46}>
              <Skeleton width="50%" />
            </td>
          </tr>
        )}
        {shown?.length === 0 ? (
          <tr>
            <td colSpan={7} className="muted">
              {t`None just now. A model is warm as soon as something that runs it is found.`}
            </td>
          </tr>
        ) : null}
      </tbody>
    </table>
  );
}
