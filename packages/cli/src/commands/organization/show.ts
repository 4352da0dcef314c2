import type { Organization } from "@feather/sdk";
import type { Command } from "../../command.ts";
import type { DetailView } from "../../output/index.ts";
import { formatDay } from "../../output/time.ts";
import { describeCalls, describeChats, describeLinks, ORGANIZATION_FIELDS } from "./organization.ts";

/** Shows the organization that the caller acts for. */
export const organizationShow: Command<Record<never, never>> = {
  name: "organization show",
  summary: "Show your organization, where its calls may go and chats are kept",
  prints: "one",
  fields: ORGANIZATION_FIELDS,
  needs: "sign-in",
  examples: ["feather organization show", "feather organization show --json calls_elsewhere"],
  options: () => ({}),
  async run({ output, client, signal }) {
    output.printDetails(DETAIL_VIEW, await (await client()).organization.get({ signal }));
  },
};

const unpainted = (text: string) => text;

const DETAIL_VIEW: DetailView<Organization> = {
  id: ({ id }) => id,
  lines: (organization) => [
    ["name", organization.name, (text, style) => style.bold(text)],
    ["role", organization.role, unpainted],
    ["calls", describeCalls(organization), unpainted],
    ["chats", describeChats(organization), unpainted],
    ["links", describeLinks(organization), unpainted],
    ["since", formatDay(organization.created_at), unpainted],
  ],
};
