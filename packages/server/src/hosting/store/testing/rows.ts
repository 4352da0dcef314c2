import type { HubFile, HubModel } from "../../hub/index.ts";
import type { PullRow } from "../rows/pull-rows.ts";

/** The time at which the rows of tests were stored. */
export const STORED_AT = new Date("2026-03-01T12:00:00Z");

/** Returns a queued download of a public GGUF file of 1,000 bytes. */
export function buildPull(fields: Partial<PullRow> = {}): PullRow {
  return {
    id: "pull_1",
    model_id: "acme/tiny",
    repository: "acme/tiny",
    revision: "one",
    file: "tiny.gguf",
    sha256: null,
    state: "queued",
    bytes_done: 0,
    bytes_total: 1_000,
    stored_bytes: null,
    conversion_progress: null,
    is_conversion: false,
    parts: null,
    projector: null,
    attempts: 0,
    error: null,
    lease_until: null,
    sealed_token: null,
    automatic_for: null,
    organization_id: null,
    created_by: null,
    created_at: STORED_AT,
    updated_at: STORED_AT,
    ...fields,
  };
}

/** Returns a file of a repository whose checksum the hub does not publish. */
export const buildHubFile = (path: string, size = 100): HubFile => ({ path, size, sha256: null });

/** Returns a repository without files, whose configuration names only an architecture. */
export function buildRepository(fields: Partial<HubModel> = {}): HubModel {
  return {
    id: "acme/tiny",
    revision: "one",
    gated: false,
    private: false,
    task: null,
    downloads: null,
    likes: null,
    license: null,
    tags: [],
    languages: [],
    baseModel: null,
    quantizedFrom: null,
    createdAt: null,
    updatedAt: null,
    readme: null,
    summary: "",
    ggufArchitecture: null,
    parameters: null,
    config: { architectures: ["TinyForCausalLM"] },
    files: [],
    ...fields,
  };
}
