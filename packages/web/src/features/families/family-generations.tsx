import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router-dom";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { paths } from "#/config/paths.ts";
import { familiesQuery } from "#/entities/models/family-queries.ts";
import { formatCount, formatIsoDay } from "#/lib/format.ts";
import styles from "./family-generations.module.css";

/** The generations of a model family, newest first. */
export function FamilyGenerations({ family, current }: { family: string; current?: string }) {
  const { data, isError } = useQuery(familiesQuery);
  if (isError)
    return (
      <p className="notice" role="alert">
        {t`The generations cannot be read just now. Reload the page to try again.`}
      </p>
    );
  if (!data) return <Skeleton height={180} />;
  const subTypes = data.find(({ id }) => id === family)?.sub_types ?? [];
  if (subTypes.length === 0) return <p className="muted">{t`This family is not divided into generations.`}</p>;
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{t`Generation`}</th>
          <th scope="col" className="wide-only">
            {t`What it is`}
          </th>
          <th scope="col">{t`Released`}</th>
          <th scope="col" className="numeric">
            {t`Models`}
          </th>
        </tr>
      </thead>
      <tbody>
        {subTypes.map((subType) => (
          <tr
            key={subType.id}
            className={subType.id === current ? styles.current : undefined}
            aria-current={subType.id === current ? "true" : undefined}
          >
            <td>
              <Link className="id" to={paths.family(family, subType.id)}>
                {subType.name}
              </Link>
            </td>
            <td className="wide-only muted">{subType.description}</td>
            <td className="num small muted whitespace-nowrap">
              {subType.released_date ? (
                <Link className="link" to={paths.release(formatIsoDay(subType.released_date))}>
                  {formatIsoDay(subType.released_date)}
                </Link>
              ) : (
                t`unknown`
              )}
            </td>
            <td className="numeric">{formatCount(subType.model_count)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
