import type { BackendTest } from "@feather/sdk";
import type { Command } from "../../../command.ts";
import { WorkFailedError } from "../../../errors.ts";
import { formatCount } from "../../../output/format.ts";
import { BACKEND_ARGUMENT, resolveBackendId } from "./backend.ts";

/** Asks a backend for its models. Throws `WorkFailedError` (exit code 5) when it does not respond. */
export const backendsTest: Command<{ readonly id: string }> = {
  name: "admin backends test",
  summary: "Try a backend: ask it for its models",
  arguments: [BACKEND_ARGUMENT],
  prints: "one",
  fields: ["ok", "models", "error", "duration_ms"] as const satisfies readonly (keyof BackendTest)[],
  needs: "admin",
  examples: ["feather admin backends test backend_1"],
  options: ([id = ""]) => ({ id }),
  async run(context, { id: given }) {
    const { client, output, signal } = context;
    const feather = await client();
    const id = await resolveBackendId(context, feather, given);
    const test = await feather.admin.backends.test(id, { signal });
    output.printDetails({ id: () => id, lines }, test);
    if (!test.ok) throw new WorkFailedError(`${id} does not answer`, "feather admin backends list");
  },
};

const lines = ({ ok, models, error, duration_ms }: BackendTest) => [
  ["answers", ok ? "yes" : `no: ${error ?? "no reason given"}`] as const,
  ["took", `${formatCount(duration_ms)} ms`] as const,
  ...models.map((id) => ["model", id] as const),
];
