import { expect, test } from "vitest";
import { privateModelKey } from "../../platform/core/models/model-keys.ts";
import type { HostedModel } from "../runtimes/index.ts";
import { createFileChecksums, createServedFiles } from "../store/index.ts";
import { createModelLookup } from "./model-lookup.ts";

const PUBLIC = "acme/public";
const PRIVATE = privateModelKey("org_1", "acme/private");
const CHECKSUM = "a".repeat(64);

const modelOf = (id: string, changes: Partial<HostedModel> = {}): HostedModel => ({
  id,
  file: `/models/${CHECKSUM}.gguf`,
  fileName: "model-q4_k_m.gguf",
  size: 1,
  contextLength: 1,
  bytesPerToken: 1,
  repository: id,
  revision: "c0ffee",
  ...changes,
});

function createLookup(models: readonly HostedModel[]) {
  const host = { find: (key: string) => models.find(({ id }) => id === key) ?? null };
  const served = createServedFiles(createFileChecksums({ compute: async () => CHECKSUM }));
  return createModelLookup({ own: host, shared: host, served });
}

test("every organization finds public models, and only its own private ones", () => {
  const lookup = createLookup([modelOf(PUBLIC), modelOf(PRIVATE)]);
  expect(lookup.findForOrganization(PUBLIC, "org_2")?.id).toBe(PUBLIC);
  expect(lookup.findForOrganization(PRIVATE, "org_1")?.id).toBe(PRIVATE);
  expect(lookup.findForOrganization(PRIVATE, "org_2")).toBeNull();
  expect(lookup.findForOrganization("acme/unknown", "org_1")).toBeNull();
});

test("another organization's model has neither files to serve nor a description", async () => {
  const lookup = createLookup([modelOf(PRIVATE)]);
  const file = { version: CHECKSUM, name: `${CHECKSUM}.gguf` };
  expect(lookup.describeFiles(PRIVATE, "org_2")).toBeNull();
  expect(await lookup.findModelFile({ key: PRIVATE, organizationId: "org_2" }, file)).toBeNull();
});

test("a model is described by the kind of its files, its origin and the files that are served", () => {
  const lookup = createLookup([modelOf(PUBLIC)]);
  expect(lookup.describeFiles(PUBLIC, "org_1")).toMatchObject({
    files: "gguf",
    fileName: "model-q4_k_m.gguf",
    repository: PUBLIC,
    revision: "c0ffee",
    isConverted: false,
    served: { version: CHECKSUM, folder: "/models", names: [`${CHECKSUM}.gguf`] },
  });
});

test("a model whose files are elsewhere is described without files to serve", () => {
  const lookup = createLookup([modelOf(PUBLIC, { runtime: "vllm", isElsewhere: true })]);
  expect(lookup.describeFiles(PUBLIC, "org_1")).toMatchObject({ files: "safetensors", served: null });
});
