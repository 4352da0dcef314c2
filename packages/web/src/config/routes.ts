/** Who may open a route; private is the default. */
export type Access = "public" | "private" | "admin";
/** The layout around a page. `account` and `admin` are the default layout with a side navigation. */
export type Layout = "blank" | "default" | "docs" | "account" | "admin";

/** A route of the site. `clientOnly` marks pages that only make sense in a browser. */
export type RouteSpec = { path: string; title: string; access: Access; layout: Layout; clientOnly?: true };

/** The access to every path that begins with a prefix, in any letter case and whatever its route says. */
export type AccessByPrefix = { prefix: string; access: Access };

/**
 * Paths whose access is not that of their route. The build writes them to the manifest, by which the server decides like the
 * site.
 */
export const ACCESS_BY_PREFIX: readonly AccessByPrefix[] = [
  // No pages of the site. The handlers of these paths check the caller.
  { prefix: "/api", access: "public" },
  { prefix: "/cms", access: "public" },
  // Unknown paths too, so that visitors cannot find out which admin pages exist.
  { prefix: "/admin", access: "admin" },
];

const page = (path: string, title: string, access: Access = "private", layout: Layout = "default"): RouteSpec => ({
  path,
  title,
  access,
  layout,
});
const publicPage = (path: string, title: string, layout: Layout = "default"): RouteSpec =>
  page(path, title, "public", layout);
const clientOnly = (route: RouteSpec): RouteSpec => ({ ...route, clientOnly: true });
const account = (path: string, title: string): RouteSpec => page(`/account${path}`, title, "private", "account");
const admin = (path: string, title: string): RouteSpec => page(`/admin${path}`, title, "admin", "admin");

/** Every route of the site: path, title, access and layout. */
export const ROUTES: readonly RouteSpec[] = [
  publicPage("/", "Open models, on your own machines"),
  publicPage("/about", "About"),
  publicPage("/blog", "Blog"),
  publicPage("/blog/*", "Blog"),
  publicPage("/bulk", "Bulk inference"),
  publicPage("/chat", "Chat"),
  publicPage("/cline", "Cline"),
  publicPage("/roo-code", "Roo Code"),
  publicPage("/deepseek", "DeepSeek"),
  publicPage("/deepseek-premium", "DeepSeek Premium"),
  publicPage("/openai", "OpenAI compatible"),
  publicPage("/discord", "Discord"),
  publicPage("/cookie-policy", "Cookie Policy"),
  publicPage("/privacy", "Privacy Policy"),
  publicPage("/terms", "Terms of Service"),
  publicPage("/guide", "Guide"),
  publicPage("/sponsorship", "Sponsorship"),
  publicPage("/models", "Models"),
  publicPage("/models/:owner/:name", "Model"),
  publicPage("/models/:owner/:name/readme", "Readme"),
  publicPage("/models/:owner/:name/reviews", "Reviews"),
  publicPage("/model-families/:family", "Model family"),
  publicPage("/model-families/:family/:subTypeId", "Model family"),
  publicPage("/model-releases/:date", "Model releases"),
  publicPage("/docs", "Docs", "docs"),
  publicPage("/docs/*", "Docs", "docs"),
  publicPage("/login", "Login"),
  publicPage("/register", "Sign up"),
  publicPage("/reset-password", "Reset password"),
  publicPage("/confirm-email", "Confirm your e-mail"),
  publicPage("/status", "Status"),
  publicPage("/auth/:provider/callback", "Signing in", "blank"),
  page("/pricing", "Pricing"),
  page("/onboarding", "Welcome"),
  page("/oauth/authorize", "Authorize"),
  publicPage("/deployments/open", "Open a deployment"),
  page("/device", "Sign in on a device"),
  publicPage("/invitations/:token", "Join an organization"),
  publicPage("/shared-chats/:token", "Shared chat"),
  publicPage("/:slug", "Page"),
  page("/connect-marketplace-account", "Connect marketplace account", "private", "blank"),
  clientOnly(page("/subscription/change", "Change subscription")),
  clientOnly(page("/subscription/complete", "Subscription complete")),
  page("/developer/applications", "Applications", "private", "account"),
  page("/developer/applications/:id", "Application", "private", "account"),
  account("", "My Account > Subscription"),
  account("/affiliate", "My Account > Affiliate Program"),
  account("/api-keys", "API Keys"),
  account("/change-password", "Change password"),
  clientOnly(account("/payment-methods", "Payment methods")),
  account("/payment-method-added", "Payment method added"),
  account("/private-models", "Private Models"),
  account("/private-cloud/deployments", "Deployments"),
  account("/private-cloud/deployments/create", "Create deployment"),
  account("/private-cloud/deployments/:id", "Deployment"),
  account("/organization", "Organization"),
  account("/organization/log", "Organization > Audit log"),
  account("/organization/roles", "Organization > Roles"),
  account("/organization/provider-keys", "Organization > Provider keys"),
  account("/organization/tools", "Organization > Tools"),
  account("/organization/prompts", "Organization > Prompts"),
  account("/prompts", "My Account > Prompts"),
  account("/collections", "Collections"),
  account("/collections/:id", "Collection"),
  account("/organization/webhooks", "Organization > Webhooks"),
  account("/profile", "Profile"),
  account("/referral", "My Account > Referral Program"),
  account("/usage", "Usage History"),
  account("/verify-email", "Email verification required"),
  admin("", "Admin"),
  admin("/models", "Admin > Models"),
  admin("/models/create", "Admin > Create model"),
  admin("/models/:id", "Admin > Model"),
  admin("/models/:id/price", "Admin > Model price"),
  admin("/sentry-example-page", "Error reporting test"),
  admin("/users", "Admin > Users"),
  admin("/users/:id", "Admin > User"),
  admin("/invitations", "Admin > Invitations"),
  admin("/model-requests", "Admin > Model requests"),
  admin("/reviews", "Admin > Reviews"),
  admin("/backends", "Admin > Backends"),
  admin("/backends/create", "Admin > Add a backend"),
  admin("/routing", "Admin > Routing"),
  admin("/tools", "Admin > Tools"),
  admin("/deployments", "Admin > Deployments"),
  admin("/deployments/:id", "Admin > Deployment"),
  admin("/downloads", "Admin > Downloads"),
  admin("/usage", "Admin > Usage"),
  admin("/operations", "Admin > Operations"),
  admin("/plans", "Admin > Plans"),
  admin("/plans/create", "Admin > Create plan"),
  admin("/plans/:id", "Admin > Plan"),
  admin("/coupons", "Admin > Coupons"),
  admin("/currencies", "Admin > Currencies"),
  admin("/revenue", "Admin > Revenue"),
  admin("/invoices", "Admin > Invoices"),
  admin("/marketplaces", "Admin > Marketplaces"),
  admin("/applications", "Admin > Applications"),
  admin("/incidents", "Admin > Incidents"),
  admin("/route-rules", "Admin > Route rules"),
  admin("/content", "Admin > Content"),
  admin("/content/:kind/:slug", "Admin > Post or page"),
  admin("/mails", "Admin > Mails"),
  admin("/mails/:name", "Admin > Mail"),
  admin("/outbox", "Admin > Outbox"),
  admin("/audit", "Admin > Audit log"),
  admin("/settings", "Admin > Settings"),
];
