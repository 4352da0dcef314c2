import type { Feather, PrivateModel } from "@feather/sdk";
import { formatPercent } from "@feather/sdk/format";
import type { Context } from "../../context.ts";
import { UsageError } from "../../errors.ts";
import { readAll } from "../../input.ts";
import type { Style } from "../../output/style.ts";
import { pickItem } from "../../pick-item.ts";
import type { WorkStatus } from "../../wait.ts";

/** Fields that `--json` accepts. */
export const PRIVATE_MODEL_FIELDS = [
  "id",
  "name",
  "revision",
  "state",
  "progress",
  "error",
  "runtime",
  "model_class",
  "created_at",
  "updated_at",
] as const satisfies readonly (keyof PrivateModel)[];

/** The argument that names a private model. */
export const PRIVATE_MODEL_ARGUMENT = {
  name: "[id]",
  summary: "private model, as owner/name; you are asked at a terminal",
  values: "private-models",
} as const;

/** The flag that reads a token of the hub from stdin. */
export const TOKEN_FLAG = { name: "--with-token", summary: "read a token of the hub from stdin" } as const;

/** Reads a token of the hub from stdin: others can see command lines, and shells store them. Throws `UsageError` for empty input. */
export async function readHubToken({ io }: Context): Promise<string> {
  const token = (await readAll(io.stdin)).trim();
  if (token === "") throw new UsageError("no token came on stdin", "--with-token < token.txt");
  return token;
}

/** Returns the state for people: `downloading 62 %`. */
export function formatState({ state, progress, error }: PrivateModel): string {
  const progressText = progress === null || OUTCOMES[state] !== undefined ? "" : ` ${formatPercent(progress)}`;
  return `${state}${progressText}${error === null ? "" : `: ${error}`}`;
}

/** Returns the id of a private model, or lets the person pick one. Throws `UsageError` when nobody can be asked. */
export async function resolvePrivateModelId(context: Context, feather: Feather, id: string): Promise<string> {
  if (id !== "") return id;
  const { signal } = context;
  return pickItem(context, {
    label: "Private model",
    alternative: "the model's id: feather private-models list",
    empty: ["there are no private models yet", "feather private-models add <id>"],
    list: async () => (await feather.privateModels.list({ signal })).items,
    toChoice: (model) => ({ label: model.id, note: formatState(model), value: model.id }),
  });
}

/** Colours the state of a private model. */
export function paintState(text: string, style: Style, { state }: PrivateModel): string {
  if (state === "ready") return style.green(text);
  if (state === "failed") return style.red(text);
  return state === "unloaded" ? style.dim(text) : style.accent(text);
}

const OUTCOMES: Partial<Record<PrivateModel["state"], "succeeded" | "failed">> = {
  ready: "succeeded",
  // It is on disk, and the next call loads it.
  unloaded: "succeeded",
  failed: "failed",
};

/** Returns the progress of a model towards being callable. */
export function toWorkStatus({ state, progress, error }: PrivateModel): WorkStatus {
  const outcome = OUTCOMES[state];
  return {
    state,
    ...(error !== null && { detail: error }),
    ...(progress !== null && { fraction: progress, amount: { done: progress, total: 1, unit: "fraction" } }),
    ...(outcome !== undefined && { outcome }),
  };
}
