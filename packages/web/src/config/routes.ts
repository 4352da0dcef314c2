/** Who may open a route. Whatever isn't said to be public is private. */
export type Access = "public" | "private" | "admin";
/** The frame around a page. `account` and `admin` are the default frame with a side navigation. */
export type Layout = "blank" | "default" | "docs" | "account" | "admin";

export type RouteSpec = { path: string; title: string; access: Access; layout: Layout; clientOnly?: true };

const page = (path: string, title: string, access: Access = "public", layout: Layout = "default"): RouteSpec => ({
  path,
  title,
  access,
  layout,
});
const clientOnly = (route: RouteSpec): RouteSpec => ({ ...route, clientOnly: true });
const account = (path: string, title: string): RouteSpec => page(`/account${path}`, title, "private", "account");
const admin = (path: string, title: string): RouteSpec => page(`/admin${path}`, title, "admin", "admin");

/** Every route of the site: path, title, who may open it, and its frame. */
export const ROUTES: readonly RouteSpec[] = [
  page("/", "Open models, ready when you ask"),
  page("/about", "About"),
  page("/blog", "Blog"),
  page("/blog/*", "Blog"),
  page("/bulk", "Bulk inference"),
  page("/chat", "Chat"),
  page("/cline", "Cline"),
  page("/roo-code", "Roo Code"),
  page("/deepseek", "DeepSeek"),
  page("/deepseek-premium", "DeepSeek Premium"),
  page("/openai", "OpenAI compatible"),
  page("/discord", "Discord"),
  page("/cookie-policy", "Cookie Policy"),
  page("/privacy", "Privacy Policy"),
  page("/terms", "Terms of Service"),
  page("/guide", "Guide"),
  page("/sponsorship", "Sponsorship"),
  page("/models", "Models"),
  page("/models/:owner/:name", "Model"),
  page("/models/:owner/:name/readme", "Readme"),
  page("/models/:owner/:name/reviews", "Reviews"),
  page("/model-families/:family", "Model family"),
  page("/model-families/:family/:subTypeId", "Model family"),
  page("/model-releases/:date", "Model releases"),
  page("/docs/*", "Docs", "public", "docs"),
  page("/login", "Login"),
  page("/register", "Sign up"),
  page("/reset-password", "Reset password"),
  page("/status", "Status"),
  page("/auth/:provider/callback", "Signing in", "public", "blank"),
  page("/pricing", "Pricing", "private"),
  page("/onboarding", "Welcome", "private"),
  page("/oauth/authorize", "Authorize", "private"),
  page("/device", "Sign in on a device", "private"),
  page("/connect-marketplace-account", "Connect marketplace account", "private", "blank"),
  clientOnly(page("/subscription/change", "Change subscription", "private")),
  clientOnly(page("/subscription/complete", "Subscription complete", "private")),
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
];
