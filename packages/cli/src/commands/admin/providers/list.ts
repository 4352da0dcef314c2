import type { BackendProvider } from "@feather/sdk";
import type { Command } from "../../../command.ts";
import type { Column } from "../../../output/table.ts";

const BILLING = {
  tokens: "by token",
  tokens_and_requests: "by token and request",
  subscription: "by month",
  trial: "trial",
} as const satisfies Record<BackendProvider["billing"], string>;

const COLUMNS: readonly Column<BackendProvider>[] = [
  { header: "ID", cell: ({ id }) => id, paint: (text, style) => style.bold(text) },
  { header: "NAME", cell: ({ name }) => name },
  { header: "KIND", cell: ({ kind }) => kind, dropOrder: 3 },
  { header: "BILLED", cell: ({ billing }) => BILLING[billing], plain: ({ billing }) => billing, dropOrder: 4 },
  { header: "RUNS IN", cell: ({ location }) => location ?? "", dropOrder: 5 },
  { header: "KEYS", cell: ({ key_url }) => key_url, dropOrder: 2 },
  { header: "ADDRESS", cell: ({ base_url }) => base_url, dropOrder: 1 },
];

/** Lists the providers that a backend can be added from. */
export const adminProviders: Command<undefined> = {
  name: "admin providers",
  summary: "List providers, which need only a key to be added as backend",
  prints: "list",
  fields: [
    "id",
    "name",
    "kind",
    "base_url",
    "placeholders",
    "api",
    "lists_models",
    "model_examples",
    "key_url",
    "key_prefix",
    "pricing_url",
    "billing",
    "location",
  ] as const satisfies readonly (keyof BackendProvider)[],
  needs: "admin",
  examples: ["feather admin providers", "feather admin providers --json id,key_url"],
  options: () => undefined,
  async run({ client, output, signal }) {
    const response = await (await client()).admin.providers.list({ signal });
    output.printList(
      { columns: COLUMNS, id: ({ id }) => id, noun: "providers", empty: "The server knows no provider." },
      response.items,
      response,
    );
    output.hint("Add one: feather admin backends add <id>");
  },
};
