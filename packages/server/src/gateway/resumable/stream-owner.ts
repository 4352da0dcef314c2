import type { SignedInActor } from "../../platform/core/auth/actor.ts";

/**
 * Returns who may read and stop a stream, as a text that two callers share only if both may: sessions of the same person, the
 * same API key, or the same authorization of an application, each in the same organization.
 */
export function toStreamOwner({ organizationId, userId, credential }: SignedInActor): string {
  return `${organizationId} ${credential.type} ${holderOf(userId, credential)}`;
}

function holderOf(userId: string, credential: SignedInActor["credential"]): string {
  switch (credential.type) {
    // An admin who acts as a person is another holder.
    case "session":
      return credential.impersonatedBy === null ? userId : `${userId} by ${credential.impersonatedBy}`;
    case "oauth":
      return credential.delegation.grantId;
    default:
      return credential.id;
  }
}
