import type { components } from "@feather/openapi/schema";
import { z } from "zod";
import { errors } from "../core/errors/index.ts";
import type { Handlers } from "../core/http/handlers.ts";
import { parsePage, toPagination } from "../core/http/pagination.ts";
import type { AuditFilter, AuditRepository, NamedAuditRow } from "./audit.repository.ts";

type AuditEntry = components["schemas"]["AuditEntry"];

const detailsSchema = z.record(z.string(), z.unknown());
type PageQuery = Parameters<typeof parsePage>[0];

/** Handlers that list the audit log, for admins of the platform and for organizations. */
export function createAuditRoutes({ auditRepository }: { auditRepository: AuditRepository }): Handlers {
  async function list(filter: AuditFilter, query: PageQuery, toDto: (row: NamedAuditRow) => AuditEntry) {
    if (filter.from_date !== undefined && filter.to_date !== undefined && filter.from_date > filter.to_date)
      throw errors.invalidRequest("from_date is not valid: it lies behind to_date.", { param: "from_date" });
    const page = parsePage(query);
    const { rows, total } = await auditRepository.list(filter, page);
    return { items: rows.map(toDto), pagination: toPagination(page, total) };
  }

  return {
    "admin.audit": ({ query }) => list(toFilter(query), query, toAuditEntryDto),

    "organization.audit": ({ actor, query }) =>
      list({ ...toFilter(query), organization_id: actor.organizationId }, query, toOrganizationAuditEntryDto),
  };
}

/** Returns the query without its pagination parameters. */
function toFilter(query: PageQuery & AuditFilter): AuditFilter {
  const { page: _, perPage: __, per_page: ___, ...filter } = query;
  return filter;
}

function toAuditEntryDto(row: NamedAuditRow): AuditEntry {
  const user = toNamedUser(row.actor_user_id, row.user_name, row.user_email);
  const impersonator = toNamedUser(row.impersonator_user_id, row.impersonator_name, row.impersonator_email);
  return {
    id: row.sequence,
    action: row.action,
    actor_id: row.impersonator_user_id ?? row.actor_user_id,
    subject_id: row.impersonator_user_id === null ? null : row.actor_user_id,
    organization_id: row.organization_id,
    credential: row.credential,
    target: row.target,
    ip: row.ip,
    details: detailsSchema.parse(row.details),
    hash: row.hash.toString("hex"),
    created_at: row.at.toISOString(),
    actor: row.impersonator_user_id === null ? user : impersonator,
    subject: row.impersonator_user_id === null ? null : user,
    organization:
      row.organization_id === null || row.organization_name === null
        ? null
        : { id: row.organization_id, name: row.organization_name },
    target_name: row.target_name,
  };
}

function toNamedUser(id: string | null, name: string | null, email: string | null): AuditEntry["actor"] {
  return id === null || name === null || email === null ? null : { id, name, email };
}

/** Hides the name and IP address of platform admins from organizations. */
function toOrganizationAuditEntryDto(row: NamedAuditRow): AuditEntry {
  const entry = toAuditEntryDto(row);
  return row.impersonator_user_id === null ? entry : { ...entry, ip: null, actor: null };
}
