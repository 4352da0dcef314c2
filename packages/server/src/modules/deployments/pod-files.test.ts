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

test("a pod that asks for a file whose checksum is being computed gets 503 and the time to come back", async () => {
  const podFiles = create(null);
  // More often than files can be read at the same time: what was refused is not being read.
  for (let request = 0; request < 40; request += 1)
    await expect(podFiles.open(FILE, "token")).rejects.toMatchObject({
      ...{ status: 503, code: "deployments.file_not_ready" },
      headers: { "retry-after": "5" },
    });
});
