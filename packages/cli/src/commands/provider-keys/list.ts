import type { ProviderKey } from "@feather/sdk";
import type { Command } from "../../command.ts";
import type { TableView } from "../../output/index.ts";
import { formatAgo, formatRfc3339 } from "../../output/time.ts";
import { PROVIDER_KEY_FIELDS } from "./provider-key.ts";

/** Lists the organization's keys for providers, and names the providers for which it can set one. */
export const providerKeysList: Command<undefined> = {
  name: "provider-keys list",
  summary: "List the organization's own keys for providers",
  prints: "list",
  fields: PROVIDER_KEY_FIELDS,
  needs: "sign-in",
  examples: ["feather provider-keys list", "feather provider-keys list --json provider,refusal"],
  options: () => undefined,
  async run({ output, client, now, signal }) {
    const response = await (await client()).providerKeys.list({ signal });
    output.printList(createView(now()), response.items, response);
    const ids = response.providers.map(({ id }) => id).join(", ");
    output.hint(ids === "" ? "This server uses keys of organizations for no provider." : `Keys can be set for ${ids}.`);
  },
};

const createView = (now: Date): TableView<ProviderKey> => ({
  columns: [
    { header: "PROVIDER", cell: ({ provider }) => provider, paint: (text, style) => style.bold(text) },
    { header: "LABEL", cell: ({ label }) => label ?? "", dropOrder: 4 },
    { header: "KEY", cell: ({ last_characters }) => `…${last_characters}`, dropOrder: 3 },
    { header: "STATE", cell: describeState, dropOrder: 1 },
    {
      header: "SET",
      cell: ({ created_at }) => formatAgo(created_at, now),
      plain: ({ created_at }) => formatRfc3339(created_at),
      dropOrder: 2,
    },
    {
      header: "REFUSED",
      cell: ({ refused_at }) => (refused_at === null ? "" : formatAgo(refused_at, now)),
      plain: ({ refused_at }) => (refused_at === null ? "" : formatRfc3339(refused_at)),
      dropOrder: 5,
    },
  ],
  id: ({ provider }) => provider,
  noun: "provider keys",
  empty: "There are no provider keys yet. Set one: feather provider-keys set <provider>",
});

function describeState({ is_allowed, refusal }: ProviderKey): string {
  if (!is_allowed) return "not used by this server";
  return refusal ?? "used";
}
