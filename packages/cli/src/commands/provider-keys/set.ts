import type { Command } from "../../command.ts";
import { optionalText } from "../../flags.ts";
import { readProviderKey } from "../../input.ts";
import { findSettableProvider, PROVIDER_KEY_FIELDS } from "./provider-key.ts";

type SetOptions = { readonly provider: string; readonly body: { readonly label?: string }; readonly withKey: boolean };

/** Sets the organization's key for a provider. It is asked for at a terminal. */
export const providerKeysSet: Command<SetOptions> = {
  name: "provider-keys set",
  summary: "Set the organization's own key for a provider",
  description:
    "Calls of the organization to the provider are sent with it, and the account there pays for them. It replaces the key that is set for the provider. The key is asked for at a terminal.",
  arguments: [{ name: "<provider>", summary: "id of the provider: feather provider-keys list" }],
  flags: [
    { name: "--label <text>", summary: "what the key is called" },
    { name: "--key <source>", summary: "-: read the key from stdin", choices: ["-"] },
  ],
  prints: "one",
  fields: PROVIDER_KEY_FIELDS,
  needs: "sign-in",
  examples: [
    "feather provider-keys set openrouter --label team-account",
    "feather provider-keys set openrouter --key - < key.txt",
  ],
  options: ([provider = ""], flags) => ({
    provider,
    body: optionalText("label", flags.label),
    withKey: flags.key === "-",
  }),
  async run(context, { provider: given, body, withKey }) {
    const { client, output, signal } = context;
    const { providerKeys } = await client();
    const provider = findSettableProvider((await providerKeys.list({ signal })).providers, given);
    const key = await readProviderKey(context, provider, withKey);
    const stored = await providerKeys.set(provider.id, { ...body, key }, { signal });
    output.printChange({ value: stored, id: stored.provider, message: `Set the key for ${stored.name}.` });
    output.hint(`Try it: feather provider-keys test ${stored.provider}`);
  },
};
