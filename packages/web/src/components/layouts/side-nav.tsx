import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { NavLink, useLocation } from "react-router-dom";

/** A titled group of links in a side navigation. */
export type NavGroup = { title: string; links: readonly { label: string; to: string }[] };

/** The side navigation of the account pages. */
export const ACCOUNT_NAV: readonly NavGroup[] = [
  {
    title: t`Account`,
    links: [
      { label: t`Subscription`, to: "/account" },
      { label: t`Profile`, to: "/account/profile" },
      { label: t`Organization`, to: "/account/organization" },
      { label: t`Payment methods`, to: "/account/payment-methods" },
      { label: t`Change password`, to: "/account/change-password" },
    ],
  },
  {
    title: t`Use`,
    links: [
      { label: t`Usage`, to: "/account/usage" },
      { label: t`API keys`, to: "/account/api-keys" },
      { label: t`Private models`, to: "/account/private-models" },
      { label: t`Deployments`, to: "/account/private-cloud/deployments" },
    ],
  },
  {
    title: t`Grow`,
    links: [
      { label: t`Referral`, to: "/account/referral" },
      { label: t`Affiliate`, to: "/account/affiliate" },
      { label: t`Applications`, to: "/developer/applications" },
    ],
  },
];

/** The side navigation of the admin area. */
export const ADMIN_NAV: readonly NavGroup[] = [
  {
    title: t`Admin`,
    links: [
      { label: t`Overview`, to: "/admin" },
      { label: t`Users`, to: "/admin/users" },
      { label: t`Invitations`, to: "/admin/invitations" },
      { label: t`Usage`, to: "/admin/usage" },
      { label: t`Audit log`, to: "/admin/audit" },
    ],
  },
  {
    title: t`Models`,
    links: [
      { label: t`Models`, to: "/admin/models" },
      { label: t`Requests`, to: "/admin/model-requests" },
      { label: t`Reviews`, to: "/admin/reviews" },
      { label: t`Downloads`, to: "/admin/downloads" },
      { label: t`Backends`, to: "/admin/backends" },
      { label: t`Deployments`, to: "/admin/deployments" },
    ],
  },
  {
    title: t`Money`,
    links: [
      { label: t`Plans`, to: "/admin/plans" },
      { label: t`Coupons`, to: "/admin/coupons" },
      { label: t`Invoices`, to: "/admin/invoices" },
    ],
  },
  {
    title: t`Platform`,
    links: [
      { label: t`Incidents`, to: "/admin/incidents" },
      { label: t`Applications`, to: "/admin/applications" },
      { label: t`Route rules`, to: "/admin/route-rules" },
      { label: t`Outbox`, to: "/admin/outbox" },
      { label: t`Settings`, to: "/admin/settings" },
      { label: t`Error reporting test`, to: "/admin/sentry-example-page" },
    ],
  },
];

/** Links that are active on an exact match only, because other pages are below their path. */
const EXACT_MATCH_PATHS: ReadonlySet<string> = new Set(["/account", "/admin"]);

type Props = { groups: readonly NavGroup[]; label: string };

/** The navigation of an area: a sidebar, and on narrow screens a disclosure above the page. */
export function SideNav({ groups, label }: Props) {
  const { pathname } = useLocation();
  return (
    <>
      <aside className="side">
        <SideLinks groups={groups} label={label} />
      </aside>
      <details className="side-small" key={pathname}>
        <summary>
          <Trans>{label}: all pages</Trans>
        </summary>
        <SideLinks groups={groups} label={t`Pages of ${label}`} />
      </details>
    </>
  );
}

function SideLinks({ groups, label }: Props) {
  return (
    <nav aria-label={label}>
      {groups.map(({ title, links }) => (
        <div key={title}>
          <p className="label">{title}</p>
          {links.map(({ label: text, to }) => (
            <NavLink key={to} to={to} end={EXACT_MATCH_PATHS.has(to)}>
              {text}
            </NavLink>
          ))}
        </div>
      ))}
    </nav>
  );
}
