import type { ImportPage } from "./page-module.ts";

// In the same chunk, because the layouts of these pages need them.
export { AccountMenu } from "./shell/account-menu.tsx";
export { AppFooter } from "./shell/app-footer.tsx";
export { BottomBar } from "./shell/bottom-bar.tsx";
export { DownloadActivity } from "./shell/download-activity.tsx";
export { MenuNav } from "./shell/menu-nav.tsx";
export { SideNav } from "./shell/side-nav.tsx";

/** Loaders of the pages of all private and admin routes, by path. */
export const PRIVATE_PAGES: Record<string, ImportPage> = {
  "/oauth/authorize": () => import("./routes/auth/oauth-authorize.tsx"),
  "/device": () => import("./routes/auth/device.tsx"),
  "/pricing": () => import("./routes/landing/pricing.tsx"),
  "/account/profile": () => import("./routes/account/profile.tsx"),
  "/account/change-password": () => import("./routes/account/change-password.tsx"),
  "/account/verify-email": () => import("./routes/account/verify-email.tsx"),
  "/account/organization": () => import("./routes/account/organization.tsx"),
  "/account/organization/log": () => import("./routes/account/organization-log.tsx"),
  "/account/organization/roles": () => import("./routes/account/organization-roles.tsx"),
  "/account/organization/webhooks": () => import("./routes/account/organization-webhooks.tsx"),
  "/account/referral": () => import("./routes/account/referral.tsx"),
  "/account/affiliate": () => import("./routes/account/affiliate.tsx"),
  "/connect-marketplace-account": () => import("./routes/billing/connect-marketplace-account.tsx"),
  "/onboarding": () => import("./routes/auth/onboarding.tsx"),
  "/developer/applications": () => import("./routes/developer/applications.tsx"),
  "/developer/applications/:id": () => import("./routes/developer/application.tsx"),
  "/account": () => import("./routes/account/subscription.tsx"),
  "/account/payment-methods": () => import("./routes/account/payment-methods.tsx"),
  "/account/payment-method-added": () => import("./routes/account/payment-method-added.tsx"),
  "/subscription/change": () => import("./routes/billing/subscription-change.tsx"),
  "/subscription/complete": () => import("./routes/billing/subscription-complete.tsx"),
  "/account/usage": () => import("./routes/account/usage.tsx"),
  "/account/api-keys": () => import("./routes/account/api-keys.tsx"),
  "/account/private-models": () => import("./routes/account/private-models.tsx"),
  "/account/private-cloud/deployments": () => import("./routes/account/deployments.tsx"),
  "/account/private-cloud/deployments/create": () => import("./routes/account/deployment-create.tsx"),
  "/account/private-cloud/deployments/:id": () => import("./routes/account/deployment.tsx"),
  "/admin/users": () => import("./routes/admin/users.tsx"),
  "/admin/users/:id": () => import("./routes/admin/user.tsx"),
  "/admin/invitations": () => import("./routes/admin/invitations.tsx"),
  "/admin/backends": () => import("./routes/admin/backends.tsx"),
  "/admin/backends/create": () => import("./routes/admin/backend-create.tsx"),
  "/admin/models": () => import("./routes/admin/models/models.tsx"),
  "/admin/models/create": () => import("./routes/admin/models/model-create.tsx"),
  "/admin/models/:id": () => import("./routes/admin/models/model.tsx"),
  "/admin/models/:id/price": () => import("./routes/admin/models/model-price.tsx"),
  "/admin": () => import("./routes/admin/overview.tsx"),
  "/admin/sentry-example-page": () => import("./routes/admin/sentry-example-page.tsx"),
  "/admin/model-requests": () => import("./routes/admin/models/model-requests.tsx"),
  "/admin/reviews": () => import("./routes/admin/models/reviews.tsx"),
  "/admin/deployments": () => import("./routes/admin/deployments.tsx"),
  "/admin/deployments/:id": () => import("./routes/admin/deployment.tsx"),
  "/admin/downloads": () => import("./routes/admin/downloads.tsx"),
  "/admin/operations": () => import("./routes/admin/operations.tsx"),
  "/admin/usage": () => import("./routes/admin/usage.tsx"),
  "/admin/plans": () => import("./routes/admin/billing/plans.tsx"),
  "/admin/plans/create": () => import("./routes/admin/billing/plan-create.tsx"),
  "/admin/plans/:id": () => import("./routes/admin/billing/plan.tsx"),
  "/admin/coupons": () => import("./routes/admin/billing/coupons.tsx"),
  "/admin/invoices": () => import("./routes/admin/billing/invoices.tsx"),
  "/admin/applications": () => import("./routes/admin/applications.tsx"),
  "/admin/incidents": () => import("./routes/admin/incidents.tsx"),
  "/admin/route-rules": () => import("./routes/admin/route-rules.tsx"),
  "/admin/outbox": () => import("./routes/admin/outbox.tsx"),
  "/admin/audit": () => import("./routes/admin/audit.tsx"),
  "/admin/settings": () => import("./routes/admin/settings.tsx"),
};
