import { expect, test } from "vitest";
import { ClusterError } from "./cluster-api.ts";
import { reflect } from "./reflector.ts";

test("a watch that the cluster refuses again and again counts as failing until the cluster accepts it", async () => {
  const controller = new AbortController();
  const errors: unknown[] = [];
  const refusals = [1, 2, 3].map((attempt) => new ClusterError(500, "", `refused ${attempt}`));
  const remaining = [...refusals];
  await reflect(
    {
      api: {
        list: async () => ({ items: [], resourceVersion: "1" }),
        watch: async (_kind, { onOpen }) => {
          const refusal = remaining.shift();
          if (refusal !== undefined) throw refusal;
          onOpen?.();
          controller.abort();
        },
      },
      kind: "Pod",
      labelSelector: "feather/owner=x",
      retry: { minMs: 0, maxMs: 0 },
      onList: () => {},
      onEvent: () => {},
      onError: (error) => void errors.push(error),
    },
    controller.signal,
  );
  expect(errors).toEqual([null, ...refusals, null]);
});
