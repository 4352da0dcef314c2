import type { PaymentConnection } from "@feather/sdk";
import type { Command } from "../../../command.ts";
import type { DetailView } from "../../../output/index.ts";

const FIELDS = [
  "driver",
  "is_test",
  "account",
  "webhook",
  "permissions",
  "problems",
] as const satisfies readonly (keyof PaymentConnection)[];

/** Checks how the server is connected to the service that takes the money. */
export const paymentsCheck: Command<Record<never, never>> = {
  name: "admin payments check",
  summary: "Check account, webhooks and permissions at Stripe",
  description: "Asks Stripe, and changes nothing there. Says what is missing and what to do.",
  prints: "one",
  fields: FIELDS,
  needs: "admin",
  examples: ["feather admin payments check", "feather admin payments check --json problems"],
  options: () => ({}),
  async run({ output, client, signal }) {
    output.printDetails(DETAIL_VIEW, await (await client()).admin.payments.check({ signal }));
  },
};

const DETAIL_VIEW: DetailView<PaymentConnection> = {
  id: ({ driver }) => driver,
  lines: ({ driver, is_test, account, webhook, permissions, problems }) => [
    ["driver", `${driver}${is_test ? ", no money moves" : ""}`, (text, style) => style.bold(text)],
    ...(account ? [["account", account.name === null ? account.id : `${account.name} (${account.id})`] as const] : []),
    ...(webhook ? [["webhooks", `${webhook.state}, ${webhook.url}`] as const] : []),
    ...permissions.map(({ name, access, state }) => [name, `${access} ${state}`] as const),
    ...(problems.length === 0 && driver === "stripe" ? [["problems", "none"] as const] : []),
    ...problems.map((problem) => ["problem", problem] as const),
  ],
};
