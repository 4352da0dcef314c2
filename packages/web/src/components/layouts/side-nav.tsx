import { NavLink, useLocation } from "react-router-dom";

export type SideGroup = { title: string; links: readonly { label: string; to: string }[] };

export const ACCOUNT_NAV: readonly SideGroup[] = [
  {
    title: "Account",
    links: [
      { label: "Subscription", to: "/account" },
      { label: "Profile", to: "/account/profile" },
      { label: "Payment methods", to: "/account/payment-methods" },
      { label: "Change password", to: "/account/change-password" },
    ],
  },
  {
    title: "Use",
    links: [
      { label: "Usage", to: "/account/usage" },
      { label: "API keys", to: "/account/api-keys" },
      { label: "Private models", to: "/account/private-models" },
      { label: "Deployments", to: "/account/private-cloud/deployments" },
    ],
  },
  {
    title: "Grow",
    links: [
      { label: "Referral", to: "/account/referral" },
      { label: "Affiliate", to: "/account/affiliate" },
      { label: "Applications", to: "/developer/applications" },
    ],
  },
];

export const ADMIN_NAV: readonly SideGroup[] = [
  {
    title: "Admin",
    links: [
      { label: "Overview", to: "/admin" },
      { label: "Users", to: "/admin/users" },
      { label: "Usage", to: "/admin/usage" },
      { label: "Audit log", to: "/admin/audit" },
    ],
  },
  {
    title: "Models",
    links: [
      { label: "Models", to: "/admin/models" },
      { label: "Requests", to: "/admin/model-requests" },
      { label: "Reviews", to: "/admin/reviews" },
      { label: "Downloads", to: "/admin/downloads" },
      { label: "Backends", to: "/admin/backends" },
      { label: "Deployments", to: "/admin/deployments" },
    ],
  },
  {
    title: "Money",
    links: [
      { label: "Plans", to: "/admin/plans" },
      { label: "Coupons", to: "/admin/coupons" },
      { label: "Invoices", to: "/admin/invoices" },
    ],
  },
  {
    title: "Platform",
    links: [
      { label: "Incidents", to: "/admin/incidents" },
      { label: "Applications", to: "/admin/applications" },
      { label: "Route rules", to: "/admin/route-rules" },
      { label: "Outbox", to: "/admin/outbox" },
      { label: "Settings", to: "/admin/settings" },
      { label: "Error reporting test", to: "/admin/sentry-example-page" },
    ],
  },
];

/** Pages that others stand below without being parts of them. */
const ROOTS: ReadonlySet<string> = new Set(["/account", "/admin"]);

type Props = { groups: readonly SideGroup[]; label: string };

/** The pages of an area: at the side, and where there is no room for that, behind a line above the page. */
export function SideNav({ groups, label }: Props) {
  const { pathname } = useLocation();
  return (
    <>
      <aside className="side">
        <SideLinks groups={groups} label={label} />
      </aside>
      <details className="side-small" key={pathname}>
        <summary>{label}: all pages</summary>
        <SideLinks groups={groups} label={`Pages of ${label}`} />
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
            <NavLink key={to} to={to} end={ROOTS.has(to)}>
              {text}
            </NavLink>
          ))}
        </div>
      ))}
    </nav>
  );
}
