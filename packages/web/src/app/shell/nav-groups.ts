import { t } from "@lingui/core/macro";
import { paths } from "#/config/paths.ts";

/** A titled group of links in a side navigation; `title` is null for links at its top. `id` is unique in all areas. */
export type NavGroup = { id: string; title: string | null; links: readonly { label: string; to: string }[] };

/** The side navigation of signed-in users, by what people do. */
export const APP_NAV: readonly NavGroup[] = [
  { id: "home", title: null, links: [{ label: t`Home`, to: paths.home }] },
  {
    id: "build",
    title: t`Build`,
    links: [
      { label: t`API keys`, to: paths.apiKeys },
      { label: t`Usage`, to: paths.usage },
      { label: t`Collections`, to: paths.collections },
      { label: t`Deployments`, to: paths.deployments },
      { label: t`Private models`, to: paths.privateModels },
      { label: t`Applications`, to: paths.applications },
    ],
  },
  {
    id: "organization",
    title: t`Organization`,
    links: [
      { label: t`Members`, to: paths.organization },
      { label: t`Provider keys`, to: paths.organizationProviderKeys },
      { label: t`Tools`, to: paths.organizationTools },
      { label: t`Prompts`, to: paths.organizationPrompts },
      { label: t`Webhooks`, to: paths.organizationWebhooks },
      { label: t`Subscription`, to: paths.account },
      { label: t`Payment methods`, to: paths.paymentMethods },
    ],
  },
  {
    id: "you",
    title: t`You`,
    links: [
      { label: t`Profile`, to: paths.profile },
      { label: t`My prompts`, to: paths.prompts },
      { label: t`Change password`, to: paths.security },
      { label: t`Referral`, to: paths.referral },
      { label: t`Affiliate`, to: paths.affiliate },
    ],
  },
];

/** The side navigation of the admin area. */
export const ADMIN_NAV: readonly NavGroup[] = [
  { id: "back", title: null, links: [{ label: t`Back to your home`, to: paths.home }] },
  {
    id: "admin-people",
    title: t`Admin`,
    links: [
      { label: t`Overview`, to: "/admin" },
      { label: t`Users`, to: "/admin/users" },
      { label: t`Invitations`, to: "/admin/invitations" },
      { label: t`Usage`, to: "/admin/usage" },
      { label: t`Operations`, to: "/admin/operations" },
      { label: t`Audit log`, to: "/admin/audit" },
    ],
  },
  {
    id: "admin-models",
    title: t`Models`,
    links: [
      { label: t`Models`, to: "/admin/models" },
      { label: t`Requests`, to: "/admin/model-requests" },
      { label: t`Reviews`, to: "/admin/reviews" },
      { label: t`Downloads`, to: "/admin/downloads" },
      { label: t`Backends`, to: "/admin/backends" },
      { label: t`Routing`, to: "/admin/routing" },
      { label: t`Tools`, to: "/admin/tools" },
      { label: t`Deployments`, to: "/admin/deployments" },
    ],
  },
  {
    id: "admin-money",
    title: t`Money`,
    links: [
      { label: t`Revenue`, to: "/admin/revenue" },
      { label: t`Plans`, to: "/admin/plans" },
      { label: t`Coupons`, to: "/admin/coupons" },
      { label: t`Currencies`, to: "/admin/currencies" },
      { label: t`Invoices`, to: "/admin/invoices" },
      { label: t`Marketplaces`, to: "/admin/marketplaces" },
    ],
  },
  {
    id: "admin-platform",
    title: t`Platform`,
    links: [
      { label: t`Incidents`, to: "/admin/incidents" },
      { label: t`Applications`, to: "/admin/applications" },
      { label: t`Route rules`, to: "/admin/route-rules" },
      { label: t`Content`, to: "/admin/content" },
      { label: t`Mails`, to: "/admin/mails" },
      { label: t`Outbox`, to: "/admin/outbox" },
      { label: t`Settings`, to: "/admin/settings" },
      { label: t`Error reporting test`, to: "/admin/sentry-example-page" },
    ],
  },
];

/** The link to the admin area, for admins of the platform. */
const PLATFORM_NAV: NavGroup = { id: "platform", title: t`Platform`, links: [{ label: t`Admin`, to: paths.admin }] };

/** Returns the side navigation of an area. */
export function listNavGroups(area: "account" | "admin", isAdmin: boolean): readonly NavGroup[] {
  if (area === "admin") return ADMIN_NAV;
  return isAdmin ? [...APP_NAV, PLATFORM_NAV] : APP_NAV;
}
