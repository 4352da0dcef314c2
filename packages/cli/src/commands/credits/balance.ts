import type { CreditBalance } from "@feather/sdk";
import { formatNanoUsd } from "@feather/sdk/format";
import type { Command } from "../../command.ts";
import type { DetailView } from "../../output/index.ts";

const FIELDS = [
  "balance_nano_usd",
  "reserved_nano_usd",
  "available_nano_usd",
  "balance_usd",
  "reserved_usd",
  "available_usd",
  "currency",
] as const satisfies readonly (keyof CreditBalance)[];

/** Shows the prepaid credits. */
export const creditsBalance: Command<undefined> = {
  name: "credits balance",
  summary: "Show your prepaid credits",
  prints: "one",
  fields: FIELDS,
  needs: "sign-in",
  examples: ["feather credits balance", "feather credits balance --jq .available_usd"],
  options: () => undefined,
  async run({ client, output, signal }) {
    output.printDetails(DETAIL_VIEW, await (await client()).credits.balance({ signal }));
  },
};

const DETAIL_VIEW: DetailView<CreditBalance> = {
  id: ({ available_usd }) => available_usd,
  lines: (it) => [
    ["available", formatNanoUsd(it.available_nano_usd), (text, style) => style.bold(text)],
    ["set aside", `${formatNanoUsd(it.reserved_nano_usd)} for requests that run`],
    ["balance", formatNanoUsd(it.balance_nano_usd)],
  ],
};
