import type { Query, UsageReportRequest } from "@feather/sdk";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { queries } from "#/lib/queries.ts";

/** One page of the audit log. */
export const auditQuery = (query: Query<"admin.audit">) =>
  queryOptions({
    ...queries.admin.audit.queryOptions(query),
    placeholderData: keepPreviousData,
  });

/** One page of the outbox. */
export const outboxQuery = (query: Query<"admin.outbox">) =>
  queryOptions({
    ...queries.admin.outbox.queryOptions(query),
    placeholderData: keepPreviousData,
  });

/** One page of the OAuth applications. */
export const applicationsQuery = (query: Query<"admin.applications">) =>
  queryOptions({
    ...queries.admin.applications.queryOptions(query),
    placeholderData: keepPreviousData,
  });

/** The server's settings and exposure. */
export const settingsQuery = queryOptions({
  ...queries.admin.settings.queryOptions(),
});

/** The programs that run models on this machine, and the models in memory. */
export const modelHostQuery = queryOptions({
  ...queries.admin.modelHost.get.queryOptions(),
});

/** The incidents of the status page. */
export const incidentsQuery = queryOptions({
  ...queries.status.incidents.queryOptions(),
});

/** All redirect rules. */
export const routeRulesQuery = queryOptions({
  ...queries.admin.routeRules.list.queryOptions(),
});

/** One page of all organizations' deployments. */
export const deploymentsQuery = (page: number) =>
  queryOptions({
    ...queries.admin.deployments.list.queryOptions({ page, perPage: 50 }),
    placeholderData: keepPreviousData,
  });

/** One deployment. */
export const deploymentByIdQuery = (id: string) =>
  queryOptions({
    ...queries.admin.deployments.get.queryOptions(id),
  });

/** A usage report. */
export const usageQuery = (body: UsageReportRequest) =>
  queryOptions({
    ...queries.admin.usage.queryOptions(body),
    placeholderData: keepPreviousData,
  });
