import type { Organization } from "@feather/sdk";
import type { Command } from "../../command.ts";
import type { Context } from "../../context.ts";
import { AccessDeniedError } from "../../errors.ts";
import { findByName } from "../../find-by-name.ts";
import { pickItem } from "../../pick-item.ts";

/** Makes the sign-in act for another organization of the caller. */
export const organizationSwitch: Command<{ readonly nameOrId: string }> = {
  name: "organization switch",
  summary: "Act for another of your organizations",
  description:
    "For a sign-in with password. A sign-in by browser or code and a key act for the organization that they were made in: choose it on the site, then sign in again, best with a profile of its own.",
  arguments: [{ name: "[organization]", summary: "its name or id; you are asked at a terminal" }],
  needs: "sign-in",
  examples: ["feather organization switch Acme", "feather organization switch org_4fJqM1t9ZkX2vLr8NwB6yH"],
  options: ([nameOrId = ""]) => ({ nameOrId }),
  async run(context, { nameOrId }) {
    const { client, output, signal } = context;
    const { organization } = await client();
    const { items } = await organization.list({ signal });
    const organization_id = nameOrId.startsWith("org_") ? nameOrId : await findOrganization(context, nameOrId, items);
    const user = await organization
      .switch({ organization_id }, { signal })
      .catch((error: unknown) => explainFixedOrganization(context, error));
    output.info(`This sign-in acts for ${user.organization.name} now.`);
  },
};

async function findOrganization(context: Context, name: string, items: readonly Organization[]): Promise<string> {
  if (name !== "") return findByName(name, items, { noun: "organization", list: "feather organization list" }).id;
  return pickItem(context, {
    label: "Organization",
    alternative: "its name or id: feather organization list",
    empty: ["you are in no organization", "feather organization list"],
    list: async () => items,
    toChoice: (item) => ({ label: item.name, note: item.role, value: item.id }),
  });
}

/** Throws what to do instead when the credential is bound to one organization; any other error unchanged. */
async function explainFixedOrganization({ settings }: Context, error: unknown): Promise<never> {
  const { isApiError } = await import("@feather/sdk");
  if (!isApiError(error) || (error.status !== 401 && error.status !== 403)) throw error;
  const { renewable, secretSource } = settings();
  const used = renewable ? "a sign-in by browser or code" : `the credential of ${secretSource}`;
  throw new AccessDeniedError(`${used} acts for the organization that it was made in`, {
    code: "session_required",
    hint: "choose the organization on the site, then feather login --profile <name>",
    requestId: error.requestId,
  });
}
