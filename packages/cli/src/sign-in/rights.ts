import type { Feather } from "@feather/sdk";

/** Returns whether the caller's credential may make admin calls. Throws other errors than 401, 403 and 404. */
export async function canAdminister({ admin }: Feather, signal: AbortSignal): Promise<boolean> {
  try {
    await admin.settings({ signal });
    return true;
  } catch (error) {
    const { isApiError } = await import("@feather/sdk");
    if (isApiError(error) && [401, 403, 404].includes(error.status)) return false;
    throw error;
  }
}

/** Returns the command that signs an admin in with admin rights: by email, because other sign-ins get an application's rights only. */
export function adminLoginCommand(email: string): string {
  return `feather login --email ${email}`;
}
