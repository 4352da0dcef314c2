import type { SignedInActor } from "../../platform/core/auth/actor.ts";
import { hasPermission } from "../../platform/core/auth/permissions.ts";
import { type AppError, errors } from "../../platform/core/errors/index.ts";
import type { Backend } from "../backends/registry.ts";

/** Returns whether calls of an organization may go to backends elsewhere. */
export type MayCallElsewhere = (organizationId: string) => boolean | Promise<boolean>;

/** Returns those of the backends to which calls of the organization may go. Asks only if one of them is elsewhere. */
export function keepPermitted(
  backends: Backend[],
  organizationId: string,
  mayCallElsewhere: MayCallElsewhere,
): Backend[] | Promise<Backend[]> {
  if (backends.every(isHere)) return backends;
  const may = mayCallElsewhere(organizationId);
  const keep = (isPermitted: boolean) => (isPermitted ? backends : backends.filter(isHere));
  return may instanceof Promise ? may.then(keep) : keep(may);
}

/** Returns whether a backend answers at this server or in its private networks. */
export const isHere = ({ hosted }: Backend): boolean => hosted === "here";

/**
 * Returns the error for a model that only answers elsewhere, where calls of the organization may not go. It says what the
 * caller's role can do.
 */
export function onlyElsewhere(modelId: string, actor: Pick<SignedInActor, "role"> | undefined): AppError {
  const mayDecide = actor !== undefined && hasPermission(actor.role, "manage_organization");
  const advice = mayDecide
    ? "Allow it under Organization > Where calls may go or with `feather organization set --calls-elsewhere on`, or choose a model that runs here."
    : "Choose a model that runs here, or ask an admin of your organization to allow it.";
  return errors.modelOnlyElsewhere(
    `${modelId} only answers elsewhere, and calls of your organization may not leave this server. ${advice}`,
    { param: "model" },
  );
}
