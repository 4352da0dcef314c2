import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { Fragment } from "react";
import { Link } from "react-router-dom";
import { Skeleton } from "#/components/ui/bits.tsx";
import { ReadFault } from "#/components/ui/fault-notice.tsx";
import { Moment } from "../cells.tsx";
import { adminPaths } from "../paths.ts";
import { auditQuery } from "../system/queries.ts";

const SHOWN = 20;

/** The latest actions of a user, from the audit log. */
export function UserActs({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(auditQuery({ actor_id: id, perPage: SHOWN }));
  return (
    <section aria-labelledby="acts">
      <h2 className="h4" id="acts">
        {t`What was done last`}
      </h2>
      {error && !data ? (
        <ReadFault what={t`The audit log`} error={error} again={() => void refetch()} />
      ) : !data ? (
        <Skeleton height={320} />
      ) : data.items.length === 0 ? (
        <p className="mid mt-2">{t`Nothing yet: whatever this user changes stands here.`}</p>
      ) : (
        <table className="list mt-2">
          <thead>
            <tr>
              <th>{t`Action`}</th>
              <th>{t`Done to`}</th>
              <th className="w">{t`Address`}</th>
              <th>{t`Time`}</th>
            </tr>
          </thead>
          <tbody>
            {data.items.map(({ id: row, action, target, target_name, ip, created_at }) => (
              <tr key={row}>
                <td className="mono small">
                  {action.split(".").map((word, index) => (
                    <Fragment key={word}>
                      {index > 0 ? "." : ""}
                      {word}
                      <wbr />
                    </Fragment>
                  ))}
                </td>
                <td className="small mid stranger" title={target ?? undefined}>
                  <bdi>{target_name ?? target ?? "–"}</bdi>
                </td>
                <td className="w mono small mid">{ip ?? "–"}</td>
                <td>
                  <Moment date={created_at} />
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
