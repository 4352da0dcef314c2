import type { Command } from "../../command.ts";
import { PROVIDER_ARGUMENT, resolveKeyedProvider } from "./provider-key.ts";

/** Removes the organization's key for a provider, after confirmation. */
export const providerKeysRemove: Command<{ readonly provider: string }> = {
  name: "provider-keys remove",
  summary: "Remove the organization's own key for a provider",
  description: "No further call is sent with it. Answers that are being sent go on to their end.",
  arguments: [PROVIDER_ARGUMENT],
  confirms: true,
  needs: "sign-in",
  examples: ["feather provider-keys remove openrouter --yes"],
  options: ([provider = ""]) => ({ provider }),
  async run(context, { provider: given }) {
    const { client, confirm, output, signal } = context;
    const feather = await client();
    const provider = await resolveKeyedProvider(context, feather, given);
    await confirm(async () => `Remove the key for ${provider}? Calls may then cost credits here, or not be possible.`);
    await feather.providerKeys.delete(provider, { signal });
    output.info(`Removed the key for ${provider}.`);
  },
};
