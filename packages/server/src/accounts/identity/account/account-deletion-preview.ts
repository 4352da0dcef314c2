import type { Billing, EndedPlan } from "../../../money/billing/index.ts";
import type { Credits } from "../../../money/credits/index.ts";
import { findOrganizationRate } from "../../../money/currencies/index.ts";
import type { Ledger } from "../../../money/ledger/index.ts";
import type { Database } from "../../../platform/core/db/connect.ts";

/** An organization that is deleted with the account, and its contents. */
export type DeletedOrganization = {
  id: string;
  name: string;
  creditsNano: bigint;
  balanceCents: number;
  /** The currency of that balance and of the plan. */
  currency: string;
  commissionNano: bigint;
  plan: EndedPlan | null;
  deployments: number;
  privateModels: number;
  apiKeys: number;
};
/** The organizations that are deleted with an account, and those that only lose a member. */
export type DeletionPreview = { deleted: DeletedOrganization[]; left: { id: string; name: string }[] };
type Deps = { db: Database; credits: Credits; ledger: Ledger; billing: Pick<Billing, "previewEndedPlan"> };

/** Creates the preview of what is deleted with an account. None of it is refunded. */
export function createDeletionPreview({ db, credits, ledger, billing }: Deps) {
  /** Returns the organizations of a user with their number of members. */
  const listOrganizations = (userId: string) =>
    db
      .selectFrom("memberships as own")
      .innerJoin("organizations", "organizations.id", "own.organization_id")
      .select((eb) => [
        "organizations.id",
        "organizations.name",
        eb
          .selectFrom("memberships")
          .select((count) => count.fn.countAll<number>().as("count"))
          .whereRef("memberships.organization_id", "=", "organizations.id")
          .as("members"),
      ])
      .where("own.user_id", "=", userId)
      .orderBy("own.created_at")
      .execute();

  const countContents = (organizationId: string) =>
    db
      .selectNoFrom((eb) => [
        eb
          .selectFrom("deployments")
          .select((count) => count.fn.countAll<number>().as("count"))
          .where("organization_id", "=", organizationId)
          .where("deleting", "=", false)
          .as("deployments"),
        eb
          .selectFrom("private_models")
          .select((count) => count.fn.countAll<number>().as("count"))
          .where("organization_id", "=", organizationId)
          .as("privateModels"),
        eb
          .selectFrom("api_keys")
          .select((count) => count.fn.countAll<number>().as("count"))
          .where("organization_id", "=", organizationId)
          .where("deleted_at", "is", null)
          .as("apiKeys"),
        eb
          .selectFrom("billing_accounts")
          .select("balance_cents")
          .where("organization_id", "=", organizationId)
          .as("balanceCents"),
      ])
      .executeTakeFirstOrThrow();

  async function toDeletedOrganization({ id, name }: { id: string; name: string }): Promise<DeletedOrganization> {
    const counts = await countContents(id);
    return {
      id,
      name,
      creditsNano: (await credits.balance(id)).balance,
      balanceCents: counts.balanceCents ?? 0,
      currency: (await findOrganizationRate(id, db)).currency,
      commissionNano: await ledger.balance(`commission:${id}`),
      plan: await billing.previewEndedPlan(id),
      deployments: counts.deployments ?? 0,
      privateModels: counts.privateModels ?? 0,
      apiKeys: counts.apiKeys ?? 0,
    };
  }

  return async (userId: string): Promise<DeletionPreview> => {
    const organizations = await listOrganizations(userId);
    const deleted: DeletedOrganization[] = [];
    for (const organization of organizations)
      if (organization.members === 1) deleted.push(await toDeletedOrganization(organization));
    const left = organizations.filter(({ members }) => members !== 1).map(({ id, name }) => ({ id, name }));
    return { deleted, left };
  };
}
