import { onlineManager } from "@tanstack/react-query";
import { afterEach, expect, test } from "vitest";
import { createQueryClient } from "./query-client.ts";

afterEach(() => onlineManager.setOnline(true));

test("without a network what is read fails at once, instead of waiting for one", async () => {
  onlineManager.setOnline(false);
  const client = createQueryClient();
  const read = client.fetchQuery({ queryKey: ["x"], queryFn: () => Promise.reject(new TypeError("fetch failed")) });
  await expect(read).rejects.toThrow("fetch failed");
});
