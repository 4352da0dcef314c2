/** Addresses of the admin area. */
export const adminPaths = {
  models: "/admin/models",
  newModel: "/admin/models/create",
  model: (id: string) => `/admin/models/${encodeURIComponent(id)}`,
  price: (id: string) => `/admin/models/${encodeURIComponent(id)}/price`,
  plans: "/admin/plans",
  newPlan: "/admin/plans/create",
  plan: (id: string) => `/admin/plans/${encodeURIComponent(id)}`,
  users: "/admin/users",
  backends: "/admin/backends",
  usage: "/admin/usage",
  outbox: (state?: string) => `/admin/outbox${state ? `?state=${state}` : ""}`,
  modelRequests: "/admin/model-requests",
  reviews: "/admin/reviews",
  applications: (status?: string) => `/admin/applications${status ? `?status=${status}` : ""}`,
  importModels: (ids: readonly string[]) => `/admin/models/create?${new URLSearchParams({ ids: ids.join(",") })}`,
} as const;
