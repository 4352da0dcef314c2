import { t } from "@lingui/core/macro";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { Skeleton } from "#/components/ui/bits.tsx";
import { CopyButton } from "#/components/ui/code.tsx";
import { count } from "#/lib/format.ts";
import { Id, Moment } from "../cells.tsx";
import { adminPaths } from "../paths.ts";
import type { AdminUser } from "./queries.ts";
import { UserState } from "./user-columns.tsx";

/** Details of a user account. */
export function UserFacts({ user, plan }: { user: AdminUser | undefined; plan: string | undefined }) {
  if (!user) return <Skeleton height={320} />;
  const facts: [string, ReactNode][] = [
    [t`State`, <UserState key="state" user={user} />],
    [t`Role`, user.is_admin ? t`admin` : t`user`],
    [t`Username`, user.username],
    [t`Plan`, plan ?? user.plan_id],
    [
      t`Requests, 30 days`,
      <span key="requests" className="num">
        {count(user.requests_30d)}
      </span>,
    ],
    [t`Last seen`, <Moment key="seen" date={user.last_seen_at} />],
    [t`Joined`, <Moment key="joined" date={user.created_at} />],
    [t`User id`, <CopiedId key="user" id={user.id} />],
    [t`Organization id`, <CopiedId key="organization" id={user.organization_id} />],
  ];
  return (
    <aside aria-label={t`Account`}>
      <dl className="pairs">
        {facts.map(([label, value]) => (
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

function CopiedId({ id }: { id: string }) {
  return (
    <>
      <Id>{id}</Id> <CopyButton text={id} what={id} />
    </>
  );
}
