import type { Command } from "../../command.ts";
import { parseDuration } from "../../flags.ts";
import { formatDayTime } from "../../output/time.ts";
import { KEY_ARGUMENT, resolveKeyId } from "./resolve-key.ts";

/** The key, and how long its old secret stays valid, in milliseconds. */
export type KeysRotateOptions = { readonly id: string; readonly grace?: number };

/** Creates a new secret for a key. Only the secret goes to stdout, so that it can be piped; it is shown once. */
export const keysRotate: Command<KeysRotateOptions> = {
  name: "keys rotate",
  summary: "Give an API key a new secret and print it",
  description: "The old secret goes on for the grace time, a day if left out.",
  arguments: [KEY_ARGUMENT],
  flags: [
    { name: "--grace <time>", summary: "how long the old secret goes on, such as 2h; 0 ends it", parse: parseDuration },
  ],
  confirms: true,
  prints: "secret",
  needs: "sign-in",
  examples: ["feather keys rotate key_7Kd2mQx4", "feather keys rotate key_7Kd2mQx4 --grace 0 --yes > key.txt"],
  options: ([id = ""], flags) => ({ id, ...(typeof flags.grace === "number" && { grace: flags.grace }) }),
  async run(context, { id: given, grace }) {
    const { client, confirm, output, signal } = context;
    const id = await resolveKeyId(context, given);
    const { apiKeys } = await client();
    await confirm(async () => {
      const { name } = await apiKeys.get(id, { signal });
      const oldSecretEnd = grace === 0 ? "stops working at once" : "goes on for the grace time only";
      return `Give the key ${name} a new secret? The old one ${oldSecretEnd}.`;
    });
    const body = grace === undefined ? {} : { grace_s: Math.round(grace / 1000) };
    const key = await apiKeys.rotate(id, body, { signal });
    const until = key.previous_secret_expires_at;
    const oldSecretNote =
      until === null ? "The old one has ended." : `The old one works until ${formatDayTime(until)}.`;
    output.printSecret({
      value: key,
      secret: key.secret,
      message: `The key ${key.name} has a new secret, shown this one time. ${oldSecretNote}`,
    });
  },
};
