import type { BackendTest } from "@feather/sdk";
import type { Command } from "../../../command.ts";
import { WorkFailedError } from "../../../errors.ts";
import { formatCount } from "../../../output/format.ts";

/** Asks a backend for its models. Throws `WorkFailedError` (exit code 5) when it does not respond. */
export const backendsTest: Command<{ readonly id: string }> = {
  name: "admin backends test",
  summary: "Try a backend: ask it for its models",
  arguments: [{ name: "<id>", summary: "backend" }],
  prints: "one",
  fields: ["ok", "models", "error", "duration_ms"] as const satisfies readonly (keyof BackendTest)[],
  needs: "admin",
  examples: ["feather admin backends test backend_1"],
  options: ([id = ""]) => ({ id }),
  async run({ client, output, signal }, { id }) {
    const test = await (await client()).admin.backends.test(id, { signal });
    output.printDetails({ id: () => id, lines }, test);
    if (!test.ok) throw new WorkFailedError(`${id} does not answer`, "feather admin backends list");
  },
};

const lines = ({ ok, models, error, duration_ms }: BackendTest) => [
  ["answers", ok ? "yes" : `no: ${error ?? "no reason given"}`] as const,
  ["took", `${formatCount(duration_ms)} ms`] as const,
  ...models.map((id) => ["model", id] as const),
];
