import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router-dom";
import { LoadError } from "#/components/ui/feedback/load-error.tsx";
import { Barbs } from "#/components/ui/labels/barbs.tsx";
import { ModelId } from "#/components/ui/labels/model-id.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { paths } from "#/config/paths.ts";
import { modelsQuery } from "#/entities/models/queries.ts";
import { formatContextLength, formatIsoDay, formatParameterCount } from "#/lib/format.ts";

const MAX_MODELS = 6;

/** The latest models with their release dates. */
export function NewestModels() {
  const { data, isError, error, refetch } = useQuery(modelsQuery({ sort: "-released_date", perPage: MAX_MODELS }));
  if (isError && data === undefined)
    return <LoadError subject={t`The newest models`} error={error} retry={() => void refetch()} />;
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{t`Released`}</th>
          <th scope="col">{t`Model`}</th>
          <th scope="col" className="numeric">
            {t`Size`}
          </th>
          <th scope="col" className="numeric wide-only">
            {t`Context`}
          </th>
          <th scope="col" className="wide-only">
            {t`Units`}
          </th>
        </tr>
      </thead>
      <tbody>
        {data?.items.map((model) => (
          <tr key={model.id}>
            <td className="num small whitespace-nowrap">
              {model.released_date ? (
                <Link className="muted" to={paths.release(formatIsoDay(model.released_date))}>
                  {formatIsoDay(model.released_date)}
                </Link>
              ) : (
                t`unknown`
              )}
            </td>
            <td>
              <Link to={paths.model(model.id)}>
                <ModelId id={model.id} />
              </Link>
              <div className="small faint">{model.description}</div>
            </td>
            <td className="numeric">{formatParameterCount(model.parameter_size)}</td>
            <td className="numeric wide-only">{formatContextLength(model.context_length)}</td>
            <td className="wide-only">
              <Barbs active={model.concurrency_cost} total={4} label={t`${model.concurrency_cost} of 4 units`} />
            </td>
          </tr>
        )) ??
          Array.from({ length: MAX_MODELS }, (_, row) => row).map((row) => (
            <tr key={row}>
              <td colSpan={5} height={62}>
                <Skeleton width={`${70 - ((row * 13) % 40)}%`} />
              </td>
            </tr>
          ))}
      </tbody>
    </table>
  );
}
