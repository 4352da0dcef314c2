import type { BackendTest, BackendTestModel } from "@feather/sdk";
import { formatCount } from "@feather/sdk/format";
import type { Command } from "../../../command.ts";
import { WorkFailedError } from "../../../errors.ts";
import { BACKEND_ARGUMENT, resolveBackendId } from "./backend.ts";

/** Asks a backend for its models. Throws `WorkFailedError` (exit code 5) when it does not respond. */
export const backendsTest: Command<{ readonly id: string }> = {
  name: "admin backends test",
  summary: "Try a backend: ask it for its models",
  arguments: [BACKEND_ARGUMENT],
  prints: "one",
  fields: ["ok", "models", "model_details", "error", "duration_ms"] as const satisfies readonly (keyof BackendTest)[],
  needs: "admin",
  examples: ["feather admin backends test backend_1"],
  options: ([id = ""]) => ({ id }),
  async run(context, { id: given }) {
    const { client, output, signal } = context;
    const feather = await client();
    const id = await resolveBackendId(context, feather, given);
    const test = await feather.admin.backends.test(id, { signal });
    output.printDetails({ id: () => id, lines }, test);
    const unnamed = test.model_details.find((model) => model.problem !== null);
    if (unnamed)
      output.hint(
        `An alias gives a model an id: feather admin backends update ${id} --alias "${unnamed.name}=owner/name"`,
      );
    if (!test.ok) throw new WorkFailedError(`${id} does not answer`, "feather admin backends list");
  },
};

const lines = ({ ok, model_details, error, duration_ms }: BackendTest) => [
  ["answers", ok ? "yes" : `no: ${error ?? "no reason given"}`] as const,
  ["took", `${formatCount(duration_ms)} ms`] as const,
  ...model_details.map(describeModel),
];

const PROBLEMS = {
  not_an_id: "cannot be called: the name cannot be an id (owner/name); give it an alias",
  same_id: "cannot be called: another of its models has this id; give it an alias",
} as const;

function describeModel({ name, id, problem, parameter_size }: BackendTestModel): readonly ["model", string] {
  if (problem !== null) return ["model", `${name} (${PROBLEMS[problem]})`];
  const notes = [...(id === name ? [] : [`called ${id}`]), ...(parameter_size === null ? ["size unknown"] : [])];
  return ["model", notes.length === 0 ? name : `${name} (${notes.join(", ")})`];
}
