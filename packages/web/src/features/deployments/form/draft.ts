import type { Deployment, DeploymentCreate, DeploymentUpdate } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { z } from "zod";
import { type EngineArgs, formatEngineArgs, parseEngineArgs } from "./engine-args.ts";

const MAX_REPLICAS = 100;
const MINUTE_SECONDS = 60;
const WEEK_MINUTES = 10_080;
const MODEL_ID_PATTERN = /^[^\s/]+\/[^\s/]+$/;

const isIntegerBetween = (text: string, minimum: number, maximum: number) =>
  /^\d{1,9}$/.test(text.trim()) && Number(text) >= minimum && Number(text) <= maximum;
const isDecimalBetween = (text: string, minimum: number, maximum: number) =>
  /^\d{1,9}(\.\d{1,6})?$/.test(text.trim()) && Number(text) >= minimum && Number(text) <= maximum;

const draftShape = z.object({
  model_id: z
    .string()
    .trim()
    .max(200, t`Model is not valid: its id is too long.`)
    .regex(MODEL_ID_PATTERN, t`Model is not valid: an id is written owner/name.`),
  revision: z.string().trim().max(100, t`Revision is not valid: 100 characters at most.`),
  provider_id: z.string().min(1, t`Provider is not valid: choose one.`),
  region: z.string().min(1, t`Region is not valid: choose one.`),
  instance_type: z.string().min(1, t`Machine is not valid: choose one.`),
  name: z
    .string()
    .trim()
    .min(3, t`Name is not valid: it has 3 characters or more.`)
    .max(40, t`Name is not valid: it has 40 characters at most.`)
    .regex(/^[a-z0-9-]*$/, t`Name is not valid: only small letters, digits and hyphens.`),
  min_replicas: z
    .string()
    .refine((text) => isIntegerBetween(text, 0, MAX_REPLICAS), t`At least is not valid: a whole number from 0 to 100.`),
  max_replicas: z
    .string()
    .refine((text) => isIntegerBetween(text, 1, MAX_REPLICAS), t`At most is not valid: a whole number from 1 to 100.`),
  sleeps: z.boolean(),
  sleep_minutes: z.string(),
  target: z
    .string()
    .refine((text) => isDecimalBetween(text, 0.000001, 10_000), t`Target is not valid: a number above 0.`),
  visibility: z.enum(["private", "public"]),
  engine_args: z.string(),
});

/** Form values of a deployment. */
export type DeploymentDraft = z.infer<typeof draftShape>;
/** Names of the form fields. */
export type DraftField = keyof DeploymentDraft;

/** Validates a draft. Numbers are strings, as typed. */
export const draftSchema = draftShape.superRefine((draft, context) => {
  const addIssue = (field: DraftField, message: string) => context.addIssue({ code: "custom", path: [field], message });
  const { min_replicas: min, max_replicas: max } = draft;
  if (isIntegerBetween(min, 0, MAX_REPLICAS) && isIntegerBetween(max, 1, MAX_REPLICAS) && Number(min) > Number(max))
    addIssue("max_replicas", t`At most is not valid: it is below the least number.`);
  if (canSleep(draft) && draft.sleeps && !isDecimalBetween(draft.sleep_minutes, 1, WEEK_MINUTES))
    addIssue("sleep_minutes", t`Minutes are not valid: from 1 to 10,080, which is a week.`);
  const { errors } = parseEngineArgs(draft.engine_args);
  for (const error of errors) addIssue("engine_args", error);
});

/** A deployment with at least one replica never sleeps. */
export const canSleep = ({ min_replicas }: Pick<DeploymentDraft, "min_replicas">): boolean =>
  Number(min_replicas) === 0;

/** Form values of a new deployment. */
export const EMPTY_DRAFT: DeploymentDraft = {
  model_id: "",
  revision: "",
  provider_id: "",
  region: "",
  instance_type: "",
  name: "",
  min_replicas: "0",
  max_replicas: "1",
  sleeps: true,
  sleep_minutes: "60",
  target: "4",
  visibility: "private",
  engine_args: "",
};

/** Returns the form values of a deployment. */
export function toDraft(deployment: Deployment): DeploymentDraft {
  const { scale_to_zero_after_s: idleSeconds, autoscale, engine_args, revision } = deployment;
  const { name, model_id, provider_id, region, instance_type, visibility } = deployment;
  return {
    name,
    model_id,
    provider_id,
    region,
    instance_type,
    visibility,
    revision: revision ?? "",
    min_replicas: String(deployment.min_replicas),
    max_replicas: String(deployment.max_replicas),
    sleeps: idleSeconds !== null,
    sleep_minutes:
      idleSeconds === null ? EMPTY_DRAFT.sleep_minutes : String(Number((idleSeconds / MINUTE_SECONDS).toFixed(2))),
    target: String(autoscale.target),
    engine_args: formatEngineArgs(engine_args as EngineArgs),
  };
}

/** Converts a draft to the request body. Missing values of an incomplete draft are empty strings. */
export function toDeploymentBody(draft: DeploymentDraft): DeploymentCreate {
  const { target, sleeps, sleep_minutes, engine_args, revision, ...rest } = draft;
  const { args } = parseEngineArgs(engine_args);
  return {
    name: rest.name.trim(),
    model_id: rest.model_id.trim(),
    revision: revision.trim() === "" ? null : revision.trim(),
    provider_id: rest.provider_id,
    region: rest.region,
    instance_type: rest.instance_type,
    min_replicas: Number(rest.min_replicas),
    max_replicas: Number(rest.max_replicas),
    scale_to_zero_after_s: sleeps && canSleep(draft) ? Math.round(Number(sleep_minutes) * MINUTE_SECONDS) : null,
    autoscale: { metric: "pending_requests" as const, target: Number(target) },
    engine_args: args,
    visibility: rest.visibility,
  };
}

/** Returns the request body with the changed fields only, so that changes by others are kept. */
export function diffDrafts(previous: DeploymentDraft, edited: DeploymentDraft): DeploymentUpdate {
  const { name: _name, provider_id: _provider, region: _region, ...next } = toDeploymentBody(edited);
  const previousBody = toDeploymentBody(previous);
  return Object.fromEntries(
    Object.entries(next).filter(
      ([field, value]) => JSON.stringify(previousBody[field as keyof DeploymentCreate]) !== JSON.stringify(value),
    ),
  );
}

/** Suggests a name for a model's deployment: `support-8b` for `acme/Support_8B`. */
export function suggestName(modelId: string): string {
  const name = modelId.split("/").at(-1) ?? "";
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, 40)
    .replaceAll(/^-+|-+$/g, "");
}
