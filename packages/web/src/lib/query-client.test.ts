import { onlineManager } from "@tanstack/react-query";
import { afterEach, expect, test } from "vitest";
import { createQueryClient } from "./query-client.ts";

afterEach(() => onlineManager.setOnline(true));

test("a query fails at once while offline, instead of pausing", async () => {
  onlineManager.setOnline(false);
  const client = createQueryClient();
  const read = client.fetchQuery({ queryKey: ["x"], queryFn: () => Promise.reject(new TypeError("fetch failed")) });
  await expect(read).rejects.toThrow("fetch failed");
});
