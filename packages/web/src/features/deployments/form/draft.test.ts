import type { Deployment } from "@feather/sdk";
import { buildDeployment } from "@feather/testing/builders";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { toManifest } from "../manifest.ts";
import {
  type DeploymentDraft,
  diffDrafts,
  draftSchema,
  EMPTY_DRAFT,
  suggestName,
  toDeploymentBody,
  toDraft,
} from "./draft.ts";
import { formatEngineArgs, parseEngineArgs } from "./engine-args.ts";

const GOOD: DeploymentDraft = {
  ...EMPTY_DRAFT,
  model_id: "acme/support-8b",
  provider_id: "local",
  region: "here",
  instance_type: "cpu",
  name: "support-bot",
};
const errorsOf = (change: Partial<DeploymentDraft>) => {
  const result = draftSchema.safeParse({ ...GOOD, ...change });
  return result.success ? [] : result.error.issues.map(({ path }) => path.join("."));
};

describe("the draft schema", () => {
  test.each<[Partial<DeploymentDraft>, string[]]>([
    [{}, []],
    [{ model_id: "support-8b" }, ["model_id"]],
    [{ model_id: "a/b/c" }, ["model_id"]],
    [{ model_id: ` ${GOOD.model_id} ` }, []],
    [{ revision: "x".repeat(101) }, ["revision"]],
    [{ provider_id: "", region: "", instance_type: "" }, ["provider_id", "region", "instance_type"]],
    [{ name: "ab" }, ["name"]],
    [{ name: "Support Bot" }, ["name"]],
    [{ name: "A" }, ["name", "name"]],
    [{ name: "x".repeat(41) }, ["name"]],
    [{ min_replicas: "-1" }, ["min_replicas"]],
    [{ min_replicas: "1.5" }, ["min_replicas"]],
    [{ max_replicas: "0" }, ["max_replicas"]],
    [{ max_replicas: "101" }, ["max_replicas"]],
    [{ max_replicas: "1e2" }, ["max_replicas"]],
    [{ min_replicas: "3", max_replicas: "2" }, ["max_replicas"]],
    [{ sleep_minutes: "0.5" }, ["sleep_minutes"]],
    [{ sleep_minutes: "10081" }, ["sleep_minutes"]],
    [{ sleep_minutes: "soon", sleeps: false }, []],
    [{ sleep_minutes: "soon", min_replicas: "1" }, []],
    [{ target: "0" }, ["target"]],
    [{ target: "many" }, ["target"]],
    [{ engine_args: "context=4096\nsequences 4\ncontext=1" }, ["engine_args", "engine_args"]],
  ])("the draft schema rejects %j with an error at %j", (change, fields) => {
    expect(errorsOf(change)).toEqual(fields);
  });
});

describe("the request body", () => {
  test("the request body has numbers, seconds and no empty values", () => {
    expect(
      toDeploymentBody({ ...GOOD, sleep_minutes: "1.5", engine_args: "context=4096\nfast=true\nkind=q8" }),
    ).toEqual({
      name: "support-bot",
      model_id: "acme/support-8b",
      revision: null,
      provider_id: "local",
      region: "here",
      instance_type: "cpu",
      min_replicas: 0,
      max_replicas: 1,
      scale_to_zero_after_s: 90,
      autoscale: { metric: "pending_requests", target: 4 },
      engine_args: { context: 4096, fast: true, kind: "q8" },
      visibility: "private",
    });
  });

  test.each([{ sleeps: false }, { min_replicas: "1" }])(
    "the request body does not enable sleeping with %j",
    (change) => {
      expect(toDeploymentBody({ ...GOOD, ...change }).scale_to_zero_after_s).toBeNull();
    },
  );

  test("the request body of an unchanged deployment equals its settings", () => {
    const one = buildDeployment({ engine_args: { context: 4096 }, scale_to_zero_after_s: 90 }) as unknown as Deployment;
    const body = toDeploymentBody(toDraft(one));
    for (const [field, value] of Object.entries(body))
      expect([field, one[field as keyof Deployment]]).toEqual([field, value]);
  });

  test("the request body of an update contains only what differs", () => {
    expect(diffDrafts(GOOD, GOOD)).toEqual({});
    expect(diffDrafts(GOOD, { ...GOOD, max_replicas: "3", target: "8" })).toEqual({
      max_replicas: 3,
      autoscale: { metric: "pending_requests", target: 8 },
    });
  });
});

describe("the manifest", () => {
  test.each<Partial<DeploymentDraft>>([
    {},
    { revision: "main", engine_args: "context=4096" },
    { revision: "0123", engine_args: "a=true\nb=0x1\nc=#no\nd=: colon" },
    { revision: "true", sleeps: false },
    { model_id: 'acme/"quoted"\\model', revision: "a: b" },
    { revision: "null", engine_args: "y=no\non=- item" },
  ])("the manifest is parsed back to the request body: %j", (change) => {
    const body = toDeploymentBody({ ...GOOD, ...change });
    const { revision, engine_args: args, ...rest } = body;
    const expected = {
      ...rest,
      ...(revision !== null && { revision }),
      ...(Object.keys(args ?? {}).length > 0 && { engine_args: args }),
    };
    expect(parse(toManifest(body))).toEqual(expected);
  });

  test("the manifest marks missing values with comments", () => {
    const text = toManifest(toDeploymentBody(EMPTY_DRAFT));
    expect(text).toContain("model_id: # choose a model\n");
    expect(parse(text)).toMatchObject({ name: null, model_id: null, max_replicas: 1 });
    expect(parse(toManifest(toDeploymentBody({ ...GOOD, max_replicas: "x" })))).toMatchObject({ max_replicas: null });
  });
});

test("parses formatted engine arguments back to the same values", () => {
  const args = { context: 4096, ratio: 0.5, fast: false, kind: "q8_0", long: "1234567890123456789" };
  expect(parseEngineArgs(formatEngineArgs(args))).toEqual({ args, errors: [] });
  expect(parseEngineArgs("__proto__=1").errors).toHaveLength(1);
});

test.each([
  ["acme/Support_8B", "support-8b"],
  ["a/--X--", "x"],
  ["", ""],
  [`a/${"long.".repeat(20)}`, "long-long-long-long-long-long-long-long"],
])("suggests for the model %j the name %j", (model, name) => {
  expect(suggestName(model)).toBe(name);
});
