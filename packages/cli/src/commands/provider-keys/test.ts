import type { ProviderKeyTest } from "@feather/sdk";
import { formatCount } from "@feather/sdk/format";
import type { Command } from "../../command.ts";
import { WorkFailedError } from "../../errors.ts";
import { PROVIDER_ARGUMENT, resolveKeyedProvider } from "./provider-key.ts";

/** Tests the organization's key for a provider with a call. Throws `WorkFailedError` (exit code 5) when it fails. */
export const providerKeysTest: Command<{ readonly provider: string }> = {
  name: "provider-keys test",
  summary: "Try the organization's own key for a provider",
  description: "It calls a model there, which costs the account a few tokens.",
  arguments: [PROVIDER_ARGUMENT],
  prints: "one",
  fields: [
    "ok",
    "problem",
    "error",
    "advice",
    "call",
    "duration_ms",
  ] as const satisfies readonly (keyof ProviderKeyTest)[],
  needs: "sign-in",
  examples: ["feather provider-keys test openrouter"],
  options: ([provider = ""]) => ({ provider }),
  async run(context, { provider: given }) {
    const { client, output, signal } = context;
    const feather = await client();
    const provider = await resolveKeyedProvider(context, feather, given);
    const test = await feather.providerKeys.test(provider, { signal });
    output.printDetails({ id: () => provider, lines }, test);
    if (!test.ok)
      throw new WorkFailedError(
        `${provider} does not answer with this key`,
        test.advice ?? `feather provider-keys set ${provider}`,
      );
  },
};

const lines = ({ ok, error, call, duration_ms }: ProviderKeyTest) => [
  ["answers", ok ? "yes" : `no: ${error ?? "no reason given"}`] as const,
  ["took", `${formatCount(duration_ms)} ms`] as const,
  ...(call === null ? [] : [["called", `${call.model} (${formatCount(call.duration_ms)} ms)`] as const]),
];
