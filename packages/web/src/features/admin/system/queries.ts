import type { Body, Query, Result } from "@feather/sdk";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { feather } from "#/lib/feather.ts";

/** A message in the outbox. */
export type OutboxMessage = Result<"admin.outbox">["items"][number];
/** A setting of the server with its value. */
export type Setting = Result<"admin.settings">["items"][number];

/** One page of the audit log. */
export const auditQuery = (query: Query<"admin.audit">) =>
  queryOptions({
    queryKey: ["admin", "audit", query],
    queryFn: async () => feather.admin.audit(query),
    placeholderData: keepPreviousData,
  });

/** One page of the outbox. */
export const outboxQuery = (query: Query<"admin.outbox">) =>
  queryOptions({
    queryKey: ["admin", "outbox", query],
    queryFn: async () => feather.admin.outbox(query),
    placeholderData: keepPreviousData,
  });

/** One page of the OAuth applications. */
export const applicationsQuery = (query: Query<"admin.applications">) =>
  queryOptions({
    queryKey: ["admin", "applications", query],
    queryFn: async () => feather.admin.applications(query),
    placeholderData: keepPreviousData,
  });

/** The server's settings and exposure. */
export const settingsQuery = queryOptions({
  queryKey: ["admin", "settings"],
  queryFn: async () => feather.admin.settings(),
});

/** The incidents of the status page. */
export const incidentsQuery = queryOptions({
  queryKey: ["admin", "incidents"],
  queryFn: async () => feather.status.incidents(),
});

/** All redirect rules. */
export const routeRulesQuery = queryOptions({
  queryKey: ["admin", "route-rules"],
  queryFn: async () => feather.admin.routeRules.list(),
});

/** One page of all organizations' deployments. */
export const deploymentsQuery = (page: number) =>
  queryOptions({
    queryKey: ["admin", "deployments", page],
    queryFn: async () => feather.admin.deployments.list({ page, perPage: 50 }),
    placeholderData: keepPreviousData,
  });

/** One deployment. */
export const deploymentByIdQuery = (id: string) =>
  queryOptions({
    queryKey: ["admin", "deployments", "one", id],
    queryFn: async () => feather.admin.deployments.get(id),
  });

/** A usage report. */
export const usageQuery = (body: Body<"admin.usage">) =>
  queryOptions({
    queryKey: ["admin", "usage", body],
    queryFn: async () => feather.admin.usage(body),
    placeholderData: keepPreviousData,
  });
