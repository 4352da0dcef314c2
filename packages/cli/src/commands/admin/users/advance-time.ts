import type { TestClock } from "@feather/sdk";
import { InvalidArgumentError } from "commander";
import type { Command } from "../../../command.ts";
import { UsageError } from "../../../errors.ts";
import { resolveUserId, USER_ARGUMENT } from "./user.ts";

/** The user, and by how many days the time of the user's organization is advanced. */
export type AdvanceTimeOptions = { readonly who: string; readonly days: number };

const FIELDS = ["days_ahead", "time"] as const satisfies readonly (keyof TestClock)[];

/** Advances the time of a user's organization, while payments are tests. */
export const usersAdvanceTime: Command<AdvanceTimeOptions> = {
  name: "admin users advance-time",
  summary: "Advance the time of an organization, while payments are tests",
  description:
    "Does day by day what billing does then: trials end, periods begin, invoices are collected, mails are sent. Time cannot be moved back.",
  arguments: [USER_ARGUMENT],
  flags: [{ name: "--days <number>", summary: "days to advance, 1 to 92", parse: parseDays }],
  confirms: true,
  prints: "one",
  fields: FIELDS,
  needs: "admin",
  examples: ["feather admin users advance-time maria@example.com --days 31"],
  options: ([who = ""], { days }) => {
    if (typeof days !== "number") throw new UsageError("how far is missing", "--days 31");
    return { who, days };
  },
  async run({ client, confirm, output, signal }, { who, days }) {
    await confirm(`Advance the time of ${who}'s organization by ${days === 1 ? "1 day" : `${days} days`}?`);
    const feather = await client();
    const id = await resolveUserId(feather, who, signal);
    const clock = await feather.admin.users.advanceTime(id, { days }, { signal });
    output.printChange({ value: clock, id, message: `It is ${clock.time} in its organization now.` });
  },
};

/** Parses a number of days. Throws `InvalidArgumentError`. */
function parseDays(text: string): number {
  const days = Number(text);
  if (!Number.isInteger(days) || days < 1 || days > 92)
    throw new InvalidArgumentError("It must be a whole number from 1 to 92.");
  return days;
}
