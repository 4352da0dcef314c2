const withQuery = (path: string, query: Record<string, string | undefined>): string => {
  const entries = Object.entries(query).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== "",
  );
  return entries.length === 0 ? path : `${path}?${new URLSearchParams(entries)}`;
};

/** Builders for the paths of the site. */
export const paths = {
  home: "/",
  models: (
    query: {
      search?: string;
      family?: string;
      tags?: string;
      license?: string;
      availability?: string;
      saved?: "1";
    } = {},
  ) => withQuery("/models", query),
  model: (id: string, tab?: "readme" | "reviews") => `/models/${id}${tab ? `/${tab}` : ""}`,
  family: (family: string, subType?: string) =>
    `/model-families/${encodeURIComponent(family)}${subType ? `/${encodeURIComponent(subType)}` : ""}`,
  release: (date: string) => `/model-releases/${date}`,
  chat: (model?: string) => withQuery("/chat", { model }),
  chatWithModels: (models: readonly string[]) =>
    `/chat?${new URLSearchParams(models.map((model) => ["model", model]))}`,
  login: (returnTo?: string) => withQuery("/login", { returnTo }),
  register: (returnTo?: string) => withQuery("/register", { returnTo }),
  registerWithInvitation: (invitation: string) => withQuery("/register", { invitation }),
  invitation: (token: string) => `/invitations/${encodeURIComponent(token)}`,
  verifyEmail: "/account/verify-email",
  apiKeys: "/account/api-keys",
  account: "/account",
  profile: "/account/profile",
  security: "/account/change-password",
  organization: "/account/organization",
  organizationLog: "/account/organization/log",
  organizationRoles: "/account/organization/roles",
  organizationProviderKeys: "/account/organization/provider-keys",
  collections: "/account/collections",
  collection: (id: string) => `/account/collections/${encodeURIComponent(id)}`,
  prompts: "/account/prompts",
  organizationPrompts: "/account/organization/prompts",
  organizationTools: "/account/organization/tools",
  organizationWebhooks: "/account/organization/webhooks",
  usage: "/account/usage",
  admin: "/admin",
  docs: (slug = "quickstart") => `/docs/${slug}`,
  pricing: "/pricing",
  status: "/status",
  changePlan: (query: { plan?: string; quantity?: string; coupon?: string } = {}) =>
    withQuery("/subscription/change", query),
  subscriptionComplete: (query: { plan: string; quantity: string; state?: "pending" }) =>
    withQuery("/subscription/complete", query),
  paymentMethods: "/account/payment-methods",
  referral: "/account/referral",
  affiliate: "/account/affiliate",
  applications: "/developer/applications",
  application: (id: string) => `/developer/applications/${encodeURIComponent(id)}`,
  onboarding: "/onboarding",
  privateModels: "/account/private-models",
  deployments: "/account/private-cloud/deployments",
  newDeployment: (query: { model?: string } = {}) => withQuery("/account/private-cloud/deployments/create", query),
  deployment: (id: string) => `/account/private-cloud/deployments/${encodeURIComponent(id)}`,
} as const;
