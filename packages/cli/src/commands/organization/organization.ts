import type { Organization } from "@feather/sdk";
import { InvalidArgumentError } from "commander";

/** Fields that `--json` accepts. */
export const ORGANIZATION_FIELDS = [
  "id",
  "name",
  "role",
  "calls_elsewhere",
  "chat_storage",
  "chat_retention_days",
  "chat_links",
  "created_at",
] as const satisfies readonly (keyof Organization)[];

/** Says whether calls of the organization may leave the server. */
export const describeCalls = ({ calls_elsewhere: isAllowed }: Pick<Organization, "calls_elsewhere">): string =>
  isAllowed ? "may leave this server" : "stay at this server and in its private networks";

type ChatStorage = Organization["chat_storage"];

/** Where an organization can keep chats. */
export const CHAT_STORAGES = ["server", "browser", "off"] as const satisfies readonly ChatStorage[];

/** Whether the value of a flag says where chats are kept. */
export const isChatStorage = (value: unknown): value is ChatStorage => CHAT_STORAGES.some((one) => one === value);

/** Says where the organization's chats are kept, and for how long. */
export function describeChats({ chat_storage: storage, chat_retention_days: days }: Organization): string {
  if (storage === "browser") return "are kept in each browser";
  if (storage === "off") return "are not kept";
  return `are kept on the server${days === null ? "" : `, for ${days === 1 ? "1 day" : `${days} days`} after the last change`}`;
}

/** Says whether members may share chats by links. */
export const describeLinks = ({ chat_links: isAllowed }: Pick<Organization, "chat_links">): string =>
  isAllowed ? "members may share chats by links" : "members cannot share chats by links";

/** Parses a number of days, or `never`. Throws `InvalidArgumentError`. */
export function parseDays(text: string): number | "never" {
  if (text === "never") return text;
  const days = Number(text);
  if (!Number.isInteger(days) || days < 1 || days > 3650)
    throw new InvalidArgumentError("It must be a whole number from 1 to 3650, or never.");
  return days;
}
