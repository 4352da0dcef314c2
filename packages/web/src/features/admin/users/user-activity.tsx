import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { Fragment } from "react";
import { Link } from "react-router-dom";
import styles from "#/components/list/list-table.module.css";
import { LoadError } from "#/components/ui/feedback/load-error.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { adminPaths } from "../paths.ts";
import { RelativeTime } from "../relative-time.tsx";
import { auditQuery } from "../system/queries.ts";

const MAX_ENTRIES = 20;

/** The latest actions of a user in the audit log. */
export const userActivityQuery = (id: string) => auditQuery({ actor_id: id, perPage: MAX_ENTRIES });

/** The latest actions of a user, from the audit log. */
export function UserActivity({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(userActivityQuery(id));
  return (
    <section aria-labelledby="acts">
      <h2 className="h4" id="acts">
        {t`What was done last`}
      </h2>
      {error && !data ? (
        <LoadError subject={t`The audit log`} error={error} retry={() => void refetch()} />
      ) : !data ? (
        <Skeleton height={320} />
      ) : data.items.length === 0 ? (
        <p className="muted mt-2">{t`Nothing yet: whatever this user changes stands here.`}</p>
      ) : (
        <table className={`${styles.list} mt-2`}>
          <thead>
            <tr>
              <th>{t`Action`}</th>
              <th>{t`Done to`}</th>
              <th className="wide-only">{t`Address`}</th>
              <th>{t`Time`}</th>
            </tr>
          </thead>
          <tbody>
            {data.items.map(({ id: entryId, action, target, target_name, ip, created_at }) => (
              <tr key={entryId}>
                <td className="mono small">
                  {action.split(".").map((word, index) => (
                    <Fragment key={word}>
                      {index > 0 ? "." : ""}
                      {word}
                      <wbr />
                    </Fragment>
                  ))}
                </td>
                <td className="small muted user-text" title={target ?? undefined}>
                  <bdi>{target_name ?? target ?? "–"}</bdi>
                </td>
                <td className="wide-only mono small muted">{ip ?? "–"}</td>
                <td>
                  <RelativeTime date={created_at} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p className="mt-4">
        <Link className="link" to={adminPaths.audit({ actor_id: id })}>
          {t`All that this user did`}
        </Link>
        {" · "}
        <Link className="link" to={adminPaths.audit({ target: id })}>
          {t`All that was done to them`}
        </Link>
      </p>
    </section>
  );
}
