import { describe, inject } from "vitest";
import { testProvider } from "./testing/provider-behaviour.ts";
import type { TestCluster } from "./testing/test-cluster.ts";

declare module "vitest" {
  interface ProvidedContext {
    cluster: TestCluster;
  }
}

describe("with a real cluster", () => testProvider(() => inject("cluster")));
