import type { Feather } from "@feather/sdk";

/** Whether the caller's credential may make the calls of admins. Throws what else goes wrong. */
export async function mayAdminister({ admin }: Feather, signal: AbortSignal): Promise<boolean> {
  try {
    await admin.settings({ signal });
    return true;
  } catch (error) {
    const { isApiError } = await import("@feather/sdk");
    if (isApiError(error) && [401, 403, 404].includes(error.status)) return false;
    throw error;
  }
}

/** The command that signs an admin in so that they may administer: by email, because other sign-ins are for applications. */
export function adminLogin(email: string): string {
  return `feather login --email ${email}`;
}
