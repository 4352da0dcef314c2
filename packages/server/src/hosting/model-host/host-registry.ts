import type { BackendRegistry } from "../../gateway/index.ts";

/** The part of the backend registry that a host of models needs. */
export type HostRegistry = Pick<BackendRegistry, "set" | "remove" | "list" | "lastAnswerAt">;
