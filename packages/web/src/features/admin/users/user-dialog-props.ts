import type { AdminUser } from "@feather/sdk";

/** What every dialog about a user takes. */
export type UserDialogProps = { user: AdminUser; close(): void };
