import type { ApiKeyCreate } from "@feather/sdk";
import type { Command } from "../../command.ts";
import { LIMIT_FLAGS, parseKeyChanges } from "./limits.ts";

/** Creates a key. Only its secret goes to stdout, so that it can be piped; it is shown once. */
export const keysCreate: Command<ApiKeyCreate> = {
  name: "keys create",
  summary: "Make an API key and print its secret",
  arguments: [{ name: "<name>", summary: "what it is called" }],
  prints: "secret",
  needs: "sign-in",
  flags: LIMIT_FLAGS,
  examples: [
    "feather keys create production",
    "FEATHER_API_KEY=$(feather keys create ci --expires 30d)",
    "feather keys create bot --models feather/demo --spend-limit 20 --reset month",
  ],
  options: ([name = ""], flags, now) => ({ ...parseKeyChanges(flags, now), name }),
  async run({ output, client, signal }, body) {
    const key = await (await client()).apiKeys.create(body, { signal });
    output.printSecret({
      value: key,
      secret: key.secret,
      message: `Made the key ${key.name} (${key.id}). Its secret is shown this one time; keep it safe.`,
    });
  },
};
