import type { SignedInActor } from "../../platform/core/auth/actor.ts";
import type { Handlers } from "../../platform/core/http/handlers.ts";
import type { PromptUseCases } from "./prompts.usecases.ts";

const own = ({ organizationId, userId }: SignedInActor) => ({ organizationId, userId });
const ofOrganization = ({ organizationId }: SignedInActor) => ({ organizationId, userId: null });

/** Routes of prompts and personas, of the caller and of the organization. */
export function promptRoutes(prompts: PromptUseCases): Handlers {
  return {
    "prompts.list": async ({ actor }) => ({ items: await prompts.list(actor) }),
    "prompts.put": ({ actor, path, body }) => prompts.put({ actor, owner: own(actor), id: path.id }, body),
    "prompts.delete": async ({ actor, path }) => {
      await prompts.delete({ actor, owner: own(actor), id: path.id });
      return undefined;
    },
    "organization.prompts.put": ({ actor, path, body }) =>
      prompts.put({ actor, owner: ofOrganization(actor), id: path.id }, body),
    "organization.prompts.delete": async ({ actor, path }) => {
      await prompts.delete({ actor, owner: ofOrganization(actor), id: path.id });
      return undefined;
    },
  };
}
