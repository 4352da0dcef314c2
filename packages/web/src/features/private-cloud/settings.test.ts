import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { deployment } from "#/testing/private-cloud.ts";
import { parseEngineArgs, writeEngineArgs } from "./engine-args.ts";
import { manifest } from "./manifest.ts";
import type { Deployment } from "./queries.ts";
import { bodyOf, changesOf, type Draft, draftOf, draftRules, EMPTY_DRAFT, nameFor } from "./settings.ts";

const GOOD: Draft = {
  ...EMPTY_DRAFT,
  model_id: "acme/support-8b",
  provider_id: "local",
  region: "here",
  instance_type: "cpu",
  name: "support-bot",
};
const faults = (change: Partial<Draft>) => {
  const result = draftRules.safeParse({ ...GOOD, ...change });
  return result.success ? [] : result.error.issues.map(({ path }) => path.join("."));
};

describe("the draft schema", () => {
  test.each<[Partial<Draft>, string[]]>([
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
  ])("rejects %j with an error at %j", (change, fields) => {
    expect(faults(change)).toEqual(fields);
  });
});

describe("the request body", () => {
  test("has numbers, seconds and no empty values", () => {
    expect(bodyOf({ ...GOOD, sleep_minutes: "1.5", engine_args: "context=4096\nfast=true\nkind=q8" })).toEqual({
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

  test.each([{ sleeps: false }, { min_replicas: "1" }])("does not enable sleeping with %j", (change) => {
    expect(bodyOf({ ...GOOD, ...change }).scale_to_zero_after_s).toBeNull();
  });

  test("of an unchanged deployment equals its settings", () => {
    const one = deployment({ engine_args: { context: 4096 }, scale_to_zero_after_s: 90 }) as unknown as Deployment;
    const body = bodyOf(draftOf(one));
    for (const [field, value] of Object.entries(body))
      expect([field, one[field as keyof Deployment]]).toEqual([field, value]);
  });

  test("of an update contains only what differs", () => {
    expect(changesOf(GOOD, GOOD)).toEqual({});
    expect(changesOf(GOOD, { ...GOOD, max_replicas: "3", target: "8" })).toEqual({
      max_replicas: 3,
      autoscale: { metric: "pending_requests", target: 8 },
    });
  });
});

describe("the manifest", () => {
  test.each<Partial<Draft>>([
    {},
    { revision: "main", engine_args: "context=4096" },
    { revision: "0123", engine_args: "a=true\nb=0x1\nc=#no\nd=: colon" },
    { revision: "true", sleeps: false },
    { model_id: 'acme/"quoted"\\model', revision: "a: b" },
    { revision: "null", engine_args: "y=no\non=- item" },
  ])("is parsed back to the request body: %j", (change) => {
    const body = bodyOf({ ...GOOD, ...change });
    const { revision, engine_args: args, ...rest } = body;
    const expected = {
      ...rest,
      ...(revision !== null && { revision }),
      ...(Object.keys(args ?? {}).length > 0 && { engine_args: args }),
    };
    expect(parse(manifest(body))).toEqual(expected);
  });

  test("marks missing values with comments", () => {
    const text = manifest(bodyOf(EMPTY_DRAFT));
    expect(text).toContain("model_id: # choose a model\n");
    expect(parse(text)).toMatchObject({ name: null, model_id: null, max_replicas: 1 });
    expect(parse(manifest(bodyOf({ ...GOOD, max_replicas: "x" })))).toMatchObject({ max_replicas: null });
  });
});

test("parses formatted engine arguments back to the same values", () => {
  const args = { context: 4096, ratio: 0.5, fast: false, kind: "q8_0", long: "1234567890123456789" };
  expect(parseEngineArgs(writeEngineArgs(args))).toEqual({ args, faults: [] });
  expect(parseEngineArgs("__proto__=1").faults).toHaveLength(1);
});

test.each([
  ["acme/Support_8B", "support-8b"],
  ["a/--X--", "x"],
  ["", ""],
  [`a/${"long.".repeat(20)}`, "long-long-long-long-long-long-long-long"],
])("suggests for the model %j the name %j", (model, name) => {
  expect(nameFor(model)).toBe(name);
});
