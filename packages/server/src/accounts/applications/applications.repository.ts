import type { Insertable, Selectable, Updateable } from "kysely";
import { bind } from "../../platform/core/bind.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { Applications } from "../../platform/core/db/schema.generated.ts";
import type { Page } from "../../platform/core/http/pagination.ts";

/** A row of `applications`. */
export type ApplicationRow = Selectable<Applications>;
/** An application with the name of the organization that owns it. */
export type ApplicationWithOwner = ApplicationRow & { organization_name: string | null };
/** Filters of the admins' list. */
export type ApplicationFilter = {
  search?: string;
  status?: string;
  client_type?: string;
  organization_id?: string;
};

/** Queries of the `applications` table. */
export function createApplicationsRepository(db: Database) {
  return {
    ...bind(db, {
      list: listApplications,
      find: findApplication,
      findById,
      listAll,
    }),
    lock: lockApplication,
    create: createApplication,
    update: updateApplication,
    delete: deleteApplication,
    findUserEmail,
  };
}

export type ApplicationsRepository = ReturnType<typeof createApplicationsRepository>;

function selectWithOwner(trx: Database) {
  return trx
    .selectFrom("applications")
    .leftJoin("organizations", "organizations.id", "applications.organization_id")
    .selectAll("applications")
    .select("organizations.name as organization_name");
}

function listApplications(db: Database, organizationId: string): Promise<ApplicationWithOwner[]> {
  return selectWithOwner(db)
    .where("organization_id", "=", organizationId)
    .orderBy("applications.created_at", "desc")
    .orderBy("applications.id")
    .execute();
}

function findApplication(db: Database, organizationId: string, id: string): Promise<ApplicationWithOwner | undefined> {
  return selectWithOwner(db)
    .where("organization_id", "=", organizationId)
    .where("applications.id", "=", id)
    .executeTakeFirst();
}

/** Returns an application of any organization: for the OAuth provider and for admins. */
function findById(db: Database, id: string, trx: Database = db): Promise<ApplicationWithOwner | undefined> {
  return selectWithOwner(trx).where("applications.id", "=", id).executeTakeFirst();
}

/** Returns one page of the applications of all organizations, newest first, and their total number. */
async function listAll(
  db: Database,
  filter: ApplicationFilter,
  page: Page,
): Promise<{ rows: ApplicationWithOwner[]; total: number }> {
  const { search, status, client_type, organization_id } = filter;
  const pattern = search && `%${search.replaceAll(/[\\%_]/g, "\\$&")}%`;
  const filtered = selectWithOwner(db)
    .$if(status !== undefined, (query) => query.where("applications.status", "=", status ?? ""))
    .$if(client_type !== undefined, (query) => query.where("applications.client_type", "=", client_type ?? ""))
    .$if(organization_id !== undefined, (query) =>
      query.where("applications.organization_id", "=", organization_id ?? ""),
    )
    .$if(pattern !== undefined, (query) =>
      query.where((eb) =>
        eb.or([eb("applications.name", "ilike", pattern ?? ""), eb("applications.id", "=", search ?? "")]),
      ),
    );
  const [rows, { count }] = await Promise.all([
    filtered
      .orderBy("applications.created_at", "desc")
      .orderBy("applications.id")
      .limit(page.limit)
      .offset(page.offset)
      .execute(),
    db
      .selectFrom(filtered.as("found"))
      .select((eb) => eb.fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow(),
  ]);
  return { rows, total: count };
}

/**
 * Returns the application, locked until the transaction ends; of any organization where `organizationId` is null.
 */
function lockApplication(
  organizationId: string | null,
  id: string,
  trx: Database,
): Promise<ApplicationRow | undefined> {
  return trx
    .selectFrom("applications")
    .selectAll()
    .where("id", "=", id)
    .$if(organizationId !== null, (query) => query.where("organization_id", "=", organizationId))
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** Inserts the application. Returns false where the organization has `max` already, counted under a lock. */
async function createApplication(
  application: Insertable<Applications> & { organization_id: string },
  max: number,
  trx: Database,
) {
  const organizationId = application.organization_id;
  await trx.selectFrom("organizations").select("id").where("id", "=", organizationId).forNoKeyUpdate().execute();
  const { count } = await trx
    .selectFrom("applications")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("organization_id", "=", organizationId)
    .executeTakeFirstOrThrow();
  if (count >= max) return false;
  await trx.insertInto("applications").values(application).execute();
  return true;
}

function updateApplication(id: string, change: Updateable<Applications>, trx: Database) {
  return trx.updateTable("applications").set(change).where("id", "=", id).execute();
}

/** Deletes the application; the database deletes its grants, codes and tokens with it. */
function deleteApplication(id: string, trx: Database) {
  return trx.deleteFrom("applications").where("id", "=", id).execute();
}

async function findUserEmail(userId: string, trx: Database): Promise<string | undefined> {
  return (await trx.selectFrom("users").select("email").where("id", "=", userId).executeTakeFirst())?.email;
}
