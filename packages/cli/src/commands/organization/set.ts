import type { OrganizationUpdate } from "@feather/sdk";
import type { Command } from "../../command.ts";
import { UsageError } from "../../errors.ts";
import { optionalText } from "../../flags.ts";
import {
  CHAT_STORAGES,
  describeCalls,
  describeChats,
  isChatStorage,
  ORGANIZATION_FIELDS,
  parseDays,
} from "./organization.ts";

/** Whether calls may go elsewhere, by the value of the flag; null is what the operator has set. */
const CALLS_ELSEWHERE: Readonly<Record<string, boolean | null>> = { on: true, off: false, default: null };
/** Whether members may share chats by links, by the value of the flag. */
const CHAT_LINKS: Readonly<Record<string, boolean>> = { on: true, off: false };

/** Renames the organization, or decides where its calls may go and where its chats are kept. */
export const organizationSet: Command<OrganizationUpdate> = {
  name: "organization set",
  summary: "Rename your organization, or decide about its calls and chats",
  description:
    "With --calls-elsewhere off, calls go to models at this server and in its private networks only. --chats decides where the site keeps chats of members. For admins of the organization.",
  flags: [
    { name: "--name <name>", summary: "new name" },
    {
      name: "--calls-elsewhere <when>",
      summary: "whether calls may go to providers and other public addresses; default: as the operator has set",
      choices: Object.keys(CALLS_ELSEWHERE),
    },
    {
      name: "--chats <where>",
      summary: "keep chats on the server, in each browser, or nowhere",
      choices: [...CHAT_STORAGES],
    },
    {
      name: "--chat-days <days>",
      summary: "delete chats on the server these days after the last change; never keeps them",
      parse: parseDays,
    },
    {
      name: "--chat-links <when>",
      summary: "whether members may share chats on the server by links that need no account",
      choices: Object.keys(CHAT_LINKS),
    },
  ],
  prints: "one",
  fields: ORGANIZATION_FIELDS,
  needs: "sign-in",
  examples: ["feather organization set --calls-elsewhere off", 'feather organization set --name "Acme Labs"'],
  options: (_, flags) => {
    const callsElsewhere = CALLS_ELSEWHERE[String(flags.callsElsewhere)];
    const chatLinks = CHAT_LINKS[String(flags.chatLinks)];
    const change: OrganizationUpdate = {
      ...optionalText("name", flags.name),
      ...(callsElsewhere !== undefined && { calls_elsewhere: callsElsewhere }),
      ...(isChatStorage(flags.chats) && { chat_storage: flags.chats }),
      ...(typeof flags.chatDays === "number" && { chat_retention_days: flags.chatDays }),
      ...(flags.chatDays === "never" && { chat_retention_days: null }),
      ...(chatLinks !== undefined && { chat_links: chatLinks }),
    };
    if (Object.keys(change).length === 0)
      throw new UsageError("Nothing to change", "--name, --calls-elsewhere, --chats, --chat-days or --chat-links");
    return change;
  },
  async run({ output, client, signal }, change) {
    const organization = await (await client()).organization.update(change, { signal });
    const message = `${organization.name}: calls ${describeCalls(organization)}, chats ${describeChats(organization)}.`;
    output.printChange({ value: organization, id: organization.id, message });
  },
};
