import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router-dom";
import { Barbs, ModelId, Skeleton } from "#/components/ui/bits.tsx";
import { ReadFault } from "#/components/ui/fault-notice.tsx";
import { paths } from "#/config/paths.ts";
import { modelsQuery } from "#/features/catalogue/queries.ts";
import { context, day, size } from "#/lib/format.ts";

const SHOWN = 6;

/** The latest models with their release dates. */
export function Newest() {
  const { data, isError, error, refetch } = useQuery(modelsQuery({ sort: "-released_date", perPage: SHOWN }));
  if (isError && data === undefined)
    return <ReadFault what={t`The newest models`} error={error} again={() => void refetch()} />;
  return (
    <table className="models">
      <thead>
        <tr>
          <th scope="col">{t`Released`}</th>
          <th scope="col">{t`Model`}</th>
          <th scope="col" className="n">
            {t`Size`}
          </th>
          <th scope="col" className="n w">
            {t`Context`}
          </th>
          <th scope="col" className="w">
            {t`Units`}
          </th>
        </tr>
      </thead>
      <tbody>
        {data?.items.map((model) => (
          <tr key={model.id}>
            <td className="num small whitespace-nowrap">
              {model.released_date ? (
                <Link className="mid" to={paths.release(day(model.released_date))}>
                  {day(model.released_date)}
                </Link>
              ) : (
                t`unknown`
              )}
            </td>
            <td>
              <Link to={paths.model(model.id)}>
                <ModelId id={model.id} />
              </Link>
              <div className="small dim">{model.description}</div>
            </td>
            <td className="n">{size(model.parameter_size)}</td>
            <td className="n w">{context(model.context_length)}</td>
            <td className="w">
              <Barbs on={model.concurrency_cost} of={4} label={t`${model.concurrency_cost} of 4 units`} />
            </td>
          </tr>
        )) ??
          Array.from({ length: SHOWN }, (_, row) => row).map((row) => (
            <tr key={row}>
              <td colSpan={5} style={{ height: 62 }}>
                <Skeleton width={`${70 - ((row * 13) % 40)}%`} />
              </td>
            </tr>
          ))}
      </tbody>
    </table>
  );
}
