import type { AdminUser } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { CopyButton } from "#/components/ui/code/copy-button.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { formatCount } from "#/lib/format.ts";
import styles from "../admin.module.css";
import { Id } from "../id.tsx";
import { adminPaths } from "../paths.ts";
import { RelativeTime } from "../relative-time.tsx";
import { UserState } from "./user-columns.tsx";

/** Details of a user account. */
export function UserDetails({ user, plan }: { user: AdminUser | undefined; plan: string | undefined }) {
  if (!user) return <Skeleton height={320} />;
  const details: [string, ReactNode][] = [
    [t`State`, <UserState key="state" user={user} />],
    [t`Role`, user.is_admin ? t`admin` : t`user`],
    [t`Username`, user.username],
    [t`Plan`, plan ?? user.plan_id],
    [
      t`Requests, 30 days`,
      <span key="requests" className="num">
        {formatCount(user.requests_30d)}
      </span>,
    ],
    [t`Last seen`, <RelativeTime key="seen" date={user.last_seen_at} />],
    [t`Joined`, <RelativeTime key="joined" date={user.created_at} />],
    [t`User id`, <CopyableId key="user" id={user.id} />],
    [t`Organization id`, <CopyableId key="organization" id={user.organization_id} />],
  ];
  return (
    <aside aria-label={t`Account`}>
      <dl className={styles.pairs}>
        {details.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-4">
        <Link className="link" to={adminPaths.audit({ organization_id: user.organization_id })}>
          {t`What was done for the organization`}
        </Link>
      </p>
    </aside>
  );
}

function CopyableId({ id }: { id: string }) {
  return (
    <>
      <Id>{id}</Id> <CopyButton text={id} subject={id} />
    </>
  );
}
