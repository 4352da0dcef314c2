import type { BackendTest, BackendTestModel } from "@feather/sdk";
import { formatCount } from "@feather/sdk/format";
import type { Command } from "../../../command.ts";
import { WorkFailedError } from "../../../errors.ts";
import { optionalText } from "../../../flags.ts";
import { BACKEND_ARGUMENT, resolveBackendId } from "./backend.ts";

/** Tests a backend: its models, and a call. Throws `WorkFailedError` (exit code 5) when one of both fails. */
export const backendsTest: Command<{ readonly id: string; readonly model?: string }> = {
  name: "admin backends test",
  summary: "Try a backend: ask it for its models, and call one",
  arguments: [BACKEND_ARGUMENT],
  flags: [{ name: "--model <name>", summary: "model to call; the first that chats if left out" }],
  prints: "one",
  fields: [
    "ok",
    "models",
    "model_details",
    "problem",
    "error",
    "advice",
    "call",
    "duration_ms",
  ] as const satisfies readonly (keyof BackendTest)[],
  needs: "admin",
  examples: ["feather admin backends test backend_1", "feather admin backends test backend_1 --model Qwen/Qwen3-32B"],
  options: ([id = ""], flags) => ({ id, ...optionalText("model", flags.model) }),
  async run(context, { id: given, ...body }) {
    const { client, output, signal } = context;
    const feather = await client();
    const id = await resolveBackendId(context, feather, given);
    const test = await feather.admin.backends.test(id, body, { signal });
    output.printDetails({ id: () => id, lines }, test);
    const unnamed = test.model_details.find((model) => model.problem !== null);
    if (unnamed)
      output.hint(
        `An alias gives a model an id: feather admin backends update ${id} --alias "${unnamed.name}=owner/name"`,
      );
    if (!test.ok)
      throw new WorkFailedError(
        `${id} does not answer${test.call === null ? "" : " calls"}`,
        test.advice ?? "feather admin backends list",
      );
  },
};

const lines = ({ ok, model_details, error, call, duration_ms }: BackendTest) => [
  ["answers", ok ? "yes" : `no: ${error ?? "no reason given"}`] as const,
  ["took", `${formatCount(duration_ms)} ms`] as const,
  ...(call === null ? [] : [["called", `${call.model} (${formatCount(call.duration_ms)} ms)`] as const]),
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
