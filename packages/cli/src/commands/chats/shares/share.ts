import type { ChatShare } from "@feather/sdk";

/** Fields that `--json` accepts. */
export const SHARE_FIELDS = [
  "id",
  "conversation_id",
  "title",
  "url",
  "is_readable",
  "created_at",
  "expires_at",
] as const satisfies readonly (keyof ChatShare)[];
