import type { Feather } from "@feather/sdk";
import { formatMoney, formatNanoUsd } from "@feather/sdk/format";
import type { Command } from "../../command.ts";
import { readAll } from "../../input.ts";
import { formatDay } from "../../output/time.ts";

type Preview = Awaited<ReturnType<Feather["account"]["previewDeletion"]>>;
type Organization = Preview["organizations_deleted"][number];

/** Deletes the caller's account, after showing what is deleted and what credit is forfeited. */
export const accountDelete: Command<{ readonly passwordStdin: boolean }> = {
  name: "account delete",
  summary: "Delete your account for ever",
  description:
    "Organizations without other members go with it. Credits, paid time and what is kept for next invoices are forfeited: it says before how much that is.",
  flags: [{ name: "--password-stdin", summary: "read the password from stdin; needs --yes" }],
  confirms: true,
  needs: "sign-in",
  examples: ["feather account delete", "feather account delete --yes --password-stdin < password.txt"],
  options: (_, flags) => ({ passwordStdin: flags.passwordStdin === true }),
  async run({ client, confirm, askSecret, io, output, signal }, { passwordStdin }) {
    const feather = await client();
    const { username, has_password } = await feather.auth.me({ signal });
    await confirm(async () => formatDeletionWarning(await feather.account.previewDeletion({ signal })), username);
    const password = passwordStdin
      ? (await readAll(io.stdin)).replace(/\r?\n$/, "")
      : has_password
        ? await askSecret("Password", "--password-stdin")
        : undefined;
    await feather.account.delete(password === undefined ? {} : { password }, { signal });
    output.info(`The account ${username} is gone. Run feather logout to forget its sign-in here.`);
  },
};

/** Returns the confirmation question, which lists what is deleted and what is forfeited. */
export function formatDeletionWarning({ organizations_deleted, organizations_left }: Preview): string {
  const left = organizations_left.map(({ name }) => name);
  return [
    ...organizations_deleted.map(formatOrganizationLoss),
    ...(left.length === 0 ? [] : [`You leave ${left.join(", ")}.`]),
    "Delete your account for ever?",
  ].join("\n");
}

function formatOrganizationLoss(organization: Organization): string {
  const { name, api_keys, deployments, private_models } = organization;
  const things = [
    ...pluralize(api_keys, "key"),
    ...pluralize(deployments, "deployment"),
    ...pluralize(private_models, "private model"),
  ];
  const deletedText = things.length === 0 ? `${name} is deleted.` : `${name} is deleted, with ${things.join(", ")}.`;
  const money = listForfeitedMoney(organization);
  return money.length === 0 ? deletedText : `${deletedText}\nForfeited, and not given back: ${money.join("; ")}.`;
}

/** Returns `1 key` or `2 keys` as the only element; an empty array for 0. */
function pluralize(number: number, thing: string): string[] {
  return number === 0 ? [] : [`${number} ${thing}${number === 1 ? "" : "s"}`];
}

function listForfeitedMoney({
  currency,
  credits_nano_usd,
  balance_cents,
  commission_nano_usd,
  paid_plan: plan,
}: Organization): string[] {
  return [
    ...(credits_nano_usd === "0" ? [] : [`${formatNanoUsd(credits_nano_usd)} of credits`]),
    ...(plan === null
      ? []
      : [
          `${plan.plan_name} until ${formatDay(plan.period_end_date)}, ${formatMoney(plan.unused_cents, currency)} of it not used`,
        ]),
    ...(balance_cents === 0 ? [] : [`${formatMoney(balance_cents, currency)} kept for next invoices`]),
    ...(commission_nano_usd === "0" ? [] : [`${formatNanoUsd(commission_nano_usd)} of commission`]),
  ];
}
