import { expect, test } from "vitest";
import { createPodFiles } from "./pod-files.ts";

const FILE = { id: "own_1", version: "c0ffee", name: "model-00001-of-00002.gguf" };

function create(sha256: string | null) {
  return createPodFiles({
    deploymentsRepository: { find: async () => undefined },
    cluster: { mayReadFiles: async () => true },
    findHostedKey: () => "acme/support",
    findModelFile: async () => ({ folder: "/models", name: FILE.name, sha256 }),
  });
}

test("a pod that requests a file whose checksum is being computed gets 503 and the time of the next attempt", async () => {
  const podFiles = create(null);
  // More requests than files that may be read at the same time: a refused request does not count as reading.
  for (let request = 0; request < 40; request += 1)
    await expect(podFiles.open(FILE, "token")).rejects.toMatchObject({
      status: 503,
      code: "deployments.file_not_ready",
      headers: { "retry-after": "5" },
    });
});
